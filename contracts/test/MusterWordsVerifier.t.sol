// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterRouter} from "../src/MusterRouter.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {MusterWordsVerifier} from "../src/MusterWordsVerifier.sol";
import {Signing} from "./base/Fixture.sol";

contract MusterWordsVerifierTest is Signing {
    uint256 private constant ROOT = 1234;
    uint256 private constant THRESHOLD = 3;
    /// @dev Three words, the last one of 4 bits.
    uint256 private constant MEMBERS = 500;

    /// @dev An element and a mask.
    MusterWordsVerifier private _masked;

    function setUp() public {
        halo2 = deployStub();
        _masked = wrapper(1, MEMBERS);
    }

    // What there is of words.

    function test_every_kind_of_message_has_its_words() public {
        uint256[4] memory inputs = [uint256(1), 2, 3, 8];
        uint256[4] memory words = [uint256(1), 1, 3, 8];
        for (uint256 i = 0; i < 4; ++i) {
            MusterWordsVerifier bare = wrapper(inputs[i], 0);
            assertEq(bare.MASK(), 2 + words[i], "where it ends");
            assertEq(bare.WORDS(), 2 + words[i], "no mask");
            assertEq(wrapper(inputs[i], 248).WORDS(), 3 + words[i], "a word");
            assertEq(wrapper(inputs[i], 249).WORDS(), 4 + words[i], "and a bit");
            assertEq(wrapper(inputs[i], 16_384).WORDS(), 69 + words[i], "the most");
        }
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ZeroParameter.selector));
        wrapper(0, MEMBERS);
    }

    function testFuzz_signers_are_bits(uint256 first, uint256 second, uint256 member) public view {
        first = bound(first, 0, MEMBERS - 1);
        second = bound(second, 0, MEMBERS - 1);
        member = bound(member, 0, MEMBERS - 1);
        uint256[] memory words = statement(first, second);
        assertTrue(_masked.isSigner(words, first), "the first");
        assertTrue(_masked.isSigner(words, second), "the second");
        bool signed = member == first || member == second;
        assertTrue(_masked.isSigner(words, member) == signed, "anyone");
    }

    function test_bits_are_where_they_are_said_to_be() public pure {
        uint256[] memory words = statement(0, 499);
        assertEq(words[3], 1, "the lowest bit of the first word");
        assertEq(words[5], 8, "bit 3 of the third");
        words = statement(247, 248);
        assertEq(words[3], 1 << 247, "the highest bit of the first word");
        assertEq(words[4], 1, "the lowest of the second");
    }

    function testFuzz_nobody_is_a_member_beyond(uint256 member) public {
        member = bound(member, MEMBERS, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(MusterWordsVerifier.NoSuchMember.selector, member));
        _masked.isSigner(statement(0, 1), member);
    }

    function test_without_a_mask_nobody_is_named() public {
        MusterWordsVerifier bare = wrapper(8, 0);
        vm.expectRevert(abi.encodeWithSelector(MusterWordsVerifier.NoSuchMember.selector, 0));
        bare.isSigner(new uint256[](10), 0);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 10, 9));
        bare.isSigner(new uint256[](9), 0);
    }

    // Accepted.

    function test_accepts_a_good_proof() public {
        uint256[] memory words = statement(7, 300);
        assertAccepts(_masked, words, words);
    }

    /// @dev A digest is one word, any of them, and the verifier gets halves; what follows moves on.
    function testFuzz_a_digest_is_one_word(uint256 digest) public {
        MusterWordsVerifier digests = wrapper(2, MEMBERS);
        uint256[] memory words = statement(7, 300);
        words[2] = digest;
        uint256[] memory inputs = new uint256[](7);
        (inputs[0], inputs[1]) = (ROOT, THRESHOLD);
        (inputs[2], inputs[3]) = (digest >> 128, uint256(uint128(digest)));
        (inputs[4], inputs[5], inputs[6]) = (words[3], words[4], words[5]);
        assertAccepts(digests, words, inputs);
        words[2] ^= 1;
        assertFalse(digests.verify(prove(inputs), words), "another digest");
    }

    function test_a_point_is_eight_words() public {
        MusterWordsVerifier points = wrapper(8, 0);
        uint256[] memory words = new uint256[](10);
        for (uint256 i = 0; i < 10; ++i) {
            words[i] = i + 1;
        }
        assertAccepts(points, words, words);
    }

    function test_a_router_leads_to_it() public {
        MusterRouter router = new MusterRouter(address(this));
        router.addRoute(address(_masked));
        uint256[] memory words = statement(7, 300);
        router.verifyProof(_masked.VERIFIER_HASH(), abi.encodePacked(words), prove(words));
    }

    // Refused.

    function test_rejects_other_words() public {
        uint256[] memory words = statement(7, 300);
        bytes memory proof = prove(words);
        bytes32 hash = _masked.VERIFIER_HASH();
        for (uint256 i = 0; i < words.length; ++i) {
            words[i] ^= 1;
            assertFalse(_masked.verify(proof, words), "word");
            vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ProofRejected.selector));
            _masked.verifyProof(hash, abi.encodePacked(words), proof);
            words[i] ^= 1;
        }
        assertFalse(_masked.verify(proof, statement(7, 301)), "another signer");
        assertFalse(_masked.verify(proof, statement(7, 7)), "one fewer");
    }

    function testFuzz_refuses_words_beyond_the_modulus(uint256 place, uint256 value) public {
        place = bound(place, 0, 5);
        value = bound(value, R, type(uint256).max);
        uint256[] memory words = statement(7, 300);
        words[place] = value;
        expectMalformed(
            words, abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, place, value)
        );
    }

    /// @dev Not even one that the verifier takes.
    function test_refuses_words_with_a_bit_for_nobody() public {
        uint256[3] memory bits = [uint256(248), 248, 4];
        for (uint256 i = 0; i < 3; ++i) {
            for (uint256 bit = bits[i]; bit < 253; ++bit) {
                uint256[] memory words = statement(7, 300);
                words[3 + i] |= 1 << bit;
                expectMalformed(
                    words,
                    abi.encodeWithSelector(
                        MusterWordsVerifier.MaskNotCanonical.selector, 3 + i, words[3 + i]
                    )
                );
            }
            uint256[] memory full = statement(7, 300);
            full[3 + i] = (1 << bits[i]) - 1;
            assertTrue(_masked.verify(prove(full), full), "all members of a word");
        }
    }

    /// @dev Coordinates are below their prime, and halves of 128 bits.
    function test_refuses_words_that_are_no_coordinates() public {
        MusterWordsVerifier points = wrapper(8, 0);
        uint256 q = 21888242871839275222246405745257275088696311157297823662689037894645226208583;
        for (uint256 i = 2; i < 10; i += 2) {
            uint256[] memory words = new uint256[](10);
            (words[i], words[i + 1]) = ((q - 1) >> 128, uint256(uint128(q - 1)));
            assertAccepts(points, words, words);
            (words[i], words[i + 1]) = (q >> 128, uint256(uint128(q)));
            expectNoPoint(points, words, i);
            (words[i], words[i + 1]) = (1 << 128, 0);
            expectNoPoint(points, words, i);
            (words[i], words[i + 1]) = (0, 1 << 128);
            expectNoPoint(points, words, i);
            (words[i], words[i + 1]) = ((q >> 128) + 1, 0);
            expectNoPoint(points, words, i);
        }
    }

    function test_refuses_other_lengths_keys_and_code() public {
        uint256[] memory words = statement(7, 300);
        bytes memory proof = prove(words);
        bytes32 hash = _masked.VERIFIER_HASH();
        for (uint256 count = 0; count < 9; ++count) {
            if (count == 6) continue;
            vm.expectRevert(
                abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 6, count)
            );
            _masked.verify(proof, new uint256[](count));
        }
        for (uint256 length = 191; length < 194; length += 2) {
            vm.expectRevert(
                abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 192, length)
            );
            _masked.verifyProof(hash, new bytes(length), proof);
        }
        bytes memory values = abi.encodePacked(words);
        bytes32 other = bytes32(uint256(hash) ^ 1);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongVerifier.selector, hash, other));
        _masked.verifyProof(other, values, proof);
        bytes memory long = bytes.concat(proof, hex"00");
        vm.expectRevert(
            abi.encodeWithSelector(
                MusterVerifier.WrongProofLength.selector, PROOF_LENGTH, PROOF_LENGTH + 1
            )
        );
        _masked.verify(long, words);
        bytes32 code = halo2.codehash;
        vm.etch(halo2, padded(hex"600160005260206000f3"));
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.CodeChanged.selector, code, halo2.codehash)
        );
        _masked.verify(proof, words);
    }

    /// @dev A light client gives root, threshold and digest.
    function test_no_light_client_takes_it() public {
        MultisigLightClient light = new MultisigLightClient(_masked, SOURCE, firstKeySet());
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 6, 3));
        light.submit(aMessage(), new bytes(PROOF_LENGTH));
    }

    // Helpers.

    function wrapper(uint256 messageInputs, uint256 members) private returns (MusterWordsVerifier) {
        return
            new MusterWordsVerifier(
                halo2, KEY_DIGEST, PROOF_LENGTH, GAS_CAP, messageInputs, members
            );
    }

    /// @dev Two members signed an element.
    function statement(uint256 first, uint256 second)
        private
        pure
        returns (uint256[] memory words)
    {
        words = new uint256[](6);
        (words[0], words[1], words[2]) = (ROOT, THRESHOLD, 5678);
        words[3 + first / 248] |= 1 << (first % 248);
        words[3 + second / 248] |= 1 << (second % 248);
    }

    /// @dev A proof that the stub takes for these public inputs and for no others.
    function prove(uint256[] memory inputs) private returns (bytes memory proof) {
        bytes32 seed = keccak256(abi.encode("words", inputs));
        proof = abi.encode(seed, keccak256(abi.encode(seed)), uint256(seed) >> 1);
        (bool ok,) = halo2.call(abi.encodePacked(inputs, proof));
        assertTrue(ok, "registered");
    }

    function assertAccepts(
        MusterWordsVerifier verifier_,
        uint256[] memory words,
        uint256[] memory inputs
    ) private {
        bytes memory proof = prove(inputs);
        assertTrue(verifier_.verify(proof, words), "verify");
        verifier_.verifyProof(verifier_.VERIFIER_HASH(), abi.encodePacked(words), proof);
    }

    function expectNoPoint(MusterWordsVerifier points, uint256[] memory words, uint256 place)
        private
    {
        bytes memory proof = prove(words);
        vm.expectRevert(
            abi.encodeWithSelector(MusterWordsVerifier.PointNotCanonical.selector, place)
        );
        points.verify(proof, words);
    }

    function expectMalformed(uint256[] memory words, bytes memory expected) private {
        bytes memory proof = prove(words);
        bytes32 hash = _masked.VERIFIER_HASH();
        vm.expectRevert(expected);
        _masked.verify(proof, words);
        vm.expectRevert(expected);
        _masked.verifyProof(hash, abi.encodePacked(words), proof);
    }
}
