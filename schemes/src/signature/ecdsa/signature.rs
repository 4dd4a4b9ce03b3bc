//! Signatures (r, s), and the byte that lets the key be recovered.

use num_bigint::BigUint;
use num_traits::Zero;

use crate::curve::weierstrass::{to_bytes, Curve};
use crate::signature::{error::RECOVERY_BYTES, MemberSignature, SignatureError};

/// Bytes of an encoded signature: r, then s, both big-endian (IEEE P1363).
pub(super) const LENGTH: usize = 64;

/// A pair (r, s) over a curve: both are between 1 and n - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    curve: Curve,
    r: [u8; 32],
    s: [u8; 32],
}

impl Signature {
    /// Checks big-endian integers.
    ///
    /// # Errors
    ///
    /// [`SignatureError::OutOfRange`].
    pub fn new(curve: Curve, r: &[u8; 32], s: &[u8; 32]) -> Result<Self, SignatureError> {
        for (bytes, name) in [(r, 'r'), (s, 's')] {
            let integer = BigUint::from_bytes_be(bytes);
            if integer.is_zero() || &integer >= curve.n() {
                return Err(SignatureError::OutOfRange(name));
            }
        }
        Ok(Self { curve, r: *r, s: *s })
    }

    /// Reads [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`] or [`SignatureError::OutOfRange`].
    pub fn from_bytes(curve: Curve, bytes: &[u8]) -> Result<Self, SignatureError> {
        let [r, s] = SignatureError::check_halves(bytes)?;
        Self::new(curve, &r, &s)
    }

    /// r, then s, each in 32 big-endian bytes.
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        [self.r, self.s].as_flattened().try_into().expect("two halves of 32 bytes")
    }

    /// The curve.
    pub fn curve(&self) -> Curve {
        self.curve
    }

    /// r, big-endian.
    pub fn r(&self) -> [u8; 32] {
        self.r
    }

    /// s, big-endian.
    pub fn s(&self) -> [u8; 32] {
        self.s
    }

    /// Whether s is above n/2. Since n is odd, exactly one of s and n - s is.
    pub fn is_high(&self) -> bool {
        BigUint::from_bytes_be(&self.s) << 1u8 > *self.curve.n()
    }

    /// (r, n - s): without a rule on s, it is valid wherever (r, s) is.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { s: to_bytes(&(self.curve.n() - BigUint::from_bytes_be(&self.s))), ..*self }
    }
}

/// Which of the points with x = r modulo n is R.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecoveryId {
    /// Whether the y coordinate of R is odd.
    pub is_odd: bool,
    /// Whether the x coordinate of R is r + n, which the prime of the coordinates leaves room for:
    /// one nonce in 2^128 over secp256k1, one in 2^32 over P-256.
    pub is_above_order: bool,
}

impl RecoveryId {
    /// Reads 0 to 3, or 27 to 30 as Bitcoin and Ethereum write them.
    ///
    /// # Errors
    ///
    /// [`SignatureError::RecoveryByte`].
    pub fn from_byte(byte: u8) -> Result<Self, SignatureError> {
        let range = RECOVERY_BYTES.into_iter().find(|range| range.contains(&byte));
        let id = byte - range.ok_or(SignatureError::RecoveryByte(byte))?.start();
        Ok(Self { is_odd: id & 1 == 1, is_above_order: id & 2 == 2 })
    }

    /// 27 to 30.
    pub fn to_byte(self) -> u8 {
        let [_, written] = RECOVERY_BYTES;
        written.start() + u8::from(self.is_odd) + 2 * u8::from(self.is_above_order)
    }

    /// The byte for (r, n - s), whose R is the negated point.
    #[must_use]
    pub fn negate(self) -> Self {
        Self { is_odd: !self.is_odd, ..self }
    }
}

/// Reads 65 bytes: r, s and the recovery byte.
///
/// # Errors
///
/// [`SignatureError::WrongLength`], [`SignatureError::OutOfRange`] or
/// [`SignatureError::RecoveryByte`].
pub fn decode_recoverable(
    curve: Curve,
    bytes: &[u8],
) -> Result<(Signature, RecoveryId), SignatureError> {
    let [pair @ .., byte] = SignatureError::check_length::<{ LENGTH + 1 }>(bytes)?;
    Ok((Signature::from_bytes(curve, pair)?, RecoveryId::from_byte(*byte)?))
}

/// r, s and the recovery byte, which is 27 to 30.
pub fn encode_recoverable(signature: &Signature, id: RecoveryId) -> [u8; LENGTH + 1] {
    let mut bytes = [id.to_byte(); LENGTH + 1];
    bytes[..LENGTH].copy_from_slice(&signature.to_bytes());
    bytes
}

impl MemberSignature for Signature {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }
}

/// The signature of a member known only by its address.
impl MemberSignature for (Signature, RecoveryId) {
    fn to_bytes(&self) -> Vec<u8> {
        encode_recoverable(&self.0, self.1).to_vec()
    }
}
