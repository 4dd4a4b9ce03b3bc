// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {Harness} from "./Harness.sol";

/// @dev What each step of the verifier costs.
contract Steps is Harness {
    /// @notice Gas of each step: reading the key, looking at points and scalars, challenges,
    /// denominators, gates, public inputs, inverses, factors, the left point, the right one, pairing.
    function steps(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (uint256[11] memory used)
    {
        uint256 before = gasleft();
        uint256 run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, shl(5, inputs.length)))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        _begin(run);
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
}
