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
        _open(name);
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, shl(5, inputs.length)))
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
        return _trace(name);
    }

    /// @notice The inverse that a proof has to have, or 0 if there is none; with other challenges than its
    /// own, which are `u`, `x₂` and `u₂`, if the first is not 0.
    function inverseOf(
        bytes32 name,
        uint256[] calldata inputs,
        bytes calldata proof,
        uint256[3] calldata changed
    ) external view returns (uint256) {
        _open(name);
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, shl(5, inputs.length)))
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
        return _inverseOf(name, changed);
    }

    /// @notice Whether a proof is refused for its challenges, if `u`, `x₂` and `u₂` were these.
    function degenerate(
        bytes32 name,
        uint256[] calldata inputs,
        bytes calldata proof,
        uint256[3] calldata changed
    ) external view returns (bool) {
        _open(name);
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, shl(5, inputs.length)))
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
        return _degenerate(name, changed);
    }

    /// @notice Opens a key where so many bytes of the verifier's memory have been taken before.
    function crowded(bytes32 name, uint256 taken) external view {
        assembly ("memory-safe") {
            mstore(0x40, add(LOG_ROWS, taken))
        }
        _open(name);
    }

    function _trace(bytes32 name) private view returns (uint256[] memory) {
        require(_sides(name), "refused before the pairing");
        // Which adds [1]₁ to the left point first.
        _pairing();
        return _found();
    }

    function _inverseOf(bytes32 name, uint256[3] calldata changed) private view returns (uint256) {
        _change(name, changed);
        return _inverse();
    }

    function _inverse() private view returns (uint256) {
        _denominators();
        _publics();
        return _power(_product());
    }

    /// @dev Of the six words that are inverted.
    function _product() private pure returns (uint256 all) {
        assembly ("memory-safe") {
            all := 1
            let end := add(BY_STEP, 32)
            for { let place := BY_SUM } lt(place, end) { place := add(place, 32) } {
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

    function _degenerate(bytes32 name, uint256[3] calldata changed) private pure returns (bool) {
        _change(name, changed);
        return !_fractions();
    }

    function _change(bytes32 name, uint256[3] calldata changed) private pure {
        _begin();
        _challenges(name);
        assembly ("memory-safe") {
            if calldataload(changed) {
                mstore(add(mload(CHALLENGES), U), calldataload(changed))
                mstore(X_2, calldataload(add(changed, 32)))
                mstore(U_2, calldataload(add(changed, 64)))
            }
        }
    }

    function _begin() internal pure {
        _checkLengths();
        _copy();
        _checkInputs();
    }

    function _found() private pure returns (uint256[] memory found) {
        found = new uint256[](28);
        assembly ("memory-safe") {
            function copy(to, from, count) {
                for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                    mstore(add(to, shl(5, i)), mload(add(from, shl(5, i))))
                }
            }

            let words := add(found, 32)
            copy(words, add(mload(CHALLENGES), THETA), 8)
            copy(add(words, 256), BETA_2, 8)
            copy(add(words, 512), T_2, 8)
            copy(add(words, 768), LEFT, 2)
            copy(add(words, 832), RIGHT, 2)
        }
    }
}
