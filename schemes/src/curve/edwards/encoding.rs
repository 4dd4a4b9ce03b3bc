//! Points of the prime-order subgroup and the packed encoding of circomlib.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use thiserror::Error;

use super::point::{AffinePoint, Point, A, D};
use super::scalar::Scalar;

/// The rule that a point or its encoding breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointError {
    /// The encoding is not 32 bytes long.
    #[error("a packed point has 32 bytes, not {0}")]
    WrongLength(usize),
    /// y is not below the modulus, or the sign bit is set although x is zero.
    #[error("the encoding is not canonical")]
    NonCanonical,
    /// The coordinates do not satisfy the curve equation, or no x belongs to y.
    #[error("the point is not on the curve")]
    OffCurve,
    /// The neutral element.
    #[error("the point is the identity")]
    Identity,
    /// The point has a component of small order.
    #[error("the point is outside the prime-order subgroup")]
    NotInSubgroup,
}

impl AffinePoint {
    /// circomlib's `packPoint`: y in 32 little-endian bytes, and the top bit of the last byte set
    /// if and only if x is greater than (r - 1)/2.
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut bytes = self.y().to_repr();
        bytes[31] |= u8::from(is_negative(&self.x())) << 7;
        bytes
    }

    /// Reads [`to_bytes`](Self::to_bytes). Any point of the curve is accepted, even one of small
    /// order.
    ///
    /// # Errors
    ///
    /// [`PointError::WrongLength`], [`PointError::NonCanonical`] or [`PointError::OffCurve`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PointError> {
        let mut bytes: [u8; 32] =
            bytes.try_into().map_err(|_| PointError::WrongLength(bytes.len()))?;
        let negative = bytes[31] & 0x80 != 0;
        bytes[31] &= 0x7f;
        let y = Fr::from_repr(bytes).into_option().ok_or(PointError::NonCanonical)?;
        let yy = y.square();
        // The denominator cannot vanish: a is a square and d is not.
        let denominator = A - D * yy;
        let inverse = denominator.invert().into_option().ok_or(PointError::OffCurve)?;
        let root = ((Fr::ONE - yy) * inverse).sqrt().into_option().ok_or(PointError::OffCurve)?;
        if negative && root == Fr::ZERO {
            return Err(PointError::NonCanonical);
        }
        let x = if is_negative(&root) == negative { root } else { -root };
        Self::new(x, y).ok_or(PointError::OffCurve)
    }
}

/// Whether the canonical integer is greater than (r - 1)/2: doubling then wraps round an odd
/// modulus and leaves an odd number.
fn is_negative(value: &Fr) -> bool {
    bool::from(value.double().is_odd())
}

/// Evidence that a point is on the curve, in the prime-order subgroup and not the identity. Public
/// keys and nonce commitments are of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubgroupPoint(AffinePoint);

impl SubgroupPoint {
    /// Checks a point of the curve.
    ///
    /// # Errors
    ///
    /// [`PointError::Identity`] or [`PointError::NotInSubgroup`].
    pub fn from_affine(point: AffinePoint) -> Result<Self, PointError> {
        if point.is_identity() {
            return Err(PointError::Identity);
        }
        point.is_in_subgroup().then_some(Self(point)).ok_or(PointError::NotInSubgroup)
    }

    /// Checks a pair of coordinates.
    ///
    /// # Errors
    ///
    /// [`PointError::OffCurve`], [`PointError::Identity`] or [`PointError::NotInSubgroup`].
    pub fn from_coordinates(x: Fr, y: Fr) -> Result<Self, PointError> {
        Self::from_affine(AffinePoint::new(x, y).ok_or(PointError::OffCurve)?)
    }

    /// Reads the packed encoding and checks the point.
    ///
    /// # Errors
    ///
    /// Any [`PointError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PointError> {
        Self::from_affine(AffinePoint::from_bytes(bytes)?)
    }

    /// The generator of the subgroup.
    pub fn generator() -> Self {
        Self(AffinePoint::generator())
    }

    /// `scalar` times the generator, in constant time.
    ///
    /// # Errors
    ///
    /// [`PointError::Identity`] if the scalar is zero.
    pub fn mul_generator(scalar: &Scalar) -> Result<Self, PointError> {
        Self::from_subgroup(&super::multiply::mul_generator(scalar))
    }

    /// A sum of multiples of points of this type; it cannot leave the subgroup.
    pub(crate) fn from_subgroup(point: &Point) -> Result<Self, PointError> {
        let affine = point.to_affine();
        (!affine.is_identity()).then_some(Self(affine)).ok_or(PointError::Identity)
    }

    /// The packed encoding: 32 bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The point as any other point of the curve.
    pub fn to_affine(&self) -> AffinePoint {
        self.0
    }

    /// The x coordinate.
    pub fn x(&self) -> Fr {
        self.0.x()
    }

    /// The y coordinate.
    pub fn y(&self) -> Fr {
        self.0.y()
    }
}

impl From<SubgroupPoint> for AffinePoint {
    fn from(point: SubgroupPoint) -> Self {
        point.0
    }
}

impl From<SubgroupPoint> for Point {
    fn from(point: SubgroupPoint) -> Self {
        point.0.into()
    }
}
