// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../../src/MusterVerifier.sol";

/// @dev The verifier, and a look at what it has found before the pairing. Its functions are short, so
/// that it compiles wherever the verifier does.
contract Harness is MusterVerifier {
    /// @notice In the order of trace.py. The numbers are as the steps left them in memory.
    function trace(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (uint256[] memory)
    {
        uint256 run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, shl(5, inputs.length)))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        return _trace(run, name);
    }

    /// @notice Whether a proof is refused for its challenges, if `u`, `x₂` and `u₂` were these.
    function degenerate(
        bytes32 name,
        uint256[] calldata inputs,
        bytes calldata proof,
        uint256[3] memory changed
    ) external view returns (bool) {
        uint256 run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, shl(5, inputs.length)))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        return _degenerate(run, name, changed);
    }

    function _trace(uint256 run, bytes32 name) private view returns (uint256[] memory) {
        _begin(run);
        require(_sides(run, name), "refused before the pairing");
        return _found(run);
    }

    function _degenerate(uint256 run, bytes32 name, uint256[3] memory changed)
        private
        view
        returns (bool)
    {
        _begin(run);
        _challenges(run, name);
        assembly ("memory-safe") {
            mstore(add(mload(add(run, CHALLENGES)), U), mload(changed))
            mstore(add(run, X_2), mload(add(changed, 32)))
            mstore(add(run, U_2), mload(add(changed, 64)))
        }
        return !_fractions(run);
    }

    function _begin(uint256 run) internal pure {
        _checkLengths(run);
        _checkInputs(run);
        _locate(run);
    }

    function _found(uint256 run) private pure returns (uint256[] memory found) {
        found = new uint256[](28);
        assembly ("memory-safe") {
            function copy(to, from, count) {
                for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                    mstore(add(to, shl(5, i)), mload(add(from, shl(5, i))))
                }
            }

            let words := add(found, 32)
            copy(words, add(mload(add(run, CHALLENGES)), THETA), 8)
            copy(add(words, 256), add(run, BETA_2), 8)
            copy(add(words, 512), add(run, T_2), 8)
            copy(add(words, 768), add(run, LEFT), 2)
            copy(add(words, 832), add(run, RIGHT), 2)
        }
    }
}
