// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title What a committee signs, as field elements.
/// @notice Each formula is complete: an implementation in another language needs nothing else.
/// `keccak` is keccak256; `abi.encode` of value types and 32-byte hashes is one 32-byte big-endian
/// word each; `||` joins bytes; strings are ASCII.
///
/// ```
/// scope       = sourceChainId, destinationChainId, client, epoch, keySetRoot   (5 words)
/// signed(t,b) = low253(keccak(abi.encode(t, scope, b)))                        (7 words)
/// low253(h)   = h as a big-endian integer mod 2^253: the top 3 bits are dropped
///
/// messageId   = keccak(abi.encode(keccak("muster/message-id/v1"), sourceChainId,
///                                 destinationChainId, client, nonce, keccak(payload)))
///
/// message  signs  signed(keccak("muster/message/v1"),  messageId)
/// batch    signs  signed(keccak("muster/batch/v1"),    batchRoot)
/// handover signs  signed(keccak("muster/handover/v1"),
///                        keccak(abi.encode(newEpoch, newRoot, newThreshold, newTotalWeight)))
///
/// leaf(messageId) = keccak(0x00 || messageId)
/// node(a, b)      = keccak(0x01 || min(a, b) || max(a, b))
/// ```
///
/// `epoch` and `keySetRoot` are those of the committee that signs. 2^253 is below the order of the
/// scalar field, so the element that is signed is canonical, and it keeps 253 bits of the hash:
/// a collision takes about 2^126 work. A batch may be any binary tree of these leaves and nodes, up
/// to 32 deep; the vectors pair neighbours, and an odd last node goes up as it is. The identity of a
/// message has no epoch in it, so that a message is one message whoever signs it, alone or in a
/// batch.
library MusterDigest {
    /// @notice Tag under the identity of a message.
    bytes32 internal constant MESSAGE_ID_TAG = keccak256("muster/message-id/v1");
    /// @notice Tag under the digest of one message.
    bytes32 internal constant MESSAGE_TAG = keccak256("muster/message/v1");
    /// @notice Tag under the digest of a batch.
    bytes32 internal constant BATCH_TAG = keccak256("muster/batch/v1");
    /// @notice Tag under the digest of a handover.
    bytes32 internal constant HANDOVER_TAG = keccak256("muster/handover/v1");

    /// @notice First byte of a leaf of a batch.
    bytes1 internal constant LEAF_PREFIX = 0x00;
    /// @notice First byte of a node of a batch.
    bytes1 internal constant NODE_PREFIX = 0x01;

    /// @dev The bits of a digest that are signed.
    uint256 private constant LOW_253_BITS = 2 ** 253 - 1;

    /// @notice Who signs for whom: everything a signature is bound to besides its content.
    struct Scope {
        /// Chain that the messages come from.
        uint256 sourceChainId;
        /// Chain of the light client.
        uint256 destinationChainId;
        /// Address of the light client.
        address client;
        /// Epoch of the committee that signs.
        uint64 epoch;
        /// Key-set root of the committee that signs.
        uint256 keySetRoot;
    }

    /// @notice A message from the source chain.
    struct Message {
        /// Number that the source chain gives the message.
        uint64 nonce;
        /// Its content. It should begin with a tag of the application.
        bytes payload;
    }

    /// @notice A committee and the epoch that it serves.
    struct KeySet {
        /// Root of the tree over its keys and weights.
        uint256 root;
        /// Least sum of weights that signs.
        uint64 threshold;
        /// Sum of all weights.
        uint64 totalWeight;
        /// Epoch that it serves: that of the committee before it, plus one.
        uint64 epoch;
    }

    /// @notice The identity of a message: once processed, it is never processed again.
    function messageId(Scope memory scope, Message calldata message)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                MESSAGE_ID_TAG,
                scope.sourceChainId,
                scope.destinationChainId,
                scope.client,
                message.nonce,
                keccak256(message.payload)
            )
        );
    }

    /// @notice What is signed for one message.
    function messageDigest(Scope memory scope, bytes32 id) internal pure returns (uint256) {
        return _signed(MESSAGE_TAG, scope, id);
    }

    /// @notice What is signed for a batch.
    function batchDigest(Scope memory scope, bytes32 batchRoot) internal pure returns (uint256) {
        return _signed(BATCH_TAG, scope, batchRoot);
    }

    /// @notice What the committee in office signs to hand over to `next`.
    function handoverDigest(Scope memory scope, KeySet memory next)
        internal
        pure
        returns (uint256)
    {
        bytes32 body = keccak256(
            abi.encode(next.epoch, next.root, next.threshold, next.totalWeight)
        );
        return _signed(HANDOVER_TAG, scope, body);
    }

    /// @notice The root that a path leads to from the leaf of a message.
    /// @param id The message's identity.
    /// @param path The siblings, from the leaf's up.
    function batchRootOf(bytes32 id, bytes32[] calldata path) internal pure returns (bytes32 node) {
        node = keccak256(abi.encodePacked(LEAF_PREFIX, id));
        for (uint256 i = 0; i < path.length; ++i) {
            node = _node(node, path[i]);
        }
    }

    function _node(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b
            ? keccak256(abi.encodePacked(NODE_PREFIX, a, b))
            : keccak256(abi.encodePacked(NODE_PREFIX, b, a));
    }

    function _signed(bytes32 tag, Scope memory scope, bytes32 body) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(tag, scope, body))) & LOW_253_BITS;
    }
}
