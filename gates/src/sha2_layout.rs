//! Which columns the gate of a hash function has.

use serde::{Deserialize, Serialize};

/// Rows that have a selector of their own in each part of a step.
pub(super) const QUADS: usize = 4;

/// Columns of the gate of SHA-256 or SHA-512.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sha2Layout {
    /// Bits of each word in a row: 1 to 5 for SHA-256, 1 to 16 for SHA-512. A lane has three times as many columns plus
    /// two.
    pub bits: usize,
    /// Chains of compressions side by side.
    pub lanes: usize,
}

impl Sha2Layout {
    /// Advice columns of a lane.
    pub fn columns(&self) -> usize {
        3 * self.bits + 2
    }

    /// Fixed columns, which all lanes share: selectors and, for 64-bit words, which are read in either byte order, the
    /// weights of their bytes, or of single bits where rows do not line up with bytes.
    pub fn fixed_columns(&self, word: usize) -> usize {
        const OTHERS: usize = 6 + QUADS - 1;
        let weights = match (word, self.bits.is_power_of_two()) {
            (64, true) => self.bits.div_ceil(8),
            (64, false) => self.bits,
            _ => 0,
        };
        OTHERS + 2 * word.div_ceil(self.bits).div_ceil(QUADS) + weights
    }
}
