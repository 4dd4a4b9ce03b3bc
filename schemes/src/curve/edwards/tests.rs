//! Baby Jubjub against its own laws, published values, integers and babyjubjub-rs.

use babyjubjub_rs::decompress_point;
use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::multiply::{mul_limbs_vartime, ORDER};
use super::*;

fn fr(decimal: &str) -> Fr {
    Fr::from_str_vartime(decimal).unwrap()
}

fn order() -> BigUint {
    BigUint::from_bytes_le(&(-Scalar::ONE).to_bytes()) + 1u8
}

fn modulus() -> BigUint {
    BigUint::from_bytes_le((-Fr::ONE).to_repr().as_ref()) + 1u8
}

fn le_bytes<const N: usize>(v: &BigUint) -> [u8; N] {
    let mut bytes = v.to_bytes_le();
    bytes.resize(N, 0);
    bytes.try_into().unwrap()
}

fn random_scalar(seed: u64) -> Scalar {
    Scalar::random(ChaCha20Rng::seed_from_u64(seed))
}

fn times(point: Point, n: u64) -> Point {
    (0..n).map(|_| point).sum()
}

/// Scalars at which windows and signed digits turn over.
fn edge_scalars() -> Vec<Scalar> {
    let mut scalars = vec![-Scalar::ONE, -Scalar::from(2), -Scalar::from(16)];
    scalars.extend((0..=33).map(Scalar::from));
    scalars.extend((0..251).step_by(10).map(|i| Scalar::from(2).pow_vartime([i]) - Scalar::ONE));
    scalars
}

#[test]
fn the_order_is_that_of_eip_2494() {
    let l = "2736030358979909402780800718157159386076813972158567259200215660948447373041";
    assert_eq!(order().to_string(), l);
    let modulus = BigUint::parse_bytes(&Scalar::MODULUS.as_bytes()[2..], 16);
    assert_eq!(modulus, Some(order()));
    assert!(AffinePoint::generator().is_in_subgroup());
}

/// The pairing that decides who is in the subgroup against the definition, in every coset.
#[test]
fn a_pairing_tells_the_subgroup() {
    let torsion = Point::from(torsion_point());
    for scalar in edge_scalars() {
        let inside = Point::from(AffinePoint::generator()).mul_vartime(&scalar);
        for n in 0..8 {
            let point = (inside + times(torsion, n)).to_affine();
            assert_eq!(point.is_in_subgroup(), n == 0, "{scalar:?}, {n}");
            let multiple = mul_limbs_vartime(&point.into(), &ORDER);
            assert_eq!(multiple.is_identity(), n == 0, "{scalar:?}, {n}");
        }
    }
}

#[test]
fn points_of_small_order_and_of_order_8l() {
    let torsion = Point::from(torsion_point());
    for n in 0..16 {
        let point = times(torsion, n).to_affine();
        assert_eq!(point.is_identity(), n % 8 == 0);
        assert_eq!(point.is_in_subgroup(), n % 8 == 0);
        let mixed = (times(torsion, n) + AffinePoint::generator().into()).to_affine();
        assert_eq!(mixed.is_in_subgroup(), n % 8 == 0);
        let expected =
            if n % 8 == 0 { Err(PointError::Identity) } else { Err(PointError::NotInSubgroup) };
        assert_eq!(SubgroupPoint::from_affine(point), expected);
        assert_eq!(SubgroupPoint::from_bytes(&point.to_bytes()), expected);
        assert_eq!(SubgroupPoint::from_affine(mixed).is_ok(), n % 8 == 0);
    }
    // The point of order 2.
    let two = AffinePoint::new(Fr::ZERO, -Fr::ONE).unwrap();
    assert_eq!(times(torsion, 4).to_affine(), two);
}

/// EIP-2494: B = 8·G.
#[test]
fn generator_is_eight_times_that_of_the_curve() {
    let g = AffinePoint::new(
        fr("995203441582195749578291179787384436505546430278305826713579947235728471134"),
        fr("5472060717959818805561601436314318772137091100104008585924551046643952123905"),
    );
    assert_eq!(times(g.unwrap().into(), 8).to_affine(), AffinePoint::generator());
}

