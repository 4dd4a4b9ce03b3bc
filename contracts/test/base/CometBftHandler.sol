// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../../src/CometBftClient.sol";
import {CometBft} from "../../src/digests/CometBft.sol";
import {CometBftChain} from "./CometBftChain.sol";

/// @dev Does to a client, at random, what anybody could, in any order: headers of any set, height and time, signed by
/// enough, by one too few or by nobody, from any header that is trusted or from one that is not; reports, translations and
/// time. Reverts if the client does not do what the model says, which knows headers by their times in nanoseconds and by
/// who signed them.
contract CometBftHandler is CometBftChain {
    enum Outcome {
        Refused,
        Nothing,
        Taken,
        Frozen
    }

    struct Known {
        CometBft.Header header;
        uint256 nanos;
        uint256 next;
    }

    /// @dev What a step brings, and who signed it.
    struct Step {
        uint256 from;
        bool isTrusted;
        CometBft.Header header;
        uint256 set;
        uint256 next;
        bool ownSigned;
        bool trustedSigned;
    }

    uint256 private constant SETS = 4;

    Known[] private _known;
    mapping(uint256 => bool) private _isRegistered;
    mapping(Outcome => uint256) public seen;
    bool public isFrozen;
    uint256 private _now = START + 100;
    uint256 private _count;

    constructor() {
        vm.warp(_now);
        CometBft.Header memory first = makeHeader(100, int64(START), 0, setAt(100), setAt(101));
        deploy(first);
        know(first, setAt(101));
        for (uint256 i = 1; i < SETS; ++i) {
            register(i);
        }
    }

    // ------------------------------------------------------------------------------ What anybody sends

    function register(uint256 seed) public {
        registerSet(seed % SETS);
        _isRegistered[seed % SETS] = true;
    }

    /// @dev Mostly seconds, and sometimes a good part of the period.
    function warp(uint256 seed) external {
        _now += seed % 4 == 0 ? PERIOD / 2 : seed % 64;
        vm.warp(_now);
    }

    function submit(uint256 seed) external {
        Step memory step = stepOf(seed);
        Outcome expected = expectedOf(step);
        CometBftClient.Update memory update = updateOf(step);
        bytes memory call = abi.encodeCall(client.submit, (update));
        settle(step, call, expected);
    }

    function report(uint256 seed) external {
        Step memory step = stepOf(seed);
        Known memory other = _known[(seed >> 128) % _known.length];
        Outcome expected = expectedReport(step, other);
        CometBftClient.Update memory update = updateOf(step);
        bytes memory call = abi.encodeCall(client.report, (update, checkpointOf(other.header)));
        settle(step, call, expected);
    }

    function client_() external view returns (CometBftClient) {
        return client;
    }

    // ------------------------------------------------------------------------------ The model

    function check() external view {
        uint256 highest = 0;
        for (uint256 i = 0; i < _known.length; ++i) {
            Known memory known = _known[i];
            assertTrue(client.isVerified(checkpointOf(known.header)), "verified");
            if (known.header.height > _known[highest].header.height) highest = i;
        }
        (uint64 height, CometBft.Time memory time) = client.latest();
        assertEq(height, _known[highest].header.height, "latest");
        for (uint256 i = 0; i < _known.length; ++i) {
            assertTrue(_known[i].nanos <= nanosOf(time), "no header is later than the latest");
        }
        CometBftClient.Status expected = isFrozen
            ? CometBftClient.Status.Frozen
            : isExpired(_known[highest])
                ? CometBftClient.Status.Expired
                : CometBftClient.Status.Active;
        assertEq(uint256(client.status()), uint256(expected), "status");
        if (expected == CometBftClient.Status.Active) {
            assertEq(client.appHash(height), bytes32(_known[highest].header.hashes[5]), "app hash");
        }
    }

    function expectedOf(Step memory step) private view returns (Outcome) {
        if (!isWellFormed(step)) return Outcome.Refused;
        bytes32 mark = CometBft.hashOf(step.header);
        bool contradicts = false;
        for (uint256 i = 0; i < _known.length; ++i) {
            CometBft.Header memory each = _known[i].header;
            if (each.height != step.header.height) continue;
            if (CometBft.hashOf(each) == mark) return Outcome.Nothing;
            contradicts = true;
        }
        if (!isSigned(step)) return Outcome.Refused;
        contradicts = contradicts || isOutOfOrder(step, latestKnown());
        return contradicts ? Outcome.Frozen : Outcome.Taken;
    }

    function expectedReport(Step memory step, Known memory other) private view returns (Outcome) {
        if (!isWellFormed(step) || !isSigned(step)) return Outcome.Refused;
        bool isSame = CometBft.hashOf(step.header) == CometBft.hashOf(other.header);
        bool contradicts = !isSame && isOutOfOrder(step, other);
        return contradicts ? Outcome.Frozen : Outcome.Refused;
    }

    /// @dev All but who signed.
    function isWellFormed(Step memory step) private view returns (bool) {
        Known memory trusted = _known[step.from];
        (uint256 height, uint256 nanos) = (step.header.height, nanosOf(step.header.time));
        return !isFrozen && !isExpired(latestKnown()) && step.isTrusted && !isExpired(trusted)
            && height > trusted.header.height && nanos > trusted.nanos
            && nanos < (_now + DRIFT) * 1e9
            && (height != trusted.header.height + 1 || step.set == trusted.next);
    }

    function isSigned(Step memory step) private view returns (bool) {
        uint256 next = _known[step.from].next;
        bool byOwn = step.ownSigned && _isRegistered[step.set];
        return byOwn && (step.set == next || (step.trustedSigned && _isRegistered[next]));
    }

    function isOutOfOrder(Step memory step, Known memory other) private pure returns (bool) {
        (uint256 height, uint256 nanos) = (step.header.height, nanosOf(step.header.time));
        if (height == other.header.height) return true;
        return height > other.header.height ? nanos <= other.nanos : nanos >= other.nanos;
    }

    function isExpired(Known memory known) private view returns (bool) {
        return known.nanos + uint256(PERIOD) * 1e9 <= _now * 1e9;
    }

    function latestKnown() private view returns (Known memory latest) {
        for (uint256 i = 0; i < _known.length; ++i) {
            if (_known[i].header.height > latest.header.height) latest = _known[i];
        }
    }

    function know(CometBft.Header memory header, uint256 next) private {
        Known storage known = _known.push();
        (known.header, known.nanos, known.next) = (header, nanosOf(header.time), next);
    }

    function nanosOf(CometBft.Time memory time) private pure returns (uint256) {
        return uint256(uint64(time.secs)) * 1e9 + time.nanos;
    }

    // ------------------------------------------------------------------------------ Steps

    /// @dev There is a chain that every honest step is of, so that most headers go together; and steps that are not.
    function stepOf(uint256 seed) private view returns (Step memory step) {
        step.from = seed % 4 == 0 ? _known.length - 1 : (seed >> 8) % _known.length;
        seed = uint256(keccak256(abi.encode(seed)));
        step.isTrusted = isLikely(seed, 0);
        Known memory trusted = _known[step.from];
        uint64 height = trusted.header.height + uint64((seed >> 16) % 6);
        (step.set, step.next) = (setAt(height), setAt(height + 1));
        uint256 nanos = nanosAt(height);
        if (!isLikely(seed, 32)) nanos = trusted.nanos + (seed >> 40) % 3;
        if (!isLikely(seed, 64)) nanos = (_now - 5 + (seed >> 72) % 16) * 1e9;
        if (!isLikely(seed, 96)) step.set = (seed >> 104) % SETS;
        if (!isLikely(seed, 112)) step.next = (seed >> 120) % SETS;
        (step.ownSigned, step.trustedSigned) = (isLikely(seed, 128), isLikely(seed, 136));
        step.header = makeHeader(
            height, int64(uint64(nanos / 1e9)), uint32(nanos % 1e9), step.set, step.next
        );
    }

    function isLikely(uint256 seed, uint256 place) private pure returns (bool) {
        return seed >> place & 15 != 0;
    }

    function setAt(uint64 height) private pure returns (uint256) {
        return height / 3 % SETS;
    }

    function nanosAt(uint64 height) private pure returns (uint256) {
        return (uint256(START) + 5 * (height - 100)) * 1e9;
    }

    /// @dev Each with proofs of its own. Who did not sign has one too few.
    function updateOf(Step memory step) private returns (CometBftClient.Update memory update) {
        Known memory trusted = _known[step.from];
        update = makeUpdate(trusted.header, step.header);
        if (!step.isTrusted) update.trusted.nextValidatorsHash = hashOfSet(step.set + SETS);
        ++_count;
        (update.proof, update.trustedProof) =
        (abi.encode("own", _count), abi.encode("trusted", _count));
        bytes32 digest = digestOf(update);
        uint64 least = totalOfSet(step.set) * 2 / 3 + (step.ownSigned ? 1 : 0);
        proveSigned(rootOfSet(step.set), least, digest, update.proof);
        least = totalOfSet(trusted.next) / 3 + (step.trustedSigned ? 1 : 0);
        proveSigned(rootOfSet(trusted.next), least, digest, update.trustedProof);
    }

    function settle(Step memory step, bytes memory call, Outcome expected) private {
        (bool ok,) = address(client).call(call);
        assertTrue(ok == (expected != Outcome.Refused), ok ? "accepted" : "refused");
        ++seen[expected];
        if (expected == Outcome.Taken) know(step.header, step.next);
        if (expected == Outcome.Frozen) isFrozen = true;
        bool isFrozenNow = client.status() == CometBftClient.Status.Frozen;
        assertTrue(isFrozenNow == isFrozen, "frozen");
    }
}
