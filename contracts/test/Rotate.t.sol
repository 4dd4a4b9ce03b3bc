// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {Fixture} from "./base/Fixture.sol";

contract RotateTest is Fixture {
    event KeySetRotated(
        uint64 indexed epoch, uint256 indexed root, uint64 threshold, uint64 totalWeight
    );

    function test_hands_over() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory proof = sign(client.handoverDigest(next));
        vm.expectEmit(address(client));
        emit KeySetRotated(next.epoch, next.root, next.threshold, next.totalWeight);
        rotate(next, proof);
        assertEq(keccak256(abi.encode(client.keySet())), keccak256(abi.encode(next)), "key set");
        client.submit(aMessage(), signMessage(aMessage()));
    }

    function testFuzz_hands_over_to_any_set_that_can_sign(
        uint256 root,
        uint64 threshold,
        uint64 weight
    ) public {
        MusterDigest.KeySet memory next = nextKeySet();
        next.root = bound(root, 1, R - 1);
        next.totalWeight = uint64(bound(weight, 1, 2 ** 60 - 1));
        next.threshold = uint64(bound(threshold, 1, next.totalWeight));
        rotate(next);
        assertEq(keccak256(abi.encode(client.keySet())), keccak256(abi.encode(next)), "key set");
    }

    function test_the_set_may_stay_and_the_threshold_change() public {
        MusterDigest.KeySet memory next = firstKeySet();
        (next.epoch, next.threshold) = (2, 12);
        rotate(next);
        assertEq(client.threshold(), 12, "threshold");
    }

    // The old committee.

    function test_what_the_old_committee_signed_expires() public {
        bytes memory proof = signMessage(aMessage());
        bytes32 root = keccak256("a batch");
        bytes memory batchProof = sign(client.batchDigest(root));
        rotate(nextKeySet());
        expectProofRejected();
        client.submit(aMessage(), proof);
        expectProofRejected();
        client.submitBatch(root, batchProof);
    }

    function test_the_old_committee_signs_nothing_new() public {
        MusterDigest.KeySet memory old = firstKeySet();
        rotate(nextKeySet());
        bytes memory proof = prove(old.root, old.threshold, client.messageDigest(aMessage()));
        expectProofRejected();
        client.submit(aMessage(), proof);
        MusterDigest.KeySet memory back = old;
        back.epoch = 3;
        proof = prove(old.root, old.threshold, client.handoverDigest(back));
        expectProofRejected();
        rotate(back, proof);
    }

    function test_a_committee_that_comes_back_does_not_revive_its_signatures() public {
        bytes memory proof = signMessage(aMessage());
        MusterDigest.KeySet memory back = firstKeySet();
        rotate(nextKeySet());
        back.epoch = 3;
        rotate(back);
        expectProofRejected();
        client.submit(aMessage(), proof);
    }

    function test_the_new_committee_cannot_install_itself() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory proof = prove(next.root, next.threshold, client.handoverDigest(next));
        expectProofRejected();
        rotate(next, proof);
    }

    function test_a_handover_needs_the_threshold_in_office() public {
        MusterDigest.KeySet memory next = nextKeySet();
        uint256 digest = client.handoverDigest(next);
        bytes memory proof = prove(client.keySetRoot(), next.threshold, digest);
        expectProofRejected();
        rotate(next, proof);
    }

    // Epochs.

    function testFuzz_refuses_any_epoch_but_the_next(uint64 epoch) public {
        rotate(nextKeySet());
        vm.assume(epoch != 3);
        MusterDigest.KeySet memory next = nextKeySet();
        next.epoch = epoch;
        expectInvalidEpoch(next);
    }

    function test_refuses_an_epoch_skipped_repeated_or_old() public {
        rotate(nextKeySet());
        MusterDigest.KeySet memory next = nextKeySet();
        next.epoch = 4;
        expectInvalidEpoch(next);
        next.epoch = 2;
        expectInvalidEpoch(next);
        next.epoch = 1;
        expectInvalidEpoch(next);
        next.epoch = 0;
        expectInvalidEpoch(next);
    }

    function test_refuses_a_handover_replayed() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory proof = sign(client.handoverDigest(next));
        rotate(next, proof);
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.InvalidEpoch.selector, 2));
        rotate(next, proof);
    }

    function test_one_of_two_signed_handovers_counts() public {
        MusterDigest.KeySet memory next = nextKeySet();
        MusterDigest.KeySet memory other = nextKeySet();
        other.root += 1;
        bytes memory otherProof = sign(client.handoverDigest(other));
        rotate(next);
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.InvalidEpoch.selector, 2));
        rotate(other, otherProof);
        other.epoch = 3;
        expectProofRejected();
        rotate(other, otherProof);
    }

    function test_the_last_epoch_has_no_next() public {
        MusterDigest.KeySet memory last = firstKeySet();
        last.epoch = type(uint64).max - 1;
        client = new MultisigLightClient(verifier, SOURCE, last);
        last.epoch += 1;
        rotate(last);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        client.rotate(1, 1, 1, 0, new bytes(PROOF_LENGTH));
    }

    // Sets that cannot sign, even if the committee in office signed them.

    function testFuzz_refuses_a_threshold_of_zero_or_above_the_weight(
        uint64 threshold,
        uint64 weight
    ) public {
        MusterDigest.KeySet memory next = nextKeySet();
        next.totalWeight = uint64(bound(weight, 0, 2 ** 60 - 1));
        next.threshold = uint64(bound(threshold, next.totalWeight + 1, type(uint64).max));
        expectInvalidThreshold(next);
        next.threshold = 0;
        expectInvalidThreshold(next);
    }

    function testFuzz_refuses_a_weight_beyond_the_circuit(uint64 weight) public {
        MusterDigest.KeySet memory next = nextKeySet();
        next.totalWeight = uint64(bound(weight, 2 ** 60, type(uint64).max));
        bytes memory proof = sign(client.handoverDigest(next));
        vm.expectRevert(
            abi.encodeWithSelector(
                MultisigLightClient.InvalidTotalWeight.selector, next.totalWeight
            )
        );
        rotate(next, proof);
    }

    function testFuzz_refuses_a_root_that_is_no_field_element(uint256 root) public {
        MusterDigest.KeySet memory next = nextKeySet();
        next.root = bound(root, R, type(uint256).max);
        expectInvalidRoot(next);
        next.root = 0;
        expectInvalidRoot(next);
    }

    // What is signed.

    function testFuzz_everything_in_a_handover_is_signed(uint256 field, uint64 value) public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory proof = sign(client.handoverDigest(next));
        field = bound(field, 0, 2);
        if (field == 0) next.root = bound(value, next.root + 1, R - 1);
        if (field == 1) next.threshold = uint64(bound(value, 1, next.threshold - 1));
        if (field == 2) {
            next.totalWeight = uint64(bound(value, next.totalWeight + 1, 2 ** 60 - 1));
        }
        expectProofRejected();
        rotate(next, proof);
    }

    function test_a_message_is_no_handover_and_a_handover_no_message() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes32 body =
            keccak256(abi.encode(next.epoch, next.root, next.threshold, next.totalWeight));
        // The batch whose root is the very hash that a handover signs.
        bytes memory batchProof = sign(client.batchDigest(body));
        expectProofRejected();
        rotate(next, batchProof);
        bytes memory handoverProof = sign(client.handoverDigest(next));
        expectProofRejected();
        client.submitBatch(body, handoverProof);
        expectProofRejected();
        client.submit(MusterDigest.Message(next.epoch, abi.encode(next)), handoverProof);
    }

    function testFuzz_refuses_a_handover_for_another_chain(uint64 chain) public {
        vm.assume(chain != block.chainid && chain != 0);
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory proof = sign(client.handoverDigest(next));
        vm.chainId(chain);
        expectProofRejected();
        rotate(next, proof);
    }

    function test_refuses_a_handover_for_another_client() public {
        MusterDigest.KeySet memory next = nextKeySet();
        bytes memory proof = sign(client.handoverDigest(next));
        client = new MultisigLightClient(verifier, SOURCE, firstKeySet());
        expectProofRejected();
        rotate(next, proof);
    }

    function expectInvalidEpoch(MusterDigest.KeySet memory next) private {
        bytes memory proof = sign(client.handoverDigest(next));
        vm.expectRevert(
            abi.encodeWithSelector(MultisigLightClient.InvalidEpoch.selector, next.epoch)
        );
        rotate(next, proof);
    }

    function expectInvalidThreshold(MusterDigest.KeySet memory next) private {
        bytes memory proof = sign(client.handoverDigest(next));
        vm.expectRevert(
            abi.encodeWithSelector(
                MultisigLightClient.InvalidThreshold.selector, next.threshold, next.totalWeight
            )
        );
        rotate(next, proof);
    }

    function expectInvalidRoot(MusterDigest.KeySet memory next) private {
        bytes memory proof = sign(client.handoverDigest(next));
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.InvalidRoot.selector, next.root));
        rotate(next, proof);
    }
}
