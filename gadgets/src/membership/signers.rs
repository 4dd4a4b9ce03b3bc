//! Signers as members of a set: each is in it, and none is counted twice.
//!
//! Both ways of opening the commitment return signers, and only distinct members of the set with the
//! public root have a weight.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context, QuantumCell,
    QuantumCell::{Constant, Existing},
};

use super::{
    chip::{path, whole_set},
    Leaf, MemberPath, LEAF_MEMBERS,
};
use crate::gate::{chain, edwards::AssignedMember, small::Bit, small::Small, vertical, Chips};

/// Signers who each follow a path to one root.
#[derive(Debug)]
pub struct PathSigners {
    root: AssignedValue<Fr>,
    arity: usize,
    depth: usize,
    /// The name of all whose weight is 0; `None` if it makes no difference.
    unused_name: Option<Fr>,
    /// What orders them.
    places: Vec<Small>,
    weights: Vec<AssignedValue<Fr>>,
}

impl PathSigners {
    /// Signers under `root`, of a tree of this arity and depth.
    pub fn new(root: AssignedValue<Fr>, (arity, depth): (usize, usize)) -> Self {
        Self { root, arity, depth, unused_name: None, places: vec![], weights: vec![] }
    }

    /// Those whose weight is 0 have this name, or any for `None`.
    #[must_use]
    pub fn unused_named(self, unused_name: Option<Fr>) -> Self {
        Self { unused_name, ..self }
    }

    /// Follows the next signer, whose key has the name `x`: its path leads to the root, unless its weight is 0
    /// and counts for nothing. Then the name is that of [all such](Self::unused_named).
    ///
    /// What orders it is the member's index or, with a weight of 0, `4·arity^depth` plus the number of signers
    /// before it: above all indices, and increasing itself.
    ///
    /// # Panics
    /// If the path is not of the tree's arity and depth.
    pub fn follow(
        &mut self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        x: AssignedValue<Fr>,
        member: &MemberPath,
    ) {
        let levels = &member.path.levels;
        let is_whole = |level: &Vec<Fr>| level.len() == self.arity;
        assert!(levels.len() == self.depth && levels.iter().all(is_whole), "a path of the tree");
        let way = path(ctx, chips, x, member);
        let used = Bit::is_not_zero(ctx, &chips.gate, way.weight);
        let [zero, minus_one] = [Fr::zero(), -Fr::one()].map(Constant);
        let miss = chain::sum(ctx, Existing(way.root), &[(minus_one, Existing(self.root))]);
        chain::assert_sum(ctx, zero, &[(Existing(used.cell()), Existing(miss))], zero);
        if let Some(name) = self.unused_name {
            // `name + used·(x - name)` is `x`.
            let (used, less) = (Existing(used.cell()), Constant(-name));
            let terms = [(used, Existing(x)), (used, less)];
            chain::assert_sum(ctx, Constant(name), &terms, Existing(x));
        }
        let beyond = self.slots_of_tree() + Fr::from(self.places.len() as u64);
        self.places.push(way.index.or(ctx, used, beyond));
        self.weights.push(way.weight);
    }

    /// `4·arity^depth`, at most `2^130`.
    fn slots_of_tree(&self) -> Fr {
        let leaves = Fr::from(self.arity as u64).pow_vartime([self.depth as u64]);
        leaves * Fr::from(LEAF_MEMBERS as u64)
    }

    /// All signers, once they are shown to be distinct: what orders them strictly increases, by
    /// less than `2^bits` in whole lookups from one to the next. What orders a signer is given for its index.
    ///
    /// # Panics
    /// If there are none, or `bits` are so many that an index could wrap around the field.
    pub fn members(self, ctx: &mut Context<Fr>, chips: &Chips, bits: usize) -> Vec<AssignedMember> {
        let (first, others) = self.places.split_first().expect("there is a signer");
        let others: Vec<_> = others.iter().map(Small::cell).collect();
        chips.range.assert_increasing(ctx, bits, (first, &others), |_| 1);
        let places = self.places.iter().map(Small::cell).zip(self.weights);
        places.map(|(offset, weight)| AssignedMember { slot: 0, offset, weight }).collect()
    }
}

/// A set that is committed to as a whole.
#[derive(Clone, Copy, Debug)]
pub struct SetShape {
    /// Children of a node.
    pub arity: usize,
    /// Levels above the leaves.
    pub depth: usize,
    /// Members that can be looked up.
    pub capacity: usize,
    /// Entries of weight 0 after them, for unused slots.
    pub unused: usize,
    /// What these name: a constant, or whatever the prover says. It makes no difference to soundness: with a
    /// weight of 0 an entry counts for nothing, whoever is in it.
    pub unused_name: QuantumCell<Fr>,
}

/// Hashes all `leaves` to `root`, and lays their members out for the lookups of each lane. Behind the members
/// stand as many entries with weight 0 as slots may be unused.
///
/// # Panics
/// If the leaves do not fit the tree, or a lane has a set already.
pub fn lay_out_set(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    root: AssignedValue<Fr>,
    leaves: &[Leaf],
    shape: &SetShape,
) {
    let set = whole_set(ctx, chips, leaves, shape.arity, shape.depth);
    let members = set.members.into_iter().take(shape.capacity);
    let mut entries: Vec<_> = members.map(|(x, weight)| (Existing(x), Existing(weight))).collect();
    let padding = (shape.unused_name, Constant(Fr::zero()));
    entries.resize(shape.capacity + shape.unused, padding);
    for lane in 0..chips.edwards.lanes() {
        chips.edwards.set(lane, &entries);
    }
    vertical::assert_equal(ctx, &set.root, &root);
}
