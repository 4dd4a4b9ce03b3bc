// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "./MusterVerifier.sol";

/// @title A `MusterVerifier` for keys whose messages are public themselves: `bytes:N` of Ed25519.
/// @notice The message goes in as bytes, at most 64. The generated verifier of such a key has five
/// public inputs: key-set root, threshold, and three words that are the message with zeros behind
/// it, 64 bytes, and its length, a byte: 24, 24 and 17 bytes of these. So a message and the same
/// message with a zero behind it are two messages.
/// @dev Of a message longer than the key's own bound no proof verifies.
contract MusterBytesVerifier is MusterVerifier {
    /// @notice The most bytes of a message.
    uint256 public constant MAX_MESSAGE_BYTES = 64;
    /// @notice Words that `verify` and `verifyProof` take here, where other wrappers take
    /// `PUBLIC_INPUTS`: the message is three of them.
    uint256 public constant WORDS = 5;

    /// @notice A message of more bytes than can be public.
    error MessageTooLong(uint256 most, uint256 actual);
    /// @notice Words that are no message: surplus bits, a length above 64, or bytes behind the end.
    error MessageNotCanonical();

    /// @param verifier The generated verifier, of five public inputs.
    /// @param verifyingKeyDigest As for `MusterVerifier`.
    /// @param proofLength As for `MusterVerifier`.
    /// @param gasCap As for `MusterVerifier`.
    constructor(address verifier, bytes32 verifyingKeyDigest, uint256 proofLength, uint256 gasCap)
        MusterVerifier(verifier, verifyingKeyDigest, proofLength, gasCap)
    {}

    /// @notice Checks a proof that members of the set signed these bytes.
    /// @dev Reverts on malformed input; returns false for a well-formed proof that does not verify.
    /// @param proof The proof, of exactly the length that the verifying key asks for.
    /// @param keySetRoot Root of the set.
    /// @param threshold Least sum of the signers' weights.
    /// @param message What they signed.
    /// @return Whether the proof verifies.
    function verifyMessage(
        bytes calldata proof,
        uint256 keySetRoot,
        uint256 threshold,
        bytes calldata message
    ) external view returns (bool) {
        return _verifyWords(proof, wordsOf(keySetRoot, threshold, message));
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
        uint256[WORDS] memory words;
        for (uint256 i = 0; i < WORDS; ++i) {
            words[i] = publicInputs[i];
        }
        return _verifyWords(proof, words);
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
        if (!_verifyWords(proofBytes, abi.decode(publicValues, (uint256[5])))) {
            revert ProofRejected();
        }
    }

    /// @notice The words of a statement, as `verify` and, one after the other, `verifyProof` and a
    /// router take them.
    function wordsOf(uint256 keySetRoot, uint256 threshold, bytes calldata message)
        public
        pure
        returns (uint256[WORDS] memory)
    {
        uint256 length = message.length;
        if (length > MAX_MESSAGE_BYTES) revert MessageTooLong(MAX_MESSAGE_BYTES, length);
        bytes memory padded = abi.encodePacked(message, new bytes(MAX_MESSAGE_BYTES - length));
        (uint256 high, uint256 low) = abi.decode(padded, (uint256, uint256));
        return [
            keySetRoot,
            threshold,
            high >> 64,
            (high & type(uint64).max) << 128 | low >> 128,
            (low & type(uint128).max) << 8 | length
        ];
    }

    /// @dev The checks of every wrapper, whose code must not change, and those of a message.
    function _verifyWords(bytes calldata proof, uint256[WORDS] memory words)
        private
        view
        returns (bool)
    {
        for (uint256 i = 0; i < 2; ++i) {
            if (words[i] >= SCALAR_MODULUS) revert InputNotCanonical(i, words[i]);
        }
        _requireMessage(words[2], words[3], words[4]);
        if (proof.length != PROOF_LENGTH) revert WrongProofLength(PROOF_LENGTH, proof.length);
        bytes32 codeHash = VERIFIER.codehash;
        if (codeHash != VERIFIER_CODE_HASH) revert CodeChanged(VERIFIER_CODE_HASH, codeHash);
        return _call(abi.encodePacked(words, proof));
    }

    /// @dev The circuit takes no other words: whoever brings some made a mistake, which is no verdict
    /// on a proof.
    function _requireMessage(uint256 first, uint256 second, uint256 third) private pure {
        uint256 length = third & type(uint8).max;
        bool fits = first >> 192 == 0 && second >> 192 == 0 && third >> 136 == 0;
        if (!fits || length > MAX_MESSAGE_BYTES) revert MessageNotCanonical();
        uint256 high = first << 64 | second >> 128;
        uint256 low = second << 128 | third >> 8;
        // A shift by 256 bits leaves 0.
        uint256 behind = length < 32 ? high << 8 * length | low : low << 8 * (length - 32);
        if (behind != 0) revert MessageNotCanonical();
    }
}
