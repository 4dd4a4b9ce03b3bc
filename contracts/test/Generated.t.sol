// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterDigestVerifier} from "../src/MusterDigestVerifier.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {MusterWordsVerifier} from "../src/MusterWordsVerifier.sol";
import {Vm} from "./base/Test.sol";
import {Generated} from "./base/Generated.sol";

/// @dev Real proofs through all contracts, on the code that is checked in.
contract GeneratedTest is Generated {
    event MessageVerified(
        bytes32 indexed messageId, uint64 indexed nonce, uint64 indexed epoch, bytes32 payloadHash
    );

    // What is checked in.

    function test_the_list_of_folders_is_complete() public view {
        string[] memory names = fixtureName();
        uint256 folders = 0;
        for (uint256 i = 0; i < names.length; ++i) {
            assertTrue(vm.exists(pathOf(names[i], "manifest.json")), names[i]);
        }
        Vm.DirEntry[] memory entries = vm.readDir("generated");
        for (uint256 i = 0; i < entries.length; ++i) {
            if (entries[i].isDir) ++folders;
        }
        assertTrue(vm.exists(pathOf(SIGNED_BYTES, "manifest.json")), SIGNED_BYTES);
        assertTrue(vm.exists(pathOf(MASKED, "manifest.json")), MASKED);
        assertEq(folders, names.length + 2, "folders");
    }

    function test_forge_and_muster_compile_alike() public view {
        bytes memory wrapper = readCode("generated/MusterVerifier.bin");
        assertEq(keccak256(type(MusterVerifier).creationCode), keccak256(wrapper), "wrapper");
        bytes memory digests = readCode("generated/MusterDigestVerifier.bin");
        bytes32 built = keccak256(type(MusterDigestVerifier).creationCode);
        assertEq(built, keccak256(digests), "wrapper of digests");
        bytes memory words = readCode("generated/MusterWordsVerifier.bin");
        built = keccak256(type(MusterWordsVerifier).creationCode);
        assertEq(built, keccak256(words), "wrapper of words");
        bytes memory light = readCode("generated/MultisigLightClient.bin");
        assertEq(keccak256(type(MultisigLightClient).creationCode), keccak256(light), "client");
    }

    function table_the_code_is_that_of_the_manifest(string memory name) public {
        deploy(name);
        assertEq(halo2.codehash, shape.runtimeHash, "on the chain");
        bytes memory runtime = readCode(pathOf(name, "Halo2Verifier.runtime.bin"));
        assertEq(keccak256(runtime), shape.runtimeHash, "in the file");
        assertEq(verifier.VERIFIER_HASH(), shape.verifierHash, "the wrapper's hash");
    }

    // Other contracts that a verifier calls.

    function table_a_verifier_keeps_no_other_parts(string memory name) public {
        Shape memory found = read(name);
        for (uint256 i = 0; i < found.parts.length; ++i) {
            bytes memory own = found.parts[i];
            bytes memory other = bytes.concat(own);
            other[other.length - 1] ^= 0x01;
            found.parts[i] = other;
            bytes memory creation = bytes.concat(found.creation, deployParts(found));
            address created;
            assembly ("memory-safe") {
                created := create(0, add(creation, 32), mload(creation))
            }
            assertEq(created, address(0), "with another part");
            found.parts[i] = own;
        }
    }

    /// @dev Without its code, and with code that says yes.
    function table_a_verifier_calls_no_other_parts(string memory name) public {
        deploy(name);
        bytes memory input = abi.encodePacked(shape.words, shape.proof);
        for (uint256 i = 0; i < shape.parts.length; ++i) {
            address part = address(uint160(uint256(vm.load(halo2, bytes32(i)))));
            bytes memory own = part.code;
            vm.etch(part, "");
            assertFalse(takes(input), "no code");
            vm.etch(part, bytes.concat(own, hex"00"));
            assertFalse(takes(input), "a byte more");
            vm.etch(part, own);
            assertTrue(takes(input), "as it is");
        }
    }

    // Accepted.

    function table_a_message_is_accepted_once(string memory name) public {
        deploy(name);
        bytes32 id = client.messageId(scene.message);
        assertEq(client.messageDigest(scene.message), shape.inputs[2], "what was signed");
        assertFalse(client.isProcessed(id), "before");
        vm.expectEmit(address(client));
        emit MessageVerified(id, scene.message.nonce, scene.epoch, keccak256(scene.message.payload));
        client.submit(scene.message, shape.proof);
        assertTrue(client.isProcessed(id), "after");
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.AlreadyProcessed.selector, id));
        client.submit(scene.message, shape.proof);
    }

    function table_the_wrapper_accepts(string memory name) public {
        deploy(name);
        assertTrue(verifier.verify(shape.proof, shape.inputs), "verify");
        verifier.verifyProof(shape.verifierHash, abi.encodePacked(shape.inputs), shape.proof);
    }

    // The proof.

    function table_every_word_of_a_proof_counts(string memory name) public {
        deploy(name);
        for (uint256 word = 0; word < shape.proof.length / 32; ++word) {
            bytes memory bad = flipped(shape.proof, word, 1);
            assertFalse(verifier.verify(bad, shape.inputs), "the lowest bit");
        }
        assertTrue(verifier.verify(shape.proof, shape.inputs), "as it is");
    }

    function testFuzz_every_bit_of_a_proof_counts(uint256 which, uint256 word, uint256 mask)
        public
    {
        vm.assume(mask != 0);
        string[] memory names = fixtureName();
        deploy(names[bound(which, 0, names.length - 1)]);
        word = bound(word, 0, shape.proof.length / 32 - 1);
        expectProofRejected();
        client.submit(scene.message, flipped(shape.proof, word, mask));
    }

    function table_a_proof_has_one_length(string memory name) public {
        deploy(name);
        bytes memory short = bytes.concat(shape.proof);
        assembly ("memory-safe") {
            mstore(short, sub(mload(short), 1))
        }
        expectWrongLength(short.length);
        client.submit(scene.message, short);
        bytes memory long = bytes.concat(shape.proof, hex"00");
        expectWrongLength(long.length);
        client.submit(scene.message, long);
        expectWrongLength(0);
        client.submit(scene.message, "");
    }

    function table_proofs_of_other_keys_are_refused(string memory name) public {
        Shape memory own = read(name);
        string[] memory names = fixtureName();
        for (uint256 i = 0; i < names.length; ++i) {
            if (keccak256(bytes(names[i])) == keccak256(bytes(name))) continue;
            Shape memory other = read(names[i]);
            uint256 state = vm.snapshotState();
            // With the other's committee in office, nothing but the key is another.
            deploy(own, committeeOf(other), scene.sourceChain);
            assertEq(client.messageDigest(scene.message), other.inputs[2], "what was signed");
            if (own.proof.length == other.proof.length) expectProofRejected();
            else expectWrongLength(other.proof.length);
            client.submit(scene.message, other.proof);
            vm.revertToState(state);
        }
    }

    /// @dev Where there is no such precompile, a call of its address succeeds and returns nothing. With a
    /// pairing that says yes to all, nothing else in a good proof depends on the inverses.
    function table_an_exponentiation_that_wrote_nothing_is_noticed(string memory name) public {
        deploy(name);
        bytes memory input = abi.encodePacked(shape.words, shape.proof);
        vm.mockCall(address(8), "", abi.encode(1));
        assertTrue(takes(input), "as it is");
        vm.mockCall(address(5), "", "");
        assertFalse(takes(input), "nothing");
        vm.mockCall(address(5), "", abi.encode(0));
        assertFalse(takes(input), "zero");
        vm.mockCall(address(5), "", abi.encode(2));
        assertFalse(takes(input), "another number");
    }

    // The public inputs.

    function table_inputs_and_r_more_are_refused(string memory name) public {
        deploy(name);
        for (uint256 i = 0; i < shape.inputs.length; ++i) {
            uint256[] memory inputs = shape.inputs;
            inputs[i] += verifier.SCALAR_MODULUS();
            // A digest may be any word.
            if (i == 2 && signsDigest(shape)) {
                assertFalse(verifier.verify(shape.proof, inputs), "another digest");
                continue;
            }
            vm.expectRevert(
                abi.encodeWithSelector(MusterVerifier.InputNotCanonical.selector, i, inputs[i])
            );
            verifier.verify(shape.proof, inputs);
        }
    }

    function table_other_inputs_are_refused(string memory name) public {
        deploy(name);
        for (uint256 i = 0; i < shape.inputs.length; ++i) {
            uint256[] memory inputs = shape.inputs;
            inputs[i] += 1;
            assertFalse(verifier.verify(shape.proof, inputs), "one more");
            inputs = shape.inputs;
            inputs[i] -= 1;
            assertFalse(verifier.verify(shape.proof, inputs), "one less");
            uint256 j = (i + 1) % inputs.length;
            (inputs[i], inputs[j]) = (shape.inputs[j], shape.inputs[i]);
            assertFalse(verifier.verify(shape.proof, inputs), "two swapped");
        }
    }

    function table_missing_and_surplus_inputs_are_refused(string memory name) public {
        deploy(name);
        uint256[] memory words = shape.words;
        // Past the wrapper, which counts them.
        assertTrue(takes(abi.encodePacked(words, shape.proof)), "as it is");
        assertFalse(takes(abi.encodePacked(words, uint256(0), shape.proof)), "a surplus one");
        assertFalse(takes(abi.encodePacked(words, shape.proof, uint256(0))), "a surplus word");
        assembly ("memory-safe") {
            mstore(words, sub(mload(words), 1))
        }
        assertFalse(takes(abi.encodePacked(words, shape.proof)), "one missing");
        assertFalse(takes(shape.proof), "none");
        for (uint256 count = 0; count < 5; ++count) {
            if (count == shape.inputs.length) continue;
            uint256[] memory inputs = new uint256[](count);
            for (uint256 j = 0; j < count && j < shape.inputs.length; ++j) {
                inputs[j] = shape.inputs[j];
            }
            vm.expectRevert(
                abi.encodeWithSelector(MusterVerifier.WrongInputLength.selector, 3, count)
            );
            verifier.verify(shape.proof, inputs);
        }
    }

    // What was signed.

    function table_refused_under_another_committee(string memory name) public {
        MusterDigest.KeySet memory set = committeeOf(read(name));
        set.root += 1;
        assertRefused(name, set);
    }

    function table_refused_under_a_higher_threshold(string memory name) public {
        MusterDigest.KeySet memory set = committeeOf(read(name));
        set.threshold += 1;
        assertRefused(name, set);
    }

    function table_refused_under_a_lower_threshold(string memory name) public {
        MusterDigest.KeySet memory set = committeeOf(read(name));
        set.threshold -= 1;
        assertRefused(name, set);
    }

    function table_refused_in_another_epoch(string memory name) public {
        MusterDigest.KeySet memory set = committeeOf(read(name));
        set.epoch += 1;
        assertRefused(name, set);
    }

    function table_refused_from_another_source_chain(string memory name) public {
        Shape memory found = read(name);
        deploy(found, committeeOf(found), scene.sourceChain + 1);
        expectProofRejected();
        client.submit(scene.message, shape.proof);
    }

    function table_refused_on_another_chain(string memory name) public {
        deploy(name);
        vm.chainId(scene.chain + 1);
        expectProofRejected();
        client.submit(scene.message, shape.proof);
    }

    function table_refused_by_another_contract(string memory name) public {
        deploy(name);
        MultisigLightClient neighbour =
            new MultisigLightClient(verifier, scene.sourceChain, committeeOf(shape));
        expectProofRejected();
        neighbour.submit(scene.message, shape.proof);
        client.submit(scene.message, shape.proof);
    }

    function table_refused_for_another_message(string memory name) public {
        deploy(name);
        MusterDigest.Message memory other = scene.message;
        other.nonce += 1;
        expectProofRejected();
        client.submit(other, shape.proof);
        other = scene.message;
        other.payload = bytes.concat(other.payload, hex"00");
        expectProofRejected();
        client.submit(other, shape.proof);
    }

    function table_a_message_is_no_batch_and_no_handover(string memory name) public {
        deploy(name);
        bytes32 batchRoot = client.messageId(scene.message);
        expectProofRejected();
        client.submitBatch(batchRoot, shape.proof);
        MusterDigest.KeySet memory next = committeeOf(shape);
        next.epoch += 1;
        expectProofRejected();
        client.rotate(next.root, next.threshold, next.totalWeight, next.epoch, shape.proof);
    }

    // Gas.

    function table_a_bad_proof_costs_little_more_than_a_good_one(string memory name) public {
        deploy(name);
        (bool ok, uint256 good) = gasOfVerifier(shape.proof);
        assertTrue(ok, "a good proof");
        // The manifest counts by the rules of Osaka, where an exponentiation is dearer, and with the
        // other contracts not touched before, which here were made in the same transaction.
        uint256 less = 7500 + 4600 * shape.parts.length;
        assertTrue(good <= shape.gas && shape.gas - good < less, "what the manifest says");
        uint256 state = vm.snapshotState();
        uint256 submit;
        (ok, submit) = gasOfSubmit(shape.proof);
        assertTrue(ok, "a good message");
        vm.revertToState(state);
        // What client and wrapper take, mostly to hand on the calldata.
        uint256 around = submit - good;
        for (uint256 word = 0; word < shape.proof.length / 32; ++word) {
            bytes memory bad = flipped(shape.proof, word, 1);
            uint256 gas;
            (ok, gas) = gasOfVerifier(bad);
            assertTrue(!ok && gas <= good * 6 / 5, "the verifier's");
            (ok, gas) = gasOfSubmit(bad);
            assertTrue(!ok && gas <= good * 6 / 5 + around, "all of it");
        }
    }

    // Helpers.

    /// @dev That the proof is refused by a client with this committee in office.
    function assertRefused(string memory name, MusterDigest.KeySet memory inOffice) private {
        deploy(read(name), inOffice, scene.sourceChain);
        expectProofRejected();
        client.submit(scene.message, shape.proof);
    }

    function gasOfVerifier(bytes memory proof) private returns (bool ok, uint256 gas) {
        return gasOf(halo2, abi.encodePacked(shape.words, proof));
    }

    function gasOfSubmit(bytes memory proof) private returns (bool ok, uint256 gas) {
        return gasOf(address(client), abi.encodeCall(client.submit, (scene.message, proof)));
    }

    /// @dev In assembly, because Solidity copies the input before it calls, and that costs gas, too.
    function gasOf(address target, bytes memory input) private returns (bool ok, uint256 used) {
        assembly ("memory-safe") {
            used := gas()
            ok := call(gas(), target, 0, add(input, 32), mload(input), 0, 0)
            used := sub(used, gas())
        }
    }

    function expectProofRejected() private {
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.ProofRejected.selector));
    }

    function expectWrongLength(uint256 length) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                MusterVerifier.WrongProofLength.selector, verifier.PROOF_LENGTH(), length
            )
        );
    }
}
