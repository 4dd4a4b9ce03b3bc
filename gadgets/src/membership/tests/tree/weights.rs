//! One packed element is one sequence of weights, whatever the width of a lookup.

use ff::PrimeField;
use halo2_base::utils::{biguint_to_fe, fe_to_biguint, modulus};
use num_bigint::BigUint;

use super::*;

/// Weights that are like no other value of the circuit.
const WEIGHTS: [u64; LEAF_MEMBERS] = [0x0abc_def0_1234_5671, 1_003, (1 << 60) - 1, 0xbcd_ef01];

/// A leaf with these weights, in a circuit with lookups of so many bits.
fn leaf(weight: [u64; LEAF_MEMBERS], bits: usize) -> TestCircuit {
    let leaf = Leaf::named([101, 102, 103, 104].map(Fr::from), weight);
    let mut layout = layout((bits as u32 + 1).max(10), &[6]);
    layout.range_bits = bits;
    TestCircuit::new(layout, |ctx| {
        tree::whole_set(ctx, &[leaf], 5, 1);
    })
}

/// What refuses the leaf once its weights are these, with all that follows from them.
fn refused_by(circuit: &mut TestCircuit, weights: [Fr; LEAF_MEMBERS]) -> Vec<String> {
    circuit.assert_satisfied();
    let vertical = circuit.advice().len() - 1;
    let forger = circuit.forger();
    let mut starts = vec![];
    for (own, other) in WEIGHTS.map(Fr::from).into_iter().zip(weights) {
        let bound = forger.bound_to((vertical, row_of(circuit, vertical, own)));
        assert!(bound.len() > 1, "a weight is checked and packed");
        starts.extend(bound.into_iter().map(|place| (place, other)));
    }
    circuit.failing(forger.rewrite(&starts))
}

#[test]
fn all_weights_pass() {
    let most = (1 << 60) - 1;
    for bits in 8..=14 {
        for weights in [[0; 4], [1, 0, most, 1], [most; 4], WEIGHTS] {
            assert!(leaf(weights, bits).is_satisfied(), "{bits}, {weights:?}");
        }
    }
}

/// A weight that lends to its neighbour or borrows from it: below 0, a fraction, or a stride too much.
#[test]
fn weights_that_run_into_each_other() {
    let stride = Fr::from(2).pow([64]);
    let inverse = stride.invert().expect("it is not 0");
    let own = WEIGHTS.map(Fr::from);
    // Whole lookups would let weights have 66, 65 and 70 bits.
    for bits in [8, 9, 11, 13, 14] {
        let mut circuit = leaf(WEIGHTS, bits);
        for first in [own[0] + stride, own[0] - stride, -Fr::ONE, Fr::TWO_INV] {
            let mut weights = own;
            weights[0] = first;
            weights[1] += (own[0] - first) * inverse;
            let by = refused_by(&mut circuit, weights);
            assert_eq!(by, ["range: limb is below 2^b"], "{bits}, {first:?}");
        }
    }
}

/// The same packed element with the modulus added, read in weights of 64 bits, for which whole lookups of
/// 8 bits have room.
#[test]
fn weights_that_wrap_around_the_field() {
    let numbers = WEIGHTS.map(BigUint::from);
    let packed = numbers.iter().rev().fold(BigUint::ZERO, |sum, weight| (sum << 64) + weight);
    let mut circuit = leaf(WEIGHTS, 8);
    for times in 1..4u8 {
        let wrapped = &packed + modulus::<Fr>() * times;
        let mask = (BigUint::from(1u8) << 64) - 1u8;
        let weights = [0, 1, 2, 3].map(|i| biguint_to_fe::<Fr>(&(&wrapped >> (64 * i) & &mask)));
        assert!(wrapped.bits() <= 256 && fe_to_biguint(&weights[3]).bits() > 61);
        let by = refused_by(&mut circuit, weights);
        assert_eq!(by, ["range: limb is below 2^b"], "{times}");
    }
}
