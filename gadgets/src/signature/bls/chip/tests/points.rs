//! Points of the first group.

use halo2curves::{bls12_381, group::Curve, CurveAffine};

use super::*;
use crate::{
    curve::pairing::{is_in_group, is_on_curve},
    hash::to_curve::Element,
};

/// A point of BLS12-381 of order 3: the tangent at `x = 0` meets the curve there alone.
fn of_order_three() -> bls12_381::G1Affine {
    let [x, y] = [0u64, 2].map(bls12_381::Fq::from);
    bls12_381::G1Affine::from_xy(x, y).expect("2² = 0³ + 4")
}

/// The sum of that and a point of the group.
pub(super) fn with_torsion(point: &BasePoint) -> BasePoint {
    let [x, y] =
        point.each_ref().map(|part| bls12_381::Fq::of_integers(std::slice::from_ref(part)));
    let point = bls12_381::G1Affine::from_xy(x, y).expect("a point of the curve");
    coordinates(&(point + of_order_three()).to_affine())
}

fn coordinates(point: &bls12_381::G1Affine) -> BasePoint {
    [point.x, point.y].map(|part| part.integers().remove(0))
}

/// The point that a circuit takes for another, and whether the circuit holds.
fn taken(curve: PairingCurve, raw: &BasePoint) -> (BasePoint, bool) {
    let mut found = None;
    let circuit = TestCircuit::new(room(curve, 14, vec![]), |_, chips| {
        let equations = PairingEquations::new(curve);
        let point = AssignedGroupPoint::new(chips.foreign(), &equations, raw);
        found = Some(point.coordinates().clone().map(|part| part.value().clone()));
    });
    (found.expect("it was built"), circuit.is_satisfied())
}

#[test]
fn points_of_the_group_are_taken() {
    for curve in PairingCurve::ALL {
        let raw = point(curve, 5, false);
        assert_eq!(taken(curve, &raw), (raw, true));
    }
}

/// A point outside the group is not what the circuit ends up with.
#[test]
fn points_outside_the_group_are_not() {
    let curve = PairingCurve::Bls12381;
    let raw = with_torsion(&point(curve, 5, false));
    assert!(!is_in_group(curve, &raw));
    let (found, _) = taken(curve, &raw);
    assert_ne!(found, raw);
    assert!(is_in_group(curve, &found));
}

/// A point whose multiples meet it has no witness, nor has one that is not on the curve or would be the identity.
#[test]
fn points_without_a_multiple_are_refused() {
    let curve = PairingCurve::Bls12381;
    let raw = coordinates(&of_order_three());
    assert!(is_on_curve(curve, &raw) && !is_in_group(curve, &raw));
    assert!(!taken(curve, &raw).1);
    for curve in PairingCurve::ALL {
        let mut off = point(curve, 5, false);
        off[1] += 1u8;
        for raw in [off, [BigUint::ZERO, BigUint::ZERO]] {
            assert!(!is_on_curve(curve, &raw));
            assert!(!taken(curve, &raw).1, "{curve}");
        }
    }
}

/// Nobody takes a point of BLS12-381 that is on the curve for one of the group.
#[test]
fn curves_with_a_cofactor_need_more() {
    use crate::curve::pairing::chip::{AssignedBasePoint, NotPrime};
    for curve in PairingCurve::ALL {
        TestCircuit::new(room(curve, 14, vec![]), |_, chips| {
            let equations = PairingEquations::new(curve);
            let point =
                AssignedBasePoint::new(chips.foreign(), &equations, &point(curve, 5, false));
            let found = AssignedGroupPoint::try_from(point).err();
            let expected = (curve == PairingCurve::Bls12381).then_some(NotPrime(curve));
            assert_eq!(found, expected);
        });
    }
}
