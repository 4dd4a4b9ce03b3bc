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
        return MusterDigest.messageId(
            scope.sourceChainId, scope.destinationChainId, scope.client, message
        );
    }

    function batchRootOf(bytes32 id, bytes32[] calldata path) external pure returns (bytes32) {
        return MusterDigest.batchRootOf(id, path);
    }
}

/// @dev The vectors were computed outside of Solidity, by tools/vectors, from the formulas in
/// `MusterDigest`; other implementations read the same file.
contract MusterDigestTest is Test {
    uint256 private constant VECTORS = 4;
    uint256 private constant LIMIT = 2 ** 253;
    uint256 private constant KINDS = 4;

    DigestHarness private _harness = new DigestHarness();
    string private _json;

    function setUp() public {
        _json = vm.readFile("test/vectors/digests.json");
    }

    function testTheFileHoldsAsManyVectorsAsAreTested() public view {
        assertTrue(vm.keyExistsJson(_json, vectorPath(VECTORS - 1)), "too few");
        assertFalse(vm.keyExistsJson(_json, vectorPath(VECTORS)), "too many");
    }

    function testMessagesAndBatches() public view {
        for (uint256 v = 0; v < VECTORS; ++v) {
            MusterDigest.Scope memory scope = scopeOf(v);
            string memory at = string.concat(vectorPath(v), ".batch");
            bytes32 root = word(at, ".root");
            uint256 digest = MusterDigest.batchDigest(scope, validUntil(v), root);
            assertEq(digest, number(at, ".digest"), "batch");
            for (uint256 m = 0; vm.keyExistsJson(_json, messagePath(v, m)); ++m) {
                checkMessage(scope, validUntil(v), messagePath(v, m), root);
            }
        }
    }

    function testHandovers() public view {
        for (uint256 v = 0; v < VECTORS; ++v) {
            MusterDigest.Scope memory scope = scopeOf(v);
            string memory at = string.concat(vectorPath(v), ".handover");
            MusterDigest.Committee memory next = MusterDigest.Committee({
                key: word(at, ".next.key"),
                root: number(at, ".next.root"),
                threshold: uint64(number(at, ".next.threshold")),
                form: MusterDigest.Form(number(at, ".next.form"))
            });
            uint64 sequence = uint64(number(at, ".sequence"));
            bytes32 name = MusterDigest.proposalOf(sequence, scope.epoch + 1, next);
            assertEq(name, word(at, ".proposal"), "proposal");
            uint256 digest = MusterDigest.handoverDigest(scope, validUntil(v), name);
            assertEq(digest, number(at, ".digest"), "handover");
            (scope.epoch, scope.key, scope.root) = (scope.epoch + 1, next.key, next.root);
            digest = MusterDigest.acceptanceDigest(scope, validUntil(v), name);
            assertEq(digest, number(at, ".acceptance_digest"), "acceptance");
        }
    }

    /// @dev And each is an element of the field, of 253 bits.
    function testFuzzTheKindsAreApart(MusterDigest.Scope calldata scope, uint64 until, bytes32 body)
        public
        pure
    {
        for (uint256 a = 0; a < KINDS; ++a) {
            uint256 digest = digestOf(a, scope, until, body);
            assertBelow(digest, LIMIT, "bits");
            for (uint256 b = 0; b < a; ++b) {
                assertTrue(digest != digestOf(b, scope, until, body), "apart");
            }
        }
    }

    function testFuzzEverythingIsBound(
        MusterDigest.Scope memory a,
        uint64 until,
        uint256 field,
        uint256 value
    ) public pure {
        bytes32 body = keccak256("body");
        uint256 before = MusterDigest.messageDigest(a, until, body);
        bytes32 encoded = keccak256(abi.encode(a, until, body));
        field = bound(field, 0, 7);
        if (field == 0) a.sourceChainId = value;
        if (field == 1) a.destinationChainId = value;
        if (field == 2) a.client = address(uint160(value));
        if (field == 3) a.epoch = uint64(value);
        if (field == 4) a.key = bytes32(value);
        if (field == 5) a.root = value;
        if (field == 6) until = uint64(value);
        if (field == 7) body = bytes32(value);
        vm.assume(keccak256(abi.encode(a, until, body)) != encoded);
        assertTrue(MusterDigest.messageDigest(a, until, body) != before, "bound");
    }

    function testFuzzAProposalBindsAllOfIt(
        bytes32 key,
        uint256[4] calldata seed,
        uint256 field,
        uint256 value
    ) public pure {
        (uint64 sequence, uint64 epoch) = (uint64(seed[0]), uint64(seed[1]));
        MusterDigest.Committee memory next = MusterDigest.Committee(
            key, seed[2], uint64(seed[3]), MusterDigest.Form(seed[3] >> 255)
        );
        bytes32 before = MusterDigest.proposalOf(sequence, epoch, next);
        bytes32 encoded = keccak256(abi.encode(sequence, epoch, next));
        field = bound(field, 0, 5);
        if (field == 0) sequence = uint64(value);
        if (field == 1) epoch = uint64(value);
        if (field == 2) next.key = bytes32(value);
        if (field == 3) next.root = value;
        if (field == 4) next.threshold = uint64(value);
        if (field == 5) next.form = MusterDigest.Form(value % 2);
        vm.assume(keccak256(abi.encode(sequence, epoch, next)) != encoded);
        assertTrue(MusterDigest.proposalOf(sequence, epoch, next) != before, "bound");
    }

    function testFuzzAnIdentityIsTheSameInEveryEpoch(
        MusterDigest.Scope memory scope,
        MusterDigest.Message calldata message,
        uint64 epoch,
        bytes32 key,
        uint256 root
    ) public view {
        bytes32 id = _harness.messageId(scope, message);
        (scope.epoch, scope.key, scope.root) = (epoch, key, root);
        assertEq(_harness.messageId(scope, message), id, "identity");
    }

    // ------------------------------------------------------------------------------ Helpers

    function digestOf(uint256 kind, MusterDigest.Scope memory scope, uint64 until, bytes32 body)
        private
        pure
        returns (uint256)
    {
        if (kind == 0) return MusterDigest.messageDigest(scope, until, body);
        if (kind == 1) return MusterDigest.batchDigest(scope, until, body);
        if (kind == 2) return MusterDigest.handoverDigest(scope, until, body);
        return MusterDigest.acceptanceDigest(scope, until, body);
    }

    function checkMessage(
        MusterDigest.Scope memory scope,
        uint64 until,
        string memory at,
        bytes32 root
    ) private view {
        MusterDigest.Message memory message = MusterDigest.Message({
            nonce: uint64(number(at, ".nonce")),
            payload: vm.parseJsonBytes(_json, string.concat(at, ".payload"))
        });
        bytes32 id = _harness.messageId(scope, message);
        assertEq(id, word(at, ".message_id"), "identity");
        uint256 digest = MusterDigest.messageDigest(scope, until, id);
        assertEq(digest, number(at, ".digest"), "message");
        bytes32[] memory path = vm.parseJsonBytes32Array(_json, string.concat(at, ".path"));
        assertEq(_harness.batchRootOf(id, path), root, "path");
    }

    function scopeOf(uint256 v) private view returns (MusterDigest.Scope memory) {
        string memory at = string.concat(vectorPath(v), ".scope");
        return MusterDigest.Scope({
            sourceChainId: number(at, ".source_chain"),
            destinationChainId: number(at, ".destination_chain"),
            client: vm.parseJsonAddress(_json, string.concat(at, ".client")),
            epoch: uint64(number(at, ".epoch")),
            key: word(at, ".key"),
            root: number(at, ".root")
        });
    }

    function validUntil(uint256 v) private view returns (uint64) {
        return uint64(number(vectorPath(v), ".valid_until"));
    }

    function number(string memory at, string memory key) private view returns (uint256) {
        return vm.parseJsonUint(_json, string.concat(at, key));
    }

    function word(string memory at, string memory key) private view returns (bytes32) {
        return vm.parseJsonBytes32(_json, string.concat(at, key));
    }

    function vectorPath(uint256 v) private pure returns (string memory) {
        return string.concat(".vectors[", vm.toString(v), "]");
    }

    function messagePath(uint256 v, uint256 m) private pure returns (string memory) {
        return string.concat(vectorPath(v), ".messages[", vm.toString(m), "]");
    }
}
