//! Ed25519: what must verify and what must not, under each rule.

mod keys;
mod oracles;
mod published;
mod refusals;
mod small_order;

use curve25519_dalek::{edwards::EdwardsPoint, Scalar};
use rand_core::{CryptoRng, RngCore};

use super::{native, rule, vectors, Ed25519, EncodedPoint, PublicKey, SecretKey, Signature};
use crate::signature::{Rule, SignatureScheme};

const RULES: &[Rule] = Ed25519::RULES;

/// What the rule says of the encodings, the orders of R and the equation: everything but the order of the
/// key, by which no small one reaches the equation otherwise.
fn raw(rule: Rule, key: &[u8; 32], message: &[u8], signature: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (EncodedPoint::decode(key), Signature::from_bytes(signature))
    else {
        return false;
    };
    rule::check_encoding(rule, &key).is_ok()
        && rule::check_nonce(rule, signature.nonce()).is_ok()
        && native::holds(rule, &key, message, &signature)
}

fn secret_key(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
    Ed25519::keygen(rng)
}

/// A signature by a signer who shifts their key and their nonce commitment by these points, and hashes
/// the shifted ones.
fn shifted(
    secret_key: &SecretKey,
    message: &[u8],
    [of_key, of_nonce]: [EdwardsPoint; 2],
) -> (PublicKey, Signature) {
    let key = EncodedPoint::from(secret_key.public_key().encoded().point() + of_key);
    let r = Scalar::from(1_000_003u64);
    let nonce = EncodedPoint::from(EdwardsPoint::mul_base(&r) + of_nonce);
    let signature = answer(secret_key, &key, (r, nonce), message);
    (PublicKey::from_bytes(key.bytes()).unwrap(), signature)
}

/// The signature with this nonce commitment, whatever it is.
fn answer(
    secret_key: &SecretKey,
    key: &EncodedPoint,
    (r, nonce): (Scalar, EncodedPoint),
    message: &[u8],
) -> Signature {
    let k = native::challenge(nonce.bytes(), key.bytes(), message);
    Signature::new(nonce, r + Scalar::from_bytes_mod_order_wide(&k) * secret_key.scalar())
}
