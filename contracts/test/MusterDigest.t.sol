// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterDigest} from "../src/MusterDigest.sol";
import {Test} from "./base/Test.sol";

/// @dev Makes the library's functions callable with calldata.
contract DigestHarness {
    function messageId(MusterDigest.Scope calldata scope, MusterDigest.Message calldata message)
        external
        pure
        returns (bytes32)
    {
        return MusterDigest.messageId(scope, message);
    }

    function batchRootOf(bytes32 id, bytes32[] calldata path) external pure returns (bytes32) {
        return MusterDigest.batchRootOf(id, path);
    }
}

/// @dev The vectors were computed outside of Solidity from the formulas in `MusterDigest`; other
/// implementations read the same file.
contract MusterDigestTest is Test {
    uint256 private constant VECTORS = 3;
    uint256 private constant LIMIT = 2 ** 253;

    DigestHarness private _harness = new DigestHarness();
    string private _json;

    function setUp() public {
        _json = vm.readFile("test/vectors/digests.json");
    }

    function test_the_file_holds_as_many_vectors_as_are_tested() public view {
        assertTrue(vm.keyExistsJson(_json, vectorPath(VECTORS - 1)), "too few");
        assertFalse(vm.keyExistsJson(_json, vectorPath(VECTORS)), "too many");
    }

    function test_messages_and_batches_known_answers() public view {
        for (uint256 v = 0; v < VECTORS; ++v) {
            MusterDigest.Scope memory scope = scopeOf(v);
            bytes32 root = vm.parseJsonBytes32(_json, string.concat(vectorPath(v), ".batch.root"));
            assertEq(
                MusterDigest.batchDigest(scope, root),
                vm.parseJsonUint(_json, string.concat(vectorPath(v), ".batch.digest")),
                "batch"
            );
            for (uint256 m = 0; vm.keyExistsJson(_json, messagePath(v, m)); ++m) {
                checkMessage(scope, messagePath(v, m), root);
            }
        }
    }

    function test_handovers_known_answers() public view {
        for (uint256 v = 0; v < VECTORS; ++v) {
            string memory path = string.concat(vectorPath(v), ".handover");
            MusterDigest.KeySet memory next = MusterDigest.KeySet({
                root: number(path, ".root"),
                threshold: uint64(number(path, ".threshold")),
                totalWeight: uint64(number(path, ".totalWeight")),
                epoch: uint64(number(path, ".epoch"))
            });
            uint256 digest = MusterDigest.handoverDigest(scopeOf(v), next);
            assertEq(digest, number(path, ".digest"), "handover");
        }
    }

    function testFuzz_digests_are_field_elements_of_253_bits(
        MusterDigest.Scope calldata scope,
        MusterDigest.KeySet calldata next,
        bytes32 body
    ) public pure {
        assertTrue(MusterDigest.messageDigest(scope, body) < LIMIT, "message");
        assertTrue(MusterDigest.batchDigest(scope, body) < LIMIT, "batch");
        assertTrue(MusterDigest.handoverDigest(scope, next) < LIMIT, "handover");
    }

    function testFuzz_the_kinds_are_apart(
        MusterDigest.Scope calldata scope,
        MusterDigest.KeySet calldata next
    ) public pure {
        bytes32 body = keccak256(
            abi.encode(next.epoch, next.root, next.threshold, next.totalWeight)
        );
        uint256 message = MusterDigest.messageDigest(scope, body);
        uint256 batch = MusterDigest.batchDigest(scope, body);
        uint256 handover = MusterDigest.handoverDigest(scope, next);
        assertTrue(message != batch, "message and batch");
        assertTrue(message != handover, "message and handover");
        assertTrue(batch != handover, "batch and handover");
    }

    function testFuzz_everything_in_the_scope_is_bound(
        MusterDigest.Scope memory a,
        uint256 field,
        uint256 value
    ) public pure {
        bytes32 body = keccak256("body");
        uint256 before = MusterDigest.messageDigest(a, body);
        bytes32 encoded = keccak256(abi.encode(a));
        field = bound(field, 0, 4);
        if (field == 0) a.sourceChainId = value;
        if (field == 1) a.destinationChainId = value;
        if (field == 2) a.client = address(uint160(value));
        if (field == 3) a.epoch = uint64(value);
        if (field == 4) a.keySetRoot = value;
        vm.assume(keccak256(abi.encode(a)) != encoded);
        assertTrue(MusterDigest.messageDigest(a, body) != before, "bound");
    }

    function testFuzz_an_identity_is_the_same_in_every_epoch(
        MusterDigest.Scope memory scope,
        MusterDigest.Message calldata message,
        uint64 epoch,
        uint256 root
    ) public view {
        bytes32 id = _harness.messageId(scope, message);
        (scope.epoch, scope.keySetRoot) = (epoch, root);
        assertEq(_harness.messageId(scope, message), id, "identity");
    }

    function checkMessage(MusterDigest.Scope memory scope, string memory path, bytes32 root)
        private
        view
    {
        MusterDigest.Message memory message = MusterDigest.Message({
            nonce: uint64(number(path, ".nonce")),
            payload: vm.parseJsonBytes(_json, string.concat(path, ".payload"))
        });
        bytes32 id = _harness.messageId(scope, message);
        assertEq(id, vm.parseJsonBytes32(_json, string.concat(path, ".id")), "identity");
        assertEq(MusterDigest.messageDigest(scope, id), number(path, ".digest"), "message");
        bytes32[] memory siblings = vm.parseJsonBytes32Array(_json, string.concat(path, ".path"));
        assertEq(_harness.batchRootOf(id, siblings), root, "path");
    }

    function scopeOf(uint256 v) private view returns (MusterDigest.Scope memory) {
        string memory path = string.concat(vectorPath(v), ".scope");
        return MusterDigest.Scope({
            sourceChainId: number(path, ".sourceChainId"),
            destinationChainId: number(path, ".destinationChainId"),
            client: vm.parseJsonAddress(_json, string.concat(path, ".client")),
            epoch: uint64(number(path, ".epoch")),
            keySetRoot: number(path, ".keySetRoot")
        });
    }

    function number(string memory path, string memory key) private view returns (uint256) {
        return vm.parseJsonUint(_json, string.concat(path, key));
    }

    function vectorPath(uint256 v) private pure returns (string memory) {
        return string.concat(".vectors[", vm.toString(v), "]");
    }

    function messagePath(uint256 v, uint256 m) private pure returns (string memory) {
        return string.concat(vectorPath(v), ".messages[", vm.toString(m), "]");
    }
}
