// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev A precompile that fails, or is not there, says nothing about a proof.
contract PrecompilesTest is Vectors {
    address private constant PRODUCT = address(7);
    address private constant PAIRING = address(8);

    Vector private three;

    function setUp() public override {
        super.setUp();
        three = honest("three-inputs");
    }

    function testEachPrecompileFails() public {
        for (uint160 place = 6; place <= 8; ++place) {
            vm.mockCallRevert(address(place), "", "");
            assertNoVerdict();
            vm.clearMockedCalls();
        }
        assertTrue(verify(three), "all is well again");
    }

    /// @dev Each point that is multiplied: those of the proof but W, those of the key, and the generator.
    function testEachProductFails() public {
        (uint256[] memory points,) = places(three);
        uint256 w = points[number(three.evmKey, 24) + number(three.evmKey, 28) + 2];
        for (uint256 i = 0; i < points.length; ++i) {
            if (points[i] != w) {
                failsFor(wordAt(three.proof, points[i]), wordAt(three.proof, points[i] + 32));
            }
        }
        for (uint256 place = 192; place < three.evmKey.length; place += 64) {
            failsFor(wordAt(three.evmKey, place), wordAt(three.evmKey, place + 32));
        }
        failsFor(1, 2);
        vm.mockCallRevert(
            PRODUCT, abi.encode(wordAt(three.proof, w), wordAt(three.proof, w + 32)), ""
        );
        assertTrue(verify(three), "W is not multiplied");
    }

    /// @dev `W₂′` is multiplied on both sides, each time as the first point of a sum: each product alone, since
    /// the addition after it succeeds all the same, with what stood there before.
    function testEachFirstProductFails() public {
        uint256 place = three.proof.length - 96;
        bytes memory point =
            abi.encodePacked(wordAt(three.proof, place), wordAt(three.proof, place + 32));
        (uint256 u, uint256 rho) = (three.trace[13], three.trace[14]);
        uint256[2] memory factors = [R - rho, mulmod(u, rho, R)];
        for (uint256 i = 0; i < 2; ++i) {
            vm.mockCallRevert(PRODUCT, abi.encodePacked(point, factors[i]), "");
            assertNoVerdict();
            vm.clearMockedCalls();
        }
    }

    function failsFor(uint256 x, uint256 y) private {
        vm.mockCallRevert(PRODUCT, abi.encode(x, y), "");
        assertNoVerdict();
        vm.clearMockedCalls();
    }

    /// @dev Nothing is inverted here: the proof has the inverse.
    function testNoOtherPrecompileIsCalled() public {
        for (uint160 place = 1; place <= 10; ++place) {
            if (place >= 6 && place <= 8) continue;
            vm.mockCallRevert(address(place), "", "");
        }
        assertTrue(verify(three), "it holds all the same");
    }

    function testAnswersOfThePairing() public {
        vm.mockCall(PAIRING, "", "");
        assertNoVerdict();
        vm.mockCall(PAIRING, "", abi.encode(0));
        assertTrue(!verify(three), "0 is no");
        vm.mockCall(PAIRING, "", abi.encode(2));
        assertTrue(!verify(three), "2 is no");
        vm.mockCall(PAIRING, "", abi.encode(1));
        assertTrue(verify(three), "1 is yes");
    }

    function assertNoVerdict() private view {
        bytes memory reason = abi.encodePacked(MusterVerifier.PrecompileFailed.selector);
        assertReverts(three.name, three.inputs, three.proof, reason);
    }
}
