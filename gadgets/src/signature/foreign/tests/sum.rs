//! The sum of a single signature: the terms that count each part once more, and those that go on from others.

use halo2_base::utils::bigint_to_fe;

use super::{
    super::sum::{Sum, Summand},
    *,
};
use crate::curve::weierstrass::{digits, ratio_digits, ShortRatio, Walk};

/// What is false of a sum.
#[derive(Clone, Copy, Debug)]
enum Lie {
    /// So much is added to the digit of this extra term, and taken from the part that it belongs to: the sum stays 0. What
    /// binds the nonce point's parts is told of the parts as they are.
    Extra(usize, i64),
    /// Of the terms that go on from the digits of others, this one goes on from 1 more.
    Above(usize),
}

/// How many terms go on from the digits of others.
fn count_below(sum: &Sum) -> usize {
    sum.terms.iter().filter(|term| term.above.is_some()).count()
}

/// The sum of a signature with a chosen coefficient; how many terms go on from the digits of others, and the row of the
/// constant that the first extra term is to be equal to.
fn summed(curve: Curve, lie: Lie) -> (TestCircuit, [usize; 2]) {
    let (place, change) = match lie {
        Lie::Extra(place, change) => (place, change),
        Lie::Above(_) => (0, 0),
    };
    let mut found = [0; 2];
    let test = TestCircuit::new(foreign(curve, 14, 13, 6), |ctx| {
        let chip = ctx.chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let (parameters, n) = (curve.parameters(), curve.n());
        let times =
            |scalar: &BigUint| parameters.mul(&parameters.generator(), scalar).expect("a point");
        let [secret, nonce] = [5u8, 7].map(BigUint::from);
        let (curve_equations, scalars) = (CurveEquations::new(curve), ScalarEquations::new(curve));
        let key = AssignedKey::new(ctx, &curve_equations, &times(&secret));
        let point = AssignedNonce::new(ctx.chips, &curve_equations, &times(&nonce));
        let ratio = n / 3u8;
        let mut short = ShortRatio::new(curve, &ratio);
        let negated = short.value() * (&nonce + &ratio * &secret) % n;
        let generator = n - negated;
        let parts = [short.product.clone(), short.factor.clone()].concat();
        let chosen = Coefficient::Chosen(short.clone());
        let summands = [Summand {
            key: key.point(),
            nonce: point.point(),
            coefficient: &chosen,
            scalar: ratio.clone(),
        }];
        let equations = (&curve_equations, &scalars);
        let mut sum = Sum::new(chip, &curve_equations, &summands);
        sum.put_all(&scalars, &summands, &generator);
        // The parts of the key come first, then as many ones, then the same of the nonce point.
        let each = parts.len() / 2;
        let (one, part) = (sum.ones[place], place + place / each * each);
        assert_eq!(one, part + each);
        sum.terms[one].digits = digits(&(1 + change).into(), 1);
        sum.terms[part].digits = digits(&(&parts[place] - change), ratio_digits(curve));
        found = [count_below(&sum), ctx.advice.len()];
        if let Lie::Above(number) = lie {
            let mut going_on = sum.terms.iter_mut().filter_map(|term| term.above.as_mut());
            *going_on.nth(number).expect("so many go on") += 1;
        }
        if let Some(i) = place.checked_sub(each) {
            short.factor[i] -= change;
        }
        let chosen = Coefficient::Chosen(short);
        let walk = Walk::regardless(curve, &sum.terms);
        let summand =
            Summand { key: key.point(), nonce: point.point(), coefficient: &chosen, scalar: ratio };
        sum.constrain(ctx, equations, &[summand], &walk);
    });
    (test, found)
}

#[test]
fn parts_are_counted_once_more() {
    for (curve, places) in [(Curve::Secp256k1, 4), (Curve::P256, 2)] {
        assert!(summed(curve, Lie::Extra(0, 0)).0.is_satisfied());
        for place in 0..places {
            for change in [2, -2] {
                let (mut test, [_, ones]) = summed(curve, Lie::Extra(place, change));
                assert_eq!(test.failing(vec![]), ["copy"], "{place}");
                // The constant that it is to be equal to, as the prover would have it.
                let value = Fr::one() + bigint_to_fe::<Fr>(&change.into());
                let constant = test.in_row(ones + place, value);
                assert_eq!(test.advice()[constant.column][constant.row], Fr::one());
                assert_eq!(test.failing(vec![constant]), ["copy"], "{place}");
            }
        }
    }
}

/// The digits of the generator's scalar, in parts each of which goes on from the one above.
#[test]
fn parts_of_the_generator_go_on_from_each_other() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        let (_, [below, _]) = summed(curve, Lie::Extra(0, 0));
        assert!(below > 0, "{curve}");
        for number in 0..below {
            let (mut test, _) = summed(curve, Lie::Above(number));
            assert_eq!(test.failing(vec![]), ["copy"], "{curve} {number}");
        }
    }
}
