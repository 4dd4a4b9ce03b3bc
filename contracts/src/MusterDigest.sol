// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title What a committee signs, as field elements.
/// @notice Each formula is complete: an implementation in another language needs nothing else.
/// `keccak` is keccak256; `abi.encode` of value types and 32-byte hashes is one 32-byte big-endian
/// word each; `||` joins bytes; strings are ASCII.
///
/// ```
/// scope         = sourceChainId, destinationChainId, client, epoch, key, root      (6 words)
/// signed(t,u,b) = low253(keccak(abi.encode(t, scope, u, b)))                       (9 words)
/// low253(h)     = h as a big-endian integer mod 2^253: the top 3 bits are dropped
///
/// messageId     = keccak(abi.encode(keccak("muster/message-id/v2"), sourceChainId,
///                                   destinationChainId, client, nonce, keccak(payload)))
/// proposal      = keccak(abi.encode(sequence, newEpoch, newKey, newRoot, newThreshold, newForm))
///
/// message    signs  signed(keccak("muster/message/v2"),    validUntil, messageId)
/// batch      signs  signed(keccak("muster/batch/v2"),      validUntil, batchRoot)
/// handover   signs  signed(keccak("muster/handover/v2"),   validUntil, proposal)
/// acceptance signs  signed(keccak("muster/acceptance/v2"), validUntil, proposal)
///
/// leaf(messageId) = keccak(0x00 || messageId)
/// node(a, b)      = keccak(0x01 || min(a, b) || max(a, b))
/// ```
///
/// `epoch`, `key` and `root` are those of the committee that signs: the one in office or, for an
/// acceptance, the next one, whose epoch is `newEpoch`. `validUntil` is the last second of Unix time
/// at which a contract takes what was signed, or 0: then it does so for ever. `newForm` is 0 for an
/// element and 1 for a digest.
///
/// 2^253 is below the order of the scalar field, so the element that is signed is canonical, and it
/// keeps 253 bits of the hash: a collision takes about 2^126 work. Keys that take digests are given
/// the same number, as 32 bytes. A batch may be any binary tree of these leaves and nodes, up to 32
/// deep; the vectors pair neighbours, and an odd last node goes up as it is. The identity of a
/// message has no epoch in it, so that a message is one message whoever signs it, alone or in a
/// batch.
library MusterDigest {
    /// @notice Tag under the identity of a message.
    bytes32 internal constant MESSAGE_ID_TAG = keccak256("muster/message-id/v2");
    /// @notice Tag under the digest of one message.
    bytes32 internal constant MESSAGE_TAG = keccak256("muster/message/v2");
    /// @notice Tag under the digest of a batch.
    bytes32 internal constant BATCH_TAG = keccak256("muster/batch/v2");
    /// @notice Tag under the digest of a handover.
    bytes32 internal constant HANDOVER_TAG = keccak256("muster/handover/v2");
    /// @notice Tag under the digest of an acceptance.
    bytes32 internal constant ACCEPTANCE_TAG = keccak256("muster/acceptance/v2");

    /// @notice First byte of a leaf of a batch.
    bytes1 internal constant LEAF_PREFIX = 0x00;
    /// @notice First byte of a node of a batch.
    bytes1 internal constant NODE_PREFIX = 0x01;

    /// @dev The bits of a digest that are signed.
    uint256 private constant LOW_253_BITS = 2 ** 253 - 1;

    /// @notice How a key takes what was signed.
    enum Form {
        /// As a field element: `MusterStatement.ofElement`, 3 public inputs.
        Element,
        /// As 32 bytes: `MusterStatement.ofDigest`, 4 public inputs.
        Digest
    }

    /// @notice Who signs, and how that is proved.
    struct Committee {
        /// Name of the EVM key under which proofs are made, as `MusterVerifier` knows it.
        bytes32 key;
        /// Root of the tree over the members' keys and weights.
        uint256 root;
        /// Least sum of weights that signs.
        uint64 threshold;
        /// How the key takes what was signed.
        Form form;
    }

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
        /// Key of the committee that signs.
        bytes32 key;
        /// Root of the committee that signs.
        uint256 root;
    }

    /// @notice A message from the source chain.
    struct Message {
        /// Number that the source chain gives the message.
        uint64 nonce;
        /// Its content. It should begin with a tag of the application.
        bytes payload;
    }

    /// @notice The identity of a message: once processed, it is never processed again.
    function messageId(
        uint256 sourceChainId,
        uint256 destinationChainId,
        address client,
        Message calldata message
    ) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                MESSAGE_ID_TAG,
                sourceChainId,
                destinationChainId,
                client,
                message.nonce,
                keccak256(message.payload)
            )
        );
    }

    /// @notice The name of a proposal: what is handed over, to whom, and which try it is.
    function proposalOf(uint64 sequence, uint64 newEpoch, Committee memory next)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(sequence, newEpoch, next));
    }

    /// @notice What is signed for one message.
    function messageDigest(Scope memory scope, uint64 validUntil, bytes32 id)
        internal
        pure
        returns (uint256)
    {
        return _signed(MESSAGE_TAG, scope, validUntil, id);
    }

    /// @notice What is signed for a batch.
    function batchDigest(Scope memory scope, uint64 validUntil, bytes32 batchRoot)
        internal
        pure
        returns (uint256)
    {
        return _signed(BATCH_TAG, scope, validUntil, batchRoot);
    }

    /// @notice What the committee in office signs to hand over.
    function handoverDigest(Scope memory scope, uint64 validUntil, bytes32 proposal)
        internal
        pure
        returns (uint256)
    {
        return _signed(HANDOVER_TAG, scope, validUntil, proposal);
    }

    /// @notice What the next committee signs to take over; the scope is its own.
    function acceptanceDigest(Scope memory scope, uint64 validUntil, bytes32 proposal)
        internal
        pure
        returns (uint256)
    {
        return _signed(ACCEPTANCE_TAG, scope, validUntil, proposal);
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

    function _signed(bytes32 tag, Scope memory scope, uint64 validUntil, bytes32 body)
        private
        pure
        returns (uint256)
    {
        return uint256(keccak256(abi.encode(tag, scope, validUntil, body))) & LOW_253_BITS;
    }
}
