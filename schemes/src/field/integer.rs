//! Elements of prime fields as integers, and integers as bytes.

use ff::PrimeField;
use halo2curves::bn256::Fr;
use num_bigint::BigUint;

/// An element of the field by its number.
///
/// # Panics
/// If the number is not reduced.
pub fn element<F: PrimeField>(number: &BigUint) -> F {
    let mut repr = F::Repr::default();
    let bytes = number.to_bytes_le();
    repr.as_mut()[..bytes.len()].copy_from_slice(&bytes);
    F::from_repr(repr).expect("the number is reduced")
}

/// The number of an element.
pub fn number<F: PrimeField>(element: &F) -> BigUint {
    BigUint::from_bytes_le(element.to_repr().as_ref())
}

/// The prime of a field.
pub fn modulus<F: PrimeField>() -> BigUint {
    number(&-F::ONE) + 1u8
}

/// A small integer, or its negative.
pub(crate) fn small<F: PrimeField>(integer: i64) -> F {
    let magnitude = F::from(integer.unsigned_abs());
    if integer < 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// A constant in hexadecimal digits.
pub(crate) fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal digits")
}

/// The canonical bytes of an element, big-endian.
pub(crate) fn to_big_endian<F: PrimeField<Repr = [u8; 32]>>(element: &F) -> [u8; 32] {
    let mut bytes = element.to_repr();
    bytes.reverse();
    bytes
}

/// Reads [`to_big_endian`]; `None` for an integer that is not reduced.
pub(crate) fn from_big_endian<F: PrimeField<Repr = [u8; 32]>>(mut bytes: [u8; 32]) -> Option<F> {
    bytes.reverse();
    F::from_repr(bytes).into_option()
}

/// Bytes as a big-endian integer, modulo the prime.
pub(crate) fn of_bytes(bytes: &[u8]) -> Fr {
    let shift = Fr::from(256);
    bytes.iter().fold(Fr::zero(), |sum, byte| sum * shift + Fr::from(u64::from(*byte)))
}

/// An element in so many big-endian bytes, of which there are 32 at most; `None` if its number has more.
pub(crate) fn in_bytes(element: &Fr, length: usize) -> Option<Vec<u8>> {
    let bytes = to_big_endian(element);
    let (zeros, number) = bytes.split_at(bytes.len() - length);
    zeros.iter().all(|byte| *byte == 0).then(|| number.to_vec())
}

/// The high and the low 128 bits of a big-endian integer.
pub(crate) fn halves(bytes: &[u8; 32]) -> [Fr; 2] {
    let (halves, _) = bytes.as_chunks();
    [halves[0], halves[1]].map(|half| Fr::from_u128(u128::from_be_bytes(half)))
}

/// Little-endian bytes as words of 64 bits, as many as there are of these.
pub(crate) fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}
