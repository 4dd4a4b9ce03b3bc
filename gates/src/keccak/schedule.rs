//! The fixed cells of each kind of rows, and the constants of the round gate.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::sparse::{inverse_power, power, spread, BYTE, CHUNK, CHUNKS, DIGITS, TOP};
use muster_schemes::hash::keccak::native::{OFFSETS, ROUNDS, ROUND_CONSTANTS};

/// Words side by side.
pub(super) const SIDE: usize = 5;
/// Rows of a block: its head and one for each chunk.
pub(super) const BLOCK: usize = 1 + CHUNKS;
/// Rows of a round, or of the words that a permutation begins with.
pub(super) const ROUND: usize = SIDE * BLOCK;
/// Rows of a permutation.
pub(super) const PERMUTATION: usize = (1 + ROUNDS) * ROUND;
/// Rows of five halves of 16 bytes.
pub(super) const HALF: usize = 17;

/// Fixed cells of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FixedRow {
    /// Factor of the next cell in each running sum.
    pub(super) factors: [Fr; SIDE],
    /// 1 where the nonlinear step is looked up.
    pub(super) chi: Fr,
    /// 1 where parities are collected.
    pub(super) collect: Fr,
    /// Factor of the previous cell in the words that are put together.
    pub(super) growth: Fr,
    /// Not 0 on the heads of words that are taken in.
    pub(super) head: Fr,
    /// 1 where bytes are looked up.
    pub(super) byte: Fr,
    /// 1 on the first row of a round.
    pub(super) round: Fr,
    /// The constant that the round before left out.
    pub(super) constant: Fr,
}

/// Position of the chunk of row `1 + i` of a block: the highest comes first.
pub(super) fn position(i: usize) -> usize {
    TOP - CHUNK * i
}

/// Where a lane of a round's output comes from, FIPS 202 sections 3.2.2 and 3.2.3.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) rotation: usize,
}

impl Source {
    /// The source of lane `x` in plane `y`: `(x, y)` goes to `(y, 2x + 3y)`.
    pub(super) fn of(x: usize, y: usize) -> Self {
        let source = (3 * y + x) % SIDE;
        Self { x: source, y: x, rotation: OFFSETS[source][x] }
    }

    /// Place of the chunk of row `1 + i` before the rotation.
    fn place(&self, i: usize) -> usize {
        (position(i) + DIGITS - self.rotation) % DIGITS
    }

    /// Whether a chunk lies across the end of the word before the rotation.
    pub(super) fn straddles(&self) -> bool {
        !self.rotation.is_multiple_of(CHUNK)
    }

    /// What the running sum is multiplied by to give the word before the rotation.
    pub(super) fn scale(&self) -> Fr {
        power(self.place(0))
    }

    /// Factor of the running sum below row `1 + i`.
    pub(super) fn factor(&self, i: usize) -> Fr {
        if i + 1 == CHUNKS {
            return Fr::ZERO;
        }
        power(self.place(i + 1)) * inverse_power(self.place(i))
    }
}

/// Factor of the running sum of a word that is not rotated, below row `1 + i`.
pub(super) fn plain_factor(i: usize) -> Fr {
    if i + 1 == CHUNKS {
        Fr::ZERO
    } else {
        inverse_power(CHUNK)
    }
}

/// Five words whose parities are taken.
pub(super) fn parity_block() -> Vec<FixedRow> {
    let mut rows = vec![FixedRow { head: power(TOP), ..FixedRow::default() }];
    rows.extend((0..CHUNKS).map(|i| FixedRow {
        factors: [plain_factor(i); SIDE],
        collect: Fr::ONE,
        growth: if i == 0 { Fr::ZERO } else { power(CHUNK) },
        ..FixedRow::default()
    }));
    rows
}

/// Five planes whose parities are taken, and the rounds.
pub(super) fn permutation() -> Vec<FixedRow> {
    let mut rows: Vec<_> = (0..SIDE).flat_map(|_| parity_block()).collect();
    let round: Vec<_> = (0..SIDE).flat_map(plane).collect();
    for i in 0..ROUNDS {
        let first = rows.len();
        rows.extend(round.iter().cloned());
        rows[first].round = Fr::ONE;
        rows[first].constant = i.checked_sub(1).map_or(Fr::ZERO, |i| spread(ROUND_CONSTANTS[i]));
    }
    rows
}

fn plane(y: usize) -> Vec<FixedRow> {
    let mut rows = vec![FixedRow::default()];
    rows.extend((0..CHUNKS).map(|i| FixedRow {
        factors: std::array::from_fn(|x| Source::of(x, y).factor(i)),
        chi: Fr::ONE,
        growth: if i == 0 { Fr::ZERO } else { power(CHUNK) },
        ..FixedRow::default()
    }));
    rows
}

/// Five halves of 16 bytes, the last byte first.
pub(super) fn half_block() -> Vec<FixedRow> {
    let mut rows = vec![FixedRow { head: Fr::ONE, ..FixedRow::default() }];
    let factor = |i| if i == 15 { Fr::ZERO } else { Fr::from(256) };
    rows.extend((0..16).map(|i| FixedRow {
        factors: [factor(i); SIDE],
        collect: Fr::ONE,
        growth: if i % 8 == 0 { Fr::ZERO } else { power(BYTE) },
        byte: Fr::ONE,
        ..FixedRow::default()
    }));
    rows
}
