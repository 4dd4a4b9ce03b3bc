//! Names of keys in circuit: what they are made of is bound.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};

use super::{
    super::{
        instructions::{assign_name, generator},
        key::BLOCK,
    },
    *,
};
use crate::{
    gate::{
        foreign::ForeignLayout,
        testing::{layout, TestCircuit},
        Layout,
    },
    signature::bls::{
        chip::{equations, PointGroup},
        PublicPoint,
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
            let point = key.coordinates().addend(ctx, chips.foreign(), &chips.range);
            let assigned = assign_name::<S>(ctx, chips, &point);
            assert_eq!(*assigned.value(), key.name());
        }
    });
    test.assert_satisfied();
    let words = 2 * generator::<S>().numbers().len();
    let blocks = 1 + words.saturating_sub(BLOCK).div_ceil(BLOCK - 1);
    test.assert_states_are_bound(2 * blocks, &(0..WIDTH).collect::<Vec<_>>());
}
