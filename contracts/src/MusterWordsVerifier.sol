// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "./MusterVerifier.sol";

/// @title A `MusterVerifier` for statements of more words: those that say who signed, and those about a
/// point that is signed.
/// @notice The words are key-set root, threshold, message and, where the key's statements say who
/// signed, the mask: a bit for each member that the set has room for, 248 to a word. Member i has bit
/// i % 248 of the mask's word i / 248, the lowest bit first. A message has as many words as public
/// inputs, but a digest is one word here, as in other wrappers. A proof is of exactly the signers
/// that the mask names: of another one it does not verify.
contract MusterWordsVerifier is MusterVerifier {
    /// @notice Members that a word of the mask has bits for.
    uint256 public constant MASK_WORD_BITS = 248;
    /// @dev Words before the message: root and threshold.
    uint256 private constant MESSAGE = 2;
    /// @dev Public inputs of a digest: its halves.
    uint256 private constant DIGEST_INPUTS = 2;
    /// @dev Public inputs of a point: its coordinates in halves, the higher ones first.
    uint256 private constant POINT_INPUTS = 8;
    /// @dev The prime of BN254's coordinates.
    uint256 private constant COORDINATE_MODULUS =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;

    /// @notice Public inputs that the message takes: 1 for an element, 2 for a digest, 3 for bytes that
    /// are public themselves, 8 for a point.
    uint256 public immutable MESSAGE_INPUTS;
    /// @notice Members that the set has room for; 0 if statements do not say who signed.
    uint256 public immutable MEMBERS;
    /// @notice Where the mask begins among the words.
    uint256 public immutable MASK;
    /// @notice Words that `verify` and `verifyProof` take here, where other wrappers take
    /// `PUBLIC_INPUTS`.
    uint256 public immutable WORDS;

    /// @notice Words of a point that are not those of a coordinate below its prime.
    error PointNotCanonical(uint256 index);
    /// @notice A word of the mask has a bit for nobody.
    error MaskNotCanonical(uint256 index, uint256 word);
    /// @notice A mask has no bit for this member.
    error NoSuchMember(uint256 member);

    /// @param verifier The generated verifier.
    /// @param verifyingKeyDigest As for `MusterVerifier`.
    /// @param proofLength As for `MusterVerifier`.
    /// @param gasCap As for `MusterVerifier`.
    /// @param messageInputs Public inputs that the message takes. Like the number of members it is
    /// stated, not checked: compare both with an export of your own.
    /// @param members Members that the set has room for, if statements say who signed, or else 0.
    constructor(
        address verifier,
        bytes32 verifyingKeyDigest,
        uint256 proofLength,
        uint256 gasCap,
        uint256 messageInputs,
        uint256 members
    ) MusterVerifier(verifier, verifyingKeyDigest, proofLength, gasCap) {
        if (messageInputs == 0) revert ZeroParameter();
        uint256 mask = MESSAGE + (messageInputs == DIGEST_INPUTS ? 1 : messageInputs);
        MESSAGE_INPUTS = messageInputs;
        MEMBERS = members;
        MASK = mask;
        WORDS = mask + (members + MASK_WORD_BITS - 1) / MASK_WORD_BITS;
    }

    /// @notice Whether a member signed, by the words of a statement.
    /// @dev This only reads the mask: ask `verify` whether there is a proof of these words.
    /// @param publicInputs The words, as `verify` takes them.
    /// @param member Index of the member, in the order in which the root commits to them.
    /// @return Whether the member's bit is set.
    function isSigner(uint256[] calldata publicInputs, uint256 member)
        external
        view
        returns (bool)
    {
        if (publicInputs.length != WORDS) {
            revert WrongInputLength(WORDS, publicInputs.length);
        }
        if (member >= MEMBERS) revert NoSuchMember(member);
        uint256 word = publicInputs[MASK + member / MASK_WORD_BITS];
        return (word >> (member % MASK_WORD_BITS)) & 1 == 1;
    }

    /// @inheritdoc MusterVerifier
    function verify(bytes calldata proof, uint256[] calldata publicInputs)
        external
        view
        override
        returns (bool)
    {
        if (publicInputs.length != WORDS) {
            revert WrongInputLength(WORDS, publicInputs.length);
        }
        return _verifyWords(proof, publicInputs);
    }

    /// @inheritdoc MusterVerifier
    function verifyProof(
        bytes32 verifierHash,
        bytes calldata publicValues,
        bytes calldata proofBytes
    ) external view override {
        if (verifierHash != VERIFIER_HASH) {
            revert WrongVerifier(VERIFIER_HASH, verifierHash);
        }
        if (publicValues.length != WORDS * 32) {
            revert WrongInputLength(WORDS * 32, publicValues.length);
        }
        uint256[] memory words = new uint256[](WORDS);
        for (uint256 i = 0; i < words.length; ++i) {
            words[i] = uint256(bytes32(publicValues[32 * i:]));
        }
        if (!_verifyWords(proofBytes, words)) revert ProofRejected();
    }

    /// @dev The checks of every wrapper, whose code must not change, and those of a mask.
    function _verifyWords(bytes calldata proof, uint256[] memory words)
        private
        view
        returns (bool)
    {
        for (uint256 i = 0; i < words.length; ++i) {
            bool isDigest = i == MESSAGE && MESSAGE_INPUTS == DIGEST_INPUTS;
            if (words[i] >= SCALAR_MODULUS && !isDigest) revert InputNotCanonical(i, words[i]);
        }
        if (MESSAGE_INPUTS == POINT_INPUTS) _requirePoint(words);
        _requireMask(words);
        if (proof.length != PROOF_LENGTH) revert WrongProofLength(PROOF_LENGTH, proof.length);
        bytes32 codeHash = VERIFIER.codehash;
        if (codeHash != VERIFIER_CODE_HASH) revert CodeChanged(VERIFIER_CODE_HASH, codeHash);
        return _call(abi.encodePacked(_inputs(words), proof));
    }

    /// @dev The circuit takes a coordinate and the same with the prime added for the same point: each
    /// point shall have one form.
    function _requirePoint(uint256[] memory words) private pure {
        for (uint256 i = MESSAGE; i < MESSAGE + POINT_INPUTS; i += 2) {
            uint256 high = words[i];
            uint256 low = words[i + 1];
            bool fits = high >> 128 == 0 && low >> 128 == 0;
            if (!fits || (high << 128 | low) >= COORDINATE_MODULUS) revert PointNotCanonical(i);
        }
    }

    /// @dev Of a set whose root was made as it should be no proof verifies with a bit for nobody. Of a
    /// root that says there are more members than there are one might.
    function _requireMask(uint256[] memory words) private view {
        uint256 members = MEMBERS;
        for (uint256 i = MASK; i < words.length; ++i) {
            uint256 bits = members < MASK_WORD_BITS ? members : MASK_WORD_BITS;
            if (words[i] >> bits != 0) revert MaskNotCanonical(i, words[i]);
            members -= bits;
        }
    }

    /// @dev The public inputs: of a digest the halves.
    function _inputs(uint256[] memory words) private view returns (uint256[] memory inputs) {
        if (MESSAGE_INPUTS != DIGEST_INPUTS) return words;
        inputs = new uint256[](words.length + 1);
        for (uint256 i = 0; i < words.length; ++i) {
            inputs[i > MESSAGE ? i + 1 : i] = words[i];
        }
        inputs[MESSAGE] = words[MESSAGE] >> 128;
        inputs[MESSAGE + 1] = words[MESSAGE] & type(uint128).max;
    }
}
