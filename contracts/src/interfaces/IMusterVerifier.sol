// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title What contracts ask of `MusterVerifier`.
interface IMusterVerifier {
    /// @notice That a proof holds for these inputs under the key of this name.
    struct Claim {
        bytes32 name;
        uint256[] inputs;
        bytes proof;
    }

    /// @notice Whether a proof holds for these inputs under the key of this name.
    /// @dev Reverts where there is no verdict: for an unknown key, inputs or a proof of another
    /// length than the key's, an input that is no scalar, and too little gas.
    /// @param name Name of a registered key.
    /// @param inputs The public inputs, as the caller expects them.
    /// @param proof The proof in its long encoding.
    function verify(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (bool);

    /// @notice Whether all of these proofs hold. Those under keys of one setup share a pairing, so that each one
    /// after the first takes half of what `verify` takes.
    /// @dev Reverts without any, and where `verify` would, unless one before is found to be false.
    function verifyAll(Claim[] calldata claims) external view returns (bool);

    /// @notice As `verify`, and reverts unless the proof holds.
    /// @param name Name of a registered key.
    /// @param inputs The public inputs, 32 bytes each.
    /// @param proof The proof in its long encoding.
    function verifyProof(bytes32 name, bytes calldata inputs, bytes calldata proof) external view;

    /// @notice Whether a key of this name is registered, which says nothing about the key.
    function isRegistered(bytes32 name) external view returns (bool);

    /// @notice The bytes of a registered key; none if there is no key of this name.
    function keyBytes(bytes32 name) external view returns (bytes memory);
}
