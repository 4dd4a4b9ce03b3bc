// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterStatement} from "../src/MusterStatement.sol";
import {Test} from "./base/Test.sol";

/// @dev The public inputs of proofs that are checked in, in `contracts/generated`, follow from what their
/// committees signed; and those of messages that are public themselves are as Rust has them.
contract StatementFilesTest is Test {
    uint256 private constant STATEMENTS = 6;

    string private _scene;

    function setUp() public {
        _scene = vm.readFile("../generated/scene.json");
    }

    function testElements() public view {
        element("schnorr-babyjubjub-8-16-k11", 8);
        element("schnorr-babyjubjub-128-256-k14", 128);
        element("schnorr-babyjubjub-128-256-k15", 128);
        element("eddsa-babyjubjub-8-16-k11", 8);
        element("eddsa-babyjubjub-128-256-k15", 128);
        element("musig-babyjubjub-8-16-k11", 8);
        element("musig-babyjubjub-128-256-k14", 128);
    }

    function testDigests() public view {
        digest("ecdsa-secp256k1-2-3-k16");
        digest("ecdsa-secp256k1-address-2-3-k16");
        digest("schnorr-secp256k1-2-3-k16");
        digest("bls-bls12-381-2-3-k16");
    }

    /// @dev Of bytes that were signed the SHA-256 is public.
    function testSignedBytes() public view {
        uint256[] memory found = fixture("ed25519-2-3-k16");
        bytes32 hash = sha256(vm.parseJsonBytes(_scene, ".signed_bytes"));
        same(MusterStatement.ofDigest(found[0], 2, hash), found);
    }

    function testSigners() public view {
        uint256[] memory found = fixture("schnorr-babyjubjub-mask-8-600-k14");
        uint256[] memory mask = new uint256[](3);
        (mask[0], mask[1], mask[2]) = (found[3], found[4], found[5]);
        // Its committee signed for no light client.
        uint256[] memory inputs = MusterStatement.ofElement(found[0], 8, found[2]);
        same(MusterStatement.withSigners(inputs, 600, mask), found);
        uint256 signers = 0;
        for (uint256 member = 0; member < 600; ++member) {
            if (MusterStatement.isSigner(600, mask, member)) ++signers;
        }
        assertEq(signers, 8, "as many as the threshold");
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

    function element(string memory name, uint256 threshold) private view {
        uint256[] memory found = fixture(name);
        same(MusterStatement.ofElement(found[0], threshold, signedUnder(found[0])), found);
    }

    function digest(string memory name) private view {
        uint256[] memory found = fixture(name);
        same(MusterStatement.ofDigest(found[0], 2, bytes32(signedUnder(found[0]))), found);
    }

    function fixture(string memory name) private view returns (uint256[] memory) {
        string memory json = vm.readFile(string.concat("../generated/", name, "/fixture.json"));
        return vm.parseJsonUintArray(json, ".public_inputs");
    }

    /// @dev What the committee with this root signed for the light client of the scene, by the formulas of
    /// `MusterDigest`.
    function signedUnder(uint256 root) private view returns (uint256) {
        uint256 source = vm.parseJsonUint(_scene, ".source_chain");
        uint256 chain = vm.parseJsonUint(_scene, ".chain");
        address client = vm.parseJsonAddress(_scene, ".client");
        bytes32 id = keccak256(
            abi.encode(
                keccak256("muster/message-id/v1"),
                source,
                chain,
                client,
                vm.parseJsonUint(_scene, ".nonce"),
                keccak256(vm.parseJsonBytes(_scene, ".payload"))
            )
        );
        uint256 epoch = vm.parseJsonUint(_scene, ".epoch");
        bytes32 tag = keccak256("muster/message/v1");
        bytes32 hash = keccak256(abi.encode(tag, source, chain, client, epoch, root, id));
        return uint256(hash) % 2 ** 253;
    }

    function same(uint256[] memory inputs, uint256[] memory expected) private pure {
        assertEq(inputs.length, expected.length, "as many");
        for (uint256 i = 0; i < inputs.length; ++i) {
            assertEq(inputs[i], expected[i], "an input");
        }
    }
}
