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
///
/// Several proofs may share a pairing, as section 8 has it: `verifyAll`.
/// @dev No owner and no state but the keys.
///
/// All numbers that one step leaves to another stand in memory at fixed places, which the constants
/// below say. Each step is a function that takes next to nothing, so that no compiler has to hold more
/// on the stack than it can reach.
contract MusterVerifier is MusterKeys {
    // ------------------------------------------------------------------------------ Memory
    // The first words are the compiler's: `_reserve` reverts if it wanted more of them than are left here. By way of
    // the IR and with the optimizer, which makes one function of all steps, it wants 0x9e0 bytes before 0.8.21.

    /// @dev Numbers from the key; section 9. `PACKS` counts those of all rounds.
    uint256 internal constant LOG_ROWS = 0xa80;
    uint256 internal constant PACKS = 0xaa0;
    uint256 internal constant PACKS_1 = 0xac0;
    uint256 internal constant PACKS_2 = 0xae0;
    /// @dev How many bytes the inputs have, and a proof.
    uint256 internal constant INPUTS_LENGTH = 0xb00;
    uint256 internal constant PROOF_LENGTH = 0xb20;
    /// @dev Where things begin and end in calldata: the inputs; the proof; and in the proof `Q`, `V`, and
    /// the inverse.
    uint256 internal constant AT_INPUTS = 0xb40;
    uint256 internal constant END_INPUTS = 0xb60;
    uint256 internal constant AT_PROOF = 0xb80;
    uint256 internal constant END_PROOF = 0xba0;
    uint256 internal constant AT_QUOTIENT = 0xbc0;
    uint256 internal constant AT_WIRES = 0xbe0;
    uint256 internal constant AT_INVERSE = 0xc00;
    /// @dev Memory addresses: of the proof's points, which stand behind the key, and of the word after
    /// them; of the first eight challenges.
    uint256 internal constant POINTS = 0xc20;
    uint256 internal constant END_POINTS = 0xc40;
    uint256 internal constant CHALLENGES = 0xc60;
    /// @dev The challenges after `u`, in the order in which they are squeezed.
    uint256 internal constant BETA_2 = 0xc80;
    uint256 internal constant GAMMA_2 = 0xca0;
    uint256 internal constant Y_2 = 0xcc0;
    uint256 internal constant X_2 = 0xce0;
    uint256 internal constant ALPHA_2 = 0xd00;
    uint256 internal constant U_2 = 0xd20;
    uint256 internal constant RHO = 0xd40;
    /// @dev The proof's name: the state of the transcript after its last challenge.
    uint256 internal constant STATE = 0xd60;
    /// @dev `ω₂⁻¹`.
    uint256 internal constant ROOT = 0xd80;
    /// @dev `n₂·T₂` is `SUM·BY_SUM`, and this is its numerator.
    uint256 internal constant SUM = 0xda0;
    /// @dev Inverses; until `_invert` they are what is inverted. Of the denominator of `SUM`, and of
    /// `u − x`, `U − x₂`, `U − ω₂x₂`, `u₂ − x₂`, and `x₂ − ω₂x₂`.
    uint256 internal constant BY_SUM = 0xdc0;
    uint256 internal constant BY_QUOTIENT = 0xde0;
    uint256 internal constant BY_PACKS = 0xe00;
    uint256 internal constant BY_NEXT = 0xe20;
    uint256 internal constant BY_QUOTIENT_2 = 0xe40;
    uint256 internal constant BY_STEP = 0xe60;
    /// @dev `T₂`.
    uint256 internal constant T_2 = 0xe80;
    /// @dev What the commitments are multiplied by: `ρ·w′_0` to `ρ·w′_4`, `α^m/(u − x)`, and
    /// `−R − ρ·Σ w′_P·r_P`, by which `[1]₁` is.
    uint256 internal constant BY_0 = 0xea0;
    uint256 internal constant BY_1 = 0xec0;
    uint256 internal constant BY_2 = 0xee0;
    uint256 internal constant BY_3 = 0xf00;
    uint256 internal constant BY_4 = 0xf20;
    uint256 internal constant BY_Q = 0xf40;
    uint256 internal constant BY_ONE = 0xf60;
    /// @dev The moduli `r` and `q`, from where a step has them on the stack. As constants, a compiler
    /// copies them from the contract's code each time that they occur, for 20 gas.
    uint256 internal constant ORDER = 0xf80;
    uint256 internal constant MODULUS = 0xfa0;
    /// @dev The 17 values, by the names of section 10. Item 9 of the transcript is absorbed here, with 33
    /// bytes before it.
    uint256 internal constant VALUES_ITEM = 0xfdf;
    uint256 internal constant VALUES = 0x1000;
    uint256 internal constant Q_M = 0x1000;
    uint256 internal constant Q_A = 0x1020;
    uint256 internal constant Q_B = 0x1040;
    uint256 internal constant Q_C = 0x1060;
    uint256 internal constant Q_E = 0x1080;
    uint256 internal constant Q_0 = 0x10a0;
    uint256 internal constant SIGMA_A = 0x10c0;
    uint256 internal constant SIGMA_B = 0x10e0;
    uint256 internal constant SIGMA_C = 0x1100;
    uint256 internal constant SIGMA_D = 0x1120;
    uint256 internal constant E = 0x1140;
    uint256 internal constant A = 0x1160;
    uint256 internal constant B = 0x1180;
    uint256 internal constant C = 0x11a0;
    uint256 internal constant D = 0x11c0;
    uint256 internal constant Z = 0x11e0;
    uint256 internal constant Z_NEXT = 0x1200;
    /// @dev Of the proofs that share a pairing: the sums of what it takes, where `[τ]₂` is that of their keys;
    /// the sum of the factors of `[1]₁`; and a hash of the names.
    uint256 internal constant SUM_LEFT = 0x1220;
    uint256 internal constant SUM_RIGHT = 0x1260;
    uint256 internal constant SUM_TAU = 0x12a0;
    uint256 internal constant SUM_ONE = 0x1320;
    uint256 internal constant NAMES = 0x1340;
    /// @dev What the pairing takes: a sum of points, in the end the left point `E₁ + ρ·E₂`; `[1]₂`, where
    /// until then a point stands that is added to the sum, and its factor; the right point
    /// `−(W′ + ρ·W₂′)`, or until then a point that is added to it; and `[τ]₂`, where the key has it.
    uint256 internal constant LEFT = 0x1360;
    uint256 internal constant POINT = 0x13a0;
    uint256 internal constant TO_RIGHT = 0x13e0;
    uint256 internal constant RIGHT = 0x1420;
    /// @dev The key's bytes. In the end the right point stands over the first of them.
    uint256 internal constant KEY = 0x1420;
    // Behind the key stand the proof's points, in its order; a word for the factor of the last; and the
    // public inputs of the decider: the circuit's own, and from `CHALLENGES` what follows them, which is
    // eight challenges, in the order in which they are squeezed, and then all `w_P` and `R`.
    uint256 internal constant THETA = 0x00;
    uint256 internal constant Y = 0x80;
    uint256 internal constant X = 0xa0;
    uint256 internal constant ALPHA = 0xc0;
    uint256 internal constant U = 0xe0;
    uint256 internal constant FACTORS = 0x100;

    // ------------------------------------------------------------------------------ Constants

    /// @dev Roots of unity of order 2^20, `ω₂₈^(2^8)`, as no decider has more rows, and of order 2^13,
    /// `ω₂₈^(2^15)`, as few have more; their inverses; and the number whose powers name the wires;
    /// section 1.
    uint256 private constant OMEGA_20 =
        0x2a14464f1ff42de3856402b62520e670745e39fada049d5b2f0e1e3182673378;
    uint256 private constant OMEGA_20_INVERSE =
        0x220db0d8bf832baf9eecbf4fa49947e0b2a3d31df0a733ea5ae8abbdab442d5f;
    uint256 private constant OMEGA_13 =
        0x10e3d295c1599ff535a1bb49f23d81aa03bd0ed25881f9ed12b179af67f67ae1;
    uint256 private constant OMEGA_13_INVERSE =
        0x09ff38534bd08f2b08b6010aaee9ac485d3afb3a9ae4280907537b08fc6e53e5;
    uint256 private constant USUAL_LOG_ROWS = 13;
    uint256 private constant DELTA =
        0x09226b6e22c6f0ca64ec26aad4c86e715b5f898e5e963f25870e56bbe533e9a2;

    /// @notice That a proof holds for these inputs under the key of this name.
    struct Claim {
        bytes32 name;
        uint256[] inputs;
        bytes proof;
    }

    // ------------------------------------------------------------------------------ Errors

    /// @notice Of nothing there is no verdict.
    error NoClaims();
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
        _open(name);
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, shl(5, inputs.length)))
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
        return _sides(name) && _pairing();
    }

    /// @notice Whether all of these proofs hold. Those under keys with the `[τ]₂` of the first one's share a
    /// pairing, any other has its own. The first that is refused before its pairing ends it: the ones behind
    /// it are not looked at.
    /// @param claims At least one, each as `verify` takes it.
    function verifyAll(Claim[] calldata claims) external view returns (bool) {
        if (claims.length == 0) revert NoClaims();
        _reserve();
        return _addAll(claims) && _pairingOfSum();
    }

    /// @notice The same in the shape of gateways that know a proof by the name of its program: reverts
    /// unless the proof holds.
    /// @param name Name of a registered key.
    /// @param inputs The public inputs, 32 bytes each.
    /// @param proof The proof in its long encoding.
    function verifyProof(bytes32 name, bytes calldata inputs, bytes calldata proof) external view {
        _open(name);
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, inputs.length))
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
        if (!(_sides(name) && _pairing())) revert ProofRejected();
    }

    // ------------------------------------------------------------------------------ The steps

    function _open(bytes32 name) internal view {
        _reserve();
        _readKey(name);
    }

    /// @dev Whatever memory the compiler wants of its own must be below the places that are fixed.
    function _reserve() private pure {
        assembly ("memory-safe") {
            if gt(mload(0x40), LOG_ROWS) { revert(0, 0) }
        }
    }

    /// @dev Reads the key, counts, and takes memory: that of the proof before, if there was one.
    function _readKey(bytes32 name) private view {
        uint256 size = _copyKey(name, KEY);
        if (size == 0) revert UnknownKey(name);
        assembly ("memory-safe") {
            let head := mload(KEY)
            mstore(LOG_ROWS, and(shr(96, head), 0xffffffff))
            let inputs := shl(5, and(shr(64, head), 0xffffffff))
            mstore(INPUTS_LENGTH, inputs)
            let count := and(shr(32, head), 0xffffffff)
            mstore(PACKS_1, count)
            head := and(head, 0xffffffff)
            mstore(PACKS_2, head)
            // Points: the packs' of rounds 1 and 2, and nine more.
            count := add(count, head)
            let points := shl(6, add(count, 9))
            // Scalars: one for each pack, R, 17 values, and the inverse.
            count := add(count, shr(6, sub(size, KEY_PACKS)))
            mstore(PACKS, count)
            mstore(PROOF_LENGTH, add(points, shl(5, add(count, 19))))

            let place := add(KEY, size)
            mstore(POINTS, place)
            place := add(place, points)
            mstore(END_POINTS, place)
            // The circuit's inputs, eight challenges, one factor for each pack, and R.
            place := add(add(place, 32), inputs)
            mstore(CHALLENGES, place)
            mstore(0x40, add(place, add(FACTORS, shl(5, add(count, 1)))))
            mstore(ORDER, R)
            mstore(MODULUS, Q)
        }
    }

    function _checkLengths() internal pure {
        bool ok;
        assembly ("memory-safe") {
            let inputs := sub(mload(END_INPUTS), mload(AT_INPUTS))
            let proof := sub(mload(END_PROOF), mload(AT_PROOF))
            ok := and(eq(inputs, mload(INPUTS_LENGTH)), eq(proof, mload(PROOF_LENGTH)))
        }
        if (!ok) _revertForLength();
    }

    function _revertForLength() private pure {
        (uint256 expected, uint256 actual) = _lengths(INPUTS_LENGTH, AT_INPUTS);
        if (actual != expected) revert WrongInputs(expected, actual);
        (expected, actual) = _lengths(PROOF_LENGTH, AT_PROOF);
        revert WrongProofLength(expected, actual);
    }

    /// @dev A length, and that from a place in calldata to the end, which stands in the word after it.
    function _lengths(uint256 length, uint256 place)
        private
        pure
        returns (uint256 expected, uint256 actual)
    {
        assembly ("memory-safe") {
            expected := mload(length)
            actual := sub(mload(add(place, 32)), mload(place))
        }
    }

    /// @dev Copies to memory what is read there, and says where in the proof things begin.
    function _copy() internal pure {
        assembly ("memory-safe") {
            let challenges := mload(CHALLENGES)
            let length := mload(INPUTS_LENGTH)
            calldatacopy(sub(challenges, length), mload(AT_INPUTS), length)
            // Points: the packs of rounds 1 and 2, Q, E, W, W′.
            let to := mload(POINTS)
            let place := mload(AT_PROOF)
            length := shl(6, add(mload(PACKS_1), mload(PACKS_2)))
            mstore(AT_QUOTIENT, add(place, length))
            length := add(length, 256)
            calldatacopy(to, place, length)
            to := add(to, length)
            place := add(place, length)
            // One scalar for each pack, and R.
            length := shl(5, add(mload(PACKS), 1))
            calldatacopy(add(challenges, FACTORS), place, length)
            place := add(place, length)
            // V, Z₂, Q₂; 17 values; W₂ and W₂′.
            mstore(AT_WIRES, place)
            calldatacopy(to, place, 192)
            calldatacopy(VALUES, add(place, 192), 544)
            calldatacopy(add(to, 192), add(place, 736), 128)
            mstore(AT_INVERSE, add(place, 864))
        }
    }

    /// @dev An input that is not below the order is the caller's mistake: names the first.
    function _checkInputs() internal pure {
        (uint256 place, uint256 end) = _inputs();
        if (!_scalars(place, end)) _revertForInput(place);
    }

    function _inputs() private pure returns (uint256 place, uint256 end) {
        assembly ("memory-safe") {
            end := mload(CHALLENGES)
            place := sub(end, mload(INPUTS_LENGTH))
        }
    }

    function _revertForInput(uint256 place) private pure {
        for (uint256 i = 0;; ++i) {
            uint256 input;
            assembly ("memory-safe") {
                input := mload(add(place, shl(5, i)))
            }
            if (input >= R) revert InputTooLarge(i, input);
        }
    }

    /// @dev False if one is found to be.
    function _addAll(Claim[] calldata claims) private view returns (bool ok) {
        ok = true;
        for (uint256 i = 0; ok && i < claims.length; ++i) {
            ok = _addOne(claims, i);
        }
    }

    function _addOne(Claim[] calldata claims, uint256 i) private view returns (bool) {
        return _sidesOf(claims[i]) && _add(i);
    }

    function _sidesOf(Claim calldata claim) private view returns (bool) {
        _readKey(claim.name);
        _locate(claim);
        return _sides(claim.name);
    }

    function _locate(Claim calldata claim) private pure {
        uint256[] calldata inputs = claim.inputs;
        assembly ("memory-safe") {
            mstore(AT_INPUTS, inputs.offset)
            mstore(END_INPUTS, add(inputs.offset, shl(5, inputs.length)))
        }
        bytes calldata proof = claim.proof;
        assembly ("memory-safe") {
            mstore(AT_PROOF, proof.offset)
            mstore(END_PROOF, add(proof.offset, proof.length))
        }
    }

    /// @dev The two points of the pairings, but for `[1]₁` in the left one. False if the proof is refused
    /// before.
    function _sides(bytes32 name) internal view returns (bool) {
        _checkLengths();
        _copy();
        _checkInputs();
        // Before anything is done with them, all points are known to be on the curve, so that a
        // precompile can fail for lack of gas alone, and a bad proof costs no more than a good one.
        if (!_wellFormed()) return false;
        _challenges(name);
        return _fractions() && _sums();
    }

    /// @dev False if one of the denominators is 0, or the proof does not have their inverse.
    function _fractions() internal pure returns (bool) {
        _denominators();
        _gates();
        _publics();
        return _invert();
    }

    function _sums() private view returns (bool) {
        _factors();
        _constant();
        _right();
        _left();
        return true;
    }

    /// @dev Whether each point of the proof is on the curve and not the identity, in canonical
    /// coordinates, and each scalar is below the order. `_invert` looks at the inverse.
    function _wellFormed() internal pure returns (bool) {
        return _points() && _values() && _scalarsOfPacks();
    }

    /// @dev The identity's bytes do not meet the curve's equation. The group has prime order, so there
    /// is no subgroup to look at.
    function _points() private pure returns (bool ok) {
        assembly ("memory-safe") {
            let end := mload(END_POINTS)
            let q := mload(MODULUS)
            ok := 1
            for { let place := mload(POINTS) } lt(place, end) { place := add(place, 64) } {
                let x := mload(place)
                let y := mload(add(place, 32))
                let cubic := addmod(mulmod(mulmod(x, x, q), x, q), 3, q)
                ok := and(ok, and(and(lt(x, q), lt(y, q)), eq(mulmod(y, y, q), cubic)))
            }
        }
    }

    function _values() private pure returns (bool ok) {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            ok := and(lt(mload(Q_M), r), lt(mload(Q_A), r))
            ok := and(ok, and(lt(mload(Q_B), r), lt(mload(Q_C), r)))
            ok := and(ok, and(lt(mload(Q_E), r), lt(mload(Q_0), r)))
            ok := and(ok, and(lt(mload(SIGMA_A), r), lt(mload(SIGMA_B), r)))
            ok := and(ok, and(lt(mload(SIGMA_C), r), lt(mload(SIGMA_D), r)))
            ok := and(ok, and(lt(mload(E), r), lt(mload(A), r)))
            ok := and(ok, and(lt(mload(B), r), lt(mload(C), r)))
            ok := and(ok, and(lt(mload(D), r), lt(mload(Z), r)))
            ok := and(ok, lt(mload(Z_NEXT), r))
        }
    }

    /// @dev All `w_P`, and `R`.
    function _scalarsOfPacks() private pure returns (bool) {
        uint256 place;
        uint256 end;
        assembly ("memory-safe") {
            place := add(mload(CHALLENGES), FACTORS)
            end := add(place, shl(5, add(mload(PACKS), 1)))
        }
        return _scalars(place, end);
    }

    function _scalars(uint256 place, uint256 end) private pure returns (bool ok) {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            ok := 1
            for {} lt(place, end) { place := add(place, 32) } {
                ok := and(ok, lt(mload(place), r))
            }
        }
    }

    /// @dev Section 12. Squeezed from is the first word of memory, with a byte 1 after it. Absorbed is
    /// what stands at `item`, above the free memory: the state, a byte 0, and the item. Each hash is
    /// written to where the next one wants the state.
    function _challenges(bytes32 name) internal pure {
        bytes32 tag = keccak256("muster-compact-keccak256-1");
        assembly ("memory-safe") {
            let r := mload(ORDER)
            let first := mload(CHALLENGES)
            let item := mload(0x40)
            let body := add(item, 33)
            mstore8(32, 1)
            mstore(item, tag)
            mstore8(add(item, 32), 0)
            mstore(body, name)
            mstore(item, keccak256(item, 65))
            let length := mload(INPUTS_LENGTH)
            calldatacopy(body, mload(AT_INPUTS), length)
            mstore(item, keccak256(item, add(33, length)))

            // 1: packs of round 1. θ, β_L, β, γ.
            let place := mload(AT_PROOF)
            length := shl(6, mload(PACKS_1))
            calldatacopy(body, place, length)
            mstore(0, keccak256(item, add(33, length)))
            let state := keccak256(0, 33)
            mstore(0, state)
            mstore(add(first, THETA), mod(state, r))
            state := keccak256(0, 33)
            mstore(0, state)
            mstore(add(first, add(THETA, 32)), mod(state, r))
            state := keccak256(0, 33)
            mstore(0, state)
            mstore(add(first, add(THETA, 64)), mod(state, r))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(add(first, add(THETA, 96)), mod(state, r))

            // 2: packs of round 2. y.
            place := add(place, length)
            length := shl(6, mload(PACKS_2))
            calldatacopy(body, place, length)
            mstore(0, keccak256(item, add(33, length)))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(add(first, Y), mod(state, r))

            // 3: Q. x.
            place := add(place, length)
            calldatacopy(body, place, 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(add(first, X), mod(state, r))

            // 4: E. α.
            calldatacopy(body, add(place, 64), 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(add(first, ALPHA), mod(state, r))

            // 5: W. u.
            calldatacopy(body, add(place, 128), 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(add(first, U), mod(state, r))

            // 6: from W′ to V. β₂, γ₂.
            place := add(place, 192)
            length := sub(add(mload(AT_WIRES), 64), place)
            calldatacopy(body, place, length)
            mstore(0, keccak256(item, add(33, length)))
            state := keccak256(0, 33)
            mstore(0, state)
            mstore(BETA_2, mod(state, r))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(GAMMA_2, mod(state, r))

            // 7: Z₂. y₂.
            place := add(place, length)
            calldatacopy(body, place, 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(Y_2, mod(state, r))

            // 8: Q₂. x₂.
            calldatacopy(body, add(place, 64), 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(X_2, mod(state, r))

            // 9: the values. α₂.
            mstore(VALUES_ITEM, state)
            mstore8(add(VALUES_ITEM, 32), 0)
            mstore(0, keccak256(VALUES_ITEM, 577))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(ALPHA_2, mod(state, r))

            // 10: W₂. u₂.
            calldatacopy(body, add(place, 672), 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(item, state)
            mstore(U_2, mod(state, r))

            // 11: W₂′. ρ.
            calldatacopy(body, add(place, 736), 64)
            mstore(0, keccak256(item, 97))
            state := keccak256(0, 33)
            mstore(RHO, mod(state, r))
            mstore(STATE, state)
        }
    }

    /// @dev What section 13 divides by; `BY_SUM` becomes more in `_publics`.
    function _denominators() internal pure {
        _roots();
        _differences();
    }

    /// @dev Leaves `ω₂` in `BY_NEXT`.
    function _roots() private pure {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            let log := mload(LOG_ROWS)
            let root := OMEGA_13
            let back := OMEGA_13_INVERSE
            let i := sub(USUAL_LOG_ROWS, log)
            if gt(log, USUAL_LOG_ROWS) {
                root := OMEGA_20
                back := OMEGA_20_INVERSE
                i := sub(MAX_LOG_ROWS, log)
            }
            for {} i { i := sub(i, 1) } {
                root := mulmod(root, root, r)
                back := mulmod(back, back, r)
            }
            mstore(BY_NEXT, root)
            mstore(ROOT, back)
        }
    }

    function _differences() private pure {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            let x := mload(X_2)
            let next := sub(r, mulmod(mload(BY_NEXT), x, r))
            mstore(BY_STEP, add(x, next))
            // x₂^n₂: squares, four at a time.
            let power := x
            let log := mload(LOG_ROWS)
            for {} gt(log, 3) { log := sub(log, 4) } {
                power := mulmod(power, power, r)
                power := mulmod(power, power, r)
                power := mulmod(power, power, r)
                power := mulmod(power, power, r)
            }
            for {} log { log := sub(log, 1) } { power := mulmod(power, power, r) }
            mstore(BY_SUM, add(power, sub(r, 1)))

            x := sub(r, x)
            power := mload(U_2)
            mstore(BY_QUOTIENT_2, add(power, x))
            power := mulmod(power, power, r)
            let eighth := mulmod(power, power, r)
            power := mulmod(power, mulmod(eighth, eighth, r), r)
            mstore(BY_PACKS, add(power, x))
            mstore(BY_NEXT, add(power, next))

            let challenges := mload(CHALLENGES)
            x := sub(r, mload(add(challenges, X)))
            mstore(BY_QUOTIENT, add(mload(add(challenges, U)), x))
        }
    }

    /// @dev `n₂·(c_0 + y₂²·c_2)`, of `c_0` without the public inputs. A sum of five numbers below the
    /// order has room in a word, so not each is reduced.
    function _gates() internal pure {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            // c_2, over the wires.
            let beta := mload(BETA_2)
            let gamma := mload(GAMMA_2)
            let delta := DELTA
            let named := mulmod(beta, mload(X_2), r)
            let value := add(mload(A), gamma)
            let new := add(value, mulmod(beta, mload(SIGMA_A), r))
            new := mulmod(mload(Z_NEXT), new, r)
            let old := mulmod(mload(Z), add(value, named), r)
            named := mulmod(named, delta, r)
            value := add(mload(B), gamma)
            new := mulmod(new, add(value, mulmod(beta, mload(SIGMA_B), r)), r)
            old := mulmod(old, add(value, named), r)
            named := mulmod(named, delta, r)
            value := add(mload(C), gamma)
            new := mulmod(new, add(value, mulmod(beta, mload(SIGMA_C), r)), r)
            old := mulmod(old, add(value, named), r)
            named := mulmod(named, delta, r)
            value := add(mload(D), gamma)
            new := mulmod(new, add(value, mulmod(beta, mload(SIGMA_D), r)), r)
            old := mulmod(old, add(value, named), r)
            // y₂²·c_2 + q_0 − d, and the products of c_0.
            value := mload(Y_2)
            value := mulmod(mulmod(value, value, r), add(new, sub(r, old)), r)
            value := add(value, add(mload(Q_0), sub(r, mload(D))))
            let a := mload(A)
            let b := mload(B)
            let total := mulmod(a, add(mulmod(mload(Q_M), b, r), mload(Q_A)), r)
            total := add(total, mulmod(mload(Q_B), b, r))
            total := add(total, mulmod(mload(Q_C), mload(C), r))
            total := add(total, mulmod(mload(Q_E), mload(E), r))
            total := addmod(total, value, r)
            mstore(SUM, mulmod(total, shl(mload(LOG_ROWS), 1), r))
        }
    }

    /// @dev `n₂·T₂` as one fraction. `n₂·L_j(x₂)/(x₂^n₂ − 1)` is `1/(x₂·ω₂^(−j) − 1)`: so each public input
    /// has this denominator, `factor`, and `y₂·(z₂ − 1)` that of `j = 0`.
    function _publics() internal pure {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            let end := mload(CHALLENGES)
            let place := sub(end, mload(INPUTS_LENGTH))
            end := add(add(end, FACTORS), shl(5, add(mload(PACKS), 1)))
            let root := mload(ROOT)
            // c_1 and the first public input.
            let less := sub(r, 1)
            let factor := add(mload(X_2), less)
            let by := mload(BY_SUM)
            let sum := add(mload(Z), less)
            sum := add(mulmod(mload(Y_2), sum, r), mload(place))
            sum := add(mulmod(mload(SUM), factor, r), mulmod(sum, by, r))
            by := mulmod(by, factor, r)
            // The others: of f = x₂·ω₂^(−j) − 1 the next one is f·ω₂⁻¹ + ω₂⁻¹ − 1.
            less := add(root, less)
            place := add(place, 32)
            if and(sub(end, place), 32) {
                factor := add(mulmod(factor, root, r), less)
                sum := add(mulmod(sum, factor, r), mulmod(mload(place), by, r))
                by := mulmod(by, factor, r)
                place := add(place, 32)
            }
            for {} lt(place, end) { place := add(place, 64) } {
                factor := add(mulmod(factor, root, r), less)
                sum := add(mulmod(sum, factor, r), mulmod(mload(place), by, r))
                by := mulmod(by, factor, r)
                factor := add(mulmod(factor, root, r), less)
                sum := add(mulmod(sum, factor, r), mulmod(mload(add(place, 32)), by, r))
                by := mulmod(by, factor, r)
            }
            mstore(SUM, sum)
            mstore(BY_SUM, by)
        }
    }

    /// @dev All six, from the inverse of their product, which the proof has. False unless it is that;
    /// so also if one of the six is 0, where section 13 refuses.
    function _invert() internal pure returns (bool ok) {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            // Products of the first ones.
            let two := mulmod(mload(BY_SUM), mload(BY_QUOTIENT), r)
            let three := mulmod(two, mload(BY_PACKS), r)
            let four := mulmod(three, mload(BY_NEXT), r)
            // This one above the free memory, since that is no known place: after a write there an optimizer
            // reads memory anew, where it would keep all values on the stack from `_gates` to `_constant`.
            let spare := mload(0x40)
            mstore(spare, mulmod(four, mload(BY_QUOTIENT_2), r))
            let last := mload(BY_STEP)
            let all := mulmod(mload(spare), last, r)
            // Below the order, too, or else a proof would have another one: with r added.
            let inverse := calldataload(mload(AT_INVERSE))
            ok := and(lt(inverse, r), eq(mulmod(inverse, all, r), 1))
            // From the last to the first; `inverse` is that of the product of those not yet inverted.
            mstore(BY_STEP, mulmod(inverse, mload(spare), r))
            inverse := mulmod(inverse, last, r)
            last := mload(BY_QUOTIENT_2)
            mstore(BY_QUOTIENT_2, mulmod(inverse, four, r))
            inverse := mulmod(inverse, last, r)
            last := mload(BY_NEXT)
            mstore(BY_NEXT, mulmod(inverse, three, r))
            inverse := mulmod(inverse, last, r)
            last := mload(BY_PACKS)
            mstore(BY_PACKS, mulmod(inverse, two, r))
            inverse := mulmod(inverse, last, r)
            last := mload(BY_QUOTIENT)
            mstore(BY_QUOTIENT, mulmod(inverse, mload(BY_SUM), r))
            mstore(BY_SUM, mulmod(inverse, last, r))
        }
    }

    /// @dev `T₂`, and what the commitments are multiplied by, but for `Q` and `[1]₁`. `BY_STEP` becomes
    /// `ρ·α₂³/(x₂ − ω₂x₂)`.
    function _factors() internal pure {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            // 2^k₂ times (r − 1)/2^k₂ is −1.
            let factor := sub(r, shr(mload(LOG_ROWS), sub(r, 1)))
            factor := mulmod(factor, mload(BY_SUM), r)
            mstore(T_2, mulmod(factor, mload(SUM), r))

            let alpha := mload(ALPHA_2)
            let packs := mload(BY_PACKS)
            factor := mload(RHO)
            mstore(BY_0, mulmod(factor, packs, r))
            factor := mulmod(factor, alpha, r)
            mstore(BY_1, mulmod(factor, packs, r))
            factor := mulmod(factor, alpha, r)
            mstore(BY_2, mulmod(factor, packs, r))
            factor := mulmod(factor, alpha, r)
            mstore(BY_3, mulmod(mulmod(factor, packs, r), mload(BY_NEXT), r))
            mstore(BY_STEP, mulmod(factor, mload(BY_STEP), r))
            factor := mulmod(factor, alpha, r)
            mstore(BY_4, mulmod(factor, mload(BY_QUOTIENT_2), r))
        }
    }

    /// @dev The factor of `[1]₁`.
    function _constant() internal pure {
        assembly ("memory-safe") {
            let r := mload(ORDER)
            let u := mload(U_2)
            // K₂: its values joined by powers of u₂.
            let term := add(mload(SIGMA_C), mulmod(mload(SIGMA_D), u, r))
            term := add(mload(SIGMA_B), mulmod(term, u, r))
            term := add(mload(SIGMA_A), mulmod(term, u, r))
            term := add(mload(Q_0), mulmod(term, u, r))
            term := add(mload(Q_E), mulmod(term, u, r))
            term := add(mload(Q_C), mulmod(term, u, r))
            term := add(mload(Q_B), mulmod(term, u, r))
            term := add(mload(Q_A), mulmod(term, u, r))
            term := add(mload(Q_M), mulmod(term, u, r))
            let sum := mulmod(mload(BY_0), term, r)
            // E, and V.
            sum := add(sum, mulmod(mload(BY_1), mload(E), r))
            term := add(mload(C), mulmod(mload(D), u, r))
            term := add(mload(B), mulmod(term, u, r))
            term := add(mload(A), mulmod(term, u, r))
            sum := add(sum, mulmod(mload(BY_2), term, r))
            // Q₂, and R, the last of the public inputs.
            sum := add(sum, mulmod(mload(BY_4), mload(T_2), r))
            term := add(mload(CHALLENGES), FACTORS)
            term := mload(add(term, shl(5, mload(PACKS))))
            sum := addmod(sum, term, r)
            // Z₂: ρ·w′·r is ρ·α₂³·(z₂(x₂)/(U − x₂) − z₂(ω₂x₂)/(U − ω₂x₂))/(x₂ − ω₂x₂).
            term := mulmod(mload(Z_NEXT), mload(BY_NEXT), r)
            term := add(mulmod(mload(Z), mload(BY_PACKS), r), sub(r, term))
            term := mulmod(term, mload(BY_STEP), r)
            mstore(BY_ONE, sub(r, addmod(sum, term, r)))
        }
    }

    /// @dev `−(W′ + ρ·W₂′)`, of which `−W′` is there at first.
    function _right() internal view {
        bool ok;
        assembly ("memory-safe") {
            let end := mload(END_POINTS)
            mstore(LEFT, mload(sub(end, 384)))
            mstore(add(LEFT, 32), sub(mload(MODULUS), mload(sub(end, 352))))
            mstore(end, sub(mload(ORDER), mload(RHO)))
            ok := staticcall(gas(), 7, sub(end, 64), 96, POINT, 64)
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, RIGHT, 64))
        }
        if (!ok) revert PrecompileFailed();
    }

    /// @dev `E₁ + ρ·E₂` without `[1]₁`, of which `−W` is there at first. A precompile multiplies a point by the word that
    /// follows it. So the points are taken from the last to the first, and each factor is written over
    /// the point after it, which has been added by then. `Q`, whose factor is the last to be known, is
    /// fetched again.
    function _left() internal view {
        bool ok;
        assembly ("memory-safe") {
            // W₂′, W₂, Q₂, Z₂ and V.
            let place := mload(END_POINTS)
            let r := mload(ORDER)
            mstore(LEFT, mload(sub(place, 448)))
            mstore(add(LEFT, 32), sub(mload(MODULUS), mload(sub(place, 416))))
            mstore(place, mulmod(mload(U_2), mload(RHO), r))
            ok := staticcall(gas(), 7, sub(place, 64), 96, POINT, 64)
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(sub(place, 64), sub(r, mload(RHO)))
            ok := and(ok, staticcall(gas(), 7, sub(place, 128), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(sub(place, 128), mload(BY_4))
            ok := and(ok, staticcall(gas(), 7, sub(place, 192), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(sub(place, 192), mload(BY_3))
            ok := and(ok, staticcall(gas(), 7, sub(place, 256), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(sub(place, 256), mload(BY_2))
            ok := and(ok, staticcall(gas(), 7, sub(place, 320), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            // W′ and E.
            let factor := mload(CHALLENGES)
            let alpha := mload(add(factor, ALPHA))
            mstore(sub(place, 320), mload(add(factor, U)))
            ok := and(ok, staticcall(gas(), 7, sub(place, 384), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(sub(place, 448), mload(BY_1))
            ok := and(ok, staticcall(gas(), 7, sub(place, 512), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            // The packs of the proof and of the key.
            factor := add(add(factor, FACTORS), shl(5, mload(PACKS)))
            let by := mload(BY_QUOTIENT)
            place := sub(place, 576)
            for {} gt(place, add(KEY, KEY_PACKS)) {} {
                factor := sub(factor, 32)
                mstore(place, mload(factor))
                place := sub(place, 64)
                ok := and(ok, staticcall(gas(), 7, place, 96, POINT, 64))
                ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
                by := mulmod(by, alpha, r)
            }
            // K₂ and Q.
            mstore(add(KEY, KEY_PACKS), mload(BY_0))
            ok := and(ok, staticcall(gas(), 7, add(KEY, KEY_DECIDER), 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(BY_Q, by)
            calldatacopy(POINT, mload(AT_QUOTIENT), 64)
            mstore(add(POINT, 64), by)
            ok := and(ok, staticcall(gas(), 7, POINT, 96, POINT, 64))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
        }
        if (!ok) revert PrecompileFailed();
    }

    // ------------------------------------------------------------------------------ Sums; section 8

    /// @dev Adds the proof of this number to the sums.
    function _add(uint256 i) private view returns (bool) {
        if (i == 0) _beginSum();
        else if (_isOfSum()) _addToSum();
        else return _pairing();
        return true;
    }

    function _beginSum() private pure {
        _move(LEFT, SUM_LEFT, 64);
        _move(RIGHT, SUM_RIGHT, 192);
        _move(BY_ONE, SUM_ONE, 32);
        _move(STATE, NAMES, 32);
    }

    function _pairingOfSum() private view returns (bool) {
        _move(SUM_LEFT, LEFT, 64);
        _move(SUM_RIGHT, RIGHT, 192);
        _move(SUM_ONE, BY_ONE, 32);
        return _pairing();
    }

    function _move(uint256 from, uint256 to, uint256 length) private pure {
        assembly ("memory-safe") {
            for { let end := add(from, length) } lt(from, end) { from := add(from, 32) } {
                mstore(to, mload(from))
                to := add(to, 32)
            }
        }
    }

    /// @dev Whether the key has the `[τ]₂` of the sums.
    function _isOfSum() private pure returns (bool isSame) {
        assembly ("memory-safe") {
            isSame := eq(keccak256(add(KEY, KEY_TAU), 128), keccak256(SUM_TAU, 128))
        }
    }

    /// @dev The weight is 128 bits of a hash of the names of all proofs up to this one, and a name is one
    /// of all that its proof's points follow from: so none of them was chosen after the weight.
    function _addToSum() private view {
        bool ok;
        assembly ("memory-safe") {
            mstore(0, mload(NAMES))
            mstore(32, mload(STATE))
            let weight := keccak256(0, 64)
            mstore(NAMES, weight)
            weight := shr(128, weight)
            let one := mulmod(weight, mload(BY_ONE), mload(ORDER))
            mstore(SUM_ONE, addmod(mload(SUM_ONE), one, mload(ORDER)))
            mstore(POINT, weight)
            ok := staticcall(gas(), 7, LEFT, 96, LEFT, 64)
            mstore(POINT, mload(SUM_LEFT))
            mstore(add(POINT, 32), mload(add(SUM_LEFT, 32)))
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, SUM_LEFT, 64))
            // Over [τ]₂, which the sums have, too.
            mstore(add(RIGHT, 64), weight)
            ok := and(ok, staticcall(gas(), 7, RIGHT, 96, RIGHT, 64))
            mstore(TO_RIGHT, mload(SUM_RIGHT))
            mstore(add(TO_RIGHT, 32), mload(add(SUM_RIGHT, 32)))
            ok := and(ok, staticcall(gas(), 6, TO_RIGHT, 128, SUM_RIGHT, 64))
        }
        if (!ok) revert PrecompileFailed();
    }

    /// @dev Adds `[1]₁` to the left point. Whether `e(left, [1]₂)·e(right, [τ]₂) = 1` then, which is
    /// section 13's last line, as `right` is negated.
    function _pairing() internal view returns (bool) {
        bool ok;
        uint256 result;
        assembly ("memory-safe") {
            mstore(POINT, 1)
            mstore(add(POINT, 32), 2)
            mstore(add(POINT, 64), mload(BY_ONE))
            ok := staticcall(gas(), 7, POINT, 96, POINT, 64)
            ok := and(ok, staticcall(gas(), 6, LEFT, 128, LEFT, 64))
            mstore(POINT, G2_X_1)
            mstore(add(POINT, 32), G2_X_0)
            mstore(add(POINT, 64), G2_Y_1)
            mstore(add(POINT, 96), G2_Y_0)
            ok := and(ok, staticcall(gas(), 8, LEFT, 384, 0, 32))
            // An address without code would succeed, too, and return nothing.
            ok := and(ok, eq(returndatasize(), 32))
            result := mload(0)
        }
        if (!ok) revert PrecompileFailed();
        return result == 1;
    }
}
