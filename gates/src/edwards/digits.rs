//! Scalars as odd signed digits.
//!
//! `Σ dᵢ·16ⁱ` with `dᵢ ∈ {±1, ±3, …, ±15}` gives each odd integer of absolute value below `16ⁿ`
//! once. No digit is zero, so a table holds eight points and each row adds one.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::{BigInt, BigUint};

/// Digits of a scalar modulo the order of the subgroup (251 bits).
pub const LONG_DIGITS: usize = 63;
/// Digits of a batching coefficient (128 bits).
pub const SHORT_DIGITS: usize = 32;

/// An odd integer below `2^252` in absolute value, as digits, the highest first.
#[derive(Clone, Debug)]
pub struct LongScalar {
    pub(super) digits: [i8; LONG_DIGITS],
}

impl LongScalar {
    /// The digits of `value`.
    ///
    /// # Panics
    /// If `value` is even or not below `2^252` in absolute value.
    pub fn new(value: &BigInt) -> Self {
        let bound = BigInt::from(1) << (4 * LONG_DIGITS);
        let shifted: BigInt = (value + &bound - 1u8) >> 1;
        assert!(value.bit(0), "odd digits give odd scalars");
        let halves = shifted.to_biguint().expect("the scalar is above -2^252");
        assert!(halves.bits() <= 4 * LONG_DIGITS as u64, "the scalar is below 2^252");
        Self { digits: digits(&halves) }
    }
}

/// The odd integer `2·v - (2^128 - 1)` for a `v` of 128 bits, as digits, the highest first.
#[derive(Clone, Debug)]
pub struct ShortScalar {
    pub(super) digits: [i8; SHORT_DIGITS],
}

impl ShortScalar {
    /// The digits of `2·v - (2^128 - 1)`.
    pub fn new(v: u128) -> Self {
        Self { digits: digits(&BigUint::from(v)) }
    }
}

/// Digit `2·e - 15` for each hexadecimal digit `e`, the highest first.
fn digits<const N: usize>(value: &BigUint) -> [i8; N] {
    let nibble = |i: usize| {
        let start = 4 * (N - 1 - i) as u64;
        (0..4).map(|bit| i8::from(value.bit(start + bit)) << bit).sum::<i8>()
    };
    std::array::from_fn(|i| 2 * nibble(i) - 15)
}

/// A digit as a field element.
pub(super) fn to_field(digit: i8) -> Fr {
    let magnitude = Fr::from(u64::from(digit.unsigned_abs()));
    if digit < 0 {
        -magnitude
    } else {
        magnitude
    }
}
