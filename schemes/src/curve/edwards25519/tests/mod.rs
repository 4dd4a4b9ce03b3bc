//! Encodings and the map, against `curve25519-dalek`.

use super::samples::{random_point, small_order};
use super::*;
use crate::curve::weierstrass::Affine;
use curve25519_dalek::{constants::EIGHT_TORSION, edwards::CompressedEdwardsY, EdwardsPoint};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

fn affine(point: &EdwardsPoint) -> Affine {
    to_weierstrass(&decode(&point.compress().to_bytes()).expect("a point"))
}

#[test]
fn parameters() {
    let (p, order) = (CURVE.p(), CURVE.n());
    assert_eq!(*p, (BigUint::from(1u8) << 255) - 19u8);
    let [a, b] = [BigInt::from(486_662), BigInt::from(-486_664)];
    let reduced = |number: BigInt| {
        let p = BigInt::from(p.clone());
        (((number % &p) + &p) % &p).magnitude().clone()
    };
    assert_eq!(*CURVE.a(), reduced(27 * &b * &b * (3 - &a * &a)));
    assert_eq!(*CURVE.b(), reduced(27 * &a * &b * &b * &b * (2 * &a * &a - 9)));
    let parameters = CURVE.parameters();
    assert!(parameters.contains(&parameters.generator()));
    assert_eq!(parameters.mul(&parameters.generator(), order), None);
    let generator = curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
    assert_eq!(affine(&generator), parameters.generator());
}

#[test]
fn decoding_is_that_of_dalek() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut random = || {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        bytes
    };
    let mut encodings: Vec<_> = (0..64).map(|_| random()).collect();
    encodings.extend(small_order());
    // Not canonical: y between p and 2^255.
    encodings.extend((0..19u8).flat_map(|y| {
        [0x7f, 0xff].map(|top| {
            let mut bytes = [0xff; 32];
            (bytes[0], bytes[31]) = (0xed + y, top);
            bytes
        })
    }));
    for encoding in encodings {
        let found = decode(&encoding);
        let expected = CompressedEdwardsY(encoding).decompress();
        assert_eq!(found.is_some(), expected.is_some());
        if let (Some((x, y)), Some(point)) = (found, expected) {
            let mut number = BigUint::from_bytes_le(&point.compress().to_bytes());
            assert_eq!(number.bit(255), x.bit(0));
            number.set_bit(255, false);
            assert_eq!(number, y);
        }
    }
}

#[test]
fn the_map_is_one_of_groups() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let parameters = CURVE.parameters();
    let mut points: Vec<_> = EIGHT_TORSION.to_vec();
    points.extend((0..8).map(|torsion| random_point(&mut rng, torsion)));
    for p in &points {
        let image = affine(p);
        assert!(parameters.contains(&image));
        let encoding = p.compress().to_bytes();
        assert_eq!(from_weierstrass(&image), decode(&encoding).expect("a point"));
        for q in &points {
            assert_eq!(parameters.add(&image, &affine(q)), affine(&(p + q)));
        }
    }
}

/// `(i, 0)` has order 4, and adding it exchanges the coordinates.
#[test]
fn a_point_of_order_4_exchanges_coordinates() {
    let (p, root) = (CURVE.p(), root_of_minus_one());
    assert_eq!(root * root % p, p - 1u8);
    let four = (root.clone(), BigUint::zero());
    let parameters = CURVE.parameters();
    assert_eq!(
        parameters.double(&to_weierstrass(&four)),
        to_weierstrass(&(BigUint::zero(), p - 1u8))
    );
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    for torsion in 0..8 {
        let point = affine(&random_point(&mut rng, torsion));
        let (x, y) = from_weierstrass(&point);
        let moved = parameters.add(&point, &to_weierstrass(&four));
        assert_eq!(from_weierstrass(&moved), (root * y % p, root * x % p));
    }
}
