//! Points and sums in circuit, against the native arithmetic.

mod relations;
mod sums;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};
use num_bigint::RandBigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::field::foreign::integer::{element, Integer};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    chain,
    foreign::{AssignedDigits, AssignedScalar, ForeignChip, ForeignLayout},
    GateContext, Layout,
};
use muster_schemes::curve::weierstrass::Curve;
use num_bigint::{BigInt, BigUint};

const CURVES: [Curve; 3] = [Curve::Secp256k1, Curve::P256, Curve::Edwards25519];

/// Lookups of few bits and a short circuit.
fn foreign(curve: Curve, k: u32, range_bits: usize, columns: usize) -> Layout {
    let mut equations = CurveEquations::new(curve).all();
    equations.extend(Integer::all(curve.p().bits() as usize));
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, range_bits, columns, &equations);
    let constant_rows = 256;
    Layout { range_bits, edwards_lanes: 0, constant_rows, foreign: vec![foreign], ..layout(k, &[]) }
}

fn circuit(curve: Curve, build: impl FnOnce(&mut GateContext, &CurveEquations)) -> TestCircuit {
    let layout = foreign(curve, 13, 12, 4);
    TestCircuit::new(layout, |ctx| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx, &CurveEquations::new(curve));
    })
}

/// The digits of a sum's scalars, whose way is gone to its end wherever it leads.
fn walked(chip: &ForeignChip, equations: &CurveEquations, terms: &[Term]) -> Vec<AssignedDigits> {
    let walk = Walk::regardless(equations.curve(), terms);
    sum_of_multiples(chip, equations, terms, &walk)
}

fn random_point(curve: Curve, rng: &mut ChaCha20Rng) -> (BigUint, BigUint) {
    let curve = curve.parameters();
    curve.mul(&curve.generator(), &rng.gen_biguint_below(&curve.n)).expect("not the identity")
}

#[test]
fn digits_of_odd_scalars() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for _ in 0..100 {
        let scalar: BigInt = rng.gen_bigint(127) * 2 + 1;
        let digits = digits(&scalar, SHORT_DIGITS);
        assert!(digits.iter().all(|digit| digit % 2 != 0 && digit.abs() < 16));
        let sum = digits.iter().fold(BigInt::ZERO, |sum, digit| (sum << 4) + *digit);
        assert_eq!(sum, scalar);
    }
}

#[test]
fn halves_are_short_and_odd() {
    let curve = Curve::Secp256k1.parameters();
    let endomorphism = Endomorphism::of(Curve::Secp256k1).expect("it has one");
    let image = curve.mul(&curve.generator(), &endomorphism.lambda).expect("a point");
    let (x, y) = &curve.generator;
    assert_eq!(image, (x * &endomorphism.beta % &curve.p, y.clone()));
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let edges = [0u8, 1, 2].map(BigUint::from).into_iter().chain([&curve.n - 1u8]);
    for scalar in edges.chain((0..200).map(|_| rng.gen_biguint_below(&curve.n))) {
        let (first, second) = endomorphism.halves(&scalar);
        let sum = &first + &second * BigInt::from(endomorphism.lambda.clone());
        assert_eq!(residue(&sum, &curve.n), scalar);
        digits(&first, HALF_DIGITS);
        digits(&second, HALF_DIGITS);
    }
}

/// For every ratio, those that make one vector of the lattice short and the other long among them.
#[test]
fn ratios_are_short_and_odd() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    for curve in CURVES {
        let n = curve.n();
        let lambda = Endomorphism::of(curve).map_or(BigUint::ZERO, |found| found.lambda.clone());
        let whole = |parts: &[BigInt]| {
            let add = |sum, part: &BigInt| sum * BigInt::from(lambda.clone()) + part + 1;
            residue(&parts.iter().rev().fold(BigInt::ZERO, add), n)
        };
        let edges = [0u8, 1, 2, 3].map(BigUint::from).into_iter();
        let edges = edges.chain([n - 1u8, n - 2u8, n >> 1u8, lambda.clone(), n - &lambda]);
        let edges = edges.chain((0..256).map(|i| BigUint::from(1u8) << i));
        for ratio in edges.chain((0..200).map(|_| rng.gen_biguint_below(n))) {
            let found = ShortRatio::new(curve, &(&ratio % n));
            let factor = whole(&found.factor);
            assert_eq!(found.value(), factor);
            assert_ne!(factor, BigUint::ZERO);
            assert_eq!(whole(&found.product), factor * &ratio % n);
            for part in found.factor.iter().chain(&found.product) {
                digits(part, ratio_digits(curve));
            }
        }
    }
}

