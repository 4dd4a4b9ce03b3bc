//! Every relation of a product, rewritten with all that follows.

use std::mem::discriminant;

use num_bigint::RandBigInt;

use super::{
    super::{
        line::{Challenge, Lines},
        product::{evaluate_quotient, sum_identities},
        transcript::Claim,
    },
    *,
};
use crate::curve::pairing::samples::rng;
use muster_schemes::curve::pairing::{
    program::{program, uses_root, Op, Plan, DEGREE},
    walk::kinds,
};

/// Records relations of a curve.
type Build = fn(PairingCurve, &Chips, &Arithmetic);

/// Points, the way of one through the loop, a challenge, a line of each kind, and the values of polynomials.
fn build(curve: PairingCurve, chips: &Chips, arithmetic: &Arithmetic) {
    let (parameters, chip) = (curve.parameters(), chips.foreign());
    let (p, q) = (point(curve, 3, false), twist_point(curve, 5));
    let first = AssignedGroupPoint::taken_for_granted(AssignedBasePoint::new(
        chip,
        arithmetic.equations,
        &p,
    ));
    let second = AssignedTwistPoint::new(chip, arithmetic.equations, &q);
    let (walk, second) = second.walk(arithmetic, &walk(parameters, &q));
    let mut rng = rng(1);
    let mut any = || element(chip, &rng.gen_biguint_below(&parameters.p));
    let challenge = Challenge::new(arithmetic, any());
    let fixed = Lines::fixed(arithmetic, &challenge, &first, &twist_point(curve, 7));
    let second = (second.coordinates(), &walk);
    let variable = Lines::variable(arithmetic, &challenge, &first, second);
    let kinds = kinds(parameters);
    for (step, kind) in kinds.iter().enumerate() {
        if !kinds[step + 1..].contains(kind) {
            fixed.line(arithmetic, step);
            variable.line(arithmetic, step);
        }
    }
    let coefficients: Vec<_> = (0..2 * DEGREE + 3).map(|_| any()).collect();
    challenge.evaluate(arithmetic, &coefficients[..3]);
    challenge.evaluate(arithmetic, &coefficients[..DEGREE]);
    challenge.evaluate_even(arithmetic, &coefficients[..DEGREE / 2]);
    for (_, power) in parameters.tail {
        let factors = challenge.frobenius(arithmetic, *power);
        challenge.evaluate_power(arithmetic, &coefficients[..DEGREE], &factors);
    }
    evaluate_quotient(arithmetic, &challenge, &coefficients);
}

/// An operation of each kind, the product written down before three of them.
fn short_plan(curve: PairingCurve) -> Plan {
    let mut ops: Vec<Op> = vec![];
    for op in program(curve.parameters(), 1) {
        if !ops.iter().any(|known| discriminant(known) == discriminant(&op)) {
            ops.push(op);
        }
    }
    assert_eq!(ops.len(), 5, "squares, lines, factors, their powers and the scaling factor");
    Plan { ops, is_written: vec![false, true, false, true, true], degree: 0 }
}

/// The identities of a short plan for numbers of no meaning, with the one quotient that makes their sum hold.
fn build_identities(curve: PairingCurve, chips: &Chips, arithmetic: &Arithmetic) {
    build_wrong_identities(curve, chips, arithmetic, 0);
}

/// The same with so much more in the place of the quotient.
fn build_wrong_identities(
    curve: PairingCurve,
    chips: &Chips,
    arithmetic: &Arithmetic,
    surplus: u8,
) {
    let (parameters, chip) = (curve.parameters(), chips.foreign());
    let p = &parameters.p;
    let mut rng = rng(2);
    let mut numbers = |count: usize| -> Vec<AssignedLimbs> {
        (0..count).map(|_| element(chip, &rng.gen_biguint_below(p))).collect()
    };
    let first = AssignedGroupPoint::taken_for_granted(AssignedBasePoint::new(
        chip,
        arithmetic.equations,
        &point(curve, 3, false),
    ));
    let claim = Claim {
        firsts: vec![],
        seconds: vec![],
        root: uses_root(parameters).then(|| numbers(DEGREE)),
        inverse: numbers(DEGREE),
        scale: numbers(DEGREE / 2),
        products: (0..3).map(|_| numbers(DEGREE)).collect(),
    };
    let (rho, z) = (numbers(1).remove(0), numbers(1).remove(0));
    let challenge = Challenge::new(arithmetic, z);
    let lines = [Lines::fixed(arithmetic, &challenge, &first, &twist_point(curve, 7))];
    let plan = short_plan(curve);
    let sum = sum_identities(arithmetic, (&challenge, &rho), &plan, &claim, &lines);
    let (before, [a, b]) = (sum.before.as_ref().expect("there are several"), &sum.last);
    let total = before.value() * rho.value() + a.value() * b.value() + p - 1u8;
    let inverse = challenge.tower.value().modinv(p).expect("not 0");
    let quotient = element(chip, &((total * inverse + surplus) % p));
    sum.assert_multiple(arithmetic, (&challenge, &rho), &quotient);
}

/// Asserts that the relations of `files` are bound, whichever of a line is asked about: the circuit comes to each twice.
fn assert_bound(k: u32, files: &[&str], build: Build) {
    for curve in sampled(PairingCurve::ALL, 2) {
        let test = circuit(curve, k, |ctx, arithmetic| {
            (0..2).for_each(|_| build(curve, ctx.chips, arithmetic));
        });
        test.assert_satisfied();
        files.iter().for_each(|files| test.assert_relations_are_bound(files));
    }
}

#[test]
fn relations_are_bound() {
    // Sums of products take the place of whoever asks for them.
    assert_bound(14, &["curve/pairing/", "curve/pairing/tests/relations"], build);
}

/// What is counted of the way of a point, of lines, of values and of identities; the relations of one curve are those of both.
#[test]
fn relations_count() {
    let curve = PairingCurve::Bls12381;
    for (k, build) in [(14, build as Build), (13, build_identities)] {
        let test = circuit(curve, k, |ctx, arithmetic| build(curve, ctx.chips, arithmetic));
        test.assert_relations_count("curve/pairing/");
    }
}

#[test]
fn relations_of_identities_are_bound() {
    assert_bound(13, &["curve/pairing/product"], build_identities);
}

/// Of quotients whose highest piece has any number of coefficients.
#[test]
fn relations_of_quotients_are_bound() {
    assert_bound(14, &["curve/pairing/product"], |curve, chips, arithmetic| {
        let mut rng = rng(3);
        let p = &curve.parameters().p;
        let mut number = || element(chips.foreign(), &rng.gen_biguint_below(p));
        let challenge = Challenge::new(arithmetic, number());
        let coefficients: Vec<_> = (0..2 * DEGREE).map(|_| number()).collect();
        for count in DEGREE + 1..=2 * DEGREE {
            evaluate_quotient(arithmetic, &challenge, &coefficients[..count]);
        }
    });
}

/// Another quotient is refused, alone and behind the right one.
#[test]
fn identities_have_one_quotient() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let holds = |surpluses: &[u8]| {
            let test = circuit(curve, 13, |ctx, arithmetic| {
                for surplus in surpluses {
                    build_wrong_identities(curve, ctx.chips, arithmetic, *surplus);
                }
            });
            test.is_satisfied()
        };
        assert!(holds(&[0, 0]));
        assert!(!holds(&[1]) && !holds(&[0, 1]));
    }
}
