//! Coefficients: what binds a scalar to the element that was squeezed for it.

use halo2_base::utils::{bigint_to_fe, modulus};
use muster_testing::sampled;
use num_bigint::{BigInt, Sign};
use num_traits::One;

use super::{
    super::coefficient::{bind_squeezed_of_hint, squeeze},
    *,
};
use crate::curve::weierstrass::{
    digits, ratio_digits, sum_of_multiples, AssignedTable, Endomorphism, ShortRatio, Term, Walk,
    SHORT_DIGITS,
};
use muster_gates::foreign::AssignedScalar;

const RANGE_BITS: usize = 13;

/// A scalar as `choose` has it from the coefficients squeezed, bound to the first of them. The
/// scalar and its opposite, by one point, have the sum 0.
fn bound(choose: impl FnOnce(&[Coefficient]) -> BigInt) -> TestCircuit {
    let curve = Curve::Secp256k1;
    TestCircuit::new(foreign(curve, 14, RANGE_BITS, 6), |ctx| {
        let chip = ctx.chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let batched = element(chip, &BigUint::from(9u8));
        let coefficients = squeeze(ctx, &[&batched], 2);
        let scalar = choose(&coefficients);
        let equations = CurveEquations::new(curve);
        let table = AssignedTable::constant(chip, curve, &curve.parameters().generator);
        let terms = [scalar.clone(), -scalar]
            .map(|scalar| Term::new(table.clone(), digits(&scalar, SHORT_DIGITS)));
        let found = sum_of_multiples(chip, &equations, &terms, &Walk::regardless(curve, &terms));
        coefficients[0].bind(ctx, &ScalarEquations::new(curve), &found[..1]);
    })
}

#[test]
fn coefficients_are_bound() {
    assert!(bound(|z| z[0].value()).is_satisfied());
    assert!(!bound(|z| z[0].value() + 2).is_satisfied());
    assert!(!bound(|z| z[0].value() - 2).is_satisfied());
    assert!(!bound(|z| -z[0].value()).is_satisfied());
    assert!(!bound(|z| z[1].value()).is_satisfied());
    assert!(!bound(|_| BigInt::one()).is_satisfied());
}

/// Binds the parts of `ratio`, with `change` added to one part of the scalars summed.
fn chosen(curve: Curve, ratio: &ShortRatio, change: (usize, i64)) -> TestCircuit {
    chosen_in((curve, RANGE_BITS), ratio, change)
}

/// The same by lookups of so many bits.
fn chosen_in(
    (curve, range_bits): (Curve, usize),
    ratio: &ShortRatio,
    (part, change): (usize, i64),
) -> TestCircuit {
    TestCircuit::new(foreign(curve, 14, range_bits, 6), |ctx| {
        let chip = ctx.chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let equations = CurveEquations::new(curve);
        let table = AssignedTable::constant(chip, curve, &curve.parameters().generator);
        let count = ratio_digits(curve);
        let mut parts = ratio.factor.clone();
        parts[part] += change;
        let both = parts.iter().flat_map(|part| [part.clone(), -part]);
        let terms: Vec<_> =
            both.map(|part| Term::new(table.clone(), digits(&part, count))).collect();
        let found = sum_of_multiples(chip, &equations, &terms, &Walk::regardless(curve, &terms));
        let found: Vec<_> = found.into_iter().step_by(2).collect();
        let scalars = ScalarEquations::new(curve);
        Coefficient::Chosen(ratio.clone()).bind(ctx, &scalars, &found);
    })
}

#[test]
fn a_chosen_coefficient_is_its_parts() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        let ratio = ShortRatio::new(curve, &(curve.n() / 3u8));
        assert!(chosen(curve, &ratio, (0, 0)).is_satisfied());
        for (part, change) in (0..ratio.factor.len()).flat_map(|part| [(part, 2), (part, -2)]) {
            assert_eq!(chosen(curve, &ratio, (part, change)).false_relations(), Some(1));
        }
    }
}

/// Parts that are shorter than an element: with limbs of other lengths others of them are missing.
#[test]
fn short_parts_are_bound() {
    let [one, other] = [Curve::Secp256k1, Curve::P256];
    for (curve, range_bits) in [(one, 11), (one, 13), (other, 10), (other, 11)] {
        let ratio = ShortRatio::new(curve, &(curve.n() / 3u8));
        let test = chosen_in((curve, range_bits), &ratio, (0, 0));
        test.assert_satisfied();
        test.assert_relations_are_bound("signature/foreign/scalar");
    }
}

/// By 0 every equation holds.
#[test]
fn a_chosen_coefficient_is_not_0() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        let mut ratio = ShortRatio::new(curve, &BigUint::ZERO);
        ratio.factor.fill(BigInt::from(-1));
        assert_eq!(ratio.value(), BigUint::ZERO);
        assert_eq!(chosen(curve, &ratio, (0, 0)).false_relations(), Some(1));
        ratio.factor[0] += 2;
        assert!(chosen(curve, &ratio, (0, 0)).is_satisfied());
    }
}