#[test]
fn a_point_and_its_table() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    for curve in CURVES {
        let point = random_point(curve, &mut rng);
        let test = circuit(curve, |ctx, equations| {
            let assigned = AssignedPoint::new(ctx.chips.foreign(), equations, &point);
            ctx.chips.foreign().enter_all();
            for (i, entry) in assigned.table().entries.iter().enumerate() {
                let multiple = BigUint::from(2 * i + 1);
                let expected = curve.parameters().mul(&Some(point.clone()), &multiple);
                assert_eq!(Some(entry.clone()), expected);
            }
        });
        test.assert_satisfied();
        let (x, y) = (point.0.clone(), (&point.1 + 1u8) % curve.p());
        let wrong = circuit(curve, |ctx, equations| {
            AssignedPoint::new(ctx.chips.foreign(), equations, &(x, y));
            ctx.chips.foreign().enter_all();
        });
        assert!(!wrong.is_satisfied());
    }
}

/// `3·P - 5·P + 2·P`, by digits of one to three windows.
#[test]
fn a_short_sum() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    for curve in CURVES {
        let point = random_point(curve, &mut rng);
        let parameters = curve.parameters();
        let build = |scalars: [i64; 3]| {
            circuit(curve, |ctx, equations| {
                let chip = ctx.chips.foreign();
                let first = AssignedPoint::new(chip, equations, &point);
                let double = parameters.double(&Some(point.clone())).expect("an odd order");
                let second = AssignedPoint::new(chip, equations, &double);
                let terms = [(&first, scalars[0]), (&first, scalars[1]), (&second, scalars[2])];
                let terms = terms.map(|(point, scalar)| {
                    Term::new(point.table().clone(), digits(&scalar.into(), 2))
                });
                let found = walked(chip, equations, &terms);
                let values = found.iter().map(|scalar| scalar.value().clone());
                assert!(values.eq(scalars.map(BigInt::from)));
            })
        };
        build([3, -5, 1]).assert_satisfied();
        build([253, -211, -21]).assert_satisfied();
        for wrong in [[3, -5, -1], [253, -211, -23], [251, -211, -21]] {
            assert!(!build(wrong).is_satisfied());
        }
    }
}

/// All entries of the images of a point's multiples, against those of the image itself.
#[test]
fn images_are_looked_up() {
    let curve = Curve::Secp256k1;
    let parameters = curve.parameters();
    let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(11));
    let test = circuit(curve, |ctx, equations| {
        let chip = ctx.chips.foreign();
        let endomorphism = equations.endomorphism().expect("it has one");
        let image = parameters.mul(&Some(point.clone()), &endomorphism.lambda);
        let beta = equations.beta(chip, endomorphism);
        let images = AssignedPoint::new(chip, equations, &point).images(chip, equations, &beta);
        let table = AssignedTable::constant(chip, curve, &image.expect("not the identity"));
        let scalars = (1i64..16).step_by(2);
        let terms = scalars.flat_map(|scalar| [(&images, scalar), (&table, -scalar)]);
        let terms: Vec<_> = terms
            .map(|(table, scalar)| Term::new(table.clone(), digits(&scalar.into(), 1)))
            .collect();
        walked(chip, equations, &terms);
    });
    test.assert_satisfied();
}

/// A scalar of four digits in two terms, against its opposite in one: the lower digits go on from the
/// upper ones, and from nothing else.
#[test]
fn a_scalar_in_two_terms() {
    let curve = Curve::Secp256k1;
    let parameters = curve.parameters();
    let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(6));
    let scalar = BigInt::from(54_321);
    let build = |start: i64| {
        let all = digits(&scalar, 4);
        let upper = all[..2].iter().fold(BigInt::ZERO, |sum, digit| (sum << 4) + *digit);
        circuit(curve, |ctx, equations| {
            let chip = ctx.chips.foreign();
            let high = parameters.mul(&Some(point.clone()), &BigUint::from(256u16));
            let high = AssignedTable::constant(chip, curve, &high.expect("not the identity"));
            let low = AssignedTable::constant(chip, curve, &point);
            let terms = [
                Term::new(high, all[..2].to_vec()),
                Term { table: low.clone(), digits: all[2..].to_vec(), above: Some(upper + start) },
                Term::new(low, digits(&-&scalar, 4)),
            ];
            let found = walked(chip, equations, &terms);
            assert_eq!(found[1].value() - start * 256, scalar);
            let joined = AssignedScalar::join(ctx, &found[..2]);
            let opposite = AssignedScalar::whole(&found[2]);
            let one = [(QuantumCell::Constant(Fr::one()), QuantumCell::Existing(opposite.cell()))];
            let shift = Fr::from(256 * start.unsigned_abs());
            let joined = QuantumCell::Existing(joined.cell());
            chain::assert_sum(ctx, joined, &one, QuantumCell::Constant(shift));
        })
    };
    build(0).assert_satisfied();
    assert!(!build(1).is_satisfied());
}
