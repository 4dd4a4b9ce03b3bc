// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../../src/MultisigLightClient.sol";
import {MusterDigest} from "../../src/MusterDigest.sol";
import {Model} from "./Model.sol";

/// @dev Does to a light client, at random, what anybody could, in any order: good and bad signatures of
/// everybody, replays, guardians and time. There are few enough messages, committees and epochs that they
/// come up again and again. Reverts if the client does not do what the model says.
contract Handler is Model {
    Attempt[] private _sent;
    uint256[] private _batches;
    mapping(Kind => uint256) public taken;
    mapping(Kind => uint256) public refused;

    constructor(MultisigLightClient.Terms memory terms_) {
        terms = terms_;
        guardian = terms_.guardian;
        deploy(terms_);
    }

    // ------------------------------------------------------------------------------ What anybody sends

    function submit(uint8 message, uint256 seed) external {
        send(signedAttempt(Kind.Submit, message % MESSAGES, seed));
    }

    function submitBatch(uint8 batch, uint256 seed) external {
        send(signedAttempt(Kind.Batch, batch % (MESSAGES * MESSAGES), seed));
    }

    function submitFromBatch(uint8 batch) external {
        Attempt memory a;
        bool isKnown = batch % 4 != 0 && _batches.length != 0;
        (a.kind, a.body) = (Kind.FromBatch, batch % (MESSAGES * MESSAGES));
        if (isKnown) a.body = _batches[batch / 4 % _batches.length];
        send(a);
    }

    function propose(uint8 next, uint256 seed) external {
        Attempt memory a = signedAttempt(Kind.Propose, next % COMMITTEES, seed);
        a.sequence = sequenceOf(seed >> 64);
        send(a);
    }

    function accept(uint256 seed) external {
        Attempt memory a = signedAttempt(Kind.Accept, 0, seed);
        bool isHostile = seed >> 64 & 7 == 0;
        a.body = isHostile || pending == NOBODY ? (seed >> 72) % COMMITTEES : pending;
        a.sequence = seed >> 80 & 7 == 0 ? sequenceOf(seed >> 88) : lastSequence;
        if (seed >> 96 & 7 != 0) (a.signer, a.signedFor) = (a.body, epoch + 1);
        send(a);
    }

    /// @dev Whatever it was, with the same proof.
    function replay(uint256 which) external {
        if (_sent.length != 0) run(_sent[which % _sent.length]);
    }

    // ------------------------------------------------------------------------------ Guardians and time

    function freeze(uint8 caller) external {
        bool ok = call(caller, abi.encodeCall(client.freeze, ()));
        require(ok == (isGuardian(caller) && !frozen), "freeze");
        if (ok) frozen = true;
    }

    function thaw(uint8 caller) external {
        bool ok = call(caller, abi.encodeCall(client.thaw, ()));
        require(ok == (isGuardian(caller) && frozen), "thaw");
        if (ok) frozen = false;
    }

    function transferGuardian(uint8 caller, uint8 next) external {
        address to = guardianOf(next % 4);
        bool ok = call(caller, abi.encodeCall(client.transferGuardian, (to)));
        require(ok == isGuardian(caller), "transfer");
        if (ok) offered = to;
    }

    function acceptGuardian(uint8 caller) external {
        address by = guardianOf(caller % 4);
        bool ok = call(caller, abi.encodeCall(client.acceptGuardian, ()));
        require(ok == (by != address(0) && by == offered), "accept");
        if (ok) (guardian, offered) = (by, address(0));
    }

    function renounceGuardian(uint8 caller, uint8 seed) external {
        if (seed > 16) return;
        bool ok = call(caller, abi.encodeCall(client.renounceGuardian, ()));
        require(ok == isGuardian(caller), "renounce");
        if (ok) (guardian, offered, frozen) = (address(0), address(0), false);
    }

    /// @dev Often to a second at which something ends, or the one after.
    function warp(uint8 seed, uint32 by) external {
        uint64[3] memory ends = [formerUntil, acceptBy, time + LIFE];
        uint64 end = ends[seed % 3] + seed / 3 % 2;
        uint32 most = seed / 24 % 4 != 0 ? 10 minutes : 2 days;
        time = seed / 6 % 4 == 0 && end > time ? end : time + by % most;
    }

    // ------------------------------------------------------------------------------ What is to hold

    function check() external view {
        assertAgrees();
    }

    /// @dev The epoch counts the handovers, and unless none is needed each was accepted by a proof.
    function checkCommittees() external view {
        assertEq(client.epoch(), 1 + handovers, "one at a time");
        if (terms.acceptanceWindow == 0) return;
        for (uint64 e = 2; e <= client.epoch(); ++e) {
            assertTrue(proved[e], "a proof was seen");
        }
    }

    /// @dev A client without terms has no proposals, no committee before, and no guardian.
    function checkNoTerms() external view {
        (,, uint64 until) = client.proposal();
        assertEq(until, 0, "no proposal");
        (, until) = client.previousCommittee();
        assertEq(until, 0, "nobody before");
        assertTrue(client.guardian() == address(0) && !client.isFrozen(), "no guardian");
    }

    // ------------------------------------------------------------------------------ Parts

    function send(Attempt memory a) private {
        _sent.push(a);
        run(a);
    }

    function run(Attempt memory a) private {
        vm.warp(time);
        bytes memory input = callOf(a);
        bool expected = isRight(a);
        bytes32 before = stateOf();
        (bool ok,) = address(client).call(input);
        require(ok == expected, ok ? "taken" : "refused");
        if (!ok) {
            require(stateOf() == before, "changed");
            ++refused[a.kind];
            return;
        }
        ++taken[a.kind];
        apply_(a);
        if (a.kind == Kind.Batch) _batches.push(a.body);
        // No proof is good twice.
        (ok,) = address(client).call(input);
        require(!ok, "twice");
    }

    /// @dev The words of the client's storage that are no mappings.
    function stateOf() private view returns (bytes32 state) {
        bytes32 name = keccak256("muster.storage.LightClient");
        uint256 slot = uint256(keccak256(abi.encode(uint256(name) - 1)) & ~bytes32(uint256(0xff)));
        for (uint256 i = 0; i < 12; ++i) {
            state = keccak256(abi.encode(state, vm.load(address(client), bytes32(slot + i))));
        }
    }

    /// @dev Signed by those who should in most cases, and by anybody else for any epoch in the others.
    function signedAttempt(Kind kind, uint256 body, uint256 seed)
        private
        view
        returns (Attempt memory a)
    {
        (a.kind, a.body) = (kind, body);
        a.epoch = seed % 4 == 0 ? epoch - 1 : seed % 8 == 1 ? epoch + 1 : epoch;
        a.signedFor = seed >> 8 & 15 == 0 ? epoch + 1 : a.epoch;
        uint256 right = goodIn(a.epoch);
        bool isHostile = seed >> 16 & 3 == 0 || right == NOBODY;
        a.signer = isHostile ? someone(seed >> 24) : right;
        uint256 way = seed >> 32 & 7;
        a.until = way == 0 ? time - 1 : way == 1 ? time : way == 2 ? time + 2 hours : 0;
    }

    /// @dev Often one who has, had, or may have a seat.
    function someone(uint256 seed) private view returns (uint256) {
        uint256 seat = [former, former, pending, office][seed % 4];
        return seed % 8 < 4 || seat == NOBODY ? (seed >> 3) % UNREGISTERED : seat;
    }

    function sequenceOf(uint256 seed) private view returns (uint64) {
        uint64[6] memory steps = [uint64(1), 1, 2, 100, STEP, STEP + 1];
        if (seed % 8 < 6) return lastSequence + steps[seed % 8];
        return lastSequence / uint64(seed % 8 - 5);
    }

    function callOf(Attempt memory a) private returns (bytes memory) {
        MusterDigest.Committee memory by = committeeOf(a.signer);
        if (a.kind == Kind.Submit) {
            MusterDigest.Message memory message = messageOf(a.body);
            bytes memory proof = signMessage(by, a.signedFor, a.until, message);
            return abi.encodeCall(client.submit, (message, a.epoch, a.until, proof));
        }
        if (a.kind == Kind.Batch) {
            bytes32 root = rootOf(a.body);
            bytes memory proof = signBatch(by, a.signedFor, a.until, root);
            return abi.encodeCall(client.submitBatch, (root, a.epoch, a.until, proof));
        }
        if (a.kind == Kind.FromBatch) {
            bytes32[] memory path = new bytes32[](1);
            (, path[0]) = leavesOf(a.body);
            MusterDigest.Message memory message = messageOf(a.body % MESSAGES);
            return abi.encodeCall(client.submitFromBatch, (message, rootOf(a.body), path));
        }
        return callOfOther(a, by);
    }

    function callOfOther(Attempt memory a, MusterDigest.Committee memory by)
        private
        returns (bytes memory)
    {
        MusterDigest.Committee memory next = committeeOf(a.body);
        if (a.kind == Kind.Propose) {
            bytes memory proof = signHandover(by, a.signedFor, a.until, next, a.sequence);
            return abi.encodeCall(client.propose, (next, a.sequence, a.until, proof));
        }
        bytes32 name = MusterDigest.proposalOf(a.sequence, a.signedFor, next);
        uint256 digest = MusterDigest.acceptanceDigest(scopeOf(by, a.signedFor), a.until, name);
        return abi.encodeCall(client.accept, (a.until, prove(by, digest)));
    }

    function isGuardian(uint8 caller) private view returns (bool) {
        return guardian != address(0) && guardianOf(caller % 4) == guardian;
    }

    function call(uint8 caller, bytes memory input) private returns (bool ok) {
        vm.warp(time);
        vm.prank(guardianOf(caller % 4));
        (ok,) = address(client).call(input);
    }
}
