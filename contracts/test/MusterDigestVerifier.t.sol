// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterDigestVerifier} from "../src/MusterDigestVerifier.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Signing} from "./base/Fixture.sol";

contract MusterDigestVerifierTest is Signing {
    uint256 private constant ROOT = 1234;
    uint256 private constant THRESHOLD = 3;
    /// @dev Above the scalar modulus, and other in every byte.
    uint256 private constant MESSAGE =
        0xf1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff01;

    bytes private _proof;

    function setUp() public {
        halo2 = deployStub();
        verifier = new MusterDigestVerifier(halo2, KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
        client = new MultisigLightClient(verifier, SOURCE, firstKeySet());
        _proof = proveDigest(ROOT, THRESHOLD, MESSAGE);
    }

    function test_accepts_a_good_proof() public view {
        assertTrue(verifier.verify(_proof, inputs(ROOT, THRESHOLD, MESSAGE)), "verify");
        bytes memory values = abi.encode(ROOT, THRESHOLD, MESSAGE);
        verifier.verifyProof(verifier.VERIFIER_HASH(), values, _proof);
    }

    function testFuzz_takes_every_message(uint256 message) public {
        bytes memory proof = proveDigest(ROOT, THRESHOLD, message);
        assertTrue(verifier.verify(proof, inputs(ROOT, THRESHOLD, message)), "verify");
    }

    function testFuzz_rejects_another_message(uint256 message) public view {
        vm.assume(message != MESSAGE);
        assertFalse(verifier.verify(_proof, inputs(ROOT, THRESHOLD, message)), "another");
        assertFalse(verifier.verify(_proof, inputs(ROOT, THRESHOLD, MESSAGE ^ 1)), "low half");
        uint256 high = MESSAGE ^ (1 << 128);
        assertFalse(verifier.verify(_proof, inputs(ROOT, THRESHOLD, high)), "high half");
        uint256 turned = MESSAGE << 128 | MESSAGE >> 128;
        assertFalse(verifier.verify(_proof, inputs(ROOT, THRESHOLD, turned)), "halves swapped");
    }

    function testFuzz_refuses_a_root_or_threshold_beyond_the_modulus(uint256 value) public {
        value = bound(value, R, type(uint256).max);
        bytes memory expected =
            abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, 0, value);
        vm.expectRevert(expected);
        verifier.verify(_proof, inputs(value, THRESHOLD, MESSAGE));
        expected = abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, 1, value);
        vm.expectRevert(expected);
        verifier.verify(_proof, inputs(ROOT, value, MESSAGE));
    }

    function test_refuses_four_inputs() public {
        uint256[] memory four = new uint256[](4);
        (four[0], four[1], four[2], four[3]) =
        (ROOT, THRESHOLD, MESSAGE >> 128, uint256(uint128(MESSAGE)));
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 3, 4));
        verifier.verify(_proof, four);
    }

    /// @dev A verifier of three public inputs takes nothing that comes from here, and the other way
    /// round: calldata has another length.
    function test_the_two_wrappers_are_no_substitutes() public {
        bytes memory three = prove(ROOT, THRESHOLD, 5678);
        assertFalse(verifier.verify(three, inputs(ROOT, THRESHOLD, 5678)), "three inputs");
        MusterVerifier plain = new MusterVerifier(halo2, KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
        assertTrue(plain.verify(three, inputs(ROOT, THRESHOLD, 5678)), "its own");
        bytes memory four = proveDigest(ROOT, THRESHOLD, 5678);
        assertTrue(verifier.verify(four, inputs(ROOT, THRESHOLD, 5678)), "its own");
        assertFalse(plain.verify(four, inputs(ROOT, THRESHOLD, 5678)), "four inputs");
    }

    function test_a_light_client_works_as_over_the_other_wrapper() public {
        MusterDigest.Message memory message = aMessage();
        uint256 digest = client.messageDigest(message);
        client.submit(message, proveDigest(client.keySetRoot(), client.threshold(), digest));
        MusterDigest.KeySet memory next = nextKeySet();
        digest = client.handoverDigest(next);
        rotate(next, proveDigest(client.keySetRoot(), client.threshold(), digest));
        assertEq(client.keySetRoot(), next.root, "root");
    }

    /// @dev A proof that the stub takes for the four public inputs of this statement.
    function proveDigest(uint256 root, uint256 threshold, uint256 message)
        private
        returns (bytes memory proof)
    {
        bytes32 seed = keccak256(abi.encode("digest", root, threshold, message));
        proof = abi.encode(seed, keccak256(abi.encode(seed)), uint256(seed) >> 1);
        bytes memory halves = abi.encodePacked(message);
        uint256 high;
        uint256 low;
        for (uint256 i = 0; i < 16; ++i) {
            high = high << 8 | uint8(halves[i]);
            low = low << 8 | uint8(halves[16 + i]);
        }
        (bool ok,) = halo2.call(abi.encodePacked(root, threshold, high, low, proof));
        assertTrue(ok, "registered");
    }

    function inputs(uint256 root, uint256 threshold, uint256 message)
        private
        pure
        returns (uint256[] memory list)
    {
        list = new uint256[](3);
        (list[0], list[1], list[2]) = (root, threshold, message);
    }
}
