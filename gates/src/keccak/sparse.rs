//! Words of 64 bits as field elements with one digit for each bit, so that sums of words keep the bits
//! apart, and the tables that chunks of digits are looked up in.

use std::{iter, sync::LazyLock};

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::fe_to_biguint,
    AssignedValue, QuantumCell,
};

/// Base of the digits: digits of at most 5 never carry, even if two of them are added in one place.
pub(super) const BASE: u64 = 12;
// Words are then distinct modulo `BASE^64 - 1`, too.
const _: () = assert!(5 + 5 < BASE - 1);
/// Digits of a word.
pub(super) const DIGITS: usize = 64;
/// Digits of a byte.
pub(super) const BYTE: usize = 8;
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

/// The digits that have an entry are below this: sums of up to five bits.
const SUMS: u8 = 6;
/// `a ⊕ (¬b ∧ c)` by the value of `2a + b - c`, from -1 on.
const CHI: [u64; 5] = [1, 0, 0, 1, 1];

/// Entries of the table of parities and bytes.
pub(super) fn parities() -> impl Iterator<Item = [Fr; 3]> {
    let sums = strings(SUMS).map(|digits| {
        let parities: Vec<u8> = digits.iter().map(|digit| digit % 2).collect();
        [Fr::ZERO, Fr::from(chunk(&digits)), Fr::from(chunk(&parities))]
    });
    let bytes = (0..1 << BYTE)
        .map(|byte| [Fr::ONE, Fr::from(byte), Fr::from(chunk(&bit_digits(byte)[..BYTE]))]);
    sums.chain(bytes)
}

/// Entries of the table of the nonlinear step.
pub(super) fn chis() -> impl Iterator<Item = [Fr; 2]> {
    strings(CHI.len() as u8).map(|digits| {
        let minus_one = Fr::from(chunk(&[1; CHUNK]));
        let outputs = digits.iter().rev().fold(0, |sum, d| sum * BASE + CHI[*d as usize]);
        [Fr::from(chunk(&digits)) - minus_one, Fr::from(outputs)]
    })
}

/// All strings of a chunk of digits below `count`.
fn strings(count: u8) -> impl Iterator<Item = [u8; CHUNK]> {
    let count = u32::from(count);
    (0..count.pow(CHUNK as u32))
        .map(move |number| std::array::from_fn(|i| (number / count.pow(i as u32) % count) as u8))
}

/// Rows of the longer table, which the gate takes however little work there is.
pub const TABLE_ROWS: usize = (SUMS as usize).pow(CHUNK as u32) + (1 << BYTE);

/// 64 bits as a word: its digits are 0 or 1.
#[derive(Clone, Copy, Debug)]
pub struct Lane(QuantumCell<Fr>);

impl Lane {
    /// A constant.
    pub fn constant(lane: u64) -> Self {
        Self(QuantumCell::Constant(spread(lane)))
    }

    /// A word that the gate's rows have put together from bits.
    pub(super) fn of_rows(word: AssignedValue<Fr>) -> Self {
        Self(QuantumCell::Existing(word))
    }

    /// The cell or the constant.
    pub(super) fn cell(&self) -> QuantumCell<Fr> {
        self.0
    }

    /// A cell that holds whatever a test wants.
    #[cfg(debug_assertions)]
    pub fn lying(cell: AssignedValue<Fr>) -> Self {
        Self::of_rows(cell)
    }
}
