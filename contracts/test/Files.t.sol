// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev The files that the verifiers in Rust and Python are tested with, too. Two of the four have a
/// proof.
contract FilesTest is Vectors {
    string[15] private names = [
        "theta",
        "beta_l",
        "beta",
        "gamma",
        "y",
        "x",
        "alpha",
        "u",
        "beta_2",
        "gamma_2",
        "y_2",
        "x_2",
        "alpha_2",
        "u_2",
        "rho"
    ];

    function testSmall() public {
        check("small");
    }

    function testLarge() public {
        check("large");
    }

    function check(string memory label) private {
        string memory json =
            vm.readFile(string.concat("../verifier/vectors/compact/", label, ".json"));
        bytes memory evmKey = vm.parseJsonBytes(json, ".evm_key");
        bytes32 name = vm.parseJsonBytes32(json, ".name");
        uint256[] memory inputs = vm.parseJsonUintArray(json, ".inputs");
        bytes memory proof = vm.parseJsonBytes(json, ".proof");
        assertEq(verifier.register(evmKey), name, "the name");
        (bool accepted,) = outcome(name, inputs, proof);
        assertTrue(accepted, "the proof holds");

        uint256[] memory found = verifier.trace(name, inputs, proof);
        for (uint256 i = 0; i < names.length; ++i) {
            uint256 challenge =
                uint256(vm.parseJsonBytes32(json, string.concat(".challenges.", names[i])));
            assertEq(found[i], challenge, names[i]);
        }
        assertEq(found[15], uint256(vm.parseJsonBytes32(json, ".state")), "the state");
        assertEq(found[16], uint256(vm.parseJsonBytes32(json, ".T_2")), "T_2");
        bytes memory left = vm.parseJsonBytes(json, ".E");
        assertEq(found[24], wordAt(left, 0), "E");
        assertEq(found[25], wordAt(left, 32), "E");
        // The right point is negated.
        bytes memory right = vm.parseJsonBytes(json, ".W_prime");
        assertEq(found[26], wordAt(right, 0), "W'");
        assertEq(found[27], Q - wordAt(right, 32), "W'");

        // Contracts take the long encoding alone.
        bytes memory short = vm.parseJsonBytes(json, ".short_proof");
        bytes memory reason = abi.encodeWithSelector(
            MusterVerifier.WrongProofLength.selector, proof.length, short.length
        );
        assertReverts(name, inputs, short, reason);
        setWord(proof, 0, wordAt(proof, 64));
        setWord(proof, 32, wordAt(proof, 96));
        (accepted,) = outcome(name, inputs, proof);
        assertTrue(!accepted, "another point");
    }
}
