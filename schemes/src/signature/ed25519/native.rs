//! Signatures: signing and verifying (RFC 8032, sections 5.1.6 and 5.1.7).
//!
//! With the generator B of order l, the secret scalar a and the public key A = a·B, a signature of m is
//! (R, s) with R = r·B, r the SHA-512 of the nonce key and m, and s = r + k·a modulo l, where k is the
//! SHA-512 of R, A and m. It verifies if s·B = R + k·A, or under the rules with the cofactor, if that
//! holds times 8.

use curve25519_dalek::{edwards::EdwardsPoint, traits::IsIdentity, Scalar};
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use super::{
    point::{EncodedPoint, WIDTH},
    rule, PublicKey, SecretKey,
};
use crate::signature::{MemberSignature, Rule, SignatureError};

/// Bytes of an encoded signature: R, then s, little-endian.
pub const SIGNATURE_LENGTH: usize = 2 * WIDTH;

/// A pair (R, s): R encodes a point of the curve, whichever, and s is below l. Zero is a valid s if
/// the equation holds for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    nonce: EncodedPoint,
    s: Scalar,
}

impl Signature {
    pub(super) fn new(nonce: EncodedPoint, s: Scalar) -> Self {
        Self { nonce, s }
    }

    /// Reads 64 bytes (RFC 8032, section 5.1.6).
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], [`SignatureError::Ed25519Nonce`] if R is not on the curve, or
    /// [`SignatureError::ScalarNotReduced`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let [r, s] = SignatureError::check_halves(bytes)?;
        let nonce = EncodedPoint::decode(&r).map_err(SignatureError::Ed25519Nonce)?;
        let s = Option::from(Scalar::from_canonical_bytes(s));
        Ok(Self { nonce, s: s.ok_or(SignatureError::ScalarNotReduced)? })
    }

    /// R, then s.
    pub fn to_bytes(&self) -> [u8; SIGNATURE_LENGTH] {
        [*self.nonce.bytes(), self.s()].as_flattened().try_into().expect("two halves of 32 bytes")
    }

    /// R with its point.
    pub fn nonce(&self) -> &EncodedPoint {
        &self.nonce
    }

    /// s, little-endian.
    pub fn s(&self) -> [u8; WIDTH] {
        self.s.to_bytes()
    }

    pub(super) fn scalar(&self) -> &Scalar {
        &self.s
    }
}

impl MemberSignature for Signature {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }
}

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
