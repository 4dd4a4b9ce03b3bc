//! Coordinates of points of both groups.

use super::*;
use crate::signature::bls::chip::PointGroup;

/// The second of each place, too: its first one shows nothing that holds of the others.
#[test]
fn coordinates_are_bound() {
    for curve in [PairingCurve::Bn254, PairingCurve::Bls12381] {
        let test = TestCircuit::new(room(curve, degree(curve), vec![]), |_, chips| {
            for factor in [2, 3] {
                point(curve, factor, false).elements(chips.foreign());
                twist_point(curve, factor).elements(chips.foreign());
            }
        });
        test.assert_satisfied();
        test.assert_relations_are_bound("signature/bls/chip/group");
    }
}
