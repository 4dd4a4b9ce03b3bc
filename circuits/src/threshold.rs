//! The k-of-n circuit, generic over the scheme.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use muster_gadgets::{
    gate::{chain, edwards::Wanted, Chips},
    membership::{
        signers::{lay_out_set, PathSigners, SetShape},
        Leaf, MemberPath, MerklePath, WEIGHT_BITS,
    },
    signature::{
        instructions::{
            AssignedClaim, AssignedPoint, AssignedSigner, RawPoint, SignatureInstructions,
        },
        RawSignature,
    },
};

use crate::{
    scheme::Embedded, shape::MAX_SLOTS, verify::TOTAL_WEIGHT_BITS, Mode, Shape, KEY_SET_ROOT,
    MESSAGE, THRESHOLD,
};

/// One slot's part of the witness.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// Index of the member; a slot that is not used has the capacity plus its own number. The path
    /// mode has the index from the path.
    pub(crate) index: u64,
    /// The member's key.
    pub(crate) public_key: RawPoint,
    /// The member's weight; 0 for a slot that is not used.
    pub(crate) weight: u64,
    /// The way to the root, in the path mode.
    pub(crate) path: Option<MemberPath>,
}

impl Slot {
    /// Slot `number`, not used.
    pub(crate) fn unused(shape: &Shape, number: usize) -> Self {
        let public_key = RawPoint::generator();
        let mut leaf = Leaf::default();
        leaf.x[0] = public_key.x;
        let levels = vec![vec![Fr::zero(); shape.arity]; shape.depth];
        let way = MerklePath { index: 0, levels };
        let path =
            (shape.mode == Mode::Path).then_some(MemberPath { leaf, position: 0, path: way });
        Self { index: (shape.capacity + number) as u64, public_key, weight: 0, path }
    }
}

/// All that a circuit is filled with. Nothing here is known to be right.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// The scheme of the shape.
    pub(crate) scheme: Embedded,
    pub(crate) key_set_root: Fr,
    pub(crate) threshold: u64,
    pub(crate) message: Fr,
    /// One a slot, the used ones first, by increasing index.
    pub(crate) slots: Vec<Slot>,
    /// One a slot, or one in all for an aggregate scheme.
    pub(crate) signatures: Vec<RawSignature>,
    /// As many leaves as the shape has room for; empty in the path mode.
    pub(crate) leaves: Vec<Leaf>,
}

/// Fills the circuit. Its first cells are the public inputs, in order.
pub(crate) fn build<S: SignatureInstructions>(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    inputs: &Inputs,
) {
    let mut public = [Fr::zero(); MESSAGE + 1];
    public[KEY_SET_ROOT] = inputs.key_set_root;
    public[THRESHOLD] = Fr::from(inputs.threshold);
    public[MESSAGE] = inputs.message;
    let public = public.map(|value| ctx.load_witness(value));
    let (key_set_root, threshold, message) =
        (public[KEY_SET_ROOT], public[THRESHOLD], public[MESSAGE]);
    if shape.mode == Mode::WholeSet {
        let Shape { arity, depth, capacity, slots, .. } = *shape;
        let set = SetShape { arity, depth, capacity, unused: slots };
        lay_out_set(ctx, chips, key_set_root, &inputs.leaves, &set);
    }
    let keys = assign_keys::<S>(ctx, chips, inputs);
    let weights = match shape.mode {
        Mode::WholeSet => look_up_members(ctx, chips, shape, inputs, &keys),
        Mode::Path => follow_paths(ctx, chips, shape, (key_set_root, inputs), &keys),
    };
    let signer = |(public_key, weight): (_, &_)| AssignedSigner { public_key, weight: *weight };
    let signers: Vec<_> = keys.into_iter().zip(&weights).map(signer).collect();
    let claim = AssignedClaim { key_set_root, message };
    S::assert_verify_all(ctx, chips, &claim, &signers, &inputs.signatures);
    // Last: verifying keys that users have depend on the order.
    assert_weight(ctx, chips, &weights, threshold);
}

