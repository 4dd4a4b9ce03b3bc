//! The key-set commitment in circuit: the whole set, or one path. They are compared with a root in
//! [`signers`](super::signers).

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};

use crate::hash::poseidon;
use muster_gates::{
    chain, power_of_two,
    range::{AMOUNT_BITS, PASSING_AMOUNT_BITS},
    small::{OneHot, Small},
    vertical, Chips, GateContext,
};
use muster_schemes::hash::poseidon::domain;
use muster_schemes::membership::{
    tree::zero_hashes, KeyFormat, Leaf, LeafFormat, MemberPath, MerklePath, Whole, KEY_WORD_BITS,
    LEAF_DOMAIN, LEAF_MEMBERS, SET_DOMAIN, WEIGHT_BITS, WEIGHT_STRIDE,
};

/// A leaf, its members and its hash.
#[derive(Clone, Debug)]
struct AssignedLeaf {
    /// Names of the keys.
    x: Vec<AssignedValue<Fr>>,
    /// Weights, which pass as amounts: they are below `2^61`.
    weight: Vec<AssignedValue<Fr>>,
    /// The hash.
    hash: AssignedValue<Fr>,
}

const _: () = {
    assert!(WEIGHT_BITS as usize == AMOUNT_BITS, "every weight passes for an amount");
    assert!(PASSING_AMOUNT_BITS <= WEIGHT_STRIDE as usize, "packed weights do not overlap");
    let packed = WEIGHT_STRIDE as usize * (LEAF_MEMBERS - 1) + PASSING_AMOUNT_BITS;
    assert!(packed <= Fr::CAPACITY as usize, "packed weights do not wrap");
    let entry = KEY_WORD_BITS + PASSING_AMOUNT_BITS;
    assert!(entry <= Fr::CAPACITY as usize, "a weight above a part of a key does not wrap");
};

/// Witnesses a leaf of names; the twin of [`Leaf::hash`]. Its weights pass as amounts. So each is below the stride
/// at which they are packed, and their packed sum is below the modulus: the packed element stands for one sequence
/// of weights.
fn leaf(ctx: &mut GateContext, leaf: &Leaf) -> AssignedLeaf {
    let weight = leaf.weights.iter();
    let weight = weight.map(|weight| ctx.range.check_amount(Witness(Fr::from(*weight))));
    let weight: Vec<_> = weight.collect();
    let shift = |i: usize| Constant(power_of_two(WEIGHT_STRIDE as usize * i));
    let above: Vec<_> =
        weight.iter().enumerate().skip(1).map(|(i, cell)| (Existing(*cell), shift(i))).collect();
    let packed = chain::sum(ctx, Existing(weight[0]), &above);
    let names = leaf.keys.iter().flatten().copied().map(Witness);
    let inputs: Vec<_> = names.chain([Existing(packed)]).collect();
    let mut hashed = poseidon::hash(ctx.chips, domain(LEAF_DOMAIN), &inputs);
    hashed.inputs.truncate(LEAF_MEMBERS);
    AssignedLeaf { x: hashed.inputs, weight, hash: hashed.digest }
}

/// A leaf of whole keys: the entry of each member, and its hash.
#[derive(Clone, Debug)]
struct AssignedKeyLeaf {
    /// The elements of each key, its weight in the last. They are hashed, and otherwise unconstrained.
    entries: Vec<Vec<AssignedValue<Fr>>>,
    /// The hash.
    hash: AssignedValue<Fr>,
}

/// Witnesses a leaf of whole keys; the twin of [`Leaf::hash`]. What the elements are made of is constrained where a key
/// is matched with them.
fn key_leaf(chips: &Chips, format: KeyFormat, leaf: &Leaf) -> AssignedKeyLeaf {
    let used = format.members() * format.elements();
    let mut inputs: Vec<_> = leaf.elements().into_iter().take(used).map(Witness).collect();
    inputs.resize(KeyFormat::WIDTH - 1, Constant(Fr::zero()));
    let hashed = poseidon::hash(chips, format.tag(), &inputs);
    let entries = hashed.inputs[..used].chunks(format.elements()).map(<[_]>::to_vec).collect();
    AssignedKeyLeaf { entries, hash: hashed.digest }
}

/// A whole set and its root, which is not compared with anything yet.
#[derive(Clone, Debug)]
pub(crate) struct AssignedSet {
    /// Name and weight of each place, in order.
    pub(crate) members: Vec<(AssignedValue<Fr>, AssignedValue<Fr>)>,
    /// The root.
    pub(crate) root: AssignedValue<Fr>,
}

/// Hashes `leaves` up to the root of a tree of `arity` and `depth`. Subtrees beyond the leaves are
/// constants, as in the native tree.
///
/// # Panics
/// If there is no leaf or the leaves do not fit the tree.
pub(crate) fn whole_set(
    ctx: &mut GateContext,
    leaves: &[Leaf],
    arity: usize,
    depth: usize,
) -> AssignedSet {
    let leaves = ctx.each(leaves, |ctx, values| leaf(ctx, values));
    let hashes = leaves.iter().map(|leaf| leaf.hash).collect();
    let root = root(ctx, hashes, (arity, depth), LeafFormat::Names);
    let members = leaves.into_iter().flat_map(|leaf| leaf.x.into_iter().zip(leaf.weight));
    AssignedSet { members: members.collect(), root }
}

/// A whole set of whole keys and its root, which is not compared with anything yet.
#[derive(Clone, Debug)]
pub(crate) struct AssignedKeySet {
    /// The entry of each place, in order.
    pub(crate) entries: Vec<Vec<AssignedValue<Fr>>>,
    /// The root.
    pub(crate) root: AssignedValue<Fr>,
}

