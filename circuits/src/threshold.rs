//! The k-of-n circuit, generic over the scheme.

use halo2_base::{
    gates::GateInstructions,
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use muster_gadgets::{
    gate::{chain, edwards::Member, Chips},
    membership::{chip, leaf, MerklePath, WEIGHT_BITS},
    signature::{
        instructions::{AssignedClaim, AssignedSigner, RawPoint, SignatureInstructions},
        RawSignature,
    },
};

use crate::{
    committee::TOTAL_WEIGHT_BITS, Mode, Shape, KEY_SET_ROOT, MESSAGE, PUBLIC_INPUTS, THRESHOLD,
};

/// One slot's part of the witness.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Index of the member; a slot that is not used has the capacity plus its own number.
    pub(crate) index: u64,
    /// The member's key.
    pub(crate) public_key: RawPoint,
    /// The member's weight; 0 for a slot that is not used.
    pub(crate) weight: u64,
    /// The way to the root, in the path mode.
    pub(crate) path: Option<MerklePath>,
}

impl Slot {
    /// Slot `number`, not used.
    pub(crate) fn unused(shape: &Shape, number: usize) -> Self {
        let path = (shape.mode == Mode::Path).then(|| MerklePath {
            index: 0,
            levels: vec![vec![Fr::zero(); shape.arity]; shape.depth],
        });
        let index = (shape.capacity + number) as u64;
        Self { index, public_key: RawPoint::generator(), weight: 0, path }
    }
}

/// All that a circuit is filled with. Nothing here is known to be right.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) key_set_root: Fr,
    pub(crate) threshold: u64,
    pub(crate) message: Fr,
    /// One a slot, the used ones first, by increasing index.
    pub(crate) slots: Vec<Slot>,
    /// One a slot, or one in all for an aggregate scheme.
    pub(crate) signatures: Vec<RawSignature>,
    /// As many leaves as the shape has room for; empty in the path mode.
    pub(crate) leaves: Vec<Fr>,
}

/// Fills the circuit. Its first cells are the public inputs, in order.
pub(crate) fn build<S: SignatureInstructions>(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    inputs: &Inputs,
) {
    let mut public = [Fr::zero(); PUBLIC_INPUTS];
    public[KEY_SET_ROOT] = inputs.key_set_root;
    public[THRESHOLD] = Fr::from(inputs.threshold);
    public[MESSAGE] = inputs.message;
    let public = public.map(|value| ctx.load_witness(value));
    let (key_set_root, threshold, message) =
        (public[KEY_SET_ROOT], public[THRESHOLD], public[MESSAGE]);
    if shape.mode == Mode::WholeSet {
        let computed = commit_set(chips, shape, inputs);
        ctx.constrain_equal(&computed, &key_set_root);
    }
    let claim = AssignedClaim { key_set_root, message };
    let mut signers = vec![];
    let mut indices = vec![];
    for (number, slot) in inputs.slots.iter().enumerate() {
        let lane = number * chips.edwards.lanes() / inputs.slots.len();
        let public_key = S::assign_public_key(ctx, chips, lane, &slot.public_key);
        let weight = chips.range.check(Witness(Fr::from(slot.weight)), WEIGHT_BITS as usize);
        let leaf = S::leaf(chips, &public_key, Existing(weight));
        let place = (number % (inputs.slots.len() / chips.edwards.lanes())) as u64;
        let offset = Fr::from(slot.index) - Fr::from(place);
        let member = match &slot.path {
            None => Some(Member { slot: place, offset, leaf }),
            Some(path) => {
                let path = chip::path(ctx, chips, leaf, path);
                indices.push(follow(ctx, chips, shape, (number, weight), key_set_root, &path));
                None
            }
        };
        signers.push(AssignedSigner { public_key, weight, member });
    }
    let looked_up = S::assert_verify_all(ctx, chips, &claim, &signers, &inputs.signatures);
    match shape.mode {
        Mode::WholeSet => {
            let offsets: Vec<_> = looked_up.into_iter().flatten().collect();
            assert_eq!(offsets.len(), signers.len(), "each signer is looked up");
            // The first offset is checked too: it keeps the keys of members apart from those of
            // tables.
            let bits = index_bits(shape);
            chips.range.check(Existing(offsets[0]), bits);
            // An offset is an index less its place in the lane, so it steps up where a lane ends.
            let share = offsets.len() / chips.edwards.lanes();
            let step = |after: usize| if after.is_multiple_of(share) { share as u64 } else { 0 };
            assert_increasing(ctx, chips, bits, &offsets, step);
        }
        Mode::Path => assert_increasing(ctx, chips, index_bits(shape), &indices, |_| 1),
    }
    assert_weight(ctx, chips, &signers, threshold);
}

