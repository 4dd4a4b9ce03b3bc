// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {BeaconChain} from "./base/BeaconChain.sol";
import {Vm} from "./base/Test.sol";

/// @dev Forced updates, on a chain that is made up and has stopped finalizing. The client begins at slot 9, in period 1
/// (slots 8 to 15), and allows them after ten slots.
contract EthereumForcedTest is BeaconChain {
    uint64 private constant START = 9;
    uint64 private constant FORCED_AFTER = 10;

    bytes32 private constant COMMITTEE_ADDED = keccak256("CommitteeAdded(uint64,bytes32,uint256)");
    bytes32 private constant FINALIZED = keccak256("Finalized(uint64,bytes32,bytes32,uint64)");
    bytes32 private constant FORCED = keccak256("Forced(uint64,bytes32)");

    EthereumClient private _client;

    function setUp() public {
        verifier.addKey(SIGNATURES, 4);
        verifier.addKey(TRANSLATIONS, 5);
        _client = deployForcible(START, FORCED_AFTER);
        enter(START + FORCED_AFTER + 1);
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

    /// @dev The committee, and the slot to go on from. Nothing can be shown under the block.
    function testTakesTheCommittee() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        bytes32 root = Beacon.rootOf(update.attested);
        vm.recordLogs();
        _client.force(update, next);
        (bytes32[] memory first, bytes32[] memory second) = twoLogs();
        assertEq(first[0], COMMITTEE_ADDED, "first");
        assertEq(second[0], FORCED, "second");
        assertEq(uint256(second[1]), 12, "slot");
        assertEq(second[2], root, "block");
        assertEq(_client.latestSlot(), 12, "latest");
        assertEq(_client.blockRoot(12), 0, "no block");
        assertEq(_client.committeeRoot(2), next.root, "next");
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.UnknownBlock.selector, 12));
        _client.isInBlock(12, Beacon.STATE_ROOT, update.attested.stateRoot, new bytes32[](3));
    }

    /// @dev `rotate` forces nothing.
    function testARotationIsNotForced() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(13, 12, 10);
        vm.recordLogs();
        _client.rotate(update, next);
        (bytes32[] memory first, bytes32[] memory second) = twoLogs();
        assertEq(first[0], COMMITTEE_ADDED, "first");
        assertEq(second[0], FINALIZED, "second");
    }

    function twoLogs() private returns (bytes32[] memory first, bytes32[] memory second) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 2, "events");
        return (logs[0].topics, logs[1].topics);
    }

    /// @dev The client goes on from there: period for period by force, over a fork, and as ever once blocks are final again.
    function testGoesOn() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        _client.force(update, next);
        enter(12 + FORCED_AFTER + 1);
        // Attested in the last slot before a fork, and signed under the next version.
        (update, next) = forced(DEEPER + 1, DEEPER - 1);
        _client.force(update, next);
        assertEq(_client.committeeRoot(3), next.root, "next");
        (update, next) = updateOf(23, 22, 20);
        sign(update);
        _client.follow(update);
        assertEq(_client.latestSlot(), 20, "latest");
        assertTrue(_client.blockRoot(20) != 0, "block");
    }

    /// @dev A header that is not later than the latest block brings the committee alone.
    function testTheCommitteeAlone() public {
        _client = deployForcible(15, FORCED_AFTER);
        enter(15 + FORCED_AFTER + 1);
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        _client.force(update, next);
        assertEq(_client.latestSlot(), 15, "latest");
        assertEq(_client.committeeRoot(2), next.root, "next");
    }

    function testNeverUnlessAllowed() public {
        _client = deployForcible(START, 0);
        enter(1_000_000);
        refuses(abi.encodeWithSelector(EthereumClient.NeverForced.selector));
    }

    /// @dev The greatest number of slots is one that nobody sees the end of.
    function testNotBeforeTheEndOfTime() public {
        _client = deployForcible(START, type(uint64).max);
        enter(1_000_000);
        refuses(
            abi.encodeWithSelector(
                EthereumClient.NotForcedUntil.selector, uint256(START) + type(uint64).max
            )
        );
    }

    function testNotBeforeItsTime() public {
        enter(START + FORCED_AFTER);
        refuses(
            abi.encodeWithSelector(EthereumClient.NotForcedUntil.selector, START + FORCED_AFTER)
        );
        // Each final block begins the time anew.
        (EthereumClient.Update memory update,) = updateOf(12, 11, 10);
        sign(update);
        _client.follow(update);
        enter(START + FORCED_AFTER + 1);
        refuses(abi.encodeWithSelector(EthereumClient.NotForcedUntil.selector, 10 + FORCED_AFTER));
    }

    /// @dev No deployer may allow it within a period, when a final block is to be expected, or when no committee is believed any
    /// more.
    function testNotWithinAPeriodNorTooLate() public {
        EthereumClient.Network memory terms = network(0);
        terms.forcedAfter = PERIOD - 1;
        refusesNetwork(terms);
        terms.forcedAfter = PERIOD;
        deploy(START, terms);
        terms.maximumAge = PERIOD * SLOT_TIME;
        refusesNetwork(terms);
        ++terms.maximumAge;
        deploy(START, terms);
    }

    function refusesNetwork(EthereumClient.Network memory terms) private {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.UnusableNetwork.selector));
        new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
    }

    /// @dev Not another block, and none with a branch that nobody reads.
    function testTheBlockIsTheAttestedOne() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        update.finalized = plainBlock(12);
        bytes32 root = Beacon.rootOf(update.finalized);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotTheAttestedBlock.selector, root));
        _client.force(update, next);
        update.finalized = plainBlock(10);
        root = Beacon.rootOf(update.finalized);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotTheAttestedBlock.selector, root));
        _client.force(update, next);
        (update.finalized, update.finalityBranch) = (update.attested, new bytes32[](6));
        root = Beacon.rootOf(update.finalized);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotTheAttestedBlock.selector, root));
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

    /// @dev What holds of every update holds of a forced one.
    function testSlotsAndAgesCount() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 13);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.WrongOrder.selector, 13, 13, 13));
        _client.force(update, next);
        (update, next) = forced(30, 12);
        vm.expectRevert(
            abi.encodeWithSelector(EthereumClient.NotYet.selector, 30, START + FORCED_AFTER + 1)
        );
        _client.force(update, next);
        EthereumClient.Network memory terms = network(FORCED_AFTER * SLOT_TIME + 1);
        terms.forcedAfter = FORCED_AFTER;
        _client = deploy(START, terms);
        enter(16 + FORCED_AFTER + 1);
        refusesPartly(EthereumClient.CommitteeTooOld.selector);
    }

    /// @dev Forced is what brings the next committee. A committee that is known is neither exchanged nor a reason to force.
    function testTheNextCommitteeIsNew() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(13, 12, 10);
        _client.rotate(update, next);
        enter(10 + FORCED_AFTER + 1);
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

    function refusesPartly(bytes4 selector) private {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        vm.expectPartialRevert(selector);
        _client.force(update, next);
    }

    function refuses(bytes memory error) private {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = forced(13, 12);
        vm.expectRevert(error);
        _client.force(update, next);
    }
}
