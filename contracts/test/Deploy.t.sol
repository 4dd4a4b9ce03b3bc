// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {Deploy} from "../script/Deploy.s.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {MockVerifier} from "../src/mocks/MockVerifier.sol";
import {Test} from "./base/Test.sol";

contract DeployTest is Test {
    /// @dev README.md states it, too. It changes with the verifier's code.
    address private constant VERIFIER = 0x9E9e9017a4bB1Bd3f3969447F6261C5Ef6a08032;
    bytes private constant PROXY =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    Deploy private _deploy = new Deploy();

    function testTheVerifierHasThisAddress() public {
        assertEq(_deploy.predicted(), VERIFIER, "predicted");
        vm.etch(_deploy.PROXY(), PROXY);
        bytes memory creation = type(MusterVerifier).creationCode;
        (bool ok, bytes memory made) = _deploy.PROXY().call(abi.encodePacked(bytes32(0), creation));
        assertTrue(ok, "made");
        assertEq(address(bytes20(made)), VERIFIER, "the proxy says so");
        assertEq(VERIFIER.codehash, address(new MusterVerifier()).codehash, "the code");
        string memory page = vm.readFile("README.md");
        assertTrue(vm.contains(page, vm.toString(VERIFIER)), "README.md");
        assertTrue(vm.contains(page, vm.toString(VERIFIER.codehash)), "README.md, the hash");
    }

    function testDeploysOnce() public {
        vm.etch(_deploy.PROXY(), PROXY);
        assertEq(_deploy.run(), VERIFIER, "made");
        assertEq(VERIFIER.codehash, address(new MusterVerifier()).codehash, "the code");
        assertEq(_deploy.run(), VERIFIER, "found");
    }

    function testNeedsTheProxy() public {
        vm.etch(_deploy.PROXY(), "");
        vm.expectRevert(abi.encodeWithSelector(Deploy.NoProxy.selector));
        _deploy.run();
    }

    function testAMockIsNotDeployedInEarnest() public {
        vm.chainId(1);
        vm.expectRevert(abi.encodeWithSelector(MockVerifier.NotATestChain.selector));
        new MockVerifier();
    }

    /// @dev The mock's errors are those of the verifier, so that a contract's tests see what it would see.
    function testAMockRevertsAsTheVerifierDoes() public {
        MockVerifier mock = new MockVerifier();
        MusterVerifier verifier = new MusterVerifier();
        uint256[] memory inputs = new uint256[](2);
        (, bytes memory left) =
            address(mock).staticcall(abi.encodeCall(mock.verify, ("key", inputs, "")));
        (, bytes memory right) =
            address(verifier).staticcall(abi.encodeCall(verifier.verify, ("key", inputs, "")));
        assertEq(keccak256(left), keccak256(right), "unknown key");
        assertEq(mock.keyBytes("key").length, 0, "no key");
        assertFalse(mock.isRegistered("key"), "not registered");
        mock.addKey("key", 3);
        assertTrue(mock.isRegistered("key"), "registered");
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.WrongInputs.selector, 96, 64));
        mock.verify("key", inputs, "");
        inputs = new uint256[](3);
        assertFalse(mock.verify("key", inputs, "proof"), "false");
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ProofRejected.selector));
        mock.verifyProof("key", abi.encodePacked(inputs), "proof");
        mock.addProof("key", inputs, "proof");
        assertTrue(mock.verify("key", inputs, "proof"), "true");
        mock.verifyProof("key", abi.encodePacked(inputs), "proof");
    }
}
