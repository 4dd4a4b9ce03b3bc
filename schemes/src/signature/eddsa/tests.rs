//! EdDSA: the common suite, circomlib's vector and babyjubjub-rs.

use babyjubjub_rs::{decompress_point, decompress_signature, verify, PrivateKey};
use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

use super::*;
use crate::hash::poseidon;
use crate::membership::{LeafFormat, MerkleTree};
use crate::signature::tests::suite::{run, BrokenRng};
use crate::signature::{SignatureError, SignatureScheme};

fn fr(decimal: &str) -> Fr {
    Fr::from_str_vartime(decimal).unwrap()
}

fn integer(v: &Fr) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, v.to_repr().as_ref())
}

#[test]
fn suite() {
    run::<Eddsa>();
}

/// circomlibjs `test/eddsa.js`, "Sign (using Poseidon) a single 10 bytes from 0 to 9"; the same
/// in babyjubjub-rs 0.0.11, `test_circomlib_testvector`.
#[test]
fn circomlib_vector() {
    let seed = hex::decode("0001020304050607080900010203040506070809000102030405060708090001");
    let key = SecretKey::from_bytes(&seed.unwrap()).unwrap();
    let public_key = key.public_key();
    assert_eq!(
        public_key.x(),
        fr("13277427435165878497778222415993513565335242147425444199013288855685581939618")
    );
    assert_eq!(
        public_key.y(),
        fr("13622229784656158136036771217484571176836296686641868549125388198837476602820")
    );
    let mut message = [0; 32];
    message[..10].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let message = Fr::from_repr(message).unwrap();
    let signature = key.sign(&message);
    assert_eq!(
        signature.r().x(),
        fr("11384336176656855268977457483345535180380036354188103142384839473266348197733")
    );
    assert_eq!(
        signature.r().y(),
        fr("15383486972088797283337779941324724402501462225528836549661220478783371668959")
    );
    let s = BigInt::from_bytes_le(Sign::Plus, &signature.s().to_bytes());
    assert_eq!(
        s.to_string(),
        "1672775540645840396591609181675628451599263765380031905495115170613215233181"
    );
    assert_eq!(Eddsa::verify(&public_key, &message, &signature), Ok(()));
}

/// The challenge is circomlib's hash of five inputs and nothing more: what a node of five children is,
/// and what every application of circomlib has. Users are told.
#[test]
fn the_challenge_has_no_tag() {
    let key = SecretKey::from_bytes(&[1; 32]).unwrap();
    let (a, r, message) = (key.public_key(), key.sign(&Fr::ONE).r(), Fr::from(7));
    let children = [r.x(), r.y(), a.x(), a.y(), message];
    assert_eq!(challenge(r, a, &message), poseidon::hash(&children));
    let tree = MerkleTree::new(&children, 5, 1, LeafFormat::Names).unwrap();
    assert_eq!(challenge(r, a, &message), tree.root());
    assert!(Eddsa::description().elsewhere.contains("no tag"));
}

#[test]
fn nonces_do_not_depend_on_the_generator() {
    let key = SecretKey::from_bytes(&[3; 32]).unwrap();
    let sign = |message: u64, byte| Eddsa::sign(&key, &Fr::from(message), &mut BrokenRng(byte));
    assert_eq!(sign(1, 0), sign(1, 1));
    assert_ne!(sign(1, 0).r(), sign(2, 0).r());
}

#[test]
fn secret_keys() {
    let key = SecretKey::from_bytes(&[3; 32]).unwrap();
    assert_eq!(*key.to_bytes(), [3; 32]);
    assert_eq!(
        SecretKey::from_bytes(&[1; 33]).err(),
        Some(SignatureError::WrongLength { expected: 32, found: 33 })
    );
    let text = format!("{key:?}");
    assert!(text.contains("public_key") && !text.contains("seed"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn equals_babyjubjub_rs(seed: [u8; 32], message: [u8; 31], edge in 0u8..4) {
        let mut bytes = [0; 32];
        bytes[..31].copy_from_slice(&message);
        let message = match edge {
            0 => -Fr::ONE,
            1 => Fr::ZERO,
            _ => Fr::from_repr(bytes).unwrap(),
        };
        let ours = SecretKey::from_bytes(&seed).unwrap();
        let theirs = PrivateKey::import(seed.to_vec()).unwrap();
        let public_key = ours.public_key().to_bytes();
        prop_assert_eq!(public_key, theirs.public().compress());
        let signature = ours.sign(&message);
        let their_signature = theirs.sign(integer(&message)).unwrap();
        prop_assert_eq!(signature.to_bytes(), their_signature.compress());

        let read = || {
            let key = decompress_point(public_key).unwrap();
            (key, decompress_signature(&signature.to_bytes()).unwrap())
        };
        let (key, pair) = read();
        prop_assert!(verify(key, pair, integer(&message)));
        prop_assert_eq!(Eddsa::verify(&ours.public_key(), &message, &signature), Ok(()));
        let other = message + Fr::ONE;
        let (key, pair) = read();
        prop_assert!(!verify(key, pair, integer(&other)));
        prop_assert!(Eddsa::verify(&ours.public_key(), &other, &signature).is_err());
    }
}
