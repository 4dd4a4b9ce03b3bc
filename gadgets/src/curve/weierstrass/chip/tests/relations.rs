//! Every relation of a table and of a sum, rewritten with all that follows.

use super::*;

const FILES: &str = "curve/weierstrass/chip/";
/// Bits of a lookup: with limbs of other lengths operands have other cells.
const RANGE_BITS: [usize; 3] = [10, 12, 13];

fn circuit(
    curve: Curve,
    range_bits: usize,
    build: impl FnOnce(&mut Context<Fr>, &Chips, &CurveEquations),
) -> TestCircuit {
    TestCircuit::new(foreign(curve, 14, range_bits, 4), |ctx, chips| {
        (0..4).for_each(|_| drop(element(chips.foreign(), &BigUint::ZERO)));
        build(ctx, chips, &CurveEquations::new(curve));
    })
}

/// A point, its table, the images of that, and a table of constants.
#[test]
fn tables_are_bound() {
    for (curve, bits) in CURVES.into_iter().flat_map(|curve| RANGE_BITS.map(|bits| (curve, bits))) {
        let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(7));
        let test = circuit(curve, bits, |_, chips, equations| {
            let chip = chips.foreign();
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

/// A point that is doubled before its table is made.
#[test]
fn doubled_points_are_bound() {
    let curve = Curve::Edwards25519;
    for bits in RANGE_BITS {
        let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(9));
        let eight = curve.parameters().mul(&Some(point.clone()), &8u8.into());
        let test = circuit(curve, bits, |_, chips, equations| {
            let doubled = AssignedPoint::doubled(chips.foreign(), equations, &point, 3);
            let [x, y] = doubled.coordinates();
            assert_eq!(Some((x.value().clone(), y.value().clone())), eight);
            chips.foreign().enter_all();
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// Pairs of addends and a single one, in two windows.
#[test]
fn sums_are_bound() {
    for (curve, bits) in CURVES.into_iter().flat_map(|curve| RANGE_BITS.map(|bits| (curve, bits))) {
        let point = random_point(curve, &mut ChaCha20Rng::seed_from_u64(8));
        let test = circuit(curve, bits, |ctx, chips, equations| {
            let chip = chips.foreign();
            let table = AssignedTable::constant(chip, curve, &point);
            let terms = [1, 3, -4 + 1, 5 - 6]
                .map(|scalar: i64| Term::new(table.clone(), digits(&scalar.into(), 2)));
            for scalar in walked(chip, equations, &terms) {
                AssignedScalar::whole(&scalar).limbs(ctx, chip.block());
            }
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}
