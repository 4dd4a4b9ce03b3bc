//! Points on their curves, and the steps of a walk.

use super::*;
use muster_schemes::curve::pairing::{
    extension::Extension,
    walk::{Kind, Step},
};

fn pair(arithmetic: &Arithmetic, pair: &Pair) -> [AssignedLimbs; 2] {
    pair.each_ref().map(|part| element(arithmetic.chip, part))
}

fn point_of(arithmetic: &Arithmetic, point: &TwistPoint) -> [[AssignedLimbs; 2]; 2] {
    point.each_ref().map(|coordinate| pair(arithmetic, coordinate))
}

/// A step with these numbers in the place of the right ones, alone or behind the right one; all that follows from a slope
/// follows from this one.
fn takes(curve: PairingCurve, q: &TwistPoint, steps: &[&Step]) -> bool {
    let test = circuit(curve, 11, |_, arithmetic| {
        let q = point_of(arithmetic, q);
        for step in steps {
            let (from, slope) = (point_of(arithmetic, &step.from), pair(arithmetic, &step.slope));
            let addend = match step.kind {
                Kind::Double => None,
                Kind::Add { is_negative } => Some((&q, is_negative)),
                Kind::AddImage { .. } => panic!("those are added as any other"),
            };
            arithmetic.step(&from, &slope, addend, step, None);
        }
    });
    test.is_satisfied()
}

/// Whether a step is taken with wrong numbers, alone or behind the right one.
fn takes_for(curve: PairingCurve, q: &TwistPoint, right: &Step, wrong: &Step) -> bool {
    takes(curve, q, &[wrong]) || takes(curve, q, &[right, wrong])
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
    for curve in sampled(PairingCurve::ALL, 2) {
        let q = twist_point(curve, 3);
        let steps = walk(curve.parameters(), &q);
        let is = |kind: Kind| steps.iter().find(move |step| step.kind == kind).cloned();
        let kinds =
            [Kind::Double, Kind::Add { is_negative: false }, Kind::Add { is_negative: true }];
        for step in kinds.into_iter().filter_map(is) {
            assert!(takes(curve, &q, &[&step, &step]), "{step:?}");
            for keeps_re in [false, true] {
                let forged = with_half_a_slope(curve, &q, &step, keeps_re);
                assert!(
                    !takes_for(curve, &q, &step, &forged),
                    "{curve} {:?} {keeps_re}",
                    step.kind
                );
            }
        }
    }
}

#[test]
fn steps_have_one_sum() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let q = twist_point(curve, 3);
        let steps = walk(curve.parameters(), &q);
        let field = Extension(&curve.parameters().p);
        let first = |doubles: bool| steps.iter().find(|s| (s.kind == Kind::Double) == doubles);
        for step in [first(true), first(false)].into_iter().flatten() {
            for (coordinate, part) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let mut forged = step.clone();
                forged.sum[coordinate][part] += 1u8;
                if coordinate == 0 {
                    let run = field.sub(&step.from[0], &forged.sum[0]);
                    forged.sum[1] = field.sub(&field.mul(&step.slope, &run), &step.from[1]);
                }
                assert!(!takes_for(curve, &q, step, &forged), "{curve} {:?}", step.kind);
            }
        }
    }
}

#[test]
fn walks_end_in_one_point() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let parameters = curve.parameters();
        let q = twist_point(curve, 5);
        let end = walk(parameters, &q).pop().expect("there are steps").sum;
        let closes = |ends: &[&TwistPoint]| {
            let test = circuit(curve, 11, |ctx, arithmetic| {
                let q = AssignedTwistPoint::new(ctx.chips.foreign(), arithmetic.equations, &q);
                for end in ends {
                    let end = point_of(arithmetic, end);
                    arithmetic.assert_closes(parameters, &q, &end);
                }
            });
            test.is_satisfied()
        };
        assert!(closes(&[&end, &end]));
        for (coordinate, part) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut other = end.clone();
            other[coordinate][part] += 1u8;
            assert!(!closes(&[&other]) && !closes(&[&end, &other]), "{curve}");
        }
    }
}

/// A wrong point is refused alone, and behind the right one.
#[test]
fn points_are_on_their_curve() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let on_curve = |points: &[&[BigUint; 2]]| {
            let test = circuit(curve, 10, |ctx, arithmetic| {
                for point in points {
                    AssignedBasePoint::new(ctx.chips.foreign(), arithmetic.equations, point);
                }
            });
            test.is_satisfied()
        };
        let right = point(curve, 3, false);
        assert!(on_curve(&[&right, &right]));
        for coordinate in 0..2 {
            let mut wrong = right.clone();
            wrong[coordinate] += 1u8;
            assert!(!on_curve(&[&wrong]) && !on_curve(&[&right, &wrong]));
        }
    }
}

/// The same, with other roots of one part of the right side: of 2·y₀·y₁, and of y₀² - y₁².
#[test]
fn points_are_on_their_twist() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let on_twist = |points: &[&TwistPoint]| {
            let test = circuit(curve, 10, |ctx, arithmetic| {
                for point in points {
                    AssignedTwistPoint::new(ctx.chips.foreign(), arithmetic.equations, point);
                }
            });
            test.is_satisfied()
        };
        let right = twist_point(curve, 3);
        assert!(on_twist(&[&right, &right]));
        let [x, [re, im]] = &right;
        let p = &curve.parameters().p;
        let half = BigUint::from(2u8).modinv(p).expect("odd");
        let same_im = [re * &half % p, im * 2u8 % p];
        // 2·(y₀ - y₁) and (y₀ + y₁)/2 for the difference and the sum.
        let (difference, sum) = ((re + p - im) * 2u8 % p, (re + im) * &half % p);
        let same_re = [(&sum + &difference) * &half % p, (&sum + p - &difference) * &half % p];
        for y in [same_im, same_re] {
            let wrong = [x.clone(), y];
            assert!(!on_twist(&[&wrong]) && !on_twist(&[&right, &wrong]));
        }
    }
}
