// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterStatement} from "../src/MusterStatement.sol";
import {Statements} from "./base/Statements.sol";
import {Test} from "./base/Test.sol";

/// @dev What wrappers of all kinds offer, and what only some do.
interface Wrapper {
    function verify(bytes calldata proof, uint256[] calldata words) external view returns (bool);
    function verifyMessage(
        bytes calldata proof,
        uint256 root,
        uint256 threshold,
        bytes calldata message
    ) external view returns (bool);
    function wordsOf(uint256 root, uint256 threshold, bytes calldata message)
        external
        pure
        returns (uint256[5] memory);
    function isSigner(uint256[] calldata words, uint256 member) external view returns (bool);
}

/// @dev Stands for a generated verifier: takes what its maker gave it before, and nothing else.
contract Registry {
    address private immutable MAKER = msg.sender;
    mapping(bytes32 => bool) private _isGood;

    fallback(bytes calldata input) external returns (bytes memory) {
        bytes32 key = keccak256(input);
        if (msg.sender == MAKER) _isGood[key] = true;
        require(_isGood[key], "unknown");
        return abi.encode(1);
    }
}

/// @dev For the same arguments the library gives what the wrappers of generated verifiers hand on, and
/// refuses what they refuse. It refuses more in two ways: a root of 0, and a threshold out of its
/// bounds. Their code is that of `contracts/generated`.
contract WrappersTest is Test {
    uint256 private constant Q =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    uint256 private constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    uint256 private constant PROOF_LENGTH = 96;
    uint256 private constant GAS_CAP = 200_000;
    /// @dev Of a mask of two words.
    uint256 private constant MEMBERS = 300;

    Statements private _statements = new Statements();
    address private _stub;
    Wrapper private _elements;
    Wrapper private _digests;
    Wrapper private _bytes;
    Wrapper private _points;
    /// @dev By how many inputs the message has: 1, 2, 3 and 8.
    Wrapper[9] private _masked;

    function setUp() public {
        _stub = address(new Registry());
        vm.etch(_stub, bytes.concat(_stub.code, new bytes(1024)));
        bytes memory arguments = abi.encode(_stub, bytes32("key"), PROOF_LENGTH, GAS_CAP);
        _elements = deploy("MusterVerifier", arguments);
        _digests = deploy("MusterDigestVerifier", arguments);
        _bytes = deploy("MusterBytesVerifier", arguments);
        _points = deploy("MusterWordsVerifier", bytes.concat(arguments, abi.encode(8, 0)));
        for (uint256 i = 1; i < 9; ++i) {
            _masked[i] =
                deploy("MusterWordsVerifier", bytes.concat(arguments, abi.encode(i, MEMBERS)));
        }
    }

    function deploy(string memory name, bytes memory arguments) private returns (Wrapper made) {
        string memory file = vm.readFile(string.concat("../generated/", name, ".bin"));
        bytes memory code = vm.parseBytes(string.concat("0x", vm.trim(file)));
        code = bytes.concat(code, arguments);
        assembly ("memory-safe") {
            made := create(0, add(code, 32), mload(code))
        }
        assertTrue(address(made) != address(0), "deployed");
    }

    /// @dev Numbers are around the bounds: most random ones would be refused.
    function testFuzzElements(uint256 root, uint256 threshold, uint256 element) public {
        (root, threshold, element) = (near(root, R), near(threshold, 1 << 60), near(element, R));
        uint256[] memory words = list(abi.encode(root, threshold, element));
        compare(abi.encodeCall(Statements.ofElement, (root, threshold, element)), _elements, words);
    }

    function testFuzzDigests(uint256 root, uint256 threshold, bytes32 digest) public {
        (root, threshold) = (near(root, R), near(threshold, 1 << 60));
        uint256[] memory words = list(abi.encode(root, threshold, digest));
        compare(abi.encodeCall(Statements.ofDigest, (root, threshold, digest)), _digests, words);
    }

    /// @dev Lengths around the bound.
    function testFuzzBytes(uint256 root, uint256 threshold, bytes32[3] memory seed, uint8 length)
        public
    {
        bytes memory message = abi.encodePacked(seed);
        uint256 most = length % 70;
        assembly ("memory-safe") {
            mstore(message, most)
        }
        compareBytes(near(root, R), near(threshold, 1 << 60), message);
    }

    function compareBytes(uint256 root, uint256 threshold, bytes memory message) private {
        bytes memory call = abi.encodeCall(Statements.ofPlain, (root, threshold, message));
        if (message.length > 64) {
            (bool ok,) = address(_statements).staticcall(call);
            assertTrue(!ok, "too long");
            (ok,) = address(_bytes)
                .staticcall(abi.encodeCall(Wrapper.wordsOf, (root, threshold, message)));
            assertTrue(!ok, "for the wrapper, too");
            return;
        }
        uint256[] memory words = list(abi.encode(_bytes.wordsOf(root, threshold, message)));
        compare(call, _bytes, words);
        if (root == 0 || root >= R || threshold == 0 || threshold >> 60 != 0) return;
        assertEq(
            keccak256(abi.encodePacked(MusterStatement.ofPlain(root, threshold, message))),
            keccak256(abi.encodePacked(words)),
            "the words"
        );
        bool holds = _bytes.verifyMessage(prove(words), root, threshold, message);
        assertTrue(holds, "the message");
    }

    /// @dev Words of the wrapper have real parts first, arguments of the library imaginary ones.
    function testFuzzPoints(uint256 root, uint256 threshold, uint256[4] memory point) public {
        (root, threshold) = (near(root, R), near(threshold, 1 << 60));
        for (uint256 i = 0; i < 4; ++i) {
            point[i] = near(point[i], Q);
        }
        uint256[] memory words = pointWords(root, threshold, point);
        compare(abi.encodeCall(Statements.ofBn254G2, (root, threshold, point)), _points, words);
    }

    function testFuzzMasks(uint256 message, uint256[2] memory seed, uint256 member) public {
        uint256[] memory mask = new uint256[](2);
        mask[0] = near(seed[0], 1 << 248);
        mask[1] = near(seed[1], 1 << 52);
        bytes32 digest = bytes32(message);
        bytes memory plain = abi.encodePacked(digest, uint64(message));
        message %= R;
        uint256[4] memory point = [message % Q, 2, 3, message % Q];

        uint256[] memory words = list(abi.encode(7, 8, message));
        masked(1, MusterStatement.ofElement(7, 8, message), words, mask);
        words = list(abi.encode(7, 8, digest));
        masked(2, MusterStatement.ofDigest(7, 8, digest), words, mask);
        words = list(abi.encode(_bytes.wordsOf(7, 8, plain)));
        masked(3, MusterStatement.ofPlain(7, 8, plain), words, mask);
        masked(8, MusterStatement.ofBn254G2(7, 8, point), pointWords(7, 8, point), mask);

        words = list(abi.encodePacked(abi.encode(7, 8, message), mask));
        for (uint256 i = 0; i < 2; ++i) {
            uint256 asked = i == 0 ? member % (MEMBERS + 10) : member;
            (bool ok, bytes memory answer) = address(_statements)
                .staticcall(abi.encodeCall(Statements.isSigner, (MEMBERS, mask, asked)));
            (bool also, bytes memory other) =
                address(_masked[1]).staticcall(abi.encodeCall(Wrapper.isSigner, (words, asked)));
            assertTrue(ok == also, "a member");
            assertEq(keccak256(answer), keccak256(other), "whether it signed");
        }
    }

    function testMasksOfAnotherLength() public {
        for (uint256 length = 0; length < 5; ++length) {
            uint256[] memory statement = MusterStatement.ofElement(7, 8, 9);
            masked(1, statement, list(abi.encode(7, 8, 9)), new uint256[](length));
        }
    }

    // ------------------------------------------------------------------------------ Helpers

    function masked(
        uint256 kind,
        uint256[] memory statement,
        uint256[] memory words,
        uint256[] memory mask
    ) private {
        compare(
            abi.encodeCall(Statements.withSigners, (statement, MEMBERS, mask)),
            _masked[kind],
            list(abi.encodePacked(words, mask))
        );
    }

    /// @dev What the library gives for a call is what the wrapper hands on for the words; where it refuses, so does
    /// the wrapper, unless the library alone looks.
    function compare(bytes memory call, Wrapper wrapper, uint256[] memory words) private {
        (bool ok, bytes memory answer) = address(_statements).staticcall(call);
        if (ok) {
            uint256[] memory inputs = abi.decode(answer, (uint256[]));
            assertTrue(wrapper.verify(prove(inputs), words), "the same inputs");
            return;
        }
        bool isOurs = words[0] == 0 || words[1] == 0 || (words[1] >> 60 != 0 && words[1] < R);
        if (isOurs) return;
        (ok,) = address(wrapper)
            .staticcall(abi.encodeCall(Wrapper.verify, (new bytes(PROOF_LENGTH), words)));
        assertTrue(!ok, "refused as well");
    }

    /// @dev A proof that the stub takes for these inputs and for no others.
    function prove(uint256[] memory inputs) private returns (bytes memory proof) {
        bytes32 seed = keccak256(abi.encode(inputs));
        proof = abi.encode(seed, ~seed, uint256(seed) >> 1);
        (bool ok,) = _stub.call(abi.encodePacked(inputs, proof));
        assertTrue(ok, "registered");
    }

    /// @dev Of five seeds one gives 0, one a small number, one the bound or little more, one little less,
    /// and one anything below.
    function near(uint256 seed, uint256 bound) private pure returns (uint256) {
        uint256 small = (seed >> 8) % 4;
        uint256 way = seed % 16;
        if (way == 0) return small;
        if (way == 1) return bound + small;
        if (way == 2) return type(uint256).max - small;
        if (way == 3) return bound - 1 - small;
        return uint256(keccak256(abi.encode(seed))) % bound;
    }

    function pointWords(uint256 root, uint256 threshold, uint256[4] memory point)
        private
        pure
        returns (uint256[] memory words)
    {
        words = new uint256[](10);
        (words[0], words[1]) = (root, threshold);
        for (uint256 i = 0; i < 4; ++i) {
            // 1, 0, 3, 2
            uint256 number = point[i % 2 == 0 ? i + 1 : i - 1];
            words[2 + 2 * i] = number >> 128;
            words[3 + 2 * i] = uint256(uint128(number));
        }
    }

    /// @dev Words as an array.
    function list(bytes memory packed) private pure returns (uint256[] memory words) {
        words = new uint256[](packed.length / 32);
        for (uint256 i = 0; i < words.length; ++i) {
            uint256 word;
            assembly ("memory-safe") {
                word := mload(add(add(packed, 32), mul(32, i)))
            }
            words[i] = word;
        }
    }
}
