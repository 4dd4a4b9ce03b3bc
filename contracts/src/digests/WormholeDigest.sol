// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";

/// @title What guardians of Wormhole sign (whitepaper 0001, "VAA"; `Messages.sol` of its contracts).
/// @notice A statement is the body of a VAA: all that stands behind the signatures. Guardians sign the Keccak-256 of
/// its Keccak-256, without a prefix. Neither the version nor the guardian set is part of it.
///
/// ```
/// timestamp (4) || nonce (4) || emitterChain (2) || emitter (32) || sequence (8) || consistency (1) || payload
/// ```
///
/// The payload is the rest, whatever its length: the whole body is signed.
library WormholeDigest {
    /// @notice Bytes before the payload.
    uint256 internal constant HEADER = 51;

    /// @notice A body in its parts.
    struct Body {
        uint32 timestamp;
        uint32 nonce;
        uint16 emitterChainId;
        bytes32 emitterAddress;
        uint64 sequence;
        uint8 consistencyLevel;
        bytes payload;
    }

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        return ofBody(statement);
    }

    /// @notice The digest of a body, by which Wormhole also names a message (`hash`).
    function ofBody(bytes calldata body) internal pure returns (bytes32) {
        _requireHeader(body);
        return keccak256(abi.encodePacked(keccak256(body)));
    }

    /// @notice Reads a body.
    function parse(bytes calldata body) internal pure returns (Body memory parts) {
        _requireHeader(body);
        parts.timestamp = uint32(bytes4(body[:4]));
        parts.nonce = uint32(bytes4(body[4:8]));
        parts.emitterChainId = uint16(bytes2(body[8:10]));
        parts.emitterAddress = bytes32(body[10:42]);
        parts.sequence = uint64(bytes8(body[42:50]));
        parts.consistencyLevel = uint8(body[50]);
        parts.payload = body[HEADER:];
    }

    function _requireHeader(bytes calldata body) private pure {
        if (body.length < HEADER) revert IDigest.TooShort(HEADER, body.length);
    }
}
