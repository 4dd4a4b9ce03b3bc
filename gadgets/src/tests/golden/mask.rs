//! Costs of a mask of signers.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{difference, usage, Costs};
use crate::{
    membership::mask::{assert_mask, complement},
    signature::batch::HASH_WIDTH,
};
use muster_gates::AssignedMember;
use muster_schemes::membership::{mask::MASK_WORD_BITS, SignerMask};

/// Slots whose numbers fill a permutation: five elements of 21 numbers, of 12 bits each.
const SLOTS: usize = 105;

pub(super) fn mask(costs: &mut Costs) {
    let of = |capacity: usize, slots: usize| {
        usage(&[HASH_WIDTH], |ctx| {
            let words = ctx.assign_witnesses(vec![Fr::zero(); SignerMask::words_of(capacity)]);
            let zero = ctx.load_zero();
            let member = |slot| AssignedMember::assume_found(slot, zero, zero);
            let members: Vec<_> = (0..slots as u64).map(member).collect();
            assert_mask(ctx, (&words, capacity), &members);
        })
    };
    costs.insert("mask: a member".into(), difference(&of(200, 1), &of(150, 1), 50, 0));
    let slots = difference(&of(200, 2 * SLOTS), &of(200, SLOTS), 1, 0);
    costs.insert(format!("mask: {SLOTS} slots"), slots);
    let others = |words: usize| {
        usage(&[HASH_WIDTH], |ctx| {
            let (members, capacity) = (ctx.load_zero(), words * MASK_WORD_BITS - 1);
            let words = ctx.assign_witnesses(vec![Fr::zero(); words]);
            complement(ctx, (&words, capacity), members);
        })
    };
    let loaded = usage(&[HASH_WIDTH], |ctx| {
        ctx.load_zero();
        ctx.load_witness(Fr::zero());
    });
    costs.insert("mask: others of a word".into(), difference(&others(1), &loaded, 1, 0));
    costs.insert("mask: others, a word more".into(), difference(&others(9), &others(5), 4, 0));
}
