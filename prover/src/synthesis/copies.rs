//! Which cells a circuit copies, as cycles.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};
use muster_engine::Backend;
use rayon::prelude::*;

use crate::polynomial::{powers, Numbers};

/// Cells of the permuted columns, each with the next one of its cycle: cells that must be equal are in one cycle.
/// Cells are numbered `column * rows + row`.
pub(crate) struct Copies {
    rows: usize,
    next: Vec<usize>,
    /// For each cell, the one that stands for its cycle.
    cycle: Vec<usize>,
    /// For each of those, how many cells the cycle has.
    lengths: Vec<usize>,
}

impl Copies {
    /// Every cell in a cycle of its own.
    pub(crate) fn none(columns: usize, rows: usize) -> Self {
        let cells = columns * rows;
        let alone: Vec<usize> = (0..cells).collect();
        Self { rows, cycle: alone.clone(), next: alone, lengths: vec![1; cells] }
    }

    /// Joins the cycles of two cells, given by column and row. The order of cells in a cycle depends on all earlier
    /// copies, and is halo2's, so that keys are the same.
    pub(crate) fn join(&mut self, left: (usize, usize), right: (usize, usize)) {
        let [left, right] = [left, right].map(|(column, row)| column * self.rows + row);
        let [mut longer, mut shorter] = [self.cycle[left], self.cycle[right]];
        if longer == shorter {
            return;
        }
        if self.lengths[longer] < self.lengths[shorter] {
            std::mem::swap(&mut longer, &mut shorter);
        }
        self.lengths[longer] += self.lengths[shorter];
        let mut cell = shorter;
        loop {
            self.cycle[cell] = longer;
            cell = self.next[cell];
            if cell == shorter {
                break;
            }
        }
        self.next.swap(left, right);
    }

    /// The permuted columns: each cell holds the name of the next one of its cycle, `δ^column·ω^row`. `points` are the
    /// powers of `ω`.
    pub(crate) fn named(&self, backend: Backend, points: &[Fr]) -> Vec<Numbers> {
        let shifts: Vec<Fr> = powers(Fr::DELTA).take(self.next.len() / self.rows).collect();
        let columns = self.next.par_chunks(self.rows).map(|next| {
            let mut names: Numbers = next.iter().map(|cell| points[cell % self.rows]).collect();
            let shifts: Numbers = next.iter().map(|cell| shifts[cell / self.rows]).collect();
            backend.mul(&mut names, &shifts);
            names
        });
        columns.collect()
    }
}
