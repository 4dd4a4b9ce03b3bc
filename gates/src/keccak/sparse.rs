//! Words of 64 bits as field elements with one digit for each bit, so that sums of words keep the bits
//! apart.

use std::{iter, sync::LazyLock};

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::fe_to_biguint,
};

/// Base of the digits: digits of at most 5 never carry, even if two of them are added in one place.
pub(super) const BASE: u64 = 12;
// Words are then distinct modulo `BASE^64 - 1`, too.
const _: () = assert!(5 + 5 < BASE - 1);
/// Digits of a word.
pub(super) const DIGITS: usize = 64;
/// Digits that are looked up at once.
pub(super) const CHUNK: usize = 5;
/// Chunks of a word; the highest one has only four digits.
pub(super) const CHUNKS: usize = DIGITS.div_ceil(CHUNK);
/// Position of the highest chunk.
pub(super) const TOP: usize = CHUNK * (CHUNKS - 1);

/// The highest power of the base that is asked for: of the place above two words.
const MOST: usize = 2 * DIGITS;

/// Digits of a word, the lowest first.
pub(super) type Digits = [u8; DIGITS];

/// `BASE^exponent`. Every row of a witness takes some.
///
/// # Panics
///
/// If the exponent is above [`MOST`].
pub(super) fn power(exponent: usize) -> Fr {
    static POWERS: LazyLock<Vec<Fr>> = LazyLock::new(|| powers(Fr::from(BASE)));
    POWERS[exponent]
}

/// The inverse of `BASE^exponent`.
///
/// # Panics
///
/// As [`power`].
pub(super) fn inverse_power(exponent: usize) -> Fr {
    static POWERS: LazyLock<Vec<Fr>> =
        LazyLock::new(|| powers(Fr::from(BASE).invert().expect("the base is not zero")));
    POWERS[exponent]
}

fn powers(base: Fr) -> Vec<Fr> {
    iter::successors(Some(Fr::ONE), |power| Some(power * base)).take(MOST + 1).collect()
}

/// The word whose digits are the bits of `bits`.
pub fn spread(bits: u64) -> Fr {
    word(&bit_digits(bits))
}

/// The bits of a word: the parities of its digits.
pub fn bits(word: &Fr) -> u64 {
    parity(&digits(word))
}

pub(super) fn bit_digits(bits: u64) -> Digits {
    std::array::from_fn(|i| (bits >> i & 1) as u8)
}

/// The parities of the digits.
pub(super) fn parity(digits: &Digits) -> u64 {
    digits.iter().rev().fold(0, |bits, digit| bits << 1 | u64::from(digit & 1))
}

/// The value of at most 16 digits.
pub(super) fn chunk(digits: &[u8]) -> u64 {
    digits.iter().rev().fold(0, |value, digit| value * BASE + u64::from(*digit))
}

pub(super) fn word(digits: &Digits) -> Fr {
    let shift = power(8);
    digits.chunks(8).rev().fold(Fr::ZERO, |sum, part| sum * shift + Fr::from(chunk(part)))
}

/// The lowest 64 digits of a field element.
pub(super) fn digits(word: &Fr) -> Digits {
    let mut digits = fe_to_biguint(word).to_radix_le(BASE as u32);
    digits.resize(DIGITS, 0);
    digits.try_into().expect("resized to the digits of a word")
}

/// Adds digit by digit.
pub(super) fn add(a: &Digits, b: &Digits) -> Digits {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Digit `i` becomes digit `i + by`, wrapping around.
pub(super) fn rotate(digits: &Digits, by: usize) -> Digits {
    std::array::from_fn(|i| digits[(i + DIGITS - by) % DIGITS])
}
