//! The key-set commitment in circuit: the whole set, or one path.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing, Witness},
};

use super::{
    native::zero_hashes, Leaf, MemberPath, MerklePath, LEAF_DOMAIN, LEAF_MEMBERS, WEIGHT_BITS,
    WEIGHT_STRIDE,
};
use crate::{
    gate::{chain, Chips},
    hash::poseidon::{chip, domain},
};

/// A leaf, its members and its hash.
#[derive(Clone, Debug)]
pub struct AssignedLeaf {
    /// First coordinates of the keys.
    pub x: Vec<AssignedValue<Fr>>,
    /// Weights, below `2^32` in whole lookups: `2^45` where these have 15 bits, less elsewhere.
    pub weight: Vec<AssignedValue<Fr>>,
    /// The hash.
    pub hash: AssignedValue<Fr>,
}

/// Witnesses a leaf; the twin of [`Leaf::hash`]. The weights are range-checked far below the stride
/// at which they are packed, so the packed element stands for one sequence of weights.
pub fn leaf(ctx: &mut Context<Fr>, chips: &Chips, leaf: &Leaf) -> AssignedLeaf {
    let bits = WEIGHT_BITS as usize;
    assert!(chips.range.rounded(bits) < WEIGHT_STRIDE as usize, "packed weights do not overlap");
    let weight = leaf.weight.map(|weight| chips.range.check(Witness(Fr::from(weight)), bits));
    let shift = |i: usize| Constant(Fr::from(2).pow_vartime([u64::from(WEIGHT_STRIDE) * i as u64]));
    let above: Vec<_> =
        weight.iter().enumerate().skip(1).map(|(i, cell)| (Existing(*cell), shift(i))).collect();
    let packed = chain::sum(ctx, Existing(weight[0]), &above);
    let [a, b, c, d] = leaf.x.map(Witness);
    let inputs = [a, b, c, d, Existing(packed)];
    let mut hashed = chip::hash(chips, domain(LEAF_DOMAIN), &inputs);
    hashed.inputs.truncate(LEAF_MEMBERS);
    AssignedLeaf { x: hashed.inputs, weight: weight.to_vec(), hash: hashed.digest }
}

/// A whole set and its root.
#[derive(Clone, Debug)]
pub struct AssignedSet {
    /// First coordinate and weight of each slot, in order.
    pub members: Vec<(AssignedValue<Fr>, AssignedValue<Fr>)>,
    /// The root.
    pub root: AssignedValue<Fr>,
}

/// Hashes `leaves` up to the root of a tree of `arity` and `depth`. Trees beyond the leaves are
/// constants, as in the native tree.
///
/// # Panics
/// If there is no leaf or the leaves do not fit the tree.
pub fn whole_set(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    leaves: &[Leaf],
    arity: usize,
    depth: usize,
) -> AssignedSet {
    let zeros = zero_hashes(arity, depth).expect("the shape was checked");
    let leaves: Vec<_> = leaves.iter().map(|values| leaf(ctx, chips, values)).collect();
    let mut level: Vec<_> = leaves.iter().map(|leaf| leaf.hash).collect();
    for zero in &zeros[..depth] {
        level = level
            .chunks(arity)
            .map(|children| {
                let mut children: Vec<_> = children.iter().copied().map(Existing).collect();
                children.resize(arity, Constant(*zero));
                chip::hash(chips, Fr::zero(), &children).digest
            })
            .collect();
    }
    let [root] = level[..] else { panic!("the leaves fit the tree") };
    let members = leaves.into_iter().flat_map(|leaf| leaf.x.into_iter().zip(leaf.weight));
    AssignedSet { members: members.collect(), root }
}

/// A member's way to a root.
#[derive(Clone, Debug)]
pub struct AssignedPath {
    /// The member's weight.
    pub weight: AssignedValue<Fr>,
    /// Index of the member.
    pub index: AssignedValue<Fr>,
    /// The root that the path leads to.
    pub root: AssignedValue<Fr>,
}

/// Follows the member whose key has the first coordinate `x` to a root, for the depth of the path.
/// The leaf must have `x` at the position that the index counts, and each node must be the child at
/// the position that the index counts.
pub fn path(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    x: AssignedValue<Fr>,
    member: &MemberPath,
) -> AssignedPath {
    let mut index = vec![];
    let leaf = leaf(ctx, chips, &member.leaf);
    let bits = one_hot(ctx, chips, LEAF_MEMBERS, member.position);
    assert_selected(ctx, &bits, &leaf.x, x);
    let weight = chain::sum(ctx, Constant(Fr::zero()), &selection(&bits, &leaf.weight));
    count(&mut index, &bits, Fr::one());
    let root = climb(ctx, chips, leaf.hash, &member.path, &mut index);
    let index = chain::sum(ctx, Constant(Fr::zero()), &index);
    AssignedPath { weight, index, root }
}

/// Follows `path` from `node` to a root; adds what the way counts for the index.
fn climb(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    mut node: AssignedValue<Fr>,
    path: &MerklePath,
    index: &mut Vec<chain::Term>,
) -> AssignedValue<Fr> {
    let mut scale = Fr::from(LEAF_MEMBERS as u64);
    for (level, position) in path.levels.iter().zip(path.positions()) {
        let arity = level.len();
        let mut children = level.clone();
        children[position] = *node.value();
        let children: Vec<_> = children.into_iter().map(Witness).collect();
        let hashed = chip::hash(chips, Fr::zero(), &children);
        let bits = one_hot(ctx, chips, arity, position);
        assert_selected(ctx, &bits, &hashed.inputs, node);
        count(index, &bits, scale);
        scale *= Fr::from(arity as u64);
        node = hashed.digest;
    }
    node
}

/// Adds `scale` times the position of the bit that is set.
fn count(index: &mut Vec<chain::Term>, bits: &[AssignedValue<Fr>], scale: Fr) {
    for (digit, bit) in bits.iter().enumerate().skip(1) {
        index.push((Existing(*bit), Constant(scale * Fr::from(digit as u64))));
    }
}

fn selection(bits: &[AssignedValue<Fr>], cells: &[AssignedValue<Fr>]) -> Vec<chain::Term> {
    bits.iter().zip(cells).map(|(bit, cell)| (Existing(*bit), Existing(*cell))).collect()
}

/// Constrains the cell whose bit is set to equal `value`.
#[track_caller]
fn assert_selected(
    ctx: &mut Context<Fr>,
    bits: &[AssignedValue<Fr>],
    cells: &[AssignedValue<Fr>],
    value: AssignedValue<Fr>,
) {
    chain::assert_sum(ctx, Constant(Fr::zero()), &selection(bits, cells), Existing(value));
}

/// `count` bits, the one at `position` set and no other.
fn one_hot(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    count: usize,
    position: usize,
) -> Vec<AssignedValue<Fr>> {
    let bits: Vec<_> = (0..count)
        .map(|i| {
            let bit = ctx.load_witness(Fr::from(u64::from(i == position)));
            chips.gate.assert_bit(ctx, bit);
            bit
        })
        .collect();
    let one: QuantumCell<Fr> = Constant(Fr::one());
    let terms: Vec<_> = bits.iter().map(|bit| (one, Existing(*bit))).collect();
    chain::assert_sum(ctx, Constant(Fr::zero()), &terms, one);
    bits
}
