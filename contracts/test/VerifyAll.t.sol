// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev Several proofs with one pairing: true if all hold, and in no other case.
contract VerifyAllTest is Vectors {
    uint256 private constant LEVELS = 60;

    // The last two have keys, inputs and proofs of the same lengths.
    Vector private three;
    Vector private small;
    Vector private other;

    function setUp() public override {
        super.setUp();
        (three, small, other) = (honest("three-inputs"), honest("small"), honest("stride-7"));
    }

    // ------------------------------------------------------------------------------ What is false

    function testAWordChangedInEachPlace() public view {
        for (uint256 i = 0; i < 3; ++i) {
            bytes memory proof = good()[i].proof;
            for (uint256 place = 32 * i; place < proof.length; place += all() ? 32 : 160) {
                refused(i, withWord(proof, place, wordAt(proof, place) ^ 1));
            }
        }
    }

    function testAPointOrAScalarReplacedInEachPlace() public view {
        for (uint256 i = 0; i < 3; ++i) {
            Vector memory vector = at(i);
            bytes memory proof = vector.proof;
            (uint256[] memory points, uint256[] memory scalars) = places(vector);
            for (uint256 p = all() ? 0 : i; p < points.length; p += all() ? 1 : 3) {
                uint256 place = points[p];
                refused(i, withPoint(proof, place, 0, 0));
                refused(i, withPoint(proof, place, 1, 2));
                refused(i, withWord(proof, place + 32, Q - wordAt(proof, place + 32)));
                refused(i, withWord(proof, place, wordAt(proof, place) + Q));
            }
            for (uint256 s = 0; s < scalars.length; ++s) {
                refused(i, withWord(proof, scalars[s], wordAt(proof, scalars[s]) + R));
            }
        }
    }

    function testWhatIsSwapped() public view {
        MusterVerifier.Claim[] memory claims = good();
        (claims[1].name, claims[2].name) = (claims[2].name, claims[1].name);
        assertFalse(holds(claims), "keys");
        claims = good();
        (claims[1].proof, claims[2].proof) = (claims[2].proof, claims[1].proof);
        assertFalse(holds(claims), "proofs");
        claims = good();
        (claims[0].inputs[0], claims[0].inputs[1]) = (claims[0].inputs[1], claims[0].inputs[0]);
        assertFalse(holds(claims), "inputs of one");
        claims = good();
        (claims[0].inputs[1], claims[1].inputs[0]) = (claims[1].inputs[0], claims[0].inputs[1]);
        assertFalse(holds(claims), "inputs of two");
    }

    function testAnInputChangedInEachPlace() public view {
        for (uint256 i = 0; i < 3; ++i) {
            for (uint256 j = 0; j < at(i).inputs.length; ++j) {
                MusterVerifier.Claim[] memory claims = good();
                claims[i].inputs[j] = addmod(claims[i].inputs[j], 1, R);
                assertFalse(holds(claims), "an input");
                claims[i].proof = withInverse(at(i), claims[i].inputs, claims[i].proof);
                assertFalse(holds(claims), "an input, and the inverse");
            }
        }
    }

    /// @dev Two that are off by `[1]₁` and its opposite: without weights they would hold together.
    function testErrorsDoNotCancel() public {
        Vector memory plus = load("off-plus");
        Vector memory minus = load("off-minus");
        assertFalse(verify(plus) || verify(minus), "each alone");
        uint256[4] memory sum;
        for (uint256 i = 0; i < 4; i += 2) {
            uint256[2] memory second = [minus.trace[24 + i], minus.trace[25 + i]];
            (sum[i], sum[i + 1]) = added([plus.trace[24 + i], plus.trace[25 + i]], second);
        }
        assertTrue(pairs(sum, plus.evmKey), "their plain sum holds");
        assertFalse(holds(two(plus, minus)), "both");
        assertFalse(holds(two(minus, plus)), "the other way round");
        assertFalse(holds(two(plus, plus)), "the same twice");
        MusterVerifier.Claim[] memory claims = good();
        (claims[0], claims[2]) = (claimOf(plus), claimOf(minus));
        assertFalse(holds(claims), "around a good one");
        (claims[1], claims[2]) = (claims[2], claims[1]);
        assertFalse(holds(claims), "before a good one");
        assertFalse(holds(two(plus, at(1))), "one of them, first");
        assertFalse(holds(two(at(1), minus)), "one of them, last");
    }

    // ------------------------------------------------------------------------------ What is true

    function testAllThatHold() public {
        assertTrue(holds(good()), "three");
        for (uint256 i = 0; i < 3; ++i) {
            assertTrue(holds(two(at(i), at((i + 1) % 3))), "two");
            assertTrue(holds(two(at(i), at(i))), "the same twice");
            MusterVerifier.Claim[] memory one = new MusterVerifier.Claim[](1);
            one[0] = claimOf(at(i));
            assertTrue(holds(one), "one");
        }
        string[9] memory labels = honestLabels();
        MusterVerifier.Claim[] memory claims = new MusterVerifier.Claim[](2 * labels.length);
        for (uint256 i = 0; i < claims.length; ++i) {
            claims[i] = claimOf(honest(labels[i % labels.length]));
        }
        assertTrue(holds(claims), "eighteen");
        bytes memory proof = claims[17].proof;
        claims[17].proof = withWord(proof, 31, wordAt(proof, 31) ^ 1);
        assertFalse(holds(claims), "but for one");
    }

    /// @dev Of two setups, in turns, and whichever is the first.
    function testKeysOfSeveralSetups() public {
        Vector memory setup = load("other-setup");
        MusterVerifier.Claim[] memory claims = new MusterVerifier.Claim[](5);
        for (uint256 turn = 0; turn < 2; ++turn) {
            for (uint256 i = 0; i < 5; ++i) {
                claims[i] = claimOf(i % 2 == turn ? at(i / 2) : setup);
            }
            assertTrue(holds(claims), "all hold");
            for (uint256 i = 0; i < 5; ++i) {
                Vector memory vector = i % 2 == turn ? at(i / 2) : setup;
                uint256 place = vector.proof.length - 64;
                bytes memory proof = withPoint(vector.proof, place - 32, 1, 2);
                claims[i].proof = withInverse(vector, vector.inputs, proof);
                assertFalse(holds(claims), "but for one");
                claims[i] = claimOf(vector);
            }
        }
        // The same circuit, but for its setup.
        claims[0] = claimOf(setup);
        claims[0].name = at(1).name;
        assertFalse(holds(claims), "a key of another setup");
    }

    // ------------------------------------------------------------------------------ What reverts

    function testNothingIsNoBatch() public {
        vm.expectRevert(abi.encodePacked(MusterVerifier.NoClaims.selector));
        verifier.verifyAll(new MusterVerifier.Claim[](0));
    }

    function testWrongCallsRevertInEachPlace() public {
        for (uint256 i = 0; i < 3; ++i) {
            MusterVerifier.Claim[] memory claims = good();
            claims[i].name = bytes32(uint256(1));
            expectReason(claims, abi.encodeWithSelector(MusterVerifier.UnknownKey.selector, 1));
            claims = good();
            uint256 inputs = claims[i].inputs.length;
            claims[i].inputs[inputs - 1] = R;
            expectReason(
                claims, abi.encodeWithSelector(MusterVerifier.InputTooLarge.selector, inputs - 1, R)
            );
            claims[i].inputs = new uint256[](inputs + 1);
            expectReason(
                claims,
                abi.encodeWithSelector(
                    MusterVerifier.WrongInputs.selector, 32 * inputs, 32 * inputs + 32
                )
            );
            claims = good();
            uint256 length = claims[i].proof.length;
            claims[i].proof = bytes.concat(claims[i].proof, hex"00");
            expectReason(
                claims,
                abi.encodeWithSelector(MusterVerifier.WrongProofLength.selector, length, length + 1)
            );
        }
    }

    /// @dev A proof that is refused before its pairing ends it; one that its pairing refuses does not.
    function testOneThatIsRefusedEarlyEndsIt() public {
        MusterVerifier.Claim[] memory claims = good();
        claims[1].name = 0;
        claims[0].proof = withPoint(claims[0].proof, 0, 0, 0);
        assertFalse(holds(claims), "nobody asks for the key");
        claims[0].proof = at(0).proof;
        claims[0].inputs[0] ^= 1;
        claims[0].proof = withInverse(at(0), claims[0].inputs, claims[0].proof);
        expectReason(claims, abi.encodeWithSelector(MusterVerifier.UnknownKey.selector, 0));
    }

    /// @dev Calldata that is cut, and lengths that lead out of it.
    function testCalldataThatIsNoList() public view {
        bytes memory whole = abi.encodeCall(MusterVerifier.verifyAll, (good()));
        for (uint256 kept = 4; kept < whole.length - 32; kept += 137) {
            bytes memory cut = bytes.concat(whole);
            assembly ("memory-safe") {
                mstore(cut, kept)
            }
            (bool success,) = address(verifier).staticcall(cut);
            assertFalse(success, "cut");
        }
        uint256[3] memory ways = [uint256(2) ** 64, 2 ** 255, type(uint256).max];
        for (uint256 i = 0; i < 3; ++i) {
            bytes memory bad = bytes.concat(whole);
            setWord(bad, 36, ways[i]);
            (bool success,) = address(verifier).staticcall(bad);
            assertFalse(success, "so many");
        }
    }

    /// @dev Each of the four calls that add the second proof to the sums.
    function testEachPrecompileOfTheSumsFails() public {
        (Vector memory one, Vector memory next) = (at(0), at(1));
        bytes32 names = keccak256(abi.encode(one.trace[15], next.trace[15]));
        uint256 weight = uint256(names) >> 128;
        uint256[2] memory left = withoutOne(next);
        uint256[2] memory right = [next.trace[26], next.trace[27]];
        uint256[2] memory ownRight = [one.trace[26], one.trace[27]];
        failsFor(7, abi.encode(left, weight));
        failsFor(7, abi.encode(right, weight));
        failsFor(6, abi.encode(multiplied(left, weight), withoutOne(one)));
        failsFor(6, abi.encode(ownRight, multiplied(right, weight)));
        // The weight of the third follows from all three names.
        weight = uint256(keccak256(abi.encode(names, at(2).trace[15]))) >> 128;
        vm.mockCallRevert(address(7), abi.encode(withoutOne(at(2)), weight), "");
        expectReason(good(), abi.encodePacked(MusterVerifier.PrecompileFailed.selector));
    }

    function failsFor(uint160 precompile, bytes memory data) private {
        vm.mockCallRevert(address(precompile), data, "");
        expectReason(two(at(0), at(1)), abi.encodePacked(MusterVerifier.PrecompileFailed.selector));
        vm.clearMockedCalls();
    }

    /// @dev The left point of the sums: `BY_ONE·[1]₁` is taken away again.
    function withoutOne(Vector memory vector) private view returns (uint256[2] memory found) {
        uint256[2] memory one = multiplied([uint256(1), 2], R - vector.trace[23]);
        (found[0], found[1]) = added([vector.trace[24], vector.trace[25]], one);
    }

    /// @dev Where a compiler took the verifier's memory for itself, nothing is read or said. This one does not take so much; so the
    /// code begins with CODESIZE, PUSH1 64, MSTORE, JUMPDEST in place of PUSH1 128, PUSH1 64, MSTORE: what is free begins behind as
    /// many bytes as the code has.
    function testMemoryMustBeFree() public {
        bytes memory code = address(verifier).code;
        bytes memory call = abi.encodeCall(MusterVerifier.verifyAll, (good()));
        assertEq(bytes5(code), bytes5(hex"6080604052"), "how compiled code begins");
        (bool ok, bytes memory answer) = address(verifier).staticcall(call);
        assertTrue(ok && wordAt(answer, 0) == 1, "free");
        bytes memory start = hex"386040525b";
        for (uint256 i = 0; i < start.length; ++i) {
            code[i] = start[i];
        }
        vm.etch(address(verifier), code);
        (ok, answer) = address(verifier).staticcall(call);
        assertTrue(!ok && answer.length == 0, "taken");
    }

    // ------------------------------------------------------------------------------ What it costs

    /// @dev `forge test --match-contract VerifyAllTest --match-test Cost -vv` prints the figures.
    function testCostOfASharedPairing() public {
        Vector memory six = honest("six-packs");
        emit log_named_uint("two of six packs, one pairing", gasOf(two(six, six), true));
        uint256 alone = 0;
        for (uint256 i = 0; i < 3; ++i) {
            verifier.verify(at(i).name, at(i).inputs, at(i).proof);
            alone += vm.lastCallGas().gasTotalUsed;
        }
        uint256 together = gasOf(good(), true);
        emit log_named_uint("three proofs, each in its call", alone);
        emit log_named_uint("three proofs, one pairing", together);
        assertBelow(together + 210_000, alone, "two pairings less");
        together = gasOf(two(at(0), at(0)), true);
        emit log_named_uint("two of five packs, one pairing", together);
        assertBelow(together, 365_000, "two");
    }

    /// @dev Whatever is wrong, in whichever place: as much as a good batch, and 100 for each proof.
    function testBadBatchesCostNoMore() public view {
        uint256 limit = gasOf(good(), true) + 300;
        for (uint256 i = 0; i < 3; ++i) {
            Vector memory vector = at(i);
            (uint256[] memory points, uint256[] memory scalars) = places(vector);
            for (uint256 p = 0; p < points.length; ++p) {
                uint256 place = points[p] + 32;
                uint256 y = wordAt(vector.proof, place);
                costsNoMore(i, withWord(vector.proof, place, y ^ 1), limit);
                costsNoMore(i, withWord(vector.proof, place, Q - y), limit);
                costsNoMore(i, withPoint(vector.proof, points[p], 0, 0), limit);
            }
            for (uint256 s = 0; s < scalars.length - 1; ++s) {
                costsNoMore(i, withWord(vector.proof, scalars[s], R - 1), limit);
            }
        }
    }

    function costsNoMore(uint256 i, bytes memory proof, uint256 limit) private view {
        MusterVerifier.Claim[] memory claims = good();
        claims[i].proof = withInverse(at(i), claims[i].inputs, proof);
        assertBelow(gasOf(claims, false), limit, "no more than a good one");
    }

    function testTooLittleGas() public view {
        this.starve(good());
        this.starve(two(at(1), at(2)));
    }

    /// @dev From outside, so that the calls in it are not transactions of their own.
    function starve(MusterVerifier.Claim[] calldata claims) external view {
        bytes memory data = abi.encodeCall(MusterVerifier.verifyAll, (claims));
        uint256 most = gasleft();
        assertTrue(verifier.verifyAll(claims), "with all of it");
        most -= gasleft();
        uint256 accepted = 0;
        for (uint256 level = 0; level <= LEVELS; ++level) {
            accepted += withGas(data, most * level / LEVELS);
            accepted += withGas(data, most - level * 150);
        }
        assertTrue(accepted != 0 && accepted < 2 * LEVELS, "some levels are enough, some are not");
    }

    function withGas(bytes memory data, uint256 level) private view returns (uint256) {
        (bool success, bytes memory result) = address(verifier).staticcall{gas: level}(data);
        if (success) {
            assertEq(wordAt(result, 0), 1, "good proofs are not false");
            return 1;
        }
        if (result.length == 0) return 0;
        assertEq(result.length, 4, "an error without arguments");
        bytes4 selector = bytes4(bytes32(wordAt(result, 0)));
        assertTrue(selector == MusterVerifier.PrecompileFailed.selector, "for lack of gas");
        return 0;
    }

    // ------------------------------------------------------------------------------ Helpers

    function at(uint256 i) private view returns (Vector memory) {
        if (i == 0) return three;
        return i == 1 ? small : other;
    }

    function claimOf(Vector memory vector) private pure returns (MusterVerifier.Claim memory) {
        return MusterVerifier.Claim(vector.name, inputsOf(vector), bytes.concat(vector.proof));
    }

    /// @dev A copy, which a test may change.
    function inputsOf(Vector memory vector) private pure returns (uint256[] memory inputs) {
        inputs = new uint256[](vector.inputs.length);
        for (uint256 i = 0; i < inputs.length; ++i) {
            inputs[i] = vector.inputs[i];
        }
    }

    function two(Vector memory one, Vector memory next)
        private
        pure
        returns (MusterVerifier.Claim[] memory claims)
    {
        claims = new MusterVerifier.Claim[](2);
        (claims[0], claims[1]) = (claimOf(one), claimOf(next));
    }

    function good() private view returns (MusterVerifier.Claim[] memory claims) {
        claims = new MusterVerifier.Claim[](3);
        for (uint256 i = 0; i < 3; ++i) {
            claims[i] = claimOf(at(i));
        }
    }

    function holds(MusterVerifier.Claim[] memory claims) private view returns (bool) {
        return verifier.verifyAll(claims);
    }

    /// @dev As it is, and with the inverse that it has to have.
    function refused(uint256 i, bytes memory proof) private view {
        MusterVerifier.Claim[] memory claims = good();
        claims[i].proof = proof;
        assertFalse(holds(claims), "a bad proof");
        claims[i].proof = withInverse(at(i), claims[i].inputs, proof);
        if (keccak256(claims[i].proof) == keccak256(at(i).proof)) return;
        assertFalse(holds(claims), "a bad proof with its inverse");
    }

    function gasOf(MusterVerifier.Claim[] memory claims, bool expected)
        private
        view
        returns (uint256)
    {
        assertTrue(holds(claims) == expected, "the verdict");
        return vm.lastCallGas().gasTotalUsed;
    }

    function expectReason(MusterVerifier.Claim[] memory claims, bytes memory reason) private {
        vm.expectRevert(reason);
        verifier.verifyAll(claims);
    }

    function withPoint(bytes memory proof, uint256 place, uint256 x, uint256 y)
        private
        pure
        returns (bytes memory changed)
    {
        changed = withWord(proof, place, x);
        setWord(changed, place + 32, y);
    }

    function added(uint256[2] memory a, uint256[2] memory b)
        private
        view
        returns (uint256 x, uint256 y)
    {
        (bool success, bytes memory sum) = address(6).staticcall(abi.encode(a, b));
        assertTrue(success, "points");
        return (wordAt(sum, 0), wordAt(sum, 32));
    }

    function multiplied(uint256[2] memory point, uint256 by)
        private
        view
        returns (uint256[2] memory)
    {
        (bool success, bytes memory product) = address(7).staticcall(abi.encode(point, by));
        assertTrue(success, "a point");
        return [wordAt(product, 0), wordAt(product, 32)];
    }

    /// @dev Whether a left and a right point, which is negated, hold under the `[τ]₂` of a key.
    function pairs(uint256[4] memory sum, bytes memory evmKey) private view returns (bool) {
        uint256[4] memory one = [
            0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2,
            0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed,
            0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b,
            0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa
        ];
        uint256[4] memory tau;
        for (uint256 i = 0; i < 4; ++i) {
            tau[i] = wordAt(evmKey, 64 + 32 * i);
        }
        bytes memory data = abi.encode(sum[0], sum[1], one, sum[2], sum[3], tau);
        (bool success, bytes memory result) = address(8).staticcall(data);
        return success && wordAt(result, 0) == 1;
    }
}
