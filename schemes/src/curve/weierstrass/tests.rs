//! Parameters, arithmetic, encodings, names and addresses.

use ff::Field;
use halo2curves::bn256::Fr;
use k256::elliptic_curve::sec1::ToEncodedPoint;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::*;
use crate::hash::poseidon;

const CURVES: [Curve; 2] = [Curve::Secp256k1, Curve::P256];

/// The curve y² = x³ + 2x + 2 over the field of 17 elements: 19 points.
fn toy() -> Parameters {
    let [p, a, b, n, x, y] = [17u8, 2, 2, 19, 5, 1].map(BigUint::from);
    Parameters { p, a, b, n, generator: (x, y) }
}

#[test]
fn the_group_laws_hold_on_all_of_a_small_curve() {
    let toy = toy();
    let points: Vec<_> = (0..19u8).map(|i| toy.mul(&toy.generator(), &BigUint::from(i))).collect();
    for (i, p) in points.iter().enumerate() {
        assert!(toy.contains(p));
        assert_eq!(toy.add(p, &toy.neg(p)), None);
        assert_eq!(toy.double(p), points[2 * i % 19]);
        for (j, q) in points.iter().enumerate() {
            assert_eq!(toy.add(p, q), points[(i + j) % 19]);
            assert_eq!(i == j, p == q);
        }
        assert_eq!(toy.mul(p, &BigUint::from(20u8)), *p);
    }
    let on = |x: u8, y: u8| toy.contains(&Some((x.into(), y.into())));
    let count = (0..17).flat_map(|x| (0..17).map(move |y| (x, y))).filter(|(x, y)| on(*x, *y));
    assert_eq!(count.count(), 18);
    assert!(!on(22, 1), "not reduced");
}

#[test]
fn a_point_of_order_two_doubles_to_the_identity() {
    // (1, 0) on y² = x³ - 1 over the field of 7 elements.
    let [p, a, b, n, x, y] = [7u8, 0, 6, 2, 1, 0].map(BigUint::from);
    let curve = Parameters { p, a, b, n, generator: (x, y) };
    assert!(curve.contains(&curve.generator()));
    assert_eq!(curve.neg(&curve.generator()), curve.generator());
    assert_eq!(curve.double(&curve.generator()), None);
    assert_eq!(curve.add(&curve.generator(), &curve.generator()), None);
    for scalar in 0..6u8 {
        let odd = (scalar % 2 == 1).then_some(()).and_then(|()| curve.generator());
        assert_eq!(curve.mul(&curve.generator(), &scalar.into()), odd);
    }
    assert_eq!(curve.mul(&None, &BigUint::from(3u8)), None);
}

#[test]
fn parameters() {
    for curve in CURVES {
        let generator = curve.parameters().generator();
        assert!(curve.parameters().contains(&generator));
        assert_eq!(curve.parameters().mul(&generator, curve.n()), None);
        assert_eq!(Point::from_affine(curve, &generator), Ok(Point::generator(curve)));
        // Square roots are powers with the exponent (p + 1)/4.
        assert_eq!(curve.p() % 4u8, BigUint::from(3u8));
        // Hasse: the group is as large as the curve.
        let gap = curve.p().max(curve.n()) - curve.p().min(curve.n());
        assert!(gap.bits() <= 129);
        let two = BigUint::from(2u8);
        for prime in [curve.p(), curve.n()] {
            assert!(two.modpow(&(prime - BigUint::one()), prime).is_one());
        }
    }
    assert_eq!((Curve::Secp256k1.a(), Curve::Secp256k1.b()), (&0u8.into(), &7u8.into()));
    assert_eq!(Curve::P256.a() + 3u8, *Curve::P256.p());
}

