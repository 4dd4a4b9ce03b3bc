//! Signers as members of a set: each is in it, and none is counted twice.
//!
//! Both ways of opening the commitment return signers; those with a weight are distinct members of
//! the set with the public root.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! use muster_gadgets::membership::signers::PathSigners;
//! use muster_gates::{GateCircuit, Layout, PoseidonLayout};
//! use muster_schemes::membership::{KeySet, LeafFormat, Member};
//! # use muster_schemes::signature::{schnorr::Schnorr, SignatureScheme};
//! # let key = |seed| Schnorr::public_key(&Schnorr::secret_key_from_seed(&[seed; 32]).unwrap());
//! # let poseidon = [3, 6].map(|width| PoseidonLayout { width, columns: 3, lanes: 1 }).to_vec();
//!
//! # let layout = Layout {
//! #     k: 9,
//! #     vertical_columns: 1,
//! #     range_columns: 1,
//! #     range_bits: 8,
//! #     constant_rows: 64,
//! #     poseidon,
//! #     ..Layout::default()
//! # };
//! let set = [1, 2, 3].map(|seed| Member { public_key: key(seed).into(), weight: seed.into() });
//! let set = KeySet::new(set.to_vec()).unwrap();
//! let tree = set.tree(2, 1).unwrap();
//! // Members 0 and 2 are in the set whose root is public, and they are not the same.
//! let circuit = GateCircuit::new(&layout, false, |ctx| {
//!     let root = ctx.load_witness(tree.root());
//!     let mut signers = PathSigners::new(root, (2, 1), LeafFormat::Names);
//!     for index in [0, 2] {
//!         let name = ctx.load_witness(set.members()[index].public_key.name());
//!         signers.follow(ctx, name, &set.path(&tree, index).unwrap());
//!     }
//!     let found = signers.members(ctx, 8);
//!     assert_eq!(*found[1].weight().value(), Fr::from(3));
//! });
//! let circuit = circuit.with_public_inputs(1);
//! let run = |root: Fr| MockProver::run(layout.k, &circuit, vec![vec![root]]).unwrap();
//! assert!(run(tree.root()).verify().is_ok());
//! assert!(run(Fr::from(7)).verify().is_err());
//! ```

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, QuantumCell,
    QuantumCell::{Constant, Existing},
};

use super::tree::{key_path, path, whole_key_set, whole_set};
use crate::signature::AssignedLeafEntry;
use muster_gates::{
    chain,
    set::Wanted,
    small::{Bit, Small},
    vertical, AssignedMember, GateContext,
};
use muster_schemes::membership::{KeyFormat, Leaf, LeafFormat, MemberPath};

/// Signers who each follow a path to one root.
#[derive(Debug)]
pub struct PathSigners {
    root: AssignedValue<Fr>,
    arity: usize,
    depth: usize,
    /// Members in a leaf.
    leaf_members: usize,
    /// The values that order them.
    places: Vec<Small>,
    weights: Vec<AssignedValue<Fr>>,
}

impl PathSigners {
    /// Signers under `root`, of a tree of this arity and depth.
    pub fn new(
        root: AssignedValue<Fr>,
        (arity, depth): (usize, usize),
        format: LeafFormat,
    ) -> Self {
        let leaf_members = format.members();
        Self { root, arity, depth, leaf_members, places: vec![], weights: vec![] }
    }

    /// Follows the next signer, whose key has the name `x`: its path leads to the root, unless its weight is 0
    /// and so counts for nothing.
    ///
    /// It is ordered by the member's index or, with a weight of 0, by the number of places in the tree plus the
    /// number of signers before it: above all indices, and increasing itself.
    ///
    /// # Panics
    /// If the path is not of the tree's arity and depth.
    pub fn follow(&mut self, ctx: &mut GateContext, x: AssignedValue<Fr>, member: &MemberPath) {
        self.assert_fits(member);
        let way = path(ctx, x, member);
        let number = self.places.len();
        let (place, _) = self.place(ctx, number, way.root, way.index, way.weight);
        self.places.push(place);
        self.weights.push(way.weight);
    }

    /// Follows the next signers as [`Self::follow`] does, for leaves that hold whole keys. With a weight of 0, a key
    /// has the elements `unused`.
    ///
    /// # Panics
    /// If a path is not of the tree's arity and depth, or for another number of elements.
    pub fn follow_keys(
        &mut self,
        ctx: &mut GateContext,
        (format, unused): (KeyFormat, &[Fr]),
        signers: &[(&AssignedLeafEntry, &MemberPath)],
    ) {
        let first = self.places.len();
        let follow = |ctx: &mut _, (number, (entry, member)): (_, &(&AssignedLeafEntry, &_))| {
            self.assert_fits(member);
            assert!(
                unused.len() == entry.elements.len() && unused.len() == format.elements(),
                "a key"
            );
            let (index, root) = key_path(ctx, format, &entry.elements, member);
            let (place, used) = self.place(ctx, first + number, root, index, entry.weight);
            for (element, constant) in entry.elements.iter().zip(unused) {
                // `constant + used·(element - constant)` is `element`.
                let (used, less) = (Existing(used.cell()), Constant(-*constant));
                let terms = [(used, Existing(*element)), (used, less)];
                chain::assert_sum(ctx, Constant(*constant), &terms, Existing(*element));
            }
            place
        };
        let places = ctx.each(signers.iter().enumerate(), follow);
        self.places.extend(places);
        self.weights.extend(signers.iter().map(|(entry, _)| entry.weight));
    }

