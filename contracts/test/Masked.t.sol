// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {MusterWordsVerifier} from "../src/MusterWordsVerifier.sol";
import {Generated} from "./base/Generated.sol";

/// @dev A real proof that says who signed, on the code that is checked in.
contract MaskedTest is Generated {
    uint256 private constant MASK = 3;

    MusterWordsVerifier private _wrapper;
    uint256[] private _signers;

    function deployMasked() private {
        shape = read(MASKED);
        halo2 = create(shape.creation);
        string memory manifest = vm.readFile(pathOf(MASKED, "manifest.json"));
        _wrapper = new MusterWordsVerifier(
            halo2,
            shape.keyDigest,
            shape.proof.length,
            gasCap(),
            vm.parseJsonUint(manifest, ".wrapper.message_inputs"),
            vm.parseJsonUint(manifest, ".wrapper.members")
        );
        for (uint256 member = 0; member < shape.members; ++member) {
            if (_wrapper.isSigner(shape.words, member)) _signers.push(member);
        }
    }

    function test_the_proof_is_of_those_whom_the_mask_names() public {
        deployMasked();
        assertEq(_wrapper.WORDS(), shape.words.length, "words");
        assertEq(_wrapper.MASK(), MASK, "where the mask begins");
        assertEq(_signers.length, shape.words[1], "as many as the threshold");
        for (uint256 i = 0; i < shape.words.length; ++i) {
            assertTrue(shape.words[i] != 0, "or a word might be left out");
        }
        assertTrue(_wrapper.verify(shape.proof, shape.words), "verify");
        bytes memory values = abi.encodePacked(shape.words);
        _wrapper.verifyProof(shape.verifierHash, values, shape.proof);
    }

    function test_other_signers_are_refused() public {
        deployMasked();
        for (uint256 i = 0; i < _signers.length; ++i) {
            uint256 signer = _signers[i];
            uint256 other = (signer + 1) % shape.members;
            toggle(signer);
            assertFalse(_wrapper.verify(shape.proof, shape.words), "one fewer");
            toggle(other);
            assertFalse(_wrapper.verify(shape.proof, shape.words), "the next one");
            toggle(signer);
            assertFalse(_wrapper.verify(shape.proof, shape.words), "the next one, too");
            toggle(other);
        }
        assertTrue(_wrapper.verify(shape.proof, shape.words), "as it is");
    }

    function test_every_word_counts() public {
        deployMasked();
        for (uint256 i = 0; i < shape.words.length; ++i) {
            uint256 word = shape.words[i];
            shape.words[i] = word ^ 1;
            assertFalse(_wrapper.verify(shape.proof, shape.words), "the lowest bit");
            shape.words[i] = word + _wrapper.SCALAR_MODULUS();
            // Past the wrapper, too.
            assertFalse(takes(abi.encodePacked(shape.words, shape.proof)), "r more");
            vm.expectRevert(
                abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, i, shape.words[i])
            );
            _wrapper.verify(shape.proof, shape.words);
            shape.words[i] = word;
        }
        for (uint256 word = 0; word < shape.proof.length / 32; ++word) {
            bytes memory bad = flipped(shape.proof, word, 1);
            assertFalse(_wrapper.verify(bad, shape.words), "the proof");
        }
        assertTrue(_wrapper.verify(shape.proof, shape.words), "as it is");
    }

    function test_missing_and_surplus_words_are_refused() public {
        deployMasked();
        uint256[] memory words = shape.words;
        assertTrue(takes(abi.encodePacked(words, shape.proof)), "as it is");
        assertFalse(takes(abi.encodePacked(words, uint256(0), shape.proof)), "a surplus one");
        assertFalse(takes(abi.encodePacked(words, shape.proof, uint256(0))), "a word behind");
        uint256 count = words.length;
        assembly ("memory-safe") {
            mstore(words, sub(count, 1))
        }
        assertFalse(takes(abi.encodePacked(words, shape.proof)), "one missing");
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, count, count - 1)
        );
        _wrapper.verify(shape.proof, words);
    }

    function toggle(uint256 member) private {
        shape.words[MASK + member / 248] ^= 1 << (member % 248);
    }
}