/// `λ` in its block, from what a prover hints.
#[test]
fn the_factor_of_the_endomorphism() {
    let curve = Curve::Secp256k1;
    let lambda = &Endomorphism::of(curve).expect("it has one").lambda;
    let square = lambda * lambda % curve.n();
    for (hint, count) in [(lambda.clone(), 0), (square, 1), (BigUint::one(), 1)] {
        let test = TestCircuit::new(foreign(curve, 14, RANGE_BITS, 6), |ctx| {
            (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
            let mut cursor = ctx.chips.foreign().below(&[]);
            ScalarEquations::new(curve).lambda_of_hint(&mut cursor, lambda, &hint);
        });
        assert_eq!(test.false_relations(), Some(count), "{hint}");
    }
}

/// All coefficients are odd, below `2^128` in magnitude, and none is another's neighbour for the
/// same transcript.
#[test]
fn coefficients_are_odd_and_short() {
    let mut values = vec![];
    bound(|z| {
        values.extend(z.iter().map(Coefficient::value));
        z[0].value()
    });
    assert!(values.iter().all(|z| z.bit(0) && z.magnitude().bits() <= 128));
    assert_ne!(values[0], values[1]);
}

/// A number `e + 2^128·h` that is a squeezed element but for the native prime, once above it and once
/// below 0: all equations hold, and the range of `h` alone, or of what it is less than its bound, is in
/// the way.
#[test]
fn the_squeezed_element_is_taken_apart_in_one_way() {
    let (r, base) = (BigInt::from(modulus::<Fr>()), BigInt::one() << 128);
    let bound: BigInt = (&r >> 128) - 1;
    for squeezed in [&r / 2, BigInt::from(12_345), &bound << 128] {
        let others = [(BigInt::ZERO, true), (r.clone(), false), (-&r, false)];
        let cases = others.into_iter().flat_map(|it| [(it.clone(), false), (it, true)]);
        for ((more, is_honest), is_behind) in sampled(cases, 3) {
            let number = &squeezed + more;
            // Rounded down.
            let high: BigInt = &number >> 128;
            let scalar = (&number - &high * &base) * 2 + 1 - &base;
            let rest = &bound - &high;
            assert_eq!(rest.sign() == Sign::Minus || high.sign() == Sign::Minus, !is_honest);
            let mut test = taken_apart(is_behind, &squeezed, &scalar, [&high, &rest]);
            let range = ["range: limb is below 2^b"];
            let expected = if is_honest { &[][..] } else { &range };
            assert_eq!(test.failing(vec![]), expected, "{squeezed} {number}");
        }
    }
    for is_behind in [false, true] {
        // A part that leaves nothing to its bound.
        let high: BigInt = (&r / 2 + &r) >> 128;
        let scalar = (&r / 2 + &r - &high * &base) * 2 + 1 - &base;
        let hints = [&high, &BigInt::one()];
        taken_apart(is_behind, &(&r / 2), &scalar, hints).assert_sum_is_bound(1);
        // Another scalar than the low half makes.
        let high: BigInt = (&r / 2) >> 128;
        let scalar = (&r / 2 - &high * &base) * 2 + 3 - &base;
        let hints = [&high, &(&bound - &high)];
        taken_apart(is_behind, &(&r / 2), &scalar, hints).assert_sum_is_bound(2);
    }
}

/// A scalar bound to a squeezed element by hints of `h` and of what it is less than its bound; perhaps behind another one
/// that is bound to a small element.
fn taken_apart(
    is_behind: bool,
    squeezed: &BigInt,
    scalar: &BigInt,
    hints: [&BigInt; 2],
) -> TestCircuit {
    let curve = Curve::Secp256k1;
    let bound = (BigInt::from(modulus::<Fr>()) >> 128) - 1;
    let (small, none) = (BigInt::from(12_345), BigInt::ZERO);
    let of_small: BigInt = &small * 2 + 1 - (BigInt::one() << 128);
    let before = is_behind.then_some((&small, &of_small, [&none, &bound]));
    let all: Vec<_> = before.into_iter().chain([(squeezed, scalar, hints)]).collect();
    TestCircuit::new(foreign(curve, 14, RANGE_BITS, 6), |ctx| {
        let chip = ctx.chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let equations = CurveEquations::new(curve);
        let table = AssignedTable::constant(chip, curve, &curve.parameters().generator);
        let both = all.iter().flat_map(|(_, scalar, _)| [(*scalar).clone(), -*scalar]);
        let terms: Vec<_> =
            both.map(|scalar| Term::new(table.clone(), digits(&scalar, SHORT_DIGITS))).collect();
        let walk = Walk::regardless(curve, &terms);
        let found = sum_of_multiples(chip, &equations, &terms, &walk);
        for ((squeezed, _, hints), digits) in all.iter().zip(found.iter().step_by(2)) {
            let squeezed = ctx.load_witness(bigint_to_fe(squeezed));
            let scalar = AssignedScalar::whole(digits);
            bind_squeezed_of_hint(ctx, (squeezed, hints.map(bigint_to_fe)), &scalar);
        }
    })
}