/// Hashes the whole set and lays it out for the lookups of each lane. Behind the members stand as
/// many entries of weight 0, which slots that are not used point to.
fn commit_set(chips: &Chips, shape: &Shape, inputs: &Inputs) -> AssignedValue<Fr> {
    let set = chip::whole_set(chips, &inputs.leaves, shape.arity, shape.depth);
    let RawPoint { x, y } = RawPoint::generator();
    let padding = Constant(leaf(x, y, 0));
    let mut entries: Vec<_> = set.leaves.into_iter().map(Existing).collect();
    entries.resize(shape.capacity + shape.slots, padding);
    for lane in 0..chips.edwards.lanes() {
        chips.edwards.set(lane, &entries);
    }
    set.root
}

/// Constrains a path to lead to the root unless the slot weighs nothing; gives what orders the
/// slots: the member's index, or for a slot that is not used the number of leaves plus the slot's
/// number.
fn follow(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    (number, weight): (usize, AssignedValue<Fr>),
    root: AssignedValue<Fr>,
    path: &chip::AssignedPath,
) -> AssignedValue<Fr> {
    let unused = chips.gate.is_zero(ctx, weight);
    let [zero, one, minus_one] = [Fr::zero(), Fr::one(), -Fr::one()].map(Constant);
    let used = chain::sum(ctx, one, &[(minus_one, Existing(unused))]);
    let miss = chain::sum(ctx, Existing(path.root), &[(minus_one, Existing(root))]);
    chain::assert_sum(ctx, zero, &[(Existing(used), Existing(miss))], zero);
    let beyond = leaves_of_tree(shape) + Fr::from(number as u64);
    let shift = chain::sum(ctx, Existing(path.index), &[(one, Constant(-beyond))]);
    chain::sum(ctx, Constant(beyond), &[(Existing(used), Existing(shift))])
}

/// `arity^depth`, at most `16^32`.
fn leaves_of_tree(shape: &Shape) -> Fr {
    Fr::from(shape.arity as u64).pow_vartime([shape.depth as u64])
}

/// Bits of anything that orders slots, with a bit to spare.
fn index_bits(shape: &Shape) -> usize {
    let room = match shape.mode {
        Mode::WholeSet => shape.capacity.ilog2() as usize + 1,
        Mode::Path => shape.depth * (shape.arity.ilog2() as usize + 1),
    };
    room.max(shape.slots.ilog2() as usize + 1) + 1
}

/// Constrains value `i` to exceed the one before it by at least `step(i)`. All values are small
/// integers: they were looked up or composed of digits.
fn assert_increasing(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    bits: usize,
    values: &[AssignedValue<Fr>],
    step: impl Fn(usize) -> u64,
) {
    let one = Constant(Fr::one());
    for (i, pair) in values.windows(2).enumerate() {
        let step = step(i + 1);
        let gap = *pair[1].value() - pair[0].value() - Fr::from(step);
        let gap = chips.range.check(Witness(gap), bits);
        let mut terms = vec![(one, Existing(gap))];
        if step > 0 {
            terms.push((one, Constant(Fr::from(step))));
        }
        chain::assert_sum(ctx, Existing(pair[0]), &terms, Existing(pair[1]));
    }
}

/// Constrains `1 ≤ threshold ≤ Σ weights`. Weights have at most 36 bits and there are at most 2^14
/// of them, so their sum stays below `2^50`, and both differences are those of integers.
fn assert_weight(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    signers: &[AssignedSigner],
    threshold: AssignedValue<Fr>,
) {
    let one = Constant(Fr::one());
    let bits = TOTAL_WEIGHT_BITS as usize;
    let weights: Vec<_> = signers.iter().map(|signer| (one, Existing(signer.weight))).collect();
    let total = chain::sum(ctx, Constant(Fr::zero()), &weights);
    let above_zero = chips.range.check(Witness(*threshold.value() - Fr::one()), bits);
    chain::assert_sum(ctx, one, &[(one, Existing(above_zero))], Existing(threshold));
    let surplus = chips.range.check(Witness(*total.value() - threshold.value()), bits);
    chain::assert_sum(ctx, Existing(threshold), &[(one, Existing(surplus))], Existing(total));
}
