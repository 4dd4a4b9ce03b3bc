//! Names of keys and unused slots in circuit: what each of them is made of is bound.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::modulus,
};

use super::{
    super::{
        instructions::{assert_padding, assign_name, generator},
        key::{name, BLOCK},
    },
    *,
};
use crate::{
    gate::{
        foreign::ForeignLayout,
        testing::{layout, TestCircuit},
        Layout,
    },
    signature::{
        bls::{
            chip::{equations, PointGroup},
            Coordinates, PublicPoint,
        },
        instructions::AssignedSigner,
    },
};

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

fn name_is_bound<S: MemberInstructions>() {
    let keys = [1, 2].map(|number| key::<S>(number));
    let mut test = TestCircuit::new(room(S::CURVE), |ctx, chips| {
        for key in &keys {
            let point = key.coordinates().addend(chips.foreign(), &chips.range);
            let assigned = assign_name::<S>(ctx, chips, &point);
            assert_eq!(*assigned.value(), key.name());
        }
    });
    test.assert_satisfied();
    let words = 2 * generator::<S>().numbers().len();
    let blocks = 1 + words.saturating_sub(BLOCK).div_ceil(BLOCK - 1);
    test.assert_states_are_bound(2 * blocks, &(0..WIDTH).collect::<Vec<_>>());
}

/// Signers with these weights and names.
fn padded(signers: &[(u64, Fr)]) -> TestCircuit {
    type Padded = ProvenBn254;
    TestCircuit::new(room(Padded::CURVE), |ctx, chips| {
        let given: Vec<_> = signers
            .iter()
            .map(|(weight, name)| {
                let weight = ctx.load_witness(Fr::from(*weight));
                (weight, ctx.load_witness(*name))
            })
            .collect();
        let signer = |(weight, name): &(_, _)| {
            let point = generator::<Padded>().addend(chips.foreign(), &chips.range);
            AssignedSigner { public_key: AssignedKey { point, name: *name }, weight: *weight }
        };
        let members: Vec<_> = given.iter().map(signer).collect();
        let unused = assert_padding::<Padded>(ctx, chips, &members);
        assert_eq!(unused, signers.iter().filter(|(weight, _)| *weight == 0).count() as u64);
    })
}

#[test]
fn unused_slots_have_the_name_of_the_generator() {
    let padding = name::<ProvenBn254>(&generator::<ProvenBn254>());
    let other = key::<ProvenBn254>(1).name();
    // Two of them have the generator as key and are used all the same.
    let honest = [(0, padding), (5, padding), (7, padding), (0, padding), (8, other)];
    let test = padded(&honest);
    test.assert_satisfied();
    // Where a weight is 0 it has no inverse, and whatever stands for one is multiplied by it.
    let given = 0..2 * honest.len();
    assert_eq!(test.open_values_given(given), (vec![Fr::ONE; 2], 0));
    padded(&[(0, other)]).assert_sum_is_bound(2);
    padded(&[(5, other), (0, padding + Fr::ONE)]).assert_sum_is_bound(2);
}
