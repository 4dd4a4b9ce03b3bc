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

    /// @notice The inverse that a proof has to have, or 0 if there is none; with other challenges than its
    /// own, which are `u`, `x₂` and `u₂`, if the first is not 0.
    function inverseOf(
        bytes32 name,
        uint256[] calldata inputs,
        bytes calldata proof,
        uint256[3] memory changed
    ) external view returns (uint256) {
        uint256 run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, shl(5, inputs.length)))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        return _inverseOf(run, name, changed);
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

    function _inverseOf(uint256 run, bytes32 name, uint256[3] memory changed)
        private
        view
        returns (uint256)
    {
        _change(run, name, changed);
        return _inverse(run);
    }

    function _inverse(uint256 run) private view returns (uint256) {
        _denominators(run);
        _publics(run);
        return _power(_product(run));
    }

    /// @dev Of the six words that are inverted.
    function _product(uint256 run) private pure returns (uint256 all) {
        assembly ("memory-safe") {
            all := 1
            let end := add(run, add(BY_STEP, 32))
            for { let place := add(run, BY_SUM) } lt(place, end) { place := add(place, 32) } {
                all := mulmod(all, mload(place), R)
            }
        }
    }

    /// @dev The power r − 2, which is the inverse.
    function _power(uint256 base) private view returns (uint256 result) {
        bool ok;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, 32)
            mstore(add(input, 32), 32)
            mstore(add(input, 64), 32)
            mstore(add(input, 96), base)
            mstore(add(input, 128), sub(R, 2))
            mstore(add(input, 160), R)
            ok := staticcall(gas(), 5, input, 192, input, 32)
            result := mload(input)
        }
        require(ok, "the precompile");
    }

    function _degenerate(uint256 run, bytes32 name, uint256[3] memory changed)
        private
        pure
        returns (bool)
    {
        _change(run, name, changed);
        return !_fractions(run);
    }

    function _change(uint256 run, bytes32 name, uint256[3] memory changed) private pure {
        _begin(run);
        _challenges(run, name);
        assembly ("memory-safe") {
            if mload(changed) {
                mstore(add(mload(add(run, CHALLENGES)), U), mload(changed))
                mstore(add(run, X_2), mload(add(changed, 32)))
                mstore(add(run, U_2), mload(add(changed, 64)))
            }
        }
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