/// The keys of all slots, an equal share in each lane.
fn assign_keys<S: SignatureInstructions>(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    inputs: &Inputs,
) -> Vec<AssignedPoint> {
    let share = inputs.slots.len() / chips.edwards.lanes();
    let assign = |(number, slot): (usize, &Slot)| {
        S::assign_public_key(ctx, chips, number / share, &slot.public_key)
    };
    inputs.slots.iter().enumerate().map(assign).collect()
}

/// Looks each key up in the set of its lane, by indices that increase from slot to slot; gives the
/// members' weights.
fn look_up_members(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    inputs: &Inputs,
    keys: &[AssignedPoint],
) -> Vec<AssignedValue<Fr>> {
    let share = keys.len() / chips.edwards.lanes();
    let wanted = |(slot, key): (&Slot, &AssignedPoint)| Wanted {
        index: Fr::from(slot.index),
        x: key.x(),
        weight: Fr::from(slot.weight),
    };
    let wanted: Vec<_> = inputs.slots.iter().zip(keys).map(wanted).collect();
    let lanes: Vec<_> = wanted.chunks(share).map(<[_]>::to_vec).collect();
    chips.edwards.look_up(ctx, &chips.range, index_bits(shape), &lanes)
}

/// Follows each key to the root, by indices that increase from slot to slot; gives the members'
/// weights.
fn follow_paths(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    shape: &Shape,
    (root, inputs): (AssignedValue<Fr>, &Inputs),
    keys: &[AssignedPoint],
) -> Vec<AssignedValue<Fr>> {
    let mut signers = PathSigners::new(root, (shape.arity, shape.depth));
    for (slot, key) in inputs.slots.iter().zip(keys) {
        let path = slot.path.as_ref().expect("each slot brings a path");
        signers.follow(ctx, chips, key.x(), path);
    }
    signers.weights(ctx, chips, index_bits(shape))
}

/// Bits of anything that orders slots, with a bit to spare.
pub(crate) fn index_bits(shape: &Shape) -> usize {
    let room = match shape.mode {
        Mode::WholeSet => shape.capacity.ilog2() as usize + 1,
        Mode::Path => shape.depth * (shape.arity.ilog2() as usize + 1) + 2,
    };
    room.max(shape.slots.ilog2() as usize + 1) + 1
}

/// Bits of a weight as it is checked: [`WEIGHT_BITS`] in whole lookups, of at most 15 bits or of 16.
const CHECKED_WEIGHT_BITS: usize = 45;

/// Constrains `1 ≤ threshold ≤ Σ weights`. Weights have at most 45 bits and there are fewer than 2^15
/// of them (2^14, rounded up to an even batch), so their sum stays below `2^60`, as do a threshold and
/// a difference. Nothing wraps around the native prime, and both differences are those of integers.
///
/// # Panics
/// If there are more weights, or lookups so wide that weights have more bits.
pub(crate) fn assert_weight(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    weights: &[AssignedValue<Fr>],
    threshold: AssignedValue<Fr>,
) {
    let one = Constant(Fr::one());
    let bits = TOTAL_WEIGHT_BITS as usize;
    let weight_bits = chips.range.rounded(WEIGHT_BITS as usize);
    assert!(weight_bits <= CHECKED_WEIGHT_BITS, "weights are short");
    assert!(weights.len() < 2 * MAX_SLOTS, "there are few weights");
    let sum_bits = CHECKED_WEIGHT_BITS + MAX_SLOTS.ilog2() as usize + 1;
    assert!(sum_bits.max(chips.range.rounded(bits)) + 2 < Fr::NUM_BITS as usize, "no sum wraps");
    let weights: Vec<_> = weights.iter().map(|weight| (one, Existing(*weight))).collect();
    let total = chain::sum(ctx, Constant(Fr::zero()), &weights);
    let above_zero = chips.range.check(Witness(*threshold.value() - Fr::one()), bits);
    chain::assert_sum(ctx, one, &[(one, Existing(above_zero))], Existing(threshold));
    let surplus = chips.range.check(Witness(*total.value() - threshold.value()), bits);
    chain::assert_sum(ctx, Existing(threshold), &[(one, Existing(surplus))], Existing(total));
}
