// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Signing} from "./base/Signing.sol";

/// @dev A hostile verifier. It has every key and takes every proof, and in passing calls the light client
/// that asks it: with the calldata that the proof holds, or that it was armed with for look-ups of keys. It
/// gives a good answer only if that call failed.
contract ReentrantVerifier {
    bytes private _armed;

    function arm(bytes calldata call) external {
        _armed = call;
    }

    function keyBytes(bytes32) external returns (bytes memory) {
        require(!enters(_armed), "entered");
        return abi.encodePacked(new bytes(20), uint32(3), new bytes(232));
    }

    function verify(bytes32, uint256[] calldata, bytes calldata proof) external returns (bool) {
        return !enters(proof);
    }

    function enters(bytes memory call) private returns (bool entered) {
        // The inner write burns all gas that it is given: leave some.
        if (call.length != 0) (entered,) = msg.sender.call{gas: 500_000}(call);
    }
}

/// @dev A verifier that accepts only while the light client calls the message unprocessed.
contract WatchingVerifier {
    function keyBytes(bytes32) external pure returns (bytes memory) {
        return abi.encodePacked(new bytes(20), uint32(3), new bytes(232));
    }

    function verify(bytes32, uint256[] calldata, bytes calldata proof)
        external
        view
        returns (bool)
    {
        return !MultisigLightClient(msg.sender).isProcessed(abi.decode(proof, (bytes32)));
    }
}

contract ReentrancyTest is Signing {
    ReentrantVerifier private _hostile;

    function setUp() public {
        vm.warp(START);
        _hostile = new ReentrantVerifier();
        client = new MultisigLightClient(
            IMusterVerifier(address(_hostile)), SOURCE, 1, first(), allTerms()
        );
    }

    /// @dev What the verifier tries. All of it would succeed from outside.
    function attempts() private view returns (bytes[5] memory) {
        return [
            abi.encodeCall(client.submit, (aMessage(), 1, 0, "")),
            abi.encodeCall(client.submit, (MusterDigest.Message(9, "inner"), 1, 0, "")),
            abi.encodeCall(client.submitBatch, ("inner", 1, 0, "")),
            abi.encodeCall(client.propose, (third(), 2, 0, "")),
            abi.encodeCall(client.accept, (0, ""))
        ];
    }

    function testTheInnerCallsWouldSucceedFromOutside() public {
        client.propose(third(), 1, 0, "");
        bytes[5] memory calls = attempts();
        for (uint256 i = 0; i < 5; ++i) {
            (bool ok,) = address(client).call(calls[i]);
            assertTrue(ok, "from outside");
        }
    }

    function testNothingIsReEntered() public {
        client.propose(third(), 1, 0, "");
        bytes[5] memory calls = attempts();
        for (uint64 i = 0; i < 5; ++i) {
            client.submit(MusterDigest.Message(100 + i, "outer"), 1, 0, calls[i]);
            client.submitBatch(bytes32(uint256(100 + i)), 1, 0, calls[i]);
            unchanged(1);
        }
        _hostile.arm(calls[0]);
        client.propose(third(), 2, 0, calls[4]);
        unchanged(2);
        client.accept(0, calls[3]);
        assertSame(client.committee(), third(), "in office");
    }

    function unchanged(uint64 sequence) private view {
        assertFalse(client.isProcessed(client.messageId(aMessage())), "message");
        MusterDigest.Message memory other = MusterDigest.Message(9, "inner");
        assertFalse(client.isProcessed(client.messageId(other)), "other message");
        assertEq(client.batch("inner").epoch, 0, "batch");
        (, uint64 last,) = client.proposal();
        assertEq(last, sequence, "proposal");
        assertEq(client.epoch(), 1, "epoch");
        assertEq(client.guardian(), GUARDIAN, "guardian");
    }

    function testAMessageIsNotProcessedWhileItIsVerified() public {
        WatchingVerifier watching = new WatchingVerifier();
        client = new MultisigLightClient(
            IMusterVerifier(address(watching)), SOURCE, 1, first(), noTerms()
        );
        client.submit(aMessage(), 1, 0, abi.encode(client.messageId(aMessage())));
    }
}
