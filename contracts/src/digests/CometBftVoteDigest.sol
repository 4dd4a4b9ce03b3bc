// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";
import {CometBft} from "./CometBft.sol";

/// @title The bytes that a validator of CometBFT signs for a block, by their SHA-256.
/// @notice For keys of the form `sha256:N`: commits whose BLS signatures are added up, and votes that share a time.
/// A statement is one of
///
/// ```
/// 0 (1) || precommit                                   without a time: signatures that are added up
/// 1 (1) || seconds (8) || nanos (4) || precommit       with a time
/// ```
///
/// where the precommit is that of `CometBftDigest`, numbers are big-endian, and seconds are a two's complement.
library CometBftVoteDigest {
    /// @dev A byte, and a time.
    uint256 private constant TIMED = 13;

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        return sha256(signBytes(statement));
    }

    /// @notice The bytes that are signed.
    function signBytes(bytes calldata statement) internal pure returns (bytes memory) {
        if (statement.length < TIMED) revert IDigest.TooShort(TIMED, statement.length);
        uint8 kind = uint8(statement[0]);
        if (kind > 1) revert IDigest.UnknownKind(kind);
        if (kind == 0) return CometBft.signBytesTogether(CometBft.read(statement[1:]));
        CometBft.Time memory time = CometBft.Time(
            int64(uint64(bytes8(statement[1:9]))), uint32(bytes4(statement[9:TIMED]))
        );
        return CometBft.signBytes(CometBft.read(statement[TIMED:]), time);
    }
}
