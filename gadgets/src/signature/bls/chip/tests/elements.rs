//! Coordinates of points of both groups.

use super::*;
use crate::signature::bls::chip::PointGroup;

/// The second of each place, too: its first one shows nothing that holds of the others.
#[test]
fn coordinates_are_bound() {
    for curve in [PairingCurve::Bn254, PairingCurve::Bls12381] {
        let test = TestCircuit::new(room(curve, degree(curve), vec![]), |ctx, chips| {
            for factor in [2, 3] {
                point(curve, factor, false).elements(chips.foreign());
                twist_point(curve, factor).elements(chips.foreign());
                point(curve, factor, false).addend(ctx, chips.foreign(), &chips.range);
                twist_point(curve, factor).addend(ctx, chips.foreign(), &chips.range);
            }
        });
        test.assert_satisfied();
        test.assert_relations_are_bound("signature/bls/chip/group");
    }
}

/// In the gate that pairings share, sums of points read more from afar than in one of their own.
#[test]
fn sums_of_hashes_are_bound() {
    use crate::hash::to_curve::{chip::HashToCurve, Bls12381G2};
    let equations = Bls12381G2::equations();
    let test =
        TestCircuit::new(room_to_hash(PairingCurve::Bls12381, 15, equations), |ctx, chips| {
            let text = message(ctx, MESSAGE);
            HashToCurve::<Bls12381G2, 2>::default().hash(ctx, chips, &text, &tag(b"sums"));
        });
    test.assert_satisfied();
    test.assert_relations_are_bound("hash/to_curve/chip/group");
}
