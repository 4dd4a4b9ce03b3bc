//! Products of pairings in circuit.

mod claims;
mod steps;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use num_bigint::BigUint;

use super::{arithmetic::Arithmetic, *};
use crate::{
    curve::pairing::{
        tests::{product, twist_point},
        Pair, PairingCurve, RawPair,
    },
    field::foreign::integer::element,
    gate::{
        foreign::ForeignLayout,
        testing::{layout, TestCircuit},
        Chips, Layout, PoseidonLayout,
    },
};

fn pairing_layout(curve: PairingCurve, k: u32, range_bits: usize, columns: usize) -> Layout {
    let equations = PairingEquations::new(curve).all();
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, range_bits, columns, &equations);
    let poseidon = vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 2, lanes: 1 }];
    Layout {
        range_bits,
        vertical_columns: 2,
        range_columns: 1,
        edwards_lanes: 0,
        constant_rows: 4096,
        foreign: vec![foreign],
        poseidon,
        ..layout(k, &[])
    }
}

/// A circuit of relations alone.
fn circuit(
    curve: PairingCurve,
    k: u32,
    build: impl FnOnce(&mut Context<Fr>, &Chips, &Arithmetic),
) -> TestCircuit {
    let layout = Layout { poseidon: vec![], ..pairing_layout(curve, k, 8, 8) };
    TestCircuit::new(layout, |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let arithmetic = Arithmetic { chip: chips.foreign(), equations: &equations };
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(chips.foreign(), &BigUint::ZERO)));
        build(ctx, chips, &arithmetic);
    })
}

/// Both arguments of all pairs, on their curves.
struct Arguments {
    firsts: Vec<AssignedBasePoint>,
    seconds: Vec<Option<AssignedTwistPoint>>,
    raw: Vec<RawPair>,
}

impl Arguments {
    fn new(chips: &Chips, equations: &PairingEquations, raw: &[RawPair]) -> Self {
        let chip = chips.foreign();
        let first = |pair: &RawPair| AssignedBasePoint::new(chip, equations, &pair.p);
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

/// Whether the product of `pairs` is taken for 1 by the prover and by the circuit.
fn verdicts(curve: PairingCurve, pairs: &[RawPair]) -> [bool; 2] {
    let mut is_one = false;
    let circuit = TestCircuit::new(pairing_layout(curve, 14, 13, 10), |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let arguments = Arguments::new(chips, &equations, pairs);
        is_one = assert_product_is_one(ctx, chips, &equations, &arguments.all()).is_ok();
    });
    [is_one, circuit.is_satisfied()]
}

#[test]
fn products_that_are_1() {
    for curve in PairingCurve::ALL {
        let pairs = product(curve, 5, 7);
        assert_eq!(verdicts(curve, &pairs), [true, true], "{curve}");
        let mut variable = pairs.clone();
        variable[0].is_fixed = false;
        assert_eq!(verdicts(curve, &variable), [true, true], "{curve}");
    }
}

#[test]
fn products_that_are_not_1() {
    for curve in PairingCurve::ALL {
        let mut pairs = product(curve, 5, 7);
        pairs[1].q = twist_point(curve, 8);
        assert_eq!(verdicts(curve, &pairs), [false, false], "{curve}");
    }
}

/// Points of the twist outside the subgroup, of which no other constraint knows.
#[test]
fn points_outside_the_subgroup() {
    for curve in PairingCurve::ALL {
        let outside = crate::curve::pairing::tests::outside(curve);
        let of = |point: &Pair2| {
            let test = circuit(curve, 13, |_, chips, arithmetic| {
                let point = AssignedTwistPoint::new(chips.foreign(), arithmetic.equations, point);
                point.walk(arithmetic);
            });
            test.is_satisfied()
        };
        assert!(of(&twist_point(curve, 11)));
        assert!(!of(&outside));
    }
}

type Pair2 = [Pair; 2];
