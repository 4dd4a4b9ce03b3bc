// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {MusterKey} from "../src/MusterKey.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {EthereumDigest} from "../src/digests/EthereumDigest.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {BeaconChain} from "./base/BeaconChain.sol";

/// @dev Calls the verifier within one transaction: a call of a test's own is one, with its calldata.
contract Meter {
    /// @dev Without what the first touch of the verifier costs.
    function gasOf(
        IMusterVerifier verifier,
        bytes32 name,
        uint256[] calldata inputs,
        bytes calldata proof
    ) external view returns (uint256 used) {
        verifier.isRegistered("");
        uint256 left = gasleft();
        verifier.verify(name, inputs, proof);
        return left - gasleft();
    }

    function gasOf(IMusterVerifier verifier, IMusterVerifier.Claim[] calldata claims)
        external
        view
        returns (uint256 used)
    {
        verifier.isRegistered("");
        uint256 left = gasleft();
        verifier.verifyAll(claims);
        return left - gasleft();
    }
}

/// @dev Each rule alone, on a chain that is made up. The client begins at slot 9, in period 1 (slots 8 to 15), and knows the
/// committee of period 2 where `known` was called.
contract EthereumClientTest is BeaconChain {
    uint64 private constant START = 9;
    /// @dev Of a proof of a committee of 512, with six packs.
    uint256 private constant PROOF_GAS = 241_742;
    /// @dev Of two, with one pairing.
    uint256 private constant PROOFS_GAS = 377_115;
    uint256 private constant PROOF_LENGTH = 1568;

    EthereumClient private _client;

    event Finalized(
        uint64 indexed slot, bytes32 indexed blockRoot, bytes32 stateRoot, uint64 participants
    );
    event CommitteeAdded(uint64 indexed period, bytes32 indexed hashTreeRoot, uint256 root);

    function setUp() public {
        verifier.addKey(SIGNATURES, 4);
        verifier.addKey(TRANSLATIONS, 5);
        _client = deploy(START, 0);
        enter(100);
    }

    /// @dev The client learns the committee of period 2.
    function known() private {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(13, 12, 10);
        _client.rotate(update, next);
    }

    // ------------------------------------------------------------------------------ Order and time

    function testSlotsAreInOrder() public {
        refuses(13, 13, 10, error(EthereumClient.WrongOrder.selector, 10, 13, 13));
        refuses(12, 13, 10, error(EthereumClient.WrongOrder.selector, 10, 13, 12));
        refuses(13, 12, 13, error(EthereumClient.WrongOrder.selector, 13, 12, 13));
        accepts(13, 12, 12);
    }

    function testSignaturesAreNotOfTheFuture() public {
        enter(12);
        refuses(13, 12, 10, error(EthereumClient.NotYet.selector, 13, 12));
        vm.warp(GENESIS_TIME + 13 * SLOT_TIME - 1);
        refuses(13, 12, 10, error(EthereumClient.NotYet.selector, 13, 12));
        vm.warp(GENESIS_TIME - 1);
        refuses(13, 12, 10, error(EthereumClient.NotYet.selector, 13, 0));
        enter(13);
        accepts(13, 12, 10);
    }

    function testTheGreatestSlotsAreOfTheFuture() public {
        uint64 most = type(uint64).max;
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(13, 12, 10);
        (update.signatureSlot, update.attested.slot) = (most, most - 1);
        update.finalized.slot = most - 1;
        vm.expectRevert(error(EthereumClient.NotYet.selector, most, 100));
        _client.follow(update);
        vm.expectRevert(error(EthereumClient.NotYet.selector, most, 100));
        _client.rotate(update, next);
    }

    function testNoBlockIsTakenTwiceOrBefore() public {
        refuses(13, 12, START, error(EthereumClient.NothingNew.selector, START, START));
        refuses(13, 12, 8, error(EthereumClient.NothingNew.selector, START, 8));
        accepts(13, 12, 10);
        refuses(14, 13, 10, error(EthereumClient.NothingNew.selector, 10, 10));
        accepts(14, 13, 11);
    }

    // ------------------------------------------------------------------------------ Whose signatures

    function testPeriodsFollowEachOther() public {
        // Signed by the committee of period 2, which is not known yet.
        refuses(16, 15, 14, error(EthereumClient.UnknownCommittee.selector, 2));
        known();
        accepts(16, 15, 14);
        // By that of period 3.
        refuses(24, 23, 16, error(EthereumClient.UnknownCommittee.selector, 3));
        refuses(32, 31, 16, error(EthereumClient.UnknownCommittee.selector, 4));
        accepts(19, 18, 17);
        // The block was in period 2, so that of period 1 signs no longer.
        refuses(15, 14, 18, error(EthereumClient.WrongOrder.selector, 18, 14, 15));
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(15, 14, 10);
        sign(update);
        vm.expectRevert(error(EthereumClient.CommitteeKnown.selector, 2));
        _client.rotate(update, next);
    }

    function testAnEarlierCommitteeSignsNothing() public {
        _client = deploy(17, 0);
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(15, 14, 10);
        signAs(update, committeeOf(2), versionAt(14), GENESIS);
        sign(update);
        translate(next, SEATS, SEATS);
        // Its next committee is in office already; for the one before, nobody would know whether to believe it.
        vm.expectRevert(error(EthereumClient.CommitteeKnown.selector, 2));
        _client.rotate(update, next);
        (update, next) = updateOf(7, 6, 5);
        sign(update);
        vm.expectRevert(error(EthereumClient.CommitteeKnown.selector, 1));
        _client.rotate(update, next);
        assertEq(_client.committeeRoot(1), 0, "not taken");
    }

    function testSignaturesAreOfThisCommitteeForkAndNetwork() public {
        (EthereumClient.Update memory update,) = updateOf(13, 12, 10);
        signAs(update, committeeOf(2), versionAt(12), GENESIS);
        signAs(update, committeeOf(1), 0x05000000, GENESIS);
        signAs(update, committeeOf(1), versionAt(12), keccak256("another network"));
        expectRejected();
        _client.follow(update);
        sign(update);
        EthereumClient.Update memory other = update;
        other.proof = "other signatures";
        expectRejected();
        _client.follow(other);
        update.proof = "signatures";
        _client.follow(update);
    }

    /// @dev Every field of the attested header is signed.
    function testFuzzTheAttestedHeaderIsSigned(uint8 which, bytes32 value) public {
        (EthereumClient.Update memory update,) = updateOf(13, 12, 10);
        sign(update);
        bytes32 before = Beacon.rootOf(update.attested);
        which %= 4;
        if (which == 0) update.attested.proposerIndex = uint64(uint256(value));
        if (which == 1) update.attested.parentRoot = value;
        if (which == 2) update.attested.bodyRoot = value;
        if (which == 3) update.attested.slot = 10 + uint64(uint256(value) % 3);
        vm.assume(Beacon.rootOf(update.attested) != before);
        expectRejected();
        _client.follow(update);
    }

    function testParticipants() public {
        (EthereumClient.Update memory update,) = updateOf(13, 12, 10);
        uint64[4] memory wrong = [uint64(0), 5, 9, type(uint64).max];
        for (uint256 i = 0; i < 4; ++i) {
            update.participants = wrong[i];
            vm.expectRevert(error(EthereumClient.WrongParticipants.selector, wrong[i]));
            _client.follow(update);
        }
        // Of six, and no more.
        update.participants = 6;
        sign(update);
        update.participants = 7;
        expectRejected();
        _client.follow(update);
        update.participants = 6;
        _client.follow(update);
        assertEq(_client.latestSlot(), 10, "latest");
        (update,) = updateOf(14, 13, 11);
        update.participants = 7;
        sign(update);
        _client.follow(update);
    }

    function testFuzzTwoThirdsAreRoundedUp(uint32 seats) public {
        vm.assume(seats != 0);
        EthereumClient.Network memory terms = network(0);
        terms.committeeSize = seats;
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        translate(committee, seats, seats);
        EthereumClient client =
            new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
        uint256 least = client.MINIMUM_PARTICIPANTS();
        assertTrue(3 * least >= 2 * uint256(seats), "enough");
        assertTrue(3 * (least - 1) < 2 * uint256(seats), "least");
    }

    // ------------------------------------------------------------------------------ Branches

    function testFuzzEverySiblingOfTheFinalityBranchCounts(uint256 place, bytes32 change) public {
        vm.assume(change != 0);
        (EthereumClient.Update memory update,) = updateOf(13, 12, 10);
        sign(update);
        update.finalityBranch[place % 6] ^= change;
        vm.expectRevert(
            abi.encodeWithSelector(
                EthereumClient.NotFinalized.selector, Beacon.rootOf(update.finalized)
            )
        );
        _client.follow(update);
    }

    function testFuzzEveryFieldOfTheFinalizedHeaderCounts(uint8 which, bytes32 change) public {
        (EthereumClient.Update memory update,) = updateOf(13, 12, 10);
        sign(update);
        bytes32 before = Beacon.rootOf(update.finalized);
        which %= 5;
        if (which == 0) update.finalized.slot = 10 + uint64(uint256(change) % 3);
        if (which == 1) update.finalized.proposerIndex ^= uint64(uint256(change));
        if (which == 2) update.finalized.parentRoot ^= change;
        if (which == 3) update.finalized.stateRoot ^= change;
        if (which == 4) update.finalized.bodyRoot ^= change;
        bytes32 root = Beacon.rootOf(update.finalized);
        vm.assume(root != before);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotFinalized.selector, root));
        _client.follow(update);
    }

    function testBranchesHaveTheirDepth() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(13, 12, 10);
        bytes32[] memory branch = update.finalityBranch;
        for (uint256 length = 0; length < 8; ++length) {
            if (length == 6) continue;
            update.finalityBranch =
                length < 6 ? cut(branch, length) : prepend(keccak256("below"), branch);
            vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 105, length));
            _client.follow(update);
        }
        update.finalityBranch = branch;
        branch = next.branch;
        for (uint256 length = 0; length < 7; ++length) {
            if (length == 5) continue;
            next.branch = length < 5 ? cut(branch, length) : prepend(keccak256("below"), branch);
            vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 55, length));
            _client.rotate(update, next);
        }
        next.branch = branch;
        _client.rotate(update, next);
    }

    /// @dev The state has the block's root where the next committee stands, and the committee's where the final block does:
    /// each branch is one of the state's, in the wrong place.
    function testPlacesAreNotExchanged() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(13, 12, 10);
        bytes32 finalized = Beacon.rootOf(update.finalized);
        StateTree memory tree = stateAt(12, next.hashTreeRoot, next.hashTreeRoot, finalized);
        update.attested = blockAt(12, tree.root);
        update.finalityBranch = tree.next;
        sign(update);
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 105, 5));
        _client.follow(update);
        update.finalityBranch = prepend(finalized, tree.next);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotFinalized.selector, finalized));
        _client.follow(update);
        // The committee in office, where the next one is asked for; and below the checkpoint.
        tree = stateAt(12, finalized, next.hashTreeRoot, keccak256("next"));
        update.attested = blockAt(12, tree.root);
        update.finalityBranch = tree.finalized;
        sign(update);
        translate(next, SEATS, SEATS);
        next.branch = tree.current;
        vm.expectRevert(
            abi.encodeWithSelector(EthereumClient.NotInState.selector, next.hashTreeRoot)
        );
        _client.rotate(update, next);
    }

    // ------------------------------------------------------------------------------ Forks

    /// @dev The version is that of the slot before the signature's, and places are those of the attested slot.
    function testForksBeginWhereTheySay() public {
        known();
        // Attested in the last slot before the fork, signed in its first: nothing has changed yet.
        refusesVersion(DEEPER, DEEPER - 1, 0x05000000);
        accepts(DEEPER, DEEPER - 1, 14);
        // Signed a slot later: the version is new, and the state is still an old one.
        refusesVersion(DEEPER + 1, DEEPER - 1, 0x04000000);
        accepts(DEEPER + 1, DEEPER - 1, 15);
        refusesVersion(DEEPER + 1, DEEPER, 0x04000000);
        accepts(DEEPER + 1, DEEPER, 16);
        // A state of the fork before has the branches of that.
        (EthereumClient.Update memory update,) = updateOf(DEEPER + 1, DEEPER - 1, 17);
        update.attested.slot = DEEPER;
        sign(update);
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 169, 6));
        _client.follow(update);
        (update,) = updateOf(DEEPER + 2, DEEPER + 1, 17);
        update.attested.slot = DEEPER - 1;
        sign(update);
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 105, 7));
        _client.follow(update);
    }

    function testTheNextCommitteeIsWhereTheForkHasIt() public {
        known();
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(DEEPER + 1, DEEPER, 17);
        bytes32[] memory branch = next.branch;
        next.branch = cut(branch, 5);
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 87, 5));
        _client.rotate(update, next);
        next.branch = branch;
        _client.rotate(update, next);
        assertEq(_client.committeeRoot(3), musterRoot(committeeOf(3)), "root");
        assertEq(_client.latestSlot(), 17, "latest");
    }

    function testForkAt() public {
        uint64[6] memory epochs = [uint64(0), 4, 5, 10, 11, type(uint64).max];
        uint8[6] memory versions = [4, 4, 5, 5, 6, 6];
        for (uint256 i = 0; i < 6; ++i) {
            bytes4 version = _client.forkAt(epochs[i]).version;
            assertEq(uint32(version), uint32(versions[i]) << 24, "version");
        }
        EthereumClient.Network memory terms = network(0);
        terms.forks[0].epoch = 2;
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        EthereumClient client =
            new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NoFork.selector, 1));
        client.forkAt(1);
    }

    // ------------------------------------------------------------------------------ The next committee

    function testRotates() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(13, 12, 10);
        vm.expectEmit();
        emit CommitteeAdded(2, committeeOf(2), musterRoot(committeeOf(2)));
        vm.expectEmit();
        emit Finalized(
            10, Beacon.rootOf(update.finalized), update.finalized.stateRoot, update.participants
        );
        _client.rotate(update, next);
        assertEq(_client.committeeRoot(2), musterRoot(committeeOf(2)), "root");
        assertEq(_client.latestSlot(), 10, "latest");
        assertEq(_client.blockRoot(10), Beacon.rootOf(update.finalized), "block");
    }

    /// @dev A replay in the same period, with another committee that two thirds signed: the first stays.
    function testTheNextCommitteeIsNotExchanged() public {
        known();
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateWith(14, 13, 11, keccak256("another committee"));
        sign(update);
        translate(next, SEATS, SEATS);
        vm.expectRevert(error(EthereumClient.CommitteeKnown.selector, 2));
        _client.rotate(update, next);
        // In the period after that, too, for a state of the period before.
        accepts(18, 17, 16);
        (update, next) = updateWith(18, 15, 14, keccak256("another committee"));
        sign(update);
        vm.expectRevert(error(EthereumClient.CommitteeKnown.selector, 2));
        _client.rotate(update, next);
        assertEq(_client.committeeRoot(2), musterRoot(committeeOf(2)), "root");
    }

    /// @dev The attested state is of a period of which nothing is final: its next committee may never be.
    function testTheNextCommitteeIsFinal() public {
        known();
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(18, 17, 15);
        vm.expectRevert(error(EthereumClient.NotFinalInPeriod.selector, 15, 17));
        _client.rotate(update, next);
        // The block is taken without it.
        _client.follow(update);
        (update, next) = updateOf(19, 18, 16);
        sign(update);
        _client.rotate(update, next);
        assertEq(_client.committeeRoot(3), musterRoot(committeeOf(3)), "root");
    }

    /// @dev `supply_sync_committee_from_past_update`: the committee alone is new.
    function testTheNextCommitteeFromAnEarlierUpdate() public {
        _client = deploy(14, 0);
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(12, 11, 9);
        _client.rotate(update, next);
        assertEq(_client.latestSlot(), 14, "latest");
        assertEq(_client.blockRoot(9), 0, "not recorded");
        assertEq(_client.committeeRoot(2), musterRoot(committeeOf(2)), "root");
    }

    function testACommitteeNeedsItsTranslation() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(13, 12, 10);
        sign(update);
        bytes memory refused = abi.encodeWithSelector(
            EthereumClient.TranslationRejected.selector, next.hashTreeRoot, next.root
        );
        // Of fewer and more seats, and of other weights.
        translate(next, SEATS - 1, SEATS);
        translate(next, SEATS, SEATS + 1);
        translate(next, SEATS - 1, SEATS - 1);
        translate(next, SEATS + 1, SEATS + 1);
        vm.expectRevert(refused);
        _client.rotate(update, next);
        translate(next, SEATS, SEATS);
        uint256 root = next.root;
        next.root = root + 1;
        vm.expectRevert(
            abi.encodeWithSelector(
                EthereumClient.TranslationRejected.selector, next.hashTreeRoot, next.root
            )
        );
        _client.rotate(update, next);
        next.root = 0;
        vm.expectRevert(abi.encodeWithSelector(MusterStatement.RootOutOfRange.selector, 0));
        _client.rotate(update, next);
        (next.root, next.proof) = (root, "another translation");
        vm.expectRevert(refused);
        _client.rotate(update, next);
        next.proof = "translation";
        _client.rotate(update, next);
    }

    /// @dev Of the state are its own committee and nobody else: not an empty one either.
    function testACommitteeIsInTheState() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(13, 12, 10);
        sign(update);
        bytes32[3] memory others = [bytes32(0), keccak256("mine"), committeeOf(1)];
        for (uint256 i = 0; i < 3; ++i) {
            next.hashTreeRoot = others[i];
            next.root = musterRoot(others[i]);
            translate(next, SEATS, SEATS);
            vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotInState.selector, others[i]));
            _client.rotate(update, next);
        }
    }

    function testFuzzEverySiblingOfTheCommitteesBranchCounts(uint256 place, bytes32 change) public {
        vm.assume(change != 0);
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            provenOf(13, 12, 10);
        next.branch[place % 5] ^= change;
        vm.expectRevert(
            abi.encodeWithSelector(EthereumClient.NotInState.selector, next.hashTreeRoot)
        );
        _client.rotate(update, next);
    }

    function testARotationNeedsItsSignatures() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(13, 12, 10);
        translate(next, SEATS, SEATS);
        expectRejected();
        _client.rotate(update, next);
    }

    // ------------------------------------------------------------------------------ Headers

    /// @dev The two ways to compute the root of a header, of the bytes and of the fields, are one.
    function testFuzzHeaders(uint64 slot, uint64 proposer, bytes32[3] calldata roots) public view {
        bytes memory ssz = bytes.concat(
            bytes8(Beacon.chunk(slot)), bytes8(Beacon.chunk(proposer)), roots[0], roots[1], roots[2]
        );
        assertEq(uint8(ssz[0]), uint8(slot), "the lowest byte first");
        assertEq(uint8(ssz[7]), slot >> 56, "the highest last");
        Beacon.Header memory header = Beacon.Header(slot, proposer, roots[0], roots[1], roots[2]);
        assertEq(Beacon.rootOf(header), this.rootOfBytes(ssz), "root");
    }

    function rootOfBytes(bytes calldata ssz) external pure returns (bytes32) {
        return EthereumDigest.headerRoot(ssz);
    }

    // ------------------------------------------------------------------------------ Age

    /// @dev The committee of period 1 is believed until 100 seconds after slot 16 began.
    function testAnOldCommitteeIsNotBelieved() public {
        _client = deploy(START, 100);
        uint256 until = GENESIS_TIME + 16 * SLOT_TIME + 100;
        vm.warp(until + 1);
        refuses(13, 12, 10, error(EthereumClient.CommitteeTooOld.selector, 1, until));
        vm.warp(until);
        accepts(13, 12, 10);
    }

    // ------------------------------------------------------------------------------ What is known

    function testWhatStandsInABlock() public {
        (EthereumClient.Update memory update,) = updateOf(13, 12, 10);
        sign(update);
        bytes32[] memory branch = new bytes32[](3);
        Beacon.Header memory header = update.finalized;
        branch[0] = header.parentRoot;
        branch[1] =
            sha256(bytes.concat(Beacon.chunk(header.slot), Beacon.chunk(header.proposerIndex)));
        branch[2] = sha256(
            bytes.concat(
                sha256(bytes.concat(header.bodyRoot, bytes32(0))),
                sha256(bytes.concat(bytes32(0), bytes32(0)))
            )
        );
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.UnknownBlock.selector, 10));
        _client.isInBlock(10, 11, header.stateRoot, branch);
        _client.follow(update);
        assertTrue(_client.isInBlock(10, 11, header.stateRoot, branch), "state");
        assertFalse(_client.isInBlock(10, 10, header.stateRoot, branch), "another place");
        assertFalse(_client.isInBlock(10, 11, header.parentRoot, branch), "another leaf");
        assertFalse(_client.isInBlock(START, 11, header.stateRoot, branch), "another block");
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 22, 3));
        _client.isInBlock(10, 22, header.stateRoot, branch);
        vm.expectRevert(abi.encodeWithSelector(Beacon.WrongDepth.selector, 0, 3));
        _client.isInBlock(10, 0, header.stateRoot, branch);
    }

    function testTheSlotIsThatOfItsName() public view {
        uint256 base = uint256(keccak256("muster.storage.EthereumClient")) - 1;
        bytes32 slot = keccak256(abi.encode(base)) & ~bytes32(uint256(0xff));
        bytes32 at = keccak256(abi.encode(START, slot));
        assertEq(vm.load(address(_client), at), _client.blockRoot(START), "block");
    }

    // ------------------------------------------------------------------------------ Construction

    function testTheFirstBlockIsWhatIsBelieved() public view {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        assertEq(_client.latestSlot(), START, "slot");
        assertEq(_client.blockRoot(START), Beacon.rootOf(header), "block");
        assertEq(_client.committeeRoot(1), committee.root, "committee");
        assertEq(_client.committeeRoot(2), 0, "next");
    }

    function testRefusesKeysThatAreNone() public {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        EthereumClient.Network memory terms = network(0);
        vm.expectRevert(abi.encodeWithSelector(MusterKey.NotForDigests.selector, TRANSLATIONS, 5));
        new EthereumClient(verifier, TRANSLATIONS, TRANSLATIONS, terms, header, committee);
        vm.expectRevert(
            abi.encodeWithSelector(MusterKey.NotForTranslations.selector, SIGNATURES, 4)
        );
        new EthereumClient(verifier, SIGNATURES, SIGNATURES, terms, header, committee);
        vm.expectRevert(abi.encodeWithSelector(MusterKey.UnknownKey.selector, bytes32("none")));
        new EthereumClient(verifier, "none", TRANSLATIONS, terms, header, committee);
    }

    function testRefusesNetworksThatAreNone() public {
        EthereumClient.Network memory terms = network(0);
        terms.secondsPerSlot = 0;
        refusesNetwork(terms, EthereumClient.UnusableNetwork.selector);
        terms = network(0);
        terms.slotsPerEpoch = 0;
        refusesNetwork(terms, EthereumClient.UnusableNetwork.selector);
        terms = network(0);
        terms.epochsPerPeriod = 0;
        refusesNetwork(terms, EthereumClient.UnusableNetwork.selector);
        terms = network(0);
        terms.committeeSize = 0;
        refusesNetwork(terms, EthereumClient.UnusableNetwork.selector);
        terms = network(0);
        terms.forks = new EthereumClient.Fork[](0);
        refusesNetwork(terms, EthereumClient.NoFork.selector);
        terms = network(0);
        terms.forks[0].epoch = 3;
        refusesNetwork(terms, EthereumClient.NoFork.selector);
        terms.forks[0].epoch = terms.forks[1].epoch;
        refusesNetwork(terms, EthereumClient.UnusableFork.selector);
    }

    /// @dev Equal, one above another, or none.
    function testRefusesPlacesThatAreNotApart() public {
        uint16[3][6] memory wrong = [
            [uint16(105), 54, 54],
            [uint16(55), 54, 55],
            [uint16(110), 54, 55],
            [uint16(105), 26, 55],
            [uint16(105), 54, 27],
            [uint16(105), 0, 55]
        ];
        for (uint256 i = 0; i < 6; ++i) {
            EthereumClient.Network memory terms = network(0);
            terms.forks[1].finalizedRoot = wrong[i][0];
            terms.forks[1].currentCommittee = wrong[i][1];
            terms.forks[1].nextCommittee = wrong[i][2];
            // 26 is above 52, the checkpoint, and 27 above both committees.
            refusesNetwork(terms, EthereumClient.UnusableFork.selector);
        }
    }

    function testTheFirstCommitteeIsShown() public {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        EthereumClient.Network memory terms = network(0);
        committee.hashTreeRoot = committeeOf(2);
        vm.expectRevert(abi.encodeWithSelector(EthereumClient.NotInState.selector, committeeOf(2)));
        new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
        committee.hashTreeRoot = committeeOf(1);
        committee.root += 1;
        vm.expectRevert(
            abi.encodeWithSelector(
                EthereumClient.TranslationRejected.selector, committeeOf(1), committee.root
            )
        );
        new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
    }

    // ------------------------------------------------------------------------------ Cost

    /// @dev Whole transactions under the last fork of the table, with proofs as long as those of committees of 512. The mock stands for the verifier: what it
    /// takes is taken away, and what `MusterVerifier` takes for such a proof of signatures is added for each.
    /// `forge test --match-contract EthereumClientTest --match-test Cost -vv` prints the figures.
    function testCost() public {
        _client = deploy(49, 0);
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) =
            updateOf(53, 52, 50);
        update.proof = longProof("signatures");
        sign(update);
        uint256 mock = mockCost(update);
        _client.follow(update);
        uint256 used = vm.lastCallGas().gasTotalUsed - mock + PROOF_GAS;
        emit log_named_uint("follow: all in", used);
        assertBelow(used, 352_000, "follow");
        (update, next) = updateOf(54, 53, 51);
        (update.proof, next.proof) = (longProof("signatures"), longProof("translation"));
        sign(update);
        translate(next, SEATS, SEATS);
        _client.rotate(update, next);
        used = vm.lastCallGas().gasTotalUsed;
        used = used - mockCost(update, next) + PROOFS_GAS;
        emit log_named_uint("rotate: all in", used);
        assertBelow(used, 560_000, "rotate");
    }

    /// @dev Execution of the mock's `verify`.
    function mockCost(EthereumClient.Update memory update) private returns (uint256) {
        return new Meter().gasOf(verifier, SIGNATURES, inputsOf(update), update.proof);
    }

    /// @dev Of its `verifyAll`.
    function mockCost(EthereumClient.Update memory update, EthereumClient.Committee memory next)
        private
        returns (uint256)
    {
        IMusterVerifier.Claim[] memory claims = new IMusterVerifier.Claim[](2);
        claims[0] = IMusterVerifier.Claim(SIGNATURES, inputsOf(update), update.proof);
        uint256[] memory inputs =
            MusterStatement.ofTranslation(next.root, next.hashTreeRoot, SEATS, SEATS);
        claims[1] = IMusterVerifier.Claim(TRANSLATIONS, inputs, next.proof);
        return new Meter().gasOf(verifier, claims);
    }

    function inputsOf(EthereumClient.Update memory update) private view returns (uint256[] memory) {
        bytes32 signed =
            EthereumDigest.signingRoot(Beacon.rootOf(update.attested), versionAt(52), GENESIS);
        return MusterStatement.ofDigest(musterRoot(committeeOf(6)), update.participants, signed);
    }

    function longProof(bytes32 seed) private pure returns (bytes memory proof) {
        for (uint256 i = 0; i < PROOF_LENGTH / 32; ++i) {
            proof = bytes.concat(proof, keccak256(abi.encode(seed, i)));
        }
    }

    // ------------------------------------------------------------------------------ Helpers

    function error(bytes4 selector, uint256 a) private pure returns (bytes memory) {
        return abi.encodeWithSelector(selector, a);
    }

    function error(bytes4 selector, uint256 a, uint256 b) private pure returns (bytes memory) {
        return abi.encodeWithSelector(selector, a, b);
    }

    function error(bytes4 selector, uint256 a, uint256 b, uint256 c)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(selector, a, b, c);
    }

    /// @dev An update that is signed as it should be, and refused for this reason.
    function refuses(uint64 signature, uint64 attested, uint64 finalized, bytes memory reason)
        private
    {
        (EthereumClient.Update memory update,) = updateOf(signature, attested, finalized);
        sign(update);
        vm.expectRevert(reason);
        _client.follow(update);
    }

    function refusesVersion(uint64 signature, uint64 attested, bytes4 version) private {
        (EthereumClient.Update memory update,) = updateOf(signature, attested, attested);
        update.proof = abi.encode("signed under another version", signature, version);
        signAs(update, committeeOf(signature / PERIOD), version, GENESIS);
        expectRejected();
        _client.follow(update);
    }

    function accepts(uint64 signature, uint64 attested, uint64 finalized) private {
        (EthereumClient.Update memory update,) = updateOf(signature, attested, finalized);
        sign(update);
        _client.follow(update);
        assertEq(_client.latestSlot(), finalized, "latest");
        assertEq(_client.blockRoot(finalized), Beacon.rootOf(update.finalized), "block");
    }

    /// @dev The proof is refused, whatever the signing root.
    function expectRejected() private {
        vm.expectPartialRevert(EthereumClient.SignatureRejected.selector);
    }

    function refusesNetwork(EthereumClient.Network memory terms, bytes4 reason) private {
        (Beacon.Header memory header, EthereumClient.Committee memory committee) = startAt(START);
        vm.expectPartialRevert(reason);
        new EthereumClient(verifier, SIGNATURES, TRANSLATIONS, terms, header, committee);
    }
}
