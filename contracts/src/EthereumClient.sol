// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterClaims} from "./MusterClaims.sol";
import {MusterKey} from "./MusterKey.sol";
import {MusterStatement} from "./MusterStatement.sol";
import {Beacon} from "./digests/Beacon.sol";
import {EthereumDigest} from "./digests/EthereumDigest.sol";
import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title Follows Ethereum by its sync committees (consensus specifications, Altair to Fulu:
/// `light-client/sync-protocol.md`).
/// @notice The committee of a period signs headers. A state has the root of the last block that is final, and the next
/// committee. So an update is a header that was attested, branches from its state, and one proof that enough of the
/// committee signed it; `follow` takes the block that it shows to be final, `rotate` the next committee as well.
///
/// What the chain has of a committee is its `hash_tree_root`. What proofs are about is Muster's root of the same keys;
/// a second proof, a translation, shows that the two belong together. So nobody is trusted to say who signs, but the
/// chain: only the header with which the client begins is believed.
///
/// It differs from the specification on purpose in three points. Only what two thirds signed is taken, so there is no
/// optimistic header. A forced update, which goes by a header that may never become final, needs two thirds as well, and a
/// deployer who allowed it; it brings the next committee, and no block to believe in. And a next committee that is known is
/// not compared again: `rotate` refuses to name it twice.
/// @dev Nobody owns it. Forks are a table that cannot grow: an update that was signed under a fork that is not in it has
/// another signing root, and is refused. Then deploy another client.
contract EthereumClient {
    /// @notice A fork: from which epoch on, its version, and where a state has what a client reads, as generalized
    /// indices.
    struct Fork {
        uint64 epoch;
        bytes4 version;
        /// `finalized_checkpoint.root`: 105, and 169 from Electra on.
        uint16 finalizedRoot;
        /// `current_sync_committee`: 54, and 86 from Electra on.
        uint16 currentCommittee;
        /// `next_sync_committee`: 55, and 87 from Electra on.
        uint16 nextCommittee;
    }

    /// @notice The network, and for how long a committee is believed.
    struct Network {
        bytes32 genesisValidatorsRoot;
        /// Unix time of slot 0.
        uint64 genesisTime;
        uint64 secondsPerSlot;
        uint64 slotsPerEpoch;
        uint64 epochsPerPeriod;
        /// Seats of a committee.
        uint64 committeeSize;
        /// Seconds after the end of a committee's period for which it is believed; zero: for ever.
        uint64 maximumAge;
        /// Slots after the latest block until `force` takes a header that is not known to be final, at least a period (the
        /// specification's `UPDATE_TIMEOUT`); zero: never. Committees have to be believed for longer.
        uint64 forcedAfter;
        /// In order.
        Fork[] forks;
    }

    /// @notice A sync committee in the state of a header.
    struct Committee {
        /// `hash_tree_root` of the `SyncCommittee`.
        bytes32 hashTreeRoot;
        /// From there to the root of the state.
        bytes32[] branch;
        /// Muster's root of its seats.
        uint256 root;
        /// That the two have the same keys: of `muster translate`.
        bytes proof;
    }

    /// @notice A header that a committee signed, and the block that it makes final.
    struct Update {
        Beacon.Header attested;
        /// The slot of the block that has the signatures. It decides whose they are, and nobody signed it.
        uint64 signatureSlot;
        /// The threshold of the proof: at least so many seats signed.
        uint64 participants;
        Beacon.Header finalized;
        /// From the finalized block's root to the root of the attested header's state.
        bytes32[] finalityBranch;
        /// That they signed.
        bytes proof;
    }

    /// @custom:storage-location erc7201:muster.storage.EthereumClient
    struct State {
        mapping(uint64 => bytes32) blockRoots;
        mapping(uint64 => uint256) committees;
        uint64 latest;
        uint64 forkCount;
        mapping(uint256 => Fork) forks;
    }

    /// @dev keccak256(abi.encode(uint256(keccak256("muster.storage.EthereumClient")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STATE_SLOT =
        0xbe534b2c236aaff3015696b43cdeea861a1bad3de5b9f4681fc660793fabb900;

    /// @dev Root of the header with zeros in all fields. It stands for the finalized one as long as no block but genesis is final:
    /// then a state has zero in place of its root.
    bytes32 private constant EMPTY_HEADER =
        0xc78009fdf07fc56a11f122370658a353aaa542ed63e44c4bc15ff4cd105ab33c;

    /// @notice Checks the proofs.
    IMusterVerifier public immutable VERIFIER;
    /// @notice Name of the EVM key for signatures: `bls-bls12-381` with seats, and room for a committee.
    bytes32 public immutable SIGNATURE_KEY;
    /// @notice Name of the EVM key for translations of a sync committee, of the same tree.
    bytes32 public immutable TRANSLATION_KEY;
    /// @notice Tells networks apart.
    bytes32 public immutable GENESIS_VALIDATORS_ROOT;
    /// @notice Unix time of slot 0.
    uint64 public immutable GENESIS_TIME;
    /// @notice Seconds of a slot.
    uint64 public immutable SECONDS_PER_SLOT;
    /// @notice Slots of an epoch.
    uint64 public immutable SLOTS_PER_EPOCH;
    /// @notice Slots for which a committee signs.
    uint64 public immutable SLOTS_PER_PERIOD;
    /// @notice Seats of a committee.
    uint64 public immutable COMMITTEE_SIZE;
    /// @notice Seats that have to sign: two thirds, rounded up.
    uint64 public immutable MINIMUM_PARTICIPANTS;
    /// @notice Seconds after the end of its period for which a committee is believed; zero: for ever.
    uint64 public immutable MAXIMUM_AGE;
    /// @notice Slots after the latest block until a header may be forced; zero: never.
    uint64 public immutable FORCED_AFTER;

    /// @notice A block is final. Those between it and the final one before are its ancestors.
    event Finalized(
        uint64 indexed slot, bytes32 indexed blockRoot, bytes32 stateRoot, uint64 participants
    );
    /// @notice The next committee is that of this block's state, although it is not known to be final. It is no block of this
    /// client's; but if it is later than the latest, the client goes on from its slot.
    event Forced(uint64 indexed slot, bytes32 indexed blockRoot);
    /// @notice This committee signs in this period.
    event CommitteeAdded(uint64 indexed period, bytes32 indexed hashTreeRoot, uint256 root);

    /// @notice A duration or a size of the network is zero; or updates could be forced within a period, or only when no
    /// committee is believed any more.
    error UnusableNetwork();
    /// @notice The fork with this index does not come after the one before, or its generalized indices name nodes of
    /// which one is above another.
    error UnusableFork(uint256 index);
    /// @notice No fork of the table was in force in this epoch.
    error NoFork(uint64 epoch);
    /// @notice Slots are not in the order finalized, attested, signed.
    error WrongOrder(uint64 finalized, uint64 attested, uint64 signature);
    /// @notice The slot of the signature is still to come.
    error NotYet(uint64 signature, uint256 current);
    /// @notice Of these periods the client knows nobody, or nobody any more, who could sign.
    error UnknownCommittee(uint64 period);
    /// @notice The committee of this period was believed until this second.
    error CommitteeTooOld(uint64 period, uint256 until);
    /// @notice Fewer seats than two thirds, or more than there are.
    error WrongParticipants(uint64 participants);
    /// @notice The client knows a later final block, or this one.
    error NothingNew(uint64 latest, uint64 finalized);
    /// @notice The next committee would be that of a state of which no block of the same period is known to be final.
    error NotFinalInPeriod(uint64 finalized, uint64 attested);
    /// @notice The committee of this period is known, or was.
    error CommitteeKnown(uint64 period);
    /// @notice Nothing is forced on this client.
    error NeverForced();
    /// @notice Nothing is forced up to this slot: a later block may still become final.
    error NotForcedUntil(uint256 slot);
    /// @notice A forced update has the attested block in place of a final one, and no branch.
    error NotTheAttestedBlock(bytes32 blockRoot);
    /// @notice The branch does not lead from the finalized block to the attested state.
    error NotFinalized(bytes32 blockRoot);
    /// @notice The branch does not lead from the committee to the state.
    error NotInState(bytes32 hashTreeRoot);
    /// @notice The proof of signatures does not hold for this signing root.
    error SignatureRejected(bytes32 signed);
    /// @notice The translation does not hold for this committee and this root.
    error TranslationRejected(bytes32 hashTreeRoot, uint256 root);
    /// @notice The client knows of no block of this slot that it is final.
    error UnknownBlock(uint64 slot);

    /// @param verifier A `MusterVerifier`. Its code is trusted and cannot be exchanged.
    /// @param signatureKey Name of the EVM key for signatures, which nobody checks.
    /// @param translationKey Name of that for translations. The same.
    /// @param network The network.
    /// @param trusted Header of a block that is final: the one thing that is believed of the chain.
    /// @param committee The committee that is in office in its state.
    constructor(
        IMusterVerifier verifier,
        bytes32 signatureKey,
        bytes32 translationKey,
        Network memory network,
        Beacon.Header memory trusted,
        Committee memory committee
    ) {
        MusterKey.requireForDigests(verifier, signatureKey);
        MusterKey.requireForTranslations(verifier, translationKey);
        _requireUsable(network);
        (VERIFIER, SIGNATURE_KEY, TRANSLATION_KEY) = (verifier, signatureKey, translationKey);
        GENESIS_VALIDATORS_ROOT = network.genesisValidatorsRoot;
        (GENESIS_TIME, SECONDS_PER_SLOT) = (network.genesisTime, network.secondsPerSlot);
        SLOTS_PER_EPOCH = network.slotsPerEpoch;
        uint64 slotsPerPeriod = network.slotsPerEpoch * network.epochsPerPeriod;
        SLOTS_PER_PERIOD = slotsPerPeriod;
        uint64 size = network.committeeSize;
        (COMMITTEE_SIZE, MINIMUM_PARTICIPANTS) = (size, size - size / 3);
        (MAXIMUM_AGE, FORCED_AFTER) = (network.maximumAge, network.forcedAfter);
        _setForks(network.forks);
        uint256 place = _forkAt(trusted.slot / network.slotsPerEpoch).currentCommittee;
        (bytes32 hashTreeRoot, uint256 root) = (committee.hashTreeRoot, committee.root);
        _requireInState(trusted.stateRoot, place, hashTreeRoot, committee.branch);
        bool holds = verifier.verify(
            translationKey, _translation(root, hashTreeRoot, size), committee.proof
        );
        if (!holds) revert TranslationRejected(hashTreeRoot, root);
        _addCommittee(trusted.slot / slotsPerPeriod, hashTreeRoot, root);
        _finalize(trusted.slot, Beacon.rootOf(trusted), trusted.stateRoot, 0);
    }

    // ------------------------------------------------------------------------------ Updates

    /// @notice Takes a later final block.
    function follow(Update calldata update) external {
        _requireNew(update.finalized.slot);
        (bytes32 finalized, bytes32 signed, uint256[] memory inputs) =
            _statement(update, _forkOf(update), false);
        if (!VERIFIER.verify(SIGNATURE_KEY, inputs, update.proof)) {
            revert SignatureRejected(signed);
        }
        _takeBlock(update, finalized);
    }

    /// @notice Takes the committee of the period after that of the attested header, and the final block if it is a
    /// later one. The block has to be of the same period as the header: then the next committee in the states of
    /// both is the same, and final.
    /// @param next The next committee in the state of the attested header.
    function rotate(Update calldata update, Committee calldata next) external {
        bytes32 root = _rotate(update, next, false);
        if (update.finalized.slot > latestSlot()) _takeBlock(update, root);
    }

    /// @notice As `rotate`, with the attested header in place of one that is final: for a chain that does not finalize,
    /// whose next committee could not be shown otherwise (`process_light_client_store_force_update`). The block itself is not
    /// kept, so nothing can be shown under it.
    /// @param update Its finalized header is the attested one again, and its finality branch empty.
    function force(Update calldata update, Committee calldata next) external {
        if (FORCED_AFTER == 0) revert NeverForced();
        uint256 until = uint256(latestSlot()) + FORCED_AFTER;
        if (currentSlot() <= until) revert NotForcedUntil(until);
        bytes32 root = _rotate(update, next, true);
        uint64 slot = update.attested.slot;
        if (slot > latestSlot()) _state().latest = slot;
        emit Forced(slot, root);
    }

    /// @dev Takes the committee. Returns the root of the block in whose period it was named.
    function _rotate(Update calldata update, Committee calldata next, bool isForced)
        private
        returns (bytes32 finalized)
    {
        uint64 period = _requireNextUnknown(update);
        Fork storage fork = _forkOf(update);
        bytes32 signed;
        uint256[] memory inputs;
        (finalized, signed, inputs) = _statement(update, fork, isForced);
        _requireInState(
            update.attested.stateRoot, fork.nextCommittee, next.hashTreeRoot, next.branch
        );
        IMusterVerifier.Claim[] memory claims = new IMusterVerifier.Claim[](2);
        claims[0] = IMusterVerifier.Claim(SIGNATURE_KEY, inputs, update.proof);
        inputs = _translation(next.root, next.hashTreeRoot, COMMITTEE_SIZE);
        claims[1] = IMusterVerifier.Claim(TRANSLATION_KEY, inputs, next.proof);
        uint256 bad = MusterClaims.firstFalse(VERIFIER, claims);
        if (bad == 0) revert SignatureRejected(signed);
        if (bad == 1) revert TranslationRejected(next.hashTreeRoot, next.root);
        _addCommittee(period + 1, next.hashTreeRoot, next.root);
    }

    // ------------------------------------------------------------------------------ What is known

    /// @notice Slot of the last block that is known to be final, or of a later header by which an update was forced.
    function latestSlot() public view returns (uint64) {
        return _state().latest;
    }

    /// @notice The root of the block of this slot, if the client was shown that it is final; else zero.
    function blockRoot(uint64 slot) external view returns (bytes32) {
        return _state().blockRoots[slot];
    }

    /// @notice Whether a node stands at this generalized index under the block of this slot, which has to be known.
    /// @dev Fix the index: `Beacon` has those of the state's root and of the execution layer.
    /// @param slot Slot of a block that is known.
    /// @param gindex Where the node stands, counted from the root of the block.
    /// @param leaf The node.
    /// @param branch Siblings from the node's up.
    function isInBlock(uint64 slot, uint256 gindex, bytes32 leaf, bytes32[] calldata branch)
        external
        view
        returns (bool)
    {
        bytes32 known = _state().blockRoots[slot];
        if (known == 0) revert UnknownBlock(slot);
        return Beacon.branchRoot(leaf, gindex, branch) == known;
    }

    /// @notice Muster's root of the committee of this period, if it is known; else zero.
    function committeeRoot(uint64 period) external view returns (uint256) {
        return _state().committees[period];
    }

    /// @notice The fork in force in this epoch.
    function forkAt(uint64 epoch) external view returns (Fork memory) {
        return _forkAt(epoch);
    }

    /// @notice The period in which this slot is.
    function periodOf(uint64 slot) public view returns (uint64) {
        return slot / SLOTS_PER_PERIOD;
    }

    /// @notice The slot of this second.
    function currentSlot() public view returns (uint256) {
        uint256 time = _now();
        return time < GENESIS_TIME ? 0 : (time - GENESIS_TIME) / SECONDS_PER_SLOT;
    }

    // ------------------------------------------------------------------------------ Checks

    function _requireNew(uint64 finalized) private view {
        if (finalized <= latestSlot()) revert NothingNew(latestSlot(), finalized);
    }

    /// @dev Returns the period of the attested header. The committee of the latest block's own period is known always, and
    /// earlier ones sign nothing any more.
    function _requireNextUnknown(Update calldata update) private view returns (uint64 period) {
        period = periodOf(update.attested.slot);
        if (periodOf(update.finalized.slot) != period) {
            revert NotFinalInPeriod(update.finalized.slot, update.attested.slot);
        }
        if (period < periodOf(latestSlot()) || _state().committees[period + 1] != 0) {
            revert CommitteeKnown(period + 1);
        }
    }

    /// @dev `validate_light_client_update`, but for the next committee. Returns the root of the finalized block, what is
    /// to be signed, and the inputs of a proof that it is. Under which version the header was signed depends on the slot
    /// before the signature, as in `fork_version_slot`.
    /// @param fork That of the attested state, which says where things are.
    /// @param isForced Whether the attested header stands for the finalized one.
    function _statement(Update calldata update, Fork storage fork, bool isForced)
        private
        view
        returns (bytes32 finalized, bytes32 signed, uint256[] memory inputs)
    {
        uint256 committee = _requireCommittee(update);
        uint64 participants = update.participants;
        if (participants < MINIMUM_PARTICIPANTS || participants > COMMITTEE_SIZE) {
            revert WrongParticipants(participants);
        }
        finalized = Beacon.rootOf(update.finalized);
        bytes32 attested = Beacon.rootOf(update.attested);
        if (isForced) {
            if (finalized != attested || update.finalityBranch.length != 0) {
                revert NotTheAttestedBlock(finalized);
            }
        } else {
            _requireFinal(update, fork.finalizedRoot, finalized);
        }
        // The attested slot is below that of the signature, which is therefore not zero.
        bytes4 version = _forkAt((update.signatureSlot - 1) / SLOTS_PER_EPOCH).version;
        signed = EthereumDigest.signingRoot(attested, version, GENESIS_VALIDATORS_ROOT);
        inputs = MusterStatement.ofDigest(committee, participants, signed);
    }

    function _requireFinal(Update calldata update, uint256 place, bytes32 finalized) private view {
        bytes32 leaf = finalized == EMPTY_HEADER ? bytes32(0) : finalized;
        bytes32 state = Beacon.branchRoot(leaf, place, update.finalityBranch);
        if (state != update.attested.stateRoot) revert NotFinalized(finalized);
    }

    /// @dev The root of the committee that is to have signed: that of the latest block's period, or of the next.
    function _requireCommittee(Update calldata update) private view returns (uint256 root) {
        (uint64 signature, uint64 attested) = (update.signatureSlot, update.attested.slot);
        if (attested >= signature || update.finalized.slot > attested) {
            revert WrongOrder(update.finalized.slot, attested, signature);
        }
        if (signature > currentSlot()) revert NotYet(signature, currentSlot());
        uint64 period = periodOf(signature);
        uint64 latest = periodOf(latestSlot());
        if (period < latest || period > latest + 1) revert UnknownCommittee(period);
        root = _state().committees[period];
        if (root == 0) revert UnknownCommittee(period);
        if (MAXIMUM_AGE != 0) _requireYoung(period);
    }

    /// @dev Counted from the end of the period: an old committee can claim any slot of its period.
    function _requireYoung(uint64 period) private view {
        uint256 end = (uint256(period) + 1) * SLOTS_PER_PERIOD * SECONDS_PER_SLOT;
        uint256 until = GENESIS_TIME + end + MAXIMUM_AGE;
        if (_now() > until) revert CommitteeTooOld(period, until);
    }

    function _requireInState(
        bytes32 state,
        uint256 place,
        bytes32 hashTreeRoot,
        bytes32[] memory branch
    ) private view {
        if (Beacon.branchRoot(hashTreeRoot, place, branch) != state) {
            revert NotInState(hashTreeRoot);
        }
    }

    /// @dev All seats, each with a weight of one: so a threshold counts seats.
    function _translation(uint256 root, bytes32 hashTreeRoot, uint64 size)
        private
        pure
        returns (uint256[] memory)
    {
        return MusterStatement.ofTranslation(root, hashTreeRoot, size, size);
    }

    // ------------------------------------------------------------------------------ Parts

    function _state() private pure returns (State storage state) {
        assembly ("memory-safe") {
            state.slot := STATE_SLOT
        }
    }

    /// @dev Slots and days do not depend on the seconds that a validator can shift.
    function _now() private view returns (uint256) {
        return block.timestamp;
    }

    function _takeBlock(Update calldata update, bytes32 root) private {
        _finalize(update.finalized.slot, root, update.finalized.stateRoot, update.participants);
    }

    function _finalize(uint64 slot, bytes32 root, bytes32 stateRoot, uint64 participants) private {
        State storage state = _state();
        state.latest = slot;
        state.blockRoots[slot] = root;
        emit Finalized(slot, root, stateRoot, participants);
    }

    function _addCommittee(uint64 period, bytes32 hashTreeRoot, uint256 root) private {
        _state().committees[period] = root;
        emit CommitteeAdded(period, hashTreeRoot, root);
    }

    /// @dev The later forks first: they are asked for.
    function _forkAt(uint64 epoch) private view returns (Fork storage fork) {
        State storage state = _state();
        for (uint256 i = state.forkCount; i > 0; --i) {
            fork = state.forks[i - 1];
            if (fork.epoch <= epoch) return fork;
        }
        revert NoFork(epoch);
    }

    /// @dev Of the attested header's state.
    function _forkOf(Update calldata update) private view returns (Fork storage) {
        return _forkAt(update.attested.slot / SLOTS_PER_EPOCH);
    }

    function _setForks(Fork[] memory forks) private {
        for (uint256 i = 0; i < forks.length; ++i) {
            Fork memory fork = forks[i];
            if (i > 0 && fork.epoch <= forks[i - 1].epoch) revert UnusableFork(i);
            bool areApart = _areApart(fork.finalizedRoot, fork.currentCommittee)
                && _areApart(fork.finalizedRoot, fork.nextCommittee)
                && _areApart(fork.currentCommittee, fork.nextCommittee);
            if (!areApart) revert UnusableFork(i);
            _state().forks[i] = fork;
        }
        _state().forkCount = uint64(forks.length);
    }

    /// @dev Neither node is the other or above it: else what one is shown to be could be taken for the other's inside.
    function _areApart(uint256 a, uint256 b) private pure returns (bool) {
        if (a == 0 || b == 0) return false;
        (uint256 deep, uint256 high) = a > b ? (a, b) : (b, a);
        while (deep > high) {
            deep >>= 1;
        }
        return deep != high;
    }

    function _requireUsable(Network memory network) private pure {
        bool isUsable = network.secondsPerSlot != 0 && network.slotsPerEpoch != 0
            && network.epochsPerPeriod != 0 && network.committeeSize != 0;
        uint256 period = uint256(network.slotsPerEpoch) * network.epochsPerPeriod;
        uint256 forcedAfter = network.forcedAfter;
        bool waitsAPeriod = forcedAfter == 0 || forcedAfter >= period;
        bool outlastsThat =
            network.maximumAge == 0 || network.maximumAge > forcedAfter * network.secondsPerSlot;
        if (!isUsable || !waitsAPeriod || !outlastsThat) revert UnusableNetwork();
    }
}
