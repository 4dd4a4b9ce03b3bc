// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {KeySetRegistry} from "../src/KeySetRegistry.sol";
import {MusterKey} from "../src/MusterKey.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {WormholeClient} from "../src/WormholeClient.sol";
import {IDigest} from "../src/interfaces/IDigest.sol";
import {MockVerifier} from "../src/mocks/MockVerifier.sol";
import {Test} from "./base/Test.sol";

/// @dev The client follows Wormhole's own guardian sets 0 to 3, by the bodies of the VAAs that installed them; the
/// mock stands for proofs of their signatures.
contract WormholeClientTest is Test {
    bytes32 private constant KEY = keccak256("a key for ECDSA by address");
    uint64 private constant START = 1_628_094_930;
    bytes32 private constant TRANSLATION = keccak256("a key for translations");
    bytes private constant PROOF = "a proof";
    bytes private constant SAME = "a translation";
    /// @dev timestamp, nonce, chain, emitter, sequence, consistency
    bytes private constant HEAD = hex"610ac1d2" hex"00000003" hex"0002"
        hex"0000000000000000000000003ee18b2214aff97000d974cf647e7c347e8fa585" hex"0000000000000007"
        hex"01";

    MockVerifier private _verifier = new MockVerifier();
    KeySetRegistry private _registry = new KeySetRegistry();
    WormholeClient private _client;
    string private _json;

    event GuardianSetAdded(uint32 indexed index, uint256 indexed root, uint64 quorum);

    function setUp() public {
        _json = vm.readFile("test/vectors/wormhole.json");
        _verifier.addKey(KEY, 4);
        vm.warp(START);
        _verifier.addKey(TRANSLATION, 5);
        translate(vm.parseJsonUint(keySets(), ".sets[0].root"), first());
        WormholeClient.Keys memory keys = WormholeClient.Keys(KEY, TRANSLATION, 1);
        _client = new WormholeClient(_verifier, _registry, keys, 0, first(), SAME);
    }

    function first() private view returns (address[] memory guardians) {
        guardians = new address[](1);
        guardians[0] = vm.parseJsonAddress(_json, ".first");
    }

    // ------------------------------------------------------------------------------ Guardian sets

    /// @dev The roots are those that `muster root` prints: the second is in key-sets.json.
    function testFollowsTheGuardianSets() public {
        string memory sets = keySets();
        uint256 zeroth = vm.parseJsonUint(sets, ".sets[0].root");
        assertSet(0, zeroth, 1, 0);
        uint256 root = vm.parseJsonUint(sets, ".sets[1].root");
        bytes memory passed = upgrade(0);
        vm.expectEmit();
        emit GuardianSetAdded(1, root, 13);
        _client.submitNewGuardianSet(passed);
        assertSet(0, zeroth, 1, START + 1 days);
        assertSet(1, root, 13, 0);
        for (uint32 next = 2; next < 4; ++next) {
            vm.warp(START + next * 30 days);
            _client.submitNewGuardianSet(upgrade(next - 1));
            assertEq(_client.getCurrentGuardianSetIndex(), next, "in office");
            assertEq(_client.guardianSet(next).quorum, 13, "quorum");
            assertEq(
                _client.guardianSet(next - 1).expirationTime,
                START + (next * 30 + 1) * 1 days,
                "old"
            );
        }
    }

    function testAnUpgradeIsNotTakenTwice() public {
        bytes memory passed = upgrade(0);
        uint256 root = nextRoot();
        translate(root, named(bodyOf(0)));
        _client.submitNewGuardianSet(passed);
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.NotInOffice.selector, 0));
        _client.submitNewGuardianSet(passed);
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.NotInOffice.selector, 0));
        _client.submitTranslatedGuardianSet(passed, root, SAME);
    }

    // ------------------------------------------------------------------------------ Translations

    /// @dev It leads where the registry does.
    function testFollowsTheGuardianSetsByTranslations() public {
        for (uint32 next = 1; next < 4; ++next) {
            bytes memory passed = upgrade(next - 1);
            address[] memory guardians = named(bodyOf(next - 1));
            uint256 root = _registry.compute(guardians, new uint64[](0), 1).root;
            translate(root, guardians);
            vm.expectEmit();
            emit GuardianSetAdded(next, root, 13);
            _client.submitTranslatedGuardianSet(passed, root, SAME);
            assertSet(next, root, 13, 0);
            assertEq(_client.guardianSet(next - 1).expirationTime, START + 1 days, "old");
            assertEq(_client.getCurrentGuardianSetIndex(), next, "in office");
        }
        bytes memory early = upgrade(2);
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.NotInOffice.selector, 2));
        _client.submitTranslatedGuardianSet(early, 1, SAME);
    }

    /// @dev A translation that holds for another list, order, number or root, or of which a byte is another, is none.
    function testATranslationIsOfTheSignedList() public {
        bytes memory passed = upgrade(0);
        uint256 root = nextRoot();
        address[] memory guardians = named(bodyOf(0));
        expectTranslationRejected(passed, root, SAME);

        (guardians[3], guardians[4]) = (guardians[4], guardians[3]);
        translate(root, guardians);
        expectTranslationRejected(passed, root, SAME);
        guardians = named(bodyOf(1));
        translate(root, guardians);
        expectTranslationRejected(passed, root, SAME);
        guardians = named(bodyOf(0));
        translate(root + 1, guardians);
        expectTranslationRejected(passed, root, SAME);
        bytes32 commitment = keccak256(abi.encodePacked(guardians));
        addTranslation(root, commitment, 18, 19);
        addTranslation(root, commitment, 19, 20);
        expectTranslationRejected(passed, root, SAME);

        addTranslation(root, commitment, 19, 19);
        expectTranslationRejected(passed, root, "");
        expectTranslationRejected(passed, root, "A translation");
        expectTranslationRejected(passed, root, PROOF);
        _client.submitTranslatedGuardianSet(passed, root, SAME);
    }

    /// @dev A hash of 20 bytes for an address is another one.
    function testTheHashIsOfWords() public {
        bytes memory passed = upgrade(0);
        uint256 root = nextRoot();
        addTranslation(root, keccak256(cut(bodyOf(0), 51 + 40, 20 * 19)), 19, 19);
        expectTranslationRejected(passed, root, SAME);
    }

    function testATranslationNeedsASignedList() public {
        bytes memory body = bodyOf(0);
        uint256 root = nextRoot();
        translate(root, named(body));
        expectInvalid("proof rejected");
        _client.submitTranslatedGuardianSet(pass(0, body), root, SAME);
        expectInvalid("invalid guardian set");
        _client.submitTranslatedGuardianSet(pass(1, body), root, SAME);
        body[9] = 0x02;
        prove(0, body);
        vm.expectRevert(
            abi.encodeWithSelector(WormholeClient.NotGovernance.selector, 2, uint256(4))
        );
        _client.submitTranslatedGuardianSet(pass(0, body), root, SAME);
        body = bodyOf(0);
        body[83] = 0x01;
        prove(0, body);
        vm.expectRevert(notAnUpgrade(1, 0));
        _client.submitTranslatedGuardianSet(pass(0, body), root, SAME);
    }

    /// @dev Whatever the proof says.
    function testNoSetHasTheseRoots() public {
        bytes memory passed = upgrade(0);
        uint256[2] memory roots = [0, MusterStatement.SCALAR_MODULUS];
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(MusterStatement.RootOutOfRange.selector, roots[i])
            );
            _client.submitTranslatedGuardianSet(passed, roots[i], SAME);
        }
    }

    function testAnEmptyListHasNoTranslation() public {
        bytes memory body = cut(bodyOf(0), 0, 91);
        body[90] = 0;
        prove(0, body);
        uint256 root = nextRoot();
        vm.expectRevert(abi.encodeWithSelector(MusterStatement.TotalOutOfRange.selector, 0));
        _client.submitTranslatedGuardianSet(pass(0, body), root, SAME);
    }

    /// @dev The set before is good for messages for a day here, too, and for no upgrade.
    function testATranslatedSetIsLikeAnyOther() public {
        bytes memory passed = upgrade(0);
        uint256 root = nextRoot();
        translate(root, named(bodyOf(0)));
        _client.submitTranslatedGuardianSet(passed, root, SAME);
        bytes memory body = bytes.concat(HEAD, "payload");
        prove(0, body);
        prove(1, body);
        assertReason(pass(0, body), "");
        vm.warp(START + 1 days + 1);
        assertReason(pass(0, body), "guardian set has expired");
        assertReason(pass(1, body), "");
        body = bodyOf(1);
        prove(0, body);
        expectInvalid("guardian set has expired");
        _client.submitTranslatedGuardianSet(pass(0, body), root, SAME);
        // The registry goes on from there.
        _client.submitNewGuardianSet(upgrade(1));
        assertEq(_client.getCurrentGuardianSetIndex(), 2, "in office");
    }

    function testWithoutAKeyForTranslationsThereAreNone() public {
        WormholeClient.Keys memory keys = WormholeClient.Keys(KEY, 0, 1);
        _client = new WormholeClient(_verifier, _registry, keys, 0, first(), "");
        assertEq(uint256(_client.TRANSLATION_KEY()), 0, "no key");
        bytes memory passed = upgrade(0);
        uint256 root = nextRoot();
        translate(root, named(bodyOf(0)));
        vm.expectRevert(abi.encodeWithSelector(MockVerifier.UnknownKey.selector, bytes32(0)));
        _client.submitTranslatedGuardianSet(passed, root, SAME);
        _client.submitNewGuardianSet(passed);
        assertSet(1, root, 13, 0);
    }

    function testAnUpgradeIsTheNext() public {
        bytes memory body = bodyOf(1);
        prove(0, body);
        bytes memory passed = pass(0, body);
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.WrongIndex.selector, 1, 2));
        _client.submitNewGuardianSet(passed);
    }

    function testAnUpgradeNeedsItsProof() public {
        bytes memory passed = pass(0, bodyOf(0));
        expectInvalid("proof rejected");
        _client.submitNewGuardianSet(passed);
        passed = pass(1, bodyOf(0));
        expectInvalid("invalid guardian set");
        _client.submitNewGuardianSet(passed);
    }

    /// @dev The set before is good for messages, and for no upgrade.
    function testTheSetBeforeNamesNobody() public {
        _client.submitNewGuardianSet(upgrade(0));
        bytes memory body = bodyOf(1);
        prove(0, body);
        bytes memory passed = pass(0, body);
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.NotInOffice.selector, 0));
        _client.submitNewGuardianSet(passed);
    }

    /// @dev Each byte of emitter, module, action, chain, index and count says that it is such an upgrade.
    function testFuzzOnlyGovernanceInstallsASet(uint256 place, uint8 change) public {
        vm.assume(change != 0);
        bytes memory body = bodyOf(0);
        place = bound(place, 0, 42 + 40 - 9 - 1);
        // From the emitter's chain to the emitter, and from the module to the count.
        place = place < 34 ? 8 + place : 51 + place - 34;
        body[place] ^= bytes1(change);
        prove(0, body);
        bytes memory passed = pass(0, body);
        vm.expectRevert();
        _client.submitNewGuardianSet(passed);
    }

    function testUpgradesThatAreNone() public {
        bytes memory body = bodyOf(0);
        body[9] = 0x02;
        expectUpgradeRefused(
            body, abi.encodeWithSelector(WormholeClient.NotGovernance.selector, 2, uint256(4))
        );
        body = bodyOf(0);
        body[83] = 0x01;
        expectUpgradeRefused(body, notAnUpgrade(1, 0));
        body = bodyOf(0);
        body[85] = 0x02;
        expectUpgradeRefused(body, notAnUpgrade(2, 2));
    }

    function testAnUpgradeIsReadInOneWay() public {
        bytes memory body = bodyOf(0);
        uint256 length = body.length - 51;
        expectUpgradeRefused(
            bytes.concat(body, hex"00"),
            abi.encodeWithSelector(IDigest.WrongLength.selector, length, length + 1)
        );
        for (uint256 kept = 0; kept < length; kept += kept < 40 ? 1 : 13) {
            bytes memory reason = kept < 40
                ? abi.encodeWithSelector(IDigest.TooShort.selector, 40, kept)
                : abi.encodeWithSelector(IDigest.WrongLength.selector, length, kept);
            expectUpgradeRefused(cut(body, 51 + kept), reason);
        }
    }

    function testListsThatNoCommitteeHas() public {
        bytes memory body = bodyOf(0);
        for (uint256 i = 0; i < 20; ++i) {
            body[91 + 20 * 3 + i] = body[91 + i];
        }
        expectUpgradeRefused(
            body, abi.encodeWithSelector(KeySetRegistry.DuplicateMember.selector, 3)
        );
        for (uint256 i = 0; i < 20; ++i) {
            body[91 + 20 * 3 + i] = 0;
        }
        expectUpgradeRefused(body, abi.encodeWithSelector(KeySetRegistry.ZeroAddress.selector, 3));
        body = cut(bodyOf(0), 91);
        body[90] = 0;
        expectUpgradeRefused(
            body, abi.encodeWithSelector(KeySetRegistry.WrongNumberOfMembers.selector, 0)
        );
    }

    // ------------------------------------------------------------------------------ Messages

    function testReadsAMessage() public {
        bytes memory body = bytes.concat(HEAD, "payload");
        prove(0, body);
        (WormholeClient.VM memory read, bool valid, string memory reason) =
            _client.parseAndVerifyVM(pass(0, body));
        assertTrue(valid && bytes(reason).length == 0, reason);
        assertEq(read.version, 0x4d, "version");
        assertEq(read.timestamp, START, "timestamp");
        assertEq(read.nonce, 3, "nonce");
        assertEq(read.emitterChainId, 2, "chain");
        assertEq(
            uint256(read.emitterAddress),
            uint160(0x3ee18B2214AFF97000D974cf647E7C347E8fa585),
            "emitter"
        );
        assertEq(read.sequence, 7, "sequence");
        assertEq(read.consistencyLevel, 1, "consistency");
        assertEq(keccak256(read.payload), keccak256("payload"), "payload");
        assertEq(read.guardianSetIndex, 0, "set");
        assertEq(read.signatures.length, 0, "signatures");
        assertEq(read.hash, digestOf(body), "hash");
    }

    function testFuzzEveryByteOfAMessageCounts(uint256 place, uint8 change) public {
        vm.assume(change != 0);
        bytes memory body = bytes.concat(HEAD, "payload");
        prove(0, body);
        bytes memory passed = pass(0, body);
        place = bound(place, 7, passed.length - 1);
        passed[place] ^= bytes1(change);
        assertReason(passed, "proof rejected");
        assertReason(bytes.concat(pass(0, body), hex"00"), "proof rejected");
    }

    function testTheSetBeforeIsGoodForADay() public {
        _client.submitNewGuardianSet(upgrade(0));
        bytes memory body = bytes.concat(HEAD, "payload");
        prove(0, body);
        bytes memory passed = pass(0, body);
        assertReason(passed, "");
        vm.warp(START + 1 days);
        assertReason(passed, "");
        vm.warp(START + 1 days + 1);
        assertReason(passed, "guardian set has expired");
        assertReason(pass(1, body), "proof rejected");
        prove(1, body);
        assertReason(pass(1, body), "");
        assertReason(pass(2, body), "invalid guardian set");
    }

    function testWhatCannotBeReadReverts() public {
        bytes memory body = bytes.concat(HEAD, "");
        bytes memory passed = pass(0, body);
        for (uint256 length = 0; length < passed.length; ++length) {
            bytes memory part = cut(passed, length);
            uint256 least = length < 7 ? 7 : 7 + PROOF.length;
            uint256 actual = length;
            if (length >= least) (least, actual) = (51, length - least);
            vm.expectRevert(abi.encodeWithSelector(IDigest.TooShort.selector, least, actual));
            _client.parseAndVerifyVM(part);
        }
        assertReason(passed, "proof rejected");
        passed[0] = 0x01;
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.WrongVersion.selector, 1));
        _client.parseAndVerifyVM(passed);
    }

    function testFuzzTheQuorumIsMoreThanTwoThirds(uint32 guardians) public view {
        uint256 quorum = _client.quorum(guardians);
        assertTrue(3 * quorum > 2 * uint256(guardians), "more");
        assertTrue(3 * (quorum - 1) <= 2 * uint256(guardians), "least");
    }

    // ------------------------------------------------------------------------------ Construction

    function testRefusesWhatCouldNotWork() public {
        bytes32 none = keccak256("none");
        WormholeClient.Keys memory keys = WormholeClient.Keys(none, TRANSLATION, 1);
        bytes memory unknown = abi.encodeWithSelector(MusterKey.UnknownKey.selector, none);
        expectNotDeployed(keys, first(), SAME, unknown);
        keys = WormholeClient.Keys(KEY, none, 1);
        expectNotDeployed(keys, first(), SAME, unknown);
        keys = WormholeClient.Keys(TRANSLATION, KEY, 1);
        expectNotDeployed(
            keys,
            first(),
            SAME,
            abi.encodeWithSelector(MusterKey.NotForDigests.selector, TRANSLATION, 5)
        );
        keys = WormholeClient.Keys(KEY, KEY, 1);
        expectNotDeployed(
            keys,
            first(),
            SAME,
            abi.encodeWithSelector(MusterKey.NotForTranslations.selector, KEY, 4)
        );
        keys = WormholeClient.Keys(KEY, TRANSLATION, 0);
        expectNotDeployed(
            keys, first(), SAME, abi.encodeWithSelector(KeySetRegistry.WrongDepth.selector, 0)
        );
        keys = WormholeClient.Keys(KEY, TRANSLATION, 1);
        expectNotDeployed(
            keys,
            new address[](0),
            SAME,
            abi.encodeWithSelector(KeySetRegistry.WrongNumberOfMembers.selector, 0)
        );
    }

    /// @dev A key of other trees has no translation with the root that the registry computes.
    function testRefusesAKeyWithoutItsTrial() public {
        WormholeClient.Keys memory keys = WormholeClient.Keys(KEY, TRANSLATION, 1);
        uint256 root = _client.guardianSet(0).root;
        bytes memory rejected =
            abi.encodeWithSelector(WormholeClient.TranslationRejected.selector, root);
        expectNotDeployed(keys, first(), "", rejected);
        expectNotDeployed(keys, first(), PROOF, rejected);
        keys.depth = 2;
        root = _registry.compute(first(), new uint64[](0), 2).root;
        rejected = abi.encodeWithSelector(WormholeClient.TranslationRejected.selector, root);
        expectNotDeployed(keys, first(), SAME, rejected);
        // A trial without a key is one whose key was forgotten.
        keys = WormholeClient.Keys(KEY, 0, 1);
        expectNotDeployed(
            keys, first(), SAME, abi.encodeWithSelector(MusterKey.UnknownKey.selector, bytes32(0))
        );
    }

    function testTheSlotIsThatOfItsName() public view {
        uint256 base = uint256(keccak256("muster.storage.WormholeClient")) - 1;
        bytes32 slot = keccak256(abi.encode(base)) & ~bytes32(uint256(0xff));
        bytes32 at = keccak256(abi.encode(0, slot));
        assertEq(uint256(vm.load(address(_client), at)), _client.guardianSet(0).root, "root");
    }

    // ------------------------------------------------------------------------------ Helpers

    function bodyOf(uint256 which) private view returns (bytes memory) {
        string memory at = string.concat(".upgrades[", vm.toString(which), "].body");
        return vm.parseJsonBytes(_json, at);
    }

    /// @dev The upgrade to the set after this one, with a proof that this one signed it.
    function upgrade(uint32 from) private returns (bytes memory) {
        prove(from, bodyOf(from));
        return pass(from, bodyOf(from));
    }

    function pass(uint32 index, bytes memory body) private pure returns (bytes memory) {
        return abi.encodePacked(uint8(0x4d), index, uint16(PROOF.length), PROOF, body);
    }

    /// @dev From now on there is a proof that a quorum of this set signed this body.
    function prove(uint32 index, bytes memory body) private {
        WormholeClient.GuardianSet memory set = _client.guardianSet(index);
        uint256[] memory inputs = MusterStatement.ofDigest(set.root, set.quorum, digestOf(body));
        _verifier.addProof(KEY, inputs, PROOF);
    }

    function digestOf(bytes memory body) private pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(body)));
    }

    function keySets() private view returns (string memory) {
        return vm.readFile("test/vectors/key-sets.json");
    }

    /// @dev The root of the set after the first, as `muster root` prints it.
    function nextRoot() private view returns (uint256) {
        return vm.parseJsonUint(keySets(), ".sets[1].root");
    }

    /// @dev The guardians that the body of an upgrade names.
    function named(bytes memory body) private pure returns (address[] memory guardians) {
        guardians = new address[](uint8(body[90]));
        for (uint256 i = 0; i < guardians.length; ++i) {
            guardians[i] = address(bytes20(cut(body, 91 + 20 * i, 20)));
        }
    }

    /// @dev From now on there is a proof that this is the root of this list.
    function translate(uint256 root, address[] memory guardians) private {
        bytes32 commitment = keccak256(abi.encodePacked(guardians));
        addTranslation(root, commitment, guardians.length, guardians.length);
    }

    function addTranslation(uint256 root, bytes32 commitment, uint256 members, uint256 total)
        private
    {
        uint256[] memory inputs = new uint256[](5);
        (inputs[0], inputs[3], inputs[4]) = (root, members, total);
        inputs[1] = uint256(commitment) >> 128;
        inputs[2] = uint128(uint256(commitment));
        _verifier.addProof(TRANSLATION, inputs, SAME);
    }

    function cut(bytes memory from, uint256 start, uint256 length)
        private
        pure
        returns (bytes memory part)
    {
        part = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            part[i] = from[start + i];
        }
    }

    function expectTranslationRejected(bytes memory passed, uint256 root, bytes memory translation)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.TranslationRejected.selector, root));
        _client.submitTranslatedGuardianSet(passed, root, translation);
    }

    function expectNotDeployed(
        WormholeClient.Keys memory keys,
        address[] memory guardians,
        bytes memory trial,
        bytes memory reason
    ) private {
        vm.expectRevert(reason);
        new WormholeClient(_verifier, _registry, keys, 0, guardians, trial);
    }

    function cut(bytes memory from, uint256 length) private pure returns (bytes memory part) {
        part = bytes.concat(from);
        assembly ("memory-safe") {
            mstore(part, length)
        }
    }

    function assertSet(uint32 index, uint256 root, uint64 quorum, uint64 expiration) private view {
        WormholeClient.GuardianSet memory set = _client.guardianSet(index);
        assertEq(set.root, root, "root");
        assertEq(set.quorum, quorum, "quorum");
        assertEq(set.expirationTime, expiration, "expiration");
    }

    function assertReason(bytes memory passed, string memory expected) private view {
        (, bool valid, string memory reason) = _client.parseAndVerifyVM(passed);
        assertEq(keccak256(bytes(reason)), keccak256(bytes(expected)), reason);
        assertTrue(valid == (bytes(expected).length == 0), "valid");
    }

    function expectInvalid(string memory reason) private {
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.InvalidMessage.selector, reason));
    }

    function expectUpgradeRefused(bytes memory body, bytes memory reason) private {
        prove(0, body);
        bytes memory passed = pass(0, body);
        vm.expectRevert(reason);
        _client.submitNewGuardianSet(passed);
    }

    function notAnUpgrade(uint8 action, uint16 chain) private pure returns (bytes memory) {
        return abi.encodeWithSelector(
            WormholeClient.NotAnUpgrade.selector, uint256(0x436f7265), action, chain
        );
    }
}
