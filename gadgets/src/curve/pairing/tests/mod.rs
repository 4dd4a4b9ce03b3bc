//! Products of pairings in circuit.

mod claims;
mod compressed;
mod group;
mod products;
mod relations;
mod steps;
mod transcript;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_testing::sampled;
use num_bigint::BigUint;

use super::{arithmetic::Arithmetic, *};
use crate::{
    curve::pairing::samples::{
        of_order_three, outside, point, product, twist_point, with_twist_torsion,
    },
    field::foreign::integer::element,
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignLayout},
    Chips, GateContext, Layout, PoseidonLayout,
};
use muster_schemes::curve::pairing::{
    walk::walk, witness::RawPair, Pair, PairingCurve, TwistPoint,
};

fn pairing_layout(curve: PairingCurve, k: u32, range_bits: usize, columns: usize) -> Layout {
    layout_with(curve, (k, range_bits, columns), vec![])
}

/// The same with more equations.
fn layout_with(
    curve: PairingCurve,
    (k, range_bits, columns): (u32, usize, usize),
    more: Vec<Equation>,
) -> Layout {
    let equations = [PairingEquations::new(curve).all(), more].concat();
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, range_bits, columns, &equations);
    let poseidon = vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 2, lanes: 1 }];
    Layout {
        range_bits,
        vertical_columns: 2,
        range_columns: 1,
        edwards_lanes: 0,
        // Two fixed points have more than 4096.
        constant_rows: 8192,
        foreign: vec![foreign],
        poseidon,
        ..layout(k, &[])
    }
}

/// A circuit of relations alone.
fn circuit(
    curve: PairingCurve,
    k: u32,
    build: impl FnOnce(&mut GateContext, &Arithmetic),
) -> TestCircuit {
    let layout = Layout { poseidon: vec![], ..pairing_layout(curve, k, 8, 8) };
    TestCircuit::new(layout, |ctx| {
        let equations = PairingEquations::new(curve);
        let arithmetic = Arithmetic { chip: ctx.chips.foreign(), equations: &equations };
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx, &arithmetic);
    })
}

/// Both arguments of all pairs, on their curves.
struct Arguments {
    firsts: Vec<AssignedGroupPoint>,
    seconds: Vec<Option<AssignedTwistPoint>>,
    raw: Vec<RawPair>,
}

impl Arguments {
    fn new(chips: &Chips, equations: &PairingEquations, raw: &[RawPair]) -> Self {
        let chip = chips.foreign();
        let first = |pair: &RawPair| {
            let point = AssignedBasePoint::new(chip, equations, &pair.p);
            AssignedGroupPoint::taken_for_granted(point)
        };
        let second = |pair: &RawPair| {
            (!pair.is_fixed).then(|| AssignedTwistPoint::new(chip, equations, &pair.q))
        };
        Self {
            firsts: raw.iter().map(first).collect(),
            seconds: raw.iter().map(second).collect(),
            raw: raw.to_vec(),
        }
    }

    fn all(&self) -> Vec<AssignedArguments<'_>> {
        let pairs = self.raw.iter().zip(&self.firsts).zip(&self.seconds);
        let arguments = pairs.map(|((raw, first), second)| AssignedArguments {
            first,
            second: match second {
                Some(point) => SecondPoint::Variable(point),
                None => SecondPoint::Fixed(raw.q.clone()),
            },
        });
        arguments.collect()
    }
}
