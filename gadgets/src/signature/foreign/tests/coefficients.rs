//! Coefficients: what binds a scalar to the element that was squeezed for it.

use halo2_base::utils::{biguint_to_fe, fe_to_biguint, modulus};
use num_bigint::BigInt;
use num_traits::One;

use super::{super::coefficient::squeeze, *};
use crate::{
    curve::weierstrass::chip::{
        digits, ratio_digits, sum_of_multiples, AssignedTable, Endomorphism, ShortRatio, Term,
        SHORT_DIGITS,
    },
    gate::Forged,
};

const RANGE_BITS: usize = 13;

/// A scalar as `choose` has it from the coefficients squeezed, bound to the first of them. The
/// scalar and its opposite, by one point, have the sum 0.
fn bound(choose: impl FnOnce(&[Coefficient]) -> BigInt) -> TestCircuit {
    let curve = Curve::Secp256k1;
    TestCircuit::new(foreign(curve, 14, RANGE_BITS, 6), |ctx, chips| {
        let chip = chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let batched = element(chip, &BigUint::from(9u8));
        let coefficients = squeeze(ctx, chips, &[&batched], 2);
        let scalar = choose(&coefficients);
        let equations = CurveEquations::new(curve);
        let table = AssignedTable::constant(chip, curve, &curve.parameters().generator);
        let terms = [scalar.clone(), -scalar]
            .map(|scalar| Term::new(table.clone(), digits(&scalar, SHORT_DIGITS)));
        let found = sum_of_multiples(chip, &equations, &terms);
        coefficients[0].bind(ctx, chips, &ScalarEquations::new(curve), &found[..1]);
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
fn chosen(curve: Curve, ratio: &ShortRatio, (part, change): (usize, i64)) -> TestCircuit {
    TestCircuit::new(foreign(curve, 14, RANGE_BITS, 6), |ctx, chips| {
        let chip = chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let equations = CurveEquations::new(curve);
        let table = AssignedTable::constant(chip, curve, &curve.parameters().generator);
        let count = ratio_digits(curve);
        let mut parts = ratio.factor.clone();
        parts[part] += change;
        let both = parts.iter().flat_map(|part| [part.clone(), -part]);
        let terms: Vec<_> =
            both.map(|part| Term::new(table.clone(), digits(&part, count))).collect();
        let found = sum_of_multiples(chip, &equations, &terms);
        let found: Vec<_> = found.into_iter().step_by(2).collect();
        let scalars = ScalarEquations::new(curve);
        Coefficient::Chosen(ratio.clone()).bind(ctx, chips, &scalars, &found);
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
        let test = TestCircuit::new(foreign(curve, 14, RANGE_BITS, 6), |_, chips| {
            (0..4).for_each(|_| drop(element(chips.foreign(), &BigUint::ZERO)));
            ScalarEquations::new(curve).lambda_of_hint(chips.foreign(), lambda, &hint);
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

/// The scalar of the squeezed element plus the native prime, with the high part that goes with it:
/// all equations hold, and the bound of the high part alone is in the way.
#[test]
fn the_squeezed_element_is_taken_apart_in_one_way() {
    let r = modulus::<Fr>();
    let base: BigUint = BigUint::one() << 128;
    let mut squeezed = BigUint::ZERO;
    let mut scalar = BigInt::ZERO;
    let mut test = bound(|z| {
        // 2·e + 1 - 2^128 tells the low half; the high one is in the cell.
        let Coefficient::Squeezed(cell) = z[0] else { panic!("two signatures are a batch") };
        squeezed = fe_to_biguint(cell.value());
        let low = (&squeezed + &r) % &base;
        scalar = BigInt::from(low) * 2 + 1 - BigInt::from(base.clone());
        scalar.clone()
    });
    let bound = (&r >> 128) - 1u8;
    let high = &squeezed >> 128;
    let wrapped = (&squeezed + &r) >> 128;
    assert!(wrapped > bound);
    let fe = |number: &BigUint| biguint_to_fe::<Fr>(number);
    let rests = [&high, &wrapped].map(|high| fe(&bound) - fe(high));
    let z: Fr = halo2_base::utils::bigint_to_fe(&scalar);
    let factor = crate::field::foreign::halves::power(129);
    let sums = [&high, &wrapped].map(|high| z + factor * fe(high));
    let changes = [(fe(&high), fe(&wrapped)), (rests[0], rests[1]), (sums[0], sums[1])];
    let mut forged = test.replace(&changes);
    assert!(!test.is_satisfied_with_all(forged.clone()));
    // And the running sums of both.
    let advice = test.advice();
    let shifted = |value: Fr, i: usize| fe(&(fe_to_biguint(&value) >> (RANGE_BITS * i)));
    for (old, new) in &changes[..2] {
        let starts: Vec<_> = forged
            .iter()
            .filter(|cell| {
                let column = &advice[cell.column];
                column[cell.row] == *old && column.get(cell.row + 1) == Some(&shifted(*old, 1))
            })
            .map(|cell| (cell.column, cell.row))
            .collect();
        let [(column, row)] = starts[..] else { panic!("one running sum: {starts:?}") };
        let limbs = 126usize.div_ceil(RANGE_BITS);
        let cells = (1..limbs).map(|i| Forged { column, row: row + i, value: shifted(*new, i) });
        forged.extend(cells);
    }
    assert!(test.fails_range_checks_alone(forged));
}
