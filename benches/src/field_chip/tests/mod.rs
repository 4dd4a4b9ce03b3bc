use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::Field,
        secp256k1::{Fp, Secp256k1Affine},
    },
    utils::biguint_to_fe,
    Context,
};
use halo2_ecc::{
    ecc::{EcPoint, EccChip},
    fields::FieldChip,
};
use k256::elliptic_curve::sec1::ToEncodedPoint;
use muster_gates::{broken_constraints, GateCircuit, Layout};
use num_bigint::BigUint;

use super::{foreign_layout, record, Element, Foreign};

mod cells;
mod field;

fn layout(k: u32, range_bits: usize, vertical_columns: usize) -> Layout {
    Layout {
        k,
        vertical_columns,
        range_columns: 1,
        range_bits,
        constant_rows: 1024,
        foreign: vec![foreign_layout::<Fp>(range_bits, 2)],
        ..Layout::default()
    }
}

/// Whether all constraints of what `build` records hold.
fn holds(layout: &Layout, build: impl FnOnce(&mut Context<Fr>, &Foreign<Fp>)) -> bool {
    let gates = record(layout, |ctx, chip| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(chip.load_private(ctx, Fp::ZERO)));
        build(ctx, chip);
    });
    let prover = GateCircuit::of(layout, gates).mock(vec![]).expect("the rows fit");
    broken_constraints(&prover).is_empty()
}

/// A multiple of secp256k1's generator, by another library.
fn multiple(scalar: u64) -> (Fp, Fp) {
    let point = k256::ProjectivePoint::GENERATOR * k256::Scalar::from(scalar);
    let point = point.to_affine().to_encoded_point(false);
    let coordinate = |bytes: &[u8]| biguint_to_fe(&BigUint::from_bytes_be(bytes));
    (coordinate(point.x().expect("not 0")), coordinate(point.y().expect("not 0")))
}

fn coordinates(chip: &Foreign<Fp>, point: &EcPoint<Fr, Element>) -> (Fp, Fp) {
    (chip.get_assigned_value(point.x()), chip.get_assigned_value(point.y()))
}

#[test]
fn points_of_halo2_ecc_over_our_gate() {
    let held = holds(&layout(13, 12, 2), |ctx, chip| {
        let curve = EccChip::new(chip);
        let [p, q] = [1_000_003, 77].map(|scalar| {
            let point = curve.load_private::<Secp256k1Affine>(ctx, multiple(scalar));
            assert_eq!(coordinates(chip, &point), multiple(scalar));
            point
        });
        for strict in [false, true] {
            let sum = curve.add_unequal(ctx, &p, &q, strict);
            assert_eq!(coordinates(chip, &sum), multiple(1_000_080));
            let difference = curve.sub_unequal(ctx, &p, &q, strict);
            assert_eq!(coordinates(chip, &difference), multiple(999_926));
            // The points are far above: no result of theirs is within reach.
            let back = curve.add_unequal(ctx, &difference, &q, strict);
            curve.assert_equal(ctx, back, p.clone());
        }
        let double = curve.double(ctx, &p);
        assert_eq!(coordinates(chip, &double), multiple(2_000_006));
        let negative = curve.negate(ctx, &q);
        let sum = halo2_ecc::ecc::ec_double_and_add_unequal(chip, ctx, &p, &negative, true);
        assert_eq!(coordinates(chip, &sum), multiple(1_999_929));
        let constants = [multiple(1_999_929), multiple(5)]
            .map(|(x, y)| EcPoint::new(chip.load_constant(ctx, x), chip.load_constant(ctx, y)));
        for (constant, equal) in constants.into_iter().zip([1, 0]) {
            let is_equal = curve.is_equal(ctx, sum.clone(), constant);
            assert_eq!(*is_equal.value(), Fr::from(equal));
        }
    });
    assert!(held);
}

#[test]
fn points_that_are_not_are_refused() {
    let off = |(x, y): (Fp, Fp)| (x, y + Fp::ONE);
    assert!(!holds(&layout(13, 12, 2), |ctx, chip| {
        EccChip::new(chip).load_private::<Secp256k1Affine>(ctx, off(multiple(9)));
    }));
    // Equal first coordinates.
    assert!(!holds(&layout(13, 12, 2), |ctx, chip| {
        let curve = EccChip::new(chip);
        let p = curve.load_private::<Secp256k1Affine>(ctx, multiple(9));
        curve.add_unequal(ctx, &p, &p, true);
    }));
    // The negative of the double is not the double.
    assert!(!holds(&layout(13, 12, 2), |ctx, chip| {
        let curve = EccChip::new(chip);
        let [p, double] =
            [9, 18].map(|scalar| curve.load_private::<Secp256k1Affine>(ctx, multiple(scalar)));
        let (found, negative) = (curve.double(ctx, p), curve.negate(ctx, double));
        curve.assert_equal(ctx, found, negative);
    }));
}

#[test]
fn scalars_of_halo2_ecc_over_our_gate() {
    let held = holds(&layout(15, 12, 3), |ctx, chip| {
        let curve = EccChip::new(chip);
        let point = curve.load_private::<Secp256k1Affine>(ctx, multiple(12345));
        for scalar in [0xb0c5u64, 0] {
            let cell = ctx.load_witness(Fr::from(scalar));
            let product =
                curve.scalar_mult::<Secp256k1Affine>(ctx, point.clone(), vec![cell], 16, 4);
            let expected = match scalar {
                0 => (Fp::ZERO, Fp::ZERO),
                _ => multiple(12345 * scalar),
            };
            assert_eq!(coordinates(chip, &product), expected);
        }
        let generator = Secp256k1Affine::generator();
        let cell = ctx.load_witness(Fr::from(0x5a5));
        let product = curve.fixed_base_scalar_mult(ctx, &generator, vec![cell], 12, 4);
        assert_eq!(coordinates(chip, &product), multiple(0x5a5));
    });
    assert!(held);
}
