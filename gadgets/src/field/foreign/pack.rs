//! Packing elements into native ones, for a hash.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};

use super::halves::power;
use muster_gates::{chain, foreign::AssignedLimbs};

/// Packs the limbs of all elements, in order, into as few native field elements as hold them.
pub(crate) fn pack(ctx: &mut Context<Fr>, elements: &[&AssignedLimbs]) -> Vec<AssignedValue<Fr>> {
    let room = Fr::CAPACITY as usize;
    let (mut packed, mut terms, mut used) = (vec![], vec![], 0);
    let mut flush = |ctx: &mut Context<Fr>, terms: &mut Vec<chain::Term>| {
        if !terms.is_empty() {
            packed.push(chain::sum(ctx, Constant(Fr::zero()), terms));
            terms.clear();
        }
    };
    for element in elements {
        for (limb, width) in element.limbs().iter().zip(element.shape().widths()) {
            if used + width > room {
                flush(ctx, &mut terms);
                used = 0;
            }
            terms.push((Existing(*limb), Constant(power(used))));
            used += width;
        }
    }
    flush(ctx, &mut terms);
    packed
}