/// `scalar` times the generator as the crates have it, uncompressed.
fn oracle(curve: Curve, scalar: u64) -> Vec<u8> {
    match curve {
        Curve::Secp256k1 => {
            let point = k256::ProjectivePoint::GENERATOR * k256::Scalar::from(scalar);
            point.to_affine().to_encoded_point(false).as_bytes().to_vec()
        }
        Curve::Edwards25519 => unreachable!("its oracle has another encoding"),
        Curve::P256 => {
            let point = p256::ProjectivePoint::GENERATOR * p256::Scalar::from(scalar);
            point.to_affine().to_encoded_point(false).as_bytes().to_vec()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn multiples_and_encodings_are_those_of_the_crates(scalar in 1..=u64::MAX) {
        for curve in CURVES {
            let parameters = curve.parameters();
            let multiple = parameters.mul(&parameters.generator(), &scalar.into());
            let point = Point::from_affine(curve, &multiple).unwrap();
            prop_assert_eq!(&point.to_sec1_uncompressed()[..], oracle(curve, scalar));
            prop_assert_eq!(Point::from_sec1(curve, &oracle(curve, scalar)), Ok(point));
            prop_assert_eq!(Point::from_sec1(curve, &point.to_sec1()), Ok(point));
            prop_assert_eq!(Point::from_x(curve, &point.x(), point.is_odd()), Ok(point));
            prop_assert_eq!((-point).to_affine(), parameters.neg(&point.to_affine()));
            prop_assert_eq!(-(-point), point);
            prop_assert_ne!((-point).is_odd(), point.is_odd());
        }
    }
}

#[test]
fn errors() {
    let curve = Curve::Secp256k1;
    let g = Point::generator(curve);
    assert_eq!(Point::from_affine(curve, &None), Err(PointError::Identity));
    let zero = (BigUint::zero(), BigUint::zero());
    assert_eq!(Point::from_affine(curve, &Some(zero)), Err(PointError::Identity));
    let p = to_bytes(curve.p());
    let error = |x: &[u8; 32], y: &[u8; 32]| Point::from_coordinates(curve, x, y).unwrap_err();
    assert_eq!(error(&p, &g.y()), PointError::NonCanonical('x'));
    assert_eq!(error(&g.x(), &p), PointError::NonCanonical('y'));
    assert_eq!(error(&g.x(), &g.x()), PointError::OffCurve(curve));
    assert_eq!(Point::from_x(curve, &p, false), Err(PointError::NonCanonical('x')));
    assert_eq!(Point::from_x(curve, &[0; 32], false), Err(PointError::OffCurve(curve)));
    for length in [0, 1, 32, 34, 64, 66] {
        let error = PointError::WrongLength(length);
        assert_eq!(Point::from_sec1(curve, &vec![2; length]), Err(error));
    }
    // A tag of the other length, the hybrid form, and no tag at all.
    for (tag, length) in [(4, 33), (2, 65), (7, 65), (0, 33), (5, 33)] {
        let error = Err(PointError::Tag(tag));
        assert_eq!(Point::from_sec1(curve, &vec![tag; length]), error, "{tag}");
    }
    let (expected, found) = (Curve::P256, curve);
    assert_eq!(g.on(expected), Err(PointError::WrongCurve { expected, found }));
    assert_eq!(g.on(curve), Ok(g));
}

#[test]
fn names_bind_every_half_of_both_coordinates() {
    for curve in CURVES {
        let point = Point::generator(curve);
        let half = |bytes: &[u8]| {
            bytes.iter().fold(Fr::zero(), |sum, b| sum * Fr::from(256) + Fr::from(u64::from(*b)))
        };
        let (x, y) = (point.x(), point.y());
        let inputs = [half(&x[..16]), half(&x[16..]), half(&y[..16]), half(&y[16..]), Fr::zero()];
        let tag = poseidon::domain("muster.key.weierstrass.v1");
        assert_eq!(point.name(), poseidon::hash_with_domain(tag, &inputs));
        assert_ne!(point.name(), (-point).name());
        assert_ne!(point.name(), poseidon::hash(&inputs));
    }
    let pinned = CURVES.map(|curve| format!("{:?}", Point::generator(curve).name()));
    let expected = [
        "0x2b98a031af1491e8739e682878bf9b81c0bf851ab3458a84c358a7401c9a1ea4",
        "0x2a7b8c5417fb02b30d34e0ee6e7be44f6bed0542878bb2de845bbbaca80b5dd1",
    ];
    assert_eq!(pinned, expected);
}

/// The addresses of the secret keys 1 and 2, which every Ethereum tool prints.
#[test]
fn addresses_of_known_keys() {
    let g = Point::generator(Curve::Secp256k1);
    assert_eq!(g.address().to_string(), "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
    let double = Curve::Secp256k1.parameters().double(&g.to_affine());
    let double = Point::from_affine(Curve::Secp256k1, &double).unwrap();
    assert_eq!(double.address().to_string(), "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF");
    assert_ne!((-g).address(), g.address());
}

#[test]
fn addresses() {
    // EIP-55.
    let examples = [
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ];
    for text in examples {
        let address: Address = text.parse().unwrap();
        assert_eq!(address.to_string(), text);
        assert_eq!(Address::from_bytes(address.to_bytes()), Ok(address));
        assert_eq!(text.to_lowercase().parse(), Ok(address));
        assert_eq!(format!("0x{}", text[2..].to_uppercase()).parse(), Ok(address));
    }
    let wrong = examples[0].replace('B', "b");
    assert_eq!(wrong.parse::<Address>(), Err(AddressError::Checksum));
    assert_eq!(Address::from_bytes([0; 20]), Err(AddressError::Zero));
    assert_eq!(format!("0x{}", "0".repeat(40)).parse::<Address>(), Err(AddressError::Zero));
    let bad = ["", "0x", &examples[0][2..], &examples[0][..41], "0xzz"];
    for text in bad {
        assert_eq!(text.parse::<Address>(), Err(AddressError::Format), "{text}");
    }
    let mut bytes = [0; 20];
    (bytes[0], bytes[19]) = (1, 2);
    let expected = Fr::from(2).pow([152, 0, 0, 0]) + Fr::from(2);
    assert_eq!(Address::from_bytes(bytes).unwrap().name(), expected);
}
