//! Every relation of a table and of a sum, rewritten with all that follows.

use super::*;

const FILES: &str = "curve/weierstrass/";
/// Bits of a lookup: with limbs of other lengths operands have other cells.
const RANGE_BITS: [usize; 3] = [10, 12, 13];

fn circuit(
    curve: Curve,
    range_bits: usize,
    build: impl FnOnce(&mut GateContext, &CurveEquations),
) -> TestCircuit {
    TestCircuit::new(foreign(curve, 14, range_bits, 4), |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx, &CurveEquations::new(curve));
    })
}

/// A point, its table, the images of that, and a table of constants.
#[test]
fn tables_are_bound() {
    for (curve, bits) in CURVES.into_iter().flat_map(|curve| RANGE_BITS.map(|bits| (curve, bits))) {
        let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(7));
        let test = circuit(curve, bits, |ctx, equations| {
            let chip = ctx.chips.foreign();
            let assigned = AssignedPoint::new(chip, equations, &point);
            if let Some(endomorphism) = equations.endomorphism() {
                let beta = equations.beta(chip, endomorphism);
                assigned.images(chip, equations, &beta);
            }
            AssignedTable::constant(chip, curve, &point);
            chip.enter_all();
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// The tables of two points, since what code asks for the first time and the second may get lost one without the other: by
/// lookups of eight bits, with which there are most limbs, and by such as have bits to spare.
#[test]
fn tables_behind_others_are_bound() {
    let mut rng = ChaCha20Rng::seed_from_u64(10);
    for (curve, bits) in [(Curve::Edwards25519, 8), (Curve::Secp256k1, 12)] {
        let test = circuit(curve, bits, |ctx, equations| {
            for point in [(); 2].map(|()| random_point(curve, &mut rng)) {
                AssignedPoint::new(ctx.chips.foreign(), equations, &point);
            }
            ctx.chips.foreign().enter_all();
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// A point that is doubled before its table is made.
#[test]
fn doubled_points_are_bound() {
    let curve = Curve::Edwards25519;
    for bits in RANGE_BITS {
        let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(9));
        let eight = curve.parameters().mul(&Some(point.clone()), &8u8.into());
        let test = circuit(curve, bits, |ctx, equations| {
            let doubled = AssignedPoint::doubled(ctx.chips.foreign(), equations, &point, 3);
            let [x, y] = doubled.coordinates();
            assert_eq!(Some((x.value().clone(), y.value().clone())), eight);
            ctx.chips.foreign().enter_all();
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// Limbs of a scalar, which follow from the sums of its digits.
#[test]
fn limbs_are_differences_of_sums() {
    let curve = Curve::Secp256k1;
    let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(12));
    let mut sums = vec![];
    let test = circuit(curve, 10, |ctx, equations| {
        let chip = ctx.chips.foreign();
        let table = AssignedTable::constant(chip, curve, &point);
        let scalar: BigInt = (BigInt::from(1) << 90) + 12_345;
        let terms =
            [scalar.clone(), -scalar].map(|scalar| Term::new(table.clone(), digits(&scalar, 24)));
        for scalar in walked(chip, equations, &terms) {
            let first = ctx.advice.len();
            let limbs = AssignedScalar::whole(&scalar).limbs(ctx, chip.block());
            drop(limbs);
            // A sum, the shift, the sum above and the limb.
            let rows = (first..ctx.advice.len()).step_by(4);
            sums.extend(rows.flat_map(|row| [row, row + 2]));
        }
    });
    test.assert_satisfied();
    assert_eq!(sums.len(), 8, "three limbs each, the highest of which is a sum");
    assert_eq!(test.open_values_given(sums), (vec![], 0));
}

/// Pairs of addends in two windows; of the multiples by one of an odd number of terms the last one is added alone.
#[test]
fn sums_are_bound() {
    for (curve, bits) in CURVES.into_iter().flat_map(|curve| RANGE_BITS.map(|bits| (curve, bits))) {
        let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(8));
        let test = circuit(curve, bits, |ctx, equations| {
            let chip = ctx.chips.foreign();
            let [once, four] = [1u8, 4].map(|factor| {
                let multiple = curve.parameters().mul(&Some(point.clone()), &factor.into());
                AssignedTable::constant(chip, curve, &multiple.expect("not the identity"))
            });
            // P + 3·P - 3·P - P, and P + 3·P - 3·P + 3·P - 4·P.
            let terms: &[(&AssignedTable, i64)] = if bits == 12 {
                &[(&once, 1), (&once, 3), (&once, -3), (&once, 3), (&four, -1)]
            } else {
                &[(&once, 1), (&once, 3), (&once, -3), (&once, -1)]
            };
            let terms: Vec<_> = terms
                .iter()
                .map(|(table, scalar)| Term::new((*table).clone(), digits(&(*scalar).into(), 2)))
                .collect();
            for scalar in walked(chip, equations, &terms) {
                AssignedScalar::whole(&scalar).limbs(ctx, chip.block());
            }
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}
