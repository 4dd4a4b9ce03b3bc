// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Generated} from "./base/Generated.sol";

/// @dev A real proof that a committee signed bytes with Ed25519, on the code that is checked in: a
/// contract hashes what it expects to have been signed.
contract SignedBytesTest is Generated {
    function test_the_code_is_that_of_the_manifest() public {
        deployVerifier(read(SIGNED_BYTES));
        assertEq(halo2.codehash, shape.runtimeHash, "on the chain");
        bytes memory runtime = readCode(pathOf(SIGNED_BYTES, "Halo2Verifier.runtime.bin"));
        assertEq(keccak256(runtime), shape.runtimeHash, "in the file");
        assertEq(verifier.VERIFIER_HASH(), shape.verifierHash, "the wrapper's hash");
    }

    function test_what_was_signed_is_accepted() public {
        deployVerifier(read(SIGNED_BYTES));
        assertEq(shape.inputs[2], uint256(sha256(scene.signedBytes)), "what was signed");
        assertTrue(verifier.verify(shape.proof, expecting(scene.signedBytes)), "verify");
        bytes memory values = abi.encodePacked(shape.inputs);
        verifier.verifyProof(shape.verifierHash, values, shape.proof);
    }

    function testFuzz_other_bytes_are_refused(uint256 place, uint8 mask) public {
        vm.assume(mask != 0);
        deployVerifier(read(SIGNED_BYTES));
        bytes memory other = bytes.concat(scene.signedBytes);
        place = bound(place, 0, other.length - 1);
        other[place] = other[place] ^ bytes1(mask);
        assertFalse(verifier.verify(shape.proof, expecting(other)), "a byte");
    }

    function test_bytes_more_or_fewer_are_refused() public {
        deployVerifier(read(SIGNED_BYTES));
        bytes memory longer = bytes.concat(scene.signedBytes, hex"00");
        assertFalse(verifier.verify(shape.proof, expecting(longer)), "a zero more");
        assertFalse(verifier.verify(shape.proof, expecting("")), "nothing");
        // One hash too many, as if a digest had been signed, and the other hash function.
        bytes memory digest = abi.encodePacked(sha256(scene.signedBytes));
        assertFalse(verifier.verify(shape.proof, expecting(digest)), "the digest's digest");
        uint256[] memory inputs = shape.inputs;
        inputs[2] = uint256(keccak256(scene.signedBytes));
        assertFalse(verifier.verify(shape.proof, inputs), "Keccak");
    }

    function test_other_sets_and_thresholds_are_refused() public {
        deployVerifier(read(SIGNED_BYTES));
        for (uint256 i = 0; i < 2; ++i) {
            uint256[] memory inputs = expecting(scene.signedBytes);
            inputs[i] += 1;
            assertFalse(verifier.verify(shape.proof, inputs), "one more");
            inputs[i] -= 2;
            assertFalse(verifier.verify(shape.proof, inputs), "one less");
        }
    }

    function test_every_word_of_a_proof_counts() public {
        deployVerifier(read(SIGNED_BYTES));
        for (uint256 word = 0; word < shape.proof.length / 32; ++word) {
            bytes memory bad = flipped(shape.proof, word, 1);
            assertFalse(verifier.verify(bad, shape.inputs), "the lowest bit");
        }
        assertTrue(verifier.verify(shape.proof, shape.inputs), "as it is");
    }

    function test_a_proof_has_one_length() public {
        deployVerifier(read(SIGNED_BYTES));
        bytes memory long = bytes.concat(shape.proof, hex"00");
        uint256 length = verifier.PROOF_LENGTH();
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.WrongProofLength.selector, length, long.length)
        );
        verifier.verify(long, shape.inputs);
    }

    /// @dev What a light client wants signed is a Keccak hash, of which nobody knows bytes with this SHA-256.
    function test_no_light_client_takes_it() public {
        deployVerifier(read(SIGNED_BYTES));
        MultisigLightClient light =
            new MultisigLightClient(verifier, scene.sourceChain, committeeOf(shape));
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.ProofRejected.selector));
        light.submit(scene.message, shape.proof);
    }

    /// @dev The inputs of a contract that expects these bytes.
    function expecting(bytes memory signedBytes) private view returns (uint256[] memory inputs) {
        inputs = new uint256[](3);
        (inputs[0], inputs[1]) = (shape.inputs[0], shape.inputs[1]);
        inputs[2] = uint256(sha256(signedBytes));
    }
}
