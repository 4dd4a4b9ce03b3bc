// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterIsm} from "../src/MusterIsm.sol";
import {MusterKey} from "../src/MusterKey.sol";
import {MusterStatement} from "../src/MusterStatement.sol";
import {HyperlaneDigest} from "../src/digests/HyperlaneDigest.sol";
import {IDigest} from "../src/interfaces/IDigest.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {MockVerifier} from "../src/mocks/MockVerifier.sol";
import {Test} from "./base/Test.sol";

/// @dev Makes the tree's function callable with calldata.
contract Tree {
    function rootOf(bytes32 leaf, uint32 index, bytes calldata path)
        external
        pure
        returns (bytes32)
    {
        return HyperlaneDigest.rootOf(leaf, index, path);
    }
}

contract MusterIsmTest is Test {
    uint32 private constant ORIGIN = 8453;
    uint32 private constant OTHER = 10;
    bytes32 private constant HOOK =
        bytes32(uint256(uint160(0x19dc38aeae620380430C200a6E990D5Af5480117)));
    bytes32 private constant KEY = keccak256("a key for digests");
    bytes32 private constant OTHER_KEY = keccak256("another key for digests");
    bytes private constant PROOF = "a proof";

    MockVerifier private _verifier;
    MusterIsm private _ism;
    Tree private _tree = new Tree();

    event CheckpointSigned(
        bytes32 indexed digest, uint32 indexed origin, bytes32 indexed root, uint32 index
    );
    event MessagePrepared(bytes32 indexed messageId, uint32 indexed origin);

    function setUp() public {
        _verifier = new MockVerifier();
        _verifier.addKey(KEY, 4);
        _verifier.addKey(OTHER_KEY, 4);
        _ism = new MusterIsm(_verifier, origins());
    }

    function origins() private pure returns (MusterIsm.Origin[] memory all) {
        all = new MusterIsm.Origin[](2);
        all[0] = MusterIsm.Origin(ORIGIN, HOOK, KEY, 0xc0ffee, 3);
        all[1] = MusterIsm.Origin(OTHER, HOOK, OTHER_KEY, 0xbeef, 2);
    }

    // ------------------------------------------------------------------------------ Messages

    function testAsksARelayerForNoMetadata() public view {
        assertEq(_ism.moduleType(), 6, "NULL");
    }

    function testTakesTheMessageThatACheckpointNames() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        HyperlaneDigest.Checkpoint memory checkpoint = namedBy(message);
        sign(0, checkpoint, PROOF);
        assertTrue(_ism.verify(ofId(checkpoint, PROOF), message), "verify");
    }

    /// @dev `vectors/merkleTestCases.json` of hyperlane-xyz/hyperlane-monorepo, "three leaves".
    function testTheTreeIsHyperlanes() public {
        bytes32 root = 0x18f2f1646fee335a1eaf5191a8ce58ea772080057d0fda687df59c45e47e6f68;
        bytes32[3] memory leaves = [
            bytes32(0xf0fe7c99ef23ace1835385e83dd61c9ecb6192d6514fcc13356ef912788eaa8a),
            0x65ad6b7c39c687dad3edc05bec09300b742363f5c1f42db586bdce40c9fc5eef,
            0x769dbf057c1b1544b7b4a9a4f98893cad73080764ad63ee83344312494dc296e
        ];
        // Its proof of the first leaf begins with the second leaf, that of the third with an empty one.
        bytes32 nothing = 0xe9884debea0619a2ce25ba3bbe6a4438a42bc11b2308f62c65ed43be0b43d445;
        bytes32 pair = 0x606fc91d919e5a5b5b0ce2a1b2f6d33355b39558b5a12a4b14c3a381b18769a2;
        bytes memory path = bytes.concat(leaves[1], nothing, emptyFrom(2));
        assertEq(_tree.rootOf(leaves[0], 0, path), root, "first");
        path = bytes.concat(leaves[0], nothing, emptyFrom(2));
        assertEq(_tree.rootOf(leaves[1], 1, path), root, "second");
        path = bytes.concat(bytes32(0), pair, emptyFrom(2));
        assertEq(_tree.rootOf(leaves[2], 2, path), root, "third");
        vm.expectRevert(abi.encodeWithSelector(IDigest.WrongLength.selector, 1024, 1025));
        _tree.rootOf(leaves[2], 2, bytes.concat(path, hex"00"));
    }

    function testFuzzTakesAMessageInTheTreeOfALaterOne(uint32 place, uint32 later, bytes32 seed)
        public
    {
        later = uint32(bound(later, place, type(uint32).max));
        bytes memory message = hyperlane(place, ORIGIN, "body");
        (HyperlaneDigest.Checkpoint memory checkpoint, bytes memory path) =
            laterThan(message, place, later, seed);
        sign(0, checkpoint, PROOF);
        assertTrue(_ism.verify(ofRoot(checkpoint, place, path, PROOF), message), "verify");
    }

    function testFuzzEveryByteOfAMessageCounts(uint256 place, uint8 change) public {
        vm.assume(change != 0);
        bytes memory message = hyperlane(5, ORIGIN, "body");
        HyperlaneDigest.Checkpoint memory checkpoint = namedBy(message);
        sign(0, checkpoint, PROOF);
        bytes memory metadata = ofId(checkpoint, PROOF);
        place = bound(place, 0, message.length - 1);
        message[place] ^= bytes1(change);
        if (place >= 5 && place < 9) {
            expectUnknownOrigin(ORIGIN ^ (uint32(change) << uint32(8 * (8 - place))));
        } else {
            expectProofRejected();
        }
        _ism.verify(metadata, message);
    }

    function testFuzzEveryByteOfACheckpointCounts(uint256 place, uint8 change, bool byRoot) public {
        vm.assume(change != 0);
        bytes memory message = hyperlane(5, ORIGIN, "body");
        bytes memory metadata;
        if (byRoot) {
            (HyperlaneDigest.Checkpoint memory checkpoint, bytes memory path) =
                laterThan(message, 5, 7, "seed");
            sign(0, checkpoint, PROOF);
            metadata = ofRoot(checkpoint, 5, path, PROOF);
        } else {
            sign(0, namedBy(message), PROOF);
            metadata = ofId(namedBy(message), PROOF);
        }
        metadata[bound(place, 1, metadata.length - 1)] ^= bytes1(change);
        // Another hook, a place behind the checkpoint, or no proof that the verifier knows.
        vm.expectRevert();
        _ism.verify(metadata, message);
    }

    /// @dev Validators of one chain can say what they like about another, but under their own origin only.
    function testAnOriginsValidatorsSpeakForItAlone() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        HyperlaneDigest.Checkpoint memory checkpoint = namedBy(message);
        sign(1, checkpoint, PROOF);
        expectProofRejected();
        _ism.verify(ofId(checkpoint, PROOF), message);
        checkpoint.origin = OTHER;
        sign(1, checkpoint, PROOF);
        _ism.submit(checkpoint, PROOF);
        expectProofRejected();
        _ism.verify(ofId(checkpoint, PROOF), message);
        expectProofRejected();
        _ism.verify(ofId(checkpoint, ""), message);
    }

    function testRefusesAnotherTree() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        HyperlaneDigest.Checkpoint memory checkpoint = namedBy(message);
        checkpoint.merkleTreeHook = keccak256("hook");
        sign(0, checkpoint, PROOF);
        bytes memory reason =
            abi.encodeWithSelector(MusterIsm.WrongHook.selector, HOOK, checkpoint.merkleTreeHook);
        vm.expectRevert(reason);
        _ism.verify(ofId(checkpoint, PROOF), message);
        vm.expectRevert(reason);
        _ism.submit(checkpoint, PROOF);
    }

    function testRefusesAPlaceBehindTheCheckpoint() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        (HyperlaneDigest.Checkpoint memory checkpoint, bytes memory path) =
            laterThan(message, 8, 7, "seed");
        sign(0, checkpoint, PROOF);
        vm.expectRevert(
            abi.encodeWithSelector(MusterIsm.MessageAfterCheckpoint.selector, uint32(8), uint32(7))
        );
        _ism.verify(ofRoot(checkpoint, 8, path, PROOF), message);
    }

    /// @dev The same bytes in the other form name another checkpoint.
    function testAFormIsNoOther() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        (HyperlaneDigest.Checkpoint memory checkpoint, bytes memory path) =
            laterThan(message, 5, 7, "seed");
        sign(0, checkpoint, PROOF);
        bytes memory metadata = ofRoot(checkpoint, 5, path, PROOF);
        metadata[0] = 0x05;
        expectProofRejected();
        _ism.verify(metadata, message);
        for (uint256 kind = 0; kind < 256; ++kind) {
            if (kind == 4 || kind == 5) continue;
            metadata[0] = bytes1(uint8(kind));
            vm.expectRevert(abi.encodeWithSelector(MusterIsm.UnknownMetadata.selector, uint8(kind)));
            _ism.verify(metadata, message);
        }
    }

    function testRefusesMetadataThatIsCut() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        for (uint256 length = 1; length < 1097; length += length < 70 ? 1 : 41) {
            bytes memory cut = new bytes(length);
            cut[0] = 0x04;
            expectMetadataTooShort(1097, length);
            _ism.verify(cut, message);
            if (length >= 69) continue;
            cut[0] = 0x05;
            expectMetadataTooShort(69, length);
            _ism.verify(cut, message);
        }
    }

    function testFuzzRefusesAMessageWithoutAHeader(uint256 length) public {
        length = bound(length, 0, 76);
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.MessageTooShort.selector, length));
        _ism.verify(hex"05", new bytes(length));
    }

    function testFuzzRefusesAnotherOrigin(uint32 origin) public {
        vm.assume(origin != ORIGIN && origin != OTHER);
        bytes memory message = hyperlane(5, origin, "body");
        bytes memory metadata = ofId(namedBy(message), PROOF);
        expectUnknownOrigin(origin);
        _ism.verify(metadata, message);
        expectUnknownOrigin(origin);
        _ism.originOf(origin);
        assertFalse(_ism.verify("", message), "unknown");
    }

    // ------------------------------------------------------------------------------ Before

    function testOneProofServesManyMessages() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        (HyperlaneDigest.Checkpoint memory checkpoint, bytes memory path) =
            laterThan(message, 5, 7, "seed");
        bytes memory metadata = ofRoot(checkpoint, 5, path, "");
        expectProofRejected();
        _ism.verify(metadata, message);
        sign(0, checkpoint, PROOF);
        bytes32 digest = HyperlaneDigest.ofCheckpoint(checkpoint);
        vm.expectEmit();
        emit CheckpointSigned(digest, ORIGIN, checkpoint.root, 7);
        _ism.submit(checkpoint, PROOF);
        assertTrue(_ism.isSigned(digest), "signed");
        assertTrue(_ism.verify(metadata, message), "verify");
        _ism.submit(checkpoint, "");
        // What comes with a proof is judged by it.
        expectProofRejected();
        _ism.verify(ofRoot(checkpoint, 5, path, "bad"), message);
        checkpoint.index = 8;
        expectProofRejected();
        _ism.verify(ofRoot(checkpoint, 5, path, ""), message);
        expectProofRejected();
        _ism.submit(checkpoint, "");
    }

    function testAPreparedMessageNeedsNoMetadata() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        HyperlaneDigest.Checkpoint memory checkpoint = namedBy(message);
        bytes memory metadata = ofId(checkpoint, PROOF);
        assertFalse(_ism.verify("", message), "before");
        expectProofRejected();
        _ism.prepare(metadata, message);
        expectMetadataTooShort(69, 0);
        _ism.prepare("", message);
        sign(0, checkpoint, PROOF);
        vm.expectEmit();
        emit MessagePrepared(keccak256(message), ORIGIN);
        _ism.prepare(metadata, message);
        assertTrue(_ism.verify("", message), "after");
        assertFalse(_ism.verify("", bytes.concat(message, hex"00")), "another");
    }

    // ------------------------------------------------------------------------------ Construction

    function testTheSlotIsThatOfItsName() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        HyperlaneDigest.Checkpoint memory checkpoint = namedBy(message);
        sign(0, checkpoint, PROOF);
        _ism.prepare(ofId(checkpoint, PROOF), message);
        uint256 base = uint256(keccak256("muster.storage.Ism")) - 1;
        uint256 slot = uint256(keccak256(abi.encode(base))) & ~uint256(0xff);
        bytes32 at = keccak256(abi.encode(keccak256(message), slot + 2));
        assertEq(uint256(vm.load(address(_ism), at)), 1, "prepared");
    }

    function testOriginsAreTold() public view {
        MusterIsm.Origin memory found = _ism.originOf(OTHER);
        assertEq(keccak256(abi.encode(found)), keccak256(abi.encode(origins()[1])), "origin");
    }

    function testRefusesOriginsThatNobodyCouldProveFor() public {
        MusterIsm.Origin[] memory all = origins();
        all[1].domain = ORIGIN;
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.DuplicateOrigin.selector, ORIGIN));
        new MusterIsm(_verifier, all);
        all = origins();
        all[1].root = 0;
        vm.expectRevert(abi.encodeWithSelector(MusterStatement.RootOutOfRange.selector, 0));
        new MusterIsm(_verifier, all);
        all = origins();
        all[0].threshold = 0;
        vm.expectRevert(abi.encodeWithSelector(MusterStatement.ThresholdOutOfRange.selector, 0));
        new MusterIsm(_verifier, all);
        all = origins();
        all[0].key = keccak256("none");
        vm.expectRevert(abi.encodeWithSelector(MusterKey.UnknownKey.selector, all[0].key));
        new MusterIsm(_verifier, all);
        _verifier.addKey(KEY, 3);
        all = origins();
        vm.expectRevert(abi.encodeWithSelector(MusterKey.NotForDigests.selector, KEY, 3));
        new MusterIsm(_verifier, all);
        vm.expectRevert(abi.encodeWithSelector(MusterKey.NoCode.selector, address(0xdead)));
        new MusterIsm(IMusterVerifier(address(0xdead)), all);
    }

    // ------------------------------------------------------------------------------ Helpers

    /// @dev A proof that the mock takes of these validators for this checkpoint and no other.
    function sign(uint256 by, HyperlaneDigest.Checkpoint memory checkpoint, bytes memory proof)
        private
    {
        MusterIsm.Origin memory origin = origins()[by];
        bytes32 digest = HyperlaneDigest.ofCheckpoint(checkpoint);
        uint256[] memory inputs = MusterStatement.ofDigest(origin.root, origin.threshold, digest);
        _verifier.addProof(origin.key, inputs, proof);
    }

    function namedBy(bytes memory message)
        private
        pure
        returns (HyperlaneDigest.Checkpoint memory)
    {
        return HyperlaneDigest.Checkpoint(ORIGIN, HOOK, keccak256("root"), 5, keccak256(message));
    }

    /// @dev A checkpoint of a later message, in whose tree this one has the path.
    function laterThan(bytes memory message, uint32 place, uint32 later, bytes32 seed)
        private
        view
        returns (HyperlaneDigest.Checkpoint memory checkpoint, bytes memory path)
    {
        for (uint256 level = 0; level < 32; ++level) {
            path = bytes.concat(path, keccak256(abi.encode(seed, level)));
        }
        bytes32 root = _tree.rootOf(keccak256(message), place, path);
        checkpoint = HyperlaneDigest.Checkpoint(ORIGIN, HOOK, root, later, keccak256("later"));
    }

    function ofId(HyperlaneDigest.Checkpoint memory checkpoint, bytes memory proof)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(
            uint8(5), checkpoint.merkleTreeHook, checkpoint.root, checkpoint.index, proof
        );
    }

    function ofRoot(
        HyperlaneDigest.Checkpoint memory checkpoint,
        uint32 place,
        bytes memory path,
        bytes memory proof
    ) private pure returns (bytes memory) {
        return abi.encodePacked(
            uint8(4),
            checkpoint.merkleTreeHook,
            place,
            checkpoint.messageId,
            path,
            checkpoint.index,
            proof
        );
    }

    /// @dev Roots of trees without leaves, from this level up to 31.
    function emptyFrom(uint256 from) private pure returns (bytes memory path) {
        bytes32 root = 0;
        for (uint256 level = 0; level < 32; ++level) {
            if (level >= from) path = bytes.concat(path, root);
            root = keccak256(bytes.concat(root, root));
        }
    }

    function expectProofRejected() private {
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.ProofRejected.selector));
    }

    function expectUnknownOrigin(uint32 domain) private {
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.UnknownOrigin.selector, domain));
    }

    function expectMetadataTooShort(uint256 least, uint256 actual) private {
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.MetadataTooShort.selector, least, actual));
    }

    function hyperlane(uint32 nonce, uint32 origin, bytes memory body)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(
            uint8(3),
            nonce,
            origin,
            keccak256("sender"),
            uint32(2_000_002),
            keccak256("recipient"),
            body
        );
    }
}
