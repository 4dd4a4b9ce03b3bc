//! Relations that a prover would rather have otherwise.

use super::*;
use crate::field::foreign::integer::element;

/// The generator is a constant: with another one in its place any key has signed anything. The lowest limb of a coordinate
/// is another one, with all that follows.
#[test]
fn generators_are_bound() {
    for curve in PairingCurve::ALL {
        let mut limbs = vec![];
        let mut test = TestCircuit::new(room(curve, 14, vec![]), |_, chips| {
            let equations = PairingEquations::new(curve);
            // The mock prover cannot show a failure whose queries reach above the first row.
            (0..4).for_each(|_| drop(element(chips.foreign(), &BigUint::ZERO)));
            let point = AssignedGroupPoint::negative_generator(chips.foreign(), &equations);
            limbs.extend(point.coordinates().each_ref().map(|part| *part.limbs()[0].value()));
        });
        test.assert_satisfied();
        test.assert_relations_are_bound("curve/pairing/chip/group");
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
    let test = TestCircuit::new(room(curve, 14, vec![]), |_, chips| {
        let equations = PairingEquations::new(curve);
        AssignedGroupPoint::new(chips.foreign(), &equations, &point(curve, 5, false));
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("hash/to_curve/chip/");
}
