// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {Vectors} from "./base/Vectors.sol";

/// @dev Every number on the way, and the verdict, against those of the reference verifier.
contract TraceTest is Vectors {
    function testHonestProofs() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            check(honest(labels[i]));
        }
    }

    function testRandomProofs() public {
        for (uint256 i = 0; i < RANDOM_VECTORS; ++i) {
            check(load(string.concat("random-", vm.toString(i))));
        }
    }

    function check(Vector memory vector) private view {
        uint256[] memory found = verifier.trace(vector.name, vector.inputs, vector.proof);
        assertEq(found.length, vector.trace.length, vector.label);
        for (uint256 i = 0; i < found.length; ++i) {
            string memory what = string.concat(vector.label, ": word ", vm.toString(i));
            assertEq(found[i], vector.trace[i], what);
        }
        assertTrue(verify(vector) == vector.accepted, vector.label);
    }
}
