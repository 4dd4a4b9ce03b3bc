//! Signing and verifying (RFC 8032, sections 5.1.6 and 5.1.7).
//!
//! With the generator B of order l, the secret scalar a and the public key A = a·B, a signature of m is
//! (R, s) with R = r·B, r the SHA-512 of the nonce key and m, and s = r + k·a modulo l, where k is the
//! SHA-512 of R, A and m. It verifies if s·B = R + k·A, or under the rules with the cofactor, if that
//! holds times 8.

use curve25519_dalek::{edwards::EdwardsPoint, traits::IsIdentity, Scalar};
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use super::{rule, EncodedPoint, PublicKey, SecretKey, Signature};
use crate::signature::{Rule, SignatureError};

/// The challenge SHA-512(R ‖ A ‖ m), of the encodings as they are given: 64 bytes, little-endian. The
/// equation takes it modulo l.
pub fn challenge(r: &[u8; 32], public_key: &[u8; 32], message: &[u8]) -> [u8; 64] {
    hash([r, public_key, message]).into()
}

fn hash<const N: usize>(parts: [&[u8]; N]) -> sha2::digest::Output<Sha512> {
    parts.into_iter().fold(Sha512::new(), |hash, part| hash.chain_update(part)).finalize()
}

/// The deterministic signature of a message.
pub fn sign(secret_key: &SecretKey, message: &[u8]) -> Signature {
    let digest = Zeroizing::new(<[u8; 64]>::from(hash([secret_key.nonce_key(), message])));
    let nonce = Zeroizing::new(Scalar::from_bytes_mod_order_wide(&digest));
    let commitment = EncodedPoint::of_scalar(&nonce);
    let k = challenge(commitment.bytes(), &secret_key.public_key().to_bytes(), message);
    let s = *nonce + Scalar::from_bytes_mod_order_wide(&k) * secret_key.scalar();
    Signature::new(commitment, s)
}

/// A key whose secret scalar is `number`, which everybody knows, with a signature on a message. It has no
/// seed.
pub fn published(number: u8, message: &[u8]) -> (PublicKey, Signature) {
    let key = EncodedPoint::multiple(number.into());
    let digest = <[u8; 64]>::from(hash([&[number], message]));
    let (nonce, secret) = (Scalar::from_bytes_mod_order_wide(&digest), Scalar::from(number));
    let commitment = EncodedPoint::of_scalar(&nonce);
    let k = Scalar::from_bytes_mod_order_wide(&challenge(commitment.bytes(), key.bytes(), message));
    let key = PublicKey::from_bytes(key.bytes()).expect("a small multiple of the generator");
    (key, Signature::new(commitment, nonce + k * secret))
}

/// Checks a signature on a message under a rule, in variable time.
///
/// # Errors
///
/// [`SignatureError::Ed25519Key`] for a key that no set under the rule may hold,
/// [`SignatureError::Ed25519Nonce`] for an R that it refuses, [`SignatureError::Equation`].
pub fn verify(
    rule: Rule,
    public_key: &PublicKey,
    message: &[u8],
    signature: &Signature,
) -> Result<(), SignatureError> {
    public_key.check(rule)?;
    rule::check_nonce(rule, signature.nonce()).map_err(SignatureError::Ed25519Nonce)?;
    let holds = holds(rule, public_key.encoded(), message, signature);
    holds.then_some(()).ok_or(SignatureError::Equation)
}

/// Whether the rule's equation holds, whatever the order of A and R.
pub(super) fn holds(
    rule: Rule,
    public_key: &EncodedPoint,
    message: &[u8],
    signature: &Signature,
) -> bool {
    let nonce = signature.nonce();
    let k = challenge(nonce.bytes(), public_key.bytes(), message);
    let k = Scalar::from_bytes_mod_order_wide(&k);
    // Not (l - k)·A: with a part of small order that would be another point.
    let (minus_a, s) = (-public_key.point(), signature.scalar());
    let expected = EdwardsPoint::vartime_double_scalar_mul_basepoint(&k, &minus_a, s);
    let difference = expected - nonce.point();
    if rule::is_cofactored(rule) {
        difference.is_small_order()
    } else {
        difference.is_identity()
    }
}
