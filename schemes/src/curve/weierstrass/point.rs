//! Points that are known to be on their curve, and the encoding of SEC 1.

use std::ops::Neg;

use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::BigUint;
use thiserror::Error;

use super::{to_bytes, Affine, Curve};
use crate::{field::halves, hash::poseidon};

/// Label of the tag under which a point is hashed to one field element.
pub const NAME_DOMAIN: &str = "muster.key.weierstrass.v1";

/// Bytes of a coordinate.
const WIDTH: usize = 32;

/// The rule that a point or its encoding breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointError {
    /// The length of the encoding is none of those in SEC 1.
    #[error("an encoded point has 33 or 65 bytes, not {0}")]
    WrongLength(usize),
    /// The first byte does not fit the length: 2 or 3 for 33 bytes, 4 for 65.
    #[error("no encoding of this length starts with the byte {0:#04x}")]
    Tag(u8),
    /// A coordinate is not below the prime of the curve.
    #[error("the coordinate {0} is not below the prime of the curve")]
    NonCanonical(char),
    /// The coordinates do not satisfy the curve equation, or no y belongs to x.
    #[error("the point is not on the curve {0}")]
    OffCurve(Curve),
    /// The group of the curve has a cofactor, so a point on it is evidence of too little.
    #[error("points of {0} have another encoding and other rules")]
    Cofactor(Curve),
    /// The neutral element, or (0, 0), which stands for it in some libraries.
    #[error("the point is the identity")]
    Identity,
    /// The point belongs to another curve.
    #[error("the point is not on {expected} but on {found}")]
    WrongCurve {
        /// The curve of the scheme.
        expected: Curve,
        /// The curve of the point.
        found: Curve,
    },
}

/// Evidence of a point on a curve of prime order: its coordinates are canonical, and it is not the
/// identity, so it generates the group. There is none on a curve with a cofactor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    curve: Curve,
    x: [u8; WIDTH],
    y: [u8; WIDTH],
}

impl Point {
    /// Checks big-endian coordinates.
    ///
    /// # Errors
    ///
    /// As [`Self::from_affine`].
    pub fn from_coordinates(
        curve: Curve,
        x: &[u8; WIDTH],
        y: &[u8; WIDTH],
    ) -> Result<Self, PointError> {
        Self::from_affine(curve, &Some((BigUint::from_bytes_be(x), BigUint::from_bytes_be(y))))
    }

    /// Checks a pair of integers.
    ///
    /// # Errors
    ///
    /// [`PointError::NonCanonical`], [`PointError::Identity`], [`PointError::OffCurve`] or
    /// [`PointError::Cofactor`].
    pub fn from_affine(curve: Curve, point: &Affine) -> Result<Self, PointError> {
        refuse_cofactor(curve)?;
        let (x, y) = point.as_ref().ok_or(PointError::Identity)?;
        if x.bits() == 0 && y.bits() == 0 {
            return Err(PointError::Identity);
        }
        for (coordinate, name) in [(x, 'x'), (y, 'y')] {
            if coordinate >= curve.p() {
                return Err(PointError::NonCanonical(name));
            }
        }
        if !curve.parameters().contains(point) {
            return Err(PointError::OffCurve(curve));
        }
        Ok(Self { curve, x: to_bytes(x), y: to_bytes(y) })
    }

    /// The point with this x and a y that is odd or even.
    ///
    /// # Errors
    ///
    /// [`PointError::NonCanonical`], [`PointError::OffCurve`] or [`PointError::Cofactor`].
    pub fn from_x(curve: Curve, x: &[u8; WIDTH], odd: bool) -> Result<Self, PointError> {
        refuse_cofactor(curve)?;
        let x = BigUint::from_bytes_be(x);
        if &x >= curve.p() {
            return Err(PointError::NonCanonical('x'));
        }
        let y = curve.parameters().y_of(&x).ok_or(PointError::OffCurve(curve))?;
        // No point has y = 0: it would have order 2. So y and p - y differ in their last bit.
        let y = if y.bit(0) == odd { y } else { curve.p() - y };
        Ok(Self { curve, x: to_bytes(&x), y: to_bytes(&y) })
    }

