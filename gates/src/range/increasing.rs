//! Values in increasing order.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};

use super::RangeChip;
use crate::{chain, small::Small};

/// Bits that the number of values in increasing order may have.
const ROOM: usize = 64;

impl RangeChip {
    /// Constrains value `i` to exceed the one before it by `step(i)` plus a gap of at most `2^bits`, in whole lookups;
    /// value 0 is `first`, value 1 the first of `values`. As `first` is a small integer, so are all others, and they
    /// are in order as integers.
    ///
    /// # Panics
    /// If a value could wrap around the field.
    pub fn assert_increasing(
        &self,
        ctx: &mut Context<Fr>,
        bits: usize,
        (first, values): (&Small, &[AssignedValue<Fr>]),
        step: impl Fn(usize) -> u64,
    ) {
        let largest = self.rounded(bits).max(first.bits());
        assert!(largest + ROOM < Fr::NUM_BITS as usize, "no value wraps");
        let one = Constant(Fr::one());
        let mut before = first.cell();
        for (i, value) in values.iter().enumerate() {
            let step = step(i + 1);
            let gap = *value.value() - before.value() - Fr::from(step);
            let gap = self.check(Witness(gap), bits);
            let mut terms = vec![(one, Existing(gap))];
            if step > 0 {
                terms.push((one, Constant(Fr::from(step))));
            }
            chain::assert_sum(ctx, Existing(before), &terms, Existing(*value));
            before = *value;
        }
    }
}
