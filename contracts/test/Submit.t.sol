// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Fixture} from "./base/Fixture.sol";

/// @dev Answers every call alike.
contract Answer {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return _answer;
    }
}

contract SubmitTest is Fixture {
    event MessageVerified(
        bytes32 indexed messageId, uint64 indexed nonce, uint64 indexed epoch, bytes32 payloadHash
    );
    event KeySetRotated(
        uint64 indexed epoch, uint256 indexed root, uint64 threshold, uint64 totalWeight
    );

    // Construction.

    function test_holds_what_it_was_given() public view {
        MusterDigest.KeySet memory set = client.keySet();
        assertEq(keccak256(abi.encode(set)), keccak256(abi.encode(firstKeySet())), "key set");
        assertEq(client.keySetRoot(), set.root, "root");
        assertEq(client.threshold(), set.threshold, "threshold");
        assertEq(client.epoch(), set.epoch, "epoch");
        assertEq(client.SOURCE_CHAIN_ID(), SOURCE, "source");
        assertEq(address(client.VERIFIER()), address(verifier), "verifier");
    }

    function test_announces_the_first_committee() public {
        MusterDigest.KeySet memory first = firstKeySet();
        vm.expectEmit();
        emit KeySetRotated(first.epoch, first.root, first.threshold, first.totalWeight);
        new MultisigLightClient(verifier, SOURCE, first);
    }

    function test_refuses_a_verifier_without_code() public {
        vm.expectRevert(
            abi.encodeWithSelector(MultisigLightClient.NoCode.selector, address(0xdead))
        );
        new MultisigLightClient(IMusterVerifier(address(0xdead)), SOURCE, firstKeySet());
    }

    function test_refuses_a_contract_that_is_no_verifier() public {
        // The generated verifier in place of its wrapper, a contract with other functions, one that
        // answers with too much or too little, and one that names itself by zero.
        assertNoVerifier(halo2);
        assertNoVerifier(address(client));
        assertNoVerifier(address(new Answer(new bytes(32))));
        assertNoVerifier(address(new Answer(bytes.concat(bytes31(uint248(1))))));
        assertNoVerifier(address(new Answer(abi.encode(1, 2))));
        assertNoVerifier(address(new Answer("")));
        address named = address(new Answer(abi.encode(1)));
        new MultisigLightClient(IMusterVerifier(named), SOURCE, firstKeySet());
    }

    function assertNoVerifier(address other) private {
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.NotAVerifier.selector, other));
        new MultisigLightClient(IMusterVerifier(other), SOURCE, firstKeySet());
    }

    function test_refuses_a_first_committee_that_cannot_sign_or_hand_over() public {
        MusterDigest.KeySet memory set = firstKeySet();
        set.epoch = 0;
        expectRefused(abi.encodeWithSelector(MultisigLightClient.InvalidEpoch.selector, 0), set);
        set.epoch = type(uint64).max;
        expectRefused(
            abi.encodeWithSelector(MultisigLightClient.InvalidEpoch.selector, set.epoch), set
        );
        set = firstKeySet();
        set.root = R;
        expectRefused(abi.encodeWithSelector(MultisigLightClient.InvalidRoot.selector, R), set);
        set = firstKeySet();
        set.threshold = 0;
        expectRefused(
            abi.encodeWithSelector(MultisigLightClient.InvalidThreshold.selector, 0, 16), set
        );
    }

    function test_signs_what_the_library_says() public view {
        MusterDigest.Scope memory scope = MusterDigest.Scope({
            sourceChainId: SOURCE,
            destinationChainId: block.chainid,
            client: address(client),
            epoch: firstKeySet().epoch,
            keySetRoot: firstKeySet().root
        });
        bytes32 id = client.messageId(aMessage());
        uint256 message = client.messageDigest(aMessage());
        assertEq(message, MusterDigest.messageDigest(scope, id), "message");
        assertEq(client.batchDigest(id), MusterDigest.batchDigest(scope, id), "batch");
        uint256 handover = client.handoverDigest(nextKeySet());
        assertEq(handover, MusterDigest.handoverDigest(scope, nextKeySet()), "handover");
    }

    // One message.

    function test_accepts_a_signed_message() public {
        MusterDigest.Message memory message = aMessage();
        bytes32 id = client.messageId(message);
        bytes memory proof = signMessage(message);
        assertFalse(client.isProcessed(id), "before");
        vm.expectEmit(address(client));
        emit MessageVerified(id, message.nonce, 1, keccak256(message.payload));
        client.submit(message, proof);
        assertTrue(client.isProcessed(id), "after");
    }

    function test_refuses_a_replay() public {
        MusterDigest.Message memory message = aMessage();
        bytes memory proof = signMessage(message);
        client.submit(message, proof);
        expectAlreadyProcessed(message);
        client.submit(message, proof);
    }

    function test_refuses_a_replay_signed_by_the_next_committee() public {
        MusterDigest.Message memory message = aMessage();
        client.submit(message, signMessage(message));
        rotate(nextKeySet());
        bytes memory proof = signMessage(message);
        expectAlreadyProcessed(message);
        client.submit(message, proof);
    }

    function testFuzz_another_message_needs_another_proof(uint64 nonce, bytes calldata payload)
        public
    {
        MusterDigest.Message memory message = aMessage();
        bytes memory proof = signMessage(message);
        MusterDigest.Message memory other = MusterDigest.Message(nonce, payload);
        vm.assume(client.messageId(other) != client.messageId(message));
        expectProofRejected();
        client.submit(other, proof);
        client.submit(other, signMessage(other));
        client.submit(message, proof);
    }

    function test_one_nonce_or_one_payload_may_come_twice() public {
        MusterDigest.Message memory message = aMessage();
        client.submit(message, signMessage(message));
        message.nonce += 1;
        client.submit(message, signMessage(message));
        message.payload = "release 6 tokens to alice";
        client.submit(message, signMessage(message));
    }

    function test_refuses_an_unsigned_message() public {
        expectProofRejected();
        client.submit(aMessage(), new bytes(PROOF_LENGTH));
    }

    function test_refuses_a_proof_of_a_lower_threshold() public {
        uint256 digest = client.messageDigest(aMessage());
        bytes memory proof = prove(client.keySetRoot(), client.threshold() - 1, digest);
        expectProofRejected();
        client.submit(aMessage(), proof);
    }

    function test_refuses_a_proof_of_a_higher_threshold() public {
        uint256 digest = client.messageDigest(aMessage());
        bytes memory proof = prove(client.keySetRoot(), client.threshold() + 1, digest);
        expectProofRejected();
        client.submit(aMessage(), proof);
    }

    function test_refuses_a_proof_of_another_key() public {
        (bytes memory proof, address own) = (signMessage(aMessage()), halo2);
        halo2 = deployStub();
        verifier = new MusterVerifier(halo2, keccak256("another key"), PROOF_LENGTH, GAS_CAP);
        MusterDigest.Message memory other = MusterDigest.Message(8, "other");
        bytes memory foreign = signMessage(other);
        expectProofRejected();
        client.submit(other, foreign);
        halo2 = own;
        client.submit(aMessage(), proof);
    }

    function test_refuses_a_proof_of_another_set() public {
        uint256 digest = client.messageDigest(aMessage());
        bytes memory proof = prove(client.keySetRoot() + 1, client.threshold(), digest);
        expectProofRejected();
        client.submit(aMessage(), proof);
    }

    function test_refuses_a_proof_of_another_length() public {
        bytes memory proof = bytes.concat(signMessage(aMessage()), hex"00");
        vm.expectRevert(
            abi.encodeWithSelector(
                MusterVerifier.WrongProofLength.selector, PROOF_LENGTH, PROOF_LENGTH + 1
            )
        );
        client.submit(aMessage(), proof);
    }

    // Somewhere else.

    function testFuzz_refuses_a_message_for_another_chain(uint64 chain) public {
        vm.assume(chain != block.chainid && chain != 0);
        bytes memory proof = signMessage(aMessage());
        vm.chainId(chain);
        expectProofRejected();
        client.submit(aMessage(), proof);
    }

    function test_a_fork_of_the_chain_knows_no_old_message_or_batch_as_its_own() public {
        MusterDigest.Message memory message = aMessage();
        bytes32 id = client.messageId(message);
        bytes32 root = keccak256(abi.encodePacked(bytes1(0), id));
        client.submitBatch(root, sign(client.batchDigest(root)));
        vm.chainId(block.chainid + 1);
        bytes32 forked = client.messageId(message);
        assertTrue(forked != id, "another identity");
        vm.expectRevert(
            abi.encodeWithSelector(MultisigLightClient.InvalidPath.selector, root, forked)
        );
        client.submitFromBatch(message, root, new bytes32[](0));
    }

    function test_refuses_a_message_for_another_client() public {
        bytes memory proof = signMessage(aMessage());
        MultisigLightClient other = new MultisigLightClient(verifier, SOURCE, firstKeySet());
        expectProofRejected();
        other.submit(aMessage(), proof);
        client.submit(aMessage(), proof);
    }

    function test_refuses_a_message_from_another_source() public {
        bytes memory proof = signMessage(aMessage());
        MultisigLightClient other = new MultisigLightClient(verifier, SOURCE + 1, firstKeySet());
        // The same address, so that nothing but the source differs: immutables are code.
        vm.etch(address(client), address(other).code);
        expectProofRejected();
        client.submit(aMessage(), proof);
    }

    function expectRefused(bytes memory reason, MusterDigest.KeySet memory set) private {
        vm.expectRevert(reason);
        new MultisigLightClient(verifier, SOURCE, set);
    }

    function expectAlreadyProcessed(MusterDigest.Message memory message) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                MultisigLightClient.AlreadyProcessed.selector, client.messageId(message)
            )
        );
    }
}
