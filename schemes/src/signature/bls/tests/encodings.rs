use ff::{Field, PrimeField};
use halo2curves::{
    bn256::{Fq, Fq2, G2Affine},
    CurveAffine,
};

use super::{rng, MESSAGE};
use crate::{
    curve::pairing::{
        samples::{with_torsion, with_twist_torsion},
        BasePoint, PairingCurve, TwistPoint,
    },
    signature::bls::{
        member::MinPkBn254, public_words, BlsError as Error, Ciphersuite, MinPkBasicBls12381,
        MinSigBasicBls12381, MinSigBasicBn254, PublicKey, SecretKey, Sign, Signature,
    },
};

fn there_and_back<S: Ciphersuite<Signed = [u8]>>() {
    let secret = SecretKey::<S>::from_scalar(&S::Scalar::random(rng(1))).unwrap();
    let key = secret.public_key();
    assert_eq!(PublicKey::<S>::from_bytes(&key.to_bytes()), Ok(key));
    let signature = secret.sign(MESSAGE);
    assert_eq!(Signature::<S>::from_bytes(&signature.to_bytes()), Ok(signature));
    assert!(key.verify(MESSAGE, &signature) && !key.verify(b"another", &signature));
    let again = SecretKey::<S>::from_bytes(*secret.to_bytes()).unwrap();
    assert_eq!(again.public_key(), key);
    assert!(!format!("{secret:?}").contains(&hex::encode(*secret.to_bytes())));

    for length in [0, 1, key.to_bytes().len() - 1, key.to_bytes().len() + 1] {
        let error = PublicKey::<S>::from_bytes(&vec![0; length]).unwrap_err();
        assert!(matches!(error, Error::Length { found, .. } if found == length));
    }
    for bad in [[0; 32], [0xff; 32]] {
        assert_eq!(SecretKey::<S>::from_bytes(bad).unwrap_err(), Error::BadSecret);
    }
    assert!(SecretKey::<S>::from_scalar(&S::Scalar::ZERO).is_err());
    assert_eq!(Signature::<S>::by_all(MESSAGE, &[S::Scalar::ONE, S::Scalar::ZERO]), None);
    // No keys, and another number of coefficients.
    assert_eq!(PublicKey::<S>::cancel(&[], &[]), None);
    assert_eq!(PublicKey::<S>::cancel(&[key], &[S::Scalar::ONE; 2]), None);
    assert_eq!(Signature::<S>::combine(&[signature], &[]), None);
    assert_eq!(PublicKey::<S>::cancel(&[key, key], &[S::Scalar::ONE, -S::Scalar::ONE]), Some(true));
}

/// A batch is good if all are, and nothing cancels in it by chance.
fn together<S: Ciphersuite<Signed = [u8]>>() {
    let secrets: Vec<_> = (1..4u64)
        .map(|secret| SecretKey::<S>::from_scalar(&S::Scalar::from(secret)).unwrap())
        .collect();
    let signed = |secret: &SecretKey<S>| (secret.sign(MESSAGE), secret.public_key());
    let mut signed: Vec<_> = secrets.iter().map(signed).collect();
    for sign in [Sign::Plus, Sign::Minus] {
        let check = |signed: &[_]| Signature::discrepancy(MESSAGE, signed, &[5, 7, 1 << 100], sign);
        assert!(check(&signed) == S::one());
    }
    let (first, second) = (signed[0].0, signed[1].0);
    (signed[0].0, signed[1].0) = (second, first);
    let check = |sign| Signature::discrepancy(MESSAGE, &signed, &[5, 7, 1 << 100], sign);
    let (plus, minus) = (check(Sign::Plus), check(Sign::Minus));
    assert!(plus != S::one() && minus != S::one() && S::product(&plus, &minus) == S::one());
}

#[test]
fn many_are_checked_together() {
    together::<MinSigBasicBls12381>();
    together::<MinPkBasicBls12381>();
    together::<MinSigBasicBn254>();
}

#[test]
fn encodings_go_there_and_back() {
    there_and_back::<MinSigBasicBls12381>();
    there_and_back::<MinPkBasicBls12381>();
    there_and_back::<MinSigBasicBn254>();
}

