// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";

/// @title What a sync committee of Ethereum signs (consensus specifications, Altair `sync-protocol.md`, phase 0
/// `beacon-chain.md`: `compute_signing_root`, `compute_domain`; `ssz/simple-serialize.md`: merkleization).
/// @notice A statement is 148 bytes: the attested header in SSZ, the version of the fork in which it was signed, and
/// the root of the validators at genesis.
///
/// ```
/// slot (8, little-endian) || proposerIndex (8, little-endian) || parentRoot (32) || stateRoot (32) || bodyRoot (32)
///     || forkVersion (4) || genesisValidatorsRoot (32)
/// ```
///
/// Fork and genesis are the caller's to know: they say which chain it is.
library EthereumDigest {
    /// @notice Bytes of a header in SSZ.
    uint256 internal constant HEADER = 112;
    uint256 private constant LENGTH = 148;
    /// @dev `DOMAIN_SYNC_COMMITTEE`.
    bytes4 private constant SYNC_COMMITTEE = 0x07000000;

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        if (statement.length != LENGTH) revert IDigest.WrongLength(LENGTH, statement.length);
        bytes32 root = headerRoot(statement[:HEADER]);
        return
            signingRoot(root, bytes4(statement[HEADER:HEADER + 4]), bytes32(statement[HEADER + 4:]));
    }

    /// @notice The signing root of a header with this root.
    function signingRoot(bytes32 root, bytes4 forkVersion, bytes32 genesisValidatorsRoot)
        internal
        pure
        returns (bytes32)
    {
        bytes32 fork = _node(forkVersion, genesisValidatorsRoot);
        return _node(root, bytes32(SYNC_COMMITTEE) | fork >> 32);
    }

    /// @notice `hash_tree_root` of a header, by which its block is known: five fields, padded to eight.
    /// @param header The header in SSZ.
    function headerRoot(bytes calldata header) internal pure returns (bytes32) {
        if (header.length != HEADER) revert IDigest.WrongLength(HEADER, header.length);
        // SSZ has the lowest byte first in a chunk, too, and zeros behind it.
        bytes32 numbers = _node(bytes8(header[:8]), bytes8(header[8:16]));
        bytes32 roots = _node(bytes32(header[16:48]), bytes32(header[48:80]));
        bytes32 zeros = _node(0, 0);
        return _node(_node(numbers, roots), _node(_node(bytes32(header[80:]), 0), zeros));
    }

    function _node(bytes32 left, bytes32 right) private pure returns (bytes32) {
        return sha256(abi.encodePacked(left, right));
    }
}