/// As [`whole_set`], for leaves of whole keys.
///
/// # Panics
/// If there is no leaf or the leaves do not fit the tree.
pub(crate) fn whole_key_set(
    ctx: &mut GateContext,
    format: KeyFormat,
    leaves: &[Leaf],
    shape: (usize, usize),
) -> AssignedKeySet {
    let leaves = ctx.each(leaves, |ctx, values| key_leaf(ctx.chips, format, values));
    let hashes = leaves.iter().map(|leaf| leaf.hash).collect();
    let root = root(ctx, hashes, shape, LeafFormat::Keys(format));
    let entries = leaves.into_iter().flat_map(|leaf| leaf.entries).collect();
    AssignedKeySet { entries, root }
}

/// The root of a tree of `arity` and `depth` with these leaves.
///
/// # Panics
/// If there is no leaf or the leaves do not fit the tree.
fn root(
    ctx: &mut GateContext,
    mut level: Vec<AssignedValue<Fr>>,
    (arity, depth): (usize, usize),
    format: LeafFormat,
) -> AssignedValue<Fr> {
    let zeros = zero_hashes(arity, depth, format).expect("the shape was checked");
    for zero in &zeros[..depth] {
        let node = |ctx: &mut GateContext, children: &[AssignedValue<Fr>]| {
            let mut children: Vec<_> = children.iter().copied().map(Existing).collect();
            children.resize(arity, Constant(*zero));
            poseidon::hash(ctx.chips, Fr::zero(), &children).digest
        };
        let whole = level.chunks_exact(arity);
        let part = Some(whole.remainder()).filter(|part| !part.is_empty());
        let mut nodes = ctx.each(whole, node);
        nodes.extend(part.map(|part| node(ctx, part)));
        level = nodes;
    }
    let [root] = level[..] else { panic!("the leaves fit the tree") };
    root
}

/// A member's path to a root, which is not compared with anything yet.
#[derive(Clone, Debug)]
pub(crate) struct AssignedPath {
    /// The member's weight.
    pub(crate) weight: AssignedValue<Fr>,
    /// Index of the member.
    pub(crate) index: Small,
    /// The root that the path leads to.
    pub(crate) root: AssignedValue<Fr>,
}

/// Follows the member whose key has the name `x` to a root, for the depth of the path. The leaf
/// must have `x` at the position that the index says, and each node must be the child at the
/// position that the index says.
pub(crate) fn path(
    ctx: &mut GateContext,
    x: AssignedValue<Fr>,
    member: &MemberPath,
) -> AssignedPath {
    let leaf = leaf(ctx, &member.leaf);
    let place = OneHot::new(ctx, LEAF_MEMBERS, member.position);
    place.assert_selects(ctx, &leaf.x, x);
    let weight = place.select(ctx, &leaf.weight);
    let mut digits = vec![place];
    let root = climb(ctx, leaf.hash, &member.path, &mut digits);
    AssignedPath { weight, index: Small::of_digits(ctx, &digits), root }
}

/// As [`path`], for the member with this entry, which already holds its weight.
pub(crate) fn key_path(
    ctx: &mut GateContext,
    format: KeyFormat,
    entry: &[AssignedValue<Fr>],
    member: &MemberPath,
) -> (Small, AssignedValue<Fr>) {
    let leaf = key_leaf(ctx.chips, format, &member.leaf);
    let place = OneHot::new(ctx, format.members(), member.position);
    for (i, element) in entry.iter().enumerate() {
        let same: Vec<_> = leaf.entries.iter().map(|other| other[i]).collect();
        place.assert_selects(ctx, &same, *element);
    }
    let mut digits = vec![place];
    let root = climb(ctx, leaf.hash, &member.path, &mut digits);
    (Small::of_digits(ctx, &digits), root)
}

/// Follows `path` from `node` to a root; appends the digits of the index on the way.
fn climb(
    ctx: &mut GateContext,
    mut node: AssignedValue<Fr>,
    path: &MerklePath,
    digits: &mut Vec<OneHot>,
) -> AssignedValue<Fr> {
    for (level, position) in path.levels.iter().zip(path.positions()) {
        let mut children = level.clone();
        children[position] = *node.value();
        let children: Vec<_> = children.into_iter().map(Witness).collect();
        let hashed = poseidon::hash(ctx.chips, Fr::zero(), &children);
        let child = OneHot::new(ctx, level.len(), position);
        child.assert_selects(ctx, &hashed.inputs, node);
        digits.push(child);
        node = hashed.digest;
    }
    node
}

/// The parts of a root in circuit.
#[derive(Clone, Copy, Debug)]
pub struct AssignedWhole {
    /// The root of the Merkle tree.
    pub tree: AssignedValue<Fr>,
    /// The name of the sum of all keys.
    pub key: AssignedValue<Fr>,
    /// The sum of all weights.
    pub weight: AssignedValue<Fr>,
    /// How many members there are.
    pub members: AssignedValue<Fr>,
}

impl AssignedWhole {
    /// Opens `root`: the twin of [`Whole::root`].
    pub fn open(ctx: &mut GateContext, root: AssignedValue<Fr>, whole: &Whole) -> Self {
        let [weight, members] = [whole.weight, whole.members].map(Fr::from);
        let [tree, key, weight, members] = [whole.tree, whole.key, weight, members].map(Witness);
        let inputs = [tree, key, weight, members, Constant(Fr::zero())];
        let hashed = poseidon::hash(ctx.chips, domain(SET_DOMAIN), &inputs);
        vertical::assert_equal(ctx, &hashed.digest, &root);
        let [tree, key, weight, members] = [0, 1, 2, 3].map(|i| hashed.inputs[i]);
        Self { tree, key, weight, members }
    }
}