    fn assert_fits(&self, member: &MemberPath) {
        let levels = &member.path.levels;
        let is_whole = |level: &Vec<Fr>| level.len() == self.arity;
        assert!(levels.len() == self.depth && levels.iter().all(is_whole), "a path of the tree");
    }

    /// What orders signer `number`, whose path leads from `index` to `root`, and whether it is used.
    fn place(
        &self,
        ctx: &mut GateContext,
        number: usize,
        root: AssignedValue<Fr>,
        index: Small,
        weight: AssignedValue<Fr>,
    ) -> (Small, Bit) {
        let used = Bit::is_not_zero(ctx, weight);
        let [zero, minus_one] = [Fr::zero(), -Fr::one()].map(Constant);
        let miss = chain::sum(ctx, Existing(root), &[(minus_one, Existing(self.root))]);
        chain::assert_sum(ctx, zero, &[(Existing(used.cell()), Existing(miss))], zero);
        let beyond = self.places_of_tree() + Fr::from(number as u64);
        (index.or(ctx, used, beyond), used)
    }

    /// At most `2^132`.
    fn places_of_tree(&self) -> Fr {
        let leaves = Fr::from(self.arity as u64).pow_vartime([self.depth as u64]);
        leaves * Fr::from(self.leaf_members as u64)
    }

    /// All signers, shown to be distinct: what orders them strictly increases, by less than `2^bits` in whole
    /// lookups from one to the next. Each signer is given what orders it as its index.
    ///
    /// # Panics
    /// If there are none, or `bits` is so large that an index could wrap around the field.
    pub fn members(self, ctx: &mut GateContext, bits: usize) -> Vec<AssignedMember> {
        let (first, others) = self.places.split_first().expect("there is a signer");
        let others: Vec<_> = others.iter().map(Small::cell).collect();
        ctx.range.assert_increasing(ctx, bits, (first, &others), |_| 1);
        let places = self.places.iter().map(Small::cell).zip(self.weights);
        places.map(|(offset, weight)| AssignedMember::assume_found(0, offset, weight)).collect()
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
    /// Entries of weight 0 after the members, for unused slots.
    pub unused: usize,
    /// The name in these entries: a constant, or whatever the prover says. It makes no difference to
    /// soundness: with a weight of 0 an entry counts for nothing, whoever is in it.
    pub unused_name: QuantumCell<Fr>,
}

/// Hashes all `leaves` to `root`, and lays their members out for the lookups of each lane. After the members
/// come entries of weight 0, as many as slots may be unused.
///
/// # Panics
/// If the leaves do not fit the tree, or a lane has a set already.
pub fn lay_out_set(
    ctx: &mut GateContext,
    root: AssignedValue<Fr>,
    leaves: &[Leaf],
    shape: &SetShape,
) {
    let set = whole_set(ctx, leaves, shape.arity, shape.depth);
    let members = set.members.into_iter().take(shape.capacity);
    let mut entries: Vec<_> = members.map(|(x, weight)| (Existing(x), Existing(weight))).collect();
    let padding = (shape.unused_name, Constant(Fr::zero()));
    entries.resize(shape.capacity + shape.unused, padding);
    for lane in 0..ctx.chips.edwards.lanes() {
        ctx.chips.edwards.set(lane, &entries);
    }
    vertical::assert_equal(ctx, &set.root, &root);
}

/// A set of whole keys that is committed to as a whole.
#[derive(Clone, Debug)]
pub struct KeySetShape<'a> {
    /// How leaves hold keys.
    pub format: KeyFormat,
    /// Children of a node.
    pub arity: usize,
    /// Levels above the leaves.
    pub depth: usize,
    /// Members that can be looked up.
    pub capacity: usize,
    /// Entries of weight 0 after the members, for unused slots.
    pub unused: usize,
    /// The key of these entries.
    pub unused_key: &'a [Fr],
}

/// Hashes all `leaves` to `root`, and looks `signers` up in them. Their claimed indices must increase from one to the
/// next, by at most `2^bits` in whole lookups. After the members come constant entries, as many as slots may be unused.
///
/// # Panics
/// If there are no signers, the leaves do not fit the tree, or there is a set already.
pub fn look_up_keys(
    ctx: &mut GateContext,
    root: AssignedValue<Fr>,
    leaves: &[Leaf],
    shape: &KeySetShape<'_>,
    bits: usize,
    signers: &[(Fr, AssignedLeafEntry)],
) -> Vec<AssignedMember> {
    let set = whole_key_set(ctx, shape.format, leaves, (shape.arity, shape.depth));
    vertical::assert_equal(ctx, &set.root, &root);
    let cells = |entry: &Vec<AssignedValue<Fr>>| entry.iter().copied().map(Existing).collect();
    let mut entries: Vec<Vec<_>> = set.entries.iter().take(shape.capacity).map(cells).collect();
    let unused = shape.unused_key.iter().copied().map(Constant).collect();
    entries.resize(shape.capacity + shape.unused, unused);
    let gate = ctx.chips.set();
    gate.set(&entries);
    let wanted = |(index, AssignedLeafEntry { elements, weight }): &(Fr, AssignedLeafEntry)| {
        Wanted { index: *index, elements: elements.clone(), weight: *weight }
    };
    gate.look_up(ctx, bits, &signers.iter().map(wanted).collect::<Vec<_>>())
}
