// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";

/// @title What attesters of Circle's Cross-Chain Transfer Protocol sign (`Attestable.sol` of its contracts).
/// @notice A statement is a message as `MessageTransmitter` takes it, and its Keccak-256 is signed. The first four
/// bytes are the version, which says how long the header is: 116 bytes for 0 (CCTP V1), 148 for 1 (CCTP V2). The
/// body is the rest, whatever its length.
library CctpDigest {
    uint256 private constant HEADER_V1 = 116;
    uint256 private constant HEADER_V2 = 148;

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        return ofMessage(statement);
    }

    /// @notice The digest of a message.
    function ofMessage(bytes calldata message) internal pure returns (bytes32) {
        if (message.length < HEADER_V1) revert IDigest.TooShort(HEADER_V1, message.length);
        uint32 version = uint32(bytes4(message[:4]));
        if (version > 1) revert IDigest.UnknownKind(version);
        if (version == 1 && message.length < HEADER_V2) {
            revert IDigest.TooShort(HEADER_V2, message.length);
        }
        return keccak256(message);
    }
}
