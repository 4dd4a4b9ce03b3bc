// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {BeaconChain} from "./base/BeaconChain.sol";

/// @dev Published data, which `tools/beacon` wrote: in ethereum.json an update of mainnet, and light-client sync vectors of the
/// consensus specification; in light-client/ those of all forks from Altair to Fulu, and of all ways from one of them to
/// another, as the specification's own generator makes them. The tool verified each signature; the mock holds a proof for
/// the signing root that it found, and for no other. A committee's root stands for Muster's, which the circuit computes.
contract EthereumVectorsTest is BeaconChain {
    uint64 private constant MINIMAL_PERIOD = 64;

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
    string private _json;

    function setUp() public {
        _json = vm.readFile("test/vectors/ethereum.json");
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
        _json = vm.readFile(string.concat("test/vectors/light-client/", name, ".json"));
        (uint256 allSteps, uint256 allTakes, uint256 i) = (0, 0, 0);
        for (; vm.keyExistsJson(_json, at(".scenarios", i)); ++i) {
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
        _client = start(scenario, minimal(scenario));
        bytes32 trusted = vm.parseJsonBytes32(_json, string.concat(scenario, ".trusted"));
        assertEq(_client.blockRoot(_client.latestSlot()), trusted, "trusted block");
        string memory best;
        string memory all = string.concat(scenario, ".steps");
        for (; vm.keyExistsJson(_json, at(all, steps)); ++steps) {
            Step memory step = read(at(all, steps));
            enterSlot(step.currentSlot);
            if (step.isForced ? force(readUpdate(best), step) : take(step)) ++taken;
            if (step.namesNext) best = at(all, steps);
            assertEq(_client.latestSlot(), step.latest, "latest");
            assertEq(_client.blockRoot(step.latest), step.blockRoot, "block");
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
            } catch {
                assertFalse(isTaken, "not rotated");
            }
        } else {
            try _client.follow(update) {
                assertTrue(isTaken, "followed");
            } catch {
                assertFalse(isTaken, "not followed");
            }
        }
        return isTaken;
    }

    /// @dev What a relayer does where blocks are final no longer: it has kept the last update that named a committee, and
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
        _client.force(update, kept.next);
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
            _client.committeeRoot(1150),
            musterRoot(vm.parseJsonBytes32(_json, ".mainnet.bootstrap.committee")),
            "first"
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
        bytes32 leaf = vm.parseJsonBytes32(_json, ".mainnet.executionStateRoot");
        bytes32[] memory branch = vm.parseJsonBytes32Array(_json, ".mainnet.executionBranch");
        bytes32 root = Beacon.rootOf(header(".mainnet.update.finalized"));
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
        terms.genesisValidatorsRoot =
            vm.parseJsonBytes32(_json, string.concat(scenario, ".genesis"));
        (terms.genesisTime, terms.secondsPerSlot) = (1_578_009_900, 6);
        (terms.slotsPerEpoch, terms.epochsPerPeriod, terms.committeeSize) = (8, 8, 32);
        terms.forcedAfter = MINIMAL_PERIOD;
        string memory all = string.concat(scenario, ".forks");
        uint256 count;
        while (vm.keyExistsJson(_json, at(all, count))) {
            ++count;
        }
        terms.forks = new EthereumClient.Fork[](count);
        for (uint256 i = 0; i < count; ++i) {
            terms.forks[i] = fork(at(all, i));
        }
    }

    function fork(string memory from) private view returns (EthereumClient.Fork memory) {
        bytes memory version = vm.parseJsonBytes(_json, string.concat(from, ".version"));
        return EthereumClient.Fork(
            uint64(vm.parseJsonUint(_json, string.concat(from, ".epoch"))),
            bytes4(version),
            uint16(vm.parseJsonUint(_json, string.concat(from, ".finalizedRoot"))),
            uint16(vm.parseJsonUint(_json, string.concat(from, ".currentCommittee"))),
            uint16(vm.parseJsonUint(_json, string.concat(from, ".nextCommittee")))
        );
    }

    function deneb() private pure returns (EthereumClient.Network memory terms) {
        terms.genesisValidatorsRoot =
        0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95;
        (terms.genesisTime, terms.secondsPerSlot) = (1_606_824_023, 12);
        (terms.slotsPerEpoch, terms.epochsPerPeriod, terms.committeeSize) = (32, 256, 512);
        terms.forks = new EthereumClient.Fork[](1);
        terms.forks[0] = EthereumClient.Fork(269_568, 0x04000000, 105, 54, 55);
    }

    function start(string memory from, EthereumClient.Network memory terms)
        private
        returns (EthereumClient)
    {
        from = string.concat(from, ".bootstrap");
        EthereumClient.Committee memory committee;
        committee.hashTreeRoot = vm.parseJsonBytes32(_json, string.concat(from, ".committee"));
        committee.branch = vm.parseJsonBytes32Array(_json, string.concat(from, ".branch"));
        committee.root = musterRoot(committee.hashTreeRoot);
        committee.proof = "translation";
        translate(committee, terms.committeeSize, terms.committeeSize);
        return new EthereumClient(
            verifier,
            SIGNATURES,
            TRANSLATIONS,
            terms,
            header(string.concat(from, ".header")),
            committee
        );
    }

    function read(string memory from) private returns (Step memory step) {
        bool isForced = vm.parseJsonBool(_json, string.concat(from, ".isForced"));
        if (!isForced) step = readUpdate(from);
        step.isForced = isForced;
        step.currentSlot = uint64(vm.parseJsonUint(_json, string.concat(from, ".currentSlot")));
        step.latest = uint64(vm.parseJsonUint(_json, string.concat(from, ".latest")));
        step.blockRoot = vm.parseJsonBytes32(_json, string.concat(from, ".blockRoot"));
    }

    /// @dev With proofs: that those signed who did, and of the committee.
    function readUpdate(string memory from) private returns (Step memory step) {
        EthereumClient.Update memory update = step.update;
        update.attested = header(string.concat(from, ".attested"));
        update.finalized = header(string.concat(from, ".finalized"));
        update.signatureSlot =
            uint64(vm.parseJsonUint(_json, string.concat(from, ".signatureSlot")));
        update.participants = uint64(vm.parseJsonUint(_json, string.concat(from, ".participants")));
        update.finalityBranch =
            vm.parseJsonBytes32Array(_json, string.concat(from, ".finalityBranch"));
        update.proof = "signatures";
        step.isFinality = update.finalityBranch.length != 0;
        EthereumClient.Committee memory next = step.next;
        next.hashTreeRoot = vm.parseJsonBytes32(_json, string.concat(from, ".next"));
        next.branch = vm.parseJsonBytes32Array(_json, string.concat(from, ".nextBranch"));
        next.root = musterRoot(next.hashTreeRoot);
        next.proof = "translation";
        step.namesNext = next.branch.length != 0;
        uint256 signers = musterRoot(vm.parseJsonBytes32(_json, string.concat(from, ".signers")));
        bytes32 signed = vm.parseJsonBytes32(_json, string.concat(from, ".signed"));
        verifier.addProof(
            SIGNATURES, MusterStatement.ofDigest(signers, update.participants, signed), update.proof
        );
        uint256 seats = update.participants > 32 ? 512 : 32;
        translate(next, seats, seats);
    }

    /// @dev A header in SSZ, read without the code under test.
    function header(string memory from) private view returns (Beacon.Header memory read_) {
        bytes memory ssz = vm.parseJsonBytes(_json, from);
        assertEq(ssz.length, 112, "header");
        read_.slot = little(ssz, 0);
        read_.proposerIndex = little(ssz, 8);
        (read_.parentRoot, read_.stateRoot, read_.bodyRoot) =
        (word(ssz, 16), word(ssz, 48), word(ssz, 80));
    }

    function little(bytes memory data, uint256 place) private pure returns (uint64 number) {
        for (uint256 i = 8; i > 0; --i) {
            number = number << 8 | uint8(data[place + i - 1]);
        }
    }

    function word(bytes memory data, uint256 place) private pure returns (bytes32 read_) {
        for (uint256 i = 0; i < 32; ++i) {
            read_ |= bytes32(data[place + i]) >> 8 * i;
        }
    }
}
