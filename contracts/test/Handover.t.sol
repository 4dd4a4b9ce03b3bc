// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {Fixture, Signing} from "./base/Signing.sol";

/// @dev From committee to committee where the next one must accept and the one before stays good.
contract HandoverTest is Fixture {
    /// @dev A proposal changes nothing but what is proposed.
    function testProposes() public {
        bytes memory proof = signHandover(first(), 1, 0, second(), 4);
        vm.expectEmit(address(client));
        bytes32 name = MusterDigest.proposalOf(4, 2, second());
        emit HandoverProposed(name, 2, 4, START + WINDOW, second());
        client.propose(second(), 4, 0, proof);
        (MusterDigest.Committee memory next, uint64 sequence, uint64 acceptBy) = client.proposal();
        assertSame(next, second(), "next");
        assertEq(sequence, 4, "sequence");
        assertEq(acceptBy, START + WINDOW, "window");
        assertSame(client.committee(), first(), "in office");
        assertEq(client.epoch(), 1, "epoch");
        submit(first(), 1, aMessage());
    }

    function testTakesOfficeByAccepting() public {
        propose(first(), 1, second(), 4);
        bytes memory proof = signAcceptance(second(), 2, 0, 4);
        vm.warp(START + WINDOW);
        vm.expectEmit(address(client));
        emit CommitteeInOffice(2, second());
        client.accept(0, proof);
        assertSame(client.committee(), second(), "in office");
        assertEq(client.epoch(), 2, "epoch");
        (MusterDigest.Committee memory previous, uint64 goodUntil) = client.previousCommittee();
        assertSame(previous, first(), "before");
        assertEq(goodUntil, START + WINDOW + OVERLAP, "good until");
        (MusterDigest.Committee memory next, uint64 sequence, uint64 acceptBy) = client.proposal();
        assertEq(next.root + uint256(next.key) + next.threshold + acceptBy, 0, "none");
        assertEq(sequence, 4, "the last sequence");
        submit(second(), 2, aMessage());
        expect(MultisigLightClient.NoProposal.selector);
        client.accept(0, proof);
    }

    function testNothingToAccept() public {
        bytes memory proof = signAcceptance(second(), 2, 0, 1);
        expect(MultisigLightClient.NoProposal.selector);
        client.accept(0, proof);
    }

    // ------------------------------------------------------------------------------ The way back

    /// @dev A set that nobody has keys for never takes office, and the committee names another.
    function testALapsedProposalIsReplaced() public {
        propose(first(), 1, second(), 1);
        bytes memory proof = signAcceptance(second(), 2, 0, 1);
        vm.warp(START + WINDOW + 1);
        expect(MultisigLightClient.ProposalLapsed.selector, START + WINDOW);
        client.accept(0, proof);
        submit(first(), 1, aMessage());
        // The same committee gets a new try, which is another proposal.
        propose(first(), 1, second(), 2);
        expectProofRejected();
        client.accept(0, proof);
        accept(second(), 2, 2);
        assertSame(client.committee(), second(), "in office");
    }

    function testAProposalIsSuperseded() public {
        propose(first(), 1, second(), 1);
        bytes memory proof = signAcceptance(second(), 2, 0, 1);
        vm.warp(START + 60);
        propose(first(), 1, third(), 2);
        (MusterDigest.Committee memory next,, uint64 acceptBy) = client.proposal();
        assertSame(next, third(), "the new one");
        assertEq(acceptBy, START + 60 + WINDOW, "its own window");
        expectProofRejected();
        client.accept(0, proof);
        // The acceptance of the new one for the old sequence does not do, either.
        proof = signAcceptance(third(), 2, 0, 1);
        expectProofRejected();
        client.accept(0, proof);
        accept(third(), 2, 2);
        assertSame(client.committee(), third(), "in office");
    }

    function testSequencesRise() public {
        propose(first(), 1, second(), 5);
        uint64[4] memory bad = [uint64(0), 4, 5, 5 + 2 ** 32 + 1];
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory proof = signHandover(first(), 1, 0, third(), bad[i]);
            expectSequence(5, bad[i]);
            client.propose(third(), bad[i], 0, proof);
        }
        accept(second(), 2, 5);
        // In the next epoch, too.
        bytes memory late = signHandover(second(), 2, 0, third(), 5);
        expectSequence(5, 5);
        client.propose(third(), 5, 0, late);
        propose(second(), 2, third(), 5 + 2 ** 32);
        accept(third(), 3, 5 + 2 ** 32);
    }

    function testNoSequenceIsTheLast() public {
        uint64 last = type(uint64).max;
        bytes memory proof = signHandover(first(), 1, 0, second(), last);
        expectSequence(0, last);
        client.propose(second(), last, 0, proof);
    }

    function expectSequence(uint64 last, uint64 sequence) private {
        vm.expectRevert(
            abi.encodeWithSelector(MultisigLightClient.SequenceOutOfRange.selector, last, sequence)
        );
    }

    function testAProposalIsNotReplayed() public {
        bytes memory proof = signHandover(first(), 1, 0, second(), 1);
        client.propose(second(), 1, 0, proof);
        expectSequence(1, 1);
        client.propose(second(), 1, 0, proof);
        vm.warp(START + WINDOW + 1);
        expectSequence(1, 1);
        client.propose(second(), 1, 0, proof);
    }

    // ------------------------------------------------------------------------------ Who signs

    function testOnlyTheCommitteeInOfficeProposes() public {
        bytes memory proof = signHandover(second(), 1, 0, second(), 1);
        expectProofRejected();
        client.propose(second(), 1, 0, proof);
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        // The one before is good for messages, and for nothing else.
        submit(first(), 1, aMessage());
        proof = signHandover(first(), 1, 0, third(), 2);
        expectProofRejected();
        client.propose(third(), 2, 0, proof);
        proof = signHandover(first(), 2, 0, third(), 2);
        expectProofRejected();
        client.propose(third(), 2, 0, proof);
    }

    function testOnlyTheNextCommitteeAccepts() public {
        propose(first(), 1, second(), 1);
        bytes32 name = MusterDigest.proposalOf(1, 2, second());
        bytes memory proof =
            prove(first(), MusterDigest.acceptanceDigest(scopeOf(first(), 1), 0, name));
        expectProofRejected();
        client.accept(0, proof);
        proof = prove(first(), MusterDigest.acceptanceDigest(scopeOf(second(), 2), 0, name));
        expectProofRejected();
        client.accept(0, proof);
        // What it signs as a committee in office does not do.
        proof = prove(second(), MusterDigest.handoverDigest(scopeOf(second(), 2), 0, name));
        expectProofRejected();
        client.accept(0, proof);
        proof = prove(second(), MusterDigest.acceptanceDigest(scopeOf(second(), 1), 0, name));
        expectProofRejected();
        client.accept(0, proof);
        MusterDigest.Committee memory weaker = second();
        weaker.threshold -= 1;
        proof = prove(weaker, MusterDigest.acceptanceDigest(scopeOf(second(), 2), 0, name));
        expectProofRejected();
        client.accept(0, proof);
        accept(second(), 2, 1);
    }

    function testFuzzAHandoverIsToExactlyThatCommittee(uint256 field, uint64 value) public {
        MusterDigest.Committee memory other = second();
        field = bound(field, 0, 2);
        if (field == 0) other.root = bound(value, 1, R - 1);
        if (field == 1) other.threshold = uint64(bound(value, 1, 2 ** 60 - 1));
        if (field == 2) (other.key, other.form) = (ELEMENTS, MusterDigest.Form.Element);
        vm.assume(keccak256(abi.encode(other)) != keccak256(abi.encode(second())));
        bytes memory proof = signHandover(first(), 1, 0, second(), 1);
        expectProofRejected();
        client.propose(other, 1, 0, proof);
    }

    function testWhatWasSignedExpires() public {
        bytes memory proof = signHandover(first(), 1, START + 60, second(), 1);
        vm.warp(START + 61);
        expect(MultisigLightClient.Expired.selector, START + 60);
        client.propose(second(), 1, START + 60, proof);
        vm.warp(START + 60);
        client.propose(second(), 1, START + 60, proof);
        proof = signAcceptance(second(), 2, START + 90, 1);
        vm.warp(START + 91);
        expect(MultisigLightClient.Expired.selector, START + 90);
        client.accept(START + 90, proof);
        expectProofRejected();
        client.accept(0, proof);
        vm.warp(START + 90);
        client.accept(START + 90, proof);
    }

    // ------------------------------------------------------------------------------ To whom

    function testRefusesACommitteeThatCannotSign() public {
        MusterDigest.Committee memory next = second();
        next.key = keccak256("no key");
        refused(next, abi.encodeWithSelector(MultisigLightClient.UnknownKey.selector, next.key));
        bytes32[2] memory keys = [ELEMENTS, PLAIN];
        for (uint256 i = 0; i < 2; ++i) {
            next.key = keys[i];
            refused(
                next,
                abi.encodeWithSelector(
                    MultisigLightClient.KeyOfAnotherForm.selector, next.key, next.form
                )
            );
        }
        uint256[3] memory roots = [0, R, type(uint256).max];
        for (uint256 i = 0; i < 3; ++i) {
            next = second();
            next.root = roots[i];
            refused(next, abi.encodeWithSelector(MusterStatement.RootOutOfRange.selector, roots[i]));
        }
        uint64[3] memory thresholds = [0, 2 ** 60, type(uint64).max];
        for (uint256 i = 0; i < 3; ++i) {
            next = second();
            next.threshold = thresholds[i];
            refused(
                next,
                abi.encodeWithSelector(MusterStatement.ThresholdOutOfRange.selector, thresholds[i])
            );
        }
        next = second();
        (next.root, next.threshold) = (R - 1, 2 ** 60 - 1);
        propose(first(), 1, next, 1);
        accept(next, 2, 1);
    }

    function refused(MusterDigest.Committee memory next, bytes memory reason) private {
        bytes memory proof = signHandover(first(), 1, 0, next, 1);
        vm.expectRevert(reason);
        client.propose(next, 1, 0, proof);
    }

    /// @dev So a committee takes back what it signed and nobody has used.
    function testACommitteeMaySucceedItself() public {
        bytes memory old = signMessage(first(), 1, 0, aMessage());
        propose(first(), 1, first(), 1);
        accept(first(), 2, 1);
        assertEq(client.epoch(), 2, "epoch");
        vm.warp(START + OVERLAP + 1);
        expect(MultisigLightClient.NotInOffice.selector, 1);
        client.submit(aMessage(), 1, 0, old);
        expectProofRejected();
        client.submit(aMessage(), 2, 0, old);
        submit(first(), 2, aMessage());
    }

    // ------------------------------------------------------------------------------ Overlap

    function testTheOneBeforeIsGoodForAWhile() public {
        bytes memory single = signMessage(first(), 1, 0, aMessage());
        bytes memory several = signBatch(first(), 1, 0, "batch");
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        vm.warp(START + OVERLAP + 1);
        expect(MultisigLightClient.NotInOffice.selector, 1);
        client.submit(aMessage(), 1, 0, single);
        expect(MultisigLightClient.NotInOffice.selector, 1);
        client.submitBatch("batch", 1, 0, several);
        vm.warp(START + OVERLAP);
        client.submit(aMessage(), 1, 0, single);
        client.submitBatch("batch", 1, 0, several);
        // Its proofs are for its own epoch.
        bytes memory wrong = signMessage(first(), 2, 0, MusterDigest.Message(8, "other"));
        expectProofRejected();
        client.submit(MusterDigest.Message(8, "other"), 2, 0, wrong);
        expectProofRejected();
        client.submit(MusterDigest.Message(8, "other"), 1, 0, wrong);
    }

    /// @dev However short the time since.
    function testTheOneBeforeThatIsNot() public {
        bytes memory oldest = signMessage(first(), 1, 0, aMessage());
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        propose(second(), 2, third(), 2);
        accept(third(), 3, 2);
        expect(MultisigLightClient.NotInOffice.selector, 1);
        client.submit(aMessage(), 1, 0, oldest);
        bytes memory forged = signMessage(first(), 2, 0, aMessage());
        expectProofRejected();
        client.submit(aMessage(), 2, 0, forged);
        submit(second(), 2, aMessage());
    }
}

