// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Vectors} from "./base/Vectors.sol";

/// @dev What a verification costs; what a bad proof costs at most; what too little gas does.
contract GasTest is Vectors {
    /// @dev The limits of execution gas for three inputs: with the five packs that most keys have, and with
    /// the most that the prover gives a key.
    uint256 private constant LIMIT_OF_FIVE = 236_000;
    uint256 private constant LIMIT = 250_000;
    uint256 private constant LEVELS = 60;

    /// @dev `forge test --match-contract GasTest --match-test Cost -vv` prints the figures, and `--flamegraph` with one of these tests
    /// draws what each step takes.
    function testCost() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            Vector memory vector = honest(labels[i]);
            uint256 used = gasOf(vector, vector.proof, true);
            emit log_named_uint(labels[i], used);
            assertBelow(used, i == 6 ? LIMIT : LIMIT_OF_FIVE, labels[i]);
        }
    }

    /// @dev A transaction that does nothing else.
    function testCostOfATransaction() public {
        Vector memory vector = honest("three-inputs");
        (bool ok,) = address(verifier)
            .call(abi.encodeCall(MusterVerifier.verify, (vector.name, vector.inputs, vector.proof)));
        assertTrue(ok, "verified");
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint("verify: all in", used);
        assertBelow(used, 285_000, "all in");
    }

    function testCostOfInputs() public {
        Vector memory vector = load("random-9");
        uint256 used = gasOf(vector, vector.proof, false);
        emit log_named_uint("1024 inputs, four packs", used);
        assertBelow(used, 460_000, "1024 inputs");
    }

    function testCostOfRegistration() public {
        Vector memory vector = honest("three-inputs");
        MusterVerifier other = new MusterVerifier();
        other.register(vector.evmKey);
        emit log_named_uint("register, two packs of round 0", vm.lastCallGas().gasTotalUsed);
        other.register(vector.evmKey);
        emit log_named_uint("register once more", vm.lastCallGas().gasTotalUsed);
    }

    /// @dev A number above the order is refused as it is read, before the pairing and not by what it leads to, however the
    /// contract was compiled.
    function testNumbersAboveTheOrderAreRefusedEarly() public {
        Vector memory vector = honest("three-inputs");
        (, uint256[] memory scalars) = places(vector);
        for (uint256 i = 0; i < scalars.length - 1; ++i) {
            uint256 word = wordAt(vector.proof, scalars[i]);
            bytes memory proof = withWord(vector.proof, scalars[i], word + R);
            assertBelow(badGasOf(vector, proof), 100_000, "+ r");
        }
    }

    /// @dev No bad proof of this length costs more than a good one, but for the odd jump.
    function testBadProofsCostNoMore() public {
        Vector memory vector = honest("three-inputs");
        uint256 limit = gasOf(vector, vector.proof, true) + 100;
        (uint256[] memory points, uint256[] memory scalars) = places(vector);
        for (uint256 i = 0; i < points.length; ++i) {
            uint256 place = points[i] + 32;
            uint256 y = wordAt(vector.proof, place);
            assertBelow(badGasOf(vector, withWord(vector.proof, place, y ^ 1)), limit, "off");
            assertBelow(badGasOf(vector, withWord(vector.proof, place, Q - y)), limit, "-P");
        }
        for (uint256 i = 0; i < scalars.length - 1; ++i) {
            uint256 place = scalars[i];
            uint256 word = wordAt(vector.proof, place);
            assertBelow(badGasOf(vector, withWord(vector.proof, place, word + R)), 30_000, "+ r");
            assertBelow(badGasOf(vector, withWord(vector.proof, place, R - 1)), limit, "r - 1");
        }
        bytes memory proof = bytes.concat(vector.proof);
        for (uint256 i = 0; i < points.length; ++i) {
            setWord(proof, points[i], 1);
            setWord(proof, points[i] + 32, 1);
        }
        assertBelow(badGasOf(vector, proof), 30_000, "all points off the curve");
        for (uint256 i = 0; i < points.length; ++i) {
            setWord(proof, points[i], 0);
            setWord(proof, points[i] + 32, 0);
        }
        assertBelow(badGasOf(vector, proof), 30_000, "all points the identity");
        // Points that are equal, so that sums double and cancel, and scalars that are 0 or -1.
        for (uint256 i = 0; i < points.length; ++i) {
            setWord(proof, points[i], 1);
            setWord(proof, points[i] + 32, 2);
        }
        assertBelow(badGasOf(vector, proof), limit, "generators");
        for (uint256 i = 0; i < scalars.length; ++i) {
            setWord(proof, scalars[i], i % 2 == 0 ? 0 : R - 1);
        }
        assertBelow(badGasOf(vector, proof), limit, "generators by 0 and -1");
        for (uint256 place = 0; place < proof.length; place += 32) {
            setWord(proof, place, type(uint256).max);
        }
        assertBelow(badGasOf(vector, proof), 30_000, "all bits");
        // Before any point is multiplied.
        proof = withWord(vector.proof, vector.proof.length - 32, 1);
        assertBelow(gasOf(vector, proof, false), 40_000, "a wrong inverse");
    }

    /// @dev With the right inverse, without which it would cost little.
    function badGasOf(Vector memory vector, bytes memory proof) private view returns (uint256) {
        return gasOf(vector, withInverse(vector, vector.inputs, proof), false);
    }

    /// @dev With too little gas a good proof is never false: the call reverts, or says `true`.
    function testTooLittleGas() public {
        string[9] memory labels = honestLabels();
        for (uint256 i = 0; i < labels.length; ++i) {
            if (all() || i == 5 || i > 6) this.starve(honest(labels[i]));
        }
    }

    /// @dev From outside, so that the calls in it are not transactions of their own: they have the gas
    /// that they are given, and nothing else.
    function starve(Vector memory vector) external view {
        bytes memory word =
            abi.encodeCall(MusterVerifier.verify, (vector.name, vector.inputs, vector.proof));
        bytes memory reverting = abi.encodeCall(
            MusterVerifier.verifyProof, (vector.name, abi.encodePacked(vector.inputs), vector.proof)
        );
        uint256 most = gasleft();
        assertTrue(verifier.verify(vector.name, vector.inputs, vector.proof), vector.label);
        most -= gasleft();
        uint256 accepted = 0;
        for (uint256 level = 0; level <= LEVELS; ++level) {
            accepted += withGas(word, reverting, most * level / LEVELS);
            // And closely around what it takes, where the last precompiles are short of gas.
            accepted += withGas(word, reverting, most - level * 150);
        }
        assertTrue(accepted != 0 && accepted < 2 * LEVELS, "some levels are enough, some are not");
    }

    function withGas(bytes memory word, bytes memory reverting, uint256 level)
        private
        view
        returns (uint256)
    {
        (bool success, bytes memory result) = address(verifier).staticcall{gas: level}(word);
        if (success) {
            assertEq(result.length, 32, "a word");
            assertEq(wordAt(result, 0), 1, "a good proof is not false");
        } else {
            checkReason(result);
        }
        (bool also, bytes memory reason) = address(verifier).staticcall{gas: level}(reverting);
        if (!also) checkReason(reason);
        return success ? 1 : 0;
    }

    /// @dev Out of gas altogether, or the error that says so.
    function checkReason(bytes memory reason) private pure {
        if (reason.length == 0) return;
        assertEq(reason.length, 4, "an error without arguments");
        bytes4 selector = bytes4(bytes32(wordAt(reason, 0)));
        assertTrue(selector == MusterVerifier.PrecompileFailed.selector, "for lack of gas");
    }

    function gasOf(Vector memory vector, bytes memory proof, bool accepted)
        private
        view
        returns (uint256)
    {
        bool found = verifier.verify(vector.name, vector.inputs, proof);
        assertTrue(found == accepted, vector.label);
        return vm.lastCallGas().gasTotalUsed;
    }
}
