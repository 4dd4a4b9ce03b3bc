// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev Every number on the way, and the verdict, against those of the reference verifier.
contract TraceTest is Vectors {
    /// @dev The contract as it is deployed; with other code where tools/matrix says so, which finds other places for
    /// its variables than in a contract that calls each step by itself.
    MusterVerifier private deployed;

    function setUp() public override {
        super.setUp();
        deployed = new MusterVerifier();
        etch(address(deployed), "MUSTER_VERIFIER_CODE");
    }

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

    /// @dev All with one call, and with a word of each one changed.
    function testHonestProofsTogether() public {
        string[9] memory labels = honestLabels();
        MusterVerifier.Claim[] memory claims = new MusterVerifier.Claim[](labels.length);
        for (uint256 i = 0; i < claims.length; ++i) {
            Vector memory vector = honest(labels[i]);
            deployed.register(vector.evmKey);
            claims[i] = MusterVerifier.Claim(vector.name, vector.inputs, vector.proof);
        }
        assertTrue(deployed.verifyAll(claims), "all");
        for (uint256 i = 0; i < claims.length; ++i) {
            bytes memory proof = claims[i].proof;
            uint256 place = proof.length - 32;
            claims[i].proof = withWord(proof, place, wordAt(proof, place) ^ 1);
            assertFalse(deployed.verifyAll(claims), labels[i]);
            claims[i].proof = proof;
        }
    }

    function check(Vector memory vector) private {
        uint256[] memory found = verifier.trace(vector.name, vector.inputs, vector.proof);
        assertEq(found.length, vector.trace.length, vector.label);
        for (uint256 i = 0; i < found.length; ++i) {
            string memory what = string.concat(vector.label, ": word ", vm.toString(i));
            assertEq(found[i], vector.trace[i], what);
        }
        assertTrue(verify(vector) == vector.accepted, vector.label);
        deployed.register(vector.evmKey);
        bool accepted = deployed.verify(vector.name, vector.inputs, vector.proof);
        assertTrue(accepted == vector.accepted, vector.label);
    }
}
