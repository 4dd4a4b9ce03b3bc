// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {Fixture} from "./base/Signing.sol";

contract BatchTest is Fixture {
    event BatchVerified(bytes32 indexed batchRoot, uint64 indexed epoch);
    event MessageOfBatch(bytes32 indexed messageId, bytes32 indexed batchRoot, bytes32[] path);

    uint256 private constant SIZE = 4;

    bytes32[SIZE] private _leaves;
    bytes32 private _left;
    bytes32 private _right;
    bytes32 private _root;

    /// @dev Four messages: the root over `_left`, of 0 and 1, and `_right`, of 2 and 3.
    function setUp() public override {
        super.setUp();
        for (uint64 i = 0; i < SIZE; ++i) {
            _leaves[i] = keccak256(abi.encodePacked(bytes1(0x00), idOf(i)));
        }
        _left = node(_leaves[0], _leaves[1]);
        _right = node(_leaves[2], _leaves[3]);
        _root = node(_left, _right);
    }

    function testEachMessageOfABatchIsProcessedOnce() public {
        submitBatch();
        for (uint64 i = 0; i < SIZE; ++i) {
            vm.expectEmit(address(client));
            emit MessageVerified(idOf(i), i, 1, _root, messageOf(i).payload);
            vm.expectEmit(address(client));
            emit MessageOfBatch(idOf(i), _root, pathOf(i));
            client.submitFromBatch(messageOf(i), _root, pathOf(i));
            assertTrue(client.isProcessed(idOf(i)), "processed");
            expect(MultisigLightClient.AlreadyProcessed.selector, idOf(i));
            client.submitFromBatch(messageOf(i), _root, pathOf(i));
        }
    }

    function testABatchIsAcceptedOnce() public {
        bytes memory proof = signBatch(first(), 1, 0, _root);
        vm.expectEmit(address(client));
        emit BatchVerified(_root, 1);
        client.submitBatch(_root, 1, 0, proof);
        assertEq(client.batch(_root).epoch, 1, "epoch");
        assertEq(client.batch(_root).acceptedAt, START, "time");
        expect(MultisigLightClient.BatchAlreadyAccepted.selector, _root);
        client.submitBatch(_root, 1, 0, proof);
    }

    function testRefusesAnUnsignedBatchAndItsMessages() public {
        expectProofRejected();
        client.submitBatch(_root, 1, 0, "");
        expect(MultisigLightClient.UnknownBatch.selector, _root);
        client.submitFromBatch(messageOf(0), _root, pathOf(0));
    }

    function testAnAcceptedBatchOutlivesItsCommittee() public {
        submitBatch();
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        vm.expectEmit(address(client));
        emit MessageVerified(idOf(0), 0, 1, _root, messageOf(0).payload);
        client.submitFromBatch(messageOf(0), _root, pathOf(0));
    }

    function testABatchLivesUntilItsLastSecond() public {
        submitBatch();
        vm.warp(START + LIFE + 1);
        expect(MultisigLightClient.BatchExpired.selector, _root);
        client.submitFromBatch(messageOf(0), _root, pathOf(0));
        vm.warp(START + LIFE);
        client.submitFromBatch(messageOf(0), _root, pathOf(0));
    }

    /// @dev Else the same proof would give it another life.
    function testAnExpiredBatchIsNotAcceptedAgain() public {
        bytes memory proof = signBatch(first(), 1, 0, _root);
        client.submitBatch(_root, 1, 0, proof);
        vm.warp(START + LIFE + 1);
        expect(MultisigLightClient.BatchAlreadyAccepted.selector, _root);
        client.submitBatch(_root, 1, 0, proof);
        // Its messages come alone or in another batch.
        submit(first(), 1, messageOf(0));
        submitBatch(first(), 1, _left);
        bytes32[] memory path = new bytes32[](1);
        path[0] = _leaves[0];
        client.submitFromBatch(messageOf(1), _left, path);
    }

    function testASignedBatchExpires() public {
        bytes memory proof = signBatch(first(), 1, START + 60, _root);
        vm.warp(START + 61);
        expect(MultisigLightClient.Expired.selector, START + 60);
        client.submitBatch(_root, 1, START + 60, proof);
        expectProofRejected();
        client.submitBatch(_root, 1, START + 61, proof);
        vm.warp(START + 60);
        client.submitBatch(_root, 1, START + 60, proof);
    }

    /// @dev The epoch is that of the signers, not the one in office.
    function testABatchOfTheCommitteeBefore() public {
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        submitBatch();
        assertEq(client.batch(_root).epoch, 1, "epoch");
        submitBatch(second(), 2, _left);
        assertEq(client.batch(_left).epoch, 2, "epoch");
    }

    // ------------------------------------------------------------------------------ Replay across the two ways

    function testAMessageTakenAloneIsNotTakenFromABatch() public {
        submitBatch();
        submit(first(), 1, messageOf(2));
        expect(MultisigLightClient.AlreadyProcessed.selector, idOf(2));
        client.submitFromBatch(messageOf(2), _root, pathOf(2));
    }

    function testAMessageTakenFromABatchIsNotTakenAloneOrFromAnother() public {
        submitBatch();
        client.submitFromBatch(messageOf(2), _root, pathOf(2));
        bytes memory proof = signMessage(first(), 1, 0, messageOf(2));
        expect(MultisigLightClient.AlreadyProcessed.selector, idOf(2));
        client.submit(messageOf(2), 1, 0, proof);
        submitBatch(first(), 1, _leaves[2]);
        expect(MultisigLightClient.AlreadyProcessed.selector, idOf(2));
        client.submitFromBatch(messageOf(2), _leaves[2], new bytes32[](0));
    }

    function testAProofForAMessageIsNoneForABatchAndTheReverse() public {
        (bytes32 id, bytes memory proof) = (idOf(0), signMessage(first(), 1, 0, messageOf(0)));
        expectProofRejected();
        client.submitBatch(id, 1, 0, proof);
        proof = signBatch(first(), 1, 0, id);
        expectProofRejected();
        client.submit(messageOf(0), 1, 0, proof);
    }

    // ------------------------------------------------------------------------------ Paths

    function testABatchOfOneIsItsLeaf() public {
        submitBatch(first(), 1, _leaves[0]);
        client.submitFromBatch(messageOf(0), _leaves[0], new bytes32[](0));
    }

    function testFuzzRefusesAPathWithAWrongSibling(uint256 step, uint256 change) public {
        vm.assume(change != 0);
        submitBatch();
        bytes32[] memory path = pathOf(1);
        path[bound(step, 0, 1)] ^= bytes32(change);
        expectInvalidPath(1);
        client.submitFromBatch(messageOf(1), _root, path);
    }

    function testFuzzRefusesAPathLongerBySome(bytes32[] calldata surplus) public {
        vm.assume(surplus.length > 0 && surplus.length <= 30);
        submitBatch();
        bytes32[] memory path = new bytes32[](2 + surplus.length);
        (path[0], path[1]) = (pathOf(1)[0], pathOf(1)[1]);
        for (uint256 i = 0; i < surplus.length; ++i) {
            path[2 + i] = surplus[i];
        }
        expectInvalidPath(1);
        client.submitFromBatch(messageOf(1), _root, path);
    }

    function testRefusesAPathTooShort() public {
        submitBatch();
        bytes32[] memory path = new bytes32[](1);
        path[0] = pathOf(1)[0];
        expectInvalidPath(1);
        client.submitFromBatch(messageOf(1), _root, path);
        expectInvalidPath(1);
        client.submitFromBatch(messageOf(1), _root, new bytes32[](0));
    }

    function testRefusesAPathInAnotherOrder() public {
        submitBatch();
        (bytes32[] memory path, bytes32[] memory right) = (new bytes32[](2), pathOf(1));
        (path[0], path[1]) = (right[1], right[0]);
        expectInvalidPath(1);
        client.submitFromBatch(messageOf(1), _root, path);
    }

    function testAPathHasALongestLength() public {
        (bytes32 root, bytes32[] memory path) = chain(32);
        submitBatch(first(), 1, root);
        client.submitFromBatch(messageOf(0), root, path);
        (root, path) = chain(33);
        submitBatch(first(), 1, root);
        expect(MultisigLightClient.PathTooLong.selector, 33);
        client.submitFromBatch(messageOf(0), root, path);
    }

    function testFuzzRefusesAMessageThatIsNotInTheBatch(bytes calldata payload) public {
        submitBatch();
        MusterDigest.Message memory message = MusterDigest.Message(0, payload);
        bytes32 id = client.messageId(message);
        vm.assume(id != idOf(0));
        vm.expectRevert(abi.encodeWithSelector(MultisigLightClient.InvalidPath.selector, _root, id));
        client.submitFromBatch(message, _root, pathOf(0));
    }

    /// @dev The payload is what an inner node hashes: were leaves hashed like nodes, or payloads
    /// like leaves, the message would be in the batch.
    function testANodeIsNoLeaf() public {
        submitBatch();
        (bytes32 low, bytes32 high) =
            _leaves[0] < _leaves[1] ? (_leaves[0], _leaves[1]) : (_leaves[1], _leaves[0]);
        bytes32[] memory path = new bytes32[](1);
        path[0] = _right;
        assertEq(node(_left, path[0]), _root, "the node's path");
        refuse(MusterDigest.Message(0, abi.encodePacked(low, high)), path);
        refuse(MusterDigest.Message(0, abi.encodePacked(bytes1(0x01), low, high)), path);
        refuse(MusterDigest.Message(0, abi.encodePacked(bytes1(0x00), low, high)), path);
        refuse(MusterDigest.Message(0, abi.encodePacked(_left)), path);
    }

    function refuse(MusterDigest.Message memory message, bytes32[] memory path) private {
        vm.expectRevert(
            abi.encodeWithSelector(
                MultisigLightClient.InvalidPath.selector, _root, client.messageId(message)
            )
        );
        client.submitFromBatch(message, _root, path);
    }

    function submitBatch() private {
        submitBatch(first(), 1, _root);
    }

    function messageOf(uint64 i) private pure returns (MusterDigest.Message memory) {
        return MusterDigest.Message({nonce: i, payload: abi.encode("payload", i)});
    }

    function idOf(uint64 i) private view returns (bytes32) {
        return client.messageId(messageOf(i));
    }

    function pathOf(uint64 i) private view returns (bytes32[] memory path) {
        path = new bytes32[](2);
        path[0] = _leaves[i ^ 1];
        path[1] = i < 2 ? _right : _left;
    }

    /// @dev A tree in which message 0 lies `depth` deep.
    function chain(uint256 depth) private view returns (bytes32 root, bytes32[] memory path) {
        root = _leaves[0];
        path = new bytes32[](depth);
        for (uint256 i = 0; i < depth; ++i) {
            path[i] = keccak256(abi.encode(depth, i));
            root = node(root, path[i]);
        }
    }

    function node(bytes32 a, bytes32 b) private pure returns (bytes32) {
        (bytes32 low, bytes32 high) = a < b ? (a, b) : (b, a);
        return keccak256(abi.encodePacked(bytes1(0x01), low, high));
    }

    function expectInvalidPath(uint64 i) private {
        vm.expectRevert(
            abi.encodeWithSelector(MultisigLightClient.InvalidPath.selector, _root, idOf(i))
        );
    }
}
