// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {Fixture, Signing} from "./base/Fixture.sol";

/// @dev Does to a light client, at random, what anybody could: good and bad submissions, batches and
/// handovers, from few enough messages, roots and epochs that they come up again and again. Keeps
/// its own books of what the client accepted.
contract Handler is Signing {
    bytes32[] public ids;
    bytes32[] public batches;
    uint256[] public epochs;
    mapping(bytes32 => uint256) public timesProcessed;
    mapping(uint256 => uint256) public rootOfEpoch;
    uint256 public refused;
    bool public twoRoots;
    bool public epochWentBack;
    bool public badKeySet;

    MusterDigest.KeySet private _old = firstKeySet();
    mapping(bytes32 => bool) private _known;

    constructor() {
        deploy();
        note();
    }

    function theClient() external view returns (MultisigLightClient) {
        return client;
    }

    function counts() external view returns (uint256, uint256, uint256) {
        return (ids.length, batches.length, epochs.length);
    }

    function submitSigned(uint8 which) external {
        MusterDigest.Message memory message = pick(which);
        trySubmit(message, signMessage(message));
    }

    function submitUnsigned(uint8 which) external {
        trySubmit(pick(which), new bytes(PROOF_LENGTH));
    }

    function submitSignedByTheOld(uint8 which) external {
        MusterDigest.Message memory message = pick(which);
        uint256 digest = client.messageDigest(message);
        trySubmit(message, prove(_old.root, _old.threshold, digest));
    }

    function submitBatch(uint8 first, uint8 second) external {
        bytes32 root = batchOf(first, second);
        try client.submitBatch(root, sign(client.batchDigest(root))) {
            batches.push(root);
        } catch {
            ++refused;
        }
        note();
    }

    function submitFromBatch(uint8 first, uint8 second, bool swap) external {
        bytes32[] memory path = new bytes32[](1);
        path[0] = leafOf(swap ? first : second);
        MusterDigest.Message memory message = pick(swap ? second : first);
        try client.submitFromBatch(message, batchOf(first, second), path) {
            processed(message);
        } catch {
            ++refused;
        }
        note();
    }

    function rotateSigned(uint8 root, uint8 threshold, uint8 totalWeight) external {
        tryRotate(nextOf(root, threshold, totalWeight, client.epoch() + 1), true);
    }

    function rotateToAnyEpoch(uint8 root, uint8 epoch) external {
        tryRotate(nextOf(root, 1, 1, uint64(epoch % 8)), true);
    }

    function rotateUnsigned(uint8 root) external {
        tryRotate(nextOf(root, 1, 1, client.epoch() + 1), false);
    }

    function trySubmit(MusterDigest.Message memory message, bytes memory proof) private {
        try client.submit(message, proof) {
            processed(message);
        } catch {
            ++refused;
        }
        note();
    }

    function tryRotate(MusterDigest.KeySet memory next, bool signed) private {
        bytes memory proof = signed ? sign(client.handoverDigest(next)) : new bytes(PROOF_LENGTH);
        MusterDigest.KeySet memory old = client.keySet();
        try client.rotate(next.root, next.threshold, next.totalWeight, next.epoch, proof) {
            _old = old;
        } catch {
            ++refused;
        }
        note();
    }

    /// @dev Compares the client's committee with the books, and enters it.
    function note() private {
        MusterDigest.KeySet memory set = client.keySet();
        uint256 known = epochs.length;
        if (known == 0 || epochs[known - 1] != set.epoch) {
            if (known != 0 && epochs[known - 1] > set.epoch) epochWentBack = true;
            epochs.push(set.epoch);
        }
        if (rootOfEpoch[set.epoch] == 0) rootOfEpoch[set.epoch] = set.root;
        if (rootOfEpoch[set.epoch] != set.root) twoRoots = true;
        if (set.threshold == 0 || set.threshold > set.totalWeight) badKeySet = true;
        if (set.root == 0 || set.root >= R) badKeySet = true;
    }

    function processed(MusterDigest.Message memory message) private {
        bytes32 id = client.messageId(message);
        ++timesProcessed[id];
        if (!_known[id]) ids.push(id);
        _known[id] = true;
    }

    function pick(uint8 which) private pure returns (MusterDigest.Message memory) {
        return MusterDigest.Message({nonce: which % 4, payload: abi.encode(which % 8)});
    }

    function nextOf(uint8 root, uint8 threshold, uint8 totalWeight, uint64 epoch)
        private
        pure
        returns (MusterDigest.KeySet memory)
    {
        return MusterDigest.KeySet({
            root: root % 8, threshold: threshold, totalWeight: totalWeight, epoch: epoch
        });
    }

    function leafOf(uint8 which) private view returns (bytes32) {
        return keccak256(abi.encodePacked(bytes1(0x00), client.messageId(pick(which))));
    }

    function batchOf(uint8 first, uint8 second) private view returns (bytes32) {
        (bytes32 a, bytes32 b) = (leafOf(first), leafOf(second));
        (a, b) = a < b ? (a, b) : (b, a);
        return keccak256(abi.encodePacked(bytes1(0x01), a, b));
    }
}

contract InvariantsTest is Fixture {
    Handler private _handler;

    function setUp() public override {
        _handler = new Handler();
        client = _handler.theClient();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_no_epoch_has_two_roots() public view {
        assertFalse(_handler.twoRoots(), "two roots");
        assertEq(_handler.rootOfEpoch(client.epoch()), client.keySetRoot(), "root in office");
    }

    function invariant_the_epoch_rises_by_one_at_a_time() public view {
        assertFalse(_handler.epochWentBack(), "back");
        (,, uint256 epochs) = _handler.counts();
        for (uint256 i = 0; i < epochs; ++i) {
            assertEq(_handler.epochs(i), i + 1, "one at a time");
        }
        assertEq(client.epoch(), epochs, "epoch in office");
    }

    function invariant_no_message_is_processed_twice() public view {
        (uint256 ids,,) = _handler.counts();
        for (uint256 i = 0; i < ids; ++i) {
            bytes32 id = _handler.ids(i);
            assertEq(_handler.timesProcessed(id), 1, "once");
            assertTrue(client.isProcessed(id), "for good");
        }
    }

    function invariant_an_accepted_batch_stays_accepted() public view {
        (, uint256 batches,) = _handler.counts();
        for (uint256 i = 0; i < batches; ++i) {
            uint64 epoch = client.batchEpoch(_handler.batches(i));
            assertTrue(epoch != 0 && epoch <= client.epoch(), "accepted");
        }
    }

    function invariant_the_committee_in_office_can_sign() public view {
        assertFalse(_handler.badKeySet(), "key set");
    }

    /// @dev The handler does something: each way of success is reached.
    function test_the_handler_gets_through() public {
        _handler.submitSigned(1);
        _handler.submitBatch(2, 3);
        _handler.submitFromBatch(2, 3, false);
        _handler.submitFromBatch(2, 3, true);
        _handler.rotateSigned(5, 2, 3);
        _handler.rotateToAnyEpoch(6, 3);
        (uint256 ids, uint256 batches, uint256 epochs) = _handler.counts();
        assertEq(ids, 3, "messages");
        assertEq(batches, 1, "batches");
        assertEq(epochs, 3, "epochs");
        assertEq(_handler.refused(), 0, "refused");
        _handler.submitSigned(1);
        _handler.submitSignedByTheOld(4);
        _handler.submitUnsigned(4);
        _handler.rotateUnsigned(4);
        _handler.rotateToAnyEpoch(6, 3);
        assertEq(_handler.refused(), 5, "all refused");
    }
}
