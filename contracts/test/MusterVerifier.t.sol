// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Fixture} from "./base/Fixture.sol";

contract MusterVerifierTest is Fixture {
    uint256 private constant ROOT = 1234;
    uint256 private constant THRESHOLD = 3;
    uint256 private constant MESSAGE = 5678;

    bytes private _proof;

    function setUp() public override {
        super.setUp();
        _proof = prove(ROOT, THRESHOLD, MESSAGE);
    }

    // Accepted and rejected.

    function test_accepts_a_good_proof() public view {
        assertTrue(verifier.verify(_proof, inputs()), "verify");
        verifier.verifyProof(verifier.VERIFIER_HASH(), values(inputs()), _proof);
    }

    function test_the_hash_binds_key_and_code() public {
        bytes32 expected = keccak256(
            abi.encode(keccak256("muster/verifier/v1"), KEY_DIGEST, keccak256(halo2.code))
        );
        assertEq(verifier.VERIFIER_HASH(), expected, "hash");
        MusterVerifier otherKey =
            new MusterVerifier(halo2, keccak256("another key"), PROOF_LENGTH, GAS_CAP);
        assertTrue(otherKey.VERIFIER_HASH() != expected, "another key");
        address other = address(0xc0de);
        vm.etch(other, bytes.concat(halo2.code, hex"00"));
        MusterVerifier otherCode = new MusterVerifier(other, KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
        assertTrue(otherCode.VERIFIER_HASH() != expected, "other code");
    }

    function testFuzz_rejects_a_mutated_proof(uint256 place, uint8 change) public view {
        vm.assume(change != 0);
        bytes memory proof = _proof;
        place = bound(place, 0, proof.length - 1);
        proof[place] = bytes1(uint8(proof[place]) ^ change);
        assertFalse(verifier.verify(proof, inputs()), "verify");
    }

    function test_rejects_a_proof_with_any_word_flipped() public view {
        for (uint256 word = 0; word < PROOF_LENGTH / 32; ++word) {
            assertFalse(verifier.verify(flipped(word, 1), inputs()), "lowest bit");
            assertFalse(verifier.verify(flipped(word, 1 << 255), inputs()), "highest bit");
            assertFalse(verifier.verify(flipped(word, type(uint256).max), inputs()), "all bits");
        }
    }

    function test_rejects_swapped_inputs() public view {
        for (uint256 i = 0; i < 3; ++i) {
            uint256 j = (i + 1) % 3;
            uint256[] memory swapped = inputs();
            (swapped[i], swapped[j]) = (swapped[j], swapped[i]);
            assertFalse(verifier.verify(_proof, swapped), "two swapped");
        }
        uint256[] memory turned = new uint256[](3);
        (turned[0], turned[1], turned[2]) = (THRESHOLD, MESSAGE, ROOT);
        assertFalse(verifier.verify(_proof, turned), "turned");
    }

    function test_rejects_a_proof_of_another_key() public {
        MusterVerifier own = verifier;
        halo2 = deployStub();
        bytes memory proof = prove(ROOT, THRESHOLD, MESSAGE + 1);
        uint256[] memory publicInputs = inputs();
        publicInputs[2] += 1;
        verifier = new MusterVerifier(halo2, keccak256("another key"), PROOF_LENGTH, GAS_CAP);
        assertTrue(verifier.verify(proof, publicInputs), "its own key");
        assertFalse(own.verify(proof, publicInputs), "another key");
        assertFalse(verifier.verify(_proof, inputs()), "the other way round");
    }

    function testFuzz_rejects_another_input(uint256 place, uint256 value) public view {
        place = bound(place, 0, 2);
        value = bound(value, 0, R - 1);
        uint256[] memory publicInputs = inputs();
        vm.assume(value != publicInputs[place]);
        publicInputs[place] = value;
        assertFalse(verifier.verify(_proof, publicInputs), "verify");
    }

    function test_verify_proof_reverts_on_a_bad_proof() public {
        bytes32 hash = verifier.VERIFIER_HASH();
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ProofRejected.selector));
        verifier.verifyProof(hash, values(inputs()), new bytes(PROOF_LENGTH));
    }

    function test_verify_proof_reverts_on_another_hash() public {
        bytes32 hash = verifier.VERIFIER_HASH();
        bytes32 other = hash ^ bytes32(uint256(1));
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongVerifier.selector, hash, other));
        verifier.verifyProof(other, values(inputs()), _proof);
    }

    // Public inputs.

    function testFuzz_refuses_an_input_plus_the_modulus(uint256 place, uint256 wraps) public {
        place = bound(place, 0, 2);
        uint256[] memory publicInputs = inputs();
        wraps = bound(wraps, 1, (type(uint256).max - publicInputs[place]) / R);
        publicInputs[place] += wraps * R;
        bytes memory expected = abi.encodeWithSelector(
            MusterVerifier.InputNotCanonical.selector, place, publicInputs[place]
        );
        bytes32 hash = verifier.VERIFIER_HASH();
        vm.expectRevert(expected);
        verifier.verify(_proof, publicInputs);
        vm.expectRevert(expected);
        verifier.verifyProof(hash, values(publicInputs), _proof);
    }

    function test_the_modulus_is_refused_and_one_less_is_not() public {
        uint256[] memory publicInputs = inputs();
        publicInputs[2] = R;
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, 2, R));
        verifier.verify(_proof, publicInputs);
        publicInputs[2] = R - 1;
        assertTrue(verifier.verify(prove(ROOT, THRESHOLD, R - 1), publicInputs), "r - 1");
    }

    function testFuzz_refuses_another_number_of_inputs(uint256 count) public {
        count = bound(count, 0, 9);
        vm.assume(count != 3);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 3, count));
        verifier.verify(_proof, new uint256[](count));
    }

    function test_refuses_missing_and_surplus_inputs() public {
        uint256[] memory few = new uint256[](2);
        (few[0], few[1]) = (ROOT, THRESHOLD);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 3, 2));
        verifier.verify(_proof, few);
        uint256[] memory many = new uint256[](4);
        (many[0], many[1], many[2]) = (ROOT, THRESHOLD, MESSAGE);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 3, 4));
        verifier.verify(_proof, many);
    }

    function testFuzz_refuses_another_length_of_public_values(uint256 length) public {
        length = bound(length, 0, 200);
        vm.assume(length != 96);
        bytes32 hash = verifier.VERIFIER_HASH();
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 96, length)
        );
        verifier.verifyProof(hash, new bytes(length), _proof);
    }

    // Length of the proof.

    function test_refuses_a_proof_one_byte_short_or_long() public {
        expectWrongLength(PROOF_LENGTH - 1);
        verifier.verify(shortened(_proof), inputs());
        expectWrongLength(PROOF_LENGTH + 1);
        verifier.verify(bytes.concat(_proof, hex"00"), inputs());
    }

    function testFuzz_refuses_another_length(uint256 length) public {
        length = bound(length, 0, 4 * PROOF_LENGTH);
        vm.assume(length != PROOF_LENGTH);
        bytes32 hash = verifier.VERIFIER_HASH();
        expectWrongLength(length);
        verifier.verify(new bytes(length), inputs());
        expectWrongLength(length);
        verifier.verifyProof(hash, values(inputs()), new bytes(length));
    }

    // Length of the calldata.

    function test_calldata_one_byte_short_reverts() public view {
        bytes memory call = abi.encodeCall(verifier.verify, (_proof, inputs()));
        assertFalse(answers(shortened(call)), "verify");
        bytes memory input = abi.encodePacked(ROOT, THRESHOLD, MESSAGE);
        call = abi.encodeCall(verifier.verifyProof, (verifier.VERIFIER_HASH(), input, _proof));
        assertFalse(answers(shortened(call)), "verifyProof");
    }

    /// @dev Decoders pass over what follows; it never reaches the generated verifier, which would
    /// take it, too.
    function test_calldata_one_byte_long_is_the_same_call() public view {
        bytes memory call = abi.encodeCall(verifier.verify, (_proof, inputs()));
        (bool ok, bytes memory answer) = address(verifier).staticcall(bytes.concat(call, hex"00"));
        assertTrue(ok && abi.decode(answer, (bool)), "a good proof");
        call = abi.encodeCall(verifier.verify, (flipped(0, 1), inputs()));
        (ok, answer) = address(verifier).staticcall(bytes.concat(call, hex"00"));
        assertTrue(ok && !abi.decode(answer, (bool)), "a bad proof");
    }

    // The verifier's code.

    function test_refuses_an_address_without_code() public {
        expectTooSmall(address(0xdead), 0);
        new MusterVerifier(address(0xdead), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
        expectTooSmall(address(0), 0);
        new MusterVerifier(address(0), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
    }

    function test_refuses_a_precompile() public {
        // The identity: a call succeeds and returns something.
        expectTooSmall(address(4), address(4).code.length);
        new MusterVerifier(address(4), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
    }

    function testFuzz_refuses_too_little_code(uint256 size) public {
        size = bound(size, 1, 1023);
        vm.etch(address(0xc0de), new bytes(size));
        expectTooSmall(address(0xc0de), size);
        new MusterVerifier(address(0xc0de), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
    }

    function test_refuses_the_miscompiled_size_and_takes_the_least() public {
        vm.etch(address(0xc0de), new bytes(57));
        expectTooSmall(address(0xc0de), 57);
        new MusterVerifier(address(0xc0de), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
        vm.etch(address(0xc0de), new bytes(1024));
        new MusterVerifier(address(0xc0de), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
    }

    function test_refuses_a_proof_length_or_a_gas_cap_of_zero() public {
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ZeroParameter.selector));
        new MusterVerifier(halo2, KEY_DIGEST, 0, GAS_CAP);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ZeroParameter.selector));
        new MusterVerifier(halo2, KEY_DIGEST, PROOF_LENGTH, 0);
    }

    function test_code_that_is_gone_is_no_success() public {
        vm.etch(halo2, "");
        expectCodeChanged();
        verifier.verify(_proof, inputs());
    }

    function test_code_that_changed_is_no_success() public {
        vm.etch(halo2, padded(hex"00"));
        expectCodeChanged();
        verifier.verify(_proof, inputs());
    }

    // What the verifier answers.

    function test_only_the_word_one_is_success() public {
        assertTrue(answerOf(1, 32), "one");
        assertFalse(answerOf(0, 0), "nothing");
        assertFalse(answerOf(0, 32), "zero");
        assertFalse(answerOf(2, 32), "two");
        assertFalse(answerOf(1, 31), "short");
        assertFalse(answerOf(1, 64), "one and more");
    }

    function test_a_revert_that_returns_one_is_no_success() public {
        // PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, REVERT
        assertFalse(verifierOf(hex"600160005260206000fd").verify(_proof, inputs()), "verify");
    }

    // Gas.

    function test_a_verifier_that_burns_gas_wastes_no_more_than_the_cap() public {
        // JUMPDEST, PUSH1 0, JUMP: for ever; then INVALID: all at once.
        assertBounded(verifierOf(hex"5b600056"));
        assertBounded(verifierOf(hex"fe"));
    }

    function test_a_verifier_that_returns_much_wastes_no_more_than_the_cap() public {
        // PUSH3 30,000, PUSH1 0, RETURN
        assertBounded(verifierOf(hex"620075306000f3"));
    }

    function testFuzz_too_little_gas_is_never_a_verdict(uint256 gas) public view {
        gas = bound(gas, 0, 300_000);
        bytes memory call = abi.encodeCall(verifier.verify, (_proof, inputs()));
        (bool ok, bytes memory answer) = address(verifier).staticcall{gas: gas}(call);
        if (ok) assertTrue(abi.decode(answer, (bool)), "a good proof");
        else assertTrue(gas < GAS_CAP + 50_000, "enough gas");
    }

    function test_too_little_gas_is_named() public view {
        bytes memory call = abi.encodeCall(verifier.verify, (_proof, inputs()));
        (bool ok, bytes memory reason) = address(verifier).staticcall{gas: GAS_CAP}(call);
        assertFalse(ok, "reverts");
        assertTrue(bytes4(reason) == MusterVerifier.InsufficientGas.selector, "names gas");
    }

    // Helpers.

    function inputs() private pure returns (uint256[] memory publicInputs) {
        publicInputs = new uint256[](3);
        (publicInputs[0], publicInputs[1], publicInputs[2]) = (ROOT, THRESHOLD, MESSAGE);
    }

    function values(uint256[] memory publicInputs) private pure returns (bytes memory) {
        return abi.encodePacked(publicInputs);
    }

    function flipped(uint256 word, uint256 mask) private view returns (bytes memory proof) {
        proof = _proof;
        for (uint256 i = 0; i < 32; ++i) {
            proof[32 * word + i] ^= bytes32(mask)[i];
        }
    }

    function shortened(bytes memory data) private pure returns (bytes memory short) {
        short = new bytes(data.length - 1);
        for (uint256 i = 0; i < short.length; ++i) {
            short[i] = data[i];
        }
    }

    function answers(bytes memory call) private view returns (bool ok) {
        (ok,) = address(verifier).staticcall(call);
    }

    function verifierOf(bytes memory code) private returns (MusterVerifier) {
        vm.etch(address(0xc0de), padded(code));
        return new MusterVerifier(address(0xc0de), KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
    }

    /// @dev The verdict on a verifier that returns `size` bytes of memory that starts with `word`.
    function answerOf(uint8 word, uint8 size) private returns (bool) {
        // PUSH1 word, PUSH1 0, MSTORE, PUSH1 size, PUSH1 0, RETURN
        bytes memory code = abi.encodePacked(hex"60", word, hex"60005260", size, hex"6000f3");
        return verifierOf(code).verify(_proof, inputs());
    }

    function assertBounded(MusterVerifier burner) private view {
        uint256 before = gasleft();
        assertFalse(burner.verify(_proof, inputs()), "verify");
        assertTrue(before - gasleft() < GAS_CAP + 30_000, "bounded");
    }

    function expectWrongLength(uint256 length) private {
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.WrongProofLength.selector, PROOF_LENGTH, length)
        );
    }

    function expectTooSmall(address target, uint256 size) private {
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.CodeTooSmall.selector, target, size));
    }

    function expectCodeChanged() private {
        vm.expectRevert(
            abi.encodeWithSelector(
                MusterVerifier.CodeChanged.selector, verifier.VERIFIER_CODE_HASH(), halo2.codehash
            )
        );
    }
}
