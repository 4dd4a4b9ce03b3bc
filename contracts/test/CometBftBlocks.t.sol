// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../src/CometBftClient.sol";
import {CometBft} from "../src/digests/CometBft.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {CometBftChain} from "./base/CometBftChain.sol";

/// @dev The client follows blocks of mocha-4. The mock stands for the proofs, of what the validators of these blocks did
/// sign: a proof is given only if the weight that signed reaches its threshold.
contract CometBftBlocksTest is CometBftChain {
    /// @dev Gas that the verifier takes for a proof, at least and at most.
    uint256 private constant LEAST = 228_000;
    uint256 private constant MOST = 242_000;

    string private _json;
    uint256[10] private _heights =
        [uint256(3000), 3001, 3100, 10_000, 10_001, 10_002, 10_003, 10_004, 10_500, 10_501];

    function setUp() public {
        _json = vm.readFile("test/vectors/cometbft.json");
    }

    /// @dev The client begins with a block, soon after it was made, and knows all sets.
    function begin(uint256 place) private {
        vm.warp(number(place, "secs") + 1);
        deploy(headerAt(place));
        for (uint256 i = 0; i < 3; ++i) {
            client.register(translationAt(i));
        }
        vm.warp(number(9, "secs") + 1);
    }

    // ------------------------------------------------------------------------------ Blocks

    function testHeadersHaveTheirHashes() public view {
        for (uint256 i = 0; i < _heights.length; ++i) {
            assertEq(number(i, "height"), _heights[i], "height");
            assertEq(CometBft.hashOf(headerAt(i)), word(i, "block"), "hash");
        }
    }

    /// @dev The digests are those of `muster import cometbft`.
    function testDigests() public view {
        for (uint256 i = 0; i < _heights.length; ++i) {
            if (!vm.keyExistsJson(_json, at(i, "digest"))) continue;
            assertEq(digestOf(step(i, i)), word(i, "digest"), "digest");
        }
    }

    function testFollowsBlockAfterBlock() public {
        begin(3);
        for (uint256 place = 4; place < 8; ++place) {
            take(place - 1, place);
            assertEq(client.appHash(uint64(_heights[place])), hash(place, 5), "app hash");
        }
    }

    /// @dev From one validator by way of two to three. Of 75.1 million 50.1 signed the last one: 66.7 of 100.
    function testSkips() public {
        begin(0);
        for (uint256 place = 1; place < _heights.length; ++place) {
            take(place - 1, place);
        }
    }

    /// @dev The validator of block 3000 is half of those who signed block 10000, and a third of those of 10501.
    function testSkipsFromTheFirst() public {
        begin(0);
        take(0, 9);
        take(0, 8);
        take(0, 3);
        take(3, 7);
        (uint64 height,) = client.latest();
        assertEq(height, 10_501, "latest");
    }

    function testBlocksAreNotTakenWithoutSignatures() public {
        begin(0);
        for (uint256 place = 1; place < _heights.length; ++place) {
            CometBftClient.Update memory update = step(0, place);
            vm.expectRevert(
                abi.encodeWithSelector(CometBftClient.ProofRejected.selector, hash(place, 2))
            );
            client.submit(update);
        }
    }

    // ------------------------------------------------------------------------------ Gas

    /// @dev `forge test --match-contract CometBftBlocks --match-test Cost -vv` prints whole transactions without what the
    /// verifier takes, and with it.
    function testCost() public {
        begin(0);
        vm.mockCall(
            address(verifier), abi.encodePacked(IMusterVerifier.verify.selector), abi.encode(true)
        );
        client.submit(step(0, 1));
        show("a step", 1, 450_000);
        client.submit(step(1, 4));
        show("a skip to other validators", 2, 723_000);
        deploy(headerAt(7));
        client.register(setAt(1));
        show("a translation", 1, 343_000);
        client.registerAndSubmit(setAt(2), step(7, 8));
        show("a skip that brings a translation", 3, 1_038_000);
        deploy(headerAt(8));
        client.registerAndSubmit(setAt(2), step(8, 9));
        show("a step that brings a translation", 2, 764_000);
    }

    function show(string memory what, uint256 proofs, uint256 limit) private {
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint(string.concat(what, ", without the verifier"), used);
        emit log_named_uint(string.concat(what, ", at least"), used + proofs * LEAST);
        emit log_named_uint(string.concat(what, ", at most"), used + proofs * MOST);
        assertBelow(used + proofs * MOST, limit, what);
    }

    // ------------------------------------------------------------------------------ Helpers

    function take(uint256 from, uint256 to) private {
        client.submit(proven(from, to));
        assertTrue(client.isVerified(checkpointOf(headerAt(to))), "verified");
    }

    /// @dev A step, and proofs as far as validators signed.
    function proven(uint256 from, uint256 to)
        private
        returns (CometBftClient.Update memory update)
    {
        update = step(from, to);
        (CometBftClient.Translation memory own, bytes32 digest) =
            (setAt(placeOf(hash(to, 2))), digestOf(update));
        uint256 needed = uint256(own.total) * 2 / 3 + 1;
        if (number(to, "signed_weight") >= needed) {
            proveSigned(own.root, uint64(needed), digest, update.proof);
        }
        // What is known to have signed of the set that is trusted.
        uint256 i = placeOf(hash(from, 3));
        CometBftClient.Translation memory trusted = setAt(i);
        string memory part = string.concat(".sets[", vm.toString(i), "].first_validator");
        if (vm.parseJsonUint(_json, part) > trusted.total / 3) {
            proveSigned(trusted.root, trusted.total / 3 + 1, digest, update.trustedProof);
        }
    }

    function step(uint256 from, uint256 to)
        private
        view
        returns (CometBftClient.Update memory update)
    {
        update = makeUpdate(headerAt(from), headerAt(to));
        update.partsTotal = uint32(number(to, "parts_total"));
        update.partsHash = word(to, "parts");
        update.proof = longProof();
        if (hash(to, 2) == hash(from, 3)) update.trustedProof = "";
        else update.trustedProof = longProof();
    }

    /// @dev As long as most are, and without zeros, which would be cheaper.
    function longProof() private pure returns (bytes memory proof) {
        for (uint256 i = 0; i < 3; ++i) {
            proof = bytes.concat(proof, new bytes(512));
        }
        for (uint256 i = 0; i < proof.length; ++i) {
            proof[i] = 0xa5;
        }
    }

    function placeOf(bytes32 validatorsHash) private view returns (uint256 i) {
        while (word(string.concat(".sets[", vm.toString(i), "].hash")) != validatorsHash) ++i;
    }

    function setAt(uint256 i) private view returns (CometBftClient.Translation memory translation) {
        string memory from = string.concat(".sets[", vm.toString(i), "]");
        translation.validatorsHash = word(string.concat(from, ".hash"));
        translation.root = vm.parseJsonUint(_json, string.concat(from, ".root"));
        translation.members = uint64(vm.parseJsonUint(_json, string.concat(from, ".members")));
        translation.total = uint64(vm.parseJsonUint(_json, string.concat(from, ".total")));
        translation.proof = longProof();
    }

    function translationAt(uint256 i)
        private
        returns (CometBftClient.Translation memory translation)
    {
        translation = setAt(i);
        prove(translation);
    }

    function headerAt(uint256 i) private view returns (CometBft.Header memory header) {
        (header.versionBlock, header.versionApp, header.chainId) = (11, 1, "mocha-4");
        header.height = uint64(number(i, "height"));
        header.time = CometBft.Time(int64(uint64(number(i, "secs"))), uint32(number(i, "nanos")));
        header.lastBlockId = CometBft.BlockId(
            abi.encode(word(i, "last")),
            uint32(number(i, "last_parts_total")),
            abi.encode(word(i, "last_parts"))
        );
        for (uint256 place = 0; place < 8; ++place) {
            header.hashes[place] = abi.encode(hash(i, place));
        }
        header.hashes[8] = vm.parseJsonBytes(_json, at(i, "proposer"));
    }

    function hash(uint256 i, uint256 place) private view returns (bytes32) {
        return word(i, string.concat("hashes[", vm.toString(place), "]"));
    }

    function number(uint256 i, string memory field) private view returns (uint256) {
        return vm.parseJsonUint(_json, at(i, field));
    }

    function word(uint256 i, string memory field) private view returns (bytes32) {
        return word(at(i, field));
    }

    function word(string memory place) private view returns (bytes32) {
        return vm.parseJsonBytes32(_json, place);
    }

    function at(uint256 i, string memory field) private pure returns (string memory) {
        return string.concat(".blocks[", vm.toString(i), "].", field);
    }
}
