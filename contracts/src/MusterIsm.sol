// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterKey} from "./MusterKey.sol";
import {MusterStatement} from "./MusterStatement.sol";
import {HyperlaneDigest} from "./digests/HyperlaneDigest.sol";
import {IInterchainSecurityModule} from "./interfaces/IInterchainSecurityModule.sol";
import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title A Hyperlane security module that believes stock validators, shown by one proof.
/// @notice It takes the place of a multisig module: what validators sign and publish, and the tree of the origin, are
/// those of Hyperlane, and a proof stands where the signatures would. The metadata is the checkpoint as the two
/// multisig modules have it, after a byte that says which, and with the proof instead of signatures:
///
/// ```
/// 5 (1) || merkleTreeHook (32) || root (32) || index (4) || proof
/// 4 (1) || merkleTreeHook (32) || messageIndex (4) || signedId (32) || path (1024) || signedIndex (4) || proof
/// ```
///
/// 5 is `MESSAGE_ID_MULTISIG`: the checkpoint names the message itself. 4 is `MERKLE_ROOT_MULTISIG`: it names a later
/// one, and the path shows that the message is in its tree. The proof is about the checkpoint's digest, under the key,
/// root and threshold of the message's origin.
///
/// One proof serves any number of messages: who calls `submit` with a checkpoint can leave the proof out of metadata
/// afterwards. And a message for which somebody called `prepare` passes without metadata, as a stock relayer brings it.
/// @dev Nobody owns it, and origins are fixed at construction: for other validators deploy another one, and name that
/// in the recipient. Replay of a delivery is the mailbox's business, and so is the destination.
contract MusterIsm is IInterchainSecurityModule {
    /// @notice Whom to believe about messages of a chain.
    struct Origin {
        /// Hyperlane's number for the chain, which need not be its chain id.
        uint32 domain;
        /// The contract that keeps the tree there: no other one's checkpoints count.
        bytes32 merkleTreeHook;
        /// Name of the EVM key, of a circuit for digests.
        bytes32 key;
        /// Root of the validators.
        uint256 root;
        /// Least sum of their weights.
        uint64 threshold;
    }

    /// @custom:storage-location erc7201:muster.storage.Ism
    struct State {
        mapping(uint32 => Origin) origins;
        /// Checkpoints that validators signed, by their digests.
        mapping(bytes32 => bool) isSigned;
        /// Messages in the trees of such checkpoints, by their identities.
        mapping(bytes32 => bool) isPrepared;
    }

    /// @dev Hyperlane's numbers for modules. A relayer that finds `NULL` sends no metadata.
    uint8 private constant NULL = 6;
    uint8 private constant MERKLE_ROOT_MULTISIG = 4;
    uint8 private constant MESSAGE_ID_MULTISIG = 5;
    /// @dev version (1) || nonce (4) || origin (4) || sender (32) || destination (4) || recipient (32)
    uint256 private constant HEADER = 77;
    /// @dev Where the proof begins in each form of metadata.
    uint256 private constant PROOF_OF_ID = 69;
    uint256 private constant PROOF_OF_ROOT = 1097;
    uint256 private constant PATH_START = 69;

    /// @dev keccak256(abi.encode(uint256(keccak256("muster.storage.Ism")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STATE_SLOT =
        0x073e7ecac94894a82b500bb806abed96ffa6596cbd4c0f0ace4e4060d7876e00;

    /// @notice Checks the proofs.
    IMusterVerifier public immutable VERIFIER;

    /// @notice The validators of this origin signed this checkpoint.
    event CheckpointSigned(
        bytes32 indexed digest, uint32 indexed origin, bytes32 indexed root, uint32 index
    );
    /// @notice The message passes without metadata from now on.
    event MessagePrepared(bytes32 indexed messageId, uint32 indexed origin);

    /// @notice Two origins of the construction have the same number.
    error DuplicateOrigin(uint32 domain);
    /// @notice Nobody is believed about messages of this chain.
    error UnknownOrigin(uint32 domain);
    /// @notice The message is shorter than Hyperlane's header.
    error MessageTooShort(uint256 length);
    /// @notice The metadata is shorter than a checkpoint in this form.
    error MetadataTooShort(uint256 least, uint256 actual);
    /// @notice The metadata begins with another number than 4 or 5.
    error UnknownMetadata(uint8 kind);
    /// @notice The checkpoint is of another tree than that of the origin.
    error WrongHook(bytes32 expected, bytes32 actual);
    /// @notice The message is said to be later than the checkpoint.
    error MessageAfterCheckpoint(uint32 messageIndex, uint32 signedIndex);
    /// @notice The validators did not sign this checkpoint; or there is no proof, and none came before.
    error ProofRejected();

    /// @param verifier A `MusterVerifier`. Its code is trusted and cannot be exchanged.
    /// @param origins Whom to believe. Nobody checks that they can sign, or that their keys are sound.
    constructor(IMusterVerifier verifier, Origin[] memory origins) {
        VERIFIER = verifier;
        for (uint256 i = 0; i < origins.length; ++i) {
            Origin memory each = origins[i];
            MusterKey.requireForDigests(verifier, each.key);
            // Reverts for a root or a threshold that no committee has.
            MusterStatement.ofDigest(each.root, each.threshold, 0);
            if (_state().origins[each.domain].root != 0) revert DuplicateOrigin(each.domain);
            _state().origins[each.domain] = each;
        }
    }

    /// @inheritdoc IInterchainSecurityModule
    function moduleType() external pure returns (uint8) {
        return NULL;
    }

    /// @inheritdoc IInterchainSecurityModule
    /// @dev Reverts or returns true, except for a message without metadata that nobody prepared, which is false.
    function verify(bytes calldata metadata, bytes calldata message) external view returns (bool) {
        if (metadata.length == 0) return isPrepared(keccak256(message));
        _requireGenuine(metadata, message);
        return true;
    }

    /// @notice Takes a checkpoint that validators signed. Metadata of messages in its tree need no proof afterwards.
    /// @param checkpoint The checkpoint.
    /// @param proof Proof for its digest.
    function submit(HyperlaneDigest.Checkpoint calldata checkpoint, bytes calldata proof) external {
        bytes32 digest = _requireSigned(checkpoint, proof);
        _state().isSigned[digest] = true;
        emit CheckpointSigned(digest, checkpoint.origin, checkpoint.root, checkpoint.index);
    }

    /// @notice Takes a message before it is delivered, so that it passes without metadata.
    /// @param metadata As for `verify`.
    /// @param message The message in Hyperlane's packed format.
    function prepare(bytes calldata metadata, bytes calldata message) external {
        uint32 origin = _requireGenuine(metadata, message);
        bytes32 id = keccak256(message);
        _state().isPrepared[id] = true;
        emit MessagePrepared(id, origin);
    }

    /// @notice Whom this module believes about messages of a chain.
    function originOf(uint32 domain) public view returns (Origin memory origin) {
        origin = _state().origins[domain];
        if (origin.root == 0) revert UnknownOrigin(domain);
    }

    /// @notice Whether the checkpoint with this digest was submitted.
    function isSigned(bytes32 digest) public view returns (bool) {
        return _state().isSigned[digest];
    }

    /// @notice Whether the message with this identity was prepared.
    function isPrepared(bytes32 messageId) public view returns (bool) {
        return _state().isPrepared[messageId];
    }

    // ------------------------------------------------------------------------------ Parts

    function _state() private pure returns (State storage state) {
        assembly ("memory-safe") {
            state.slot := STATE_SLOT
        }
    }

    /// @dev That the validators of the message's origin signed a checkpoint with the message in its tree.
    function _requireGenuine(bytes calldata metadata, bytes calldata message)
        private
        view
        returns (uint32 origin)
    {
        if (message.length < HEADER) revert MessageTooShort(message.length);
        origin = uint32(bytes4(message[5:9]));
        if (metadata.length == 0) revert MetadataTooShort(PROOF_OF_ID, 0);
        uint8 kind = uint8(metadata[0]);
        bytes32 id = keccak256(message);
        if (kind == MESSAGE_ID_MULTISIG) {
            _requireSigned(_ofId(metadata, origin, id), metadata[PROOF_OF_ID:]);
        } else if (kind == MERKLE_ROOT_MULTISIG) {
            _requireSigned(_ofRoot(metadata, origin, id), metadata[PROOF_OF_ROOT:]);
        } else {
            revert UnknownMetadata(kind);
        }
    }

    /// @dev The checkpoint that names the message itself.
    function _ofId(bytes calldata metadata, uint32 origin, bytes32 id)
        private
        pure
        returns (HyperlaneDigest.Checkpoint memory checkpoint)
    {
        _requireLength(metadata, PROOF_OF_ID);
        checkpoint.origin = origin;
        checkpoint.merkleTreeHook = bytes32(metadata[1:33]);
        checkpoint.root = bytes32(metadata[33:65]);
        checkpoint.index = uint32(bytes4(metadata[65:PROOF_OF_ID]));
        checkpoint.messageId = id;
    }

    /// @dev The checkpoint whose tree has the message at the index and path of the metadata.
    function _ofRoot(bytes calldata metadata, uint32 origin, bytes32 id)
        private
        pure
        returns (HyperlaneDigest.Checkpoint memory checkpoint)
    {
        _requireLength(metadata, PROOF_OF_ROOT);
        uint32 place = uint32(bytes4(metadata[33:37]));
        bytes calldata path = metadata[PATH_START:PATH_START + HyperlaneDigest.PATH];
        checkpoint.origin = origin;
        checkpoint.merkleTreeHook = bytes32(metadata[1:33]);
        checkpoint.root = HyperlaneDigest.rootOf(id, place, path);
        checkpoint.index = uint32(bytes4(metadata[PROOF_OF_ROOT - 4:PROOF_OF_ROOT]));
        checkpoint.messageId = bytes32(metadata[37:PATH_START]);
        // A place behind the checkpoint's is empty in its tree, and no message has the identity zero; but say so.
        if (place > checkpoint.index) revert MessageAfterCheckpoint(place, checkpoint.index);
    }

    function _requireSigned(HyperlaneDigest.Checkpoint memory checkpoint, bytes calldata proof)
        private
        view
        returns (bytes32 digest)
    {
        Origin memory origin = originOf(checkpoint.origin);
        bytes32 hook = checkpoint.merkleTreeHook;
        if (hook != origin.merkleTreeHook) revert WrongHook(origin.merkleTreeHook, hook);
        digest = HyperlaneDigest.ofCheckpoint(checkpoint);
        // The digest names the origin, whose validators are fixed: who signed it then signed it now.
        if (proof.length == 0 && isSigned(digest)) return digest;
        uint256[] memory inputs = MusterStatement.ofDigest(origin.root, origin.threshold, digest);
        if (proof.length == 0 || !VERIFIER.verify(origin.key, inputs, proof)) {
            revert ProofRejected();
        }
    }

    function _requireLength(bytes calldata metadata, uint256 least) private pure {
        if (metadata.length < least) revert MetadataTooShort(least, metadata.length);
    }
}
