// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {BeaconChain} from "./base/BeaconChain.sol";
import {Test} from "./base/Test.sol";
import {Beacon} from "../src/digests/Beacon.sol";

/// @dev Brings updates of all kinds, and asks the specification's store what a client may have taken of them: committees are
/// `current` and `next` there, as in `validate_light_client_update` and `apply_light_client_update`.
contract EthereumHandler is BeaconChain {
    EthereumClient public immutable CLIENT;

    // The specification's store.
    uint64 private _finalized = 9;
    bytes32 private _block;
    bytes32 private _current;
    bytes32 private _next;

    uint64 private _now = 12;
    uint64 private _first;
    uint256 private _attempts;

    // What is true of the attempt.
    bool private _isSigned;
    bool private _isFinal;
    bool private _isOfTheState;
    bool private _isTranslated;

    uint256 public followed;
    uint256 public rotated;
    uint256 public forced;
    uint256 public refused;

    constructor() {
        verifier.addKey(SIGNATURES, 4);
        verifier.addKey(TRANSLATIONS, 5);
        CLIENT = deployForcible(_finalized, PERIOD);
        _first = _finalized / PERIOD;
        (_block, _current) = (CLIENT.blockRoot(_finalized), committeeOf(_first));
    }

    /// @dev Now and then for a period, in which nothing becomes final.
    function wait(uint8 slots) external {
        _now += slots % 6;
        if (slots < 32) _now += PERIOD;
    }

    function follow(uint256 seed) external {
        (EthereumClient.Update memory update,) = attempt(seed);
        bool isExpected = isApplied(update, false);
        try CLIENT.follow(update) {
            assertTrue(isExpected, "followed");
            apply_(update, 0);
            ++followed;
        } catch {
            assertFalse(isExpected, "not followed");
            ++refused;
        }
        check();
    }

    function rotate(uint256 seed) external {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = attempt(seed);
        bool isExpected = isRotated(update);
        try CLIENT.rotate(update, next) {
            assertTrue(isExpected, "rotated");
            apply_(update, next.hashTreeRoot);
            ++rotated;
        } catch {
            assertFalse(isExpected, "not rotated");
            ++refused;
        }
        check();
    }

    /// @dev `process_light_client_store_force_update` with this attempt as the best update: its attested header is as good as
    /// final. Every eighth is brought as if it were none to be forced.
    function force(uint256 seed) external {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = attempt(seed);
        _isFinal = seed >> 96 & 7 != 0;
        if (_isFinal) {
            (update.finalized, update.finalityBranch) = (update.attested, new bytes32[](0));
        }
        bool isExpected = _now > _finalized + PERIOD && isRotated(update);
        try CLIENT.force(update, next) {
            assertTrue(isExpected, "forced");
            bool isLater = update.attested.slot > _finalized;
            apply_(update, next.hashTreeRoot);
            // Which the specification takes for final.
            if (isLater) _block = 0;
            ++forced;
        } catch {
            assertFalse(isExpected, "not forced");
            ++refused;
        }
        check();
    }

    /// @dev The client knows what the store knows, and of committees only those that are the chain's.
    function check() public view {
        assertEq(CLIENT.latestSlot(), _finalized, "latest");
        assertEq(CLIENT.blockRoot(_finalized), _block, "block");
        uint64 period = _finalized / PERIOD;
        assertEq(_current, committeeOf(period), "the chain's");
        assertTrue(_next == 0 || _next == committeeOf(period + 1), "the chain's next");
        assertEq(CLIENT.committeeRoot(period), musterRoot(_current), "current");
        assertEq(CLIENT.committeeRoot(period + 1), _next == 0 ? 0 : musterRoot(_next), "next");
        assertEq(CLIENT.committeeRoot(period + 2), 0, "after next");
        assertEq(CLIENT.committeeRoot(_first - 1), 0, "before");
    }

    // ------------------------------------------------------------------------------ The specification

    /// @dev The specification has no translations. What it takes without taking the committee is for `follow`.
    function isRotated(EthereumClient.Update memory update) private view returns (bool) {
        return _isTranslated && _isOfTheState && isApplied(update, true)
            && (_next == 0 || update.finalized.slot / PERIOD == _finalized / PERIOD + 1);
    }

    /// @dev Whether the store would be another one.
    function isApplied(EthereumClient.Update memory update, bool namesNext)
        private
        view
        returns (bool)
    {
        (uint64 signature, uint64 attested, uint64 finalized) =
            (update.signatureSlot, update.attested.slot, update.finalized.slot);
        if (!(_now >= signature && signature > attested && attested >= finalized)) return false;
        uint64 period = _finalized / PERIOD;
        bool isKnown = _next != 0;
        uint64 signers = signature / PERIOD;
        if (signers != period && !(isKnown && signers == period + 1)) return false;
        bool bringsNext = namesNext && !isKnown && attested / PERIOD == period;
        if (attested <= _finalized && !bringsNext) return false;
        if (!_isSigned || !_isFinal || update.participants > SEATS) return false;
        if (update.participants * 3 < SEATS * 2) return false;
        bool isFinalNext = bringsNext && finalized / PERIOD == attested / PERIOD;
        if (finalized <= _finalized && !isFinalNext) return false;
        return isKnown || finalized / PERIOD == period;
    }

    function apply_(EthereumClient.Update memory update, bytes32 next) private {
        uint64 slot = update.finalized.slot;
        if (_next == 0) {
            _next = next;
        } else if (slot / PERIOD == _finalized / PERIOD + 1) {
            (_current, _next) = (_next, next);
        }
        if (slot > _finalized) (_finalized, _block) = (slot, Beacon.rootOf(update.finalized));
    }

    // ------------------------------------------------------------------------------ Attempts

    /// @dev Slots are near the store's or near now, and mostly in order; every eighth attempt or so has some fault.
    function attempt(uint256 seed)
        private
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        enter(_now);
        (uint64 signature, uint64 attested, uint64 finalized) = slotsOf(seed);
        bytes32 hashTreeRoot = committeeOf(attested / PERIOD + 1);
        (update, next) = updateWith(signature, attested, finalized, hashTreeRoot);
        update.participants = uint64(6 + (seed >> 48) % 3);
        if (seed >> 56 & 31 == 0) update.participants = 5;
        if (seed >> 56 & 31 == 1) update.participants = 9;
        // So that no proof is one of another attempt.
        update.proof = abi.encode("signatures", ++_attempts);
        next.proof = abi.encode("translation", _attempts);
        _isFinal = seed >> 64 & 63 != 0;
        if (!_isFinal) update.finalityBranch[seed % 6] ^= bytes32(uint256(1));
        _isOfTheState = seed >> 72 & 31 != 0;
        if (!_isOfTheState) next.hashTreeRoot = keccak256("another committee");
        next.root = musterRoot(next.hashTreeRoot);
        _isTranslated = seed >> 80 & 31 != 0;
        if (_isTranslated) translate(next, SEATS, SEATS);
        uint256 fault = seed >> 88 & 63;
        _isSigned = fault > 1;
        bytes4 version = versionAt(signature == 0 ? 0 : signature - 1);
        if (fault == 0) version = version == 0x05000000 ? bytes4(0x06000000) : bytes4(0x05000000);
        signAs(update, committeeOf(signature / PERIOD + (fault == 1 ? 1 : 0)), version, GENESIS);
    }

    function slotsOf(uint256 seed)
        private
        view
        returns (uint64 signature, uint64 attested, uint64 finalized)
    {
        signature = _now - uint64(seed % 3);
        if (seed >> 8 & 1 == 0) signature = _finalized + uint64(seed >> 16 & 15);
        if (seed >> 8 & 30 == 0) signature = _now + 1;
        attested = below(signature, 1 + (seed >> 24 & 7) % 5);
        finalized = below(attested, seed >> 32 & 3);
        if (seed >> 40 & 31 == 0) (attested, signature) = (signature, attested);
        if (seed >> 40 & 31 == 1) (attested, finalized) = (finalized, attested);
    }

    function below(uint64 slot, uint256 steps) private pure returns (uint64) {
        return slot > steps ? slot - uint64(steps) : 0;
    }
}

