//! The prime-order subgroup of Baby Jubjub and the integers modulo its order, as frost-core needs
//! them.

use std::ops::{Add, Mul, Sub};

use ff::Field as _;
use frost_core::{Field, FieldError, Group, GroupError};
use muster_schemes::curve::edwards::{
    mul_generator, AffinePoint, Point, PointError, Scalar, SubgroupPoint,
};
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

/// An element of the prime-order subgroup: sums and multiples of the generator, and what
/// [`Subgroup::deserialize`] has checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element(Point);

impl Element {
    /// The point of the curve.
    pub fn point(&self) -> Point {
        self.0
    }

    /// A sum of multiples of elements, which cannot leave the subgroup.
    pub(crate) fn from_sum(point: Point) -> Self {
        Self(point)
    }

    fn generator() -> Self {
        Self(AffinePoint::generator().into())
    }
}

impl Add for Element {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Element {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<Scalar> for Element {
    type Output = Self;

    /// In constant time. The point is public; the generator has a table.
    fn mul(self, scalar: Scalar) -> Self {
        if self == Self::generator() {
            Self(mul_generator(&scalar))
        } else {
            Self(self.0.mul(&scalar))
        }
    }
}

/// The prime-order subgroup of Baby Jubjub, in circomlib's packed points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subgroup;

impl Group for Subgroup {
    type Field = ScalarField;
    type Element = Element;
    type Serialization = [u8; 32];

    /// One: the curve's cofactor is 8, but no element leaves the subgroup.
    fn cofactor() -> Scalar {
        ScalarField::one()
    }

    fn identity() -> Element {
        Element(Point::identity())
    }

    fn generator() -> Element {
        Element::generator()
    }

    fn serialize(element: &Element) -> Result<[u8; 32], GroupError> {
        let bytes = (!element.0.is_identity()).then(|| element.0.to_affine().to_bytes());
        bytes.ok_or(GroupError::InvalidIdentityElement)
    }

    fn deserialize(bytes: &[u8; 32]) -> Result<Element, GroupError> {
        let point = SubgroupPoint::from_bytes(bytes).map_err(|error| match error {
            PointError::Identity => GroupError::InvalidIdentityElement,
            PointError::NotInSubgroup => GroupError::InvalidNonPrimeOrderElement,
            _ => GroupError::MalformedElement,
        })?;
        Ok(Element(point.into()))
    }
}

/// The integers modulo l, in 32 little-endian bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarField;

impl Field for ScalarField {
    type Scalar = Scalar;
    type Serialization = [u8; 32];

    fn zero() -> Scalar {
        Scalar::ZERO
    }

    fn one() -> Scalar {
        Scalar::ONE
    }

    fn invert(scalar: &Scalar) -> Result<Scalar, FieldError> {
        scalar.invert().into_option().ok_or(FieldError::InvalidZeroScalar)
    }

    /// From 512 random bits, so that the bias is below 2^-250.
    fn random<R: RngCore + CryptoRng>(rng: &mut R) -> Scalar {
        let mut wide = Zeroizing::new([0; 64]);
        rng.fill_bytes(wide.as_mut());
        Scalar::from_wide(&wide)
    }

    fn serialize(scalar: &Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }

    fn little_endian_serialize(scalar: &Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }

    fn deserialize(bytes: &[u8; 32]) -> Result<Scalar, FieldError> {
        Scalar::from_bytes(bytes).ok_or(FieldError::MalformedScalar)
    }
}