#[test]
fn the_identity_is_refused() {
    for bytes in [48, 96] {
        let mut infinity = vec![0; bytes];
        infinity[0] = 0xc0;
        let found = match bytes {
            48 => (
                PublicKey::<MinPkBasicBls12381>::from_bytes(&infinity).unwrap_err(),
                Signature::<MinSigBasicBls12381>::from_bytes(&infinity).unwrap_err(),
            ),
            _ => (
                PublicKey::<MinSigBasicBls12381>::from_bytes(&infinity).unwrap_err(),
                Signature::<MinPkBasicBls12381>::from_bytes(&infinity).unwrap_err(),
            ),
        };
        assert_eq!(found, (Error::Identity, Error::Identity));
    }
    assert_eq!(PublicKey::<MinSigBasicBn254>::from_bytes(&[0; 128]), Err(Error::Identity));
    assert_eq!(Signature::<MinSigBasicBn254>::from_bytes(&[0; 64]), Err(Error::Identity));
}

#[test]
fn points_outside_the_subgroup_are_refused() {
    // x = 4 is on E(Fp) of BLS12-381 and on its twist, and in neither subgroup.
    let mut g1 = vec![0; 48];
    (g1[0], g1[47]) = (0x80, 4);
    assert_eq!(Signature::<MinSigBasicBls12381>::from_bytes(&g1), Err(Error::NotInSubgroup));
    assert_eq!(PublicKey::<MinPkBasicBls12381>::from_bytes(&g1), Err(Error::NotInSubgroup));
    let outside = (0..50u8).any(|x| {
        let mut g2 = vec![0; 96];
        (g2[0], g2[95]) = (0x80, x);
        let key = PublicKey::<MinSigBasicBls12381>::from_bytes(&g2);
        let signature = Signature::<MinPkBasicBls12381>::from_bytes(&g2);
        assert!(key.is_err() && signature.is_err());
        key == Err(Error::NotInSubgroup) && signature == Err(Error::NotInSubgroup)
    });
    assert!(outside);
    // On the twist of BN254 hardly any point is in the subgroup.
    let three_over = Fq2 { c0: Fq::from(9), c1: Fq::ONE }.invert().unwrap() * Fq2::from(3);
    let point = (1..50u64).find_map(|x| {
        let x = Fq2::from(x);
        let y = (x.square() * x + three_over).sqrt().into_option()?;
        G2Affine::from_xy(x, y).into_option()
    });
    let bytes = MinSigBasicBn254::encode_key(&point.unwrap());
    assert_eq!(PublicKey::<MinSigBasicBn254>::from_bytes(&bytes), Err(Error::NotInSubgroup));
}

/// Bytes of the parts of coordinates, of as many each.
fn bytes_of<'a>(parts: impl IntoIterator<Item = &'a num_bigint::BigUint>, each: usize) -> Vec<u8> {
    let padded = |part: &num_bigint::BigUint| {
        let bytes = part.to_bytes_be();
        [vec![0; each - bytes.len()], bytes].concat()
    };
    parts.into_iter().flat_map(padded).collect()
}

/// Imaginary parts come first.
fn of_twist([x, y]: &TwistPoint, each: usize) -> Vec<u8> {
    bytes_of([&x[1], &x[0], &y[1], &y[0]], each)
}

