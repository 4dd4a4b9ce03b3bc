// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {BeaconData} from "./base/BeaconData.sol";

/// @dev Published data, which `tools/beacon` wrote: in ethereum.json an update of mainnet, and light-client sync vectors of the
/// consensus specification; in light-client/ those of all forks from Altair to Fulu, and of ways from one of them to
/// another, as the specification's own generator makes them (eth-consensus-specs 1.7.0b2). The tool verified each signature; the mock holds a proof for
/// the signing root that it found, and for no other. A committee's root stands for Muster's, which the circuit computes.
contract EthereumVectorsTest is BeaconData {
    uint64 private constant MINIMAL_PERIOD = 64;

    event Forced(uint64 indexed slot, bytes32 indexed blockRoot);

    /// @dev An update, who signed it, and what the specification has afterwards.
    struct Step {
        bool isForced;
        uint64 currentSlot;
        uint64 latest;
        bytes32 blockRoot;
        bool isFinality;
        bool namesNext;
        EthereumClient.Update update;
        EthereumClient.Committee next;
    }

    EthereumClient private _client;
    uint64 private _forcedSlot;

    function setUp() public {
        verifier.addKey(SIGNATURES, 4);
        verifier.addKey(TRANSLATIONS, 5);
    }

    // ------------------------------------------------------------------------------ The specification's vectors

    function testLightClientSync() public {
        // Two of the ten steps are forced updates, and one that is taken builds on them.
        run(".scenarios[0]", 10, 6);
    }

    function testSupplySyncCommitteeFromPastUpdate() public {
        run(".scenarios[1]", 1, 1);
        assertTrue(_client.committeeRoot(1) != 0, "next committee");
    }

    function testAdvanceFinalityWithoutSyncCommittee() public {
        run(".scenarios[2]", 5, 4);
        assertTrue(_client.committeeRoot(2) != 0, "next committee");
    }

    // Each fork alone has four scenarios of 19 steps in all, of which twelve are taken.

    function testAltair() public {
        // Three stores of later forks that were given data of this one.
        runAll("altair", 7, 22, 15);
    }

    function testBellatrix() public {
        // Likewise, and the ways to Capella, over it to Deneb, and over both to Electra.
        runAll("bellatrix", 10, 31, 19);
    }

    function testCapella() public {
        runAll("capella", 8, 29, 17);
    }

    function testDeneb() public {
        runAll("deneb", 6, 27, 15);
    }

    function testElectra() public {
        runAll("electra", 4, 19, 12);
    }

    function testFulu() public {
        runAll("fulu", 4, 19, 12);
    }

    function runAll(string memory name, uint256 scenarios, uint256 steps, uint256 takes) private {
        json = vm.readFile(string.concat("test/vectors/light-client/", name, ".json"));
        (uint256 allSteps, uint256 allTakes, uint256 i) = (0, 0, 0);
        for (; vm.keyExistsJson(json, at(".scenarios", i)); ++i) {
            (uint256 some, uint256 taken) = run(at(".scenarios", i));
            (allSteps, allTakes) = (allSteps + some, allTakes + taken);
        }
        assertEq(i, scenarios, "scenarios");
        assertEq(allSteps, steps, "steps");
        assertEq(allTakes, takes, "taken");
    }

    function run(string memory scenario, uint256 steps, uint256 takes) private {
        (uint256 some, uint256 taken) = run(scenario);
        assertEq(some, steps, "steps");
        assertEq(taken, takes, "taken");
    }

    /// @dev After each step the latest block is the specification's, and a step is taken if and only if it changes that
    /// block or adds a committee.
    function run(string memory scenario) private returns (uint256 steps, uint256 taken) {
        (_client, _forcedSlot) = (start(scenario, minimal(scenario)), type(uint64).max);
        bytes32 trusted = word(string.concat(scenario, ".trusted"));
        assertEq(_client.blockRoot(_client.latestSlot()), trusted, "trusted block");
        string memory lastNaming;
        string memory all = string.concat(scenario, ".steps");
        for (; vm.keyExistsJson(json, at(all, steps)); ++steps) {
            Step memory step = read(at(all, steps));
            enterSlot(step.currentSlot);
            if (step.isForced ? force(readUpdate(lastNaming), step) : take(step)) ++taken;
            if (step.namesNext) lastNaming = at(all, steps);
            assertEq(_client.latestSlot(), step.latest, "latest");
            // Blocks that were forced are not kept.
            bytes32 known = step.latest == _forcedSlot ? bytes32(0) : step.blockRoot;
            assertEq(_client.blockRoot(step.latest), known, "block");
        }
    }

    function at(string memory list, uint256 place) private pure returns (string memory) {
        return string.concat(list, "[", vm.toString(place), "]");
    }

    /// @dev What a relayer does with an update: `rotate` if it brings a committee that is not known, else `follow`.
    function take(Step memory step) private returns (bool) {
        EthereumClient.Update memory update = step.update;
        uint64 period = _client.periodOf(update.attested.slot);
        bool isNext = step.namesNext && _client.committeeRoot(period + 1) == 0
            && _client.periodOf(update.finalized.slot) == period;
        bool isTaken = step.isFinality && (isNext || step.latest > _client.latestSlot());
        if (isNext) {
            try _client.rotate(update, step.next) {
                assertTrue(isTaken, "rotated");
                assertEq(_client.committeeRoot(period + 1), step.next.root, "next");
            } catch (bytes memory reason) {
                assertFalse(isTaken, "not rotated");
                assertTrue(bytes4(reason) == Beacon.WrongDepth.selector, "no finality");
            }
        } else {
            try _client.follow(update) {
                assertTrue(isTaken, "followed");
            } catch (bytes memory reason) {
                assertFalse(isTaken, "not followed");
                assertTrue(bytes4(reason) == EthereumClient.NothingNew.selector, "no later block");
            }
        }
        return isTaken;
    }

    /// @dev What a relayer does on a chain that has stopped finalizing: it has kept the last update that named a committee, and
    /// the client takes the header that it attests, not a slot before its time.
    function force(Step memory kept, Step memory step) private returns (bool isTaken) {
        EthereumClient.Update memory update = kept.update;
        (update.finalized, update.finalityBranch) = (update.attested, new bytes32[](0));
        isTaken = step.latest > _client.latestSlot();
        uint64 until = _client.latestSlot() + _client.FORCED_AFTER();
        if (isTaken) enterSlot(until);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotForcedUntil.selector, until));
        _client.force(update, kept.next);
        if (!isTaken) return false;
        enterSlot(step.currentSlot);
        vm.expectEmit();
        emit Forced(step.latest, step.blockRoot);
        _client.force(update, kept.next);
        _forcedSlot = step.latest;
        uint64 next = _client.periodOf(update.attested.slot) + 1;
        assertEq(_client.committeeRoot(next), kept.next.root, "next");
    }

    /// @dev Of the client's network.
    function enterSlot(uint64 slot) private {
        vm.warp(_client.GENESIS_TIME() + slot * _client.SECONDS_PER_SLOT());
    }

    // ------------------------------------------------------------------------------ Mainnet

    /// @dev The bootstrap is of slot 9,425,184 and the update of slot 9,420,873, both in period 1150: it brings the
    /// committee of period 1151, signed by 511 of 512.
    function testMainnet() public {
        _client = start(".mainnet", deneb());
        Step memory step = readUpdate(".mainnet.update");
        enterSlot(9_425_200);
        assertEq(step.update.participants, 511, "participants");
        vm.expectPartialRevert(EthereumClient.NothingNew.selector);
        _client.follow(step.update);
        _client.rotate(step.update, step.next);
        assertEq(
            _client.committeeRoot(1150), musterRoot(word(".mainnet.bootstrap.committee")), "first"
        );
        assertEq(_client.committeeRoot(1151), step.next.root, "next");
        assertEq(_client.latestSlot(), 9_425_184, "latest");
    }

    /// @dev Under another table of forks the same signatures are no signatures, and the same branches none.
    function testMainnetUnderOtherForks() public {
        Step memory step = readUpdate(".mainnet.update");
        EthereumClient.Network memory terms = deneb();
        terms.forks[0].version = 0x05000000;
        _client = start(".mainnet", terms);
        enterSlot(9_425_200);
        vm.expectPartialRevert(EthereumClient.SignatureRejected.selector);
        _client.rotate(step.update, step.next);
        terms = deneb();
        terms.forks[0].finalizedRoot = 107;
        _client = start(".mainnet", terms);
        vm.expectPartialRevert(EthereumClient.NotFinalized.selector);
        _client.rotate(step.update, step.next);
        terms = deneb();
        (terms.forks[0].finalizedRoot, terms.forks[0].nextCommittee) = (169, 87);
        _client = start(".mainnet", terms);
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 169, 6));
        _client.rotate(step.update, step.next);
    }

    /// @dev The execution layer's state, in the block that the update makes final: by one branch from the block's root.
    function testTheStateOfTheExecutionLayer() public view {
        bytes32 leaf = word(".mainnet.executionStateRoot");
        bytes32[] memory branch = words(".mainnet.executionBranch");
        bytes32 root = Beacon.rootOf(headerAt(".mainnet.update.finalized"));
        assertEq(Beacon.branchRoot(leaf, Beacon.EXECUTION_STATE_ROOT, branch), root, "block");
        assertTrue(
            Beacon.branchRoot(leaf, Beacon.EXECUTION_STATE_ROOT + 1, branch) != root, "place"
        );
        assertTrue(Beacon.branchRoot(leaf, Beacon.EXECUTION_BLOCK_HASH, branch) != root, "hash");
    }

    // ------------------------------------------------------------------------------ Reading

    function minimal(string memory scenario)
        private
        view
        returns (EthereumClient.Network memory terms)
    {
        terms.genesisValidatorsRoot = word(string.concat(scenario, ".genesis"));
        (terms.genesisTime, terms.secondsPerSlot) = (1_578_009_900, 6);
        (terms.slotsPerEpoch, terms.epochsPerPeriod, terms.committeeSize) = (8, 8, 32);
        terms.forcedAfter = MINIMAL_PERIOD;
        string memory all = string.concat(scenario, ".forks");
        uint256 count;
        while (vm.keyExistsJson(json, at(all, count))) {
            ++count;
        }
        terms.forks = new EthereumClient.Fork[](count);
        for (uint256 i = 0; i < count; ++i) {
            terms.forks[i] = fork(at(all, i));
        }
    }

    function fork(string memory from) private view returns (EthereumClient.Fork memory) {
        bytes memory version = vm.parseJsonBytes(json, string.concat(from, ".version"));
        return EthereumClient.Fork(
            number(string.concat(from, ".epoch")),
            bytes4(version),
            uint16(number(string.concat(from, ".finalizedRoot"))),
            uint16(number(string.concat(from, ".currentCommittee"))),
            uint16(number(string.concat(from, ".nextCommittee")))
        );
    }

    function start(string memory from, EthereumClient.Network memory terms)
        private
        returns (EthereumClient)
    {
        (Beacon.Header memory trusted, EthereumClient.Committee memory committee) =
            bootstrapAt(string.concat(from, ".bootstrap"));
        (committee.root, committee.proof) = (musterRoot(committee.hashTreeRoot), "translation");
        translate(committee, terms.committeeSize, terms.committeeSize);
        return new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, trusted, committee);
    }

    function read(string memory from) private returns (Step memory step) {
        bool isForced = vm.parseJsonBool(json, string.concat(from, ".isForced"));
        if (!isForced) step = readUpdate(from);
        step.isForced = isForced;
        step.currentSlot = number(string.concat(from, ".currentSlot"));
        step.latest = number(string.concat(from, ".latest"));
        step.blockRoot = word(string.concat(from, ".blockRoot"));
    }

    /// @dev With proofs: that those signed who did, and of the committee.
    function readUpdate(string memory from) private returns (Step memory step) {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = updateAt(from);
        (update.proof, next.proof) = ("signatures", "translation");
        next.root = musterRoot(next.hashTreeRoot);
        (step.update, step.next) = (update, next);
        step.isFinality = update.finalityBranch.length != 0;
        step.namesNext = next.branch.length != 0;
        uint256 signers = musterRoot(word(string.concat(from, ".signers")));
        bytes32 signed = word(string.concat(from, ".signed"));
        verifier.addProof(
            SIGNATURES, MusterStatement.ofDigest(signers, update.participants, signed), update.proof
        );
        uint256 seats = update.participants > 32 ? 512 : 32;
        translate(next, seats, seats);
    }
}
