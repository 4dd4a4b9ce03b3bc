// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterStatement} from "../src/MusterStatement.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Orders} from "./base/Example.sol";
import {Statements} from "./base/Statements.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev What the library makes of each kind of message, and each of its checks from both sides of the
/// border. `StatementFiles.t.sol` compares it with known answers.
contract StatementTest is Vectors {
    uint256 private constant ROOT = 0xc0ffee;
    uint256 private constant THRESHOLD = 8;
    uint256 private constant MOST_THRESHOLD = 2 ** 60 - 1;
    uint256 private constant KINDS = 7;
    /// @dev Three words of a mask, the last one of 4 bits.
    uint256 private constant MEMBERS = 500;
    /// @dev The prime of BLS12-381.
    uint256 private constant P_HIGH = 0x1a0111ea397fe69a4b1ba7b6434bacd7;
    uint256 private constant P_LOW =
        0x64774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab;

    Statements private _statements = new Statements();

    // ------------------------------------------------------------------------------ Kinds

    function testElement() public view {
        uint256[] memory inputs = _statements.ofElement(ROOT, THRESHOLD, 5678);
        expect(inputs, abi.encode(ROOT, THRESHOLD, 5678));
        inputs = _statements.ofElement(ROOT, THRESHOLD, R - 1);
        expect(inputs, abi.encode(ROOT, THRESHOLD, R - 1));
        // Unlike a root or a threshold it may be 0.
        expect(_statements.ofElement(ROOT, THRESHOLD, 0), abi.encode(ROOT, THRESHOLD, 0));
    }

    function testElementTooLarge() public view {
        uint256[2] memory elements = [R, type(uint256).max];
        for (uint256 i = 0; i < 2; ++i) {
            refused(
                abi.encodeCall(Statements.ofElement, (ROOT, THRESHOLD, elements[i])),
                abi.encodeWithSelector(MusterStatement.ElementOutOfRange.selector, elements[i])
            );
        }
    }

    /// @dev Any word is a digest.
    function testDigest() public view {
        uint256 half = type(uint128).max;
        expect(
            _statements.ofDigest(ROOT, THRESHOLD, bytes32(type(uint256).max)),
            abi.encode(ROOT, THRESHOLD, half, half)
        );
    }

    /// @dev 24 bytes, 24, and 16 with the length behind them, byte by byte.
    function testPlainOfEachLength() public view {
        for (uint256 length = 0; length <= 64; ++length) {
            bytes memory message = bytesOf(length);
            uint256[3] memory words;
            for (uint256 i = 0; i < 64; ++i) {
                uint8 next = i < length ? uint8(message[i]) : 0;
                words[i / 24] = words[i / 24] << 8 | next;
            }
            words[2] = words[2] << 8 | length;
            expect(
                _statements.ofPlain(ROOT, THRESHOLD, message), abi.encode(ROOT, THRESHOLD, words)
            );
        }
    }

    function testPlainTooLong() public view {
        for (uint256 length = 65; length < 400; length += 67) {
            refused(
                abi.encodeCall(Statements.ofPlain, (ROOT, THRESHOLD, bytesOf(length))),
                abi.encodeWithSelector(MusterStatement.MessageTooLong.selector, 64, length)
            );
        }
    }

    /// @dev The padding is not what happens to lie behind the message in calldata.
    function testPlainIgnoresWhatIsBehind() public view {
        bytes memory call = abi.encodeCall(Statements.ofPlain, (ROOT, THRESHOLD, hex"aabb"));
        // Selector, three words of the head, the length; the message is two bytes of the last word.
        setWord(call, 4 + 4 * 32, type(uint256).max);
        (bool ok, bytes memory answer) = address(_statements).staticcall(call);
        assertTrue(ok, "accepted");
        uint256[] memory clean = _statements.ofPlain(ROOT, THRESHOLD, hex"ffff");
        assertEq(keccak256(answer), keccak256(abi.encode(clean)), "the same");
    }

    // ------------------------------------------------------------------------------ Points

    /// @dev Each coordinate in turn, at its prime and one below.
    function testCoordinatesOfBn254() public view {
        uint256[3] memory words = [Q - 1, Q, type(uint256).max];
        for (uint256 c = 0; c < 12; ++c) {
            (uint256 i, uint256 word) = (c % 4, words[c / 4]);
            uint256[4] memory g2;
            g2[i] = word;
            coordinate(abi.encodeCall(Statements.ofBn254G2, (ROOT, THRESHOLD, g2)), i, word < Q);
            if (i > 1) continue;
            uint256[2] memory g1;
            g1[i] = word;
            coordinate(abi.encodeCall(Statements.ofBn254G1, (ROOT, THRESHOLD, g1)), i, word < Q);
        }
    }

    function testCoordinatesOfBls12381() public view {
        for (uint256 i = 0; i < 4; ++i) {
            coordinateOfBls12381(i, P_HIGH, P_LOW - 1, true);
            coordinateOfBls12381(i, P_HIGH - 1, type(uint256).max, true);
            coordinateOfBls12381(i, P_HIGH, P_LOW, false);
            coordinateOfBls12381(i, P_HIGH, type(uint256).max, false);
            coordinateOfBls12381(i, P_HIGH + 1, 0, false);
            coordinateOfBls12381(i, 1 << 128, 0, false);
            coordinateOfBls12381(i, type(uint256).max, 0, false);
        }
    }

    function coordinateOfBls12381(uint256 i, uint256 high, uint256 low, bool good) private view {
        uint256[8] memory g2;
        (g2[2 * i], g2[2 * i + 1]) = (high, low);
        coordinate(abi.encodeCall(Statements.ofBls12381G2, (ROOT, THRESHOLD, g2)), i, good);
        if (i > 1) return;
        uint256[4] memory g1;
        (g1[2 * i], g1[2 * i + 1]) = (high, low);
        coordinate(abi.encodeCall(Statements.ofBls12381G1, (ROOT, THRESHOLD, g1)), i, good);
    }

    function coordinate(bytes memory call, uint256 i, bool good) private view {
        if (good) {
            accepted(call);
        } else {
            refused(call, abi.encodeWithSelector(MusterStatement.CoordinateOutOfRange.selector, i));
        }
    }

    // ------------------------------------------------------------------------------ Root and threshold

    function testRoots() public view {
        uint256[3] memory bad = [0, R, type(uint256).max];
        for (uint256 kind = 0; kind <= KINDS; ++kind) {
            accepted(callOf(kind, 1, THRESHOLD));
            accepted(callOf(kind, R - 1, THRESHOLD));
            for (uint256 i = 0; i < 3; ++i) {
                refused(
                    callOf(kind, bad[i], THRESHOLD),
                    abi.encodeWithSelector(MusterStatement.RootOutOfRange.selector, bad[i])
                );
            }
        }
    }

    /// @dev A root is a hash, so that no threshold is as large: the two in the wrong order are refused, too.
    function testThresholds() public view {
        uint256 root = uint256(keccak256("root")) >> 3;
        uint256[5] memory bad = [0, MOST_THRESHOLD + 1, root, R + 1, type(uint256).max];
        for (uint256 kind = 0; kind <= KINDS; ++kind) {
            accepted(callOf(kind, ROOT, 1));
            accepted(callOf(kind, ROOT, MOST_THRESHOLD));
            for (uint256 i = 0; i < 5; ++i) {
                refused(
                    callOf(kind, ROOT, bad[i]),
                    abi.encodeWithSelector(MusterStatement.ThresholdOutOfRange.selector, bad[i])
                );
            }
        }
    }

    /// @dev Every kind has root and threshold first, and as many inputs as the circuit.
    function testInputsOfEachKind() public view {
        uint256[KINDS] memory inputs = [uint256(3), 4, 5, 6, 10, 8, 14];
        for (uint256 kind = 0; kind <= KINDS; ++kind) {
            (bool ok, bytes memory answer) =
                address(_statements).staticcall(callOf(kind, ROOT, THRESHOLD));
            assertTrue(ok, "accepted");
            uint256[] memory found = abi.decode(answer, (uint256[]));
            assertEq(found.length, kind < KINDS ? inputs[kind] : 3 + 3, "as many");
            assertEq(found[0], ROOT, "root");
            assertEq(found[1], THRESHOLD, "threshold");
        }
    }

    // ------------------------------------------------------------------------------ Signers

    /// @dev Behind a message of each kind.
    function testMasks() public view {
        uint256[] memory mask = maskOf(7, 300);
        for (uint256 kind = 0; kind < KINDS; ++kind) {
            (, bytes memory answer) = address(_statements).staticcall(callOf(kind, ROOT, THRESHOLD));
            uint256[] memory statement = abi.decode(answer, (uint256[]));
            for (uint256 i = 2; i < statement.length; ++i) {
                statement[i] = i;
            }
            expect(
                _statements.withSigners(statement, MEMBERS, mask), abi.encodePacked(statement, mask)
            );
        }
    }

    /// @dev The statement itself stays as it is, and may be used again.
    function testAStatementWithoutItsSigners() public pure {
        uint256[] memory statement = MusterStatement.ofElement(ROOT, THRESHOLD, 5);
        uint256[] memory mask = maskOf(1, 2);
        uint256[] memory named = MusterStatement.withSigners(statement, MEMBERS, mask);
        named[0] = 1;
        assertEq(
            keccak256(abi.encodePacked(statement)),
            keccak256(abi.encode(ROOT, THRESHOLD, 5)),
            "unchanged"
        );
    }

    function testBitsForNobody() public view {
        uint256[3] memory bits = [uint256(248), 248, 4];
        for (uint256 i = 0; i < 3; ++i) {
            uint256[] memory mask = maskOf(7, 300);
            mask[i] = (1 << bits[i]) - 1;
            accepted(withMask(MEMBERS, mask));
            for (uint256 bit = bits[i]; bit < 256; ++bit) {
                mask = maskOf(7, 300);
                mask[i] |= 1 << bit;
                refused(
                    withMask(MEMBERS, mask),
                    abi.encodeWithSelector(MusterStatement.MaskBitForNobody.selector, i, mask[i])
                );
            }
        }
    }

    function testMembers() public view {
        uint256[4] memory members = [uint256(1), 248, 249, 16_384];
        uint256[4] memory words = [uint256(1), 1, 2, 67];
        for (uint256 i = 0; i < 4; ++i) {
            uint256[] memory mask = new uint256[](words[i]);
            uint256 last = members[i] - 1;
            mask[last / 248] = 1 << (last % 248);
            accepted(withMask(members[i], mask));
            assertTrue(_statements.isSigner(members[i], mask, last), "the last member");
            mask[last / 248] <<= 1;
            refused(
                withMask(members[i], mask),
                abi.encodeWithSelector(
                    MusterStatement.MaskBitForNobody.selector, last / 248, mask[last / 248]
                )
            );
            wrongLength(members[i], words[i], words[i] - 1);
            wrongLength(members[i], words[i], words[i] + 1);
        }
        noMembers(0, 0);
        noMembers(0, 1);
        noMembers(16_385, 67);
        noMembers(type(uint256).max, 1);
        noMembers(type(uint256).max - 246, 0);
    }

    function testStatementsThatAreTooShort() public view {
        for (uint256 length = 0; length < 4; ++length) {
            uint256[] memory statement = new uint256[](length);
            for (uint256 i = 0; i < length; ++i) {
                statement[i] = 1;
            }
            bytes memory call =
                abi.encodeCall(Statements.withSigners, (statement, MEMBERS, maskOf(1, 2)));
            if (length > 2) {
                accepted(call);
            } else {
                refused(
                    call, abi.encodeWithSelector(MusterStatement.StatementTooShort.selector, length)
                );
            }
        }
    }

    function testFuzzSigners(uint256 first, uint256 second, uint256 member) public view {
        (first, second, member) = (first % MEMBERS, second % MEMBERS, member % MEMBERS);
        uint256[] memory mask = maskOf(first, second);
        accepted(withMask(MEMBERS, mask));
        bool signed = member == first || member == second;
        assertTrue(_statements.isSigner(MEMBERS, mask, member) == signed, "anyone");
        assertTrue(_statements.isSigner(MEMBERS, mask, first), "the first");
        assertTrue(_statements.isSigner(MEMBERS, mask, second), "the second");
    }

    function testPlacesOfBits() public view {
        uint256[] memory mask = maskOf(0, 499);
        expect(mask, abi.encode(1, 0, 8));
        mask = maskOf(247, 248);
        expect(mask, abi.encode(1 << 247, 1, 0));
        assertTrue(_statements.isSigner(MEMBERS, mask, 247), "the last of a word");
        assertTrue(_statements.isSigner(MEMBERS, mask, 248), "the first of the next");
        assertTrue(!_statements.isSigner(MEMBERS, mask, 246), "another one");
    }

    /// @dev A bit that stands for nobody says nothing of anybody.
    function testFuzzNobodyIsAMemberBeyond(uint256 member) public view {
        uint256[] memory mask = maskOf(0, 1);
        mask[2] = type(uint256).max;
        for (uint256 i = 0; i < 3; ++i) {
            uint256 beyond = [MEMBERS, MEMBERS + 100, member][i];
            if (beyond < MEMBERS) continue;
            refused(
                abi.encodeCall(Statements.isSigner, (MEMBERS, mask, beyond)),
                abi.encodeWithSelector(MusterStatement.NoSuchMember.selector, beyond)
            );
        }
    }

    // ------------------------------------------------------------------------------ With the verifier

    /// @dev A real proof: that of `three-inputs` has inputs that are a statement about an element.
    function testAProofOfAStatement() public {
        Vector memory vector = honest("three-inputs");
        uint256[] memory inputs = MusterStatement.ofElement(2, 3, 4);
        assertTrue(verifier.verify(vector.name, inputs, vector.proof), "holds");
        verifier.verifyProof(vector.name, abi.encodePacked(inputs), vector.proof);
        uint256[3][3] memory others = [[uint256(3), 3, 4], [uint256(2), 2, 4], [uint256(2), 3, 5]];
        for (uint256 i = 0; i < 3; ++i) {
            inputs = MusterStatement.ofElement(others[i][0], others[i][1], others[i][2]);
            assertTrue(!verifier.verify(vector.name, inputs, vector.proof), "another statement");
        }
        // A message of another kind.
        assertReverts(
            vector.name,
            MusterStatement.ofDigest(2, 3, bytes32(uint256(4))),
            vector.proof,
            abi.encodeWithSelector(MusterVerifier.WrongInputs.selector, 96, 128)
        );
    }

    /// @dev What README.md shows asks the verifier about exactly this.
    function testTheExample() public {
        Orders orders = new Orders();
        bytes memory order = "pay 5 to alice";
        bytes32 signed = keccak256(abi.encode(block.chainid, address(orders), order));
        uint256[] memory inputs = new uint256[](4);
        (inputs[0], inputs[1]) = (ROOT, THRESHOLD);
        (inputs[2], inputs[3]) = (uint256(signed) >> 128, uint256(uint128(uint256(signed))));
        address called = address(0x1234);
        vm.etch(called, address(verifier).code);
        vm.mockCall(
            called,
            abi.encodeCall(
                MusterVerifier.verify, (keccak256("the EVM key"), inputs, bytes("a good proof"))
            ),
            abi.encode(true)
        );
        (bool ok,) = address(orders).call(abi.encodeCall(Orders.carryOut, (order, "a bad proof")));
        assertTrue(!ok && !orders.isDone(signed), "not signed");
        orders.carryOut(order, "a good proof");
        assertTrue(orders.isDone(signed), "signed");
        (ok,) = address(orders).call(abi.encodeCall(Orders.carryOut, (order, "a good proof")));
        assertTrue(!ok, "twice");
    }

    /// @dev It stands there as it is here.
    function testTheExampleIsThatOfTheReadme() public view {
        string memory source = vm.readFile("test/base/Example.sol");
        string memory shown = vm.split(source, "MusterVerifier.sol\";\n\n")[1];
        assertTrue(vm.contains(vm.readFile("README.md"), shown), "README.md shows it");
    }

    // ------------------------------------------------------------------------------ Helpers

    /// @dev A statement of each kind; the last one has its root and threshold from elsewhere and names
    /// the signers.
    function callOf(uint256 kind, uint256 root, uint256 threshold)
        private
        pure
        returns (bytes memory)
    {
        if (kind == 0) return abi.encodeCall(Statements.ofElement, (root, threshold, 5));
        if (kind == 1) return abi.encodeCall(Statements.ofDigest, (root, threshold, "digest"));
        if (kind == 2) return abi.encodeCall(Statements.ofPlain, (root, threshold, "plain"));
        uint256[2] memory two;
        if (kind == 3) return abi.encodeCall(Statements.ofBn254G1, (root, threshold, two));
        uint256[4] memory four;
        if (kind == 4) return abi.encodeCall(Statements.ofBn254G2, (root, threshold, four));
        if (kind == 5) return abi.encodeCall(Statements.ofBls12381G1, (root, threshold, four));
        uint256[8] memory eight;
        if (kind == 6) return abi.encodeCall(Statements.ofBls12381G2, (root, threshold, eight));
        uint256[] memory statement = new uint256[](3);
        (statement[0], statement[1]) = (root, threshold);
        return abi.encodeCall(Statements.withSigners, (statement, MEMBERS, maskOf(7, 300)));
    }

    function maskOf(uint256 first, uint256 second) private pure returns (uint256[] memory mask) {
        mask = new uint256[](3);
        mask[first / 248] |= 1 << (first % 248);
        mask[second / 248] |= 1 << (second % 248);
    }

    function withMask(uint256 members, uint256[] memory mask) private pure returns (bytes memory) {
        uint256[] memory statement = MusterStatement.ofElement(ROOT, THRESHOLD, 5);
        return abi.encodeCall(Statements.withSigners, (statement, members, mask));
    }

    function wrongLength(uint256 members, uint256 expected, uint256 actual) private view {
        bytes memory reason =
            abi.encodeWithSelector(MusterStatement.WrongMaskLength.selector, expected, actual);
        refusedMask(members, actual, reason);
    }

    function noMembers(uint256 members, uint256 words) private view {
        bytes memory reason =
            abi.encodeWithSelector(MusterStatement.MembersOutOfRange.selector, members);
        refusedMask(members, words, reason);
    }

    /// @dev Where a mask is part of a statement, and where it is read.
    function refusedMask(uint256 members, uint256 words, bytes memory reason) private view {
        uint256[] memory mask = new uint256[](words);
        refused(withMask(members, mask), reason);
        refused(abi.encodeCall(Statements.isSigner, (members, mask, 0)), reason);
    }

    /// @dev Bytes without zeros.
    function bytesOf(uint256 length) private pure returns (bytes memory message) {
        message = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            message[i] = bytes1(uint8(255 - i % 255));
        }
    }

    function expect(uint256[] memory inputs, bytes memory expected) private pure {
        assertEq(keccak256(abi.encodePacked(inputs)), keccak256(expected), "the inputs");
    }

    function accepted(bytes memory call) private view {
        (bool ok,) = address(_statements).staticcall(call);
        assertTrue(ok, "accepted");
    }

    function refused(bytes memory call, bytes memory expected) private view {
        (bool ok, bytes memory reason) = address(_statements).staticcall(call);
        assertTrue(!ok, "refused");
        assertEq(keccak256(reason), keccak256(expected), "the reason");
    }
}
