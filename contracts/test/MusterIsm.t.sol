// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {MusterIsm} from "../src/MusterIsm.sol";
import {Fixture} from "./base/Fixture.sol";

contract MusterIsmTest is Fixture {
    uint32 private constant ORIGIN = 1_000_001;
    uint32 private constant DESTINATION = 2_000_002;

    MusterIsm private _ism;

    function setUp() public override {
        super.setUp();
        _ism = new MusterIsm(client, ORIGIN);
    }

    function test_asks_a_relayer_for_no_metadata() public view {
        assertEq(_ism.moduleType(), 6, "NULL");
    }

    function testFuzz_wraps_a_message(uint32 nonce, bytes calldata body) public view {
        bytes memory message = hyperlane(nonce, ORIGIN, body);
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        assertEq(wrapped.nonce, nonce, "nonce");
        assertEq(
            keccak256(wrapped.payload),
            keccak256(bytes.concat(keccak256("muster/hyperlane/v1"), message)),
            "payload"
        );
    }

    function test_takes_a_message_with_its_proof() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        assertTrue(_ism.verify(signMessage(wrapped), message), "verify");
        assertTrue(client.isProcessed(client.messageId(wrapped)), "processed");
    }

    function test_takes_a_message_that_the_client_has_with_any_metadata() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        client.submit(wrapped, signMessage(wrapped));
        assertTrue(_ism.verify("", message), "none");
        assertTrue(_ism.verify("late proof", message), "any");
    }

    function test_takes_a_message_of_a_batch() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory wrapped = _ism.toClientMessage(message);
        bytes32 root = keccak256(abi.encodePacked(bytes1(0), client.messageId(wrapped)));
        client.submitBatch(root, sign(client.batchDigest(root)));
        assertFalse(_ism.verify("", message), "before");
        client.submitFromBatch(wrapped, root, new bytes32[](0));
        assertTrue(_ism.verify("", message), "after");
    }

    function testFuzz_refuses_an_unknown_message(bytes calldata body) public {
        bytes memory message = hyperlane(5, ORIGIN, body);
        assertFalse(_ism.verify("", message), "no metadata");
        expectProofRejected();
        _ism.verify(new bytes(PROOF_LENGTH), message);
    }

    function testFuzz_every_byte_of_a_message_counts(uint256 place, uint8 change) public {
        vm.assume(change != 0);
        bytes memory message = hyperlane(5, ORIGIN, "body");
        bytes memory proof = signMessage(_ism.toClientMessage(message));
        place = bound(place, 0, message.length - 1);
        message[place] = bytes1(uint8(message[place]) ^ change);
        if (place >= 5 && place < 9) {
            expectWrongOrigin(ORIGIN ^ (uint32(change) << uint32(8 * (8 - place))));
        } else {
            expectProofRejected();
        }
        _ism.verify(proof, message);
    }

    function test_a_message_without_the_tag_is_another_application_s() public {
        bytes memory message = hyperlane(5, ORIGIN, "body");
        MusterDigest.Message memory bare = MusterDigest.Message(5, message);
        client.submit(bare, signMessage(bare));
        assertFalse(_ism.verify("", message), "verify");
    }

    function testFuzz_refuses_another_origin(uint32 origin) public {
        vm.assume(origin != ORIGIN);
        expectWrongOrigin(origin);
        _ism.verify("", hyperlane(5, origin, "body"));
    }

    function testFuzz_refuses_a_message_without_a_header(uint256 length) public {
        length = bound(length, 0, 76);
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.MessageTooShort.selector, length));
        _ism.verify("", new bytes(length));
    }

    function test_a_message_may_have_no_body() public {
        bytes memory message = hyperlane(5, ORIGIN, "");
        assertEq(message.length, 77, "header");
        assertTrue(_ism.verify(signMessage(_ism.toClientMessage(message)), message), "verify");
    }

    function test_refuses_a_client_without_code() public {
        vm.expectRevert(abi.encodeWithSelector(MusterIsm.NoCode.selector, address(0xdead)));
        new MusterIsm(MultisigLightClient(address(0xdead)), ORIGIN);
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
