//! The sum of a single signature: the terms that count each part once more.

use super::{
    super::sum::{Sum, Summand},
    *,
};
use crate::curve::weierstrass::chip::{digits, ratio_digits, ShortRatio, Walk};

/// The sum of a signature with a chosen coefficient. `change` is added to the digit of the extra
/// term `place`, and taken from the part that it belongs to: the sum stays 0. What binds the nonce
/// point's parts is told of the parts as they are.
fn summed(curve: Curve, place: usize, change: i64) -> TestCircuit {
    TestCircuit::new(foreign(curve, 14, 13, 6), |ctx, chips| {
        let chip = chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let (parameters, n) = (curve.parameters(), curve.n());
        let times =
            |scalar: &BigUint| parameters.mul(&parameters.generator(), scalar).expect("a point");
        let [secret, nonce] = [5u8, 7].map(BigUint::from);
        let (curve_equations, scalars) = (CurveEquations::new(curve), ScalarEquations::new(curve));
        let key = AssignedKey::new(ctx, chips, &curve_equations, &times(&secret));
        let point = AssignedNonce::new(chips, &curve_equations, &times(&nonce));
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
        if let Some(i) = place.checked_sub(each) {
            short.factor[i] -= change;
        }
        let chosen = Coefficient::Chosen(short);
        let walk = Walk::regardless(curve, &sum.terms);
        let summand =
            Summand { key: key.point(), nonce: point.point(), coefficient: &chosen, scalar: ratio };
        sum.constrain(ctx, chips, equations, &[summand], &walk);
    })
}

#[test]
fn parts_are_counted_once_more() {
    for (curve, places) in [(Curve::Secp256k1, 4), (Curve::P256, 2)] {
        assert!(summed(curve, 0, 0).is_satisfied());
        for place in 0..places {
            for change in [2, -2] {
                assert_eq!(summed(curve, place, change).failing(vec![]), ["copy"], "{place}");
            }
        }
    }
}
