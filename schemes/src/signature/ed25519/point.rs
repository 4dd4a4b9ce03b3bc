//! Points of Edwards25519 together with the bytes that they were read from.

use std::fmt;

use curve25519_dalek::{
    edwards::{CompressedEdwardsY, EdwardsPoint},
    Scalar,
};
use thiserror::Error;

/// Bytes of an encoded point.
pub(crate) const WIDTH: usize = 32;

/// Why a point of Edwards25519 is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointError {
    /// No x belongs to y.
    #[error("the point is not on the curve Edwards25519")]
    OffCurve,
    /// y is not below the prime of the curve, or the sign bit is set although x is zero.
    #[error("the encoding is not canonical")]
    NonCanonical,
    /// Eight times the point is the identity; the identity itself is such a point.
    #[error("the point is of small order")]
    SmallOrder,
    /// The point is the sum of one of the subgroup of order l and one of small order.
    #[error("the point is outside the subgroup of order l")]
    MixedOrder,
}

/// A point of the curve and 32 bytes that encode it: y in 255 little-endian bits, then the lowest bit
/// of x (RFC 8032, section 5.1.2). Most points have one encoding; those with a y below 19 have a second
/// one with y + p, and with x = 0 the bit may be either. Challenges and names are made from the bytes
/// as they came.
#[derive(Clone, Copy)]
pub struct EncodedPoint {
    bytes: [u8; WIDTH],
    point: EdwardsPoint,
}

impl EncodedPoint {
    /// Reads any encoding, canonical or not (ZIP 215).
    ///
    /// # Errors
    ///
    /// [`PointError::OffCurve`].
    pub fn decode(bytes: &[u8; WIDTH]) -> Result<Self, PointError> {
        // The crate reduces y, and takes either sign bit with x = 0.
        let point = CompressedEdwardsY(*bytes).decompress().ok_or(PointError::OffCurve)?;
        Ok(Self { bytes: *bytes, point })
    }

    /// `scalar` times the generator, canonically encoded. In constant time.
    pub(super) fn of_scalar(scalar: &Scalar) -> Self {
        EdwardsPoint::mul_base(scalar).into()
    }

    /// `number` times the generator.
    pub(crate) fn multiple(number: i16) -> Self {
        let scalar = Scalar::from(u64::from(number.unsigned_abs()));
        Self::of_scalar(&if number < 0 { -scalar } else { scalar })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; WIDTH] {
        &self.bytes
    }

    /// Whether RFC 8032 decodes the bytes.
    pub fn is_canonical(&self) -> bool {
        self.point.compress().0 == self.bytes
    }

    /// Whether eight times the point is the identity.
    pub fn is_small_order(&self) -> bool {
        self.point.is_small_order()
    }

    /// Whether the point is in the subgroup of the prime order l.
    pub fn is_torsion_free(&self) -> bool {
        self.point.is_torsion_free()
    }

    pub(super) fn point(&self) -> &EdwardsPoint {
        &self.point
    }

    /// Eight times the point, which is the same for all that differ by a point of small order: its y, and whether its x is odd.
    pub(crate) fn times_eight(&self) -> ([u8; WIDTH], bool) {
        let mut bytes = self.point.mul_by_cofactor().compress().0;
        let sign = bytes[WIDTH - 1] >> 7;
        bytes[WIDTH - 1] &= 0x7f;
        (bytes, sign == 1)
    }
}

impl From<EdwardsPoint> for EncodedPoint {
    fn from(point: EdwardsPoint) -> Self {
        Self { bytes: point.compress().0, point }
    }
}

/// Two are equal if their bytes are.
impl PartialEq for EncodedPoint {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for EncodedPoint {}

impl fmt::Debug for EncodedPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{}", hex::encode(self.bytes))
    }
}
