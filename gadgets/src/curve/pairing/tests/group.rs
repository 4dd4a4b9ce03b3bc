//! Points of the group: witnessed ones, and the generator.

use super::*;
use crate::{curve::pairing::samples::with_torsion, field::foreign::integer::Integer};
use muster_schemes::curve::pairing::{is_in_group, is_on_curve, BasePoint};

/// Room for points alone.
fn room(curve: PairingCurve) -> Layout {
    let equations = [AssignedGroupPoint::equations(curve), vec![Integer::any()]];
    Layout { poseidon: vec![], ..layout_with(curve, (14, 13, 10), equations.concat()) }
}

/// The point that a circuit takes for another, and whether the circuit holds.
fn taken(curve: PairingCurve, raw: &BasePoint) -> (BasePoint, bool) {
    let mut found = None;
    let circuit = TestCircuit::new(room(curve), |ctx| {
        let equations = PairingEquations::new(curve);
        let point = AssignedGroupPoint::new(ctx.chips.foreign(), &equations, raw);
        found = Some(point.coordinates().clone().map(|part| part.value().clone()));
    });
    (found.expect("it was built"), circuit.is_satisfied())
}

#[test]
fn points_of_the_group_are_taken() {
    for curve in sampled(PairingCurve::ALL, 2) {
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
    let raw = of_order_three();
    assert!(is_on_curve(curve, &raw) && !is_in_group(curve, &raw));
    assert!(!taken(curve, &raw).1);
    for curve in sampled(PairingCurve::ALL, 2) {
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
    for curve in sampled(PairingCurve::ALL, 2) {
        TestCircuit::new(room(curve), |ctx| {
            let equations = PairingEquations::new(curve);
            let point =
                AssignedBasePoint::new(ctx.chips.foreign(), &equations, &point(curve, 5, false));
            let found = AssignedGroupPoint::try_from(point).err();
            let expected = (curve == PairingCurve::Bls12381).then_some(NotPrime(curve));
            assert_eq!(found, expected);
        });
    }
}

/// The generator is a constant: with another one in its place any key has signed anything. The lowest limb of a coordinate
/// is another one, with all that follows.
#[test]
fn generators_are_bound() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let mut limbs = vec![];
        let mut test = TestCircuit::new(room(curve), |ctx| {
            let equations = PairingEquations::new(curve);
            // The mock prover cannot show a failure whose queries reach above the first row.
            (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
            let point = AssignedGroupPoint::negative_generator(ctx.chips.foreign(), &equations);
            limbs.extend(point.coordinates().each_ref().map(|part| *part.limbs()[0].value()));
        });
        test.assert_satisfied();
        test.assert_relations_are_bound("curve/pairing/group");
        // The first coordinate of BN254's is 1, which many cells hold.
        for limb in limbs.into_iter().filter(|limb| *limb != Fr::one()) {
            let cells = test.advice();
            let place = cells.iter().enumerate().find_map(|(column, cells)| {
                Some((column, cells.iter().position(|cell| *cell == limb)?))
            });
            let place = place.expect("some cell holds it");
            let forged = test.followed(place, limb + Fr::one()).expect("it comes to an end");
            assert_eq!(test.failing(forged), ["limbs", "native"], "{curve}");
        }
    }
}

/// The multiple that is in the group is one of the point of the curve: each relation on the way, rewritten with all that
/// follows.
#[test]
fn multiples_are_bound() {
    let curve = PairingCurve::Bls12381;
    let test = TestCircuit::new(room(curve), |ctx| {
        let equations = PairingEquations::new(curve);
        AssignedGroupPoint::new(ctx.chips.foreign(), &equations, &point(curve, 5, false));
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("hash/to_curve/");
}
