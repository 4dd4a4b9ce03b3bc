// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterRouter} from "../src/MusterRouter.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Fixture} from "./base/Fixture.sol";

/// @dev Says that it has some hash, and takes every proof.
contract Impostor {
    bytes32 public VERIFIER_HASH;

    constructor(bytes32 hash) {
        VERIFIER_HASH = hash;
    }

    function setHash(bytes32 hash) external {
        VERIFIER_HASH = hash;
    }

    function verifyProof(bytes32, bytes calldata, bytes calldata) external view {}
}

contract MusterRouterTest is Fixture {
    event RouteAdded(bytes4 indexed selector, bytes32 indexed verifierHash, address verifier);
    event RouteFrozen(bytes4 indexed selector, bytes32 indexed verifierHash, address verifier);

    MusterRouter private _router;
    bytes32 private _hash;
    bytes4 private _selector;
    bytes private _values = abi.encodePacked(uint256(1), uint256(2), uint256(3));
    bytes private _proof;

    function setUp() public override {
        super.setUp();
        _router = new MusterRouter(address(this));
        _hash = verifier.VERIFIER_HASH();
        _selector = bytes4(_hash);
        _proof = prove(1, 2, 3);
    }

    function test_routes_by_the_first_four_bytes() public {
        vm.expectEmit(address(_router));
        emit RouteAdded(_selector, _hash, address(verifier));
        _router.addRoute(address(verifier));
        MusterRouter.Route memory route = _router.routes(_selector);
        assertEq(route.verifier, address(verifier), "verifier");
        assertEq(route.verifierHash, _hash, "hash");
        assertFalse(route.frozen, "frozen");
        _router.verifyProof(_hash, _values, _proof);
    }

    function test_each_hash_has_its_own_verifier() public {
        _router.addRoute(address(verifier));
        bytes32 other = keccak256("another verifier");
        _router.addRoute(address(new Impostor(other)));
        _router.verifyProof(other, "", "");
        expectRejected();
        _router.verifyProof(_hash, _values, new bytes(PROOF_LENGTH));
    }

    function test_a_bad_proof_reverts() public {
        _router.addRoute(address(verifier));
        expectRejected();
        _router.verifyProof(_hash, _values, new bytes(PROOF_LENGTH));
    }

    function testFuzz_an_unknown_hash_reverts(bytes32 hash) public {
        vm.assume(bytes4(hash) != _selector);
        _router.addRoute(address(verifier));
        vm.expectRevert(abi.encodeWithSelector(MusterRouter.RouteNotFound.selector, bytes4(hash)));
        _router.verifyProof(hash, _values, _proof);
    }

    function testFuzz_the_whole_hash_counts(bytes32 other) public {
        other = bytes32(_selector) | (other >> 32);
        vm.assume(other != _hash);
        _router.addRoute(address(verifier));
        vm.expectRevert(abi.encodeWithSelector(MusterRouter.WrongVerifier.selector, _hash, other));
        _router.verifyProof(other, _values, _proof);
    }

    function test_a_verifier_that_changes_its_hash_keeps_its_route() public {
        Impostor impostor = new Impostor(keccak256("a"));
        _router.addRoute(address(impostor));
        bytes32 changed = keccak256("a") ^ bytes32(uint256(1));
        impostor.setHash(changed);
        vm.expectRevert(
            abi.encodeWithSelector(MusterRouter.WrongVerifier.selector, keccak256("a"), changed)
        );
        _router.verifyProof(changed, "", "");
    }

    function test_a_route_is_never_replaced() public {
        _router.addRoute(address(verifier));
        expectExists();
        _router.addRoute(address(verifier));
        Impostor impostor = new Impostor(_hash);
        expectExists();
        _router.addRoute(address(impostor));
        _router.freezeRoute(_selector);
        expectExists();
        _router.addRoute(address(impostor));
        assertEq(_router.routes(_selector).verifier, address(verifier), "verifier");
    }

    function test_a_frozen_route_reverts_for_good() public {
        _router.addRoute(address(verifier));
        vm.expectEmit(address(_router));
        emit RouteFrozen(_selector, _hash, address(verifier));
        _router.freezeRoute(_selector);
        assertTrue(_router.routes(_selector).frozen, "frozen");
        bytes memory expected =
            abi.encodeWithSelector(MusterRouter.RouteIsFrozen.selector, _selector);
        vm.expectRevert(expected);
        _router.verifyProof(_hash, _values, _proof);
        vm.expectRevert(expected);
        _router.freezeRoute(_selector);
    }

    function test_a_route_that_is_not_there_cannot_be_frozen() public {
        vm.expectRevert(abi.encodeWithSelector(MusterRouter.RouteNotFound.selector, _selector));
        _router.freezeRoute(_selector);
    }

    function testFuzz_only_the_owner_adds_and_freezes(address caller) public {
        vm.assume(caller != address(this));
        bytes memory expected = abi.encodeWithSelector(MusterRouter.NotOwner.selector, caller);
        vm.expectRevert(expected);
        vm.prank(caller);
        _router.addRoute(address(verifier));
        _router.addRoute(address(verifier));
        vm.expectRevert(expected);
        vm.prank(caller);
        _router.freezeRoute(_selector);
    }

    function test_refuses_an_address_without_code_and_no_owner() public {
        vm.expectRevert(abi.encodeWithSelector(MusterRouter.NoCode.selector, address(0xdead)));
        _router.addRoute(address(0xdead));
        vm.expectRevert(abi.encodeWithSelector(MusterRouter.ZeroOwner.selector));
        new MusterRouter(address(0));
    }

    function test_refuses_a_verifier_that_names_itself_by_zero() public {
        Impostor impostor = new Impostor(0);
        vm.expectRevert(abi.encodeWithSelector(MusterRouter.ZeroHash.selector, address(impostor)));
        _router.addRoute(address(impostor));
        // Only four bytes are zero, and that is no reason.
        _router.addRoute(address(new Impostor(bytes32(uint256(1)))));
    }

    function expectExists() private {
        vm.expectRevert(
            abi.encodeWithSelector(MusterRouter.RouteExists.selector, _selector, address(verifier))
        );
    }

    function expectRejected() private {
        vm.expectRevert(abi.encodeWithSelector(MusterVerifier.ProofRejected.selector));
    }
}
