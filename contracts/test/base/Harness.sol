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
    /// own if `changed` has any.
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
        _denominators(run);
        _publics(run);
        uint256 all = 1;
        for (uint256 place = BY_SUM; place <= BY_STEP; place += 32) {
            all = mulmod(all, _word(run, place), R);
        }
        return _power(all);
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
        if (changed[0] | changed[1] | changed[2] == 0) return;
        assembly ("memory-safe") {
            mstore(add(mload(add(run, CHALLENGES)), U), mload(changed))
            mstore(add(run, X_2), mload(add(changed, 32)))
            mstore(add(run, U_2), mload(add(changed, 64)))
        }
    }

    /// @dev The inverse of a number, by its power r − 2.
    function _power(uint256 number) private view returns (uint256 result) {
        (bool ok, bytes memory answer) =
            address(5).staticcall(abi.encode(32, 32, 32, number, R - 2, R));
        require(ok, "the precompile");
        result = abi.decode(answer, (uint256));
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
