// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterDigest} from "./MusterDigest.sol";
import {MusterStatement} from "./MusterStatement.sol";
import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title A light client that believes what a committee signed, shown by one proof.
/// @notice Holds the committee in office. A message that it signed is accepted once, alone or as
/// part of a batch. The committee proposes the next one, which takes office by a proof of its own:
/// so a set that cannot sign never does. Until then the committee may propose another, and stays.
///
/// The terms, each of them optional, are fixed at construction: how long the next committee has to
/// accept, how long the one before stays good for messages and batches, how long a batch does, and a
/// guardian, who can stop everything and start it again, but never signs. No proof takes the role
/// away: who could forge one would lift the stop that is there against forgers. Nobody owns the
/// contract.
/// @dev What is signed is defined in `MusterDigest`. The only external calls are static calls of the
/// verifier, made before anything is written: they cannot re-enter to write, and no reader sees a
/// message as processed before its proof was checked.
contract MultisigLightClient {
    /// @notice The optional parts. Each is off at zero.
    struct Terms {
        /// Seconds in which the next committee must accept. Zero: a handover is in force at once.
        uint64 acceptanceWindow;
        /// Seconds for which the committee before stays good for messages and batches.
        uint64 overlap;
        /// Seconds after its acceptance in which a batch's messages can be taken. Zero: for ever.
        uint64 batchLife;
        /// Who may freeze and thaw.
        address guardian;
    }

    /// @notice When a batch was accepted, and who had signed it.
    struct Batch {
        /// Epoch of the committee that signed it; zero if the batch was never accepted.
        uint64 epoch;
        /// Time of its acceptance.
        uint64 acceptedAt;
    }

    /// @dev The committee in office. Its third word has all else that every call asks.
    struct Office {
        bytes32 key;
        uint256 root;
        uint64 threshold;
        MusterDigest.Form form;
        uint64 epoch;
        bool isFrozen;
    }

    /// @dev A committee that is not in office, and the last second at which it counts.
    struct Seat {
        bytes32 key;
        uint256 root;
        uint64 threshold;
        MusterDigest.Form form;
        uint64 until;
    }

    /// @custom:storage-location erc7201:muster.storage.LightClient
    struct State {
        Office office;
        /// Of the epoch before. Any earlier committee is forgotten.
        Seat former;
        /// Of the epoch after, if it accepts: the proposal with `lastSequence`.
        Seat next;
        uint64 lastSequence;
        address guardian;
        address nextGuardian;
        mapping(bytes32 => bool) isProcessed;
        mapping(bytes32 => Batch) batches;
    }

    /// @notice Longest path in a batch.
    uint256 public constant MAX_BATCH_DEPTH = 32;
    /// @notice Longest of each of the terms. So no time overflows.
    uint64 public constant MAX_TERM = 3650 days;
    /// @notice How far a sequence may be above the last one. Else one proposal with the greatest
    /// number could never be superseded.
    uint64 public constant MAX_SEQUENCE_STEP = 2 ** 32;

    /// @dev keccak256(abi.encode(uint256(keccak256("muster.storage.LightClient")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STATE_SLOT =
        0x9b76643592eed25c7a705515a09d8e2f7111d7eccc3e5f22d438254eaf8c6b00;

    /// @notice Checks the proofs.
    IMusterVerifier public immutable VERIFIER;
    /// @notice Chain that the messages come from.
    uint256 public immutable SOURCE_CHAIN_ID;
    /// @notice Seconds in which the next committee must accept; zero if it need not.
    uint64 public immutable ACCEPTANCE_WINDOW;
    /// @notice Seconds for which the committee before stays good for messages and batches.
    uint64 public immutable OVERLAP;
    /// @notice Seconds in which messages can be taken from a batch; zero for ever.
    uint64 public immutable BATCH_LIFE;

    // ------------------------------------------------------------------------------ Events

    /// @notice A message was accepted; `batchRoot` is zero if it came alone. The epoch is that of the
    /// committee that signed it or its batch.
    event MessageVerified(
        bytes32 indexed messageId,
        uint64 indexed nonce,
        uint64 indexed epoch,
        bytes32 batchRoot,
        bytes payload
    );
    /// @notice How the message of the event before follows from its batch.
    event MessageOfBatch(bytes32 indexed messageId, bytes32 indexed batchRoot, bytes32[] path);
    /// @notice A batch was accepted; its messages can be taken from now on.
    event BatchVerified(bytes32 indexed batchRoot, uint64 indexed epoch);
    /// @notice The committee in office named the next one; earlier proposals are void. `acceptBy` is
    /// zero if no acceptance is needed.
    event HandoverProposed(
        bytes32 indexed proposal,
        uint64 indexed epoch,
        uint64 sequence,
        uint64 acceptBy,
        MusterDigest.Committee next
    );
    /// @notice A committee took office.
    event CommitteeInOffice(uint64 indexed epoch, MusterDigest.Committee committee);
    /// @notice The guardian stopped everything.
    event Frozen(address indexed guardian);
    /// @notice Everything goes on.
    event Thawed();
    /// @notice The guardian offered the role; nobody has it on offer if `next` is zero.
    event GuardianOffered(address indexed guardian, address indexed next);
    /// @notice Somebody else is guardian; nobody is, ever again, if `guardian` is zero.
    event GuardianChanged(address indexed before, address indexed guardian);

    // ------------------------------------------------------------------------------ Errors

    /// @notice The verifier's address has no code.
    error NoCode(address verifier);
    /// @notice The first epoch is zero, or of 2^63 or more.
    error InvalidEpoch(uint64 epoch);
    /// @notice One of the terms is above the longest.
    error TermTooLong(uint64 term);
    /// @notice The verifier has no key of this name.
    error UnknownKey(bytes32 key);
    /// @notice The key has another number of public inputs than committees of this form need.
    error KeyOfAnotherForm(bytes32 key, MusterDigest.Form form);
    /// @notice The guardian has stopped everything.
    error IsFrozen();
    /// @notice There is nothing to thaw.
    error NotFrozen();
    /// @notice The committee of this epoch is neither in office, nor the one before and still good.
    error NotInOffice(uint64 epoch);
    /// @notice What was signed was to be used earlier.
    error Expired(uint64 validUntil);
    /// @notice The committee did not sign this.
    error ProofRejected();
    /// @notice The message was accepted before.
    error AlreadyProcessed(bytes32 messageId);
    /// @notice The batch was accepted before.
    error BatchAlreadyAccepted(bytes32 batchRoot);
    /// @notice No committee signed this batch, as far as this client has seen.
    error UnknownBatch(bytes32 batchRoot);
    /// @notice The batch's messages were to be taken earlier.
    error BatchExpired(bytes32 batchRoot);
    /// @notice The path does not lead from the message to the root of the batch.
    error InvalidPath(bytes32 batchRoot, bytes32 messageId);
    /// @notice The path is longer than any batch is deep.
    error PathTooLong(uint256 length);
    /// @notice The sequence is not above the last one, or too far above it.
    error SequenceOutOfRange(uint64 last, uint64 sequence);
    /// @notice There is no proposal to accept.
    error NoProposal();
    /// @notice The proposal was to be accepted earlier.
    error ProposalLapsed(uint64 acceptBy);
    /// @notice Only the guardian may do this.
    error NotGuardian(address caller);
    /// @notice The role is not on offer to the caller.
    error NotNextGuardian(address caller);

    // ------------------------------------------------------------------------------ Construction

    /// @param verifier A `MusterVerifier`. Its code is trusted and cannot be exchanged.
    /// @param sourceChainId Chain that the messages come from.
    /// @param firstEpoch Epoch of the first committee, from 1 to 2^63 − 1, so that there is always a next.
    /// @param first The first committee. Nobody checks that it can sign, or that its key is sound.
    /// @param terms The optional parts.
    constructor(
        IMusterVerifier verifier,
        uint256 sourceChainId,
        uint64 firstEpoch,
        MusterDigest.Committee memory first,
        Terms memory terms
    ) {
        if (address(verifier).code.length == 0) revert NoCode(address(verifier));
        if (firstEpoch == 0 || firstEpoch >> 63 != 0) revert InvalidEpoch(firstEpoch);
        _requireUsable(verifier, first);
        VERIFIER = verifier;
        SOURCE_CHAIN_ID = sourceChainId;
        ACCEPTANCE_WINDOW = _term(terms.acceptanceWindow);
        OVERLAP = _term(terms.overlap);
        BATCH_LIFE = _term(terms.batchLife);
        _enter(firstEpoch, first);
        if (terms.guardian != address(0)) _setGuardian(terms.guardian);
    }

    // ------------------------------------------------------------------------------ Messages

    /// @notice Accepts a message that a committee signed.
    /// @param message The message.
    /// @param epoch_ Of the committee that signed: in office, or the one before while it is good.
    /// @param validUntil As it was signed.
    /// @param proof Proof for the message's digest.
    function submit(
        MusterDigest.Message calldata message,
        uint64 epoch_,
        uint64 validUntil,
        bytes calldata proof
    ) external {
        _requireThawed();
        bytes32 id = _unprocessedId(message);
        MusterDigest.Committee memory signer = _signer(epoch_);
        uint256 digest = MusterDigest.messageDigest(_scope(epoch_, signer), validUntil, id);
        _requireSigned(signer, validUntil, digest, proof);
        _process(id, message, epoch_, 0);
    }

    /// @notice Accepts a batch that a committee signed. Once accepted, its messages can be taken
    /// after a handover, too, until the batch expires. A root is accepted once: after it has expired,
    /// its messages come alone or in another batch.
    /// @param batchRoot Root of the tree over the messages.
    /// @param epoch_ Of the committee that signed: in office, or the one before while it is good.
    /// @param validUntil As it was signed.
    /// @param proof Proof for the batch's digest.
    function submitBatch(bytes32 batchRoot, uint64 epoch_, uint64 validUntil, bytes calldata proof)
        external
    {
        _requireThawed();
        Batch storage batch_ = _state().batches[batchRoot];
        if (batch_.epoch != 0) revert BatchAlreadyAccepted(batchRoot);
        MusterDigest.Committee memory signer = _signer(epoch_);
        uint256 digest = MusterDigest.batchDigest(_scope(epoch_, signer), validUntil, batchRoot);
        _requireSigned(signer, validUntil, digest, proof);
        (batch_.epoch, batch_.acceptedAt) = (epoch_, _now());
        emit BatchVerified(batchRoot, epoch_);
    }

    /// @notice Accepts a message of an accepted batch.
    /// @param message The message.
    /// @param batchRoot Root of the batch.
    /// @param path Siblings from the message's leaf up to the root.
    function submitFromBatch(
        MusterDigest.Message calldata message,
        bytes32 batchRoot,
        bytes32[] calldata path
    ) external {
        _requireThawed();
        Batch memory found = _state().batches[batchRoot];
        if (found.epoch == 0) revert UnknownBatch(batchRoot);
        if (BATCH_LIFE != 0 && _now() > found.acceptedAt + BATCH_LIFE) {
            revert BatchExpired(batchRoot);
        }
        if (path.length > MAX_BATCH_DEPTH) revert PathTooLong(path.length);
        bytes32 id = _unprocessedId(message);
        if (MusterDigest.batchRootOf(id, path) != batchRoot) revert InvalidPath(batchRoot, id);
        _process(id, message, found.epoch, batchRoot);
        emit MessageOfBatch(id, batchRoot, path);
    }

    // ------------------------------------------------------------------------------ Handover

    /// @notice Names the next committee, if the one in office signed it. It takes office when it
    /// accepts, or at once if no acceptance is needed. The proposal before, if any, is void.
    /// @param next The next committee. It may be the one in office, which so takes back all that it
    /// signed and nobody has used.
    /// @param sequence Above that of every proposal before.
    /// @param validUntil As it was signed.
    /// @param proof Proof of the committee in office for the digest of the handover.
    function propose(
        MusterDigest.Committee calldata next,
        uint64 sequence,
        uint64 validUntil,
        bytes calldata proof
    ) external {
        _requireThawed();
        State storage state = _state();
        uint64 last = state.lastSequence;
        if (sequence <= last || sequence - last > MAX_SEQUENCE_STEP) {
            revert SequenceOutOfRange(last, sequence);
        }
        _requireUsable(VERIFIER, next);
        uint256 digest = handoverDigest(next, sequence, validUntil);
        _requireSigned(committee(), validUntil, digest, proof);

        state.lastSequence = sequence;
        uint64 acceptBy = ACCEPTANCE_WINDOW == 0 ? 0 : _now() + ACCEPTANCE_WINDOW;
        uint64 newEpoch = epoch() + 1;
        bytes32 name = MusterDigest.proposalOf(sequence, newEpoch, next);
        emit HandoverProposed(name, newEpoch, sequence, acceptBy, next);
        if (acceptBy == 0) _install(next);
        else state.next = _sitting(next, acceptBy);
    }

    /// @notice Puts the proposed committee in office, if it signed that it accepts.
    /// @param validUntil As it was signed.
    /// @param proof Proof of the proposed committee for the digest of the acceptance.
    function accept(uint64 validUntil, bytes calldata proof) external {
        _requireThawed();
        State storage state = _state();
        uint64 acceptBy = state.next.until;
        if (acceptBy == 0) revert NoProposal();
        if (_now() > acceptBy) revert ProposalLapsed(acceptBy);
        MusterDigest.Committee memory next = _committeeOf(state.next);
        uint256 digest = acceptanceDigest(next, state.lastSequence, validUntil);
        _requireSigned(next, validUntil, digest, proof);
        delete state.next;
        _install(next);
    }

    // ------------------------------------------------------------------------------ The guardian

    /// @notice Stops everything. Time goes on: windows, overlap and batches are not prolonged.
    function freeze() external {
        _requireGuardian();
        _requireThawed();
        _state().office.isFrozen = true;
        emit Frozen(msg.sender);
    }

    /// @notice Lets everything go on.
    function thaw() external {
        _requireGuardian();
        if (!isFrozen()) revert NotFrozen();
        _thaw();
    }

    /// @notice Offers the role to somebody, who can take it; to nobody if zero.
    /// @param next Who is to be guardian.
    function transferGuardian(address next) external {
        _requireGuardian();
        _state().nextGuardian = next;
        emit GuardianOffered(msg.sender, next);
    }

    /// @notice Takes the role that is on offer to the caller.
    function acceptGuardian() external {
        if (!_isCaller(_state().nextGuardian)) revert NotNextGuardian(msg.sender);
        _setGuardian(msg.sender);
    }

    /// @notice Gives the role up for good, and lets everything go on: a guardian who is gone could not.
    function renounceGuardian() external {
        _requireGuardian();
        _setGuardian(address(0));
        if (isFrozen()) _thaw();
    }

    // ------------------------------------------------------------------------------ Views

    /// @notice The committee in office.
    function committee() public view returns (MusterDigest.Committee memory) {
        Office storage office = _state().office;
        return MusterDigest.Committee(office.key, office.root, office.threshold, office.form);
    }

    /// @notice Epoch of the committee in office.
    function epoch() public view returns (uint64) {
        return _state().office.epoch;
    }

    /// @notice The committee of the epoch before, and the last second at which it is good for messages
    /// and batches; zeros if there was none or it was never good.
    function previousCommittee()
        external
        view
        returns (MusterDigest.Committee memory previous, uint64 goodUntil)
    {
        Seat storage former = _state().former;
        return (_committeeOf(former), former.until);
    }

    /// @notice The committee that may accept, the greatest sequence that a proposal had, and the last
    /// second to accept, which may be past; but for the sequence zeros if there is no proposal.
    function proposal()
        external
        view
        returns (MusterDigest.Committee memory next, uint64 sequence, uint64 acceptBy)
    {
        State storage state = _state();
        return (_committeeOf(state.next), state.lastSequence, state.next.until);
    }

    /// @notice Whether a message was accepted, by its identity.
    function isProcessed(bytes32 id) public view returns (bool) {
        return _state().isProcessed[id];
    }

    /// @notice Who had signed a batch, and when it was accepted.
    function batch(bytes32 batchRoot) external view returns (Batch memory) {
        return _state().batches[batchRoot];
    }

    /// @notice Whether the guardian has stopped everything.
    function isFrozen() public view returns (bool) {
        return _state().office.isFrozen;
    }

    /// @notice Who may freeze and thaw; zero if nobody may.
    function guardian() external view returns (address) {
        return _state().guardian;
    }

    /// @notice To whom the role is on offer; zero if to nobody.
    function nextGuardian() external view returns (address) {
        return _state().nextGuardian;
    }

    /// @notice The identity of a message for this client.
    function messageId(MusterDigest.Message calldata message) public view returns (bytes32) {
        return MusterDigest.messageId(SOURCE_CHAIN_ID, block.chainid, address(this), message);
    }

    /// @notice What the committee of an epoch signs for a message.
    function messageDigest(MusterDigest.Message calldata message, uint64 epoch_, uint64 validUntil)
        external
        view
        returns (uint256)
    {
        MusterDigest.Scope memory scope = _scope(epoch_, _signer(epoch_));
        return MusterDigest.messageDigest(scope, validUntil, messageId(message));
    }

    /// @notice What the committee of an epoch signs for a batch.
    function batchDigest(bytes32 batchRoot, uint64 epoch_, uint64 validUntil)
        external
        view
        returns (uint256)
    {
        MusterDigest.Scope memory scope = _scope(epoch_, _signer(epoch_));
        return MusterDigest.batchDigest(scope, validUntil, batchRoot);
    }

    /// @notice What the committee in office signs to name the next one.
    function handoverDigest(
        MusterDigest.Committee calldata next,
        uint64 sequence,
        uint64 validUntil
    ) public view returns (uint256) {
        uint64 current = epoch();
        bytes32 name = MusterDigest.proposalOf(sequence, current + 1, next);
        return MusterDigest.handoverDigest(_scope(current, committee()), validUntil, name);
    }

    /// @notice What the next committee signs to accept.
    function acceptanceDigest(
        MusterDigest.Committee memory next,
        uint64 sequence,
        uint64 validUntil
    ) public view returns (uint256) {
        uint64 newEpoch = epoch() + 1;
        bytes32 name = MusterDigest.proposalOf(sequence, newEpoch, next);
        return MusterDigest.acceptanceDigest(_scope(newEpoch, next), validUntil, name);
    }

    // ------------------------------------------------------------------------------ Parts

    function _state() private pure returns (State storage state) {
        assembly ("memory-safe") {
            state.slot := STATE_SLOT
        }
    }

    function _requireThawed() private view {
        if (isFrozen()) revert IsFrozen();
    }

    function _requireGuardian() private view {
        if (!_isCaller(_state().guardian)) revert NotGuardian(msg.sender);
    }

    /// @dev The address zero stands for nobody, even where a chain makes calls from it.
    function _isCaller(address role) private view returns (bool) {
        return msg.sender == role && role != address(0);
    }

    /// @dev Who signs messages and batches in this epoch.
    function _signer(uint64 epoch_) private view returns (MusterDigest.Committee memory) {
        State storage state = _state();
        uint64 current = state.office.epoch;
        if (epoch_ == current) return committee();
        if (epoch_ != current - 1 || _now() > state.former.until) revert NotInOffice(epoch_);
        return _committeeOf(state.former);
    }

    function _scope(uint64 epoch_, MusterDigest.Committee memory signer)
        private
        view
        returns (MusterDigest.Scope memory)
    {
        return MusterDigest.Scope({
            sourceChainId: SOURCE_CHAIN_ID,
            destinationChainId: block.chainid,
            client: address(this),
            epoch: epoch_,
            key: signer.key,
            root: signer.root
        });
    }

    function _requireSigned(
        MusterDigest.Committee memory signer,
        uint64 validUntil,
        uint256 digest,
        bytes calldata proof
    ) private view {
        if (validUntil != 0 && _now() > validUntil) revert Expired(validUntil);
        if (!VERIFIER.verify(signer.key, _inputs(signer, digest), proof)) revert ProofRejected();
    }

    /// @dev The statement that this committee signed this digest. Reverts for a root or a threshold
    /// that no committee has.
    function _inputs(MusterDigest.Committee memory signer, uint256 digest)
        private
        pure
        returns (uint256[] memory)
    {
        return signer.form == MusterDigest.Form.Element
            ? MusterStatement.ofElement(signer.root, signer.threshold, digest)
            : MusterStatement.ofDigest(signer.root, signer.threshold, bytes32(digest));
    }

    /// @dev Whether proofs of this committee could be put to the verifier at all.
    function _requireUsable(IMusterVerifier verifier, MusterDigest.Committee memory next)
        private
        view
    {
        uint256 inputs = _inputs(next, 0).length;
        bytes memory evmKey = verifier.keyBytes(next.key);
        if (evmKey.length == 0) revert UnknownKey(next.key);
        // Bytes 20 to 24 of a key say how many inputs it takes.
        uint256 takes = (abi.decode(evmKey, (uint256)) >> 64) % 2 ** 32;
        if (takes != inputs) revert KeyOfAnotherForm(next.key, next.form);
    }

    function _unprocessedId(MusterDigest.Message calldata message)
        private
        view
        returns (bytes32 id)
    {
        id = messageId(message);
        if (isProcessed(id)) revert AlreadyProcessed(id);
    }

    function _process(
        bytes32 id,
        MusterDigest.Message calldata message,
        uint64 epoch_,
        bytes32 batchRoot
    ) private {
        _state().isProcessed[id] = true;
        emit MessageVerified(id, message.nonce, epoch_, batchRoot, message.payload);
    }

    function _install(MusterDigest.Committee memory next) private {
        State storage state = _state();
        state.former = _sitting(committee(), OVERLAP == 0 ? 0 : _now() + OVERLAP);
        _enter(state.office.epoch + 1, next);
    }

    /// @dev Leaves `isFrozen` as it is: nobody takes office while it is set.
    function _enter(uint64 epoch_, MusterDigest.Committee memory next) private {
        Office storage office = _state().office;
        (office.key, office.root) = (next.key, next.root);
        (office.threshold, office.form, office.epoch) = (next.threshold, next.form, epoch_);
        emit CommitteeInOffice(epoch_, next);
    }

    function _setGuardian(address next) private {
        State storage state = _state();
        emit GuardianChanged(state.guardian, next);
        (state.guardian, state.nextGuardian) = (next, address(0));
    }

    function _thaw() private {
        _state().office.isFrozen = false;
        emit Thawed();
    }

    function _committeeOf(Seat storage seat) private view returns (MusterDigest.Committee memory) {
        return MusterDigest.Committee(seat.key, seat.root, seat.threshold, seat.form);
    }

    function _sitting(MusterDigest.Committee memory member, uint64 until)
        private
        pure
        returns (Seat memory)
    {
        return Seat(member.key, member.root, member.threshold, member.form, until);
    }

    function _term(uint64 term) private pure returns (uint64) {
        if (term > MAX_TERM) revert TermTooLong(term);
        return term;
    }

    /// @dev What these times bound is counted in minutes at least; the seconds that a validator can
    /// shift do not matter.
    function _now() private view returns (uint64) {
        return uint64(block.timestamp);
    }
}
