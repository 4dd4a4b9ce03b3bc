//! Signatures: R as it was given, and s below l.

use curve25519_dalek::Scalar;

use super::point::{EncodedPoint, WIDTH};
use crate::signature::{MemberSignature, SignatureError};

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
