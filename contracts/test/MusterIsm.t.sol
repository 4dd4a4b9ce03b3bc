// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterIsm} from "../src/MusterIsm.sol";
import {Fixture} from "./base/Signing.sol";

contract MusterIsmTest is Fixture {
    uint32 private constant ORIGIN = 1_000_001;
    uint32 private constant DESTINATION = 2_000_002;

    MusterIsm private _ism;

    function setUp() public override {
        super.setUp();
        _ism = new MusterIsm(client, ORIGIN);
    }

    function testAsksARelayerForNoMetadata() public view {
        assertEq(_ism.moduleType(), 6, "NULL");
    }

    function testFuzzWrapsAMessage(uint32 nonce, bytes calldata body) public view {
        bytes memory message = hyperlane(nonce, ORIGIN, body);
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        assertEq(wrapped.nonce, nonce, "nonce");
        assertEq(
            keccak256(wrapped.payload),
            keccak256(bytes.concat(keccak256("muster/hyperlane/v1"), message)),
            "payload"
        );
    }

    function testTakesAMessageWithItsProof() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        assertTrue(_ism.verify(metadataOf(wrapped), message), "verify");
        assertTrue(client.isProcessed(client.messageId(wrapped)), "processed");
    }

    function testTakesAMessageThatTheClientHasWithAnyMetadata() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        submit(first(), 1, wrapped);
        assertTrue(_ism.verify("", message), "none");
        assertTrue(_ism.verify("late proof", message), "any");
    }

    function testTakesAMessageOfABatch() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        bytes32 root = keccak256(abi.encodePacked(bytes1(0), client.messageId(wrapped)));
        submitBatch(first(), 1, root);
        assertFalse(_ism.verify("", message), "before");
        client.submitFromBatch(wrapped, root, new bytes32[](0));
        assertTrue(_ism.verify("", message), "after");
    }

    function testFuzzRefusesAnUnknownMessage(bytes calldata body) public {
        bytes memory message = hyperlane(5, ORIGIN, body);
        assertFalse(_ism.verify("", message), "no metadata");
        expectProofRejected();
        _ism.verify(abi.encode(1, 0, bytes("no proof")), message);
    }

    function testFuzzEveryByteOfAMessageCounts(uint256 place, uint8 change) public {
        vm.assume(change != 0);
        bytes memory message = hyperlane(5, ORIGIN, "body");
        bytes memory metadata = metadataOf(_ism.toClientMessage(message));
        place = bound(place, 0, message.length - 1);
        message[place] = bytes1(uint8(message[place]) ^ change);
        if (place >= 5 && place < 9) {
            expectWrongOrigin(ORIGIN ^ (uint32(change) << uint32(8 * (8 - place))));
        } else {
            expectProofRejected();
        }
        _ism.verify(metadata, message);
    }

    function testAMessageWithoutTheTagIsAnotherApplicationS() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory bare = MusterDigest.Message(5, message);
        submit(first(), 1, bare);
        assertFalse(_ism.verify("", message), "verify");
    }

    function testFuzzRefusesAnotherOrigin(uint32 origin) public {
        vm.assume(origin != ORIGIN);
        expectWrongOrigin(origin);
        _ism.verify("", hyperlane(5, origin, "body"));
    }

    function testFuzzRefusesAMessageWithoutAHeader(uint256 length) public {
        length = bound(length, 0, 76);
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.MessageTooShort.selector, length));
        _ism.verify("", new bytes(length));
    }

    function testAMessageMayHaveNoBody() public {
        bytes memory message = hyperlane(5, ORIGIN, "");
        assertEq(message.length, 77, "header");
        assertTrue(_ism.verify(metadataOf(_ism.toClientMessage(message)), message), "verify");
    }

    function testRefusesAClientWithoutCode() public {
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.NoCode.selector, address(0xdead)));
        new MusterIsm(MultisigLightClient(address(0xdead)), ORIGIN);
    }

    /// @dev Epoch and last second are the relayer's to name, and what was signed.
    function testTheMetadataNamesEpochAndLastSecond() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        propose(first(), 1, second(), 1);
        accept(second(), 2, 1);
        bytes memory proof = signMessage(first(), 1, START + 9, wrapped);
        expectProofRejected();
        _ism.verify(abi.encode(2, START + 9, proof), message);
        expectProofRejected();
        _ism.verify(abi.encode(1, 0, proof), message);
        expectNotInOffice(0);
        _ism.verify(abi.encode(0, START + 9, proof), message);
        assertTrue(_ism.verify(abi.encode(1, START + 9, proof), message), "verify");
    }

    function testMetadataThatIsNoneIsRefused() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        vm.expectRevert();
        _ism.verify(hex"00", message);
        bytes memory proof = signMessage(first(), 1, 0, _ism.toClientMessage(message));
        vm.expectRevert();
        _ism.verify(abi.encode(uint256(2 ** 64 + 1), 0, proof), message);
    }

    function testAFrozenClientTakesNothingNew() public {
        bytes memory old = hyperlane(5, ORIGIN, "old");
        submit(first(), 1, _ism.toClientMessage(old));
        bytes memory message = hyperlane(6, ORIGIN, "new");
        bytes memory metadata = metadataOf(_ism.toClientMessage(message));
        freeze();
        assertTrue(_ism.verify("", old), "accepted before");
        expect(MultisigLightClient.IsFrozen.selector);
        _ism.verify(metadata, message);
    }

    function metadataOf(MusterDigest.Message memory message) private returns (bytes memory) {
        return abi.encode(1, 0, signMessage(first(), 1, 0, message));
    }

    function expectWrongOrigin(uint32 origin) private {
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.WrongOrigin.selector, ORIGIN, origin));
    }

    function hyperlane(uint32 nonce, uint32 origin, bytes memory body)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(
            uint8(3), nonce, origin, keccak256("sender"), DESTINATION, keccak256("recipient"), body
        );
    }
}
