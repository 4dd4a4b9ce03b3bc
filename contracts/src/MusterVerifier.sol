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
    uint256 internal constant PACKS_0 = 0x40;
    uint256 internal constant PACKS_1 = 0x60;
    uint256 internal constant PACKS_2 = 0x80;
    /// @dev How many bytes the inputs have, and a proof.
    uint256 internal constant INPUTS_LENGTH = 0xa0;
    uint256 internal constant PROOF_LENGTH = 0xc0;
    /// @dev Where things begin and end in calldata: the inputs; the proof; and in the proof `w_0`, `V`,
    /// `q_m`, which is the first of the 17 values, `W₂`, and the inverse.
    uint256 internal constant AT_INPUTS = 0xe0;
    uint256 internal constant END_INPUTS = 0x100;
    uint256 internal constant AT_PROOF = 0x120;
    uint256 internal constant END_PROOF = 0x140;
    uint256 internal constant AT_FACTORS = 0x160;
    uint256 internal constant AT_WIRES = 0x180;
    uint256 internal constant AT_VALUES = 0x1a0;
    uint256 internal constant AT_OPENINGS = 0x1c0;
    uint256 internal constant AT_INVERSE = 0x1e0;
    /// @dev The challenges after `u`, in the order in which they are squeezed.
    uint256 internal constant BETA_2 = 0x200;
    uint256 internal constant GAMMA_2 = 0x220;
    uint256 internal constant Y_2 = 0x240;
    uint256 internal constant X_2 = 0x260;
    uint256 internal constant ALPHA_2 = 0x280;
    uint256 internal constant U_2 = 0x2a0;
    uint256 internal constant RHO = 0x2c0;
    /// @dev The proof's name: the state of the transcript after its last challenge.
    uint256 internal constant STATE = 0x2e0;
    /// @dev `ω₂⁻¹`.
    uint256 internal constant ROOT = 0x300;
    /// @dev `n₂·T₂` is `SUM·BY_SUM`, and this is its numerator.
    uint256 internal constant SUM = 0x320;
    /// @dev Inverses; until `_invert` they are what is inverted. Of the denominator of `SUM`, and of
    /// `u − x`, `U − x₂`, `U − ω₂x₂`, `u₂ − x₂`, and `x₂ − ω₂x₂`.
    uint256 internal constant BY_SUM = 0x340;
    uint256 internal constant BY_QUOTIENT = 0x360;
    uint256 internal constant BY_PACKS = 0x380;
    uint256 internal constant BY_NEXT = 0x3a0;
    uint256 internal constant BY_QUOTIENT_2 = 0x3c0;
    uint256 internal constant BY_STEP = 0x3e0;
    /// @dev `T₂`.
    uint256 internal constant T_2 = 0x400;
    /// @dev What the commitments are multiplied by: `ρ·w′_0` to `ρ·w′_4`, `α^m/(u − x)`, and
    /// `−R − ρ·Σ w′_P·r_P`, by which `[1]₁` is.
    uint256 internal constant BY_0 = 0x420;
    uint256 internal constant BY_1 = 0x440;
    uint256 internal constant BY_2 = 0x460;
    uint256 internal constant BY_3 = 0x480;
    uint256 internal constant BY_4 = 0x4a0;
    uint256 internal constant BY_Q = 0x4c0;
    uint256 internal constant BY_ONE = 0x4e0;
    /// @dev What `W₂′` is multiplied by in the left point, `ρ·u₂`.
    uint256 internal constant BY_LAST = 0x500;
    /// @dev A sum of points, and after it a point and its factor: what the precompiles take. In the
    /// end the sums are the left point `E₁ + ρ·E₂`, and `−(W′ + ρ·W₂′)`.
    uint256 internal constant LEFT = 0x520;
    uint256 internal constant RIGHT = 0x5c0;
    /// @dev The moduli `r` and `q`, from where a step has them on the stack. As constants, a compiler
    /// copies them from the contract's code each time that they occur, for 20 gas.
    uint256 internal constant ORDER = 0x660;
    uint256 internal constant MODULUS = 0x680;
    /// @dev Memory address of the first eight challenges.
    uint256 internal constant CHALLENGES = 0x6a0;
    /// @dev The public inputs of the decider: the circuit's own from here, and from `CHALLENGES` what
    /// follows them: eight challenges, in the order in which they are squeezed, and then all `w_P` and
    /// `R`, as the proof has them.
    uint256 internal constant PUBLICS = 0x6c0;
    uint256 internal constant THETA = 0x00;
    uint256 internal constant Y = 0x80;
    uint256 internal constant X = 0xa0;
    uint256 internal constant ALPHA = 0xc0;
    uint256 internal constant U = 0xe0;
    uint256 internal constant FACTORS = 0x100;

    // ------------------------------------------------------------------------------ Constants

    /// @dev A root of unity of order 2^20, `ω₂₈^(2^8)`, as no decider has more rows, and its inverse; and
    /// the number whose powers name the wires; section 1.
    uint256 private constant OMEGA_20 =
        0x2a14464f1ff42de3856402b62520e670745e39fada049d5b2f0e1e3182673378;
    uint256 private constant OMEGA_20_INVERSE =
        0x220db0d8bf832baf9eecbf4fa49947e0b2a3d31df0a733ea5ae8abbdab442d5f;
    uint256 private constant DELTA =
        0x09226b6e22c6f0ca64ec26aad4c86e715b5f898e5e963f25870e56bbe533e9a2;
    // ------------------------------------------------------------------------------ Errors

    /// @notice No key of this name is registered.
    error UnknownKey(bytes32 name);
    /// @notice The key's inputs are so many bytes, 32 for each.
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
        uint256 run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, shl(5, inputs.length)))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        return _verify(run, name);
    }

    /// @notice The same in the shape of gateways that know a proof by the name of its program: reverts
    /// unless the proof holds.
    /// @param name Name of a registered key.
    /// @param inputs The public inputs, 32 bytes each.
    /// @param proof The proof in its long encoding.
    function verifyProof(bytes32 name, bytes calldata inputs, bytes calldata proof) external view {
        uint256 run = _open(name);
        assembly ("memory-safe") {
            mstore(add(run, AT_INPUTS), inputs.offset)
            mstore(add(run, END_INPUTS), add(inputs.offset, inputs.length))
            mstore(add(run, AT_PROOF), proof.offset)
            mstore(add(run, END_PROOF), add(proof.offset, proof.length))
        }
        if (!_verify(run, name)) revert ProofRejected();
    }

    // ------------------------------------------------------------------------------ The steps

    /// @dev Reads the key and takes the block.
    function _open(bytes32 name) internal view returns (uint256 run) {
        bytes memory evmKey = _known(name);
        assembly ("memory-safe") {
            run := mload(0x40)
            mstore(add(run, KEY), add(evmKey, 32))
            let head := mload(add(evmKey, 32))
            mstore(add(run, LOG_ROWS), and(shr(96, head), 0xffffffff))
            let inputs := shl(5, and(shr(64, head), 0xffffffff))
            mstore(add(run, INPUTS_LENGTH), inputs)
            // Points: the packs' of rounds 1 and 2, and nine more.
            let count := and(shr(32, head), 0xffffffff)
            mstore(add(run, PACKS_1), count)
            head := and(head, 0xffffffff)
            mstore(add(run, PACKS_2), head)
            count := add(count, head)
            let length := shl(6, add(count, 9))
            // Scalars: one for each pack, R, 17 values, and the inverse.
            head := shr(6, sub(mload(evmKey), KEY_PACKS))
            mstore(add(run, PACKS_0), head)
            count := add(count, head)
            mstore(add(run, PROOF_LENGTH), add(length, shl(5, add(count, 19))))
            // The circuit's inputs, eight challenges, one factor for each pack, and R.
            let challenges := add(add(run, PUBLICS), inputs)
            mstore(add(run, CHALLENGES), challenges)
            mstore(0x40, add(challenges, add(FACTORS, shl(5, add(count, 1)))))
            mstore(add(run, ORDER), R)
            mstore(add(run, MODULUS), Q)
        }
    }

    function _known(bytes32 name) private view returns (bytes memory evmKey) {
        evmKey = keyBytes(name);
        if (evmKey.length == 0) revert UnknownKey(name);
    }

    function _checkLengths(uint256 run) internal pure {
        _checkInputLength(run);
        _checkProofLength(run);
    }

    function _checkInputLength(uint256 run) private pure {
        uint256 expected = _word(run, INPUTS_LENGTH);
        uint256 actual = _between(run, AT_INPUTS, END_INPUTS);
        if (actual != expected) revert WrongInputs(expected, actual);
    }

    function _checkProofLength(uint256 run) private pure {
        uint256 expected = _word(run, PROOF_LENGTH);
        uint256 actual = _between(run, AT_PROOF, END_PROOF);
        if (actual != expected) revert WrongProofLength(expected, actual);
    }

    function _verify(uint256 run, bytes32 name) private view returns (bool) {
        _checkLengths(run);
        _checkInputs(run);
        _locate(run);
        return _sides(run, name) && _pairing(run);
    }

    /// @dev The two points of the pairings. False if the proof is refused before.
    function _sides(uint256 run, bytes32 name) internal view returns (bool) {
        // Before anything is done with them, all points are known to be on the curve, so that a
        // precompile can fail for lack of gas alone, and a bad proof costs no more than a good one.
        if (!_wellFormed(run)) return false;
        _challenges(run, name);
        return _fractions(run) && _sums(run);
    }

    /// @dev False if one of the denominators is 0, or the proof does not have their inverse.
    function _fractions(uint256 run) internal pure returns (bool) {
        _denominators(run);
        _gates(run);
        _publics(run);
        return _invert(run);
    }

    function _sums(uint256 run) private view returns (bool) {
        _factors(run);
        _constant(run);
        _left(run);
        _right(run);
        return true;
    }

    function _checkInputs(uint256 run) internal pure {
        if (!_scalars(run, AT_INPUTS, END_INPUTS)) _revertForInput(_word(run, AT_INPUTS));
    }

    /// @dev One of the words from here is not below the order: names the first that is not.
    function _revertForInput(uint256 place) private pure {
        for (uint256 i = 0;; ++i) {
            uint256 input;
            assembly ("memory-safe") {
                input := calldataload(add(place, shl(5, i)))
            }
            if (input >= R) revert InputTooLarge(i, input);
        }
    }

    /// @dev Where in the proof things begin; and copies the public inputs of the decider but for the
    /// challenges.
    function _locate(uint256 run) internal pure {
        assembly ("memory-safe") {
            let inputs := mload(add(run, AT_INPUTS))
            calldatacopy(add(run, PUBLICS), inputs, sub(mload(add(run, END_INPUTS)), inputs))
            // The packs of rounds 1 and 2, Q, E, W, W′.
            let committed := add(mload(add(run, PACKS_1)), mload(add(run, PACKS_2)))
            let place := add(mload(add(run, AT_PROOF)), shl(6, add(committed, 4)))
            mstore(add(run, AT_FACTORS), place)
            // One scalar for each pack, and R.
            let length := shl(5, add(add(committed, mload(add(run, PACKS_0))), 1))
            calldatacopy(add(mload(add(run, CHALLENGES)), FACTORS), place, length)
            place := add(place, length)
            mstore(add(run, AT_WIRES), place)
            // V, Z₂, Q₂, and 17 values.
            mstore(add(run, AT_VALUES), add(place, 192))
            mstore(add(run, AT_OPENINGS), add(place, 736))
            mstore(add(run, AT_INVERSE), add(place, 864))
        }
    }

    /// @dev Whether each point of the proof is on the curve and not the identity, in canonical
    /// coordinates, and each scalar is below the order. `_invert` looks at the inverse.
    function _wellFormed(uint256 run) internal pure returns (bool) {
        return _points(run, AT_PROOF, AT_FACTORS) && _scalars(run, AT_FACTORS, AT_WIRES)
            && _points(run, AT_WIRES, AT_VALUES) && _scalars(run, AT_VALUES, AT_OPENINGS)
            && _points(run, AT_OPENINGS, AT_INVERSE);
    }

    /// @dev The identity's bytes do not meet the curve's equation. The group has prime order, so there
    /// is no subgroup to look at.
    function _points(uint256 run, uint256 from, uint256 to) private pure returns (bool ok) {
        assembly ("memory-safe") {
            let place := mload(add(run, from))
            let end := mload(add(run, to))
            let q := mload(add(run, MODULUS))
            ok := 1
            for {} lt(place, end) { place := add(place, 64) } {
                let x := calldataload(place)
                let y := calldataload(add(place, 32))
                let cubic := addmod(mulmod(mulmod(x, x, q), x, q), 3, q)
                ok := and(ok, and(and(lt(x, q), lt(y, q)), eq(mulmod(y, y, q), cubic)))
            }
        }
    }

    function _scalars(uint256 run, uint256 from, uint256 to) private pure returns (bool ok) {
        assembly ("memory-safe") {
            let place := mload(add(run, from))
            let end := mload(add(run, to))
            let r := mload(add(run, ORDER))
            ok := 1
            for {} lt(place, end) { place := add(place, 32) } {
                ok := and(ok, lt(calldataload(place), r))
            }
        }
    }

    /// @dev Section 12. The state is the first word of memory, with a byte 1 after it; at `item`, above
    /// the free memory, stands what is absorbed: the state, a byte 0, and the item.
    function _challenges(uint256 run, bytes32 name) internal pure {
        bytes32 tag = keccak256("muster-compact-keccak256-1");
        assembly ("memory-safe") {
            // Absorbs `length` bytes of calldata.
            function absorb(item, place, length) {
                mstore(item, mload(0))
                calldatacopy(add(item, 33), place, length)
                mstore(0, keccak256(item, add(33, length)))
            }
            // Squeezes a challenge into memory.
            function squeeze(r, to) {
                let state := keccak256(0, 33)
                mstore(0, state)
                mstore(to, mod(state, r))
            }
            // A point and the challenge after it.
            function point(item, place, r, to) {
                absorb(item, place, 64)
                squeeze(r, to)
            }

            let r := mload(add(run, ORDER))
            let first := mload(add(run, CHALLENGES))
            let item := mload(0x40)
            mstore8(32, 1)
            mstore(item, tag)
            mstore8(add(item, 32), 0)
            mstore(add(item, 33), name)
            mstore(0, keccak256(item, 65))
            absorb(item, mload(add(run, AT_INPUTS)), mload(add(run, INPUTS_LENGTH)))

            // Items 1 and 2: the packs.
            let place := mload(add(run, AT_PROOF))
            let length := shl(6, mload(add(run, PACKS_1)))
            absorb(item, place, length)
            squeeze(r, add(first, THETA))
            squeeze(r, add(first, add(THETA, 32)))
            squeeze(r, add(first, add(THETA, 64)))
            squeeze(r, add(first, add(THETA, 96)))
            place := add(place, length)
            length := shl(6, mload(add(run, PACKS_2)))
            absorb(item, place, length)
            squeeze(r, add(first, Y))
            // 3 to 5: Q, E and W.
            place := add(place, length)
            point(item, place, r, add(first, X))
            point(item, add(place, 64), r, add(first, ALPHA))
            point(item, add(place, 128), r, add(first, U))
            // 6: from W′ to V.
            place := add(place, 192)
            length := sub(add(mload(add(run, AT_WIRES)), 64), place)
            absorb(item, place, length)
            squeeze(r, add(run, BETA_2))
            squeeze(r, add(run, GAMMA_2))
            // 7 and 8: Z₂ and Q₂.
            place := add(place, length)
            point(item, place, r, add(run, Y_2))
            point(item, add(place, 64), r, add(run, X_2))
            // 9: the values.
            absorb(item, add(place, 128), 544)
            squeeze(r, add(run, ALPHA_2))
            // 10 and 11: W₂ and W₂′.
            point(item, add(place, 672), r, add(run, U_2))
            point(item, add(place, 736), r, add(run, RHO))
            mstore(add(run, STATE), mload(0))
        }
    }

    /// @dev What section 13 divides by; `BY_SUM` becomes more in `_publics`.
    function _denominators(uint256 run) internal pure {
        assembly ("memory-safe") {
            let r := mload(add(run, ORDER))
            let log := mload(add(run, LOG_ROWS))
            let root := OMEGA_20
            let back := OMEGA_20_INVERSE
            for { let i := sub(MAX_LOG_ROWS, log) } i { i := sub(i, 1) } {
                root := mulmod(root, root, r)
                back := mulmod(back, back, r)
            }
            let x := mload(add(run, X_2))
            let power := x
            for {} log { log := sub(log, 1) } { power := mulmod(power, power, r) }
            mstore(add(run, BY_SUM), addmod(power, sub(r, 1), r))
            mstore(add(run, ROOT), back)

            power := mload(add(run, U_2))
            mstore(add(run, BY_QUOTIENT_2), addmod(power, sub(r, x), r))
            power := mulmod(power, power, r)
            let eighth := mulmod(power, power, r)
            eighth := mulmod(eighth, eighth, r)
            power := mulmod(power, eighth, r)
            mstore(add(run, BY_PACKS), addmod(power, sub(r, x), r))
            let next := mulmod(root, x, r)
            mstore(add(run, BY_NEXT), addmod(power, sub(r, next), r))
            mstore(add(run, BY_STEP), addmod(x, sub(r, next), r))

            let challenges := mload(add(run, CHALLENGES))
            x := mload(add(challenges, X))
            mstore(add(run, BY_QUOTIENT), addmod(mload(add(challenges, U)), sub(r, x), r))
        }
    }

    /// @dev `n₂·(c_0 + y₂²·c_2)`, of `c_0` without the public inputs.
    function _gates(uint256 run) internal pure {
        assembly ("memory-safe") {
            let r := mload(add(run, ORDER))
            let place := mload(add(run, AT_VALUES))
            // c_0
            let total := mulmod(calldataload(add(place, 0x20)), calldataload(add(place, 0x160)), r)
            {
                let a := calldataload(add(place, 0x160))
                let b := calldataload(add(place, 0x180))
                let term := mulmod(mulmod(calldataload(place), a, r), b, r)
                total := addmod(total, term, r)
                term := mulmod(calldataload(add(place, 0x40)), b, r)
                total := addmod(total, term, r)
                term := mulmod(calldataload(add(place, 0x60)), calldataload(add(place, 0x1a0)), r)
                total := addmod(total, term, r)
                term := mulmod(calldataload(add(place, 0x80)), calldataload(add(place, 0x140)), r)
                total := addmod(total, term, r)
                total := addmod(total, calldataload(add(place, 0xa0)), r)
                total := addmod(total, sub(r, calldataload(add(place, 0x1c0))), r)
            }
            // c_2, over the wires.
            let new := calldataload(add(place, 0x200))
            let old := calldataload(add(place, 0x1e0))
            {
                let beta := mload(add(run, BETA_2))
                let named := mulmod(beta, mload(add(run, X_2)), r)
                for { let i := 0 } lt(i, 0x80) { i := add(i, 0x20) } {
                    let value :=
                        add(calldataload(add(add(place, 0x160), i)), mload(add(run, GAMMA_2)))
                    let sigma := mulmod(beta, calldataload(add(add(place, 0xc0), i)), r)
                    new := mulmod(new, add(value, sigma), r)
                    old := mulmod(old, add(value, named), r)
                    named := mulmod(named, DELTA, r)
                }
            }
            new := addmod(new, sub(r, old), r)
            let y := mload(add(run, Y_2))
            total := addmod(total, mulmod(mulmod(y, y, r), new, r), r)
            mstore(add(run, SUM), mulmod(total, shl(mload(add(run, LOG_ROWS)), 1), r))
        }
    }

    /// @dev `n₂·T₂` as one fraction. `n₂·L_j(x₂)/(x₂^n₂ − 1)` is `1/(x₂·ω₂^(−j) − 1)`: so each public input
    /// has this denominator, and `y₂·(z₂ − 1)` that of `j = 0`.
    function _publics(uint256 run) internal pure {
        assembly ("memory-safe") {
            let r := mload(add(run, ORDER))
            let place := add(run, PUBLICS)
            let end := sub(mload(add(run, AT_WIRES)), mload(add(run, AT_FACTORS)))
            end := add(add(mload(add(run, CHALLENGES)), FACTORS), end)
            let minusOne := sub(r, 1)
            let point := mload(add(run, X_2))
            let by := mload(add(run, BY_SUM))
            let root := mload(add(run, ROOT))
            // c_1 and the first public input.
            let factor := add(point, minusOne)
            let sum := add(calldataload(add(mload(add(run, AT_VALUES)), 0x1e0)), minusOne)
            sum := addmod(mulmod(mload(add(run, Y_2)), sum, r), mload(place), r)
            sum := addmod(mulmod(mload(add(run, SUM)), factor, r), mulmod(sum, by, r), r)
            by := mulmod(by, factor, r)
            // The others.
            for { place := add(place, 32) } lt(place, end) { place := add(place, 32) } {
                point := mulmod(point, root, r)
                factor := add(point, minusOne)
                sum := addmod(mulmod(sum, factor, r), mulmod(mload(place), by, r), r)
                by := mulmod(by, factor, r)
            }
            mstore(add(run, SUM), sum)
            mstore(add(run, BY_SUM), by)
        }
    }

    /// @dev All six, from the inverse of their product, which the proof has. False unless it is that;
    /// so also if one of the six is 0, where section 13 refuses.
    function _invert(uint256 run) internal pure returns (bool ok) {
        assembly ("memory-safe") {
            // Products of those before each, above the free memory.
            let r := mload(add(run, ORDER))
            let from := add(run, BY_SUM)
            let products := mload(0x40)
            let all := 1
            for { let i := 0 } lt(i, 192) { i := add(i, 32) } {
                mstore(add(products, i), all)
                all := mulmod(all, mload(add(from, i)), r)
            }
            // Below the order, too, or else a proof would have another one: with r added.
            let inverse := calldataload(mload(add(run, AT_INVERSE)))
            ok := and(lt(inverse, r), eq(mulmod(inverse, all, r), 1))
            for { let i := 192 } i {} {
                i := sub(i, 32)
                let denominator := mload(add(from, i))
                mstore(add(from, i), mulmod(inverse, mload(add(products, i)), r))
                inverse := mulmod(inverse, denominator, r)
            }
        }
    }

    /// @dev `T₂`, and what the commitments are multiplied by.
    function _factors(uint256 run) internal pure {
        assembly ("memory-safe") {
            let r := mload(add(run, ORDER))
            // 2^k₂ times (r − 1)/2^k₂ is −1.
            let factor := sub(r, shr(mload(add(run, LOG_ROWS)), sub(r, 1)))
            factor := mulmod(factor, mload(add(run, BY_SUM)), r)
            mstore(add(run, T_2), mulmod(factor, mload(add(run, SUM)), r))

            let packs := add(mload(add(run, PACKS_0)), mload(add(run, PACKS_1)))
            packs := add(packs, mload(add(run, PACKS_2)))
            let alpha := mload(add(mload(add(run, CHALLENGES)), ALPHA))
            factor := mload(add(run, BY_QUOTIENT))
            for {} packs { packs := sub(packs, 1) } { factor := mulmod(factor, alpha, r) }
            mstore(add(run, BY_Q), factor)

            alpha := mload(add(run, ALPHA_2))
            factor := mulmod(mload(add(run, RHO)), mload(add(run, BY_PACKS)), r)
            mstore(add(run, BY_0), factor)
            factor := mulmod(factor, alpha, r)
            mstore(add(run, BY_1), factor)
            factor := mulmod(factor, alpha, r)
            mstore(add(run, BY_2), factor)
            factor := mulmod(factor, alpha, r)
            mstore(add(run, BY_3), mulmod(factor, mload(add(run, BY_NEXT)), r))

            factor := mulmod(alpha, alpha, r)
            factor := mulmod(mulmod(factor, factor, r), mload(add(run, RHO)), r)
            mstore(add(run, BY_4), mulmod(factor, mload(add(run, BY_QUOTIENT_2)), r))
            mstore(add(run, BY_LAST), mulmod(mload(add(run, U_2)), mload(add(run, RHO)), r))
        }
    }

    /// @dev The factor of `[1]₁`.
    function _constant(uint256 run) internal pure {
        assembly ("memory-safe") {
            function joined(place, count, u, r) -> sum {
                for { let i := shl(5, count) } i {} {
                    i := sub(i, 32)
                    sum := addmod(mulmod(sum, u, r), calldataload(add(place, i)), r)
                }
            }

            let r := mload(add(run, ORDER))
            let place := mload(add(run, AT_VALUES))
            let u := mload(add(run, U_2))
            let sum := calldataload(sub(mload(add(run, AT_WIRES)), 32)) // R
            // K₂, E and V.
            sum := addmod(sum, mulmod(mload(add(run, BY_0)), joined(place, 10, u, r), r), r)
            let term := mulmod(mload(add(run, BY_1)), calldataload(add(place, 0x140)), r)
            sum := addmod(sum, term, r)
            term := mulmod(mload(add(run, BY_2)), joined(add(place, 0x160), 4, u, r), r)
            sum := addmod(sum, term, r)
            // Z₂: w′·r is α₂³·(z₂(x₂)/(U − x₂) − z₂(ω₂x₂)/(U − ω₂x₂))/(x₂ − ω₂x₂).
            term := mulmod(calldataload(add(place, 0x200)), mload(add(run, BY_NEXT)), r)
            let z := mulmod(calldataload(add(place, 0x1e0)), mload(add(run, BY_PACKS)), r)
            term := mulmod(addmod(z, sub(r, term), r), mload(add(run, BY_STEP)), r)
            let alpha := mload(add(run, ALPHA_2))
            alpha := mulmod(mulmod(alpha, alpha, r), alpha, r)
            term := mulmod(term, mulmod(alpha, mload(add(run, RHO)), r), r)
            sum := addmod(sum, term, r)
            // Q₂.
            sum := addmod(sum, mulmod(mload(add(run, BY_4)), mload(add(run, T_2)), r), r)
            mstore(add(run, BY_ONE), sub(r, sum))
        }
    }

    /// @dev `E₁ + ρ·E₂`, of which `−W` is there at first.
    function _left(uint256 run) internal view {
        bool ok;
        assembly ("memory-safe") {
            // Adds `factor` times the point, which stands behind the sum.
            function add_times(sum, point, factor) -> success {
                mstore(add(point, 64), factor)
                success := staticcall(gas(), 7, point, 96, point, 64)
                success := and(success, staticcall(gas(), 6, sum, 128, sum, 64))
            }

            let sum := add(run, LEFT)
            let point := add(run, add(LEFT, 64))
            // Q, E, W and W′ stand in front of the factors.
            let challenges := mload(add(run, CHALLENGES))
            let place := mload(add(run, AT_FACTORS))
            calldatacopy(sum, sub(place, 128), 64)
            mstore(add(sum, 32), sub(mload(add(run, MODULUS)), mload(add(sum, 32))))
            calldatacopy(point, sub(place, 64), 64)
            ok := add_times(sum, point, mload(add(challenges, U)))
            calldatacopy(point, sub(place, 192), 64)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_1))))
            calldatacopy(point, sub(place, 256), 64)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_Q))))
            // K₂, and the packs of the key.
            let from := add(mload(add(run, KEY)), KEY_DECIDER)
            mstore(point, mload(from))
            mstore(add(point, 32), mload(add(from, 32)))
            ok := and(ok, add_times(sum, point, mload(add(run, BY_0))))
            let factors := add(challenges, FACTORS)
            let end := add(factors, shl(5, mload(add(run, PACKS_0))))
            for {} lt(factors, end) { factors := add(factors, 32) } {
                from := add(from, 64)
                mstore(point, mload(from))
                mstore(add(point, 32), mload(add(from, 32)))
                ok := and(ok, add_times(sum, point, mload(factors)))
            }
            // The packs of the proof.
            end := sub(place, 256)
            for { place := mload(add(run, AT_PROOF)) } lt(place, end) { place := add(place, 64) } {
                calldatacopy(point, place, 64)
                ok := and(ok, add_times(sum, point, mload(factors)))
                factors := add(factors, 32)
            }
            // V, Z₂, Q₂, W₂, W₂′ and [1]₁.
            place := mload(add(run, AT_WIRES))
            calldatacopy(point, place, 64)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_2))))
            calldatacopy(point, add(place, 64), 64)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_3))))
            calldatacopy(point, add(place, 128), 64)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_4))))
            calldatacopy(point, add(place, 736), 64)
            ok := and(ok, add_times(sum, point, sub(mload(add(run, ORDER)), mload(add(run, RHO)))))
            calldatacopy(point, add(place, 800), 64)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_LAST))))
            mstore(point, 1)
            mstore(add(point, 32), 2)
            ok := and(ok, add_times(sum, point, mload(add(run, BY_ONE))))
        }
        if (!ok) revert PrecompileFailed();
    }

    /// @dev `−(W′ + ρ·W₂′)`, of which `−W′` is there at first.
    function _right(uint256 run) internal view {
        bool ok;
        assembly ("memory-safe") {
            let sum := add(run, RIGHT)
            calldatacopy(sum, sub(mload(add(run, AT_FACTORS)), 64), 64)
            mstore(add(sum, 32), sub(mload(add(run, MODULUS)), mload(add(sum, 32))))
            let point := add(sum, 64)
            calldatacopy(point, add(mload(add(run, AT_VALUES)), 608), 64)
            mstore(add(sum, 128), sub(mload(add(run, ORDER)), mload(add(run, RHO))))
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
            mstore(add(input, 256), mload(tau))
            mstore(add(input, 288), mload(add(tau, 32)))
            mstore(add(input, 320), mload(add(tau, 64)))
            mstore(add(input, 352), mload(add(tau, 96)))
            ok := staticcall(gas(), 8, input, 384, input, 32)
            // An address without code would succeed, too, and return nothing.
            ok := and(ok, eq(returndatasize(), 32))
            result := mload(input)
        }
        if (!ok) revert PrecompileFailed();
        return result == 1;
    }

    function _between(uint256 run, uint256 from, uint256 to) private pure returns (uint256 length) {
        assembly ("memory-safe") {
            length := sub(mload(add(run, to)), mload(add(run, from)))
        }
    }

    /// @dev A word of the block.
    function _word(uint256 run, uint256 offset) internal pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(run, offset))
        }
    }
}
