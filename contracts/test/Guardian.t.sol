// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MultisigLightClient} from "../src/MultisigLightClient.sol";
import {MusterDigest} from "../src/MusterDigest.sol";
import {Fixture, Signing} from "./base/Signing.sol";

contract GuardianTest is Fixture {
    event Frozen(address indexed guardian);
    event Thawed();
    event GuardianOffered(address indexed guardian, address indexed next);
    event GuardianChanged(address indexed before, address indexed guardian);

    address private constant NEXT = address(0x6b);
    address private constant OTHER = address(0x6c);

    function testAnnouncesTheFirstGuardian() public {
        vm.expectEmit();
        emit GuardianChanged(address(0), GUARDIAN);
        new MultisigLightClient(verifier, SOURCE, 1, first(), allTerms());
    }

    // ------------------------------------------------------------------------------ Frozen

    /// @dev All of these would go through but for the guardian, and do afterwards.
    function testNothingGoesOnWhileFrozen() public {
        bytes32 id = client.messageId(aMessage());
        bytes32 root = keccak256(abi.encodePacked(bytes1(0), id));
        submitBatch(first(), 1, root);
        propose(first(), 1, second(), 1);
        bytes[5] memory calls = [
            abi.encodeCall(
                client.submit,
                (
                    MusterDigest.Message(8, "other"),
                    1,
                    0,
                    signMessage(first(), 1, 0, MusterDigest.Message(8, "other"))
                )
            ),
            abi.encodeCall(client.submitBatch, ("root", 1, 0, signBatch(first(), 1, 0, "root"))),
            abi.encodeCall(client.submitFromBatch, (aMessage(), root, new bytes32[](0))),
            abi.encodeCall(
                client.propose, (second(), 2, 0, signHandover(first(), 1, 0, second(), 2))
            ),
            abi.encodeCall(client.accept, (0, signAcceptance(second(), 2, 0, 2)))
        ];
        vm.prank(GUARDIAN);
        vm.expectEmit(address(client));
        emit Frozen(GUARDIAN);
        client.freeze();
        assertTrue(client.isFrozen(), "frozen");
        bytes memory expected = abi.encodeWithSelector(MultisigLightClient.IsFrozen.selector);
        for (uint256 i = 0; i < 5; ++i) {
            (bool ok, bytes memory reason) = address(client).call(calls[i]);
            assertTrue(!ok, "refused");
            assertEq(keccak256(reason), keccak256(expected), "as frozen");
        }
        vm.prank(GUARDIAN);
        vm.expectEmit(address(client));
        emit Thawed();
        client.thaw();
        assertFalse(client.isFrozen(), "thawed");
        for (uint256 i = 0; i < 5; ++i) {
            (bool ok,) = address(client).call(calls[i]);
            assertTrue(ok, "goes on");
        }
    }

    function testFreezesAndThawsOneAtATime() public {
        vm.startPrank(GUARDIAN);
        expect(MultisigLightClient.NotFrozen.selector);
        client.thaw();
        client.freeze();
        expect(MultisigLightClient.IsFrozen.selector);
        client.freeze();
        client.thaw();
        client.freeze();
        vm.stopPrank();
    }

    function testTimeGoesOn() public {
        bytes32 root = keccak256(abi.encodePacked(bytes1(0), client.messageId(aMessage())));
        submitBatch(first(), 1, root);
        propose(first(), 1, second(), 1);
        bytes memory proof = signAcceptance(second(), 2, 0, 1);
        freeze();
        vm.warp(START + LIFE + 1);
        vm.prank(GUARDIAN);
        client.thaw();
        expect(MultisigLightClient.ProposalLapsed.selector, START + WINDOW);
        client.accept(0, proof);
        expect(MultisigLightClient.BatchExpired.selector, root);
        client.submitFromBatch(aMessage(), root, new bytes32[](0));
    }

    // ------------------------------------------------------------------------------ Who

    function testFuzzNobodyElseIsGuardian(address caller) public {
        vm.assume(caller != GUARDIAN);
        onlyGuardian(caller);
    }

    function onlyGuardian(address caller) private {
        bytes[4] memory calls = [
            abi.encodeCall(client.freeze, ()),
            abi.encodeCall(client.thaw, ()),
            abi.encodeCall(client.transferGuardian, (caller)),
            abi.encodeCall(client.renounceGuardian, ())
        ];
        for (uint256 i = 0; i < 4; ++i) {
            vm.prank(caller);
            (bool ok, bytes memory reason) = address(client).call(calls[i]);
            assertTrue(!ok, "refused");
            bytes memory expected =
                abi.encodeWithSelector(MultisigLightClient.NotGuardian.selector, caller);
            assertEq(keccak256(reason), keccak256(expected), "not the guardian");
        }
        expectNotNext(caller);
        client.acceptGuardian();
    }

    function testTheRoleMovesInTwoSteps() public {
        vm.prank(GUARDIAN);
        vm.expectEmit(address(client));
        emit GuardianOffered(GUARDIAN, NEXT);
        client.transferGuardian(NEXT);
        assertEq(client.guardian(), GUARDIAN, "still");
        onlyGuardian(OTHER);
        assertEq(client.nextGuardian(), NEXT, "on offer");
        vm.prank(NEXT);
        vm.expectEmit(address(client));
        emit GuardianChanged(GUARDIAN, NEXT);
        client.acceptGuardian();
        assertEq(client.guardian(), NEXT, "moved");
        assertEq(client.nextGuardian(), address(0), "no offer");
        onlyGuardian(GUARDIAN);
        expectNotNext(NEXT);
        client.acceptGuardian();
        vm.prank(NEXT);
        client.freeze();
    }

    function testAnOfferIsReplacedOrTakenBack() public {
        offer(NEXT);
        offer(OTHER);
        expectNotNext(NEXT);
        client.acceptGuardian();
        vm.prank(GUARDIAN);
        vm.expectEmit(address(client));
        emit GuardianOffered(GUARDIAN, address(0));
        client.transferGuardian(address(0));
        expectNotNext(OTHER);
        client.acceptGuardian();
        expectNotNext(address(0));
        client.acceptGuardian();
        assertEq(client.guardian(), GUARDIAN, "still");
    }

    /// @dev Whoever froze cannot leave it so by going.
    function testRenouncingThaws() public {
        freeze();
        offer(NEXT);
        vm.prank(GUARDIAN);
        vm.expectEmit(address(client));
        emit GuardianChanged(GUARDIAN, address(0));
        vm.expectEmit(address(client));
        emit Thawed();
        client.renounceGuardian();
        noGuardian();
    }

    function testRenouncingWithoutFreezing() public {
        vm.prank(GUARDIAN);
        client.renounceGuardian();
        noGuardian();
    }

    /// @dev Nobody has the role, and nobody can get it.
    function noGuardian() private {
        assertFalse(client.isFrozen(), "thawed");
        assertEq(client.guardian(), address(0), "nobody");
        onlyGuardian(GUARDIAN);
        onlyGuardian(NEXT);
        onlyGuardian(address(0));
        submit(first(), client.epoch(), aMessage());
    }

    // ------------------------------------------------------------------------------ Helpers

    function offer(address next) private {
        vm.prank(GUARDIAN);
        client.transferGuardian(next);
    }

    function expectNotNext(address caller) private {
        expect(MultisigLightClient.NotNextGuardian.selector, caller);
        vm.prank(caller);
    }
}

contract NoGuardianTest is Signing {
    function testNobodyFreezesAClientWithoutGuardian() public {
        deploy(noTerms());
        address[3] memory callers = [address(0), GUARDIAN, address(this)];
        for (uint256 i = 0; i < 3; ++i) {
            expect(MultisigLightClient.NotGuardian.selector, callers[i]);
            vm.prank(callers[i]);
            client.freeze();
        }
    }
}
