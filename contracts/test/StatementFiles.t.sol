// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterStatement} from "../src/MusterStatement.sol";
import {Test} from "./base/Test.sol";

/// @dev What the library makes of statements, against answers that are known from elsewhere.
contract StatementFilesTest is Test {
    uint256 private constant STATEMENTS = 6;
    uint256 private constant KNOWN = 40;

    /// @dev Public inputs of proofs that contracts of an earlier design took.
    function testKnownStatements() public view {
        string memory json = vm.readFile("test/vectors/known-statements.json");
        for (uint256 i = 0; i < KNOWN; ++i) {
            string memory at = string.concat(".statements[", vm.toString(i), "]");
            uint256[] memory found = vm.parseJsonUintArray(json, string.concat(at, ".inputs"));
            string memory kind = vm.parseJsonString(json, string.concat(at, ".kind"));
            bytes memory message = vm.parseJsonBytes(json, string.concat(at, ".message"));
            uint256[] memory inputs = ofKind(kind, found[0], found[1], message);
            uint256 members = vm.parseJsonUint(json, string.concat(at, ".members"));
            if (members != 0) {
                uint256[] memory mask = vm.parseJsonUintArray(json, string.concat(at, ".mask"));
                inputs = MusterStatement.withSigners(inputs, members, mask);
            }
            same(inputs, found);
        }
        assertFalse(
            vm.keyExistsJson(json, string.concat(".statements[", vm.toString(KNOWN), "]")), "all"
        );
    }

    function ofKind(string memory kind, uint256 root, uint256 threshold, bytes memory message)
        private
        pure
        returns (uint256[] memory)
    {
        bytes32 name = keccak256(bytes(kind));
        if (name == keccak256("plain")) return MusterStatement.ofPlain(root, threshold, message);
        if (name == keccak256("bn254-g2")) {
            return MusterStatement.ofBn254G2(root, threshold, abi.decode(message, (uint256[4])));
        }
        uint256 word = abi.decode(message, (uint256));
        if (name == keccak256("element")) return MusterStatement.ofElement(root, threshold, word);
        assertEq(name, keccak256("digest"), kind);
        return MusterStatement.ofDigest(root, threshold, bytes32(word));
    }

    /// @dev Messages as Muster's files have them: points in the bytes of EIP-197 and, over BLS12-381, uncompressed, which
    /// both have imaginary parts first.
    function testMessagesOfFiles() public view {
        string memory json = vm.readFile("test/vectors/statements.json");
        for (uint256 i = 0; i < STATEMENTS; ++i) {
            string memory at = string.concat(".statements[", vm.toString(i), "]");
            bytes memory message = vm.parseJsonBytes(json, string.concat(at, ".message"));
            uint256[] memory found =
                vm.parseJsonUintArray(json, string.concat(at, ".public_inputs"));
            if (i < 2) same(MusterStatement.ofPlain(found[0], found[1], message), found);
            else same(ofPoint(i, found[0], found[1], message), found);
        }
    }

    function ofPoint(uint256 i, uint256 root, uint256 threshold, bytes memory message)
        private
        pure
        returns (uint256[] memory)
    {
        if (i == 2) {
            uint256[2] memory g1 = abi.decode(message, (uint256[2]));
            return MusterStatement.ofBn254G1(root, threshold, g1);
        }
        if (i == 3) {
            uint256[4] memory g2 = abi.decode(message, (uint256[4]));
            return MusterStatement.ofBn254G2(root, threshold, g2);
        }
        // Numbers of 48 bytes, and of 64 for the precompiles.
        bytes memory padded;
        for (uint256 n = 0; n < message.length / 48; ++n) {
            // In G2 the second number of two goes first.
            uint256 from = 48 * (i == 4 ? n : n ^ 1);
            bytes memory number = new bytes(48);
            for (uint256 k = 0; k < 48; ++k) {
                number[k] = message[from + k];
            }
            padded = bytes.concat(padded, new bytes(16), number);
        }
        if (i == 4) {
            uint256[4] memory g1 = abi.decode(padded, (uint256[4]));
            return MusterStatement.ofBls12381G1(root, threshold, g1);
        }
        uint256[8] memory point = abi.decode(padded, (uint256[8]));
        return MusterStatement.ofBls12381G2(root, threshold, point);
    }

    function same(uint256[] memory inputs, uint256[] memory expected) private pure {
        assertEq(inputs.length, expected.length, "as many");
        for (uint256 i = 0; i < inputs.length; ++i) {
            assertEq(inputs[i], expected[i], "an input");
        }
    }
}
