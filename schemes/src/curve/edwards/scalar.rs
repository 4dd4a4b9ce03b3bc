//! Integers modulo the order of the prime-order subgroup of Baby Jubjub.

// The derive writes the byte array type `ScalarRepr` without documentation.
#![allow(missing_docs)]

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use zeroize::DefaultIsZeroes;

/// An integer modulo
/// l = 2736030358979909402780800718157159386076813972158567259200215660948447373041.
///
/// `to_repr` and `from_repr` take 32 little-endian bytes; `from_repr` refuses integers that are not
/// below l. (31 is the smallest primitive root modulo l.)
#[derive(PrimeField)]
#[PrimeFieldModulus = "2736030358979909402780800718157159386076813972158567259200215660948447373041"]
#[PrimeFieldGenerator = "31"]
#[PrimeFieldReprEndianness = "little"]
pub struct Scalar([u64; 4]);

impl DefaultIsZeroes for Scalar {}

/// Bytes that fit below l whatever they hold: l is between 2^250 and 2^251.
const CHUNK: usize = 31;

impl Scalar {
    /// Reduces a 512-bit little-endian integer modulo l, in constant time.
    pub fn from_wide(bytes: &[u8; 64]) -> Self {
        let shift = Self::from(1 << 62).square().square(); // 2^248
        bytes.chunks(CHUNK).rev().fold(Self::ZERO, |acc, chunk| {
            let mut repr = ScalarRepr([0; 32]);
            repr.0[..chunk.len()].copy_from_slice(chunk);
            let value = Self::from_repr(repr).into_option().expect("31 bytes are below l");
            acc * shift + value
        })
    }

    /// Reduces a 256-bit little-endian integer modulo l, in constant time.
    pub fn from_bytes_reduced(bytes: &[u8; 32]) -> Self {
        let mut wide = [0; 64];
        wide[..32].copy_from_slice(bytes);
        Self::from_wide(&wide)
    }

    /// Reduces the canonical integer of a base field element modulo l.
    pub fn from_base(value: &Fr) -> Self {
        Self::from_bytes_reduced(&value.to_repr())
    }

    /// The odd integer 2·v - (2^128 - 1) modulo l: a coefficient of 128 bits.
    pub fn odd(v: u128) -> Self {
        (Self::from_u128(v) - Self::from_u128(1 << 127)).double() + Self::ONE
    }

    /// 32 little-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.to_repr().0
    }

    /// Reads 32 little-endian bytes; `None` if the integer is not below l.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        Self::from_repr(ScalarRepr(*bytes)).into_option()
    }
}

/// The canonical integer of a base field element in 128-bit halves, the high one first.
pub fn halves(value: &Fr) -> [u128; 2] {
    let repr = value.to_repr();
    let (halves, _) = repr.as_chunks();
    [halves[1], halves[0]].map(u128::from_le_bytes)
}
