// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";
import {Eip191} from "./Eip191.sol";

/// @title What validators of Hyperlane sign: a checkpoint (`CheckpointLib.sol` of its contracts, version 3).
/// @notice A statement is 104 bytes:
///
/// ```
/// origin (4) || merkleTreeHook (32) || root (32) || index (4) || messageId (32)
/// ```
///
/// ```
/// domain = keccak(origin || merkleTreeHook || "HYPERLANE")
/// digest = EIP-191 of keccak(domain || root || index || messageId)
/// ```
///
/// It says: when the message with this id was put into the tree of this hook, at this index, the root was this.
library HyperlaneDigest {
    uint256 private constant LENGTH = 104;
    /// @dev Levels of the tree.
    uint256 private constant DEPTH = 32;
    /// @notice Bytes of a path.
    uint256 internal constant PATH = 1024;

    /// @notice A checkpoint, with the message that it is the latest of.
    struct Checkpoint {
        /// Hyperlane's number for the chain.
        uint32 origin;
        /// The contract that keeps the tree there.
        bytes32 merkleTreeHook;
        /// Root of the tree.
        bytes32 root;
        /// Index of the leaf that was added last.
        uint32 index;
        /// That leaf.
        bytes32 messageId;
    }

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        if (statement.length != LENGTH) revert IDigest.WrongLength(LENGTH, statement.length);
        Checkpoint memory checkpoint;
        checkpoint.origin = uint32(bytes4(statement[:4]));
        checkpoint.merkleTreeHook = bytes32(statement[4:36]);
        checkpoint.root = bytes32(statement[36:68]);
        checkpoint.index = uint32(bytes4(statement[68:72]));
        checkpoint.messageId = bytes32(statement[72:]);
        return ofCheckpoint(checkpoint);
    }

    /// @notice The digest of a checkpoint.
    function ofCheckpoint(Checkpoint memory checkpoint) internal pure returns (bytes32) {
        bytes32 domain = domainHash(checkpoint.origin, checkpoint.merkleTreeHook);
        return Eip191.ofWord(
            keccak256(
                abi.encodePacked(domain, checkpoint.root, checkpoint.index, checkpoint.messageId)
            )
        );
    }

    /// @notice The root of the tree that has this leaf at this index (`MerkleLib.branchRoot`): 32 levels of Keccak-256.
    /// @param path The siblings from the leaf's up, one behind the other.
    function rootOf(bytes32 leaf, uint32 index, bytes calldata path)
        internal
        pure
        returns (bytes32 node)
    {
        if (path.length != PATH) revert IDigest.WrongLength(PATH, path.length);
        node = leaf;
        for (uint256 level = 0; level < DEPTH; ++level) {
            bytes32 sibling = bytes32(path[32 * level:]);
            node = index >> level & 1 == 1
                ? keccak256(abi.encodePacked(sibling, node))
                : keccak256(abi.encodePacked(node, sibling));
        }
    }

    /// @notice What keeps checkpoints of two chains, or of two trees, apart.
    function domainHash(uint32 origin, bytes32 merkleTreeHook) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(origin, merkleTreeHook, "HYPERLANE"));
    }
}
