// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterKeys} from "./MusterKeys.sol";

/// @title The verifier of `compact` proofs, for every key.
/// @notice It does sections 10, 12 and 13 of verifier/SPEC.md, whose names it uses: a proof is
/// accepted exactly if that page says so. Keys are data, registered here by anybody; the caller says
/// by name which one is meant, and must know what that key's proofs show.
///
/// What a caller gets wrong reverts: an unknown key, too few or too many inputs, an input that is not
/// below the order, a proof of another length than the key's. A proof that is false is `false`, whatever
/// is wrong with it. Too little gas reverts and is never `false`.
/// @dev No owner and no state but the keys.
///
/// All numbers that one step leaves to another stand in memory, in a block that starts at `run`; the
/// constants below say where. Each step is a function that takes `run` alone, so that no compiler has
/// to hold more on the stack than it can reach. A proof's bytes stay in calldata.
contract MusterVerifier is MusterKeys {
    // ------------------------------------------------------------------------------ The block `run`

    /// @dev Memory address of the key's bytes, and numbers from them; section 9.
    uint256 internal constant KEY = 0x00;
    uint256 internal constant LOG_ROWS = 0x20;
    uint256 internal constant INPUTS = 0x40;
    uint256 internal constant PACKS_0 = 0x60;
    uint256 internal constant PACKS_1 = 0x80;
    uint256 internal constant PACKS_2 = 0xa0;
    /// @dev Where things stand in calldata: the first input, the first byte of the proof, and in the
    /// proof `w_0`, `V`, and `q_m`, the first of the 17 values.
    uint256 internal constant AT_INPUTS = 0xc0;
    uint256 internal constant AT_PROOF = 0xe0;
    uint256 internal constant AT_FACTORS = 0x100;
    uint256 internal constant AT_WIRES = 0x120;
    uint256 internal constant AT_VALUES = 0x140;
    /// @dev The challenges, in the order in which they are squeezed; the first eight are public inputs
    /// of the decider.
    uint256 internal constant THETA = 0x160;
    uint256 internal constant Y = 0x1e0;
    uint256 internal constant X = 0x200;
    uint256 internal constant ALPHA = 0x220;
    uint256 internal constant U = 0x240;
    uint256 internal constant BETA_2 = 0x260;
    uint256 internal constant GAMMA_2 = 0x280;
    uint256 internal constant Y_2 = 0x2a0;
    uint256 internal constant X_2 = 0x2c0;
    uint256 internal constant ALPHA_2 = 0x2e0;
    uint256 internal constant U_2 = 0x300;
    uint256 internal constant RHO = 0x320;
    /// @dev The proof's name: the state of the transcript after its last challenge.
    uint256 internal constant STATE = 0x340;
    /// @dev `Σ_j p_j·ω₂^j/(x₂ − ω₂^j) + y₂·(z₂ − 1)/(x₂ − 1)` is this number by `BY_SUM`.
    uint256 internal constant SUM = 0x360;
    /// @dev Inverses; until `_invert` they are what is inverted. Of the denominator of `SUM`, of
    /// `x₂^n₂ − 1`, `u − x`, `U − x₂`, `U − ω₂x₂`, `u₂ − x₂`, and `x₂ − ω₂x₂`.
    uint256 internal constant BY_SUM = 0x380;
    uint256 internal constant BY_VANISHING = 0x3a0;
    uint256 internal constant BY_QUOTIENT = 0x3c0;
    uint256 internal constant BY_PACKS = 0x3e0;
    uint256 internal constant BY_NEXT = 0x400;
    uint256 internal constant BY_QUOTIENT_2 = 0x420;
    uint256 internal constant BY_STEP = 0x440;
    /// @dev `T₂`.
    uint256 internal constant T_2 = 0x460;
    /// @dev What the commitments are multiplied by: `ρ·w′_0` to `ρ·w′_4`, `α^m/(u − x)`, and
    /// `−R − ρ·Σ w′_P·r_P`, by which `[1]₁` is.
    uint256 internal constant BY_0 = 0x480;
    uint256 internal constant BY_1 = 0x4a0;
    uint256 internal constant BY_2 = 0x4c0;
    uint256 internal constant BY_3 = 0x4e0;
    uint256 internal constant BY_4 = 0x500;
    uint256 internal constant BY_Q = 0x520;
    uint256 internal constant BY_ONE = 0x540;
    /// @dev A sum of points, and after it a point and its factor: what the precompiles take. In the
    /// end the sums are the left point `E₁ + ρ·E₂`, and `−(W′ + ρ·W₂′)`.
    uint256 internal constant LEFT = 0x560;
    uint256 internal constant RIGHT = 0x600;
    uint256 internal constant RUN_SIZE = 0x6a0;

    // ------------------------------------------------------------------------------ Constants

    /// @dev A root of unity of order 2^28, and the number whose powers name the wires; section 1.
    uint256 private constant OMEGA_28 =
        0x03ddb9f5166d18b798865ea93dd31f743215cf6dd39329c8d34f1ed960c37c9c;
    uint256 private constant DELTA =
        0x09226b6e22c6f0ca64ec26aad4c86e715b5f898e5e963f25870e56bbe533e9a2;
    /// @dev The generator `[1]₂`, as EIP-197 has it.
    uint256 private constant G2_X_1 =
        0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2;
    uint256 private constant G2_X_0 =
        0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed;
    uint256 private constant G2_Y_1 =
        0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b;
    uint256 private constant G2_Y_0 =
        0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa;
    /// @dev Bytes of a proof besides the packs' points and scalars: nine points, `R`, 17 values.
    uint256 private constant FIXED_LENGTH = 9 * 64 + 18 * 32;

    // ------------------------------------------------------------------------------ Errors

    /// @notice No key of this name is registered.
    error UnknownKey(bytes32 name);
    /// @notice The key has another number of inputs; or they are so many bytes, which is no multiple of 32.
    error WrongInputs(uint256 expected, uint256 actual);
    /// @notice An input is not below the order of the groups.
    error InputTooLarge(uint256 index, uint256 input);
    /// @notice Proofs under this key have another length.
    error WrongProofLength(uint256 expected, uint256 actual);
    /// @notice A precompile failed. None fails on what it is given here, so there was too little gas;
    /// it says nothing about the proof.
    error PrecompileFailed();
    /// @notice The proof is false.
    error ProofRejected();

    // ------------------------------------------------------------------------------ The interface

    /// @notice Whether a proof holds for these inputs under the key of this name.
    /// @param name Name of a registered key.
    /// @param inputs The public inputs, as the caller expects them.
    /// @param proof The proof in its long encoding.
    function verify(bytes32 name, uint256[] calldata inputs, bytes calldata proof)
        external
        view
        returns (bool)
    {
        uint256 run = _open(name, inputs.length, proof.length);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, AT_PROOF), proof.offset)
        }
        return _verify(run, name);
    }

    /// @notice The same in the shape of gateways that know a proof by the name of its program: reverts
    /// unless the proof holds.
    /// @param name Name of a registered key.
    /// @param inputs The public inputs, 32 bytes each.
    /// @param proof The proof in its long encoding.
    function verifyProof(bytes32 name, bytes calldata inputs, bytes calldata proof) external view {
        uint256 run = _open(name, inputs.length / 32, proof.length);
        if (inputs.length % 32 != 0) {
            revert WrongInputs(_word(run, INPUTS) * 32, inputs.length);
        }
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, AT_PROOF), proof.offset)
        }
        if (!_verify(run, name)) revert ProofRejected();
    }

    // ------------------------------------------------------------------------------ The steps

    /// @dev Takes the block, reads the key, and compares the numbers of inputs and of bytes with it.
    function _open(bytes32 name, uint256 inputs, uint256 length)
        internal
        view
        returns (uint256 run)
    {
        address store = keyStore(name);
        uint256 size = store.code.length;
        if (size == 0) revert UnknownKey(name);
        assembly ("memory-safe") {
            run := mload(0x40)
            let key := add(run, RUN_SIZE)
            size := sub(size, 1)
            mstore(0x40, add(key, size))
            extcodecopy(store, key, 1, size)
            let head := mload(key)
            mstore(add(run, KEY), key)
            mstore(add(run, LOG_ROWS), and(shr(96, head), 0xffffffff))
            mstore(add(run, INPUTS), and(shr(64, head), 0xffffffff))
            mstore(add(run, PACKS_0), shr(6, sub(size, KEY_PACKS)))
            mstore(add(run, PACKS_1), and(shr(32, head), 0xffffffff))
            mstore(add(run, PACKS_2), and(head, 0xffffffff))
        }
        if (inputs != _word(run, INPUTS)) revert WrongInputs(_word(run, INPUTS), inputs);
        uint256 expected;
        unchecked {
            uint256 committed = _word(run, PACKS_1) + _word(run, PACKS_2);
            expected = FIXED_LENGTH + 32 * _word(run, PACKS_0) + 96 * committed;
        }
        if (length != expected) revert WrongProofLength(expected, length);
    }

    /// @dev All that follows when the numbers of everything are right.
    function _verify(uint256 run, bytes32 name) private view returns (bool) {
        _checkInputs(run);
        return _sides(run, name) && _pairing(run);
    }

    /// @dev The two points of the pairings. False if the proof is refused before.
    function _sides(uint256 run, bytes32 name) internal view returns (bool) {
        _locate(run);
        // Before anything is done with them, all points are known to be on the curve, so that a
        // precompile can fail for lack of gas alone, and a bad proof costs no more than a good one.
        if (!_wellFormed(run)) return false;
        _challenges(run, name);
        _denominators(run);
        if (!_invert(run)) return false;
        _quotient(run);
        _factors(run);
        _left(run);
        _right(run);
        return true;
    }

    function _checkInputs(uint256 run) internal pure {
        uint256 count = _word(run, INPUTS);
        uint256 at = _word(run, AT_INPUTS);
        for (uint256 i = 0; i < count;) {
            uint256 input;
            assembly ("memory-safe") {
                input := calldataload(at)
            }
            if (input >= R) revert InputTooLarge(i, input);
            unchecked {
                at += 32;
                ++i;
            }
        }
    }

    /// @dev Where in the proof things begin.
    function _locate(uint256 run) internal pure {
        assembly ("memory-safe") {
            // The packs of rounds 1 and 2, Q, E, W, W′.
            let committed := add(mload(add(run, PACKS_1)), mload(add(run, PACKS_2)))
            let at := add(mload(add(run, AT_PROOF)), shl(6, add(committed, 4)))
            mstore(add(run, AT_FACTORS), at)
            // One scalar for each pack, and R.
            at := add(at, shl(5, add(add(committed, mload(add(run, PACKS_0))), 1)))
            mstore(add(run, AT_WIRES), at)
            // V, Z₂, Q₂.
            mstore(add(run, AT_VALUES), add(at, 192))
        }
    }

    /// @dev Whether each point of the proof is on the curve and not the identity, in canonical
    /// coordinates, and each scalar is below the order.
    function _wellFormed(uint256 run) internal pure returns (bool) {
        uint256 factors = _word(run, AT_FACTORS);
        uint256 wires = _word(run, AT_WIRES);
        uint256 values = _word(run, AT_VALUES);
        unchecked {
            return _points(_word(run, AT_PROOF), factors) && _scalars(factors, wires)
                && _points(wires, values) && _scalars(values, values + 544)
                && _points(values + 544, values + 672);
        }
    }

    /// @dev The identity's bytes do not meet the curve's equation. The group has prime order, so there
    /// is no subgroup to look at.
    function _points(uint256 at, uint256 end) private pure returns (bool ok) {
        assembly ("memory-safe") {
            ok := 1
            for {} lt(at, end) { at := add(at, 64) } {
                let x := calldataload(at)
                let y := calldataload(add(at, 32))
                let cubic := addmod(mulmod(mulmod(x, x, Q), x, Q), 3, Q)
                ok := and(ok, and(and(lt(x, Q), lt(y, Q)), eq(mulmod(y, y, Q), cubic)))
            }
        }
    }

    function _scalars(uint256 at, uint256 end) private pure returns (bool ok) {
        assembly ("memory-safe") {
            ok := 1
            for {} lt(at, end) { at := add(at, 32) } { ok := and(ok, lt(calldataload(at), R)) }
        }
    }

    /// @dev Section 12. The state and what is hashed with it stand above the free memory.
    function _challenges(uint256 run, bytes32 name) internal pure {
        bytes32 tag = keccak256("muster-compact-keccak256-1");
        assembly ("memory-safe") {
            // Absorbs `length` bytes of calldata, squeezes `count` challenges into memory at `to`, and
            // returns where the next item begins.
            function item(state, at, length, to, count) -> next {
                mstore8(add(state, 32), 0)
                calldatacopy(add(state, 33), at, length)
                mstore(state, keccak256(state, add(33, length)))
                mstore8(add(state, 32), 1)
                for {} count { count := sub(count, 1) } {
                    let squeezed := keccak256(state, 33)
                    mstore(state, squeezed)
                    mstore(to, mod(squeezed, R))
                    to := add(to, 32)
                }
                next := add(at, length)
            }

            let state := mload(0x40)
            mstore(state, tag)
            mstore8(add(state, 32), 0)
            mstore(add(state, 33), name)
            mstore(state, keccak256(state, 65))
            let length := shl(5, mload(add(run, INPUTS)))
            pop(item(state, mload(add(run, AT_INPUTS)), length, 0, 0))
            let at := mload(add(run, AT_PROOF))
            at := item(state, at, shl(6, mload(add(run, PACKS_1))), add(run, THETA), 4)
            at := item(state, at, shl(6, mload(add(run, PACKS_2))), add(run, Y), 1)
            at := item(state, at, 64, add(run, X), 1)
            at := item(state, at, 64, add(run, ALPHA), 1)
            at := item(state, at, 64, add(run, U), 1)
            at := item(state, at, sub(add(mload(add(run, AT_WIRES)), 64), at), add(run, BETA_2), 2)
            at := item(state, at, 64, add(run, Y_2), 1)
            at := item(state, at, 64, add(run, X_2), 1)
            at := item(state, at, 544, add(run, ALPHA_2), 1)
            at := item(state, at, 64, add(run, U_2), 1)
            at := item(state, at, 64, add(run, RHO), 1)
            mstore(add(run, STATE), mload(state))
        }
    }

    /// @dev Section 13 divides by seven numbers. Public inputs are summed as one fraction.
    function _denominators(uint256 run) internal pure {
        assembly ("memory-safe") {
            let x := mload(add(run, X_2))
            let log := mload(add(run, LOG_ROWS))
            let root := OMEGA_28
            for { let i := log } lt(i, 28) { i := add(i, 1) } { root := mulmod(root, root, R) }
            let power := x
            for { let i := 0 } lt(i, log) { i := add(i, 1) } { power := mulmod(power, power, R) }
            mstore(add(run, BY_VANISHING), addmod(power, sub(R, 1), R))

            power := mload(add(run, U_2))
            mstore(add(run, BY_QUOTIENT_2), addmod(power, sub(R, x), R))
            power := mulmod(power, power, R)
            let eighth := mulmod(power, power, R)
            eighth := mulmod(eighth, eighth, R)
            power := mulmod(power, eighth, R)
            let next := mulmod(root, x, R)
            mstore(add(run, BY_PACKS), addmod(power, sub(R, x), R))
            mstore(add(run, BY_NEXT), addmod(power, sub(R, next), R))
            mstore(add(run, BY_STEP), addmod(x, sub(R, next), R))
            mstore(add(run, BY_QUOTIENT), addmod(mload(add(run, U)), sub(R, mload(add(run, X))), R))
            // For `_sum`.
            mstore(add(run, T_2), root)
        }
        _sum(run);
    }

    /// @dev `SUM` and its denominator. The fraction that is there at first is `y₂·(z₂ − 1)/(x₂ − 1)`: with
    /// `(x₂^n₂ − 1)/n₂` taken out, it stands for `y₂·c_1`.
    function _sum(uint256 run) private pure {
        assembly ("memory-safe") {
            // The public inputs side by side, above the free memory: the circuit's own, eight
            // challenges, `w_0, …` and `R`.
            let at := mload(0x40)
            let end := at
            let length := shl(5, mload(add(run, INPUTS)))
            calldatacopy(end, mload(add(run, AT_INPUTS)), length)
            end := add(end, length)
            for { let i := 0 } lt(i, 256) { i := add(i, 32) } {
                mstore(add(end, i), mload(add(add(run, THETA), i)))
            }
            end := add(end, 256)
            length := sub(mload(add(run, AT_WIRES)), mload(add(run, AT_FACTORS)))
            calldatacopy(end, mload(add(run, AT_FACTORS)), length)
            end := add(end, length)

            let x := mload(add(run, X_2))
            let root := mload(add(run, T_2))
            let z := calldataload(add(mload(add(run, AT_VALUES)), 0x1e0))
            let sum := mulmod(mload(add(run, Y_2)), addmod(z, sub(R, 1), R), R)
            let by := addmod(x, sub(R, 1), R)
            let row := 1
            for {} lt(at, end) { at := add(at, 32) } {
                let factor := add(x, sub(R, row))
                sum :=
                    addmod(mulmod(sum, factor, R), mulmod(mulmod(mload(at), row, R), by, R), R)
                by := mulmod(by, factor, R)
                row := mulmod(row, root, R)
            }
            mstore(add(run, SUM), sum)
            mstore(add(run, BY_SUM), by)
        }
    }

    /// @dev All seven by one inversion. False if one of them is 0, where section 13 refuses.
    function _invert(uint256 run) internal view returns (bool) {
        bool ok;
        uint256 all;
        assembly ("memory-safe") {
            // Products of those before each, above the free memory, and then what modexp takes.
            let from := add(run, BY_SUM)
            let products := mload(0x40)
            all := 1
            for { let i := 0 } lt(i, 224) { i := add(i, 32) } {
                mstore(add(products, i), all)
                all := mulmod(all, mload(add(from, i)), R)
            }
            let input := add(products, 224)
            mstore(input, 32)
            mstore(add(input, 32), 32)
            mstore(add(input, 64), 32)
            mstore(add(input, 96), all)
            mstore(add(input, 128), sub(R, 2))
            mstore(add(input, 160), R)
            ok := staticcall(gas(), 5, input, 192, input, 32)
            let inverse := mload(input)
            ok := and(ok, or(iszero(all), eq(mulmod(inverse, all, R), 1)))
            for { let i := 224 } i {} {
                i := sub(i, 32)
                let denominator := mload(add(from, i))
                mstore(add(from, i), mulmod(inverse, mload(add(products, i)), R))
                inverse := mulmod(inverse, denominator, R)
            }
        }
        if (!ok) revert PrecompileFailed();
        return all != 0;
    }

    /// @dev `T₂`: the gates and the copies by `x₂^n₂ − 1`, and the fraction of `_sum` by `n₂`.
    function _quotient(uint256 run) internal pure {
        assembly ("memory-safe") {
            let at := mload(add(run, AT_VALUES))
            // c_0 without the public inputs.
            let total := mulmod(calldataload(add(at, 0x20)), calldataload(add(at, 0x160)), R)
            {
                let a := calldataload(add(at, 0x160))
                let b := calldataload(add(at, 0x180))
                let term := mulmod(mulmod(calldataload(at), a, R), b, R)
                total := addmod(total, term, R)
                term := mulmod(calldataload(add(at, 0x40)), b, R)
                total := addmod(total, term, R)
                term := mulmod(calldataload(add(at, 0x60)), calldataload(add(at, 0x1a0)), R)
                total := addmod(total, term, R)
                term := mulmod(calldataload(add(at, 0x80)), calldataload(add(at, 0x140)), R)
                total := addmod(total, term, R)
                total := addmod(total, calldataload(add(at, 0xa0)), R)
                total := addmod(total, sub(R, calldataload(add(at, 0x1c0))), R)
            }
            // c_2, over the wires.
            let new := calldataload(add(at, 0x200))
            let old := calldataload(add(at, 0x1e0))
            {
                let beta := mload(add(run, BETA_2))
                let named := mulmod(beta, mload(add(run, X_2)), R)
                for { let i := 0 } lt(i, 0x80) { i := add(i, 0x20) } {
                    let value := add(calldataload(add(add(at, 0x160), i)), mload(add(run, GAMMA_2)))
                    let sigma := mulmod(beta, calldataload(add(add(at, 0xc0), i)), R)
                    new := mulmod(new, add(value, sigma), R)
                    old := mulmod(old, add(value, named), R)
                    named := mulmod(named, DELTA, R)
                }
            }
            new := addmod(new, sub(R, old), R)
            let y := mload(add(run, Y_2))
            total := addmod(total, mulmod(mulmod(y, y, R), new, R), R)
            total := mulmod(total, mload(add(run, BY_VANISHING)), R)
            // 2^k₂ times (R − 1)/2^k₂ is −1.
            let by := sub(R, shr(mload(add(run, LOG_ROWS)), sub(R, 1)))
            by := mulmod(by, mload(add(run, BY_SUM)), R)
            mstore(add(run, T_2), addmod(total, mulmod(by, mload(add(run, SUM)), R), R))
        }
    }

    /// @dev What the commitments are multiplied by.
    function _factors(uint256 run) internal pure {
        assembly ("memory-safe") {
            let packs := add(mload(add(run, PACKS_0)), mload(add(run, PACKS_1)))
            packs := add(packs, mload(add(run, PACKS_2)))
            let alpha := mload(add(run, ALPHA))
            let factor := mload(add(run, BY_QUOTIENT))
            for {} packs { packs := sub(packs, 1) } { factor := mulmod(factor, alpha, R) }
            mstore(add(run, BY_Q), factor)

            alpha := mload(add(run, ALPHA_2))
            factor := mulmod(mload(add(run, RHO)), mload(add(run, BY_PACKS)), R)
            mstore(add(run, BY_0), factor)
            factor := mulmod(factor, alpha, R)
            mstore(add(run, BY_1), factor)
            factor := mulmod(factor, alpha, R)
            mstore(add(run, BY_2), factor)
            factor := mulmod(factor, alpha, R)
            mstore(add(run, BY_3), mulmod(factor, mload(add(run, BY_NEXT)), R))

            factor := mulmod(alpha, alpha, R)
            factor := mulmod(mulmod(factor, factor, R), mload(add(run, RHO)), R)
            mstore(add(run, BY_4), mulmod(factor, mload(add(run, BY_QUOTIENT_2)), R))
        }
        _constant(run);
    }

    /// @dev The factor of `[1]₁`.
    function _constant(uint256 run) private pure {
        assembly ("memory-safe") {
            function joined(at, count, u) -> sum {
                for { let i := shl(5, count) } i {} {
                    i := sub(i, 32)
                    sum := addmod(mulmod(sum, u, R), calldataload(add(at, i)), R)
                }
            }

            let at := mload(add(run, AT_VALUES))
            let u := mload(add(run, U_2))
            let sum := calldataload(sub(mload(add(run, AT_WIRES)), 32)) // R
            // K₂, E and V.
            sum := addmod(sum, mulmod(mload(add(run, BY_0)), joined(at, 10, u), R), R)
            let term := mulmod(mload(add(run, BY_1)), calldataload(add(at, 0x140)), R)
            sum := addmod(sum, term, R)
            term := mulmod(mload(add(run, BY_2)), joined(add(at, 0x160), 4, u), R)
            sum := addmod(sum, term, R)
            // Z₂: w′·r is α₂³·(z₂(x₂)/(U − x₂) − z₂(ω₂x₂)/(U − ω₂x₂))/(x₂ − ω₂x₂).
            term := mulmod(calldataload(add(at, 0x200)), mload(add(run, BY_NEXT)), R)
            let z := mulmod(calldataload(add(at, 0x1e0)), mload(add(run, BY_PACKS)), R)
            term := mulmod(addmod(z, sub(R, term), R), mload(add(run, BY_STEP)), R)
            let alpha := mload(add(run, ALPHA_2))
            alpha := mulmod(mulmod(alpha, alpha, R), alpha, R)
            term := mulmod(term, mulmod(alpha, mload(add(run, RHO)), R), R)
            sum := addmod(sum, term, R)
            // Q₂.
            sum := addmod(sum, mulmod(mload(add(run, BY_4)), mload(add(run, T_2)), R), R)
            mstore(add(run, BY_ONE), sub(R, sum))
        }
    }

    /// @dev `E₁ + ρ·E₂`, of which `−W` is there at first.
    function _left(uint256 run) internal view {
        bool ok;
        assembly ("memory-safe") {
            // Adds `factor` times the point that stands behind the sum.
            function add_times(sum, factor) -> success {
                mstore(add(sum, 128), factor)
                let point := add(sum, 64)
                success := staticcall(gas(), 7, point, 96, point, 64)
                success := and(success, staticcall(gas(), 6, sum, 128, sum, 64))
            }
            function add_given(sum, at, factor) -> success {
                calldatacopy(add(sum, 64), at, 64)
                success := add_times(sum, factor)
            }
            function add_stored(sum, at, factor) -> success {
                mstore(add(sum, 64), mload(at))
                mstore(add(sum, 96), mload(add(at, 32)))
                success := add_times(sum, factor)
            }

            let sum := add(run, LEFT)
            let factors := mload(add(run, AT_FACTORS))
            // Q, E, W and W′ stand in front of the factors.
            calldatacopy(sum, sub(factors, 128), 64)
            mstore(add(sum, 32), sub(Q, mload(add(sum, 32))))
            ok := add_given(sum, sub(factors, 64), mload(add(run, U)))
            ok := and(ok, add_given(sum, sub(factors, 192), mload(add(run, BY_1))))
            ok := and(ok, add_given(sum, sub(factors, 256), mload(add(run, BY_Q))))
            // The packs of the key, and those of the proof.
            let at := add(mload(add(run, KEY)), KEY_PACKS)
            let end := add(at, shl(6, mload(add(run, PACKS_0))))
            for {} lt(at, end) { at := add(at, 64) } {
                ok := and(ok, add_stored(sum, at, calldataload(factors)))
                factors := add(factors, 32)
            }
            end := add(mload(add(run, PACKS_1)), mload(add(run, PACKS_2)))
            at := mload(add(run, AT_PROOF))
            end := add(at, shl(6, end))
            for {} lt(at, end) { at := add(at, 64) } {
                ok := and(ok, add_given(sum, at, calldataload(factors)))
                factors := add(factors, 32)
            }
            // The decider's: K₂, V, Z₂, Q₂, W₂, W₂′, and [1]₁.
            ok := and(ok, add_stored(sum, add(mload(add(run, KEY)), KEY_DECIDER), mload(add(run, BY_0))))
            at := mload(add(run, AT_WIRES))
            ok := and(ok, add_given(sum, at, mload(add(run, BY_2))))
            ok := and(ok, add_given(sum, add(at, 64), mload(add(run, BY_3))))
            ok := and(ok, add_given(sum, add(at, 128), mload(add(run, BY_4))))
            at := add(mload(add(run, AT_VALUES)), 544)
            ok := and(ok, add_given(sum, at, sub(R, mload(add(run, RHO)))))
            let by := mulmod(mload(add(run, RHO)), mload(add(run, U_2)), R)
            ok := and(ok, add_given(sum, add(at, 64), by))
            mstore(add(sum, 64), 1)
            mstore(add(sum, 96), 2)
            ok := and(ok, add_times(sum, mload(add(run, BY_ONE))))
        }
        if (!ok) revert PrecompileFailed();
    }

    /// @dev `−(W′ + ρ·W₂′)`, of which `−W′` is there at first.
    function _right(uint256 run) internal view {
        bool ok;
        assembly ("memory-safe") {
            let sum := add(run, RIGHT)
            calldatacopy(sum, sub(mload(add(run, AT_FACTORS)), 64), 64)
            mstore(add(sum, 32), sub(Q, mload(add(sum, 32))))
            let point := add(sum, 64)
            calldatacopy(point, add(mload(add(run, AT_VALUES)), 608), 64)
            mstore(add(sum, 128), sub(R, mload(add(run, RHO))))
            ok := staticcall(gas(), 7, point, 96, point, 64)
            ok := and(ok, staticcall(gas(), 6, sum, 128, sum, 64))
        }
        if (!ok) revert PrecompileFailed();
    }

    /// @dev Whether `e(left, [1]₂)·e(right, [τ]₂) = 1`, which is section 13's last line, as `right` is
    /// negated.
    function _pairing(uint256 run) internal view returns (bool) {
        bool ok;
        uint256 result;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, mload(add(run, LEFT)))
            mstore(add(input, 32), mload(add(run, add(LEFT, 32))))
            mstore(add(input, 64), G2_X_1)
            mstore(add(input, 96), G2_X_0)
            mstore(add(input, 128), G2_Y_1)
            mstore(add(input, 160), G2_Y_0)
            mstore(add(input, 192), mload(add(run, RIGHT)))
            mstore(add(input, 224), mload(add(run, add(RIGHT, 32))))
            let tau := add(mload(add(run, KEY)), KEY_TAU)
            for { let i := 0 } lt(i, 128) { i := add(i, 32) } {
                mstore(add(add(input, 256), i), mload(add(tau, i)))
            }
            ok := staticcall(gas(), 8, input, 384, input, 32)
            // An address without code would succeed, too, and return nothing.
            ok := and(ok, eq(returndatasize(), 32))
            result := mload(input)
        }
        if (!ok) revert PrecompileFailed();
        return result == 1;
    }

    /// @dev A word of the block.
    function _word(uint256 run, uint256 offset) internal pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(run, offset))
        }
    }
}
