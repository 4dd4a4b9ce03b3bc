// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../../src/MultisigLightClient.sol";
import {MusterDigest} from "../../src/MusterDigest.sol";
import {Signing} from "./Signing.sol";

/// @dev What a light client has to do, told once more and in another way: each attempt is taken or not by
/// one condition, and committees are numbers. The client must agree after every step.
abstract contract Model is Signing {
    enum Kind {
        Submit,
        Batch,
        FromBatch,
        Propose,
        Accept
    }

    /// @dev Something that anybody may send, and what was really signed for it. It may be sent again.
    struct Attempt {
        Kind kind;
        /// Who signed, for which epoch; and the epoch that the sender claims.
        uint256 signer;
        uint64 signedFor;
        uint64 epoch;
        uint64 until;
        /// A message, a batch, or a committee.
        uint256 body;
        uint64 sequence;
    }

    uint256 internal constant COMMITTEES = 7;
    uint256 internal constant UNREGISTERED = 6;
    uint256 internal constant MESSAGES = 5;
    uint256 internal constant NOBODY = type(uint256).max;
    uint64 internal constant STEP = 2 ** 32;

    MultisigLightClient.Terms internal terms;
    uint64 internal time = START;
    uint64 internal epoch = 1;
    uint256 internal office = 0;
    uint256 internal former = NOBODY;
    uint64 internal formerUntil;
    uint256 internal pending = NOBODY;
    uint64 internal acceptBy;
    uint64 internal lastSequence;
    bool internal frozen;
    address internal guardian;
    address internal offered;
    mapping(uint256 => bool) internal processed;
    mapping(uint256 => MultisigLightClient.Batch) internal batches;

    /// @dev Whether a committee accepted an epoch by a proof that the client saw.
    mapping(uint64 => bool) internal proved;
    uint256 public handovers;

    // ------------------------------------------------------------------------------ What there is

    /// @dev Some differ in one thing alone. The last one's key is registered nowhere.
    function committeeOf(uint256 i) internal pure returns (MusterDigest.Committee memory) {
        if (i == 0) return first();
        if (i == 1) return second();
        if (i == 2) return third();
        MusterDigest.Committee memory other = first();
        if (i == 3) other.threshold += 1;
        if (i == 4) other.root += 1;
        if (i == 5) (other.key, other.form) = (DIGESTS, MusterDigest.Form.Digest);
        if (i == UNREGISTERED) other.key = keccak256("no key");
        return other;
    }

    function messageOf(uint256 i) internal pure returns (MusterDigest.Message memory) {
        return MusterDigest.Message({nonce: uint64(i / 2), payload: abi.encode("payload", i)});
    }

    /// @dev A batch is of two messages.
    function leavesOf(uint256 i) internal view returns (bytes32, bytes32) {
        return (leafOf(i % MESSAGES), leafOf(i / MESSAGES));
    }

    function leafOf(uint256 message) private view returns (bytes32) {
        return keccak256(abi.encodePacked(bytes1(0), client.messageId(messageOf(message))));
    }

    function rootOf(uint256 i) internal view returns (bytes32) {
        (bytes32 a, bytes32 b) = leavesOf(i);
        (a, b) = a < b ? (a, b) : (b, a);
        return keccak256(abi.encodePacked(bytes1(0x01), a, b));
    }

    /// @dev A batch has the same root with its messages in the other order.
    function batchOf(uint256 i) internal pure returns (uint256) {
        (uint256 a, uint256 b) = (i % MESSAGES, i / MESSAGES);
        return a < b ? a + MESSAGES * b : b + MESSAGES * a;
    }

    function guardianOf(uint256 i) internal pure returns (address) {
        return i == 0 ? address(0) : address(uint160(GUARDIAN) + uint160(i) - 1);
    }

    // ------------------------------------------------------------------------------ What is right

    /// @dev Who may sign messages and batches in this epoch.
    function goodIn(uint64 at) internal view returns (uint256) {
        if (at == epoch) return office;
        if (at + 1 == epoch && former != NOBODY && time <= formerUntil) return former;
        return NOBODY;
    }

    function isRight(Attempt memory a) internal view returns (bool) {
        if (frozen) return false;
        if (a.kind == Kind.Submit) return !processed[a.body] && isSignedFor(a);
        if (a.kind == Kind.Batch) return batches[batchOf(a.body)].epoch == 0 && isSignedFor(a);
        if (a.kind == Kind.FromBatch) return !processed[a.body % MESSAGES] && isLive(a.body);
        if (a.kind == Kind.Propose) {
            bool isNext = a.sequence > lastSequence && a.sequence - lastSequence <= STEP;
            return isNext && a.body != UNREGISTERED && isSigned(a, office);
        }
        return pending != NOBODY && time <= acceptBy && a.body == pending
            && a.sequence == lastSequence && a.signer == pending && a.signedFor == epoch + 1
            && isInTime(a);
    }

    function isInTime(Attempt memory a) private view returns (bool) {
        return a.until == 0 || time <= a.until;
    }

    /// @dev By the committee in office as such.
    function isSigned(Attempt memory a, uint256 by) private view returns (bool) {
        return a.signer == by && a.signedFor == epoch && isInTime(a);
    }

    function isSignedFor(Attempt memory a) private view returns (bool) {
        return a.signer == goodIn(a.epoch) && a.signedFor == a.epoch && isInTime(a);
    }

    function isLive(uint256 batch) private view returns (bool) {
        MultisigLightClient.Batch memory found = batches[batchOf(batch)];
        if (found.epoch == 0) return false;
        return terms.batchLife == 0 || time <= found.acceptedAt + terms.batchLife;
    }

    // ------------------------------------------------------------------------------ What follows

    function apply_(Attempt memory a) internal {
        if (a.kind == Kind.Submit) processed[a.body] = true;
        if (a.kind == Kind.Batch) {
            batches[batchOf(a.body)] = MultisigLightClient.Batch(a.epoch, time);
        }
        if (a.kind == Kind.FromBatch) processed[a.body % MESSAGES] = true;
        if (a.kind == Kind.Propose) {
            lastSequence = a.sequence;
            if (terms.acceptanceWindow == 0) install(a.body);
            else (pending, acceptBy) = (a.body, time + terms.acceptanceWindow);
        }
        if (a.kind == Kind.Accept) {
            (pending, acceptBy) = (NOBODY, 0);
            install(a.body);
            proved[epoch] = true;
        }
    }

    function install(uint256 next) private {
        (former, formerUntil) = (office, terms.overlap == 0 ? 0 : time + terms.overlap);
        (office, epoch) = (next, epoch + 1);
        ++handovers;
    }

    // ------------------------------------------------------------------------------ Whether it agrees

    /// @dev All that can be seen of a client.
    function assertAgrees() internal view {
        assertEq(client.epoch(), epoch, "epoch");
        assertSame(client.committee(), committeeOf(office), "in office");
        assertTrue(client.isFrozen() == frozen, "frozen");
        assertAgreesOnOthers();
        assertEq(client.guardian(), guardian, "guardian");
        assertEq(client.nextGuardian(), offered, "offered");
        for (uint256 i = 0; i < MESSAGES; ++i) {
            bool isProcessed = client.isProcessed(client.messageId(messageOf(i)));
            assertTrue(isProcessed == processed[i], "message");
        }
        for (uint256 i = 0; i < MESSAGES * MESSAGES; ++i) {
            MultisigLightClient.Batch memory found = client.batch(rootOf(i));
            assertEq(found.epoch, batches[batchOf(i)].epoch, "batch");
            assertEq(found.acceptedAt, batches[batchOf(i)].acceptedAt, "time of a batch");
        }
    }

    function assertAgreesOnOthers() private view {
        MusterDigest.Committee memory nobody;
        (MusterDigest.Committee memory other, uint64 until) = client.previousCommittee();
        assertSame(other, former == NOBODY ? nobody : committeeOf(former), "before");
        assertEq(until, formerUntil, "good until");
        uint64 sequence;
        (other, sequence, until) = client.proposal();
        assertSame(other, pending == NOBODY ? nobody : committeeOf(pending), "next");
        assertEq(until, acceptBy, "accept by");
        assertEq(sequence, lastSequence, "sequence");
    }
}
