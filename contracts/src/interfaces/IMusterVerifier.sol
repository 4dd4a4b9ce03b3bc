// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title What a verifier of Muster proofs offers.
interface IMusterVerifier {
    /// @notice Checks a proof.
    /// @dev Reverts on malformed input; returns false for a well-formed proof that does not verify, or
    /// for any if the wrapper was deployed with too low a cap of gas.
    /// @param proof The proof, of exactly the length that the verifying key asks for.
    /// @param publicInputs Key-set root, threshold and message, in this order. Where the scheme's
    /// message is a digest it is one word here, whatever the verifying key makes of it. Where it is
    /// bytes that are public themselves it is the three words of `MusterBytesVerifier`, and where it is
    /// a point the eight of `MusterWordsVerifier`. Who signed, if the verifying key says so, stands
    /// behind it.
    /// @return Whether the proof verifies.
    function verify(bytes calldata proof, uint256[] calldata publicInputs)
        external
        view
        returns (bool);

    /// @notice Checks a proof and reverts unless it verifies.
    /// @param verifierHash The hash of the verifier that the caller means.
    /// @param publicValues The public inputs, 32 bytes each, big-endian.
    /// @param proofBytes The proof.
    function verifyProof(
        bytes32 verifierHash,
        bytes calldata publicValues,
        bytes calldata proofBytes
    ) external view;

    /// @notice The hash that names the generated verifier: verifying key and code. Wrappers of other
    /// kinds, and with other arguments, have the same.
    function VERIFIER_HASH() external view returns (bytes32);
}