/// @dev Whatever is brought in whatever order, the client is where the specification's store is.
contract EthereumInvariantsTest is Test {
    uint256 private constant STEPS = 600;

    EthereumHandler private _handler;

    function setUp() public {
        _handler = new EthereumHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @dev Each call hashes a state of 64 leaves, so there are fewer walks than of other clients.
    /// forge-config: default.invariant.runs = 16
    function invariant_the_client_is_as_the_specification() public view {
        _handler.check();
    }

    /// @dev Walks are not idle: one goes through many periods.
    function testEverythingIsReached() public {
        for (uint256 i = 0; i < STEPS; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            if (seed % 7 == 0) _handler.wait(uint8(seed >> 8));
            else if (seed % 7 < 3) _handler.follow(seed >> 8);
            else if (seed % 7 < 5) _handler.rotate(seed >> 8);
            else _handler.force(seed >> 8);
        }
        emit log_named_uint("followed", _handler.followed());
        emit log_named_uint("rotated", _handler.rotated());
        emit log_named_uint("forced", _handler.forced());
        emit log_named_uint("refused", _handler.refused());
        assertTrue(_handler.followed() >= 20, "followed");
        assertTrue(_handler.rotated() >= 10, "rotated");
        assertTrue(_handler.forced() >= 3, "forced");
        assertTrue(_handler.refused() >= 100, "refused");
    }
}
