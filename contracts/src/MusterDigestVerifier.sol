// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "./MusterVerifier.sol";

/// @title A `MusterVerifier` for messages that are a digest of 32 bytes: of ECDSA, of BIP-340, and of
/// Ed25519 where the SHA-256 of what is signed is public.
/// @notice Key-set root, threshold and message go in as they do there, but the message is any word.
/// The generated verifier of such a scheme has four public inputs: it takes the message in halves
/// of 16 bytes, each of which is an element of the scalar field.
contract MusterDigestVerifier is MusterVerifier {
    /// @param verifier The generated verifier, of four public inputs.
    /// @param verifyingKeyDigest As for `MusterVerifier`.
    /// @param proofLength As for `MusterVerifier`.
    /// @param gasCap As for `MusterVerifier`.
    constructor(address verifier, bytes32 verifyingKeyDigest, uint256 proofLength, uint256 gasCap)
        MusterVerifier(verifier, verifyingKeyDigest, proofLength, gasCap)
    {}

    /// @dev The root and the threshold; the halves of a word are canonical.
    function _canonicalInputs() internal pure override returns (uint256) {
        return 2;
    }

    /// @inheritdoc MusterVerifier
    function _input(uint256[3] memory inputs, bytes calldata proof)
        internal
        pure
        override
        returns (bytes memory)
    {
        uint256 message = inputs[2];
        uint256 low = message & type(uint128).max;
        return abi.encodePacked(inputs[0], inputs[1], message >> 128, low, proof);
    }
}
