//! The key-set commitment in circuit: the whole set, or one path.

use halo2_base::{
    gates::GateInstructions,
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing, Witness},
};

use super::{native::zero_hashes, MerklePath};
use crate::{
    gate::{chain, Chips},
    hash::poseidon::chip,
};

/// The leaves of a whole set and their root.
#[derive(Clone, Debug)]
pub struct AssignedSet {
    /// One cell a leaf, in order.
    pub leaves: Vec<AssignedValue<Fr>>,
    /// The root.
    pub root: AssignedValue<Fr>,
}

/// Hashes `leaves` up to the root of a tree of `arity` and `depth`. Slots beyond the leaves are
/// zero and subtrees without leaves are constants, as in the native tree.
///
/// # Panics
/// If there is no leaf or the leaves do not fit the tree.
pub fn whole_set(chips: &Chips, leaves: &[Fr], arity: usize, depth: usize) -> AssignedSet {
    let zeros = zero_hashes(arity, depth).expect("the shape was checked");
    let mut level: Vec<QuantumCell<Fr>> = leaves.iter().copied().map(Witness).collect();
    let mut first = vec![];
    for zero in &zeros[..depth] {
        let parents: Vec<_> = level
            .chunks(arity)
            .map(|children| {
                let mut children = children.to_vec();
                children.resize(arity, Constant(*zero));
                chip::hash(chips, Fr::zero(), &children)
            })
            .collect();
        if first.is_empty() {
            first = parents.iter().flat_map(|hashed| hashed.inputs.clone()).collect();
            first.truncate(leaves.len());
        }
        level = parents.into_iter().map(|hashed| Existing(hashed.digest)).collect();
    }
    match level[..] {
        [Existing(root)] => AssignedSet { leaves: first, root },
        _ => panic!("the leaves fit the tree"),
    }
}

/// A leaf's way to a root.
#[derive(Clone, Debug)]
pub struct AssignedPath {
    /// Slot of the leaf.
    pub index: AssignedValue<Fr>,
    /// The root that the path leads to.
    pub root: AssignedValue<Fr>,
}

/// Follows `path` from `leaf` to a root, for the depth of the path. At each level the node must be
/// the child at the position that the index counts.
pub fn path(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    leaf: AssignedValue<Fr>,
    path: &MerklePath,
) -> AssignedPath {
    let mut node = leaf;
    let mut index = vec![];
    let mut scale = Fr::one();
    for (level, position) in path.levels.iter().zip(path.positions()) {
        let arity = level.len();
        let mut children = level.clone();
        children[position] = *node.value();
        let children: Vec<_> = children.into_iter().map(Witness).collect();
        let hashed = chip::hash(chips, Fr::zero(), &children);
        let bits = one_hot(ctx, chips, arity, position);
        let terms: Vec<_> =
            bits.iter().zip(&hashed.inputs).map(|(b, c)| (Existing(*b), Existing(*c))).collect();
        chain::assert_sum(ctx, Constant(Fr::zero()), &terms, Existing(node));
        for (digit, bit) in bits.iter().enumerate().skip(1) {
            index.push((Existing(*bit), Constant(scale * Fr::from(digit as u64))));
        }
        scale *= Fr::from(arity as u64);
        node = hashed.digest;
    }
    let index = chain::sum(ctx, Constant(Fr::zero()), &index);
    AssignedPath { index, root: node }
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
    let one = Constant(Fr::one());
    let terms: Vec<_> = bits.iter().map(|bit| (one, Existing(*bit))).collect();
    chain::assert_sum(ctx, Constant(Fr::zero()), &terms, one);
    bits
}
