// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev A proof that is changed in any way is false, and a call that is wrong reverts.
contract ProofsTest is Vectors {
    Vector private small;
    Vector private other;
    Vector private three;

    function setUp() public override {
        super.setUp();
        small = honest("small");
        other = honest("stride-7");
        three = honest("three-inputs");
    }

    /// @dev Each word of one proof, and of the others a few, or all.
    function testEachWordChanged() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            Vector memory vector = honest(labels[i]);
            assertTrue(verify(vector), vector.label);
            bool whole = all() || i == 5;
            for (
                uint256 place = whole ? 0 : 32 * i;
                place < vector.proof.length;
                place += whole ? 32 : 288
            ) {
                changeWord(vector, place);
            }
        }
    }

    function changeWord(Vector memory vector, uint256 place) private view {
        bytes memory proof = vector.proof;
        uint256 word = wordAt(proof, place);
        assertRefused(vector, withWord(proof, place, word ^ 1), "the lowest bit");
        assertRefused(vector, withWord(proof, place, word ^ (1 << 255)), "the highest bit");
        assertRefused(vector, withWord(proof, place, word ^ (1 << (place * 5 % 253))), "some bit");
        assertRefused(vector, withWord(proof, place, 0), "zero");
        assertRefused(vector, withWord(proof, place, type(uint256).max), "all bits");
        uint256 next = (place + 32) % proof.length;
        bytes memory swapped = withWord(proof, place, wordAt(proof, next));
        setWord(swapped, next, word);
        assertRefused(vector, swapped, "swapped with the next");
    }

    /// @dev Each point: other representatives, its negative, the identity, and other points. They are on
    /// the curve, but for the first ones.
    function testEachPointReplaced() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            if (!all() && i != 5) continue;
            Vector memory vector = honest(labels[i]);
            (uint256[] memory points,) = places(vector);
            for (uint256 p = 0; p < points.length; ++p) {
                replacePoint(vector, points[p], points[(p + 1) % points.length]);
            }
        }
    }

    function replacePoint(Vector memory vector, uint256 place, uint256 next) private view {
        bytes memory proof = vector.proof;
        uint256 x = wordAt(proof, place);
        uint256 y = wordAt(proof, place + 32);
        assertRefused(vector, withPoint(proof, place, x + Q, y), "x + q");
        assertRefused(vector, withPoint(proof, place, x, y + Q), "y + q");
        assertRefused(vector, withPoint(proof, place, 0, 0), "the identity");
        assertRefused(vector, withPoint(proof, place, Q, Q), "another identity");
        assertRefused(vector, withPoint(proof, place, y, x), "coordinates swapped");
        assertRefused(vector, withPoint(proof, place, x, Q - y), "the negative");
        assertRefused(vector, withPoint(proof, place, 1, 2), "the generator");
        bytes memory swapped =
            withPoint(proof, place, wordAt(proof, next), wordAt(proof, next + 32));
        assertRefused(vector, swapped, "the next point");
        setWord(swapped, next, x);
        setWord(swapped, next + 32, y);
        assertRefused(vector, swapped, "swapped with the next point");
    }

    function testEachScalarReplaced() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            if (!all() && i != 5) continue;
            Vector memory vector = honest(labels[i]);
            (, uint256[] memory scalars) = places(vector);
            for (uint256 s = 0; s < scalars.length; ++s) {
                uint256 word = wordAt(vector.proof, scalars[s]);
                assertRefused(vector, withWord(vector.proof, scalars[s], word + R), "+ r");
                assertRefused(vector, withWord(vector.proof, scalars[s], R), "r");
                assertRefused(vector, withWord(vector.proof, scalars[s], R - word), "negated");
                assertRefused(vector, withWord(vector.proof, scalars[s], addmod(word, 1, R)), "+ 1");
            }
        }
    }

    /// @dev One word is right, and no other: none is reduced, and 0 is the inverse of nothing.
    function testOnlyOneInverse() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            Vector memory vector = honest(labels[i]);
            uint256 place = vector.proof.length - 32;
            uint256 word = wordAt(vector.proof, place);
            uint256[11] memory wrong = [
                0,
                1,
                R - 1,
                R,
                R + 1,
                word + R,
                word + 2 * R,
                R - word,
                addmod(word, 1, R),
                mulmod(word, word, R),
                wordAt(vector.proof, place - 32)
            ];
            for (uint256 w = 0; w < wrong.length; ++w) {
                assertRefused(vector, withWord(vector.proof, place, wrong[w]), "an inverse");
            }
        }
    }

    function testOtherLengths() public view {
        bytes memory proof = three.proof;
        uint256 length = proof.length;
        uint256[8] memory lengths =
            [0, 1, 32, length - 64, length - 32, length - 1, length + 1, length + 32];
        for (uint256 i = 0; i < lengths.length; ++i) {
            bytes memory changed = new bytes(lengths[i]);
            for (uint256 place = 0; place < lengths[i] && place < length; ++place) {
                changed[place] = proof[place];
            }
            bytes memory reason = abi.encodeWithSelector(
                MusterVerifier.WrongProofLength.selector, length, lengths[i]
            );
            assertReverts(three.name, three.inputs, changed, reason);
        }
    }

    function testWrongInputs() public view {
        Vector memory vector = three;
        for (uint256 i = 0; i < 3; ++i) {
            uint256[3] memory changed =
                [vector.inputs[i] + 1, R - 1, i == 0 ? vector.inputs[1] : vector.inputs[i - 1]];
            for (uint256 c = 0; c < 3; ++c) {
                uint256[] memory inputs = copyOf(vector.inputs, 3);
                inputs[i] = changed[c];
                assertRefused(vector, inputs, vector.proof, "another input");
            }
        }
    }

    function testInputsThatAreTooLarge() public view {
        Vector memory vector = three;
        for (uint256 i = 0; i < 3; ++i) {
            uint256[3] memory words = [R, vector.inputs[i] + R, type(uint256).max];
            for (uint256 c = 0; c < 3; ++c) {
                uint256[] memory inputs = copyOf(vector.inputs, 3);
                inputs[i] = words[c];
                // Of several, the first is named.
                inputs[2] = words[c];
                bytes memory reason =
                    abi.encodeWithSelector(MusterVerifier.InputTooLarge.selector, i, words[c]);
                assertReverts(vector.name, inputs, vector.proof, reason);
            }
        }
    }

    function testTooFewAndTooManyInputs() public view {
        Vector memory vector = three;
        for (uint256 count = 0; count < 6; ++count) {
            if (count == 3) continue;
            bytes memory reason =
                abi.encodeWithSelector(MusterVerifier.WrongInputs.selector, 96, 32 * count);
            assertReverts(vector.name, copyOf(vector.inputs, count), vector.proof, reason);
        }
    }

    /// @dev Bytes that are no whole words, which only one of the functions can be given.
    function testInputsThatAreNoWords() public view {
        bytes memory inputs = abi.encodePacked(three.inputs, hex"00");
        (bool success, bytes memory reason) = address(verifier)
            .staticcall(
                abi.encodeCall(MusterVerifier.verifyProof, (three.name, inputs, three.proof))
            );
        assertTrue(!success, "97 bytes");
        bytes memory expected = abi.encodeWithSelector(MusterVerifier.WrongInputs.selector, 96, 97);
        assertEq(keccak256(reason), keccak256(expected), "97 bytes");
    }

    function testUnknownKey() public view {
        bytes32 name = bytes32(uint256(three.name) ^ 1);
        bytes memory reason = abi.encodeWithSelector(MusterVerifier.UnknownKey.selector, name);
        assertReverts(name, three.inputs, three.proof, reason);
        assertReverts(
            0,
            three.inputs,
            three.proof,
            abi.encodeWithSelector(MusterVerifier.UnknownKey.selector, 0)
        );
    }

    /// @dev Two circuits with inputs and proofs of the same length.
    function testProofOfAnotherKey() public view {
        assertEq(small.proof.length, other.proof.length, "the same length");
        assertTrue(verify(small) && verify(other), "both hold");
        assertRefused(small, other.proof, "under the first key");
        assertRefused(other, small.proof, "under the second key");
    }

    /// @dev One contract for all: keys, inputs and proofs in any order leave no trace in each other.
    function testManyProofsInOneCall() public view {
        this.manyProofs();
    }

    function manyProofs() external view {
        for (uint256 i = 0; i < 3; ++i) {
            assertTrue(verify(small) && verify(three) && verify(other), "they hold");
            assertRefused(three, withWord(three.proof, 0, 1), "and this one does not");
        }
    }

    /// @dev Any changes at all: the verdict is `true` if there are none, and else it is not.
    function testFuzzChanges(uint256 seed) public view {
        Vector memory vector = three;
        bytes memory proof = bytes.concat(vector.proof);
        uint256[] memory inputs = copyOf(vector.inputs, 3);
        uint256 changes = seed % 4;
        for (uint256 i = 0; i < changes; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 place = (seed >> 8) % (proof.length / 32) * 32;
            uint256 from = (seed >> 32) % (proof.length / 32) * 32;
            uint256 kind = seed % 8;
            if (kind == 0) setWord(proof, place, seed % R);
            if (kind == 1) setWord(proof, place, wordAt(proof, from));
            if (kind == 2) setWord(proof, place, wordAt(proof, place) ^ (1 << (seed >> 64) % 254));
            if (kind == 3) setWord(proof, place, addmod(wordAt(proof, place), 1, R));
            if (kind == 4) inputs[place % 3] = inputs[from % 3];
            if (kind == 5) inputs[place % 3] = seed % R;
            if (kind == 6) movePoint(vector, proof, seed >> 64, seed >> 128);
            if (kind == 7) {
                (proof, inputs) = (bytes.concat(vector.proof), copyOf(vector.inputs, 3));
            }
        }
        bool same = keccak256(abi.encode(proof, inputs))
            == keccak256(abi.encode(vector.proof, vector.inputs));
        if (same) assertTrue(verify(vector), "nothing is changed");
        else assertRefused(vector, inputs, proof, "only if nothing is changed");
    }

    function movePoint(Vector memory vector, bytes memory proof, uint256 to, uint256 from)
        private
        pure
    {
        (uint256[] memory points,) = places(vector);
        (to, from) = (points[to % points.length], points[from % points.length]);
        setWord(proof, to, wordAt(proof, from));
        setWord(proof, to + 32, wordAt(proof, from + 32));
    }

    function withPoint(bytes memory proof, uint256 place, uint256 x, uint256 y)
        private
        pure
        returns (bytes memory changed)
    {
        changed = withWord(proof, place, x);
        setWord(changed, place + 32, y);
    }

    function copyOf(uint256[] memory words, uint256 count)
        private
        pure
        returns (uint256[] memory copy)
    {
        copy = new uint256[](count);
        for (uint256 i = 0; i < count && i < words.length; ++i) {
            copy[i] = words[i];
        }
    }
}
