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
    bytes private constant PROOF = "a proof";
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
        _client = new WormholeClient(_verifier, _registry, KEY, 1, 0, first());
    }

    function first() private view returns (address[] memory guardians) {
        guardians = new address[](1);
        guardians[0] = vm.parseJsonAddress(_json, ".first");
    }

    // ------------------------------------------------------------------------------ Guardian sets

    /// @dev The roots are those that `muster root` prints: the second is in key-sets.json.
    function testFollowsTheGuardianSets() public {
        string memory sets = vm.readFile("test/vectors/key-sets.json");
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
        _client.submitNewGuardianSet(passed);
        vm.expectRevert(abi.encodeWithSelector(WormholeClient.NotInOffice.selector, 0));
        _client.submitNewGuardianSet(passed);
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
        address[] memory guardians = first();
        bytes32 none = keccak256("none");
        vm.expectRevert(abi.encodeWithSelector(MusterKey.UnknownKey.selector, none));
        new WormholeClient(_verifier, _registry, none, 1, 0, guardians);
        vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.WrongDepth.selector, 0));
        new WormholeClient(_verifier, _registry, KEY, 0, 0, guardians);
        guardians = new address[](0);
        vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.WrongNumberOfMembers.selector, 0));
        new WormholeClient(_verifier, _registry, KEY, 1, 0, guardians);
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
