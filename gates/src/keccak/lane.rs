//! The input of a permutation as a type: words whose digits are small.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use super::sparse::spread;

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
