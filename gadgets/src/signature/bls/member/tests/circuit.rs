//! Names of keys, and what leaves have of them, in circuit: what they are made of is bound.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};

use super::{
    super::instructions::{assign_entry, assign_name, generator, RawKey},
    *,
};
use crate::signature::bls::chip::{equations, PointGroup};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{foreign::ForeignLayout, vertical, Layout};
use muster_schemes::membership::LeafFormat;
use muster_schemes::signature::bls::member::key::BLOCK;

/// Elements of a state: the domain and a block.
const WIDTH: usize = BLOCK + 1;

/// Room for names of keys over a curve.
fn room(curve: PairingCurve) -> Layout {
    let foreign = ForeignLayout::new(&modulus::<Fr>(), 13, 10, &equations(curve));
    Layout {
        range_bits: 13,
        edwards_lanes: 0,
        constant_rows: 512,
        foreign: vec![foreign],
        ..layout(14, &[WIDTH])
    }
}

/// The domain, the words and the digest before of each block.
#[test]
fn names_are_bound() {
    each!(name_is_bound);
}

fn name_is_bound<S: CiphersuiteChip>() {
    let keys = [1, 2].map(|number| key::<S>(number));
    let mut test = TestCircuit::new(room(S::CURVE), |ctx| {
        for key in &keys {
            let point = key.coordinates().addend(ctx, ctx.chips.foreign());
            let assigned = assign_name::<S>(ctx, &point);
            assert_eq!(*assigned.value(), key.name());
        }
    });
    test.assert_satisfied();
    let words = 2 * S::key_numbers(&generator::<S>()).len();
    let blocks = 1 + words.saturating_sub(BLOCK).div_ceil(BLOCK - 1);
    test.assert_states_are_bound(0..2 * blocks, &(0..WIDTH).collect::<Vec<_>>());
}

/// What a leaf has of a key with its weight.
#[test]
fn entries_are_those_of_leaves() {
    each!(entry_is_that_of_a_leaf);
}

fn entry_is_that_of_a_leaf<S: CiphersuiteChip>() {
    let weights = [1, 0x0abc_def0_1234_5671, (1 << 60) - 1];
    let test = TestCircuit::new(room(S::CURVE), |ctx| {
        for (number, weight) in (1..).zip(weights) {
            let key = key::<S>(number);
            let mut leaf = LeafFormat::Keys(S::LEAF).empty();
            (leaf.keys[1], leaf.weights[1]) = (key.parts(), weight);
            let point = key.coordinates().addend(ctx, ctx.chips.foreign());
            let entry = assign_entry::<S>(ctx, &point, weight);
            let elements: Vec<_> = entry.elements.iter().map(|cell| *cell.value()).collect();
            assert_eq!(elements, leaf.entry(1));
        }
    });
    test.assert_satisfied();
}

/// Other elements than those of the key and its weight: whatever a prover changes on the way is refused.
#[test]
fn entries_are_bound() {
    each!(entry_is_bound);
}

fn entry_is_bound<S: CiphersuiteChip>() {
    (0..S::LEAF.elements()).for_each(element_is_bound::<S>);
}

fn element_is_bound<S: CiphersuiteChip>(element: usize) {
    let mut claims = vec![];
    let test = TestCircuit::new(room(S::CURVE), |ctx| {
        let point = key::<S>(1).coordinates().addend(ctx, ctx.chips.foreign());
        let entry = assign_entry::<S>(ctx, &point, 5);
        let limbs = RawKey::<S>::limbs(&point).into_iter().flat_map(|number| number.limbs());
        // The limbs and the weight are what they are, and the element is another one.
        let given = limbs.chain([&entry.weight]).map(|cell| (*cell, *cell.value()));
        let cell = entry.elements[element];
        for (cell, value) in given.chain([(cell, *cell.value() + Fr::one())]) {
            claims.push(ctx.advice.len());
            let claim = ctx.load_witness(value);
            vertical::assert_equal(ctx, &cell, &claim);
        }
    });
    let walk = test.walk(claims);
    assert!(walk.sums >= 1 && walk.copies >= 3, "{element}: {walk:?}");
}

/// A weight that is no amount, with all that follows from it.
#[test]
fn weights_of_entries_are_amounts() {
    let weights = [0x0abc_def0_1234_5671, 0x0123_4567_89ab_cdef];
    let mut test = TestCircuit::new(room(PairingCurve::Bn254), |ctx| {
        for weight in weights {
            let key = key::<MinPkBn254>(1).coordinates();
            let point = key.addend(ctx, ctx.chips.foreign());
            assign_entry::<MinPkBn254>(ctx, &point, weight);
        }
    });
    test.assert_satisfied();
    let column = test.vertical().end - 1;
    let forger = test.forger();
    for weight in weights {
        let row = test.advice()[column].iter().position(|cell| *cell == Fr::from(weight));
        let bound = forger.bound_to((column, row.expect("it is packed")));
        assert!(bound.len() > 1, "it is checked and packed");
        let starts: Vec<_> = bound.into_iter().map(|place| (place, -Fr::one())).collect();
        assert_eq!(test.failing(forger.rewrite(&starts)), ["range: limb is below 2^b"]);
    }
}
