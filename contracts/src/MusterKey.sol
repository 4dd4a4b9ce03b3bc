// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title What a contract asks of a key before it depends on it.
library MusterKey {
    /// @notice The public inputs of a statement about a digest: root, threshold, and two halves.
    uint256 private constant DIGEST_INPUTS = 4;
    /// @notice Those of a translation: root, two halves of the hash, members, and total weight.
    uint256 private constant TRANSLATION_INPUTS = 5;

    /// @notice The verifier's address has no code.
    error NoCode(address verifier);
    /// @notice The verifier has no key of this name.
    error UnknownKey(bytes32 key);
    /// @notice The key takes another number of public inputs than keys for digests do.
    error NotForDigests(bytes32 key, uint256 inputs);
    /// @notice The key takes another number of public inputs than keys for translations do.
    error NotForTranslations(bytes32 key, uint256 inputs);

    /// @notice Reverts unless proofs about digests can be put to this verifier under this key. That says nothing about
    /// the key: anybody may register one, and its name is the caller's to know.
    function requireForDigests(IMusterVerifier verifier, bytes32 key) internal view {
        uint256 inputs = _inputsOf(verifier, key);
        if (inputs != DIGEST_INPUTS) revert NotForDigests(key, inputs);
    }

    /// @notice The same for translations of a chain's commitment.
    function requireForTranslations(IMusterVerifier verifier, bytes32 key) internal view {
        uint256 inputs = _inputsOf(verifier, key);
        if (inputs != TRANSLATION_INPUTS) revert NotForTranslations(key, inputs);
    }

    function _inputsOf(IMusterVerifier verifier, bytes32 key) private view returns (uint256) {
        if (address(verifier).code.length == 0) revert NoCode(address(verifier));
        bytes memory evmKey = verifier.keyBytes(key);
        if (evmKey.length == 0) revert UnknownKey(key);
        // Bytes 20 to 24 of a key say how many inputs it takes.
        return (abi.decode(evmKey, (uint256)) >> 64) % 2 ** 32;
    }
}
