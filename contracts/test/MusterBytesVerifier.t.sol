// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterBytesVerifier} from "../src/MusterBytesVerifier.sol";
import {MusterRouter} from "../src/MusterRouter.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Signing} from "./base/Fixture.sol";

contract MusterBytesVerifierTest is Signing {
    uint256 private constant ROOT = 1234;
    uint256 private constant THRESHOLD = 3;

    MusterBytesVerifier private _wrapper;

    function setUp() public {
        halo2 = deployStub();
        _wrapper = new MusterBytesVerifier(halo2, KEY_DIGEST, PROOF_LENGTH, GAS_CAP);
    }

    /// @dev An approval of NEAR, and messages around the borders of words.
    function test_accepts_a_good_proof_of_every_length() public {
        for (uint256 length = 0; length <= 64; ++length) {
            bytes memory message = aMessage(length);
            bytes memory proof = proveBytes(message);
            assertTrue(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, message), "message");
            assertTrue(_wrapper.verify(proof, list(wordsOf(message))), "words");
            bytes memory values = abi.encodePacked(wordsOf(message));
            _wrapper.verifyProof(_wrapper.VERIFIER_HASH(), values, proof);
        }
    }

    /// @dev 24 bytes, 24, and 16 with the length behind them.
    function test_words_of_a_known_message() public view {
        bytes memory message =
            hex"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627ff";
        uint256[5] memory words = _wrapper.wordsOf(ROOT, THRESHOLD, message);
        assertEq(words[0], ROOT, "root");
        assertEq(words[1], THRESHOLD, "threshold");
        assertEq(words[2], 0x000102030405060708090a0b0c0d0e0f1011121314151617, "first");
        assertEq(words[3], 0x18191a1b1c1d1e1f2021222324252627ff00000000000000, "second");
        assertEq(words[4], 41, "third");
    }

    function testFuzz_words_are_those_of_the_bytes(bytes memory message) public view {
        vm.assume(message.length <= 64);
        uint256[5] memory words = _wrapper.wordsOf(ROOT, THRESHOLD, message);
        uint256[5] memory expected = wordsOf(message);
        for (uint256 i = 0; i < 5; ++i) {
            assertEq(words[i], expected[i], "word");
        }
    }

    function test_rejects_another_message() public {
        bytes memory message = aMessage(41);
        bytes memory proof = proveBytes(message);
        for (uint256 i = 0; i < 41; ++i) {
            message[i] ^= 0x01;
            assertFalse(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, message), "byte");
            message[i] ^= 0x01;
        }
        bytes memory longer = bytes.concat(message, hex"00");
        assertFalse(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, longer), "a zero more");
        assertFalse(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, aMessage(40)), "a byte less");
        assertFalse(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, ""), "nothing");
        assertFalse(_wrapper.verifyMessage(proof, ROOT + 1, THRESHOLD, message), "root");
        assertFalse(_wrapper.verifyMessage(proof, ROOT, THRESHOLD + 1, message), "threshold");
        // The other way round: one that ends with a zero is not the same without it.
        proof = proveBytes(longer);
        assertTrue(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, longer), "with its zero");
        assertFalse(_wrapper.verifyMessage(proof, ROOT, THRESHOLD, message), "without it");
    }

    /// @dev What stands behind a message in calldata is not part of it.
    function test_padding_of_calldata_plays_no_part() public {
        bytes memory message = aMessage(41);
        bytes memory call = abi.encodeCall(
            MusterBytesVerifier.verifyMessage, (proveBytes(message), ROOT, THRESHOLD, message)
        );
        // The message's 41 bytes end 23 bytes before the end.
        for (uint256 i = call.length - 23; i < call.length; ++i) {
            call[i] = 0xff;
        }
        (bool ok, bytes memory output) = address(_wrapper).staticcall(call);
        assertTrue(ok && abi.decode(output, (bool)), "dirty padding");
    }

    function testFuzz_refuses_long_messages(bytes memory message) public {
        bytes memory long = bytes.concat(new bytes(65), message);
        vm.expectRevert(
            abi.encodeWithSelector(
                MusterBytesVerifier.MessageTooLong.selector, uint256(64), long.length
            )
        );
        _wrapper.verifyMessage(new bytes(PROOF_LENGTH), ROOT, THRESHOLD, long);
    }

    /// @dev Bits above each word, lengths that are none, and bytes behind the end.
    function test_refuses_words_that_are_no_message() public {
        bytes memory message = aMessage(41);
        uint256[5] memory honest = wordsOf(message);
        assertTrue(_wrapper.verify(proveWords(honest), list(honest)), "honest");
        refuse(honest, 2, honest[2] | 1 << 192);
        refuse(honest, 3, honest[3] | 1 << 192);
        refuse(honest, 4, honest[4] | 1 << 136);
        refuse(honest, 2, type(uint256).max);
        refuse(honest, 4, 65);
        refuse(honest, 4, 255);
        refuse(honest, 4, 40);
        refuse(honest, 4, 0);
        refuse(honest, 3, honest[3] | 1);
        refuse(honest, 4, honest[4] | 1 << 8);
        refuse(honest, 4, honest[4] | 1 << 135);
        uint256[5] memory whole = wordsOf(aMessage(64));
        refuse(whole, 4, whole[4] - 1);
        refuse(whole, 4, whole[4] | 1 << 136);
        uint256[5] memory half = wordsOf(aMessage(32));
        refuse(half, 4, 31);
        refuse(half, 3, half[3] | 1 << 127);
        uint256[5] memory none = wordsOf("");
        refuse(none, 2, 1 << 191);
    }

    /// @dev The words of some bytes under another length are a message if and only if all behind that
    /// length is 0.
    function testFuzz_a_length_ends_a_message(bytes32 first, bytes32 second, uint8 cut, uint8 end)
        public
    {
        bytes memory message = abi.encodePacked(first, second);
        uint256 length = end % 67;
        for (uint256 i = cut % 65; i < 64; ++i) {
            message[i] = 0;
        }
        uint256[5] memory words = wordsOf(message);
        words[4] = words[4] - 64 + length;
        bool good = length <= 64;
        for (uint256 i = length; i < 64; ++i) {
            good = good && message[i] == 0;
        }
        bytes memory proof = proveWords(words);
        if (good) {
            assertTrue(_wrapper.verify(proof, list(words)), "a message");
        } else {
            vm.expectRevert(
                abi.encodeWithSelector(MusterBytesVerifier.MessageNotCanonical.selector)
            );
            _wrapper.verify(proof, list(words));
        }
    }

    function testFuzz_refuses_a_root_or_threshold_beyond_the_modulus(uint256 value) public {
        value = bound(value, R, type(uint256).max);
        bytes memory message = aMessage(41);
        bytes memory proof = proveBytes(message);
        bytes memory expected =
            abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, 0, value);
        vm.expectRevert(expected);
        _wrapper.verifyMessage(proof, value, THRESHOLD, message);
        expected = abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, 1, value);
        vm.expectRevert(expected);
        _wrapper.verifyMessage(proof, ROOT, value, message);
    }

    /// @dev What every wrapper checks.
    function test_refuses_other_lengths_keys_and_code() public {
        bytes memory message = aMessage(41);
        bytes memory proof = proveBytes(message);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 5, 3));
        _wrapper.verify(proof, new uint256[](3));
        bytes32 hash = _wrapper.VERIFIER_HASH();
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 160, 96));
        _wrapper.verifyProof(hash, new bytes(96), proof);
        bytes memory values = abi.encodePacked(wordsOf(message));
        bytes32 other = bytes32(uint256(hash) ^ 1);
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongVerifier.selector, hash, other));
        _wrapper.verifyProof(other, values, proof);
        bytes memory bad = bytes.concat(proof);
        bad[0] ^= 0x01;
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ProofRejected.selector));
        _wrapper.verifyProof(hash, values, bad);
        uint256 long = PROOF_LENGTH + 1;
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.WrongProofLength.selector, PROOF_LENGTH, long)
        );
        _wrapper.verifyMessage(bytes.concat(proof, hex"00"), ROOT, THRESHOLD, message);
        bytes32 code = halo2.codehash;
        vm.etch(halo2, padded(hex"600160005260206000f3"));
        vm.expectRevert(
            abi.encodeWithSelector(MusterVerifier.CodeChanged.selector, code, halo2.codehash)
        );
        _wrapper.verifyMessage(proof, ROOT, THRESHOLD, message);
    }

    function test_a_router_leads_to_it() public {
        MusterRouter router = new MusterRouter(address(this));
        router.addRoute(address(_wrapper));
        bytes memory message = aMessage(41);
        bytes memory values = abi.encodePacked(_wrapper.wordsOf(ROOT, THRESHOLD, message));
        router.verifyProof(_wrapper.VERIFIER_HASH(), values, proveBytes(message));
    }

    function refuse(uint256[5] memory honest, uint256 place, uint256 word) private {
        uint256[5] memory words = honest;
        uint256 before = words[place];
        words[place] = word;
        bytes memory proof = proveWords(words);
        vm.expectRevert(abi.encodeWithSelector(MusterBytesVerifier.MessageNotCanonical.selector));
        _wrapper.verify(proof, list(words));
        words[place] = before;
    }

    /// @dev Bytes without zeros.
    function aMessage(uint256 length) private pure returns (bytes memory message) {
        message = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            message[i] = bytes1(uint8(255 - i));
        }
    }

    /// @dev Byte by byte.
    function wordsOf(bytes memory message) private pure returns (uint256[5] memory words) {
        (words[0], words[1]) = (ROOT, THRESHOLD);
        for (uint256 i = 0; i < 64; ++i) {
            uint8 next = i < message.length ? uint8(message[i]) : 0;
            words[2 + i / 24] = words[2 + i / 24] << 8 | next;
        }
        words[4] = words[4] << 8 | message.length;
    }

    function proveBytes(bytes memory message) private returns (bytes memory) {
        return proveWords(wordsOf(message));
    }

    /// @dev A proof that the stub takes for these five public inputs and for no others.
    function proveWords(uint256[5] memory words) private returns (bytes memory proof) {
        bytes32 seed = keccak256(abi.encode("bytes", words));
        proof = abi.encode(seed, keccak256(abi.encode(seed)), uint256(seed) >> 1);
        (bool ok,) = halo2.call(abi.encodePacked(words, proof));
        assertTrue(ok, "registered");
    }

    function list(uint256[5] memory words) private pure returns (uint256[] memory inputs) {
        inputs = new uint256[](5);
        for (uint256 i = 0; i < 5; ++i) {
            inputs[i] = words[i];
        }
    }
}
