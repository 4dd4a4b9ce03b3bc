//! How often each row of a table is asked for.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::polynomial::Numbers;

/// A table's tuples, each as one number, and those of its inputs, in usable rows.
pub(super) struct Asked<'a> {
    pub(super) table: &'a [Fr],
    pub(super) inputs: &'a [Numbers],
}

impl Asked<'_> {
    /// For each row of the table, how often its tuple is asked for. Of equal rows the first counts all.
    ///
    /// A tuple that the table lacks is not counted: no multiplicities would make up for it.
    pub(super) fn count(&self) -> Vec<u64> {
        let mut rows = FxHashMap::with_capacity_and_hasher(self.table.len(), Default::default());
        for (row, tuple) in self.table.iter().enumerate() {
            rows.entry(*tuple).or_insert(row);
        }
        let none = || vec![0; self.table.len()];
        let count = |mut counts: Vec<u64>, input: &Numbers| {
            // Runs of equal tuples are frequent: rows that ask for nothing are all alike.
            for run in input[..self.table.len()].chunk_by(PartialEq::eq) {
                if let Some(row) = rows.get(&run[0]) {
                    counts[*row] += run.len() as u64;
                }
            }
            counts
        };
        let add = |mut left: Vec<u64>, right: Vec<u64>| {
            left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
            left
        };
        self.inputs.par_iter().fold(none, count).reduce(none, add)
    }
}
