//! Schnorr: the common suite, its nonces and its keys.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use super::*;
use crate::curve::edwards::{Scalar, SubgroupPoint};
use crate::hash::poseidon;
use crate::signature::tests::suite::{rng, run, BrokenRng};
use crate::signature::{Signature, SignatureError, SignatureScheme};

#[test]
fn suite() {
    run::<Schnorr>();
}

/// The equation as the module states it, worked out with the secrets in hand.
#[test]
fn signature_follows_the_specification() {
    let key = SecretKey::from_seed(&[1; 32]).unwrap();
    let (message, nonce) = (Fr::from(42), Scalar::from(77));
    let r = SubgroupPoint::mul_generator(&nonce).unwrap();
    let a = key.public_key();
    let tag = poseidon::domain("muster.schnorr.v1");
    let c = poseidon::hash_with_domain(tag, &[r.x(), r.y(), a.x(), a.y(), message]);
    assert_eq!(c, challenge(r, a, &message));
    let x = Scalar::from_bytes(&key.to_bytes()).unwrap();
    let signature = Signature::new(r, nonce + Scalar::from_base(&c) * x);
    assert_eq!(Schnorr::verify(&a, &message, &signature), Ok(()));
}

#[test]
fn a_response_of_zero_is_legal_if_the_equation_holds() {
    // R = -c·A needs c before R, so choose the message after R: not possible for a fixed key
    // without breaking Poseidon. The pair itself must be accepted and the equation decide.
    let r = SubgroupPoint::generator();
    let signature = Signature::new(r, Scalar::ZERO);
    assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
    let key = SecretKey::from_seed(&[1; 32]).unwrap().public_key();
    assert_eq!(Schnorr::verify(&key, &Fr::ONE, &signature), Err(SignatureError::Equation));
    // With the key of secret x = -r/c, where c depends on the key, nothing can be prepared either;
    // the equation itself is exercised with c given.
    let c = Scalar::from(5);
    let secret = -c.invert().unwrap();
    let key = SubgroupPoint::mul_generator(&secret).unwrap();
    assert_eq!(signature.check(&c, &key), Ok(()));
}

#[test]
fn a_broken_generator_gives_other_nonces_for_other_messages_and_keys() {
    let (one, two) =
        (SecretKey::from_seed(&[1; 32]).unwrap(), SecretKey::from_seed(&[2; 32]).unwrap());
    let sign = |key: &SecretKey, message: u64, byte| {
        Schnorr::sign(key, &Fr::from(message), &mut BrokenRng(byte)).r()
    };
    assert_eq!(sign(&one, 1, 0), sign(&one, 1, 0));
    assert_ne!(sign(&one, 1, 0), sign(&one, 2, 0));
    assert_ne!(sign(&one, 1, 0), sign(&two, 1, 0));
    assert_ne!(sign(&one, 1, 0), sign(&one, 1, 1));
}

#[test]
fn signatures_are_randomized() {
    let key = SecretKey::from_seed(&[1; 32]).unwrap();
    let mut rng = rng(1);
    let first = Schnorr::sign(&key, &Fr::ONE, &mut rng);
    assert_ne!(first, Schnorr::sign(&key, &Fr::ONE, &mut rng));
}

#[test]
fn secret_keys() {
    let key = Schnorr::keygen(&mut rng(9));
    let again = SecretKey::from_bytes(key.to_bytes().as_ref()).unwrap();
    assert_eq!(key.public_key(), again.public_key());
    assert_eq!(SecretKey::from_bytes(&[0; 32]).err(), Some(SignatureError::SecretKey));
    assert_eq!(SecretKey::from_bytes(&[255; 32]).err(), Some(SignatureError::SecretKey));
    assert_eq!(
        SecretKey::from_bytes(&[1; 31]).err(),
        Some(SignatureError::WrongLength { expected: 32, found: 31 })
    );
    assert_eq!(SecretKey::new(Scalar::ZERO).err(), Some(SignatureError::SecretKey));
    let text = format!("{key:?}");
    let secret = format!("{:?}", Scalar::from_bytes(&key.to_bytes()).unwrap());
    assert!(text.contains("public_key") && !text.contains(&secret[2..]), "{text}");
}

#[test]
fn challenge_is_not_that_of_circomlib() {
    let p = SubgroupPoint::generator();
    let plain = poseidon::hash(&[p.x(), p.y(), p.x(), p.y(), Fr::ONE]);
    assert_ne!(challenge(p, p, &Fr::ONE), plain);
    assert!(!bool::from(challenge(p, p, &Fr::ONE).is_zero()));
    assert_eq!(plain.to_repr().len(), 32);
}
