// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {BeaconChain} from "./base/BeaconChain.sol";

/// @dev The first period, in which no block but genesis is final yet: states have zero in place of a root, and updates the empty
/// header. The client begins at slot 2.
contract EthereumGenesisTest is BeaconChain {
    uint64 private constant START = 2;

    EthereumClient private _client;

    function setUp() public {
        verifier.addKey(SIGNATURES, 4);
        verifier.addKey(TRANSLATIONS, 5);
        _client = deployForcible(START, PERIOD);
        enter(100);
    }

    /// @dev An update from a state with zero, and no header beside it.
    function early(uint64 signature, uint64 attested)
        private
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        bytes32 hashTreeRoot = committeeOf(attested / PERIOD + 1);
        StateTree memory tree = stateAt(attested, 0, committeeOf(attested / PERIOD), hashTreeRoot);
        update.attested = blockAt(attested, tree.root);
        (update.signatureSlot, update.participants) = (signature, SEATS);
        (update.finalityBranch, update.proof) = (tree.finalized, "signatures");
        next = EthereumClient.Committee(
            hashTreeRoot, tree.next, musterRoot(hashTreeRoot), "translation"
        );
        sign(update);
        translate(next, SEATS, SEATS);
    }

    /// @dev It brings the committee, and no block.
    function testTheNextCommittee() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = early(6, 5);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NothingNew.selector, START, 0));
        _client.follow(update);
        _client.rotate(update, next);
        assertEq(_client.committeeRoot(1), next.root, "next");
        assertEq(_client.latestSlot(), START, "latest");
        assertEq(_client.blockRoot(0), 0, "no block");
    }

    /// @dev Where a state has zero, no other header is final: not one of slot 0, and not one whose own state is zero.
    function testOtherHeadersAreNotFinal() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = early(6, 5);
        update.finalized = plainBlock(4);
        refusesBoth(update, next);
        update.finalized.stateRoot = 0;
        refusesBoth(update, next);
        update.finalized = plainBlock(0);
        vm.expectPartialRevert(EthereumClient.NotFinalized.selector);
        _client.rotate(update, next);
    }

    function refusesBoth(EthereumClient.Update memory update, EthereumClient.Committee memory next)
        private
    {
        vm.expectPartialRevert(EthereumClient.NotFinalized.selector);
        _client.follow(update);
        vm.expectPartialRevert(EthereumClient.NotFinalized.selector);
        _client.rotate(update, next);
    }

    /// @dev Where a state has a root, the empty header is not final.
    function testTheEmptyHeaderNeedsZero() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(6, 5, 4);
        delete update.finalized;
        sign(update);
        translate(next, SEATS, SEATS);
        vm.expectPartialRevert(EthereumClient.NotFinalized.selector);
        _client.rotate(update, next);
    }

    function testOnlyInTheFirstPeriod() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = early(6, 5);
        _client.rotate(update, next);
        (update, next) = early(13, 12);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotFinalInPeriod.selector, 0, 12));
        _client.rotate(update, next);
    }
}
