// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Fixture} from "./base/Signing.sol";

contract SubmitTest is Fixture {
    // ------------------------------------------------------------------------------ Construction

    function testHoldsWhatItWasGiven() public view {
        assertSame(client.committee(), first(), "committee");
        assertEq(client.epoch(), 1, "epoch");
        assertEq(client.SOURCE_CHAIN_ID(), SOURCE, "source");
        assertEq(address(client.VERIFIER()), address(verifier), "verifier");
        assertEq(client.ACCEPTANCE_WINDOW(), WINDOW, "window");
        assertEq(client.OVERLAP(), OVERLAP, "overlap");
        assertEq(client.BATCH_LIFE(), LIFE, "life");
        assertEq(client.guardian(), GUARDIAN, "guardian");
        assertFalse(client.isFrozen(), "not frozen");
        (, uint64 goodUntil) = client.previousCommittee();
        assertEq(goodUntil, 0, "nobody before");
        (, uint64 sequence, uint64 acceptBy) = client.proposal();
        assertEq(sequence + acceptBy, 0, "no proposal");
        assertEq(client.nextGuardian(), address(0), "no offer");
    }

    function testAnnouncesTheFirstCommittee() public {
        vm.expectEmit();
        emit CommitteeInOffice(5, second());
        new MultisigLightClient(verifier, SOURCE, 5, second(), noTerms());
    }

    /// @dev The state stands where ERC-7201 says, and its third word has all that `submit` asks besides key and root.
    function testStorage() public view {
        bytes32 name = keccak256("muster.storage.LightClient");
        bytes32 slot = keccak256(abi.encode(uint256(name) - 1)) & ~bytes32(uint256(0xff));
        assertEq(vm.load(address(client), slot), first().key, "key");
        uint256 at = uint256(slot);
        assertEq(vm.load(address(client), bytes32(at + 1)), bytes32(first().root), "root");
        uint256 packed = uint256(first().threshold) | uint256(1) << 72;
        assertEq(vm.load(address(client), bytes32(at + 2)), bytes32(packed), "the third word");
        for (uint256 i = 0; i < 3; ++i) {
            assertEq(vm.load(address(client), bytes32(i)), 0, "nothing elsewhere");
        }
    }

    function testRefusesAVerifierWithoutCode() public {
        expect(MultisigLightClient.NoCode.selector, address(0xdead));
        new MultisigLightClient(IMusterVerifier(address(0xdead)), SOURCE, 1, first(), noTerms());
    }

    /// @dev Another contract has no keys to show.
    function testRefusesAContractThatIsNoVerifier() public {
        vm.expectRevert();
        new MultisigLightClient(IMusterVerifier(address(client)), SOURCE, 1, first(), noTerms());
    }

    function testRefusesEpochsWithoutASuccessor() public {
        uint64[3] memory bad = [0, 2 ** 63, type(uint64).max];
        for (uint256 i = 0; i < 3; ++i) {
            expect(MultisigLightClient.InvalidEpoch.selector, bad[i]);
            new MultisigLightClient(verifier, SOURCE, bad[i], first(), noTerms());
        }
        new MultisigLightClient(verifier, SOURCE, 2 ** 63 - 1, first(), noTerms());
    }

    function testRefusesTermsThatAreTooLong() public {
        uint64 most = client.MAX_TERM();
        for (uint256 i = 0; i < 3; ++i) {
            uint64[3] memory times = [most, most, most];
            new MultisigLightClient(verifier, SOURCE, 1, first(), termsOf(times));
            times[i] += 1;
            expect(MultisigLightClient.TermTooLong.selector, most + 1);
            new MultisigLightClient(verifier, SOURCE, 1, first(), termsOf(times));
        }
    }

    function termsOf(uint64[3] memory times)
        private
        pure
        returns (MultisigLightClient.Terms memory)
    {
        return MultisigLightClient.Terms(times[0], times[1], times[2], address(0));
    }

    function testRefusesAFirstCommitteeThatCannotSign() public {
        MusterDigest.Committee memory set = first();
        set.key = keccak256("no key");
        expectRefused(abi.encodeWithSelector(MultisigLightClient.UnknownKey.selector, set.key), set);
        set = first();
        set.root = R;
        expectRefused(abi.encodeWithSelector(MusterStatement.RootOutOfRange.selector, R), set);
        set = first();
        set.threshold = 0;
        expectRefused(abi.encodeWithSelector(MusterStatement.ThresholdOutOfRange.selector, 0), set);
        set = first();
        set.form = MusterDigest.Form.Digest;
        expectRefused(
            abi.encodeWithSelector(
                MultisigLightClient.KeyOfAnotherForm.selector, set.key, set.form
            ),
            set
        );
    }

    function expectRefused(bytes memory reason, MusterDigest.Committee memory set) private {
        vm.expectRevert(reason);
        new MultisigLightClient(verifier, SOURCE, 1, set, noTerms());
    }

    function testSignsWhatTheLibrarySays() public {
        MusterDigest.Scope memory scope = scopeOf(first(), 1);
        bytes32 id = client.messageId(aMessage());
        uint256 digest = MusterDigest.messageDigest(scope, 9, id);
        assertEq(client.messageDigest(aMessage(), 1, 9), digest, "message");
        digest = MusterDigest.batchDigest(scope, 9, id);
        assertEq(client.batchDigest(id, 1, 9), digest, "batch");
        bytes32 name = MusterDigest.proposalOf(4, 2, second());
        digest = MusterDigest.handoverDigest(scope, 9, name);
        assertEq(client.handoverDigest(second(), 4, 9), digest, "handover");
        digest = MusterDigest.acceptanceDigest(scopeOf(second(), 2), 9, name);
        assertEq(client.acceptanceDigest(second(), 4, 9), digest, "acceptance");
        expect(MultisigLightClient.NotInOffice.selector, 2);
        client.messageDigest(aMessage(), 2, 9);
        expect(MultisigLightClient.NotInOffice.selector, uint256(0));
        client.batchDigest(id, 0, 9);
    }

    // ------------------------------------------------------------------------------ One message

    function testAcceptsASignedMessage() public {
        MusterDigest.Message memory message = aMessage();
        bytes32 id = client.messageId(message);
        bytes memory proof = signMessage(first(), 1, 0, message);
        assertFalse(client.isProcessed(id), "before");
        vm.expectEmit(address(client));
        emit MessageVerified(id, message.nonce, 1, 0, message.payload);
        client.submit(message, 1, 0, proof);
        assertTrue(client.isProcessed(id), "after");
    }

    function testRefusesAReplay() public {
        MusterDigest.Message memory message = aMessage();
        bytes memory proof = signMessage(first(), 1, 0, message);
        client.submit(message, 1, 0, proof);
        expect(MultisigLightClient.AlreadyProcessed.selector, client.messageId(message));
        client.submit(message, 1, 0, proof);
    }

    function testRefusesAReplaySignedByTheNextCommittee() public {
        MusterDigest.Message memory message = aMessage();
        submit(first(), 1, message);
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        bytes memory proof = signMessage(second(), 2, 0, message);
        expect(MultisigLightClient.AlreadyProcessed.selector, client.messageId(message));
        client.submit(message, 2, 0, proof);
    }

    function testFuzzAnotherMessageNeedsAnotherProof(uint64 nonce, bytes calldata payload) public {
        MusterDigest.Message memory message = aMessage();
        bytes memory proof = signMessage(first(), 1, 0, message);
        MusterDigest.Message memory other = MusterDigest.Message(nonce, payload);
        vm.assume(client.messageId(other) != client.messageId(message));
        expectProofRejected();
        client.submit(other, 1, 0, proof);
        submit(first(), 1, other);
        client.submit(message, 1, 0, proof);
    }

    function testOneNonceOrOnePayloadMayComeTwice() public {
        MusterDigest.Message memory message = aMessage();
        submit(first(), 1, message);
        message.nonce += 1;
        submit(first(), 1, message);
        message.payload = "release 6 tokens to alice";
        submit(first(), 1, message);
    }

    function testRefusesWhatAnotherCommitteeSigned() public {
        MusterDigest.Committee[4] memory others = [first(), first(), first(), first()];
        others[0].threshold -= 1;
        others[1].threshold += 1;
        others[2].root += 1;
        others[3].key = PLAIN;
        verifier.addKey(PLAIN, 3);
        // Under each of them the very digest that the client wants.
        uint256 digest = client.messageDigest(aMessage(), 1, 0);
        for (uint256 i = 0; i < 4; ++i) {
            bytes memory proof = prove(others[i], digest);
            expectProofRejected();
            client.submit(aMessage(), 1, 0, proof);
        }
        expectProofRejected();
        client.submit(aMessage(), 1, 0, "");
    }

    /// @dev The mock gives no verdict, as the verifier does not; the client must not take that for one.
    function testAVerifierThatRevertsAcceptsNothing() public {
        bytes memory proof = signMessage(first(), 1, 0, aMessage());
        verifier.addKey(first().key, 4);
        vm.expectRevert();
        client.submit(aMessage(), 1, 0, proof);
        verifier.addKey(first().key, 0);
        vm.expectRevert();
        client.submit(aMessage(), 1, 0, proof);
        assertFalse(client.isProcessed(client.messageId(aMessage())), "not processed");
    }

    // ------------------------------------------------------------------------------ Time and epoch

    function testWhatWasSignedIsGoodUntilItsLastSecond() public {
        MusterDigest.Message memory message = aMessage();
        bytes memory proof = signMessage(first(), 1, START + 60, message);
        vm.warp(START + 61);
        expect(MultisigLightClient.Expired.selector, START + 60);
        client.submit(message, 1, START + 60, proof);
        vm.warp(START + 60);
        client.submit(message, 1, START + 60, proof);
    }

    function testFuzzTheLastSecondIsSigned(uint64 signed, uint64 claimed) public {
        vm.assume(signed != claimed && (claimed == 0 || claimed >= START));
        bytes memory proof = signMessage(first(), 1, signed, aMessage());
        expectProofRejected();
        client.submit(aMessage(), 1, claimed, proof);
    }

    function testRefusesEveryOtherEpoch() public {
        uint64[5] memory others = [0, 2, 3, type(uint64).max - 1, type(uint64).max];
        for (uint256 i = 0; i < 5; ++i) {
            bytes memory proof = signMessage(first(), others[i], 0, aMessage());
            expect(MultisigLightClient.NotInOffice.selector, others[i]);
            client.submit(aMessage(), others[i], 0, proof);
            expectProofRejected();
            client.submit(aMessage(), 1, 0, proof);
        }
    }

    // ------------------------------------------------------------------------------ Somewhere else

    function testFuzzRefusesAMessageForAnotherChain(uint64 chain) public {
        vm.assume(chain != block.chainid && chain != 0);
        bytes memory proof = signMessage(first(), 1, 0, aMessage());
        vm.chainId(chain);
        expectProofRejected();
        client.submit(aMessage(), 1, 0, proof);
    }

    function testRefusesAMessageForAnotherClient() public {
        bytes memory proof = signMessage(first(), 1, 0, aMessage());
        MultisigLightClient other = new MultisigLightClient(verifier, SOURCE, 1, first(), noTerms());
        expectProofRejected();
        other.submit(aMessage(), 1, 0, proof);
        client.submit(aMessage(), 1, 0, proof);
    }

    function testRefusesAMessageFromAnotherSource() public {
        bytes memory proof = signMessage(first(), 1, 0, aMessage());
        MultisigLightClient other =
            new MultisigLightClient(verifier, SOURCE + 1, 1, first(), noTerms());
        // The same address, so that nothing but the source differs: immutables are code.
        vm.etch(address(client), address(other).code);
        expectProofRejected();
        client.submit(aMessage(), 1, 0, proof);
    }

    /// @dev Of what is not a message, whose identity has the place in it, too.
    function testWhateverIsSignedIsForOnePlace() public {
        uint256 chain = block.chainid;
        for (uint256 way = 0; way < 3; ++way) {
            deploy(allTerms());
            bytes memory several = signBatch(first(), 1, 0, "root");
            bytes memory handover = signHandover(first(), 1, 0, second(), 2);
            bytes memory acceptance = signAcceptance(second(), 2, 0, 1);
            if (way != 1) propose(first(), 1, second(), 1);
            move(way);
            if (way == 1) propose(first(), 1, second(), 1);
            expectProofRejected();
            client.submitBatch("root", 1, 0, several);
            expectProofRejected();
            client.propose(second(), 2, 0, handover);
            expectProofRejected();
            client.accept(0, acceptance);
            vm.chainId(chain);
        }
    }

    /// @dev To another chain, another client, or another source.
    function move(uint256 way) private {
        if (way == 0) vm.chainId(block.chainid + 1);
        if (way == 1) client = new MultisigLightClient(verifier, SOURCE, 1, first(), allTerms());
        if (way != 2) return;
        address other =
            address(new MultisigLightClient(verifier, SOURCE + 1, 1, first(), allTerms()));
        vm.etch(address(client), other.code);
    }
}
