// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../src/CometBftClient.sol";
import {CometBft} from "../src/digests/CometBft.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Mocha} from "./base/Mocha.sol";

/// @dev The client follows blocks of mocha-4. The mock stands for the proofs, of what the validators of these blocks did
/// sign: a proof is given only if the weight that signed reaches its threshold.
contract CometBftBlocksTest is Mocha {
    /// @dev Gas that the verifier takes for a proof, at least and at most.
    uint256 private constant LEAST = 228_000;
    uint256 private constant MOST = 242_000;
    /// @dev What all proofs but one take less, since they have no pairing of their own; at least.
    uint256 private constant SHARED = 100_000;

    uint256[12] private _heights = [
        uint256(3000),
        3001,
        3100,
        10_000,
        10_001,
        10_002,
        10_003,
        10_004,
        10_500,
        10_501,
        2_279_100,
        2_279_130
    ];

    /// @dev The blocks of the first days, of one to three validators. Those behind them are of ten months later, when a
    /// hundred signed.
    uint256 private constant FIRST_DAYS = 10;

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
            if (!vm.keyExistsJson(json, at(i, "digest"))) continue;
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
        for (uint256 place = 1; place < FIRST_DAYS; ++place) {
            take(place - 1, place);
        }
    }

    /// @dev Of 100 validators 99 signed both blocks, with 511.4 of 511.9 million.
    function testSkipsThirtyBlocksOfAHundredValidators() public {
        vm.warp(number(FIRST_DAYS, "secs") + 1);
        deploy(headerAt(FIRST_DAYS));
        client.register(translationAt(3));
        vm.warp(number(FIRST_DAYS + 1, "secs") + 1);
        take(FIRST_DAYS, FIRST_DAYS + 1);
        assertEq(client.appHash(2_279_130), hash(FIRST_DAYS + 1, 5), "app hash");
    }

    /// @dev The validator of block 3000 signed that one, too. Ten months later its stake may be gone.
    function testAHeaderOfTheFirstDaysIsTooOldForALaterOne() public {
        begin(0);
        client.register(translationAt(3));
        vm.warp(number(FIRST_DAYS, "secs") + 1);
        CometBftClient.Update memory update = proven(0, FIRST_DAYS);
        vm.expectPartialRevert(CometBftClient.NotActive.selector);
        client.submit(update);
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
        for (uint256 place = 1; place < FIRST_DAYS; ++place) {
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
        vm.mockCall(
            address(verifier),
            abi.encodePacked(IMusterVerifier.verifyAll.selector),
            abi.encode(true)
        );
        client.submit(step(0, 1));
        show("a step", 1, 437_000);
        client.submit(step(1, 4));
        show("a skip to other validators", 2, 711_000);
        deploy(headerAt(7));
        client.register(setAt(1));
        show("a translation", 1, 343_000);
        client.registerAndSubmit(setAt(2), step(7, 8));
        show("a skip that brings a translation", 3, 1_025_000);
        deploy(headerAt(8));
        client.registerAndSubmit(setAt(2), step(8, 9));
        show("a step that brings a translation", 2, 751_000);
    }

    function show(string memory what, uint256 proofs, uint256 limit) private {
        uint256 used = vm.lastCallGas().gasTotalUsed - (proofs - 1) * SHARED;
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
        if (vm.parseJsonUint(json, part) > trusted.total / 3) {
            proveSigned(trusted.root, trusted.total / 3 + 1, digest, update.trustedProof);
        }
    }

    function translationAt(uint256 i)
        private
        returns (CometBftClient.Translation memory translation)
    {
        translation = setAt(i);
        prove(translation);
    }
}
