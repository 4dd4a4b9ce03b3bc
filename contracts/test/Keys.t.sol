// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterKeys} from "../src/MusterKeys.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev What may be registered, and that nothing but a key's bytes decides what its name stands for.
contract KeysTest is Vectors {
    uint256 private constant DIGEST = 32;
    uint256 private constant TAU = 64;
    uint256 private constant DECIDER = 192;
    uint256 private constant PACKS = 256;

    /// @dev On the twist, with 1 as its first coordinate, but not of order r.
    uint256 private constant OUTSIDE_X_1 = 0;
    uint256 private constant OUTSIDE_X_0 = 1;
    uint256 private constant OUTSIDE_Y_1 =
        0x0d1271953ed9ea0836846e70a1934187998c7f790cb4d7511b7f8da82de048a4;
    uint256 private constant OUTSIDE_Y_0 =
        0x2869111d5381f072f8e2728fdb825a51aadd70e52c9830e9ab4b871c0531f1bb;

    /// @dev Gas to register a key. Where [τ]₂ is wrong, a precompile burns what it is given.
    uint256 private constant ENOUGH = 2_000_000;

    bytes private evmKey;
    Vector private three;

    function setUp() public override {
        super.setUp();
        three = honest("three-inputs");
        evmKey = three.evmKey;
    }

    /// @dev Where a compiler took the verifier's memory for itself, nothing is read or said.
    function testMemoryMustBeFree() public {
        verifier.crowded(three.name, 0);
        (bool ok, bytes memory reason) =
            address(verifier).call(abi.encodeCall(verifier.crowded, (three.name, 1)));
        assertTrue(!ok && reason.length == 0, "one byte was taken");
    }

    function testAKeyIsFoundByTheHashOfItsBytes() public {
        MusterVerifier fresh = deploy();
        bytes32 name = keccak256(evmKey);
        assertTrue(!fresh.isRegistered(name), "not yet");
        assertEq(fresh.keyBytes(name).length, 0, "no bytes yet");
        vm.recordLogs();
        assertEq(fresh.register(evmKey), name, "the name");
        bytes32[] memory topics = vm.getRecordedLogs()[0].topics;
        assertEq(topics[0], keccak256("KeyRegistered(bytes32,bytes32)"), "the event");
        assertEq(topics[1], name, "its name");
        assertEq(uint256(topics[2]), wordAt(evmKey, DIGEST), "its digest");
        assertTrue(fresh.isRegistered(name), "now it is");
        assertEq(keccak256(fresh.keyBytes(name)), name, "its bytes");
        assertEq(
            keccak256(fresh.keyStore(name).code),
            keccak256(bytes.concat(hex"00", evmKey)),
            "its code"
        );
    }

    /// @dev Somebody who sees a registration on its way and is faster changes nothing.
    function testTwiceIsTheSame() public {
        MusterVerifier fresh = deploy();
        vm.prank(address(0xbad));
        bytes32 name = fresh.register(evmKey);
        bytes32 code = keccak256(fresh.keyStore(name).code);
        vm.recordLogs();
        assertEq(fresh.register(evmKey), name, "the same name");
        assertEq(vm.getRecordedLogs().length, 0, "no second event");
        assertEq(keccak256(fresh.keyStore(name).code), code, "the same code");
        assertTrue(fresh.verify(name, three.inputs, three.proof), "and the proof holds");
    }

    /// @dev Names do not depend on the contract, nor addresses on anything but contract and name.
    function testAnotherContractHasKeysOfItsOwn() public {
        MusterVerifier fresh = deploy();
        assertTrue(!fresh.isRegistered(three.name), "not there");
        assertTrue(verifier.isRegistered(three.name), "but here");
        assertTrue(fresh.keyStore(three.name) != verifier.keyStore(three.name), "elsewhere");
    }

    /// @dev Whoever calls a creator later makes contracts that are no keys; and a key is no code.
    function testOthersCannotReplaceAKey() public {
        address creator = creatorOf(three.name);
        address store = verifier.keyStore(three.name);
        bytes32 code = keccak256(store.code);
        bytes memory init = hex"6001600c60003960016000f300";
        (bool success,) = creator.call(init);
        assertTrue(success, "anybody may call it");
        assertEq(keccak256(store.code), code, "the key is still there");
        (success,) = store.call(hex"01");
        assertTrue(success && store.code.length == evmKey.length + 1, "and does nothing");
        assertTrue(verify(three), "and proofs hold");
    }

    /// @dev Should two contracts ever have one address, what stands there is not the key of the name.
    function testAForgedStoreIsNoKey() public {
        vm.etch(verifier.keyStore(three.name), bytes.concat(hex"00", honest("large").evmKey));
        bytes memory reason = abi.encodeWithSelector(MusterVerifier.UnknownKey.selector, three.name);
        assertReverts(three.name, three.inputs, three.proof, reason);
        vm.etch(verifier.keyStore(three.name), hex"00");
        assertReverts(three.name, three.inputs, three.proof, reason);
    }

    function testLengths() public {
        uint256[8] memory wrong = [uint256(0), 1, 192, 255, 257, PACKS + 32, PACKS + 63, 24_576];
        for (uint256 i = 0; i < wrong.length; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(MusterKeys.WrongKeyLength.selector, wrong[i]);
            assertNoKey(resized(wrong[i]), reason);
        }
        // 379 packs of round 0 have room, no more.
        bytes memory longest = resized(24_512);
        bytes32 name = verifier.register(longest);
        assertEq(keccak256(verifier.keyBytes(name)), name, "the longest key");
    }

    function testNumbers() public {
        // k₂, inputs, packs of rounds 1 and 2; there are two of round 0.
        assertNumbers(21, 3, 2, 1, false);
        assertNumbers(20, 3, 2, 1, true);
        assertNumbers(type(uint32).max, 3, 2, 1, false);
        assertNumbers(20, 1024, 2, 1, true);
        assertNumbers(20, 1025, 2, 1, false);
        assertNumbers(20, type(uint32).max, 2, 1, false);
        // Packs are 16,384 at most, in all rounds together.
        assertNumbers(20, 3, 16_381, 1, true);
        assertNumbers(20, 3, 16_382, 1, false);
        assertNumbers(20, 3, 1, 16_381, true);
        assertNumbers(20, 3, 1, 16_382, false);
        assertNumbers(20, 3, type(uint32).max, type(uint32).max, false);
        // Rows for public inputs (n + 5 + 9), zero, one, and four random ones.
        assertNumbers(5, 12, 2, 1, true);
        assertNumbers(5, 13, 2, 1, false);
        assertNumbers(4, 0, 0, 0, false);
        assertNumbers(0, 0, 0, 0, false);
        assertNumbers(5, 0, 0, 0, true);
    }

    function testAKeyWithoutPacksIsRefused() public {
        bytes memory changed = resized(PACKS);
        setNumbers(changed, 20, 3, 0, 0);
        bytes memory reason = abi.encodeWithSelector(MusterKeys.WrongKeyNumbers.selector, 20, 3, 0);
        assertNoKey(changed, reason);
    }

    function testPoints() public {
        for (uint256 place = DECIDER; place < evmKey.length; place += 64) {
            bytes memory reason =
                abi.encodeWithSelector(MusterKeys.NotAPoint.selector, (place - DECIDER) / 64);
            assertNoKey(withWord(withWord(evmKey, place, 1), place + 32, 1), reason);
            assertNoKey(withWord(withWord(evmKey, place, Q + 1), place + 32, 2), reason);
            assertNoKey(withWord(withWord(evmKey, place, 1), place + 32, Q + 2), reason);
            assertNoKey(withWord(withWord(evmKey, place, Q), place + 32, Q), reason);
            assertNoKey(withWord(withWord(evmKey, place, 0), place + 32, Q), reason);
            // The identity and other points make other keys.
            assertOtherKey(withWord(withWord(evmKey, place, 0), place + 32, 0));
            assertOtherKey(withWord(withWord(evmKey, place, 1), place + 32, 2));
            assertOtherKey(withWord(evmKey, place + 32, Q - wordAt(evmKey, place + 32)));
        }
        bytes memory swapped = withWord(evmKey, PACKS, wordAt(evmKey, PACKS + 64));
        setWord(swapped, PACKS + 32, wordAt(evmKey, PACKS + 96));
        setWord(swapped, PACKS + 64, wordAt(evmKey, PACKS));
        setWord(swapped, PACKS + 96, wordAt(evmKey, PACKS + 32));
        assertOtherKey(swapped);
    }

    function testTau() public {
        bytes memory reason = abi.encodeWithSelector(MusterKeys.WrongTau.selector);
        // The identity; [1]₂, so that everybody knows τ; a point of the twist that is not in the subgroup.
        assertNoKey(withTau(0, 0, 0, 0), reason);
        assertNoKey(
            withTau(
                0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2,
                0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed,
                0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b,
                0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa
            ),
            reason
        );
        assertNoKey(withTau(OUTSIDE_X_1, OUTSIDE_X_0, OUTSIDE_Y_1, OUTSIDE_Y_0), reason);
        for (uint256 place = TAU; place < DECIDER; place += 32) {
            assertNoKey(withWord(evmKey, place, wordAt(evmKey, place) + Q), reason);
            assertNoKey(withWord(evmKey, place, wordAt(evmKey, place) ^ 1), reason);
        }
        // Its negative is a point of the group, and makes another key.
        bytes memory negative = withWord(evmKey, TAU + 64, Q - wordAt(evmKey, TAU + 64));
        assertOtherKey(withWord(negative, TAU + 96, Q - wordAt(evmKey, TAU + 96)));
    }

    /// @dev Each byte, or a third of them: refused for the reason of its place, or a key under which the
    /// proof does not hold.
    function testEachByteChanged() public {
        for (uint256 place = 0; place < evmKey.length; place += all() ? 1 : 3) {
            bytes memory changed = bytes.concat(evmKey);
            changed[place] = bytes1(uint8(changed[place]) ^ uint8(1 << place % 8));
            (bool success, bytes memory result) =
                address(verifier).call{gas: ENOUGH}(abi.encodeCall(MusterKeys.register, (changed)));
            if (!success) {
                assertTrue(bytes4(result) == reasonAt(place), "a reason that fits the place");
            } else {
                assertTrue(place >= 16 && place < TAU, "numbers and the digest");
                assertOtherKey(changed);
            }
        }
    }

    function reasonAt(uint256 place) private pure returns (bytes4) {
        if (place < 16) return MusterKeys.NotAKey.selector;
        if (place < DIGEST) return MusterKeys.WrongKeyNumbers.selector;
        if (place < DECIDER) return MusterKeys.WrongTau.selector;
        return MusterKeys.NotAPoint.selector;
    }

    function assertNoKey(bytes memory changed, bytes memory reason) private {
        (bool success, bytes memory result) =
            address(verifier).call{gas: ENOUGH}(abi.encodeCall(MusterKeys.register, (changed)));
        assertTrue(!success, "refused");
        assertEq(keccak256(result), keccak256(reason), "the reason");
        assertTrue(!verifier.isRegistered(keccak256(changed)), "and not stored");
    }

    /// @dev A key, but the proof does not hold under it, whether or not it has other numbers.
    function assertOtherKey(bytes memory changed) private {
        bytes32 name = verifier.register(changed);
        assertTrue(name != three.name, "another name");
        (bool accepted,) = outcome(name, three.inputs, three.proof);
        assertTrue(!accepted, "the proof does not hold");
    }

    function assertNumbers(
        uint256 logRows,
        uint256 inputs,
        uint256 first,
        uint256 second,
        bool accepted
    ) private {
        bytes memory changed = bytes.concat(evmKey);
        setNumbers(changed, logRows, inputs, first, second);
        if (accepted) {
            assertOtherKey(changed);
            return;
        }
        bytes memory reason = abi.encodeWithSelector(
            MusterKeys.WrongKeyNumbers.selector, logRows, inputs, first + second + 2
        );
        assertNoKey(changed, reason);
    }

    function setNumbers(
        bytes memory changed,
        uint256 logRows,
        uint256 inputs,
        uint256 first,
        uint256 second
    ) private pure {
        uint256 tag = wordAt(changed, 0) >> 128;
        setWord(changed, 0, tag << 128 | logRows << 96 | inputs << 64 | first << 32 | second);
    }

    /// @dev The key with packs of round 0 that are missing or repeated, in bytes, with room for rows.
    function resized(uint256 length) private view returns (bytes memory changed) {
        bytes memory from = evmKey;
        changed = new bytes(length);
        for (uint256 place = 0; place < length; ++place) {
            changed[place] = from[place < PACKS ? place : PACKS + place % 64];
        }
        if (length >= 32) setNumbers(changed, 20, 3, 2, 1);
    }

    function withTau(uint256 x1, uint256 x0, uint256 y1, uint256 y0)
        private
        view
        returns (bytes memory changed)
    {
        changed = withWord(evmKey, TAU, x1);
        setWord(changed, TAU + 32, x0);
        setWord(changed, TAU + 64, y1);
        setWord(changed, TAU + 96, y0);
    }

    function creatorOf(bytes32 name) private view returns (address) {
        bytes32 hash = keccak256(hex"67363d3d37363d34f03d5260086018f3");
        bytes memory packed = abi.encodePacked(hex"ff", address(verifier), name, hash);
        return address(uint160(uint256(keccak256(packed))));
    }
}
