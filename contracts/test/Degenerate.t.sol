// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {Vectors} from "./base/Vectors.sol";

/// @dev Challenges that section 13 refuses, which no proof has by chance.
contract DegenerateTest is Vectors {
    uint256 private constant OMEGA_28 =
        0x03ddb9f5166d18b798865ea93dd31f743215cf6dd39329c8d34f1ed960c37c9c;
    /// @dev Places in a trace.
    uint256 private constant X = 5;
    uint256 private constant U = 7;
    uint256 private constant X_2 = 11;
    uint256 private constant U_2 = 13;

    function testRefusedChallenges() public {
        string[3] memory labels = ["honest-three-inputs", "honest-no-inputs", "random-9"];
        for (uint256 i = 0; i < labels.length; ++i) {
            refuse(load(labels[i]));
        }
    }

    function refuse(Vector memory vector) private view {
        uint256[] memory trace = vector.trace;
        (uint256 u, uint256 x2, uint256 u2) = (trace[U], trace[X_2], trace[U_2]);
        uint256 rows = 2 ** number(vector.evmKey, 16);
        uint256 omega = power(OMEGA_28, 2 ** 28 / rows);
        assertTrue(!refused(vector, u, x2, u2), "the proof's own challenges");

        assertTrue(refused(vector, trace[X], x2, u2), "u = x");
        assertTrue(refused(vector, u, 0, u2), "x2 = 0");
        // Rows of public inputs, and those that are not.
        uint256[5] memory some = [0, 1, 2, rows / 2, rows - 1];
        for (uint256 i = 0; i < some.length; ++i) {
            assertTrue(refused(vector, u, power(omega, some[i]), u2), "x2 is a row");
        }
        assertTrue(!refused(vector, u, power(OMEGA_28, 2 ** 27 / rows), u2), "between two rows");
        assertTrue(refused(vector, u, power(u2, 10), u2), "u2^10 = x2");
        uint256 before = mulmod(power(u2, 10), power(omega, rows - 1), R);
        assertTrue(refused(vector, u, before, u2), "u2^10 = omega*x2");
        assertTrue(!refused(vector, u, mulmod(power(u2, 10), omega, R), u2), "omega*u2^10 = x2");
        assertTrue(refused(vector, u, x2, x2), "u2 = x2");
        assertTrue(refused(vector, u, u2, u2), "x2 = u2");
    }

    function refused(Vector memory vector, uint256 u, uint256 x2, uint256 u2)
        private
        view
        returns (bool)
    {
        uint256[3] memory changed = [u, x2, u2];
        uint256 inverse = verifier.inverseOf(vector.name, vector.inputs, vector.proof, changed);
        uint256[4] memory words = [inverse, 1, R - 1, R];
        bytes memory proof = bytes.concat(vector.proof);
        for (uint256 i = 0; i < 4; ++i) {
            setWord(proof, proof.length - 32, words[i]);
            if (verifier.degenerate(vector.name, vector.inputs, proof, changed)) continue;
            assertTrue(i == 0 && inverse != 0, "no other inverse is right");
            return false;
        }
        return true;
    }

    function power(uint256 base, uint256 exponent) private pure returns (uint256 result) {
        result = 1;
        for (; exponent != 0; exponent >>= 1) {
            if (exponent & 1 == 1) result = mulmod(result, base, R);
            base = mulmod(base, base, R);
        }
    }
}
