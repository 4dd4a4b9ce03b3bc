// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {BeaconChain} from "./base/BeaconChain.sol";

/// @dev Published data, which `tools/beacon` wrote to ethereum.json: an update of mainnet, and the light-client sync vectors
/// of the consensus specification. The tool verified each signature; the mock holds a proof for the signing root that it
/// found, and for no other. A committee's root stands for Muster's, which the circuit computes.
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
        // Two of the ten steps are forced updates, and the last of the four that are taken builds on them.
        run(".scenarios[0]", 10, 4);
    }

    function testSupplySyncCommitteeFromPastUpdate() public {
        run(".scenarios[1]", 1, 1);
        assertTrue(_client.committeeRoot(1) != 0, "next committee");
    }

    function testAdvanceFinalityWithoutSyncCommittee() public {
        run(".scenarios[2]", 5, 4);
        assertTrue(_client.committeeRoot(2) != 0, "next committee");
    }

    /// @dev After each step the latest block is the specification's, and a step is taken if and only if it changes that
    /// block or adds a committee.
    function run(string memory at, uint256 steps, uint256 takes) private {
        bytes32 genesis = vm.parseJsonBytes32(_json, string.concat(at, ".genesis"));
        _client = start(at, minimal(genesis));
        bytes32 trusted = vm.parseJsonBytes32(_json, string.concat(at, ".trusted"));
        assertEq(_client.blockRoot(_client.latestSlot()), trusted, "trusted block");
        uint256 taken;
        uint256 i;
        for (; exists(at, i); ++i) {
            Step memory step = read(string.concat(at, ".steps[", vm.toString(i), "]"));
            vm.warp(_client.GENESIS_TIME() + step.currentSlot * _client.SECONDS_PER_SLOT());
            if (step.isForced) {
                force(step);
            } else if (take(step)) {
                ++taken;
            }
            assertEq(_client.latestSlot(), step.latest, "latest");
            assertEq(_client.blockRoot(step.latest), step.blockRoot, "block");
        }
        assertEq(i, steps, "steps");
        assertEq(taken, takes, "taken");
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

    /// @dev The client has no forced update: it stays where it is, and this test writes into its storage what the
    /// specification believes from here on. That is the best update it had: the last before that named a committee.
    function force(Step memory step) private {
        assertTrue(_client.latestSlot() != step.latest, "stays");
        bytes32 base = keccak256(
                abi.encode(uint256(keccak256("muster.storage.EthereumClient")) - 1)
            ) & ~bytes32(uint256(0xff));
        bytes32 committees = bytes32(uint256(base) + 1);
        uint64 next = step.latest / MINIMAL_PERIOD + 1;
        bytes32 place = keccak256(abi.encode(next, committees));
        vm.store(address(_client), place, bytes32(_attestedNext[next]));
        // The number of forks stands beside the slot.
        bytes32 latest = bytes32(uint256(base) + 2);
        uint256 forks = uint256(vm.load(address(_client), latest)) >> 64;
        vm.store(address(_client), latest, bytes32(forks << 64 | step.latest));
        vm.store(address(_client), keccak256(abi.encode(step.latest, base)), step.blockRoot);
        assertEq(_client.committeeRoot(next), _attestedNext[next], "written");
    }

    /// @dev Committees that were attested, final or not, by their periods.
    mapping(uint64 => uint256) private _attestedNext;

    // ------------------------------------------------------------------------------ Mainnet

    /// @dev The bootstrap is of slot 9,425,184 and the update of slot 9,420,873, both in period 1150: it brings the
    /// committee of period 1151, signed by 511 of 512.
    function testMainnet() public {
        _client = start(".mainnet", deneb());
        Step memory step = readUpdate(".mainnet.update");
        enterMainnet(9_425_200);
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
        enterMainnet(9_425_200);
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

    function minimal(bytes32 genesis) private pure returns (EthereumClient.Network memory terms) {
        terms.genesisValidatorsRoot = genesis;
        (terms.genesisTime, terms.secondsPerSlot) = (1_578_009_900, 6);
        (terms.slotsPerEpoch, terms.epochsPerPeriod, terms.committeeSize) = (8, 8, 32);
        terms.forks = new EthereumClient.Fork[](1);
        terms.forks[0] = EthereumClient.Fork(0, 0x04000001, 105, 54, 55);
    }

    function deneb() private pure returns (EthereumClient.Network memory terms) {
        terms.genesisValidatorsRoot =
        0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95;
        (terms.genesisTime, terms.secondsPerSlot) = (1_606_824_023, 12);
        (terms.slotsPerEpoch, terms.epochsPerPeriod, terms.committeeSize) = (32, 256, 512);
        terms.forks = new EthereumClient.Fork[](1);
        terms.forks[0] = EthereumClient.Fork(269_568, 0x04000000, 105, 54, 55);
    }

    function enterMainnet(uint256 slot) private {
        vm.warp(1_606_824_023 + 12 * slot);
    }

    function start(string memory at, EthereumClient.Network memory terms)
        private
        returns (EthereumClient)
    {
        at = string.concat(at, ".bootstrap");
        EthereumClient.Committee memory committee;
        committee.hashTreeRoot = vm.parseJsonBytes32(_json, string.concat(at, ".committee"));
        committee.branch = vm.parseJsonBytes32Array(_json, string.concat(at, ".branch"));
        committee.root = musterRoot(committee.hashTreeRoot);
        committee.proof = "translation";
        translate(committee, terms.committeeSize, terms.committeeSize);
        return new EthereumClient(
            verifier,
            SIGNATURES,
            TRANSLATIONS,
            terms,
            header(string.concat(at, ".header")),
            committee
        );
    }

    function exists(string memory at, uint256 i) private view returns (bool) {
        return vm.keyExistsJson(_json, string.concat(at, ".steps[", vm.toString(i), "]"));
    }

    function read(string memory at) private returns (Step memory step) {
        bool isForced = vm.parseJsonBool(_json, string.concat(at, ".isForced"));
        if (!isForced) step = readUpdate(at);
        step.isForced = isForced;
        step.currentSlot = uint64(vm.parseJsonUint(_json, string.concat(at, ".currentSlot")));
        step.latest = uint64(vm.parseJsonUint(_json, string.concat(at, ".latest")));
        step.blockRoot = vm.parseJsonBytes32(_json, string.concat(at, ".blockRoot"));
        uint64 period = step.update.attested.slot / MINIMAL_PERIOD;
        if (step.namesNext) _attestedNext[period + 1] = step.next.root;
    }

    /// @dev With proofs: that those signed who did, and of the committee.
    function readUpdate(string memory at) private returns (Step memory step) {
        EthereumClient.Update memory update = step.update;
        update.attested = header(string.concat(at, ".attested"));
        update.finalized = header(string.concat(at, ".finalized"));
        update.signatureSlot = uint64(vm.parseJsonUint(_json, string.concat(at, ".signatureSlot")));
        update.participants = uint64(vm.parseJsonUint(_json, string.concat(at, ".participants")));
        update.finalityBranch =
            vm.parseJsonBytes32Array(_json, string.concat(at, ".finalityBranch"));
        update.proof = "signatures";
        step.isFinality = update.finalityBranch.length != 0;
        EthereumClient.Committee memory next = step.next;
        next.hashTreeRoot = vm.parseJsonBytes32(_json, string.concat(at, ".next"));
        next.branch = vm.parseJsonBytes32Array(_json, string.concat(at, ".nextBranch"));
        next.root = musterRoot(next.hashTreeRoot);
        next.proof = "translation";
        step.namesNext = next.branch.length != 0;
        uint256 signers = musterRoot(vm.parseJsonBytes32(_json, string.concat(at, ".signers")));
        bytes32 signed = vm.parseJsonBytes32(_json, string.concat(at, ".signed"));
        verifier.addProof(
            SIGNATURES, MusterStatement.ofDigest(signers, update.participants, signed), update.proof
        );
        uint256 seats = update.participants > 32 ? 512 : 32;
        translate(next, seats, seats);
    }

    /// @dev A header in SSZ, read without the code under test.
    function header(string memory at) private view returns (Beacon.Header memory read_) {
        bytes memory ssz = vm.parseJsonBytes(_json, at);
        assertEq(ssz.length, 112, "header");
        read_.slot = little(ssz, 0);
        read_.proposerIndex = little(ssz, 8);
        (read_.parentRoot, read_.stateRoot, read_.bodyRoot) =
        (word(ssz, 16), word(ssz, 48), word(ssz, 80));
    }

    function little(bytes memory from, uint256 at) private pure returns (uint64 number) {
        for (uint256 i = 8; i > 0; --i) {
            number = number << 8 | uint8(from[at + i - 1]);
        }
    }

    function word(bytes memory from, uint256 at) private pure returns (bytes32 read_) {
        for (uint256 i = 0; i < 32; ++i) {
            read_ |= bytes32(from[at + i]) >> 8 * i;
        }
    }
}
