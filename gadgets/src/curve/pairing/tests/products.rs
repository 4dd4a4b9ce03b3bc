//! Products that are 1, and others.

use super::*;

/// Whether the product of `pairs` is taken for 1 by the prover and by the circuit.
fn verdicts(curve: PairingCurve, pairs: &[RawPair]) -> [bool; 2] {
    let mut is_one = false;
    let circuit = TestCircuit::new(pairing_layout(curve, 14, 13, 10), |ctx| {
        let equations = PairingEquations::new(curve);
        let arguments = Arguments::new(ctx.chips, &equations, pairs);
        is_one = assert_product_is_one(ctx, &equations, &arguments.all()).1.is_ok();
    });
    [is_one, circuit.is_satisfied()]
}

#[test]
fn products_that_are_1() {
    for curve in sampled(PairingCurve::ALL, 2) {
        for is_fixed in [[true, false], [false; 2], [true; 2]] {
            let mut pairs = product(curve, 5, 7);
            pairs.iter_mut().zip(is_fixed).for_each(|(pair, is_fixed)| pair.is_fixed = is_fixed);
            assert_eq!(verdicts(curve, &pairs), [true, true], "{curve} {is_fixed:?}");
        }
    }
}

/// `e(12P, Q)·e(-2P, 3Q)·e(-6P, Q)`, one point of the twist not fixed.
#[test]
fn products_of_three() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let mut pairs = product(curve, 2, 3).to_vec();
        pairs[0].p = point(curve, 12, false);
        pairs.push(RawPair { p: point(curve, 6, true), ..pairs[0].clone() });
        assert_eq!(verdicts(curve, &pairs), [true, true], "{curve}");
        pairs[2].p = point(curve, 5, true);
        assert_eq!(verdicts(curve, &pairs), [false, false], "{curve}");
    }
}

/// No pairing of two points of the groups is 1. Those of a point of order 3 are.
#[test]
fn a_single_pairing() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let [_, pair] = product(curve, 5, 7);
        assert_eq!(verdicts(curve, &[pair]), [false, false], "{curve}");
    }
    let curve = PairingCurve::Bls12381;
    let pair = RawPair { p: of_order_three(), q: twist_point(curve, 3), is_fixed: false };
    assert_eq!(verdicts(curve, &[pair]), [true, true]);
}

#[test]
fn products_that_are_not_1() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let mut pairs = product(curve, 5, 7);
        pairs[1].q = twist_point(curve, 8);
        assert_eq!(verdicts(curve, &pairs), [false, false], "{curve}");
    }
}

/// Coordinates with the prime added, as long as elements may be.
#[test]
fn coordinates_need_not_be_reduced() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let p = &curve.parameters().p;
        let fits = |x: &BigUint| (x + p).bits() == p.bits();
        let a = (2..).find(|a| fits(&point(curve, *a, true)[0])).expect("there is one");
        let b = (2..).find(|b| fits(&twist_point(curve, *b)[1][1])).expect("there is one");
        let mut pairs = product(curve, a, b);
        pairs[1].p[0] += p;
        pairs[1].q[1][1] += p;
        assert_eq!(verdicts(curve, &pairs), [true, true], "{curve}");
    }
}

/// `e(P, Q)·e(-P, Q)`, whose lines cancel, with a point `Q` outside the subgroup.
#[test]
fn points_outside_the_subgroup_have_no_pairings() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let pairs = [false, true].map(|is_negative| {
            let p = point(curve, 3, is_negative);
            RawPair { p, q: outside(curve), is_fixed: false }
        });
        assert_eq!(verdicts(curve, &pairs), [false, false], "{curve}");
    }
}

/// The same with a point of the subgroup that has a component of a small order.
#[test]
fn points_with_a_torsion_component_have_no_pairings() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let q = with_twist_torsion(curve, &twist_point(curve, 5));
        let pairs = [false, true].map(|is_negative| {
            let p = point(curve, 3, is_negative);
            RawPair { p, q: q.clone(), is_fixed: false }
        });
        assert_eq!(verdicts(curve, &pairs), [false, false], "{curve}");
    }
}

#[test]
#[should_panic(expected = "a fixed point is in the subgroup")]
fn fixed_points_are_in_the_subgroup() {
    let curve = PairingCurve::Bn254;
    let mut pairs = product(curve, 5, 7);
    pairs[0].q = outside(curve);
    verdicts(curve, &pairs);
}

#[test]
#[should_panic(expected = "a fixed point is in the subgroup")]
fn fixed_points_are_reduced() {
    let curve = PairingCurve::Bn254;
    let mut pairs = product(curve, 5, 7);
    pairs[0].q[0][0] += &curve.parameters().p;
    verdicts(curve, &pairs);
}

/// Points of the twist outside the subgroup, of which no other constraint knows.
#[test]
fn points_outside_the_subgroup() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let of = |point: &TwistPoint| {
            let test = circuit(curve, 13, |ctx, arithmetic| {
                let steps = walk(curve.parameters(), point);
                let point =
                    AssignedTwistPoint::new(ctx.chips.foreign(), arithmetic.equations, point);
                point.walk(arithmetic, &steps);
            });
            test.is_satisfied()
        };
        assert!(of(&twist_point(curve, 11)));
        assert!(!of(&outside(curve)));
        assert!(!of(&with_twist_torsion(curve, &twist_point(curve, 11))));
    }
}
