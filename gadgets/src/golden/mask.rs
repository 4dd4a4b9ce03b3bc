//! Costs of a mask of signers.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{difference, usage, Costs};
use crate::{
    gate::edwards::AssignedMember,
    membership::{mask::chip::assert_mask, SignerMask},
    signature::batch::HASH_WIDTH,
};

/// Slots whose numbers fill a permutation: five elements of 21 numbers, of 12 bits each.
const SLOTS: usize = 105;

pub(super) fn mask(costs: &mut Costs) {
    let of = |capacity: usize, slots: usize| {
        usage(&[HASH_WIDTH], |ctx, chips| {
            let words = ctx.assign_witnesses(vec![Fr::zero(); SignerMask::words_of(capacity)]);
            let zero = ctx.load_zero();
            let member = |slot| AssignedMember { slot, offset: zero, weight: zero };
            let members: Vec<_> = (0..slots as u64).map(member).collect();
            assert_mask(ctx, chips, (&words, capacity), &members);
        })
    };
    costs.insert("mask: a member".into(), difference(&of(200, 1), &of(150, 1), 50, 0));
    let slots = difference(&of(200, 2 * SLOTS), &of(200, SLOTS), 1, 0);
    costs.insert(format!("mask: {SLOTS} slots"), slots);
}