/// babyjubjub-rs 0.0.11 and circomlib `test/babyjub.js`: "Should add point" tests.
#[test]
fn published_sums() {
    let point = |x, y| AffinePoint::new(fr(x), fr(y)).unwrap();
    let p = point(
        "17777552123799933955779906779655732241715742912184938656739573121738514868268",
        "2626589144620713026669568689430873010625803728049924121243784502389097019475",
    );
    let q = point(
        "16540640123574156134436876038791482806971768689494387082833631921987005038935",
        "20819045374670962167435360035096875258406992893633759881276124905556507972311",
    );
    let sum = point(
        "7916061937171219682591368294088513039687205273691143098332585753343424131937",
        "14035240266687799601661095864649209771790948434046947201833777492504781204499",
    );
    let double = point(
        "6890855772600357754907169075114257697580319025794532037257385534741338397365",
        "4338620300185947561074059802482547481416142213883829469920100239455078257889",
    );
    assert_eq!((Point::from(p) + q.into()).to_affine(), sum);
    assert_eq!((Point::from(p) + p.into()).to_affine(), double);
    assert_eq!(Point::from(p).double().to_affine(), double);
    assert_eq!(
        hex::encode(p.to_bytes()),
        "53b81ed5bffe9545b54016234682e7b2f699bd42a5e9eae27ff4051bc698ce85"
    );
    // babyjubjub-rs, test_point_decompress0.
    let bytes = hex::decode("b5328f8791d48f20bec6e481d91c7ada235f1facf22547901c18656b6c3e042f");
    let x = AffinePoint::from_bytes(&bytes.unwrap()).unwrap().x();
    assert_eq!(
        hex::encode(x.to_repr()),
        "b86cc8d9c97daef0afe1a4753c54fb2d8a530dc74c7eee4e72b3fdf2496d2113"
    );
}

#[test]
fn group_laws_hold_for_every_kind_of_point() {
    let base = Point::from(AffinePoint::generator());
    let torsion = Point::from(torsion_point());
    let mut points: Vec<Point> = (0..8).map(|n| times(torsion, n)).collect();
    points.extend((0..8).map(|n| times(torsion, n) + base.mul(&random_scalar(n))));
    for p in &points {
        assert!((*p - *p).is_identity());
        assert_eq!(*p + Point::identity(), *p);
        assert_eq!(p.double(), *p + *p);
        assert_eq!(-p.to_affine(), (-*p).to_affine());
        for q in &points {
            assert_eq!(*p + *q, *q + *p);
            assert_eq!((*p + *q) + base, *p + (*q + base));
            let sum = (*p + *q).to_affine();
            assert_eq!(AffinePoint::new(sum.x(), sum.y()), Some(sum));
        }
    }
    let affine: Vec<_> = points.iter().map(Point::to_affine).collect();
    assert_eq!(batch_normalize(&points), affine);
}

#[test]
fn all_multiplications_agree() {
    let base = Point::from(AffinePoint::generator());
    let other = base.double() + Point::from(torsion_point());
    for scalar in edge_scalars() {
        let bits = BigUint::from_bytes_le(&scalar.to_bytes());
        let double_and_add = |p: Point| {
            (0..bits.bits()).rev().fold(Point::identity(), |acc, i| {
                if bits.bit(i) {
                    acc.double() + p
                } else {
                    acc.double()
                }
            })
        };
        assert_eq!(mul_generator(&scalar), double_and_add(base));
        for point in [base, other, Point::identity()] {
            let expected = double_and_add(point);
            assert_eq!(point.mul(&scalar), expected);
            assert_eq!(point.mul_vartime(&scalar), expected);
        }
        let pairs = [(scalar, base), (-scalar, other), (Scalar::ONE, other)];
        assert_eq!(msm_vartime(&pairs), base.mul(&scalar) + other.mul(&-scalar) + other);
    }
    assert!(msm_vartime(&[]).is_identity());
    // 2^256 - 1, the longest integer.
    let doubled = (0..256).fold(other, |acc, _| acc.double());
    assert_eq!(mul_limbs_vartime(&other, &[u64::MAX; 4]), doubled - other);
}

#[test]
fn buckets_equal_single_multiplications() {
    let base = Point::from(AffinePoint::generator());
    let odd = Point::from(torsion_point());
    let mut scalars = edge_scalars();
    scalars.extend((0..200).map(random_scalar));
    let point = |i: usize| match i % 5 {
        0 => Point::identity(),
        1 => odd + base,
        2 => -base,
        _ => base.mul_vartime(&random_scalar(900 + i as u64)),
    };
    for count in [0, 1, 2, 3, 87, 88, 89, scalars.len()] {
        let pairs: Vec<_> = scalars[scalars.len() - count..]
            .iter()
            .enumerate()
            .map(|(i, s)| (*s, point(i)))
            .collect();
        let expected: Point = pairs.iter().map(|(scalar, point)| point.mul(scalar)).sum();
        assert_eq!(super::pippenger::msm_vartime(&pairs), expected, "{count}");
        assert_eq!(msm_vartime(&pairs), expected, "{count}");
    }
}

#[test]
fn divide_by_cofactor_undoes_eight() {
    for seed in 0..4 {
        let point = mul_generator(&random_scalar(seed)).to_affine();
        let quotient = point.divide_by_cofactor();
        assert_eq!(times(quotient.into(), 8).to_affine(), point);
        assert!(quotient.is_in_subgroup());
    }
}

