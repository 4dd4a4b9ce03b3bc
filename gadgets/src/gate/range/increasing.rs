//! Values in increasing order.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};

use super::RangeChip;
use crate::gate::chain;

impl RangeChip {
    /// Constrains value `i` to exceed the one before it by `step(i)` and at most `2^bits`, in whole
    /// lookups, more. The first value must be known to be a small integer; then all others are.
    pub fn assert_increasing(
        &self,
        ctx: &mut Context<Fr>,
        bits: usize,
        values: &[AssignedValue<Fr>],
        step: impl Fn(usize) -> u64,
    ) {
        let one = Constant(Fr::one());
        for (i, pair) in values.windows(2).enumerate() {
            let step = step(i + 1);
            let gap = *pair[1].value() - pair[0].value() - Fr::from(step);
            let gap = self.check(Witness(gap), bits);
            let mut terms = vec![(one, Existing(gap))];
            if step > 0 {
                terms.push((one, Constant(Fr::from(step))));
            }
            chain::assert_sum(ctx, Existing(pair[0]), &terms, Existing(pair[1]));
        }
    }
}
