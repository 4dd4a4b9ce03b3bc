// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {BeaconChain} from "./base/BeaconChain.sol";

/// @dev Forced updates, on a chain that is made up and whose blocks are final no longer. The client begins at slot 9, in
/// period 1 (slots 8 to 15), and allows them after ten slots.
contract EthereumForcedTest is BeaconChain {
    uint64 private constant START = 9;
    uint64 private constant PATIENCE = 10;

    EthereumClient private _client;

    event Forced(uint64 indexed slot, bytes32 indexed blockRoot);

    function setUp() public {
        verifier.addKey(SIGNATURES, 4);
        verifier.addKey(TRANSLATIONS, 5);
        _client = deployPatient(START, PATIENCE);
        enter(START + PATIENCE + 1);
    }

    /// @dev A header that the committee signed, with the next committee in its state, as `force` wants it.
    function forced(uint64 signature, uint64 attested)
        private
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        (update, next) = updateOf(signature, attested, START);
        (update.finalized, update.finalityBranch) = (update.attested, new bytes32[](0));
        sign(update);
        translate(next, SEATS, SEATS);
    }

    function testTakesTheAttestedHeader() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        bytes32 root = Beacon.rootOf(update.attested);
        vm.expectEmit();
        emit Forced(12, root);
        _client.force(update, next);
        assertEq(_client.latestSlot(), 12, "latest");
        assertEq(_client.blockRoot(12), root, "block");
        assertEq(_client.committeeRoot(2), next.root, "next");
    }

    /// @dev The client goes on from there: period for period by force, and as ever once blocks are final again.
    function testGoesOn() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        _client.force(update, next);
        enter(12 + PATIENCE + 1);
        (update, next) = forced(19, 18);
        _client.force(update, next);
        assertEq(_client.committeeRoot(3), next.root, "next");
        (update, next) = updateOf(22, 21, 19);
        sign(update);
        _client.follow(update);
        assertEq(_client.latestSlot(), 19, "latest");
    }

    function testNeverUnlessAllowed() public {
        _client = deployPatient(START, 0);
        enter(1_000_000);
        refuses(abi.encodeWithSelector(EthereumClient.NeverForced.selector));
    }

    function testNotBeforeItsTime() public {
        enter(START + PATIENCE);
        refuses(abi.encodeWithSelector(EthereumClient.NotForcedUntil.selector, START + PATIENCE));
        // Each final block begins the time anew.
        (EthereumClient.Update memory update,) = updateOf(12, 11, 10);
        sign(update);
        _client.follow(update);
        enter(START + PATIENCE + 1);
        refuses(abi.encodeWithSelector(EthereumClient.NotForcedUntil.selector, 10 + PATIENCE));
    }

    /// @dev No deployer may allow it within a period, when a final block is to be expected.
    function testNotWithinAPeriod() public {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        EthereumClient.Network memory terms = network(0);
        terms.forcedAfter = PERIOD - 1;
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.UnusableNetwork.selector));
        new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
        terms.forcedAfter = PERIOD;
        translate(committee, SEATS, SEATS);
        new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
    }

    /// @dev Not another block, and none with a branch that nobody reads.
    function testTheBlockIsTheAttestedOne() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        update.finalized = plainBlock(12);
        bytes32 root = Beacon.rootOf(update.finalized);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotAttested.selector, root));
        _client.force(update, next);
        update.finalized = plainBlock(10);
        root = Beacon.rootOf(update.finalized);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotAttested.selector, root));
        _client.force(update, next);
        (update.finalized, update.finalityBranch) = (update.attested, new bytes32[](6));
        root = Beacon.rootOf(update.finalized);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotAttested.selector, root));
        _client.force(update, next);
        // By the other doors it is not final.
        update.finalityBranch = new bytes32[](6);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotFinalized.selector, root));
        _client.rotate(update, next);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotFinalized.selector, root));
        _client.follow(update);
    }

    /// @dev A minority forces nothing, however long it waits.
    function testTwoThirdsSign() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        update.participants = 5;
        sign(update);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.WrongParticipants.selector, 5));
        _client.force(update, next);
        update.participants = 6;
        vm.expectPartialRevert(EthereumClient.SignatureRejected.selector);
        _client.force(update, next);
        sign(update);
        _client.force(update, next);
    }

    function testTheBlockIsLater() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            forced(10, START);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NothingNew.selector, START, START));
        _client.force(update, next);
    }

    /// @dev Forced is what brings the next committee. A committee that is known is neither exchanged nor a reason to force.
    function testTheNextCommitteeIsNew() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(13, 12, 10);
        sign(update);
        translate(next, SEATS, SEATS);
        _client.rotate(update, next);
        enter(10 + PATIENCE + 1);
        refuses(abi.encodeWithSelector(EthereumClient.CommitteeKnown.selector, 2));
    }

    function testTheNextCommitteeIsInTheStateAndTranslated() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        (bytes32 hashTreeRoot, bytes memory proof) = (next.hashTreeRoot, next.proof);
        next.hashTreeRoot = keccak256("mine");
        vm.expectRevert(
            abi.encodeWithSelector(EthereumClient.NotInState.selector, next.hashTreeRoot)
        );
        _client.force(update, next);
        (next.hashTreeRoot, next.proof) = (hashTreeRoot, "another translation");
        vm.expectPartialRevert(EthereumClient.TranslationRejected.selector);
        _client.force(update, next);
        next.proof = proof;
        _client.force(update, next);
    }

    function refuses(bytes memory error) private {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        vm.expectRevert(error);
        _client.force(update, next);
    }
}