    /// The generator of a curve.
    ///
    /// # Panics
    /// If the curve has a cofactor.
    pub fn generator(curve: Curve) -> Self {
        refuse_cofactor(curve).expect("the order of the curve is prime");
        let (x, y) = &curve.parameters().generator;
        Self { curve, x: to_bytes(x), y: to_bytes(y) }
    }

    /// Reads 33 compressed or 65 uncompressed bytes (SEC 1 version 2.0, section 2.3.4). The hybrid
    /// form is refused.
    ///
    /// # Errors
    ///
    /// Any [`PointError`] except [`PointError::WrongCurve`].
    pub fn from_sec1(curve: Curve, bytes: &[u8]) -> Result<Self, PointError> {
        match bytes {
            [0] => Err(PointError::Identity),
            [tag @ (2 | 3), x @ ..] if x.len() == WIDTH => {
                Self::from_x(curve, &coordinate(x), *tag == 3)
            }
            [4, rest @ ..] if rest.len() == 2 * WIDTH => {
                let (x, y) = rest.split_at(WIDTH);
                Self::from_coordinates(curve, &coordinate(x), &coordinate(y))
            }
            [tag, rest @ ..] if [WIDTH, 2 * WIDTH].contains(&rest.len()) => {
                Err(PointError::Tag(*tag))
            }
            _ => Err(PointError::WrongLength(bytes.len())),
        }
    }

    /// The compressed encoding: 2 or 3 for an even or odd y, then x.
    pub fn to_sec1(&self) -> [u8; 33] {
        let mut bytes = [2 + u8::from(self.is_odd()); 33];
        bytes[1..].copy_from_slice(&self.x);
        bytes
    }

    /// The uncompressed encoding: 4, x, y.
    pub fn to_sec1_uncompressed(&self) -> [u8; 65] {
        let mut bytes = [4; 65];
        bytes[1..33].copy_from_slice(&self.x);
        bytes[33..].copy_from_slice(&self.y);
        bytes
    }

    /// The curve.
    pub fn curve(&self) -> Curve {
        self.curve
    }

    /// The x coordinate, big-endian.
    pub fn x(&self) -> [u8; WIDTH] {
        self.x
    }

    /// The y coordinate, big-endian.
    pub fn y(&self) -> [u8; WIDTH] {
        self.y
    }

    /// Whether y is odd.
    pub fn is_odd(&self) -> bool {
        self.y[WIDTH - 1] & 1 == 1
    }

    /// The coordinates as integers.
    pub fn to_affine(&self) -> Affine {
        Some((BigUint::from_bytes_be(&self.x), BigUint::from_bytes_be(&self.y)))
    }

    /// The point itself if it is on this curve.
    ///
    /// # Errors
    ///
    /// [`PointError::WrongCurve`].
    pub fn on(self, expected: Curve) -> Result<Self, PointError> {
        let found = self.curve;
        (found == expected).then_some(self).ok_or(PointError::WrongCurve { expected, found })
    }

    /// The field element under which a leaf of a key set names this key: the Poseidon of the four
    /// halves of 128 bits of x and y, high halves first, and of a zero, with the tag
    /// [`NAME_DOMAIN`] in the capacity lane. The zero makes the permutation the same as for leaves
    /// and for nodes with five children. The curve is not part of it: all keys of a set belong to
    /// one scheme.
    pub fn name(&self) -> Fr {
        let ([x_high, x_low], [y_high, y_low]) = (halves(&self.x), halves(&self.y));
        let inputs = [x_high, x_low, y_high, y_low, Fr::ZERO];
        poseidon::hash_with_domain(poseidon::domain(NAME_DOMAIN), &inputs)
    }
}

impl Neg for Point {
    type Output = Self;

    fn neg(self) -> Self {
        let y = self.curve.p() - BigUint::from_bytes_be(&self.y);
        Self { y: to_bytes(&y), ..self }
    }
}

fn refuse_cofactor(curve: Curve) -> Result<(), PointError> {
    (curve.cofactor_bits() == 0).then_some(()).ok_or(PointError::Cofactor(curve))
}

/// A slice of 32 bytes as an array.
fn coordinate(bytes: &[u8]) -> [u8; WIDTH] {
    bytes.try_into().expect("a slice of 32 bytes")
}
