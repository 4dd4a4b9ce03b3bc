//! The lookup tables.

use halo2_base::halo2_proofs::{
    circuit::Region,
    halo2curves::{bn256::Fr, ff::Field},
};

use super::{
    schedule::BYTE,
    sparse::{bit_digits, chunk, BASE, CHUNK},
    KeccakConfig,
};

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

impl KeccakConfig {
    /// Writes both tables. The rows below them stay 0: zeros with the result 0 are an entry of both
    /// anyway.
    ///
    /// # Panics
    /// If they do not fit `rows`.
    pub(super) fn write_tables(&self, region: &mut Region<Fr>, rows: usize) {
        for (row, entry) in parities().enumerate() {
            assert!(row < rows, "the table of parities fits the rows");
            self.parities.iter().zip(entry).for_each(|(c, v)| {
                region.assign_fixed(*c, row, v);
            });
        }
        for (row, entry) in chis().enumerate() {
            self.chis.iter().zip(entry).for_each(|(c, v)| {
                region.assign_fixed(*c, row, v);
            });
        }
    }
}
