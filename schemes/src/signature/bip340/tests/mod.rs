//! BIP-340: its own vectors, the common suite, the crate k256.

use k256::schnorr::signature::hazmat::PrehashVerifier;
use num_bigint::BigUint;
use proptest::prelude::*;
use sha2::{compress256, Digest, Sha256};

use super::vectors::VECTORS;
use super::*;
use crate::curve::weierstrass::{to_bytes, Curve, Point, PointError};
use crate::signature::{
    tests::{digest_suite, suite::BrokenRng},
    SignatureError, SignatureScheme,
};

fn bytes(hex: &str) -> [u8; 32] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

fn curve() -> Curve {
    Curve::Secp256k1
}

/// The verdict of k256, which refuses also s = 0.
fn oracle(key: &[u8; 32], message: &[u8; 32], signature: &[u8; 64]) -> bool {
    let key = k256::schnorr::VerifyingKey::from_bytes(key);
    let signature = k256::schnorr::Signature::try_from(&signature[..]);
    key.and_then(|key| key.verify_prehash(message, &signature?)).is_ok()
}

#[test]
fn suite() {
    digest_suite::run::<Bip340>(to_bytes(curve().n()));
}

#[test]
fn published_vectors() {
    for (index, vector) in VECTORS.iter().enumerate() {
        assert_eq!(vector.index, index);
        let message = bytes(vector.message);
        let [r, s] = vector.signature.map(bytes);
        let verdict = PublicKey::from_bytes(&bytes(vector.public_key)).and_then(|key| {
            let signature = Signature::new(&r, &s)?;
            Bip340::verify(&key, &message, &signature).map(|()| (key, signature))
        });
        assert_eq!(verdict.is_ok(), vector.valid, "{index}: {verdict:?}");
        if let Some((secret, auxiliary)) = vector.signing {
            let secret = SecretKey::from_bytes(&bytes(secret)).unwrap();
            let signature = secret.sign(&message, &bytes(auxiliary));
            assert_eq!(verdict, Ok((secret.public_key(), signature)));
        }
    }
}

/// Each invalid vector breaks the rule that its comment names.
#[test]
fn published_vectors_break_the_rule_they_name() {
    let error = |index: usize| {
        let vector = &VECTORS[index];
        let [r, s] = vector.signature.map(bytes);
        PublicKey::from_bytes(&bytes(vector.public_key))
            .and_then(|key| Bip340::verify(&key, &bytes(vector.message), &Signature::new(&r, &s)?))
            .unwrap_err()
    };
    let off_curve = PointError::OffCurve(curve());
    assert_eq!(error(5), SignatureError::Key(off_curve));
    for index in [6, 7, 8, 10] {
        assert_eq!(error(index), SignatureError::Equation, "{index}");
    }
    // No point has x = 0.
    assert_eq!(error(9), SignatureError::NonceX(off_curve));
    assert_eq!(error(11), SignatureError::NonceX(off_curve));
    assert_eq!(error(12), SignatureError::NonceX(PointError::NonCanonical('x')));
    assert_eq!(error(13), SignatureError::ScalarNotReduced);
    assert_eq!(error(14), SignatureError::Key(PointError::NonCanonical('x')));
}

/// SHA-256 continued from the midstate is SHA-256 of the whole, for the challenge of a vector.
#[test]
fn the_midstate_is_that_of_the_tagged_hash() {
    let vector = &VECTORS[0];
    let key = PublicKey::from_bytes(&bytes(vector.public_key)).unwrap();
    let (r, message) = (bytes(vector.signature[0]), bytes(vector.message));
    let mut tail = [r, key.to_bytes(), message].concat();
    tail.push(0x80);
    tail.resize(120, 0);
    tail.extend((8 * 160_u64).to_be_bytes());
    let mut state = challenge_midstate();
    for block in tail.chunks_exact(64) {
        compress256(
            &mut state,
            &[*k256::elliptic_curve::generic_array::GenericArray::from_slice(block)],
        );
    }
    let hash: Vec<u8> = state.iter().flat_map(|word| word.to_be_bytes()).collect();
    let tag = Sha256::digest(b"BIP0340/challenge");
    let expected = Sha256::digest([&tag[..], &tag, &r, &key.to_bytes(), &message].concat());
    assert_eq!(hash, expected.to_vec());
    let e = BigUint::from_bytes_be(&expected) % curve().n();
    assert_eq!(challenge(&r, &key, &message), e);
}

/// s·G = R + e·A over the integers of the witness.
#[test]
fn the_parts_satisfy_the_equation() {
    let secret = SecretKey::from_seed(&[3; 32]).unwrap();
    let (key, message) = (secret.public_key(), [5; 32]);
    let signature = secret.sign(&message, &[0; 32]);
    let parameters = curve().parameters();
    let s = BigUint::from_bytes_be(&signature.s());
    let e = challenge(&signature.r(), &key, &message);
    let nonce = signature.nonce_point();
    assert!(!nonce.is_odd() && nonce.x() == signature.r());
    let right = parameters.mul(&key.point().to_affine(), &e);
    let right = parameters.add(&nonce.to_affine(), &right);
    assert_eq!(parameters.mul(&parameters.generator(), &s), right);
}

