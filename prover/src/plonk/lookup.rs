//! A lookup's columns, permuted: equal values of the input stand together, and beside the first of each stands the
//! same value of the table.

use std::collections::HashMap;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};

use crate::polynomial::Numbers;

/// The values of a lookup's input.
pub(super) struct Values {
    /// Each once, in the order in which they first occur.
    pub(super) distinct: Numbers,
    counts: HashMap<Fr, usize>,
}

impl Values {
    /// The values of usable rows.
    pub(super) fn of(input: &[Fr]) -> Self {
        let (mut distinct, mut counts) = (vec![], HashMap::new());
        for value in input {
            let count = counts.entry(*value).or_insert(0);
            if *count == 0 {
                distinct.push(*value);
            }
            *count += 1;
        }
        Self { distinct, counts }
    }

    /// The usable rows of both permuted columns: the input's values in the order of `distinct`, and beside
    /// repeated values what is left of the table, in ascending order.
    ///
    /// If the table lacks a value of the input, the columns are wrong, and so is the proof.
    pub(super) fn permute(&self, table: &[Fr]) -> [Numbers; 2] {
        let mut left = self.left_of(table).into_iter();
        let (mut input, mut permuted) =
            (Vec::with_capacity(table.len()), Vec::with_capacity(table.len()));
        for value in &self.distinct {
            let count = self.counts[value];
            input.resize(input.len() + count, *value);
            permuted.push(*value);
            permuted.extend(left.by_ref().take(count - 1));
        }
        [input, permuted]
    }

    /// The table without one of each value that the input has, sorted.
    fn left_of(&self, table: &[Fr]) -> Numbers {
        let mut sorted: Vec<_> = table.iter().map(|value| (order(value), *value)).collect();
        sorted.sort_unstable_by_key(|(order, _)| *order);
        let mut left = Vec::with_capacity(table.len() - self.distinct.len());
        let mut before = None;
        for (_, value) in sorted {
            if before == Some(value) || !self.counts.contains_key(&value) {
                left.push(value);
            }
            before = Some(value);
        }
        left
    }
}

/// The number in words, the highest first, so that they sort as numbers do.
fn order(value: &Fr) -> [u64; 4] {
    let bytes = value.to_repr();
    let (words, _) = bytes.as_ref().as_chunks();
    let mut order = [0; 4];
    for (order, word) in order.iter_mut().rev().zip(words) {
        *order = u64::from_le_bytes(*word);
    }
    order
}
