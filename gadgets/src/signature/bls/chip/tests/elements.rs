//! Coordinates of points of both groups.

use super::*;
use crate::signature::bls::chip::PointGroup;

/// The second of each place, too: its first one shows nothing that holds of the others.
#[test]
fn coordinates_are_bound() {
    for curve in [PairingCurve::Bn254, PairingCurve::Bls12381] {
        let test = TestCircuit::new(room(curve, degree(curve), vec![]), |ctx| {
            for factor in [2, 3] {
                point(curve, factor, false).elements(ctx.chips.foreign());
                twist_point(curve, factor).elements(ctx.chips.foreign());
                point(curve, factor, false).addend(ctx, ctx.chips.foreign());
                twist_point(curve, factor).addend(ctx, ctx.chips.foreign());
            }
        });
        test.assert_satisfied();
        test.assert_relations_are_bound("signature/bls/chip/group");
    }
}

/// In the gate that pairings share, sums of points read more from afar than in one of their own.
#[test]
fn sums_of_hashes_are_bound() {
    use crate::hash::to_curve::HashToCurve;
    use muster_schemes::hash::to_curve::Bls12381G2;
    let equations = TwistPoint::hash_equations(PairingCurve::Bls12381);
    let test = TestCircuit::new(room_to_hash(PairingCurve::Bls12381, 15, equations), |ctx| {
        let text = message(ctx, MESSAGE);
        HashToCurve::<Bls12381G2, 2>::default().hash(ctx, &text, &tag(b"sums"));
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("hash/to_curve/group");
}

/// Every limb of an addend with a bit too much. Of each group the second point, too.
#[test]
fn addends_are_in_range() {
    for curve in [PairingCurve::Bn254, PairingCurve::Bls12381] {
        let mut limbs = vec![];
        let mut test = TestCircuit::new(room(curve, degree(curve), vec![]), |ctx| {
            for factor in [2, 3] {
                let first = point(curve, factor, false).addend(ctx, ctx.chips.foreign());
                let second = twist_point(curve, factor).addend(ctx, ctx.chips.foreign());
                let numbers = [BasePoint::limbs(&first), TwistPoint::limbs(&second)].concat();
                for number in numbers {
                    let widths = number.shape().widths().into_iter();
                    let cells = number.limbs().iter().map(|cell| *cell.value());
                    limbs.extend(cells.zip(widths));
                }
            }
        });
        test.assert_satisfied();
        for (limb, width) in limbs {
            let longer = limb + Fr::from(2).pow_vartime([width as u64]);
            let forged = test.replace(&[(limb, longer)]);
            assert!(test.fails_range_checks_alone(forged), "{curve}, {width} bits");
        }
    }
}
