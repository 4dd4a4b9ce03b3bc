//! Numbers and points as bytes, each with one encoding and no other. Section 1 of the
//! specification.

use ark_bn254::{Fq, Fq2, G1Affine, G2Affine};
use ark_ec::AffineRepr;

use ark_ff::{BigInt, BigInteger, PrimeField};
use thiserror::Error;

use crate::Scalar;

/// Bytes of a scalar.
pub(crate) const SCALAR: usize = 32;
/// Bytes of a point of G1 in a key.
pub(crate) const POINT: usize = 64;
/// Bytes of one in a proof.
pub(crate) const COMPRESSED: usize = 32;
/// Bytes of a point of G2.
pub(crate) const POINT_G2: usize = 128;

/// Of the first byte.
const HIGHEST_BIT: u8 = 1 << 7;

/// Why bytes are not the point that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointError {
    /// A coordinate is not below the field's order.
    #[error("a coordinate is not below the order of the field")]
    NotCanonical,
    /// The coordinates do not fulfil the curve's equation.
    #[error("the point is not on the curve")]
    NotOnCurve,
    /// The point is on the twist, and not in the subgroup of order `r`.
    #[error("the point is not in the subgroup")]
    NotInSubgroup,
    /// The point is the identity where that is refused.
    #[error("the point is the identity")]
    Identity,
}

/// The integer in 32 big-endian bytes.
fn integer(bytes: &[u8; 32]) -> BigInt<4> {
    let (words, _) = bytes.as_chunks::<8>();
    let mut limbs = [0; 4];
    for (limb, word) in limbs.iter_mut().zip(words.iter().rev()) {
        *limb = u64::from_be_bytes(*word);
    }
    BigInt::new(limbs)
}

/// The number in 32 big-endian bytes, if it is below the order of the field.
fn number<F: PrimeField<BigInt = BigInt<4>>>(bytes: &[u8; 32]) -> Option<F> {
    F::from_bigint(integer(bytes))
}

/// A number in 32 big-endian bytes.
fn number_bytes<F: PrimeField<BigInt = BigInt<4>>>(number: &F) -> [u8; 32] {
    let mut bytes = [0; 32];
    let limbs = number.into_bigint();
    for (chunk, limb) in bytes.chunks_exact_mut(8).zip(limbs.0.iter().rev()) {
        chunk.copy_from_slice(&limb.to_be_bytes());
    }
    bytes
}

/// The scalar in 32 big-endian bytes, unless they are a number of `r` or more.
pub fn scalar_from_bytes(bytes: &[u8; 32]) -> Option<Scalar> {
    number(bytes)
}

/// A scalar in 32 big-endian bytes.
pub fn scalar_to_bytes(scalar: &Scalar) -> [u8; 32] {
    number_bytes(scalar)
}

/// The numbers in the bytes of a point, in order.
fn coordinates<const N: usize>(bytes: &[u8]) -> Result<[Fq; N], PointError> {
    let (chunks, _) = bytes.as_chunks::<32>();
    let mut numbers = [Fq::default(); N];
    for (coordinate, chunk) in numbers.iter_mut().zip(chunks) {
        *coordinate = number(chunk).ok_or(PointError::NotCanonical)?;
    }
    Ok(numbers)
}

/// A point of G1, or the identity. The curve has no points but those of order `r`.
pub(crate) fn point_or_identity(bytes: &[u8; POINT]) -> Result<G1Affine, PointError> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Ok(G1Affine::identity());
    }
    let [x, y] = coordinates(bytes)?;
    let point = G1Affine::new_unchecked(x, y);
    if point.is_on_curve() {
        Ok(point)
    } else {
        Err(PointError::NotOnCurve)
    }
}

/// A point of G1 that is not the identity.
pub(crate) fn point(bytes: &[u8; POINT]) -> Result<G1Affine, PointError> {
    let point = point_or_identity(bytes)?;
    if point.is_zero() {
        Err(PointError::Identity)
    } else {
        Ok(point)
    }
}

/// The bytes of a point that is not the identity, as keys have them.
pub(crate) fn point_bytes(point: &G1Affine) -> [u8; POINT] {
    let mut bytes = [0; POINT];
    bytes[..SCALAR].copy_from_slice(&number_bytes(&point.x));
    bytes[SCALAR..].copy_from_slice(&number_bytes(&point.y));
    bytes
}

/// A point of G1 in a proof: its `x`, and in the highest bit whether `y` is odd. The identity has no such bytes.
pub(crate) fn compressed_point(bytes: &[u8; COMPRESSED]) -> Result<G1Affine, PointError> {
    let mut bytes = *bytes;
    let is_odd = bytes[0] & HIGHEST_BIT != 0;
    bytes[0] &= !HIGHEST_BIT;
    let x = number(&bytes).ok_or(PointError::NotCanonical)?;
    let (small, large) = G1Affine::get_ys_from_x_unchecked(x).ok_or(PointError::NotOnCurve)?;
    let y = if small.into_bigint().is_odd() == is_odd { small } else { large };
    Ok(G1Affine::new_unchecked(x, y))
}

/// A point of the subgroup of order `r` of G2 that is not the identity.
pub(crate) fn point_g2(bytes: &[u8; POINT_G2]) -> Result<G2Affine, PointError> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Err(PointError::Identity);
    }
    let [x1, x0, y1, y0] = coordinates(bytes)?;
    let point = G2Affine::new_unchecked(Fq2::new(x0, x1), Fq2::new(y0, y1));
    if !point.is_on_curve() {
        Err(PointError::NotOnCurve)
    } else if !point.is_in_correct_subgroup_assuming_on_curve() {
        Err(PointError::NotInSubgroup)
    } else {
        Ok(point)
    }
}

/// 32 bytes as a number, modulo `r`.
pub(crate) fn scalar_reduced(bytes: &[u8; 32]) -> Scalar {
    let mut integer = integer(bytes);
    // 2^256 is less than 6·r, so this is at most five subtractions.
    while integer >= Scalar::MODULUS {
        integer.sub_with_borrow(&Scalar::MODULUS);
    }
    Scalar::from_bigint(integer).unwrap_or_default()
}

/// Bytes that are read from front to back.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader of all of these bytes.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// How many bytes are left.
    pub(crate) fn remaining(&self) -> usize {
        self.0.len()
    }

    /// The next `N` bytes, if there are as many.
    pub(crate) fn array<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(array)
    }

    /// The next bytes, if there are as many.
    pub(crate) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (slice, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(slice)
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array().map(|&[byte]| byte)
    }

    /// The next four bytes as a number.
    pub(crate) fn number(&mut self) -> Option<u32> {
        self.array().map(|bytes| u32::from_be_bytes(*bytes))
    }

    /// The next four bytes as a number in two's complement.
    pub(crate) fn signed(&mut self) -> Option<i32> {
        self.array().map(|bytes| i32::from_be_bytes(*bytes))
    }

    /// The next points' bytes, if there are as many.
    pub(crate) fn points(&mut self, count: usize) -> Option<&'a [[u8; POINT]]> {
        let bytes = self.slice(count.checked_mul(POINT)?)?;
        Some(bytes.as_chunks().0)
    }
}
