//! Points on their curves, and the steps of a walk.

use super::*;
use crate::curve::pairing::{
    extension::Extension,
    walk::{Kind, Step},
};

fn pair(arithmetic: &Arithmetic, pair: &Pair) -> [AssignedLimbs; 2] {
    pair.each_ref().map(|part| element(arithmetic.chip, part))
}

fn point_of(arithmetic: &Arithmetic, point: &TwistPoint) -> [[AssignedLimbs; 2]; 2] {
    point.each_ref().map(|coordinate| pair(arithmetic, coordinate))
}

/// A single step with these numbers in the place of the right ones; all that follows from a slope follows from this one.
fn takes(curve: PairingCurve, q: &TwistPoint, step: &Step) -> bool {
    let test = circuit(curve, 11, |_, _, arithmetic| {
        let (from, slope) = (point_of(arithmetic, &step.from), pair(arithmetic, &step.slope));
        let q = point_of(arithmetic, q);
        let addend = match step.kind {
            Kind::Double => None,
            Kind::Add { is_negative } => Some((&q, is_negative)),
            Kind::AddImage { .. } => panic!("those are added as any other"),
        };
        arithmetic.step(&from, &slope, addend, step, None);
    });
    test.is_satisfied()
}

/// A step with a slope that satisfies one of both equations, re or im, and with the sum that follows from it.
fn with_half_a_slope(curve: PairingCurve, q: &TwistPoint, step: &Step, keeps_re: bool) -> Step {
    let field = Extension(&curve.parameters().p);
    let [x, y] = &step.from;
    let (run, other) = match step.kind {
        Kind::Double => (field.scale(y, 2), x),
        _ => (field.sub(x, &q[0]), &q[0]),
    };
    // A shift of the slope whose product with the run is a number times u, or a number alone.
    let shift = if keeps_re { [0u8, 1] } else { [1, 0] }.map(BigUint::from);
    let slope = field.add(&step.slope, &field.mul(&shift, &field.invert(&run)));
    let new_x = field.sub(&field.mul(&slope, &slope), &field.add(x, other));
    let new_y = field.sub(&field.mul(&slope, &field.sub(x, &new_x)), y);
    Step { slope, sum: [new_x, new_y], ..step.clone() }
}

#[test]
fn steps_have_one_slope() {
    for curve in PairingCurve::ALL {
        let q = twist_point(curve, 3);
        let steps = walk(curve.parameters(), &q);
        let is = |kind: Kind| steps.iter().find(move |step| step.kind == kind).cloned();
        let kinds =
            [Kind::Double, Kind::Add { is_negative: false }, Kind::Add { is_negative: true }];
        for step in kinds.into_iter().filter_map(is) {
            assert!(takes(curve, &q, &step), "{step:?}");
            for keeps_re in [false, true] {
                let forged = with_half_a_slope(curve, &q, &step, keeps_re);
                assert!(!takes(curve, &q, &forged), "{curve} {:?} {keeps_re}", step.kind);
            }
        }
    }
}

#[test]
fn steps_have_one_sum() {
    for curve in PairingCurve::ALL {
        let q = twist_point(curve, 3);
        let steps = walk(curve.parameters(), &q);
        let field = Extension(&curve.parameters().p);
        for step in &steps[..4] {
            for (coordinate, part) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let mut forged = step.clone();
                forged.sum[coordinate][part] += 1u8;
                if coordinate == 0 {
                    let run = field.sub(&step.from[0], &forged.sum[0]);
                    forged.sum[1] = field.sub(&field.mul(&step.slope, &run), &step.from[1]);
                }
                assert!(!takes(curve, &q, &forged), "{curve} {:?}", step.kind);
            }
        }
    }
}

#[test]
fn walks_end_in_one_point() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let q = twist_point(curve, 5);
        let end = walk(parameters, &q).pop().expect("there are steps").sum;
        let closes = |end: &TwistPoint| {
            let test = circuit(curve, 11, |_, chips, arithmetic| {
                let q = AssignedTwistPoint::new(chips.foreign(), arithmetic.equations, &q);
                let end = point_of(arithmetic, end);
                arithmetic.assert_closes(parameters, &q, &end);
            });
            test.is_satisfied()
        };
        assert!(closes(&end));
        for (coordinate, part) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut other = end.clone();
            other[coordinate][part] += 1u8;
            assert!(!closes(&other), "{curve}");
        }
    }
}

#[test]
fn points_are_on_their_curves() {
    for curve in PairingCurve::ALL {
        let parameters = curve.parameters();
        let on_curve = |[x, y]: [BigUint; 2]| {
            let test = circuit(curve, 10, |_, chips, arithmetic| {
                AssignedBasePoint::new(chips.foreign(), arithmetic.equations, &[x, y]);
            });
            test.is_satisfied()
        };
        let [x, y] = point(curve, 3, false);
        assert!(on_curve([x.clone(), y.clone()]));
        assert!(!on_curve([x.clone() + 1u8, y.clone()]) && !on_curve([x, y + 1u8]));
        let on_twist = |[x, y]: [Pair; 2]| {
            let test = circuit(curve, 10, |_, chips, arithmetic| {
                AssignedTwistPoint::new(chips.foreign(), arithmetic.equations, &[x, y]);
            });
            test.is_satisfied()
        };
        let [x, y] = twist_point(curve, 3);
        assert!(on_twist([x.clone(), y.clone()]));
        // Other roots of one part of the right side: of 2·y₀·y₁, and of y₀² - y₁².
        let p = &parameters.p;
        let half = y[1].clone() * 2u8 % p;
        let quarter = y[0].clone() * BigUint::from(2u8).modinv(p).expect("odd") % p;
        assert!(!on_twist([x.clone(), [quarter, half]]));
        let difference = (&y[0] + p - &y[1]) % p;
        let sum = (&y[0] + &y[1]) % p;
        // (y₀ - y₁)·2 and (y₀ + y₁)/2 for the difference and the sum.
        let two_inverse = BigUint::from(2u8).modinv(p).expect("odd");
        let (difference, sum) = (difference * 2u8 % p, sum * &two_inverse % p);
        let re = (&sum + &difference) * &two_inverse % p;
        let im = (&sum + p - &difference) * &two_inverse % p;
        assert!(!on_twist([x, [re, im]]));
    }
}
