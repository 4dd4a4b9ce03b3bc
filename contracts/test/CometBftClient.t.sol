// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../src/CometBftClient.sol";
import {MusterKey} from "../src/MusterKey.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {CometBft} from "../src/digests/CometBft.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {CometBftChain} from "./base/CometBftChain.sol";

/// @dev A hostile verifier: whoever asks it is called back, with what the proof holds.
contract ReenteringVerifier {
    function keyBytes(bytes32 name) external pure returns (bytes memory) {
        return abi.encodePacked(new bytes(20), name == "digests" ? 4 : uint32(5), new bytes(232));
    }

    function verify(bytes32, uint256[] calldata, bytes calldata proof) external returns (bool) {
        bool entered = false;
        if (proof.length != 0) (entered,) = msg.sender.call{gas: 2_000_000}(proof);
        return !entered;
    }
}

/// @dev A chain that the test makes: block 100 is trusted, and names set 1 as the next.
contract CometBftClientTest is CometBftChain {
    event ValidatorsRegistered(
        bytes32 indexed validatorsHash, uint256 indexed root, uint64 members, uint64 total
    );
    event HeaderVerified(
        uint64 indexed height,
        bytes32 indexed blockHash,
        CometBftClient.Checkpoint checkpoint,
        bytes32 appHash
    );
    event ClientFrozen(CometBftClient.Checkpoint contradiction, uint64 otherHeight);

    function setUp() public {
        vm.warp(START + 1000);
        deploy(first());
        for (uint256 i = 1; i < 4; ++i) {
            registerSet(i);
        }
    }

    function first() private pure returns (CometBft.Header memory) {
        return makeHeader(100, int64(START), 5, 0, 1);
    }

    /// @dev Block 101, by set 1, which names set 2.
    function second() private pure returns (CometBft.Header memory) {
        return makeHeader(101, int64(START) + 6, 0, 1, 2);
    }

    /// @dev Block 200, by set 3, whom nobody named who is trusted.
    function later() private pure returns (CometBft.Header memory) {
        return makeHeader(200, int64(START) + 600, 0, 3, 3);
    }

    // ------------------------------------------------------------------------------ Construction

    function testRefusesKeysThatCouldNotWork() public {
        bytes32 none = keccak256("none");
        vm.expectRevert(abi.encodeWithSelector(MusterKey.NoCode.selector, address(7)));
        new CometBftClient(IMusterVerifier(address(7)), none, none, 1, 1, first());
        vm.expectRevert(abi.encodeWithSelector(MusterKey.UnknownKey.selector, none));
        new CometBftClient(verifier, none, TRANSLATIONS, PERIOD, DRIFT, first());
        vm.expectRevert(abi.encodeWithSelector(MusterKey.UnknownKey.selector, none));
        new CometBftClient(verifier, PRECOMMITS, none, PERIOD, DRIFT, first());
        vm.expectRevert(abi.encodeWithSelector(MusterKey.NotForDigests.selector, TRANSLATIONS, 5));
        new CometBftClient(verifier, TRANSLATIONS, PRECOMMITS, PERIOD, DRIFT, first());
        vm.expectRevert(
            abi.encodeWithSelector(MusterKey.NotForTranslations.selector, PRECOMMITS, 4)
        );
        new CometBftClient(verifier, PRECOMMITS, PRECOMMITS, PERIOD, DRIFT, first());
    }

    function testRefusesHeadersThatCouldNotBeFollowed() public {
        CometBft.Header memory header = first();
        header.chainId = "";
        expectNoClient(header, abi.encodeWithSelector(CometBftClient.ChainIdLength.selector, 0));
        header.chainId = new bytes(51);
        expectNoClient(header, abi.encodeWithSelector(CometBftClient.ChainIdLength.selector, 51));
        header = first();
        header.height = 0;
        expectNoClient(header, abi.encodeWithSelector(CometBft.HeightOutOfRange.selector, 0));
        header.height = 2 ** 63;
        expectNoClient(header, abi.encodeWithSelector(CometBft.HeightOutOfRange.selector, 2 ** 63));
        header = first();
        header.hashes[3] = "";
        expectNoClient(header, abi.encodeWithSelector(wrongHash(), 3, 0));
        header = first();
        header.time.secs = -1;
        expectNoClient(header, abi.encodeWithSelector(CometBftClient.TimeOutOfRange.selector, -1));
        header.time = CometBft.Time(int64(START), 1_000_000_000);
        expectNoClient(
            header, abi.encodeWithSelector(CometBft.NanosOutOfRange.selector, 1_000_000_000)
        );
        header = first();
        header.time.secs += 1000 + int64(DRIFT);
        expectNoClient(header, abi.encodeWithSelector(CometBftClient.FromTheFuture.selector, 100));
        vm.warp(START + PERIOD + 1);
        expectNoClient(first(), abi.encodeWithSelector(CometBftClient.HeaderExpired.selector, 100));
        vm.expectRevert(abi.encodeWithSelector(CometBftClient.NoTrustingPeriod.selector));
        new CometBftClient(verifier, PRECOMMITS, TRANSLATIONS, 0, DRIFT, first());
    }

    function testBeginsWithTheHeader() public {
        CometBftClient.Checkpoint memory checkpoint = checkpointOf(first());
        bytes32 app = bytes32(first().hashes[5]);
        vm.expectEmit();
        emit HeaderVerified(100, checkpoint.blockHash, checkpoint, app);
        client = new CometBftClient(verifier, PRECOMMITS, TRANSLATIONS, PERIOD, DRIFT, first());
        (uint64 height, CometBft.Time memory time) = client.latest();
        assertEq(height, 100, "height");
        assertEq(uint64(time.secs), START, "seconds");
        assertEq(time.nanos, 5, "nanoseconds");
        assertTrue(client.isVerified(checkpoint), "verified");
        assertEq(client.appHash(100), app, "app hash");
        assertEq(keccak256(client.chainId()), keccak256(NAME), "chain");
        assertStatus(CometBftClient.Status.Active);
    }

    // ------------------------------------------------------------------------------ Translations

    function testATranslationNeedsItsProof() public {
        CometBftClient.Translation memory translation = translationOf(9);
        expectRejected(translation);
        // A proof under the other key is none, whatever it is about.
        uint256[] memory inputs = MusterStatement.ofTranslation(
            translation.root, translation.validatorsHash, translation.members, translation.total
        );
        verifier.addProof(PRECOMMITS, inputs, PROOF);
        expectRejected(translation);
        prove(translation);
        vm.expectEmit();
        emit ValidatorsRegistered(hashOfSet(9), rootOfSet(9), 4, totalOfSet(9));
        client.register(translation);
        CometBftClient.ValidatorSet memory set = client.validatorSet(hashOfSet(9));
        assertEq(set.root, rootOfSet(9), "root");
        assertEq(set.members, 4, "members");
        assertEq(set.total, totalOfSet(9), "total");
    }

    function testFuzzEveryFieldOfATranslationCounts(uint8 field, uint64 value) public {
        CometBftClient.Translation memory translation = translationOf(9);
        prove(translation);
        bytes32 before = keccak256(abi.encode(translation));
        field %= 6;
        if (field == 0) translation.root = 1 + uint256(value);
        if (field == 1) translation.total = uint64(bound(value, 4, 2 ** 60 - 1));
        if (field == 2) translation.members = uint64(bound(value, 1, totalOfSet(9)));
        if (field == 3) translation.validatorsHash ^= bytes32(1 + uint256(value));
        if (field == 4) translation.validatorsHash ^= bytes32(1 + uint256(value) << 128);
        if (field == 5) translation.proof = abi.encode(value);
        vm.assume(keccak256(abi.encode(translation)) != before);
        expectRejected(translation);
    }

    function testTranslationsOfNoSet() public {
        CometBftClient.Translation memory translation = translationOf(9);
        translation.root = 0;
        expectRefused(translation, MusterStatement.RootOutOfRange.selector, 0);
        uint256 modulus = MusterStatement.SCALAR_MODULUS;
        translation.root = modulus;
        expectRefused(translation, MusterStatement.RootOutOfRange.selector, modulus);
        translation = translationOf(9);
        translation.total = 0;
        expectRefused(translation, MusterStatement.TotalOutOfRange.selector, 0);
        translation.total = 2 ** 60;
        expectRefused(translation, MusterStatement.TotalOutOfRange.selector, 2 ** 60);
        translation = translationOf(9);
        translation.members = 0;
        expectRefused(translation, MusterStatement.MembersOutOfRange.selector, 0);
        translation.members = translation.total + 1;
        expectRefused(translation, MusterStatement.MembersOutOfRange.selector, translation.members);
    }

    function testASetIsRegisteredOnce() public {
        CometBftClient.Translation memory other = translationOf(1);
        (other.root, other.total, other.proof) = (9, 9, "no proof");
        client.register(other);
        assertEq(client.validatorSet(hashOfSet(1)).root, rootOfSet(1), "root");
        assertEq(client.validatorSet(hashOfSet(1)).total, totalOfSet(1), "total");
    }

    // ------------------------------------------------------------------------------ What is refused

    function testEverySetHasToSign() public {
        CometBftClient.Update memory update = makeUpdate(first(), later());
        bytes32 digest = digestOf(update);
        expectProofRejected(update, 3);
        // As much as is too little.
        proveSigned(rootOfSet(3), totalOfSet(3) * 2 / 3, digest, PROOF);
        expectProofRejected(update, 3);
        proveSigned(rootOfSet(3), totalOfSet(3) * 2 / 3 + 1, digest, PROOF);
        expectProofRejected(update, 1);
        update.trustedProof = "";
        expectProofRejected(update, 1);
        update.trustedProof = PROOF;
        proveSigned(rootOfSet(1), totalOfSet(1) / 3, digest, PROOF);
        expectProofRejected(update, 1);
        // The set that signed the trusted header is not the one to ask, but the one that it names.
        proveSigned(rootOfSet(0), totalOfSet(0) / 3 + 1, digest, PROOF);
        expectProofRejected(update, 1);
        // Nor has a third of the one that is asked signed another precommit for the same block.
        update.round = 1;
        proveSigned(rootOfSet(1), totalOfSet(1) / 3 + 1, digestOf(update), PROOF);
        update.round = 0;
        expectProofRejected(update, 1);
        proveSigned(rootOfSet(1), totalOfSet(1) / 3 + 1, digest, PROOF);
        client.submit(update);
        assertTrue(client.isVerified(checkpointOf(later())), "verified");
    }

    /// @dev The trusted set alone makes no header of other validators.
    function testTheTrustedSetIsNotTheHeadersOwn() public {
        CometBftClient.Update memory update = makeUpdate(first(), later());
        bytes32 digest = digestOf(update);
        for (uint64 weight = 1; weight <= totalOfSet(1); ++weight) {
            proveSigned(rootOfSet(1), weight, digest, PROOF);
        }
        expectProofRejected(update, 3);
    }

    /// @dev Anybody can register a set of their own, and sign with it.
    function testStrangersConvinceNobody() public {
        registerSet(66);
        CometBft.Header memory header = makeHeader(200, int64(START) + 600, 0, 66, 66);
        CometBftClient.Update memory update = makeUpdate(first(), header);
        update.trustedProof = "another";
        sign(update, 66, 66);
        expectProofRejected(update, 1);
        // As the next block it is refused whoever signed.
        header.height = 101;
        update = makeUpdate(first(), header);
        sign(update, 66, 1);
        expect(update, abi.encodeWithSelector(wrongValidators(), hashOfSet(1), hashOfSet(66)));
    }

    function testSetsThatNobodyRegistered() public {
        CometBft.Header memory header = makeHeader(101, int64(START) + 6, 0, 1, 9);
        CometBftClient.Update memory update = makeUpdate(first(), header);
        sign(update, 1, 1);
        client.submit(update);
        update = makeUpdate(header, makeHeader(102, int64(START) + 12, 0, 9, 9));
        sign(update, 9, 9);
        expectUnknown(update, 9);
        update = makeUpdate(header, later());
        sign(update, 3, 9);
        expectUnknown(update, 9);
    }

    /// @dev Every field of the precommit is signed: height, block and chain are the header's.
    function testFuzzThePrecommitCounts(uint8 field, uint32 value) public {
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        field %= 3;
        if (field == 0) update.round = 1 + value % (2 ** 31 - 1);
        if (field == 1) update.partsTotal = uint32(bound(value, 2, type(uint32).max));
        if (field == 2) update.partsHash ^= bytes32(1 + uint256(value));
        expectProofRejected(update, 1);
    }

    function testPrecommitsThatThereAreNot() public {
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        update.round = 2 ** 31;
        expect(update, abi.encodeWithSelector(CometBft.RoundOutOfRange.selector, 2 ** 31));
        (update.round, update.partsTotal) = (0, 0);
        expect(update, abi.encodeWithSelector(CometBft.NoParts.selector));
        CometBft.Header memory header = second();
        header.height = 2 ** 63;
        update = makeUpdate(first(), header);
        expect(update, abi.encodeWithSelector(CometBft.HeightOutOfRange.selector, 2 ** 63));
    }

    /// @dev No field of the header can be another one.
    function testFuzzTheHeaderCounts(uint256 field, uint64 value) public {
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        bytes32 before = CometBft.hashOf(update.header);
        bytes memory text = abi.encode(value);
        field = bound(field, 0, 16);
        if (field == 0) update.header.versionBlock = value;
        if (field == 1) update.header.versionApp = value;
        if (field == 2) update.header.chainId = text;
        if (field == 3) update.header.height = value;
        if (field == 4) update.header.time.secs = int64(value);
        if (field == 5) update.header.time.nanos = uint32(value);
        if (field == 6) update.header.lastBlockId.blockHash = text;
        if (field == 7) update.header.lastBlockId.partsTotal = uint32(value);
        if (field > 7) update.header.hashes[field - 8] = text;
        // Nanoseconds above a second have no hash; the client refuses them, too.
        vm.assume(field == 5 && uint32(value) >= 1e9 || CometBft.hashOf(update.header) != before);
        vm.expectRevert();
        client.submit(update);
    }

    function testHeadersOfOtherForms() public {
        CometBft.Header memory header = second();
        header.chainId = "test-2";
        expectAll(header, abi.encodeWithSelector(CometBftClient.WrongChain.selector, "test-2"));
        header = second();
        for (uint256 i = 2; i < 4; ++i) {
            bytes memory good = header.hashes[i];
            header.hashes[i] = "";
            expectAll(header, abi.encodeWithSelector(wrongHash(), i, 0));
            header.hashes[i] = bytes.concat(good, hex"00");
            expectAll(header, abi.encodeWithSelector(wrongHash(), i, 33));
            header.hashes[i] = good;
        }
        header.time.secs = -1;
        expectAll(header, abi.encodeWithSelector(CometBftClient.TimeOutOfRange.selector, -1));
    }

    function testHeightsAndTimesRise() public {
        CometBft.Header memory header = second();
        header.height = 100;
        expectAll(header, abi.encodeWithSelector(CometBftClient.NotHigher.selector, 100, 100));
        header.height = 99;
        expectAll(header, abi.encodeWithSelector(CometBftClient.NotHigher.selector, 100, 99));
        header = second();
        header.time = CometBft.Time(int64(START), 5);
        expectAll(header, abi.encodeWithSelector(CometBftClient.NotLater.selector, 101));
        header.time = CometBft.Time(int64(START) - 1, 999_999_999);
        expectAll(header, abi.encodeWithSelector(CometBftClient.NotLater.selector, 101));
        header.time = CometBft.Time(int64(START), 6);
        take(first(), header, 1, 1);
    }

    /// @dev Set 1 is the one that block 100 names. Set 0 signed it, and is nobody for the next one.
    function testTheNextBlockIsOfTheSetThatWasNamed() public {
        registerSet(0);
        for (uint256 i = 0; i < 4; ++i) {
            if (i == 1) continue;
            CometBft.Header memory header = makeHeader(101, int64(START) + 6, 0, i, 1);
            CometBftClient.Update memory update = makeUpdate(first(), header);
            sign(update, i, 1);
            expect(update, abi.encodeWithSelector(wrongValidators(), hashOfSet(1), hashOfSet(i)));
        }
        take(first(), second(), 1, 1);
    }

    function testOnlyWhatWasVerifiedIsTrusted() public {
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        for (uint256 i = 0; i < 5; ++i) {
            CometBftClient.Update memory other = makeUpdate(first(), second());
            if (i == 0) other.trusted.height = 99;
            if (i == 1) other.trusted.blockHash = "another";
            if (i == 2) other.trusted.nextValidatorsHash = hashOfSet(2);
            if (i == 3) other.trusted.time.secs += 1;
            if (i == 4) other.trusted.time.nanos = 0;
            uint64 height = other.trusted.height;
            expect(other, abi.encodeWithSelector(CometBftClient.NotTrusted.selector, height));
        }
        // Nothing stands at a height where nothing was verified.
        CometBftClient.Checkpoint memory none;
        assertFalse(client.isVerified(none), "none");
        client.submit(update);
    }

    // ------------------------------------------------------------------------------ Time

    /// @dev The trusted header has five nanoseconds above the second.
    function testTheTrustingPeriodEnds() public {
        take(first(), second(), 1, 1);
        CometBftClient.Update memory update = makeUpdate(first(), later());
        sign(update, 3, 1);
        vm.warp(START + PERIOD + 1);
        expect(update, abi.encodeWithSelector(CometBftClient.HeaderExpired.selector, 100));
        vm.warp(START + PERIOD);
        client.submit(update);
    }

    function testNothingRevivesAClientThatExpired() public {
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        vm.warp(START + PERIOD);
        assertStatus(CometBftClient.Status.Active);
        client.appHash(100);
        vm.warp(START + PERIOD + 1);
        assertStatus(CometBftClient.Status.Expired);
        expectInactive(update, CometBftClient.Status.Expired);
        registerSet(9);
        expectInactive(update, CometBftClient.Status.Expired);
        assertTrue(client.isVerified(checkpointOf(first())), "verified");
    }

    /// @dev At a header that has no nanoseconds the period ends with the second.
    function testTheLastNanosecond() public {
        take(first(), second(), 1, 1);
        vm.warp(START + 6 + PERIOD - 1);
        assertStatus(CometBftClient.Status.Active);
        vm.warp(START + 6 + PERIOD);
        assertStatus(CometBftClient.Status.Expired);
    }

    function testHeadersFromTheFuture() public {
        CometBft.Header memory header = second();
        header.time = CometBft.Time(int64(START) + 1000 + int64(DRIFT), 0);
        expectAll(header, abi.encodeWithSelector(CometBftClient.FromTheFuture.selector, 101));
        header.time.secs = type(int64).max;
        expectAll(header, abi.encodeWithSelector(CometBftClient.FromTheFuture.selector, 101));
        header.time = CometBft.Time(int64(START) + 999 + int64(DRIFT), 999_999_999);
        take(first(), header, 1, 1);
    }

    // ------------------------------------------------------------------------------ What is taken

    function testStepsAndSkips() public {
        CometBftClient.Checkpoint memory checkpoint = checkpointOf(second());
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        update.trustedProof = "";
        vm.expectEmit();
        emit HeaderVerified(101, checkpoint.blockHash, checkpoint, bytes32(second().hashes[5]));
        client.submit(update);
        take(second(), later(), 3, 2);
        assertLatest(later());
        // Lower ones can be filled in, from any that is trusted and lower still.
        CometBft.Header memory between = makeHeader(150, int64(START) + 300, 0, 2, 3);
        take(first(), between, 2, 1);
        assertLatest(later());
        take(between, makeHeader(151, int64(START) + 306, 0, 3, 3), 3, 3);
        assertEq(client.appHash(150), bytes32(between.hashes[5]), "app hash");
        assertStatus(CometBftClient.Status.Active);
    }

    function testARotationIsOneTransaction() public {
        CometBft.Header memory header = makeHeader(300, int64(START) + 900, 0, 7, 7);
        CometBftClient.Update memory update = makeUpdate(first(), header);
        sign(update, 7, 1);
        expectUnknown(update, 7);
        prove(translationOf(7));
        client.registerAndSubmit(translationOf(7), update);
        assertLatest(header);
    }

    function testAHeaderIsTakenOnce() public {
        take(first(), second(), 1, 1);
        CometBftClient.Update memory update = makeUpdate(first(), second());
        update.proof = "no proof";
        vm.recordLogs();
        client.submit(update);
        assertEq(vm.getRecordedLogs().length, 0, "no event");
        assertLatest(second());
        assertStatus(CometBftClient.Status.Active);
    }

    function testApplicationsWithoutAHashOf32Bytes() public {
        CometBft.Header memory header = second();
        header.hashes[5] = "";
        take(first(), header, 1, 1);
        bytes4 none = CometBftClient.NoAppHash.selector;
        vm.expectRevert(abi.encodeWithSelector(none, 101));
        client.appHash(101);
        CometBft.Header memory other = makeHeader(102, int64(START) + 12, 0, 2, 2);
        other.hashes[5] = new bytes(8);
        take(header, other, 2, 2);
        vm.expectRevert(abi.encodeWithSelector(none, 102));
        client.appHash(102);
        vm.expectRevert(abi.encodeWithSelector(CometBftClient.NotTrusted.selector, 103));
        client.appHash(103);
    }

    // ------------------------------------------------------------------------------ Contradictions

    function testTwoHeadersOfOneHeightFreeze() public {
        take(first(), second(), 1, 1);
        CometBft.Header memory other = second();
        other.hashes[5] = abi.encode("another");
        CometBftClient.Update memory update = makeUpdate(first(), other);
        expectProofRejected(update, 1);
        sign(update, 1, 1);
        vm.expectEmit();
        emit ClientFrozen(checkpointOf(other), 101);
        client.submit(update);
        isFrozen();
        assertFalse(client.isVerified(checkpointOf(other)), "not taken");
    }

    function testAHigherHeaderThatIsNotLaterFreezes() public {
        take(first(), later(), 3, 1);
        CometBft.Header memory other = makeHeader(300, int64(START) + 600, 0, 2, 2);
        CometBftClient.Update memory update = makeUpdate(first(), other);
        sign(update, 2, 1);
        client.submit(update);
        isFrozen();
        assertLatest(later());
    }

    /// @dev A header far above the chain, which the chain itself contradicts as soon as it is later than that one.
    function testALowerHeaderThatIsNotEarlierFreezes() public {
        take(first(), later(), 3, 1);
        CometBft.Header memory other = makeHeader(199, int64(START) + 600, 1, 2, 2);
        CometBftClient.Update memory update = makeUpdate(first(), other);
        sign(update, 2, 1);
        client.submit(update);
        isFrozen();
    }

    function testReportsOfTimesBelowTheLatest() public {
        CometBft.Header memory between = makeHeader(150, int64(START) + 300, 0, 2, 3);
        take(first(), later(), 3, 1);
        take(first(), between, 2, 1);
        CometBft.Header memory other = makeHeader(140, int64(START) + 300, 0, 2, 3);
        CometBftClient.Update memory update = makeUpdate(first(), other);
        bytes4 none = CometBftClient.NoContradiction.selector;
        expectNoReport(update, checkpointOf(first()), abi.encodeWithSelector(none, 140, 100));
        expectNoReport(update, checkpointOf(later()), abi.encodeWithSelector(none, 140, 200));
        expectNoReport(update, checkpointOf(between), rejected(2));
        sign(update, 2, 1);
        expectNoReport(
            update,
            checkpointOf(other),
            abi.encodeWithSelector(CometBftClient.NotTrusted.selector, 140)
        );
        client.report(update, checkpointOf(between));
        isFrozen();
    }

    function testAHeaderDoesNotContradictItself() public {
        take(first(), second(), 1, 1);
        CometBftClient.Update memory update = makeUpdate(first(), second());
        sign(update, 1, 1);
        expectNoReport(
            update,
            checkpointOf(second()),
            abi.encodeWithSelector(CometBftClient.NoContradiction.selector, 101, 101)
        );
        update.header.hashes[0] = "another";
        expectNoReport(update, checkpointOf(second()), rejected(1));
        sign(update, 1, 1);
        client.report(update, checkpointOf(second()));
        isFrozen();
    }

    // ------------------------------------------------------------------------------ Others

    function testFuzzThresholds(uint64 total) public view {
        total = uint64(bound(total, 1, 2 ** 60 - 1));
        uint256 more = client.twoThirds(total);
        assertTrue(3 * more > 2 * uint256(total) && 3 * (more - 1) <= 2 * uint256(total), "2/3");
        assertTrue(more <= total, "can be reached");
        more = client.oneThird(total);
        assertTrue(3 * more > total && 3 * (more - 1) <= total, "1/3");
    }

    function testTheLargestSet() public {
        CometBftClient.Translation memory translation = translationOf(9);
        translation.total = 2 ** 60 - 1;
        prove(translation);
        client.register(translation);
        CometBftClient.Update memory update =
            makeUpdate(first(), makeHeader(200, int64(START) + 600, 0, 9, 9));
        bytes32 digest = digestOf(update);
        proveSigned(rootOfSet(1), totalOfSet(1) / 3 + 1, digest, PROOF);
        // 2^60 - 1 is three times 384307168202282325.
        proveSigned(rootOfSet(9), 2 * 384_307_168_202_282_325, digest, PROOF);
        expectProofRejected(update, 9);
        proveSigned(rootOfSet(9), 2 * 384_307_168_202_282_325 + 1, digest, PROOF);
        client.submit(update);
    }

    /// @dev The verifier is asked by static calls, so nothing that it calls can change the client.
    function testNothingIsReEntered() public {
        ReenteringVerifier hostile = new ReenteringVerifier();
        client = new CometBftClient(
            IMusterVerifier(address(hostile)), "digests", TRANSLATIONS, PERIOD, DRIFT, first()
        );
        CometBftClient.Translation memory inner = translationOf(2);
        inner.proof = "";
        CometBftClient.Translation memory outer = translationOf(1);
        outer.proof = abi.encodeCall(client.register, (inner));
        client.register(outer);
        assertEq(client.validatorSet(hashOfSet(2)).root, 0, "not registered");
        CometBftClient.Update memory update = makeUpdate(first(), second());
        (update.proof, update.trustedProof) = ("", "");
        CometBftClient.Update memory other =
            makeUpdate(first(), makeHeader(102, int64(START) + 12, 0, 1, 1));
        other.proof = abi.encodeCall(client.submit, (update));
        client.submit(other);
        assertFalse(client.isVerified(checkpointOf(second())), "not verified");
        // From outside the inner calls do what they say.
        client.register(inner);
        client.submit(update);
        assertTrue(client.isVerified(checkpointOf(second())), "verified");
    }

    function testTheSlotIsThatOfItsName() public view {
        uint256 base = uint256(keccak256("muster.storage.CometBftClient")) - 1;
        bytes32 slot = keccak256(abi.encode(base)) & ~bytes32(uint256(0xff));
        bytes32 at = keccak256(abi.encode(100, slot));
        bytes32 expected = keccak256(abi.encode(checkpointOf(first())));
        assertEq(vm.load(address(client), at), expected, "checkpoint");
    }

    // ------------------------------------------------------------------------------ Helpers

    function take(
        CometBft.Header memory from,
        CometBft.Header memory to,
        uint256 own,
        uint256 trusted
    ) private {
        CometBftClient.Update memory update = makeUpdate(from, to);
        sign(update, own, trusted);
        client.submit(update);
        assertTrue(client.isVerified(checkpointOf(to)), "verified");
    }

    function isFrozen() private {
        assertStatus(CometBftClient.Status.Frozen);
        CometBft.Header memory header = makeHeader(101, int64(START) + 7, 0, 1, 2);
        CometBftClient.Update memory update = makeUpdate(first(), header);
        sign(update, 1, 1);
        expectInactive(update, CometBftClient.Status.Frozen);
        registerSet(9);
        vm.warp(START + 2 * PERIOD);
        expectInactive(update, CometBftClient.Status.Frozen);
    }

    function expectInactive(CometBftClient.Update memory update, CometBftClient.Status status)
        private
    {
        bytes memory reason = abi.encodeWithSelector(CometBftClient.NotActive.selector, status);
        expect(update, reason);
        expectNoReport(update, checkpointOf(first()), reason);
        vm.expectRevert(reason);
        client.appHash(100);
    }

    function expect(CometBftClient.Update memory update, bytes memory reason) private {
        vm.expectRevert(reason);
        client.submit(update);
    }

    /// @dev A header that is refused although all sets signed it.
    function expectAll(CometBft.Header memory header, bytes memory reason) private {
        CometBftClient.Update memory update = makeUpdate(first(), header);
        bytes32 digest = digestOf(update);
        for (uint256 i = 1; i < 4; ++i) {
            proveSigned(rootOfSet(i), totalOfSet(i) * 2 / 3 + 1, digest, PROOF);
            proveSigned(rootOfSet(i), totalOfSet(i) / 3 + 1, digest, PROOF);
        }
        expect(update, reason);
    }

    function expectNoReport(
        CometBftClient.Update memory update,
        CometBftClient.Checkpoint memory other,
        bytes memory reason
    ) private {
        vm.expectRevert(reason);
        client.report(update, other);
    }

    function expectProofRejected(CometBftClient.Update memory update, uint256 set) private {
        expect(update, rejected(set));
    }

    function expectUnknown(CometBftClient.Update memory update, uint256 set) private {
        bytes4 unknown = CometBftClient.UnknownValidators.selector;
        expect(update, abi.encodeWithSelector(unknown, hashOfSet(set)));
    }

    function expectRejected(CometBftClient.Translation memory translation) private {
        bytes4 selector = CometBftClient.TranslationRejected.selector;
        expectRefused(translation, selector, uint256(translation.validatorsHash));
    }

    function expectRefused(
        CometBftClient.Translation memory translation,
        bytes4 selector,
        uint256 value
    ) private {
        vm.expectRevert(abi.encodeWithSelector(selector, value));
        client.register(translation);
    }

    function expectNoClient(CometBft.Header memory header, bytes memory reason) private {
        vm.expectRevert(reason);
        new CometBftClient(verifier, PRECOMMITS, TRANSLATIONS, PERIOD, DRIFT, header);
    }

    function rejected(uint256 set) private pure returns (bytes memory) {
        return abi.encodeWithSelector(CometBftClient.ProofRejected.selector, hashOfSet(set));
    }

    function wrongHash() private pure returns (bytes4) {
        return CometBftClient.WrongHashLength.selector;
    }

    function wrongValidators() private pure returns (bytes4) {
        return CometBftClient.WrongValidators.selector;
    }

    function assertStatus(CometBftClient.Status expected) private view {
        assertEq(uint256(client.status()), uint256(expected), "status");
    }

    function assertLatest(CometBft.Header memory header) private view {
        (uint64 height, CometBft.Time memory time) = client.latest();
        assertEq(height, header.height, "height");
        assertEq(uint64(time.secs), uint64(header.time.secs), "seconds");
        assertEq(time.nanos, header.time.nanos, "nanoseconds");
    }
}
