// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Fixture} from "./base/Fixture.sol";

/// @dev A verifier that takes every proof, and in passing calls the light client that asks with
/// the calldata that the proof holds. It answers true only if that call failed.
contract ReentrantVerifier {
    bytes32 public constant VERIFIER_HASH = keccak256("reentrant");

    function verify(bytes calldata proof, uint256[] calldata) external returns (bool) {
        if (proof.length == 0) return true;
        // The inner write burns all gas that it is given: leave some.
        (bool entered,) = msg.sender.call{gas: 300_000}(proof);
        return !entered;
    }
}

/// @dev A verifier that accepts only while the light client calls the message unprocessed.
contract WatchingVerifier {
    bytes32 public constant VERIFIER_HASH = keccak256("watching");

    function verify(bytes calldata proof, uint256[] calldata) external view returns (bool) {
        return !MultisigLightClient(msg.sender).isProcessed(abi.decode(proof, (bytes32)));
    }
}

contract ReentrancyTest is Fixture {
    function setUp() public override {
        ReentrantVerifier reentrant = new ReentrantVerifier();
        client = new MultisigLightClient(IMusterVerifier(address(reentrant)), SOURCE, firstKeySet());
    }

    function test_the_inner_calls_would_succeed_from_outside() public {
        client.submit(aMessage(), "");
        client.submitBatch(keccak256("a batch"), "");
        rotate(nextKeySet(), "");
    }

    function test_submit_is_not_re_entered() public {
        client.submit(aMessage(), abi.encodeCall(client.submit, (aMessage(), "")));
        assertTrue(client.isProcessed(client.messageId(aMessage())), "once");
    }

    function test_submit_does_not_let_in_another_message_or_a_batch() public {
        MusterDigest.Message memory other = MusterDigest.Message(8, "other");
        client.submit(aMessage(), abi.encodeCall(client.submit, (other, "")));
        assertFalse(client.isProcessed(client.messageId(other)), "message");
        bytes32 root = keccak256("a batch");
        client.submit(other, abi.encodeCall(client.submitBatch, (root, "")));
        assertEq(client.batchEpoch(root), 0, "batch");
    }

    function test_submit_does_not_let_in_a_handover() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory call = abi.encodeCall(
            client.rotate, (next.root, next.threshold, next.totalWeight, next.epoch, "")
        );
        client.submit(aMessage(), call);
        assertEq(client.epoch(), 1, "epoch");
    }

    function test_submit_batch_is_not_re_entered() public {
        (bytes32 root, bytes32 other) = (keccak256("a batch"), keccak256("another batch"));
        client.submitBatch(root, abi.encodeCall(client.submitBatch, (root, "")));
        assertEq(client.batchEpoch(root), 1, "once");
        client.submitBatch(other, abi.encodeCall(client.submit, (aMessage(), "")));
        assertFalse(client.isProcessed(client.messageId(aMessage())), "message");
    }

    function test_rotate_is_not_re_entered() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory call = abi.encodeCall(client.rotate, (0xbad, 1, 1, 2, ""));
        rotate(next, call);
        assertEq(client.keySetRoot(), next.root, "root");
        assertEq(client.epoch(), 2, "epoch");
    }

    function test_a_message_is_not_processed_while_it_is_verified() public {
        WatchingVerifier watching = new WatchingVerifier();
        client = new MultisigLightClient(IMusterVerifier(address(watching)), SOURCE, firstKeySet());
        client.submit(aMessage(), abi.encode(client.messageId(aMessage())));
    }
}
