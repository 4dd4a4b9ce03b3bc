//! Property tests against the crates' own verification and against RFC 6979 written out.

use k256::ecdsa::signature::hazmat::PrehashVerifier;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;

/// Integers about which implementations go wrong, and any others.
fn edges(curve: Curve) -> impl Strategy<Value = [u8; 32]> {
    let (n, p) = (curve.n(), curve.p());
    let one = BigUint::from(1u8);
    let mut integers = vec![BigUint::default(), one.clone(), &one + &one, n - &one, n.clone()];
    integers.extend([n + &one, p - n, p - n - &one, p - &one, p.clone(), n >> 1u8]);
    integers.extend([(n >> 1u8) + &one, (BigUint::from(1u8) << 256) - &one]);
    let edges: Vec<_> = integers.iter().map(to_bytes).collect();
    prop_oneof![proptest::sample::select(edges), any::<[u8; 32]>()]
}

/// The verdict of the crate of a curve: k256 wants a low s, p256 takes any.
fn oracle(key: &Point, message: &[u8; 32], signature: &[u8]) -> bool {
    let key_bytes = key.to_sec1_uncompressed();
    match key.curve() {
        Curve::Secp256k1 => {
            let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(&key_bytes).unwrap();
            k256::ecdsa::Signature::from_slice(signature)
                .and_then(|signature| key.verify_prehash(message, &signature))
                .is_ok()
        }
        Curve::Edwards25519 => unreachable!("ECDSA is not over it"),
        Curve::P256 => {
            let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&key_bytes).unwrap();
            p256::ecdsa::Signature::from_slice(signature)
                .and_then(|signature| key.verify_prehash(message, &signature))
                .is_ok()
        }
    }
}

fn verdict<C: Suite>(key: &Point, message: &[u8; 32], encoded: &[u8]) -> bool {
    Ecdsa::<C>::decode_signature(encoded)
        .and_then(|signature| Ecdsa::<C>::verify(key, message, &signature))
        .is_ok()
}

/// Signatures of edge values, honest, broken, and with the key that makes them valid.
fn compare<C: Suite>(
    [secret, message, r, s]: [[u8; 32]; 4],
    [keep_r, keep_s]: [bool; 2],
    id: u8,
) -> Result<(), TestCaseError> {
    let encoded = [r, s].concat();
    if let Ok(secret) = SecretKey::<C>::from_bytes(&secret) {
        let key = secret.public_key();
        let (honest, _) = Ecdsa::<C>::sign_recoverable(&secret, &message);
        let honest = honest.to_bytes();
        prop_assert!(oracle(&key, &message, &honest) && verdict::<C>(&key, &message, &honest));
        let mut mixed = honest;
        mixed[..32].copy_from_slice(if keep_r { &honest[..32] } else { &r });
        mixed[32..].copy_from_slice(if keep_s { &honest[32..] } else { &s });
        for encoded in [&mixed[..], &encoded] {
            prop_assert_eq!(verdict::<C>(&key, &message, encoded), oracle(&key, &message, encoded));
        }
    }
    let Ok(signature) = Signature::from_bytes(C::CURVE, &encoded) else { return Ok(()) };
    let id = RecoveryId::from_byte(id).unwrap();
    if let Ok(key) = Ecdsa::<C>::recover(&message, &signature, id) {
        let any = Ecdsa::<C>::verify_with(Rule::AnyS, &key, &message, &signature);
        prop_assert_eq!(any, Ok(()));
        prop_assert_eq!(
            nonce_point(&key, &message, &signature).map(|r| r.is_odd()),
            Some(id.is_odd)
        );
        prop_assert_eq!(verdict::<C>(&key, &message, &encoded), oracle(&key, &message, &encoded));
    }
    Ok(())
}

fn inputs(curve: Curve) -> impl Strategy<Value = [[u8; 32]; 4]> {
    [edges(curve), edges(curve), edges(curve), edges(curve)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn secp256k1(inputs in inputs(Curve::Secp256k1), keep in any::<[bool; 2]>(), id in 0u8..4) {
        compare::<k256::Secp256k1>(inputs, keep, id)?;
    }

    #[test]
    fn p256(inputs in inputs(Curve::P256), keep in any::<[bool; 2]>(), id in 0u8..4) {
        compare::<p256::NistP256>(inputs, keep, id)?;
    }
}

/// HMAC-SHA-256 (RFC 2104) with a key of 32 bytes.
fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let pad = |byte: u8| {
        let mut block = [byte; 64];
        block.iter_mut().zip(key).for_each(|(b, k)| *b ^= k);
        block
    };
    let inner = Sha256::digest([&pad(0x36)[..], &parts.concat()].concat());
    Sha256::digest([&pad(0x5c)[..], &inner].concat()).into()
}

/// The nonce of RFC 6979, section 3.2.
fn nonce(n: &BigUint, secret: &[u8; 32], digest: &[u8; 32]) -> BigUint {
    let digest = to_bytes(&(BigUint::from_bytes_be(digest) % n));
    let (mut k, mut v) = ([0; 32], [1; 32]);
    for byte in [0, 1] {
        k = hmac(&k, &[&v, &[byte], secret, &digest]);
        v = hmac(&k, &[&v]);
    }
    loop {
        v = hmac(&k, &[&v]);
        let nonce = BigUint::from_bytes_be(&v);
        if nonce.bits() > 0 && &nonce < n {
            return nonce;
        }
        k = hmac(&k, &[&v, &[0]]);
        v = hmac(&k, &[&v]);
    }
}

fn nonces_follow_rfc_6979<C: Suite>() {
    let (n, parameters) = (C::CURVE.n(), C::CURVE.parameters());
    let secret = SecretKey::<C>::from_seed(&[1; 32]).unwrap();
    // Digests above n are reduced before they reach the generator.
    for digest in [[0; 32], [1; 32], to_bytes(n), to_bytes(&(n + 1u8)), [0xff; 32]] {
        let k = nonce(n, &secret.to_bytes(), &digest);
        let (x, _) = parameters.mul(&parameters.generator(), &k).unwrap();
        let (signature, _) = Ecdsa::<C>::sign_recoverable(&secret, &digest);
        assert_eq!(signature.r(), to_bytes(&(x % n)), "{digest:?}");
    }
}

#[test]
fn deterministic_nonces() {
    nonces_follow_rfc_6979::<k256::Secp256k1>();
    nonces_follow_rfc_6979::<p256::NistP256>();
}
