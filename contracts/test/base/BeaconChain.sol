// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../../src/EthereumClient.sol";
import {MusterStatement} from "../../src/MusterStatement.sol";
import {Beacon} from "../../src/digests/Beacon.sol";
import {EthereumDigest} from "../../src/digests/EthereumDigest.sol";
import {MockVerifier} from "../../src/mocks/MockVerifier.sol";
import {Test} from "./Test.sol";

/// @dev A chain that tests make up: periods of eight slots, committees of eight seats, and three forks, the second of
/// which moves what a client reads. States are trees of hashes with a checkpoint and two committees in their places.
abstract contract BeaconChain is Test {
    bytes32 internal constant SIGNATURES = keccak256("a key for BLS with seats");
    bytes32 internal constant TRANSLATIONS = keccak256("a key for translations");
    bytes32 internal constant GENESIS = keccak256("validators at genesis");
    uint64 internal constant GENESIS_TIME = 1_600_000_000;
    uint64 internal constant SLOT_TIME = 12;
    uint64 internal constant EPOCH = 4;
    uint64 internal constant PERIOD = 8;
    uint64 internal constant SEATS = 8;
    /// @dev First slots of the second and the third fork.
    uint64 internal constant DEEPER = 20;
    uint64 internal constant LATEST_FORK = 44;

    MockVerifier internal verifier = new MockVerifier();

    /// @dev A state's root, and the branches of what a client reads of it.
    struct StateTree {
        bytes32 root;
        bytes32[] finalized;
        bytes32[] current;
        bytes32[] next;
    }

    // ------------------------------------------------------------------------------ The network

    function network(uint64 maximumAge)
        internal
        pure
        returns (EthereumClient.Network memory terms)
    {
        terms.genesisValidatorsRoot = GENESIS;
        (terms.genesisTime, terms.secondsPerSlot) = (GENESIS_TIME, SLOT_TIME);
        (terms.slotsPerEpoch, terms.epochsPerPeriod) = (EPOCH, PERIOD / EPOCH);
        (terms.committeeSize, terms.maximumAge) = (SEATS, maximumAge);
        terms.forks = new EthereumClient.Fork[](3);
        terms.forks[0] = EthereumClient.Fork(0, 0x04000000, 105, 54, 55);
        terms.forks[1] = EthereumClient.Fork(DEEPER / EPOCH, 0x05000000, 169, 86, 87);
        terms.forks[2] = EthereumClient.Fork(LATEST_FORK / EPOCH, 0x06000000, 169, 86, 87);
    }

    /// @dev `compute_fork_version` of the slot's epoch.
    function versionAt(uint64 slot) internal pure returns (bytes4) {
        if (slot < DEEPER) return 0x04000000;
        return slot < LATEST_FORK ? bytes4(0x05000000) : bytes4(0x06000000);
    }

    function enter(uint64 slot) internal {
        vm.warp(GENESIS_TIME + slot * SLOT_TIME);
    }

    function committeeOf(uint64 period) internal pure returns (bytes32) {
        return keccak256(abi.encode("committee", period));
    }

    /// @dev What stands for the root of a committee's seats.
    function musterRoot(bytes32 hashTreeRoot) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode("root", hashTreeRoot))) >> 8;
    }

    // ------------------------------------------------------------------------------ Blocks

    function blockAt(uint64 slot, bytes32 state) internal pure returns (Beacon.Header memory) {
        bytes32 parent = keccak256(abi.encode("parent", slot));
        return Beacon.Header(slot, slot * 7, parent, state, keccak256(abi.encode("body", slot)));
    }

    /// @dev A block of whose state nobody asks.
    function plainBlock(uint64 slot) internal pure returns (Beacon.Header memory) {
        return blockAt(slot, keccak256(abi.encode("state", slot)));
    }

    function stateAt(uint64 slot, bytes32 finalized, bytes32 current, bytes32 next)
        internal
        pure
        returns (StateTree memory tree)
    {
        uint256 leaves = slot < DEEPER ? 32 : 64;
        bytes32[] memory nodes = new bytes32[](2 * leaves);
        for (uint256 i = 0; i < leaves; ++i) {
            nodes[leaves + i] = keccak256(abi.encode(slot, i));
        }
        bytes32 epoch = Beacon.chunk(slot / EPOCH);
        nodes[leaves + 20] = sha256(bytes.concat(epoch, finalized));
        (nodes[leaves + 22], nodes[leaves + 23]) = (current, next);
        for (uint256 i = leaves - 1; i > 0; --i) {
            nodes[i] = sha256(bytes.concat(nodes[2 * i], nodes[2 * i + 1]));
        }
        tree.root = nodes[1];
        tree.finalized = prepend(epoch, siblings(nodes, leaves + 20));
        tree.current = siblings(nodes, leaves + 22);
        tree.next = siblings(nodes, leaves + 23);
    }

    function siblings(bytes32[] memory nodes, uint256 place)
        internal
        pure
        returns (bytes32[] memory branch)
    {
        branch = new bytes32[](nodes.length == 64 ? 5 : 6);
        for (uint256 i = 0; place > 1; ++i) {
            branch[i] = nodes[place ^ 1];
            place /= 2;
        }
    }

    function prepend(bytes32 first, bytes32[] memory rest)
        internal
        pure
        returns (bytes32[] memory all)
    {
        all = new bytes32[](rest.length + 1);
        all[0] = first;
        for (uint256 i = 0; i < rest.length; ++i) {
            all[i + 1] = rest[i];
        }
    }

    function cut(bytes32[] memory from, uint256 length)
        internal
        pure
        returns (bytes32[] memory part)
    {
        part = new bytes32[](length);
        for (uint256 i = 0; i < length; ++i) {
            part[i] = from[i];
        }
    }

    // ------------------------------------------------------------------------------ What a client is given

    /// @dev An update of these slots, and the next committee in its state; nothing is proved.
    function updateOf(uint64 signature, uint64 attested, uint64 finalized)
        internal
        view
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        return updateWith(signature, attested, finalized, committeeOf(attested / PERIOD + 1));
    }

    function updateWith(uint64 signature, uint64 attested, uint64 finalized, bytes32 hashTreeRoot)
        internal
        view
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        update.finalized = plainBlock(finalized);
        bytes32 current = committeeOf(attested / PERIOD);
        StateTree memory tree =
            stateAt(attested, Beacon.rootOf(update.finalized), current, hashTreeRoot);
        update.attested = blockAt(attested, tree.root);
        (update.signatureSlot, update.participants) = (signature, SEATS);
        update.finalityBranch = tree.finalized;
        update.proof = "signatures";
        next = EthereumClient.Committee(
            hashTreeRoot, tree.next, musterRoot(hashTreeRoot), "translation"
        );
    }

    /// @dev The same, signed and translated.
    function provenOf(uint64 signature, uint64 attested, uint64 finalized)
        internal
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        (update, next) = updateOf(signature, attested, finalized);
        sign(update);
        translate(next, SEATS, SEATS);
    }

    /// @dev A block of this slot, and the committee in office in its state.
    function startAt(uint64 slot)
        internal
        pure
        returns (Beacon.Header memory header, EthereumClient.Committee memory committee)
    {
        bytes32 current = committeeOf(slot / PERIOD);
        StateTree memory tree =
            stateAt(slot, keccak256("earlier"), current, committeeOf(slot / PERIOD + 1));
        header = blockAt(slot, tree.root);
        committee =
            EthereumClient.Committee(current, tree.current, musterRoot(current), "translation");
    }

    // ------------------------------------------------------------------------------ Proofs

    /// @dev From now on there is a proof that this committee signed the update, under this version and for this network.
    function signAs(
        EthereumClient.Update memory update,
        bytes32 committee,
        bytes4 version,
        bytes32 genesis
    ) internal {
        bytes32 signed = EthereumDigest.signingRoot(
            Beacon.rootOf(update.attested), version, genesis
        );
        verifier.addProof(
            SIGNATURES,
            MusterStatement.ofDigest(musterRoot(committee), update.participants, signed),
            update.proof
        );
    }

    /// @dev The committee of the signature's period signs as nodes do.
    function sign(EthereumClient.Update memory update) internal {
        uint64 slot = update.signatureSlot;
        signAs(update, committeeOf(slot / PERIOD), versionAt(slot - 1), GENESIS);
    }

    /// @dev From now on there is a translation to so many seats.
    function translate(EthereumClient.Committee memory committee, uint256 seats, uint256 total)
        internal
    {
        verifier.addProof(
            TRANSLATIONS,
            MusterStatement.ofTranslation(committee.root, committee.hashTreeRoot, seats, total),
            committee.proof
        );
    }

    function deploy(uint64 slot, uint64 maximumAge) internal returns (EthereumClient) {
        return deploy(slot, network(maximumAge));
    }

    /// @dev One on which updates may be forced after so many slots.
    function deployForcible(uint64 slot, uint64 forcedAfter) internal returns (EthereumClient) {
        EthereumClient.Network memory terms = network(0);
        terms.forcedAfter = forcedAfter;
        return deploy(slot, terms);
    }

    function deploy(uint64 slot, EthereumClient.Network memory terms)
        internal
        returns (EthereumClient)
    {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(slot);
        translate(committee, SEATS, SEATS);
        return new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
    }
}
