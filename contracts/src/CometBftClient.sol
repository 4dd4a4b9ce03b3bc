// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterClaims} from "./MusterClaims.sol";
import {MusterKey} from "./MusterKey.sol";
import {MusterStatement} from "./MusterStatement.sol";
import {CometBft} from "./digests/CometBft.sol";
import {CometBftDigest} from "./digests/CometBftDigest.sol";
import {IMusterVerifier} from "./interfaces/IMusterVerifier.sol";

/// @title Follows a chain of CometBFT by what its validators sign anyway.
/// @notice It is the light client of CometBFT's specification (`spec/light-client/verification`), with one proof where
/// that one checks signatures. From a header that it trusts it goes to a later one:
///
/// - The hash of the header is recomputed from its 14 fields, and validators with more than two thirds of the weight of
///   the header's own set signed a precommit for it.
/// - That set is the one that the trusted header names as the next. Or it is another one, and not of the very next
///   height; then validators with more than a third of the weight of the next set of the trusted header signed the same
///   precommit, too.
/// - The trusted header is within the trusting period, the new one is later, and not from the future.
///
/// A header has the hash of a set. Which root and total weight belong to that hash is shown by a translation, once, by
/// anybody, in any order.
///
/// ```
/// Active  -> Active    submit: a header that follows from a trusted one, above or below the latest one
/// Active  -> Frozen    submit, report: two headers, each shown in that way, that no one chain has
/// Active  -> Expired   the latest header is as old as the trusting period
/// ```
///
/// Nothing leads out of Expired or Frozen. `register` is open in all states, and is no part of them.
/// @dev Nobody owns it. Only headers above a trusted one are verified: there is no backward verification by
/// `last_block_id`.
contract CometBftClient {
    /// @notice What is left of a header that was verified, but for its application hash.
    struct Checkpoint {
        uint64 height;
        CometBft.Time time;
        bytes32 blockHash;
        bytes32 nextValidatorsHash;
    }

    /// @notice A step from a header that is trusted to a later one.
    struct Update {
        /// The header that is trusted.
        Checkpoint trusted;
        /// The later one.
        CometBft.Header header;
        /// What precommits for it have beside the header: round, number of parts, root of the parts.
        uint32 round;
        uint32 partsTotal;
        bytes32 partsHash;
        /// Validators of the header's own set signed the precommit.
        bytes proof;
        /// So did validators of the set that the trusted header names as the next. Nobody looks at it if that is the
        /// header's own set.
        bytes trustedProof;
    }

    /// @notice The members of a chain's hash, as a root.
    struct Translation {
        bytes32 validatorsHash;
        uint256 root;
        /// How many they are.
        uint64 members;
        /// What they weigh together.
        uint64 total;
        bytes proof;
    }

    /// @notice What is known of a hash of validators.
    struct ValidatorSet {
        /// Root of the set; zero if nobody has shown it.
        uint256 root;
        uint64 members;
        uint64 total;
    }

    /// @notice What the client is good for.
    enum Status {
        /// It takes headers, and has application hashes.
        Active,
        /// The latest header is too old: for good.
        Expired,
        /// The validators have signed two chains: for good.
        Frozen
    }

    /// @custom:storage-location erc7201:muster.storage.CometBftClient
    struct State {
        /// Keccak-256 of the checkpoint at each height; zero if there is none.
        mapping(uint64 => bytes32) checkpoints;
        mapping(uint64 => bytes32) appHashes;
        mapping(bytes32 => ValidatorSet) sets;
        /// Height and time of the highest header, in a word with what is asked each time.
        uint64 height;
        int64 secs;
        uint32 nanos;
        bool isFrozen;
        bytes chainId;
    }

    /// @dev Places among the hashes of a header.
    uint256 private constant VALIDATORS = 2;
    uint256 private constant NEXT_VALIDATORS = 3;
    uint256 private constant APP = 5;
    /// @dev `MaxChainIDLen` of `types/genesis.go`.
    uint256 private constant MAX_CHAIN_ID = 50;
    /// @dev Nanoseconds of a second.
    uint256 private constant SECOND = 1_000_000_000;

    /// @dev keccak256(abi.encode(uint256(keccak256("muster.storage.CometBftClient")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant STATE_SLOT =
        0xdbc697ec505ab933bec3d4864a52aecc9bc6c886a3cee5989894eb5d21663f00;

    /// @notice Checks the proofs.
    IMusterVerifier public immutable VERIFIER;
    /// @notice Name of the EVM key under which validators sign: of a circuit for Ed25519 of the form
    /// `cometbft-precommit`.
    bytes32 public immutable PRECOMMIT_KEY;
    /// @notice Name of the EVM key of translations: of `cometbft-validators`, with the same arity and depth.
    bytes32 public immutable TRANSLATION_KEY;
    /// @notice Seconds for which a header is trusted, by its own time.
    uint64 public immutable TRUSTING_PERIOD;
    /// @notice Seconds by which a header may be ahead of this chain.
    uint64 public immutable CLOCK_DRIFT;
    /// @dev Keccak-256 of the chain's name.
    bytes32 private immutable _CHAIN_ID_HASH;

    /// @notice A root holds the members of this hash.
    event ValidatorsRegistered(
        bytes32 indexed validatorsHash, uint256 indexed root, uint64 members, uint64 total
    );
    /// @notice A header is trusted.
    event HeaderVerified(
        uint64 indexed height, bytes32 indexed blockHash, Checkpoint checkpoint, bytes32 appHash
    );
    /// @notice This header was shown to be signed, and contradicts the one at the other height.
    event ClientFrozen(Checkpoint contradiction, uint64 otherHeight);

    /// @notice The name of the chain is empty, or has more than 50 bytes.
    error ChainIdLength(uint256 length);
    /// @notice Without a trusting period nothing is ever trusted.
    error NoTrustingPeriod();
    /// @notice The client takes nothing any more, and answers no more.
    error NotActive(Status status);
    /// @notice This is not a header that was verified.
    error NotTrusted(uint64 height);
    /// @notice The header is of another chain.
    error WrongChain(bytes chainId);
    /// @notice The header is not above the one that is trusted.
    error NotHigher(uint64 trusted, uint64 actual);
    /// @notice The header is not later than the one that is trusted.
    error NotLater(uint64 height);
    /// @notice The trusting period of this header is over.
    error HeaderExpired(uint64 height);
    /// @notice The header is ahead of this chain by more than the drift.
    error FromTheFuture(uint64 height);
    /// @notice The time is before 1970.
    error TimeOutOfRange(int64 secs);
    /// @notice The hash at this place of the header has not 32 bytes.
    error WrongHashLength(uint256 place, uint256 length);
    /// @notice The next header is signed by the set that the one before it names, and by no other.
    error WrongValidators(bytes32 expected, bytes32 actual);
    /// @notice Nobody has shown which root holds the members of this hash.
    error UnknownValidators(bytes32 validatorsHash);
    /// @notice Not enough of these validators are shown to have signed.
    error ProofRejected(bytes32 validatorsHash);
    /// @notice It is not shown that this root holds the members of this hash.
    error TranslationRejected(bytes32 validatorsHash);
    /// @notice One chain may have both headers.
    error NoContradiction(uint64 height, uint64 otherHeight);
    /// @notice The application of this header has no hash, or one that has not 32 bytes.
    error NoAppHash(uint64 height);

    /// @param verifier A `MusterVerifier`. Its code is trusted and cannot be exchanged.
    /// @param precommitKey Name of the EVM key for precommits, which nobody checks.
    /// @param translationKey Name of the EVM key for translations. The same.
    /// @param trustingPeriod Seconds: well below the time after which validators get their stake back.
    /// @param clockDrift Seconds by which a header may be ahead of this chain.
    /// @param trusted The header to begin with, of the chain to follow. Nobody checks it: compare its hash.
    constructor(
        IMusterVerifier verifier,
        bytes32 precommitKey,
        bytes32 translationKey,
        uint64 trustingPeriod,
        uint64 clockDrift,
        CometBft.Header memory trusted
    ) {
        MusterKey.requireForDigests(verifier, precommitKey);
        MusterKey.requireForTranslations(verifier, translationKey);
        uint256 length = trusted.chainId.length;
        if (length == 0 || length > MAX_CHAIN_ID) revert ChainIdLength(length);
        if (trustingPeriod == 0) revert NoTrustingPeriod();
        (VERIFIER, PRECOMMIT_KEY, TRANSLATION_KEY) = (verifier, precommitKey, translationKey);
        (TRUSTING_PERIOD, CLOCK_DRIFT) = (trustingPeriod, clockDrift);
        _CHAIN_ID_HASH = keccak256(trusted.chainId);
        _state().chainId = trusted.chainId;
        Checkpoint memory checkpoint = _checkpointOf(trusted);
        if (_isExpired(checkpoint.time, trustingPeriod)) revert HeaderExpired(checkpoint.height);
        _requireNoFuture(checkpoint, clockDrift);
        _store(checkpoint, _appHashOf(trusted));
    }

    // ------------------------------------------------------------------------------ What is known

    /// @notice Whether the client is good for anything.
    function status() public view returns (Status) {
        if (_state().isFrozen) return Status.Frozen;
        (, CometBft.Time memory time) = latest();
        return _isExpired(time, TRUSTING_PERIOD) ? Status.Expired : Status.Active;
    }

    /// @notice Hash of the application's state before the block at this height, from that block's header. Proofs of
    /// IBC under a proof height are about this hash.
    /// @dev Reverts unless the client is active, as in IBC: who cannot see a contradiction any more should not act.
    function appHash(uint64 height) external view returns (bytes32 hash) {
        _requireActive();
        if (_state().checkpoints[height] == 0) revert NotTrusted(height);
        hash = _state().appHashes[height];
        if (hash == 0) revert NoAppHash(height);
    }

    /// @notice Whether this is what is left of a header that was verified, whatever became of the client.
    function isVerified(Checkpoint memory checkpoint) public view returns (bool) {
        return _state().checkpoints[checkpoint.height] == keccak256(abi.encode(checkpoint));
    }

    /// @notice The highest header that was verified. No other one is later.
    function latest() public view returns (uint64 height, CometBft.Time memory time) {
        State storage state = _state();
        (height, time) = (state.height, CometBft.Time(state.secs, state.nanos));
    }

    /// @notice What is known of a hash of validators. That it is known does not say of which chain they are.
    function validatorSet(bytes32 validatorsHash) external view returns (ValidatorSet memory) {
        return _state().sets[validatorsHash];
    }

    /// @notice The chain's name.
    function chainId() external view returns (bytes memory) {
        return _state().chainId;
    }

    /// @notice The least weight that is more than two thirds of this one.
    function twoThirds(uint64 total) public pure returns (uint64) {
        return total * 2 / 3 + 1;
    }

    /// @notice The least weight that is more than a third of this one.
    function oneThird(uint64 total) public pure returns (uint64) {
        return total / 3 + 1;
    }

    // ------------------------------------------------------------------------------ What moves it

    /// @notice Keeps the root of a set, if it is shown to hold the members of this hash.
    /// @dev A fact about the hash, which is true for ever, on every chain. To register it twice is to register it once,
    /// and the second proof is not looked at.
    function register(Translation calldata translation) public {
        bytes32 hash = translation.validatorsHash;
        if (_state().sets[hash].root != 0) return;
        if (!VERIFIER.verify(TRANSLATION_KEY, _inputsOf(translation), translation.proof)) {
            revert TranslationRejected(hash);
        }
        _keep(translation);
    }

    /// @notice Trusts a header that follows from one that is trusted. If it contradicts another header that was verified,
    /// the client is frozen instead, and the call succeeds.
    /// @dev Does nothing for a header that is known, and looks at no proof then.
    function submit(Update calldata update) public {
        (Checkpoint memory next, bytes32 validators, bytes32 app) = _read(update);
        if (isVerified(next)) return;
        _requireSigned(update, next, validators);
        _take(next, app);
    }

    /// @notice Both: the header's own set, and the header. A rotation in one transaction, whose proofs share a pairing.
    function registerAndSubmit(Translation calldata translation, Update calldata update) external {
        if (_state().sets[translation.validatorsHash].root != 0) return submit(update);
        (Checkpoint memory next, bytes32 validators, bytes32 app) = _read(update);
        if (isVerified(next)) return register(translation);
        // It is shown with what is about it, or all of this reverts.
        _keep(translation);
        IMusterVerifier.Claim[] memory claims = _claims(update, next, validators, 1);
        claims[claims.length - 1] =
            IMusterVerifier.Claim(TRANSLATION_KEY, _inputsOf(translation), translation.proof);
        _requireAll(claims, update, translation.validatorsHash);
        _take(next, app);
    }

    /// @notice Freezes the client, if a header follows from one that is trusted and contradicts another header that was
    /// verified: both have one height, or the higher one is not later.
    /// @dev `submit` sees most of this itself; what it does not see are times of headers that are not the latest.
    function report(Update calldata update, Checkpoint calldata other) external {
        (Checkpoint memory next, bytes32 validators,) = _read(update);
        if (!isVerified(other)) revert NotTrusted(other.height);
        bool isSame = next.height == other.height && isVerified(next);
        if (isSame || !_contradicts(next, other.height, other.time)) {
            revert NoContradiction(next.height, other.height);
        }
        _requireSigned(update, next, validators);
        _freeze(next, other.height);
    }

    // ------------------------------------------------------------------------------ Parts

    function _state() private pure returns (State storage state) {
        assembly ("memory-safe") {
            state.slot := STATE_SLOT
        }
    }

    /// @dev Everything about a step but who signed it: the header, its validators, and the hash of its application.
    function _read(Update calldata update)
        private
        view
        returns (Checkpoint memory next, bytes32 validators, bytes32 app)
    {
        _requireActive();
        Checkpoint memory trusted = update.trusted;
        if (!isVerified(trusted)) revert NotTrusted(trusted.height);
        CometBft.Header memory header = update.header;
        if (keccak256(header.chainId) != _CHAIN_ID_HASH) revert WrongChain(header.chainId);
        next = _checkpointOf(header);
        if (next.height <= trusted.height) revert NotHigher(trusted.height, next.height);
        if (_nanos(next.time) <= _nanos(trusted.time)) revert NotLater(next.height);
        // The new header is later, so it is within its period, too.
        if (_isExpired(trusted.time, TRUSTING_PERIOD)) revert HeaderExpired(trusted.height);
        _requireNoFuture(next, CLOCK_DRIFT);
        validators = _hashAt(header, VALIDATORS);
        bool isNext = next.height == trusted.height + 1;
        if (isNext && validators != trusted.nextValidatorsHash) {
            revert WrongValidators(trusted.nextValidatorsHash, validators);
        }
        app = _appHashOf(header);
    }

    /// @dev That more than two thirds of the header's own set signed it, and more than a third of the set that is trusted.
    /// Where these are one set, the first is more than the second.
    function _requireSigned(Update calldata update, Checkpoint memory next, bytes32 validators)
        private
        view
    {
        if (validators != update.trusted.nextValidatorsHash) {
            return _requireAll(_claims(update, next, validators, 0), update, 0);
        }
        uint256[] memory inputs = _ownInputs(validators, _digestOf(update, next));
        if (!VERIFIER.verify(PRECOMMIT_KEY, inputs, update.proof)) {
            revert ProofRejected(validators);
        }
    }

    /// @dev The same as claims. So many places are left behind them.
    function _claims(
        Update calldata update,
        Checkpoint memory next,
        bytes32 validators,
        uint256 more
    ) private view returns (IMusterVerifier.Claim[] memory claims) {
        bytes32 digest = _digestOf(update, next);
        bytes32 expected = update.trusted.nextValidatorsHash;
        claims = new IMusterVerifier.Claim[]((validators == expected ? 1 : 2) + more);
        uint256[] memory inputs = _ownInputs(validators, digest);
        claims[0] = IMusterVerifier.Claim(PRECOMMIT_KEY, inputs, update.proof);
        if (validators == expected) return claims;
        ValidatorSet memory set = _setOf(expected);
        inputs = MusterStatement.ofDigest(set.root, oneThird(set.total), digest);
        claims[1] = IMusterVerifier.Claim(PRECOMMIT_KEY, inputs, update.trustedProof);
    }

    function _ownInputs(bytes32 validators, bytes32 digest)
        private
        view
        returns (uint256[] memory)
    {
        ValidatorSet memory set = _setOf(validators);
        return MusterStatement.ofDigest(set.root, twoThirds(set.total), digest);
    }

    function _digestOf(Update calldata update, Checkpoint memory next)
        private
        pure
        returns (bytes32)
    {
        CometBft.Precommit memory precommit = CometBft.Precommit(
            next.height,
            update.round,
            next.blockHash,
            update.partsTotal,
            update.partsHash,
            update.header.chainId
        );
        CometBft.requireInRange(precommit);
        return CometBftDigest.ofPrecommit(precommit);
    }

    /// @dev A claim behind those about precommits is that of a translation of this hash.
    function _requireAll(
        IMusterVerifier.Claim[] memory claims,
        Update calldata update,
        bytes32 translated
    ) private view {
        uint256 bad = MusterClaims.firstFalse(VERIFIER, claims);
        if (bad == claims.length) return;
        bytes32 own = _hashAt(update.header, VALIDATORS);
        if (bad == 0) revert ProofRejected(own);
        bytes32 expected = update.trusted.nextValidatorsHash;
        if (bad == 1 && own != expected) revert ProofRejected(expected);
        revert TranslationRejected(translated);
    }

    function _inputsOf(Translation calldata translation) private pure returns (uint256[] memory) {
        return MusterStatement.ofTranslation(
            translation.root, translation.validatorsHash, translation.members, translation.total
        );
    }

    function _keep(Translation calldata translation) private {
        (bytes32 hash, uint256 root) = (translation.validatorsHash, translation.root);
        (uint64 members, uint64 total) = (translation.members, translation.total);
        _state().sets[hash] = ValidatorSet(root, members, total);
        emit ValidatorsRegistered(hash, root, members, total);
    }

    function _take(Checkpoint memory next, bytes32 app) private {
        (uint64 height, CometBft.Time memory time) = latest();
        if (_state().checkpoints[next.height] != 0) _freeze(next, next.height);
        else if (_contradicts(next, height, time)) _freeze(next, height);
        else _store(next, app);
    }

    function _setOf(bytes32 validatorsHash) private view returns (ValidatorSet memory set) {
        set = _state().sets[validatorsHash];
        if (set.root == 0) revert UnknownValidators(validatorsHash);
    }

    function _store(Checkpoint memory next, bytes32 app) private {
        State storage state = _state();
        state.checkpoints[next.height] = keccak256(abi.encode(next));
        // A hash that is not there is zero anyway.
        if (app != 0) state.appHashes[next.height] = app;
        if (next.height > state.height) {
            (state.height, state.secs, state.nanos) = (next.height, next.time.secs, next.time.nanos);
        }
        emit HeaderVerified(next.height, next.blockHash, next, app);
    }

    function _freeze(Checkpoint memory contradiction, uint64 otherHeight) private {
        _state().isFrozen = true;
        emit ClientFrozen(contradiction, otherHeight);
    }

    function _requireActive() private view {
        Status now_ = status();
        if (now_ != Status.Active) revert NotActive(now_);
    }

    function _requireNoFuture(Checkpoint memory checkpoint, uint64 drift) private view {
        if (_nanos(checkpoint.time) >= _now() + drift * SECOND) {
            revert FromTheFuture(checkpoint.height);
        }
    }

    /// @dev In nanoseconds. The validators of this chain can shift it by some seconds, which is nothing beside a period.
    function _now() private view returns (uint256) {
        return block.timestamp * SECOND;
    }

    function _isExpired(CometBft.Time memory time, uint64 period) private view returns (bool) {
        return _nanos(time) + period * SECOND <= _now();
    }

    /// @dev Whether no chain has this header, and another one at that height and time.
    function _contradicts(Checkpoint memory one, uint64 height, CometBft.Time memory time)
        private
        pure
        returns (bool)
    {
        if (one.height == height) return true;
        (uint256 here, uint256 there) = (_nanos(one.time), _nanos(time));
        return one.height > height ? here <= there : here >= there;
    }

    function _nanos(CometBft.Time memory time) private pure returns (uint256) {
        if (time.secs < 0) revert TimeOutOfRange(time.secs);
        return uint64(time.secs) * SECOND + time.nanos;
    }

    function _checkpointOf(CometBft.Header memory header)
        private
        pure
        returns (Checkpoint memory checkpoint)
    {
        CometBft.requireHeight(header.height);
        checkpoint.height = header.height;
        checkpoint.time = header.time;
        checkpoint.blockHash = CometBft.hashOf(header);
        checkpoint.nextValidatorsHash = _hashAt(header, NEXT_VALIDATORS);
    }

    function _hashAt(CometBft.Header memory header, uint256 place) private pure returns (bytes32) {
        bytes memory hash = header.hashes[place];
        if (hash.length != 32) revert WrongHashLength(place, hash.length);
        return abi.decode(hash, (bytes32));
    }

    /// @dev Zero if there is none of 32 bytes, which an application may have.
    function _appHashOf(CometBft.Header memory header) private pure returns (bytes32) {
        bytes memory hash = header.hashes[APP];
        return hash.length == 32 ? abi.decode(hash, (bytes32)) : bytes32(0);
    }
}