/// @dev With none of the terms a handover is in force at once, and final.
contract HandoverAtOnceTest is Signing {
    function setUp() public {
        deploy(noTerms());
    }

    function testIsInForceAtOnce() public {
        bytes memory old = signMessage(first(), 1, 0, aMessage());
        bytes memory proof = signHandover(first(), 1, 0, second(), 1);
        vm.expectEmit(address(client));
        emit HandoverProposed(MusterDigest.proposalOf(1, 2, second()), 2, 1, 0, second());
        client.propose(second(), 1, 0, proof);
        assertSame(client.committee(), second(), "in office");
        assertEq(client.epoch(), 2, "epoch");
        (MusterDigest.Committee memory previous, uint64 goodUntil) = client.previousCommittee();
        assertSame(previous, first(), "before");
        assertEq(goodUntil, 0, "never good");
        expect(MultisigLightClient.NotInOffice.selector, 1);
        client.submit(aMessage(), 1, 0, old);
        submit(second(), 2, aMessage());
        expect(MultisigLightClient.NoProposal.selector);
        client.accept(0, proof);
    }

    function testAHandoverIsNotReplayed() public {
        bytes memory proof = signHandover(first(), 1, 0, first(), 1);
        client.propose(first(), 1, 0, proof);
        vm.expectRevert(
            abi.encodeWithSelector(MultisigLightClient.SequenceOutOfRange.selector, 1, 1)
        );
        client.propose(first(), 1, 0, proof);
        expectProofRejected();
        client.propose(first(), 2, 0, proof);
        assertEq(client.epoch(), 2, "once");
    }

    function testABatchIsGoodForEver() public {
        MusterDigest.Message memory message = aMessage();
        bytes32 root = keccak256(abi.encodePacked(bytes1(0), client.messageId(message)));
        submitBatch(first(), 1, root);
        propose(first(), 1, second(), 1);
        vm.warp(START + 100 * 365 days);
        client.submitFromBatch(message, root, new bytes32[](0));
    }
}
