// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterDigest} from "./MusterDigest.sol";
import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title A light client that believes what a committee signed, shown by one proof.
/// @notice Holds the committee in office. A message that it signed is accepted once, alone or as
/// part of a batch. The committee hands over by signing the next one; its own proofs are worthless
/// from then on. Nobody owns the contract and nothing else changes its state.
/// @dev What is signed is defined in `MusterDigest`. The only external call is the static call of
/// the verifier, made before anything is written: it cannot re-enter to write, and no reader sees a
/// message as processed before its proof was checked.
contract MultisigLightClient {
    /// @notice Bits of a total weight, as the circuit has them. No sum above can be proven.
    uint256 public constant TOTAL_WEIGHT_BITS = 60;
    /// @notice Longest path in a batch.
    uint256 public constant MAX_BATCH_DEPTH = 32;
    /// @notice Order of BN254's scalar field; a key-set root is below it.
    uint256 public constant SCALAR_MODULUS =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;

    /// @notice Checks the proofs.
    IMusterVerifier public immutable VERIFIER;
    /// @notice Chain that the messages come from.
    uint256 public immutable SOURCE_CHAIN_ID;

    /// @notice Whether a message was accepted, by its identity.
    mapping(bytes32 => bool) public isProcessed;
    /// @notice The epoch in which a batch was accepted, or zero if it was not.
    mapping(bytes32 => uint64) public batchEpoch;

    MusterDigest.KeySet private _keySet;

    /// @notice A message was accepted.
    event MessageVerified(
        bytes32 indexed messageId, uint64 indexed nonce, uint64 indexed epoch, bytes32 payloadHash
    );
    /// @notice A batch was accepted; its messages can be processed now or later.
    event BatchVerified(bytes32 indexed batchRoot, uint64 indexed epoch);
    /// @notice A committee took office.
    event KeySetRotated(
        uint64 indexed epoch, uint256 indexed root, uint64 threshold, uint64 totalWeight
    );

    /// @notice The verifier's address has no code.
    error NoCode(address verifier);
    /// @notice The contract does not tell a `VERIFIER_HASH`, or tells zero: it is no verifier of proofs.
    error NotAVerifier(address verifier);
    /// @notice A key-set root of zero, or at or above the scalar modulus.
    error InvalidRoot(uint256 root);
    /// @notice A total weight above what can be proven.
    error InvalidTotalWeight(uint64 totalWeight);
    /// @notice A threshold of zero, or above the weight of the set.
    error InvalidThreshold(uint64 threshold, uint64 totalWeight);
    /// @notice Not the epoch after the one in office; at construction, zero or the last one.
    error InvalidEpoch(uint64 epoch);
    /// @notice The message was accepted before.
    error AlreadyProcessed(bytes32 messageId);
    /// @notice The batch was accepted before.
    error BatchAlreadyAccepted(bytes32 batchRoot);
    /// @notice No committee in office signed this batch.
    error UnknownBatch(bytes32 batchRoot);
    /// @notice The path does not lead from the message to the root of the batch.
    error InvalidPath(bytes32 batchRoot, bytes32 messageId);
    /// @notice The path is longer than any batch is deep.
    error PathTooLong(uint256 length);
    /// @notice The committee in office did not sign this.
    error ProofRejected();

    /// @param verifier A `MusterVerifier`, or another wrapper that takes root, threshold and digest. Its
    /// code is trusted and cannot be exchanged. Over a wrapper that takes other words, or that was
    /// deployed with wrong arguments, this client would never accept anything, or what it should not.
    /// @param sourceChainId Chain that the messages come from.
    /// @param first The first committee. Its epoch is from 1 up: zero means none. After the last there is
    /// no other, so that the committee could never hand over.
    constructor(IMusterVerifier verifier, uint256 sourceChainId, MusterDigest.KeySet memory first) {
        if (address(verifier).code.length == 0) revert NoCode(address(verifier));
        _requireVerifier(verifier);
        if (first.epoch == 0 || first.epoch == type(uint64).max) revert InvalidEpoch(first.epoch);
        VERIFIER = verifier;
        SOURCE_CHAIN_ID = sourceChainId;
        _requireValid(first);
        _install(first);
    }

    /// @notice Accepts a message that the committee in office signed.
    /// @param message The message.
    /// @param proof Proof for its digest.
    function submit(MusterDigest.Message calldata message, bytes calldata proof) external {
        MusterDigest.Scope memory scope = _scope();
        bytes32 id = _unprocessedId(scope, message);
        _requireSigned(MusterDigest.messageDigest(scope, id), proof);
        _process(id, message, scope.epoch);
    }

    /// @notice Accepts a batch that the committee in office signed. Accepted is final: its messages
    /// can be processed after a handover, too.
    /// @param batchRoot Root of the tree over the messages.
    /// @param proof Proof for its digest.
    function submitBatch(bytes32 batchRoot, bytes calldata proof) external {
        if (batchEpoch[batchRoot] != 0) revert BatchAlreadyAccepted(batchRoot);
        MusterDigest.Scope memory scope = _scope();
        _requireSigned(MusterDigest.batchDigest(scope, batchRoot), proof);
        batchEpoch[batchRoot] = scope.epoch;
        emit BatchVerified(batchRoot, scope.epoch);
    }

    /// @notice Accepts a message of an accepted batch.
    /// @param message The message.
    /// @param batchRoot Root of the batch.
    /// @param path Siblings from the message's leaf up to the root.
    function submitFromBatch(
        MusterDigest.Message calldata message,
        bytes32 batchRoot,
        bytes32[] calldata path
    ) external {
        uint64 acceptedIn = batchEpoch[batchRoot];
        if (acceptedIn == 0) revert UnknownBatch(batchRoot);
        if (path.length > MAX_BATCH_DEPTH) revert PathTooLong(path.length);
        bytes32 id = _unprocessedId(_scope(), message);
        if (MusterDigest.batchRootOf(id, path) != batchRoot) revert InvalidPath(batchRoot, id);
        _process(id, message, acceptedIn);
    }

    /// @notice Hands over to a new committee, if the one in office signed it. At once nothing that
    /// the old committee signs, or signed and was not yet accepted, counts any more.
    /// @param newRoot Key-set root of the new committee.
    /// @param newThreshold Its threshold, from 1 to its total weight.
    /// @param newTotalWeight Sum of its weights, as the old committee states it.
    /// @param newEpoch The epoch in office plus one.
    /// @param proof Proof for the digest of the handover.
    function rotate(
        uint256 newRoot,
        uint64 newThreshold,
        uint64 newTotalWeight,
        uint64 newEpoch,
        bytes calldata proof
    ) external {
        MusterDigest.Scope memory scope = _scope();
        if (newEpoch != scope.epoch + 1) revert InvalidEpoch(newEpoch);
        MusterDigest.KeySet memory next = MusterDigest.KeySet({
            root: newRoot, threshold: newThreshold, totalWeight: newTotalWeight, epoch: newEpoch
        });
        _requireValid(next);
        _requireSigned(MusterDigest.handoverDigest(scope, next), proof);
        _install(next);
    }

    /// @notice The committee in office.
    function keySet() external view returns (MusterDigest.KeySet memory) {
        return _keySet;
    }

    /// @notice Key-set root of the committee in office.
    function keySetRoot() external view returns (uint256) {
        return _keySet.root;
    }

    /// @notice Threshold of the committee in office.
    function threshold() external view returns (uint64) {
        return _keySet.threshold;
    }

    /// @notice Epoch of the committee in office.
    function epoch() external view returns (uint64) {
        return _keySet.epoch;
    }

    /// @notice The identity of a message for this client.
    /// @param message The message.
    function messageId(MusterDigest.Message calldata message) external view returns (bytes32) {
        return MusterDigest.messageId(_scope(), message);
    }

    /// @notice What the committee in office signs for a message.
    /// @param message The message.
    function messageDigest(MusterDigest.Message calldata message) external view returns (uint256) {
        MusterDigest.Scope memory scope = _scope();
        return MusterDigest.messageDigest(scope, MusterDigest.messageId(scope, message));
    }

    /// @notice What the committee in office signs for a batch.
    /// @param batchRoot Root of the tree over the messages.
    function batchDigest(bytes32 batchRoot) external view returns (uint256) {
        return MusterDigest.batchDigest(_scope(), batchRoot);
    }

    /// @notice What the committee in office signs to hand over.
    /// @param next The next committee.
    function handoverDigest(MusterDigest.KeySet calldata next) external view returns (uint256) {
        return MusterDigest.handoverDigest(_scope(), next);
    }

    function _install(MusterDigest.KeySet memory next) private {
        _keySet = next;
        emit KeySetRotated(next.epoch, next.root, next.threshold, next.totalWeight);
    }

    function _process(bytes32 id, MusterDigest.Message calldata message, uint64 verifiedIn)
        private
    {
        isProcessed[id] = true;
        emit MessageVerified(id, message.nonce, verifiedIn, keccak256(message.payload));
    }

    function _requireSigned(uint256 digest, bytes calldata proof) private view {
        uint256[] memory inputs = new uint256[](3);
        inputs[0] = _keySet.root;
        inputs[1] = _keySet.threshold;
        inputs[2] = digest;
        if (!VERIFIER.verify(proof, inputs)) revert ProofRejected();
    }

    function _unprocessedId(MusterDigest.Scope memory scope, MusterDigest.Message calldata message)
        private
        view
        returns (bytes32 id)
    {
        id = MusterDigest.messageId(scope, message);
        if (isProcessed[id]) revert AlreadyProcessed(id);
    }

    function _scope() private view returns (MusterDigest.Scope memory) {
        return MusterDigest.Scope({
            sourceChainId: SOURCE_CHAIN_ID,
            destinationChainId: block.chainid,
            client: address(this),
            epoch: _keySet.epoch,
            keySetRoot: _keySet.root
        });
    }

    /// @dev A generated verifier in place of its wrapper would refuse every proof and stop the client.
    /// Only what tells no hash is recognised: wrappers of any kind, and with any arguments, tell one.
    function _requireVerifier(IMusterVerifier verifier) private view {
        (bool ok, bytes memory answer) =
            address(verifier).staticcall(abi.encodeCall(verifier.VERIFIER_HASH, ()));
        // The answer has 32 bytes when it comes to the cast.
        // forge-lint: disable-next-line(unsafe-typecast)
        if (!ok || answer.length != 32 || bytes32(answer) == 0) {
            revert NotAVerifier(address(verifier));
        }
    }

    /// @dev A set that breaks one of these could never sign, and the client would be stuck.
    function _requireValid(MusterDigest.KeySet memory next) private pure {
        if (next.root == 0 || next.root >= SCALAR_MODULUS) revert InvalidRoot(next.root);
        if (next.totalWeight >> TOTAL_WEIGHT_BITS != 0) {
            revert InvalidTotalWeight(next.totalWeight);
        }
        if (next.threshold == 0 || next.threshold > next.totalWeight) {
            revert InvalidThreshold(next.threshold, next.totalWeight);
        }
    }
}
