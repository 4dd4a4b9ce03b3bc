// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../../src/MusterVerifier.sol";

/// @dev The verifier, and a look at what it has found before the pairing.
contract Harness is MusterVerifier {
    /// @notice In the order of trace.py. The numbers are as the steps left them in memory.
    function trace(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (bool wellFormed, uint256[] memory found)
    {
        uint256 run = _begin(name, inputs, proof);
        wellFormed = _sides(run, name);
        found = new uint256[](28);
        uint256 next = 0;
        for (uint256 at = THETA; at <= U; at += 32) {
            found[next++] = _word(_word(run, CHALLENGES), at);
        }
        for (uint256 at = BETA_2; at <= STATE; at += 32) {
            found[next++] = _word(run, at);
        }
        uint256[12] memory others =
            [T_2, BY_0, BY_1, BY_2, BY_3, BY_4, BY_Q, BY_ONE, LEFT, LEFT + 32, RIGHT, RIGHT + 32];
        for (uint256 i = 0; i < others.length; ++i) {
            found[next++] = _word(run, others[i]);
        }
    }

    /// @notice Gas of each step: reading the key, looking at points and scalars, challenges,
    /// denominators, gates, public inputs, inversion, factors, the left point, the right one, pairing.
    function steps(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (uint256[11] memory used)
    {
        uint256 before = gasleft();
        uint256 run = _begin(name, inputs, proof);
        used[0] = before - gasleft();
        before = gasleft();
        _wellFormed(run);
        used[1] = before - gasleft();
        before = gasleft();
        _challenges(run, name);
        used[2] = before - gasleft();
        before = gasleft();
        _denominators(run);
        used[3] = before - gasleft();
        before = gasleft();
        _gates(run);
        used[4] = before - gasleft();
        before = gasleft();
        _publics(run);
        used[5] = before - gasleft();
        before = gasleft();
        _invert(run);
        used[6] = before - gasleft();
        before = gasleft();
        _factors(run);
        _constant(run);
        used[7] = before - gasleft();
        before = gasleft();
        _left(run);
        used[8] = before - gasleft();
        before = gasleft();
        _right(run);
        used[9] = before - gasleft();
        before = gasleft();
        _pairing(run);
        used[10] = before - gasleft();
    }

    /// @notice Whether a proof is refused for its challenges, if `u`, `x₂` and `u₂` were these.
    function degenerate(
        bytes32 name,
        uint256[] calldata inputs,
        bytes calldata proof,
        uint256[3] calldata changed
    ) external view returns (bool) {
        uint256 run = _begin(name, inputs, proof);
        _challenges(run, name);
        uint256[3] memory challenges = changed;
        uint256[3] memory places = [_word(run, CHALLENGES) + U, run + X_2, run + U_2];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 at = places[i];
            uint256 word = challenges[i];
            assembly ("memory-safe") {
                mstore(at, word)
            }
        }
        return !_fractions(run);
    }

    function _begin(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        private
        view
        returns (uint256 run)
    {
        run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, shl(5, inputs.length)))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        _checkLengths(run);
        _checkInputs(run);
        _locate(run);
    }
}