#[test]
fn points_off_the_curve_are_refused() {
    let g = AffinePoint::generator();
    assert_eq!(AffinePoint::new(g.x(), g.y() + Fr::ONE), None);
    assert_eq!(AffinePoint::new(g.y(), g.x()), None);
    assert_eq!(AffinePoint::new(Fr::ZERO, Fr::ZERO), None);
    assert_eq!(SubgroupPoint::from_coordinates(Fr::ONE, Fr::ONE), Err(PointError::OffCurve));
    assert_eq!(SubgroupPoint::mul_generator(&Scalar::ZERO), Err(PointError::Identity));
}

#[test]
fn encodings_that_are_not_canonical_are_refused() {
    let decode = |bytes: &[u8]| AffinePoint::from_bytes(bytes);
    // y + r where it fits below 2^255: y = 1 (identity), and y = 0 (x = ±1/√a).
    for y in [0u8, 1, 2] {
        assert_eq!(decode(&le_bytes::<32>(&(modulus() + y))), Err(PointError::NonCanonical));
    }
    assert_eq!(decode(&[0x7f; 32]), Err(PointError::NonCanonical));
    // The sign bit with x = 0: the identity and the point of order 2.
    for y in [BigUint::from(1u8), modulus() - 1u8] {
        let mut bytes = le_bytes::<32>(&y);
        assert_eq!(decode(&bytes).unwrap().x(), Fr::ZERO);
        bytes[31] |= 0x80;
        assert_eq!(decode(&bytes), Err(PointError::NonCanonical));
    }
    for len in [0, 31, 33, 64] {
        assert_eq!(decode(&vec![1; len]), Err(PointError::WrongLength(len)));
    }
    // About half of all y have no x.
    let refused = (0..200u64)
        .filter(|y| decode(Fr::from(*y).to_repr().as_ref()) == Err(PointError::OffCurve))
        .count();
    assert!((50..150).contains(&refused), "{refused}");
}

#[test]
fn scalars_are_canonical() {
    for above in [0u8, 1, 255] {
        assert_eq!(Scalar::from_bytes(&le_bytes(&(order() + above))), None);
    }
    assert_eq!(Scalar::from_bytes(&[255; 32]), None);
    assert_eq!(Scalar::from_bytes(&le_bytes(&(order() - 1u8))), Some(-Scalar::ONE));
    assert_eq!(Scalar::from_bytes_reduced(&le_bytes(&order())), Scalar::ZERO);
    assert_eq!(Scalar::from_base(&-Fr::ONE).to_bytes(), le_bytes(&((modulus() - 1u8) % order())));
}

proptest! {
    #[test]
    fn reduction_equals_that_of_integers(wide: [u8; 64], repeat: bool) {
        let wide = if repeat { [255; 64] } else { wide };
        let expected = BigUint::from_bytes_le(&wide) % order();
        prop_assert_eq!(Scalar::from_wide(&wide).to_bytes(), le_bytes::<32>(&expected));
        let narrow: [u8; 32] = wide[..32].try_into().unwrap();
        let expected = BigUint::from_bytes_le(&narrow) % order();
        prop_assert_eq!(Scalar::from_bytes_reduced(&narrow).to_bytes(), le_bytes::<32>(&expected));
    }

    #[test]
    fn multiplication_equals_babyjubjub_rs(seed: u64) {
        let (k, m) = (random_scalar(seed), random_scalar(!seed));
        let ours = mul_generator(&k).to_affine();
        let integer = |s: &Scalar| BigInt::from_bytes_le(Sign::Plus, &s.to_bytes());
        let base = decompress_point(AffinePoint::generator().to_bytes()).unwrap();
        let theirs = base.mul_scalar(&integer(&k));
        prop_assert_eq!(ours.to_bytes(), theirs.compress());
        let theirs = theirs.mul_scalar(&integer(&m));
        prop_assert_eq!(Point::from(ours).mul(&m).to_affine().to_bytes(), theirs.compress());
    }

    #[test]
    fn packing_is_a_round_trip(seed: u64, torsion in 0u64..8) {
        let point = mul_generator(&random_scalar(seed)) + times(torsion_point().into(), torsion);
        let point = point.to_affine();
        for p in [point, -point] {
            prop_assert_eq!(AffinePoint::from_bytes(&p.to_bytes()), Ok(p));
        }
        prop_assert_ne!(point.to_bytes(), (-point).to_bytes());
    }

    #[test]
    fn what_decodes_encodes_to_the_same_bytes(bytes: [u8; 32]) {
        if let Ok(point) = AffinePoint::from_bytes(&bytes) {
            prop_assert_eq!(point.to_bytes(), bytes);
        }
    }
}
