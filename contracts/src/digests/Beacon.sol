// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title Headers of Ethereum's beacon chain, and what is proved of them by branches (consensus specifications:
/// `ssz/simple-serialize.md`, "Merkleization", and `ssz/merkle-proofs.md`, "Generalized Merkle tree index").
/// @notice A generalized index names a node of the tree of an SSZ object: 1 is the root, and the children of `i` are
/// `2i` and `2i + 1`. A branch has the siblings from the node's up, one for each level.
///
/// Whoever checks a branch fixes the index, and knows of which type the object is: a branch says nothing of either. An
/// index may name an inner node, whose value is a hash as any other.
library Beacon {
    /// @notice `BeaconBlockHeader`. Its root is that of the block.
    struct Header {
        uint64 slot;
        uint64 proposerIndex;
        bytes32 parentRoot;
        bytes32 stateRoot;
        bytes32 bodyRoot;
    }

    /// @notice Of the root of the state, under the root of a block.
    uint256 internal constant STATE_ROOT = 11;
    /// @notice Of the root of the execution layer's state, under the root of a block, from Deneb to Fulu: `body_root` is
    /// 12 of the header, `execution_payload` 25 of the body, and `state_root` 34 of the payload.
    uint256 internal constant EXECUTION_STATE_ROOT = 6434;
    /// @notice Of the hash of the execution layer's block, likewise: `block_hash` is 44 of the payload.
    uint256 internal constant EXECUTION_BLOCK_HASH = 6444;

    /// @dev `node(0, 0)`: what pads a header's five fields to eight.
    bytes32 private constant ZEROS =
        0xf5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b;

    /// @notice The branch has more or fewer levels than there are above the node of this generalized index.
    error WrongDepth(uint256 gindex, uint256 length);
    /// @notice The chain has no precompile of SHA-256.
    error NoSha256();

    /// @notice `hash_tree_root` of a header.
    function rootOf(Header memory header) internal view returns (bytes32) {
        bytes32 numbers = node(chunk(header.slot), chunk(header.proposerIndex));
        bytes32 roots = node(header.parentRoot, header.stateRoot);
        return node(node(numbers, roots), node(node(header.bodyRoot, 0), ZEROS));
    }

    /// @notice The root of the object that has this node at this generalized index.
    /// @param branch As many siblings as the node has nodes above it; others revert.
    function branchRoot(bytes32 leaf, uint256 gindex, bytes32[] memory branch)
        internal
        view
        returns (bytes32 root)
    {
        uint256 depth = branch.length;
        if (gindex >> depth != 1) revert WrongDepth(gindex, depth);
        root = leaf;
        for (uint256 level = 0; level < depth; ++level) {
            root = gindex >> level & 1 == 1 ? node(branch[level], root) : node(root, branch[level]);
        }
    }

    /// @notice A number of 64 bits in a chunk: the lowest byte first, and zeros behind.
    function chunk(uint64 number) internal pure returns (bytes32) {
        number = (number & 0x00ff00ff00ff00ff) << 8 | (number >> 8 & 0x00ff00ff00ff00ff);
        number = (number & 0x0000ffff0000ffff) << 16 | (number >> 16 & 0x0000ffff0000ffff);
        return bytes32(bytes8(number << 32 | number >> 32));
    }

    /// @notice The node above these two.
    /// @dev In scratch space, a third of the gas of `sha256(abi.encodePacked(…))`. On a chain without the precompile a call of
    /// it succeeds and gives nothing.
    function node(bytes32 left, bytes32 right) internal view returns (bytes32 hash) {
        bool ok;
        assembly ("memory-safe") {
            mstore(0, left)
            mstore(32, right)
            ok := staticcall(gas(), 2, 0, 64, 0, 32)
            ok := and(ok, eq(returndatasize(), 32))
            hash := mload(0)
        }
        if (!ok) revert NoSha256();
    }
}