#[test]
fn keys() {
    let generator = Point::generator(curve());
    let key = PublicKey::from_point(generator).unwrap();
    assert_eq!(PublicKey::from_point(-generator), Ok(key));
    assert!(!key.point().is_odd());
    assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
    let p256 = Point::generator(Curve::P256);
    let (expected, found) = (Curve::Secp256k1, Curve::P256);
    let error = SignatureError::Key(PointError::WrongCurve { expected, found });
    assert_eq!(PublicKey::from_point(p256), Err(error));
    assert_eq!(
        PublicKey::from_bytes(&key.point().to_sec1()),
        Err(SignatureError::WrongLength { expected: 32, found: 33 })
    );
    for bad in [[0; 32], to_bytes(curve().n()), [0xff; 32]] {
        assert_eq!(SecretKey::from_bytes(&bad).err(), Some(SignatureError::SecretKey));
    }
    let secret = SecretKey::from_seed(&[1; 32]).unwrap();
    let again = SecretKey::from_bytes(secret.to_bytes().as_ref()).unwrap();
    assert_eq!(secret.public_key(), again.public_key());
    let text = format!("{secret:?}");
    let digits = format!("{:?}", &secret.to_bytes()[..8]);
    let digits = digits.trim_end_matches(']');
    assert!(text.contains("public_key") && !text.contains(digits), "{text}");
}

/// A key given by d and by n - d is the same key, and signs alike.
#[test]
fn opposite_secrets_are_one_key() {
    let secret = SecretKey::from_seed(&[1; 32]).unwrap();
    let d = BigUint::from_bytes_be(secret.to_bytes().as_ref());
    let opposite = SecretKey::from_bytes(&to_bytes(&(curve().n() - d))).unwrap();
    assert_eq!(secret.public_key(), opposite.public_key());
    assert_eq!(secret.sign(&[1; 32], &[2; 32]), opposite.sign(&[1; 32], &[2; 32]));
}

#[test]
fn a_broken_generator_gives_other_nonces_for_other_messages_and_keys() {
    let (one, two) =
        (SecretKey::from_seed(&[1; 32]).unwrap(), SecretKey::from_seed(&[2; 32]).unwrap());
    let sign = |key: &SecretKey, message: u8, byte| {
        Bip340::sign(key, &[message; 32], &mut BrokenRng(byte)).r()
    };
    assert_eq!(sign(&one, 1, 0), sign(&one, 1, 0));
    assert_ne!(sign(&one, 1, 0), sign(&one, 2, 0));
    assert_ne!(sign(&one, 1, 0), sign(&two, 1, 0));
    assert_ne!(sign(&one, 1, 0), sign(&one, 1, 1));
}

#[test]
fn a_response_of_zero_is_well_formed() {
    let key = SecretKey::from_seed(&[1; 32]).unwrap().public_key();
    let signature = Signature::new(&Point::generator(curve()).x(), &[0; 32]).unwrap();
    assert_eq!(Bip340::verify(&key, &[1; 32], &signature), Err(SignatureError::Equation));
}

/// Integers about which implementations go wrong, and any others.
fn edges() -> impl Strategy<Value = [u8; 32]> {
    let (n, p) = (curve().n(), curve().p());
    let one = BigUint::from(1u8);
    let mut integers = vec![BigUint::default(), one.clone(), n - &one, n.clone(), n + &one];
    integers.extend([p - n, p - &one, p.clone(), p + &one, (n + &one) >> 1u8]);
    integers.push(BigUint::from_bytes_be(&Point::generator(curve()).x()));
    let edges: Vec<_> = integers.iter().map(to_bytes).collect();
    prop_oneof![proptest::sample::select(edges), any::<[u8; 32]>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn verdicts_are_those_of_k256(
        key in edges(), message in edges(), r in edges(), s in edges(), honest in any::<[bool; 3]>(),
    ) {
        let secret = SecretKey::from_bytes(&key);
        let (mut key, mut r, mut s) = (key, r, s);
        if let (true, Ok(secret)) = (honest[0], secret) {
            key = secret.public_key().to_bytes();
            let signature = secret.sign(&message, &r);
            r = if honest[1] { signature.r() } else { r };
            s = if honest[2] { signature.s() } else { s };
        }
        let verdict = PublicKey::from_bytes(&key)
            .and_then(|key| Bip340::verify(&key, &message, &Signature::new(&r, &s)?));
        let signature: [u8; 64] = [r, s].concat().try_into().unwrap();
        prop_assert_eq!(verdict.is_ok(), oracle(&key, &message, &signature));
    }
}
