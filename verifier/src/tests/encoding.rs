//! The edges of numbers and points, and the constants of section 1.

use ark_bn254::{Fq, Fq2, G1Affine, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, One, PrimeField};

use super::sample::{compressed, g2_bytes, numbers, point_bytes};
use crate::{
    domain::{Domain, DELTA, OMEGA_28},
    encoding::{compressed_point, point_g2, point_or_identity, scalar_reduced, PointError},
    scalar_from_bytes, scalar_to_bytes, Scalar,
};

/// The order of a field, and as many more.
fn order<F: PrimeField>(more: u64) -> [u8; 32] {
    let mut number = F::MODULUS;
    number.add_with_carry(&F::BigInt::from(more));
    number.to_bytes_be().try_into().expect("256 bits")
}

#[test]
fn scalars_are_below_r() {
    let mut next = numbers("scalars");
    for scalar in [Scalar::ZERO, Scalar::one(), -Scalar::one(), next(), next()] {
        assert_eq!(scalar_from_bytes(&scalar_to_bytes(&scalar)), Some(scalar));
    }
    assert_eq!(scalar_to_bytes(&Scalar::from(0x0102_u64))[29..], [0, 1, 2]);
    for more in [0, 1, 2] {
        assert_eq!(scalar_from_bytes(&order::<Scalar>(more)), None);
        assert_eq!(scalar_reduced(&order::<Scalar>(more)), Scalar::from(more));
    }
    assert_eq!(scalar_from_bytes(&[0xff; 32]), None);
    let mut expected = Scalar::one();
    (0..256).for_each(|_| {
        expected.double_in_place();
    });
    assert_eq!(scalar_reduced(&[0xff; 32]), expected - Scalar::one());
}

#[test]
fn points_have_one_encoding() {
    let mut one = [0; 64];
    (one[31], one[63]) = (1, 2);
    assert_eq!(point_or_identity(&one), Ok(G1Affine::generator()));
    assert_eq!(point_bytes(&G1Affine::generator()), one);

    assert_eq!(point_or_identity(&[0; 64]), Ok(G1Affine::identity()));

    let mut off = one;
    off[63] = 3;
    assert_eq!(point_or_identity(&off), Err(PointError::NotOnCurve));
    let mut half = [0; 64];
    half[31] = 1;
    assert_eq!(point_or_identity(&half), Err(PointError::NotOnCurve));

    // The same coordinates with q added, and q as another name of 0.
    for place in [0, 32] {
        let mut other = one;
        let number = u64::from(one[place + 31]);
        other[place..place + 32].copy_from_slice(&order::<Fq>(number));
        assert_eq!(point_or_identity(&other), Err(PointError::NotCanonical));
    }
    let zeros = [order::<Fq>(0), order::<Fq>(0)].concat().try_into().expect("64 bytes");
    assert_eq!(point_or_identity(&zeros), Err(PointError::NotCanonical));
}

#[test]
fn points_of_proofs_have_one_encoding() {
    for scalar in 1..40_u64 {
        let point = (G1Affine::generator() * Scalar::from(scalar)).into_affine();
        let bytes = compressed(&point);
        assert_eq!(compressed_point(&bytes), Ok(point));
        let mut negative = bytes;
        negative[0] ^= 0x80;
        assert_eq!(compressed_point(&negative), Ok(-point));
        // The same coordinate with q added, which leaves the highest bit alone.
        let x = point.x.into_bigint();
        let mut sum = Fq::MODULUS;
        sum.add_with_carry(&x);
        let mut other: [u8; 32] = sum.to_bytes_be().try_into().expect("a number");
        other[0] |= bytes[0] & 0x80;
        assert_eq!(compressed_point(&other), Err(PointError::NotCanonical));
    }
    let mut off = [0; 32];
    off[31] = 4;
    assert_eq!(compressed_point(&off), Err(PointError::NotOnCurve));
}

/// EIP-197's generator, the imaginary parts first.
#[test]
fn points_of_g2_are_those_of_the_subgroup() {
    let generator = g2_bytes(&G2Affine::generator());
    assert_eq!(generator[..4], [0x19, 0x8e, 0x93, 0x93]);
    assert_eq!(generator[32..36], [0x18, 0x00, 0xde, 0xef]);
    assert_eq!(generator[64..68], [0x09, 0x06, 0x89, 0xd0]);
    assert_eq!(generator[96..100], [0x12, 0xc8, 0x5e, 0xa5]);
    assert_eq!(point_g2(&generator), Ok(G2Affine::generator()));

    assert_eq!(point_g2(&[0; 128]), Err(PointError::Identity));
    let mut off = generator;
    off[127] ^= 1;
    assert_eq!(point_g2(&off), Err(PointError::NotOnCurve));
    for place in [0, 32, 64, 96] {
        let mut other = generator;
        other[place..place + 32].copy_from_slice(&order::<Fq>(0));
        assert_eq!(point_g2(&other), Err(PointError::NotCanonical));
    }

    // Of the points on the twist, one in 2^254 is in the subgroup.
    let outside = (1_u64..).find_map(|x| {
        let x = Fq2::new(Fq::from(x), Fq::from(1));
        G2Affine::get_point_from_x_unchecked(x, false)
    });
    let outside = outside.expect("half of all x are on the twist");
    assert!(outside.is_on_curve());
    assert_eq!(point_g2(&g2_bytes(&outside)), Err(PointError::NotInSubgroup));
}

#[test]
fn the_constants_are_what_they_are_said_to_be() {
    let mut root = OMEGA_28;
    for _ in 0..27 {
        root.square_in_place();
    }
    assert_eq!(root, -Scalar::one());
    assert_eq!(DELTA, Scalar::from(7).pow([1 << 28]));
    assert_eq!(Domain::new(26).power(1), OMEGA_28.pow([4]));
}

#[test]
fn rows_have_polynomials() {
    let domain = Domain::new(3);
    assert_eq!(domain.power(-1), domain.power(7));
    assert_eq!(domain.power(-1) * domain.power(1), Scalar::one());
    let x = numbers("x")();
    // They interpolate: of X^5 by its values in all rows, starting anywhere.
    for first in [0, 6] {
        let lagrange = domain.lagrange(x, first, 8);
        let rows = (first as i32..).map(|row| domain.power(row).pow([5]));
        let sum: Scalar = lagrange.iter().zip(rows).map(|(value, row)| *value * row).sum();
        assert_eq!(sum, x.pow([5]));
    }
}
