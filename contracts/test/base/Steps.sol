// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {Harness} from "./Harness.sol";

/// @dev What each step of the verifier costs.
contract Steps is Harness {
    /// @notice Gas of each step: reading the key, looking at points and scalars, challenges,
    /// denominators, gates, public inputs, inverses, factors, the right point, the left one, pairing.
    function steps(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (uint256[] memory used)
    {
        uint256 before = gasleft();
        _open(name);
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, shl(5, inputs.length)))
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
        _begin();
        before -= gasleft();
        // Only now, since the verifier wants the first words of memory.
        used = new uint256[](11);
        used[0] = before;
        before = gasleft();
        _wellFormed();
        used[1] = before - gasleft();
        before = gasleft();
        _challenges(name);
        used[2] = before - gasleft();
        before = gasleft();
        _denominators();
        used[3] = before - gasleft();
        before = gasleft();
        _gates();
        used[4] = before - gasleft();
        before = gasleft();
        _publics();
        used[5] = before - gasleft();
        before = gasleft();
        _invert();
        used[6] = before - gasleft();
        before = gasleft();
        _factors();
        _constant();
        used[7] = before - gasleft();
        before = gasleft();
        _right();
        used[8] = before - gasleft();
        before = gasleft();
        _left();
        used[9] = before - gasleft();
        before = gasleft();
        _pairing();
        used[10] = before - gasleft();
    }
}
