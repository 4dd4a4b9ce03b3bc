// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../../src/MultisigLightClient.sol";
import {MusterDigest} from "../../src/MusterDigest.sol";
import {MusterDigestVerifier} from "../../src/MusterDigestVerifier.sol";
import {MusterVerifier} from "../../src/MusterVerifier.sol";
import {Test} from "./Test.sol";

/// @dev A light client over the wrapper over a generated verifier of `contracts/generated`, where
/// `scene.json` has them: the committees of the fixtures signed for a client at this address.
abstract contract Generated is Test {
    /// @dev What a folder holds.
    struct Shape {
        bytes creation;
        /// Creation code of the contracts that it calls: its constructor takes their addresses.
        bytes[] parts;
        bytes32 runtimeHash;
        bytes32 keyDigest;
        bytes32 verifierHash;
        uint256 gas;
        /// As the generated verifier takes them.
        uint256[] words;
        /// As the wrapper takes them: the message is one word.
        uint256[] inputs;
        bytes proof;
        uint64 members;
    }

    /// @dev `scene.json`.
    struct Scene {
        address sender;
        address client;
        uint256 chain;
        uint256 sourceChain;
        uint64 epoch;
        MusterDigest.Message message;
        /// What a committee signed that signs bytes as they are.
        bytes signedBytes;
    }

    address internal halo2;
    MusterVerifier internal verifier;
    MultisigLightClient internal client;

    Shape internal shape;
    Scene internal scene;

    /// @dev The folder whose committee signed bytes: their SHA-256 is public, and no light client
    /// has a digest that is one.
    string internal constant SIGNED_BYTES = "ed25519-2-3-k16";

    /// @dev The folder whose statements say who signed, which no light client takes.
    string internal constant MASKED = "schnorr-babyjubjub-mask-8-600-k14";

    /// @dev The one list of the other folders. Forge runs each test whose name begins with `table` on
    /// every row of it, because their parameter has the name of this function.
    function fixtureName() public pure returns (string[] memory names) {
        names = new string[](11);
        names[0] = "schnorr-babyjubjub-8-16-k11";
        names[1] = "schnorr-babyjubjub-128-256-k14";
        names[2] = "schnorr-babyjubjub-128-256-k15";
        names[3] = "eddsa-babyjubjub-8-16-k11";
        names[4] = "eddsa-babyjubjub-128-256-k15";
        names[5] = "musig-babyjubjub-8-16-k11";
        names[6] = "musig-babyjubjub-128-256-k14";
        names[7] = "ecdsa-secp256k1-2-3-k16";
        names[8] = "ecdsa-secp256k1-address-2-3-k16";
        names[9] = "schnorr-secp256k1-2-3-k16";
        names[10] = "bls-bls12-381-2-3-k16";
    }

    function setUp() public {
        string memory json = vm.readFile("generated/scene.json");
        scene.sender = vm.parseJsonAddress(json, ".sender");
        scene.client = vm.parseJsonAddress(json, ".client");
        scene.chain = vm.parseJsonUint(json, ".chain");
        scene.sourceChain = vm.parseJsonUint(json, ".source_chain");
        scene.epoch = uint64(vm.parseJsonUint(json, ".epoch"));
        scene.message.nonce = uint64(vm.parseJsonUint(json, ".nonce"));
        scene.message.payload = vm.parseJsonBytes(json, ".payload");
        scene.signedBytes = vm.parseJsonBytes(json, ".signed_bytes");
        vm.chainId(scene.chain);
    }

    function read(string memory name) internal view returns (Shape memory found) {
        string memory manifest = vm.readFile(pathOf(name, "manifest.json"));
        string memory fixture = vm.readFile(pathOf(name, "fixture.json"));
        found.creation = readCode(pathOf(name, "Halo2Verifier.bin"));
        found.parts = readParts(name);
        found.runtimeHash = vm.parseJsonBytes32(manifest, ".bytecode.runtime_hash");
        found.keyDigest = vm.parseJsonBytes32(manifest, ".vk_digest");
        found.verifierHash = vm.parseJsonBytes32(manifest, ".verifier_hash");
        found.gas = vm.parseJsonUint(manifest, ".gas.execution");
        found.members = uint64(vm.parseJsonUint(manifest, ".shape.capacity"));
        found.proof = vm.parseJsonBytes(fixture, ".proof");
        bytes32[] memory inputs = vm.parseJsonBytes32Array(fixture, ".public_inputs");
        found.words = new uint256[](inputs.length);
        for (uint256 i = 0; i < inputs.length; ++i) {
            found.words[i] = uint256(inputs[i]);
        }
        found.inputs = new uint256[](3);
        for (uint256 i = 0; i < 3; ++i) {
            found.inputs[i] = found.words[i];
        }
        if (signsDigest(found)) found.inputs[2] = found.words[2] << 128 | found.words[3];
    }

    function readParts(string memory name) internal view returns (bytes[] memory parts) {
        uint256 count = 0;
        while (vm.exists(pathOfPart(name, count))) ++count;
        parts = new bytes[](count);
        for (uint256 i = 0; i < count; ++i) {
            parts[i] = readCode(pathOfPart(name, i));
        }
    }

    function pathOfPart(string memory name, uint256 i) internal pure returns (string memory) {
        return pathOf(name, string.concat("Halo2Verifier.part", vm.toString(i + 1), ".bin"));
    }

    /// @dev Whether the message comes to the generated verifier in halves.
    function signsDigest(Shape memory found) internal pure returns (bool) {
        return found.words.length == 4;
    }

    function pathOf(string memory name, string memory file) internal pure returns (string memory) {
        return string.concat("generated/", name, "/", file);
    }

    /// @dev Code lies in files as hex, without a prefix, and with an end of the line.
    function readCode(string memory path) internal view returns (bytes memory) {
        return vm.parseBytes(string.concat("0x", vm.trim(vm.readFile(path))));
    }

    /// @dev The committee of a fixture; every weight is 1.
    function committeeOf(Shape memory from) internal view returns (MusterDigest.KeySet memory) {
        return MusterDigest.KeySet({
            root: from.inputs[0],
            threshold: uint64(from.inputs[1]),
            totalWeight: from.members,
            epoch: scene.epoch
        });
    }

    /// @dev Everything, with the committee of the fixture in office.
    function deploy(string memory name) internal {
        Shape memory found = read(name);
        deploy(found, committeeOf(found), scene.sourceChain);
    }

    /// @dev The same, with this committee in office and messages from this chain. The address of the
    /// client is that of the scene, whatever it is told.
    function deploy(Shape memory found, MusterDigest.KeySet memory inOffice, uint256 sourceChain)
        internal
    {
        // Whoever deploys parts, they are the same.
        bytes memory arguments = deployParts(found);
        vm.startPrank(scene.sender);
        deployVerifier(found, arguments);
        client = new MultisigLightClient(verifier, sourceChain, inOffice);
        vm.stopPrank();
        assertEq(address(client), scene.client, "the scene's client");
    }

    /// @dev The generated verifier and its wrapper alone.
    function deployVerifier(Shape memory found) internal {
        deployVerifier(found, deployParts(found));
    }

    /// @dev What the verifier's constructor takes: the addresses, a word each.
    function deployParts(Shape memory found) internal returns (bytes memory arguments) {
        for (uint256 i = 0; i < found.parts.length; ++i) {
            arguments = bytes.concat(arguments, abi.encode(create(found.parts[i])));
        }
    }

    function deployVerifier(Shape memory found, bytes memory arguments) internal {
        shape = found;
        halo2 = create(bytes.concat(found.creation, arguments));
        verifier = signsDigest(found)
            ? new MusterDigestVerifier(halo2, found.keyDigest, found.proof.length, gasCap())
            : new MusterVerifier(halo2, found.keyDigest, found.proof.length, gasCap());
    }

    /// @dev A bad proof may cost a fifth more than a good one, and no good one costs more than that
    /// of the manifest, which is gas under dearer rules than those of these tests.
    function gasCap() internal view returns (uint256) {
        return shape.gas * 6 / 5;
    }

    function create(bytes memory creation) internal returns (address created) {
        assembly ("memory-safe") {
            created := create(0, add(creation, 32), mload(creation))
        }
        assertTrue(created != address(0), "deployed");
    }

    /// @dev Whether the generated verifier takes calldata that no wrapper has looked at.
    function takes(bytes memory input) internal view returns (bool) {
        (bool ok, bytes memory answer) = halo2.staticcall(input);
        assertTrue(ok ? abi.decode(answer, (uint256)) == 1 : answer.length == 0, "its answer");
        return ok;
    }

    /// @dev The proof with a word changed.
    function flipped(bytes memory proof, uint256 word, uint256 mask)
        internal
        pure
        returns (bytes memory)
    {
        assertTrue(word < proof.length / 32, "a word of the proof");
        bytes memory changed = bytes.concat(proof);
        assembly ("memory-safe") {
            let place := add(add(changed, 32), mul(32, word))
            mstore(place, xor(mload(place), mask))
        }
        return changed;
    }
}
