//! Points of small order, and parts of small order.

use curve25519_dalek::{constants::EIGHT_TORSION, traits::Identity};
use ed25519_dalek::Verifier;

use super::{
    super::vectors::{small_orders, CANONICAL},
    *,
};
use crate::signature::{ed25519::PointError, SignatureError};

const MESSAGE: &[u8] = b"Zcash";

/// R, then s = 0.
fn with_zero(r: &[u8; 32]) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(r);
    signature
}

/// ZIP 215, "Test Vectors": s = 0 with all encodings of small order for A and R.
#[test]
fn grid() {
    let encodings = small_orders();
    let mut accepted = [0; 3];
    for (i, key) in encodings.iter().enumerate() {
        let small = Err(SignatureError::Ed25519Key(PointError::SmallOrder));
        assert_eq!(PublicKey::from_bytes(key), small);
        for (j, nonce) in encodings.iter().enumerate() {
            let signature = with_zero(nonce);
            let verdicts = [0, 1, 2].map(|rule| raw(RULES[rule], key, MESSAGE, &signature));
            assert_eq!(verdicts, [true, i < CANONICAL && j < CANONICAL, false], "{i} {j}");
            let consensus = ed25519_consensus::VerificationKey::try_from(*key).unwrap();
            assert!(consensus.verify(&signature.into(), MESSAGE).is_ok());
            // The equation without the cofactor, with whatever order: the crate's verification that is not strict.
            let dalek = ed25519_dalek::VerifyingKey::from_bytes(key).unwrap();
            let expected = dalek.verify(MESSAGE, &ed25519_dalek::Signature::from_bytes(&signature));
            let [key, nonce] = [key, nonce].map(|bytes| EncodedPoint::decode(bytes).unwrap());
            let signature = Signature::from_bytes(&signature).unwrap();
            let holds = native::holds(Rule::Strict, &key, MESSAGE, &signature);
            assert_eq!(holds && nonce.is_canonical(), expected.is_ok(), "{i} {j}");
            accepted.iter_mut().zip(verdicts).for_each(|(sum, verdict)| *sum += i32::from(verdict));
        }
    }
    assert_eq!(accepted, [196, 64, 0]);
}

/// An honest key with each encoding of small order for R: s = k·a.
#[test]
fn nonces_of_small_order() {
    let mut rng = muster_testing::rng();
    let secret_key = secret_key(&mut rng);
    let key = secret_key.public_key();
    for (i, nonce) in small_orders().iter().enumerate() {
        let nonce = EncodedPoint::decode(nonce).unwrap();
        let signature = answer(&secret_key, key.encoded(), (Scalar::ZERO, nonce), MESSAGE);
        let [zip215, rfc8032, strict] =
            [0, 1, 2].map(|rule| native::verify(RULES[rule], &key, MESSAGE, &signature));
        let refused = |error| Err(SignatureError::Ed25519Nonce(error));
        let is_canonical = i < CANONICAL;
        assert_eq!(zip215, Ok(()));
        assert_eq!(rfc8032.is_ok(), is_canonical);
        if is_canonical {
            assert_eq!(strict, refused(PointError::SmallOrder));
        } else {
            assert_eq!([rfc8032, strict], [refused(PointError::NonCanonical); 2]);
        }
    }
}

/// A key, a nonce commitment, or both, with each part of small order.
#[test]
fn mixed_orders() {
    let mut rng = muster_testing::rng();
    let secret_key = secret_key(&mut rng);
    let none = EdwardsPoint::identity();
    for torsion in &EIGHT_TORSION[1..] {
        for shift in [[*torsion, none], [none, *torsion], [*torsion, -torsion]] {
            let (key, signature) = shifted(&secret_key, MESSAGE, shift);
            let verdict = |rule| native::verify(rule, &key, MESSAGE, &signature);
            assert_eq!([Rule::Zip215, Rule::Rfc8032].map(verdict), [Ok(()); 2]);
            let expected = if shift[0] == none {
                SignatureError::Equation
            } else {
                SignatureError::Ed25519Key(PointError::MixedOrder)
            };
            assert_eq!(verdict(Rule::Strict), Err(expected));
            assert_eq!(key.check(Rule::Strict).is_ok(), shift[0] == none);
        }
    }
}

/// `strict` refuses keys with a part of small order because `verify_strict` does not always: with an even
/// challenge, a part of order 2 is not seen.
#[test]
fn parts_that_verify_strict_overlooks() {
    let mut rng = muster_testing::rng();
    let secret_key = secret_key(&mut rng);
    let shift = [EIGHT_TORSION[4], EdwardsPoint::identity()];
    let verdict = |number: u8| {
        let (key, signature) = shifted(&secret_key, &[number], shift);
        let dalek = ed25519_dalek::VerifyingKey::from_bytes(&key.to_bytes()).unwrap();
        let bytes = ed25519_dalek::Signature::from_bytes(&signature.to_bytes());
        let verdict = dalek.verify_strict(&[number], &bytes).is_ok();
        let k = native::challenge(signature.nonce().bytes(), &key.to_bytes(), &[number]);
        let k = Scalar::from_bytes_mod_order_wide(&k);
        assert_eq!(verdict, k.as_bytes()[0] & 1 == 0);
        verdict
    };
    let verdicts: Vec<_> = (0..64).map(verdict).collect();
    assert!(verdicts.contains(&true) && verdicts.contains(&false));
}