/// Keys and signatures that are good but for a component of a small order, in all groups that have one.
#[test]
fn points_with_a_torsion_component_are_refused() {
    let refused = Error::NotInSubgroup;
    let secret = SecretKey::<MinPkBasicBls12381>::from_scalar(&5u64.into()).unwrap();
    let first = |point: &BasePoint| {
        let point = blst::min_pk::PublicKey::deserialize(&bytes_of(point, 48));
        point.unwrap().to_bytes()
    };
    let second = |point: &TwistPoint| {
        let point = blst::min_pk::Signature::deserialize(&of_twist(point, 48));
        point.unwrap().to_bytes()
    };
    let good = MinPkBasicBls12381::key_coordinates(&secret.public_key().0);
    assert_eq!(first(&good).to_vec(), secret.public_key().to_bytes());
    let bad = first(&with_torsion(&good));
    assert_eq!(PublicKey::<MinPkBasicBls12381>::from_bytes(&bad), Err(refused));
    assert_eq!(Signature::<MinSigBasicBls12381>::from_bytes(&bad), Err(refused));

    let curve = PairingCurve::Bls12381;
    let good = MinPkBasicBls12381::point_coordinates(&secret.sign(MESSAGE).0);
    assert_eq!(second(&good).to_vec(), secret.sign(MESSAGE).to_bytes());
    let bad = second(&with_twist_torsion(curve, &good));
    assert_eq!(Signature::<MinPkBasicBls12381>::from_bytes(&bad), Err(refused));
    assert_eq!(PublicKey::<MinSigBasicBls12381>::from_bytes(&bad), Err(refused));

    let curve = PairingCurve::Bn254;
    let key = SecretKey::<MinSigBasicBn254>::from_scalar(&5u64.into()).unwrap().public_key();
    let good = MinSigBasicBn254::key_coordinates(&key.0);
    assert_eq!(of_twist(&good, 32), key.to_bytes());
    let bad = of_twist(&with_twist_torsion(curve, &good), 32);
    assert_eq!(PublicKey::<MinSigBasicBn254>::from_bytes(&bad), Err(refused));
    assert_eq!(Signature::<MinPkBn254>::from_bytes(&bad), Err(refused));
}

#[test]
fn points_off_the_curve_are_refused() {
    let mut g1 = vec![0; 48];
    (g1[0], g1[47]) = (0x80, 1);
    assert_eq!(Signature::<MinSigBasicBls12381>::from_bytes(&g1), Err(Error::NotOnCurve));
    // Without the bit of compression; a coordinate above the modulus.
    assert_eq!(Signature::<MinSigBasicBls12381>::from_bytes(&[1; 48]), Err(Error::NotOnCurve));
    assert_eq!(Signature::<MinSigBasicBls12381>::from_bytes(&[0x9f; 48]), Err(Error::NotOnCurve));
    let mut generator = [0; 64];
    (generator[31], generator[63]) = (1, 2);
    assert!(Signature::<MinSigBasicBn254>::from_bytes(&generator).is_ok());
    generator[63] = 3;
    assert_eq!(Signature::<MinSigBasicBn254>::from_bytes(&generator), Err(Error::NotOnCurve));
    assert_eq!(Signature::<MinSigBasicBn254>::from_bytes(&[0xff; 64]), Err(Error::NotOnCurve));
    assert_eq!(PublicKey::<MinSigBasicBn254>::from_bytes(&[1; 128]), Err(Error::NotOnCurve));
    // 1 + p instead of 1.
    let mut modulus = (-Fq::ONE).to_repr();
    modulus.reverse();
    let mut above = [0; 64];
    above[..32].copy_from_slice(&modulus);
    above[31] += 2;
    above[63] = 2;
    assert_eq!(Signature::<MinSigBasicBn254>::from_bytes(&above), Err(Error::NotOnCurve));
}

/// Big-endian words, as in the encodings; but these have the imaginary parts first.
#[test]
fn public_words_are_in_their_order() {
    fn bytes(words: &[num_bigint::BigUint]) -> Vec<u8> {
        let word = |word: &num_bigint::BigUint| {
            let bytes = word.to_bytes_be();
            [vec![0; 16 - bytes.len()], bytes].concat()
        };
        words.iter().flat_map(word).collect()
    }
    let curve = PairingCurve::Bn254;
    let secret = SecretKey::<MinSigBasicBn254>::from_scalar(&5u64.into()).unwrap();
    let signature = secret.sign(MESSAGE);
    let words = public_words(curve, &MinSigBasicBn254::point_coordinates(&signature.0));
    assert_eq!(bytes(&words), signature.to_bytes());
    let key = secret.public_key();
    let words = public_words(curve, MinSigBasicBn254::key_coordinates(&key.0).as_flattened());
    let eip197 = key.to_bytes();
    let parts = [1, 0, 3, 2].map(|part| &eip197[32 * part..32 * (part + 1)]);
    assert_eq!(bytes(&words), parts.concat());
}

#[test]
#[should_panic(expected = "a coordinate is reduced")]
fn public_words_are_of_residues() {
    let curve = PairingCurve::Bn254;
    let point = [curve.parameters().p.clone(), 2u8.into()];
    public_words(curve, &point);
}
