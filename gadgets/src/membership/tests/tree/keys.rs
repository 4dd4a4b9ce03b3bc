//! Sets whose leaves have whole keys.

use halo2_base::{
    utils::fe_to_biguint,
    Context,
    QuantumCell::{Constant, Existing},
};

use super::{
    super::super::signers::{look_up_keys, KeySetShape, PathSigners},
    *,
};
use crate::signature::AssignedLeafEntry;
use muster_gates::{chain, Layout};

/// A kind of sets.
#[derive(Clone, Copy)]
struct Kind {
    format: KeyFormat,
    /// Children of a node, and levels above the leaves.
    tree: (usize, usize),
    /// Leaves of a set that is looked up whole.
    leaves: usize,
}

/// Leaves that are full but for one element.
const THREE: Kind = kind(3, (5, 1), 2);
/// Leaves with the most elements of nobody.
const SIX: Kind = kind(6, (5, 1), 2);
/// The longest keys.
const EIGHT: Kind = kind(8, (5, 1), 2);
/// The same below two nodes of as many children as there can be.
const WIDE: Kind = kind(8, (16, 2), 32);

const fn kind(elements: usize, tree: (usize, usize), leaves: usize) -> Kind {
    Kind { format: KeyFormat::new(elements, "muster.leaf.test.v1"), tree, leaves }
}

impl Kind {
    fn elements(self) -> usize {
        self.format.elements()
    }

    /// Members of all leaves.
    fn capacity(self) -> usize {
        self.leaves * self.format.members()
    }

    /// What a leaf has of a key.
    fn key(self, number: u64) -> Vec<Fr> {
        (1..=self.elements() as u64).map(|part| Fr::from(1_000 * part + number)).collect()
    }

    /// What a leaf has of the key of unused slots.
    fn unused_key(self) -> Vec<Fr> {
        (1..=self.elements() as u64).map(|part| Fr::from(70 + part)).collect()
    }

    /// Full leaves; the weight of a member is its number and 1.
    fn leaves(self, count: usize) -> Vec<Leaf> {
        let members = self.format.members();
        let leaf = |first: usize| {
            let numbers = (0..members).map(|i| (members * first + i) as u64);
            let mut leaf = LeafFormat::Keys(self.format).empty();
            leaf.keys = numbers.clone().map(|number| self.key(number)).collect();
            leaf.weights = numbers.map(|number| number + 1).collect();
            leaf
        };
        (0..count).map(leaf).collect()
    }

    fn honest(self, number: u64) -> Signer {
        (self.key(number), number + 1, number)
    }

    fn unused(self, index: u64) -> Signer {
        (self.unused_key(), 0, index)
    }
}

fn key_member(leaves: &[Leaf], tree: &MerkleTree, index: usize) -> MemberPath {
    let members = THREE.format.members();
    let path = tree.path(index / members).expect("a leaf");
    MemberPath { leaf: leaves[index / members].clone(), position: index % members, path }
}

/// Whoever is in a slot: its key, its weight, and the index that it claims.
type Signer = (Vec<Fr>, u64, u64);

/// An entry whose parts, but for the weight, are loaded cells; the row of each and that of the weight are claims.
fn entry(
    ctx: &mut Context<Fr>,
    claims: &mut Vec<usize>,
    (key, weight): (&[Fr], u64),
) -> AssignedLeafEntry {
    let mut load = |value: Fr| {
        claims.push(ctx.advice.len());
        ctx.load_witness(value)
    };
    let weight = load(Fr::from(weight));
    let mut elements: Vec<_> = key.iter().map(|part| load(*part)).collect();
    let shift = Constant(Fr::from(2).pow([KEY_WORD_BITS as u64]));
    let last = elements.pop().expect("a key has a part");
    elements.push(chain::sum(ctx, Existing(last), &[(Existing(weight), shift)]));
    AssignedLeafEntry { elements, weight }
}

/// Looks signers up in a set of full leaves, of whose places so many count, with this root.
fn found(
    kind: Kind,
    signers: &[Signer],
    capacity: usize,
    root: Option<Fr>,
) -> (TestCircuit, Vec<usize>) {
    let leaves = kind.leaves(kind.leaves);
    let own = tree(&leaves, kind.tree.0, kind.tree.1);
    let mut claims = vec![];
    let room = Layout { set_elements: kind.elements(), ..layout(12, &[KeyFormat::WIDTH, 6]) };
    let test = TestCircuit::new(room, |ctx| {
        claims.push(ctx.advice.len());
        let root = ctx.load_witness(root.unwrap_or_else(|| own.root()));
        let signers: Vec<_> = signers
            .iter()
            .map(|(key, weight, index)| (Fr::from(*index), entry(ctx, &mut claims, (key, *weight))))
            .collect();
        let shape = KeySetShape {
            format: kind.format,
            arity: kind.tree.0,
            depth: kind.tree.1,
            capacity,
            unused: signers.len(),
            unused_key: &kind.unused_key(),
        };
        let members = look_up_keys(ctx, root, &leaves, &shape, 8, &signers);
        assert_eq!(members.len(), signers.len());
    });
    (test, claims)
}

#[test]
fn whole_keys_are_looked_up() {
    let (honest, unused) = (|number| THREE.honest(number), |index| THREE.unused(index));
    let all: Vec<_> = (0..10).map(honest).collect();
    for signers in [&all[..], &all[3..4], &[honest(0), honest(9), unused(10), unused(12)]] {
        found(THREE, signers, 10, None).0.assert_satisfied();
    }
    // Places that do not count: behind them stand those of unused slots.
    found(THREE, &[honest(6), unused(7)], 7, None).0.assert_satisfied();
    assert!(!found(THREE, &[honest(7)], 7, None).0.is_satisfied());
}

#[test]
fn other_keys_weights_indices_and_roots_are_refused() {
    let (key, honest) = (|number| THREE.key(number), THREE.honest(1));
    let refused =
        |signer: Signer| !found(THREE, &[honest.clone(), signer], 10, None).0.is_satisfied();
    for part in 0..THREE.elements() {
        let (mut other, weight, index) = THREE.honest(4);
        other[part] += Fr::ONE;
        assert!(refused((other, weight, index)), "part {part}");
    }
    assert!(refused((key(4), 6, 4)), "another weight");
    assert!(refused((key(4), 0, 4)), "none");
    assert!(refused((key(4), 5, 5)), "another index");
    assert!(refused((key(1), 2, 1)), "a member twice");
    assert!(refused((key(0), 1, 0)), "a member before");
    assert!(refused((key(4), 0, 11)), "a member in an unused slot");
    assert!(refused((vec![Fr::ZERO; THREE.elements()], 0, 11)), "nobody");
    let root = tree(&THREE.leaves(3), 5, 1).root();
    assert_eq!(found(THREE, &[honest], 10, Some(root)).0.failing(vec![]), ["copy"]);
}

/// What the set has of a key, in all its rows, is what leaves have, or the constant of unused slots: a signer who brings
/// another key, and has it in the set, is refused by the copies of the set alone.
#[test]
fn each_entry_of_a_set_is_bound() {
    for kind in [THREE, EIGHT] {
        // Every second row is recorded by a place of its own.
        let behind = kind.capacity();
        let members = [1, 2].map(|row| (kind.honest(row as u64), row));
        let others = [behind, behind + 1].map(|row| (kind.unused(row as u64), row));
        for part in 0..kind.elements() {
            for (signer, row) in members.iter().chain(&others) {
                let (mut key, weight, index) = signer.clone();
                key[part] += Fr::ONE;
                let signers = [kind.honest(0), (key, weight, index)];
                let (mut test, _) = found(kind, &signers, kind.capacity(), None);
                let place = set_column(&mut test, kind, part);
                let value = test.advice()[place][*row] + Fr::ONE;
                let forged = Forged { column: place, row: *row, value };
                assert_eq!(test.failing(vec![forged]), ["copy"], "{part} of row {row}");
            }
        }
    }
}

/// The column where the set has a part of all keys: no other has those of two members in its first rows.
fn set_column(test: &mut TestCircuit, kind: Kind, part: usize) -> usize {
    let shift = Fr::from(2).pow([KEY_WORD_BITS as u64]);
    let has = |number: u64| {
        let weight = if part + 1 == kind.elements() { Fr::from(number + 1) } else { Fr::ZERO };
        kind.key(number)[part] + weight * shift
    };
    let is_set = |cells: &Vec<Fr>| cells.len() > 1 && cells[0] == has(0) && cells[1] == has(1);
    test.advice().iter().position(is_set).expect("there is a set")
}

/// Places without a member have no key: nothing that a slot may bring is looked up there.
#[test]
fn nobody_is_in_an_empty_place() {
    let empty = LeafFormat::Keys(THREE.format).empty();
    let most = Fr::from(2).pow([KEY_WORD_BITS as u64 + 61]);
    for i in 0..THREE.format.members() {
        let bits = |element: &Fr| fe_to_biguint(element).bits();
        assert!(empty.entry(i).iter().all(|element| bits(element) > bits(&(most - Fr::ONE))));
    }
}

/// The tag of a leaf, its elements, which the set has, too, and the zeros behind them.
#[test]
fn each_part_of_a_leaf_is_bound() {
    for kind in [THREE, SIX] {
        let (mut test, _) = found(kind, &[kind.honest(1), kind.honest(3)], kind.capacity(), None);
        test.assert_satisfied();
        test.assert_states_are_bound(0..kind.leaves, &(0..KeyFormat::WIDTH).collect::<Vec<_>>());
    }
}

/// Nodes that have the width of leaves.
#[test]
fn each_child_of_a_wide_node_is_bound() {
    let (mut test, _) = found(WIDE, &[WIDE.honest(1)], WIDE.capacity(), None);
    test.assert_satisfied();
    // Behind the leaves there are two nodes and the root. The first one is what paths have, too.
    let (second, width) = (WIDE.leaves + 1, KeyFormat::WIDTH);
    test.assert_states_are_bound([second], &(0..width).collect::<Vec<_>>());
}

/// Signers who follow paths to the root of a tree of two levels.
fn followed(signers: &[Signer], ways: &[MemberPath]) -> (TestCircuit, Vec<usize>) {
    let leaves = THREE.leaves(6);
    let own = tree(&leaves, 5, 2);
    let mut claims = vec![];
    let test = TestCircuit::new(layout(11, &[6, KeyFormat::WIDTH]), |ctx| {
        claims.push(ctx.advice.len());
        let root = ctx.load_witness(own.root());
        let mut all = PathSigners::new(root, (5, 2), LeafFormat::Keys(THREE.format));
        let unused = THREE.unused_key();
        for ((key, weight, _), way) in signers.iter().zip(ways) {
            let entry = entry(ctx, &mut claims, (key, *weight));
            all.follow_keys(ctx, (THREE.format, &unused), &[(&entry, way)]);
        }
        for (member, (_, weight, index)) in all.members(ctx, 8).iter().zip(signers) {
            assert_eq!(*member.weight().value(), Fr::from(*weight));
            assert_eq!(*member.offset().value(), Fr::from(*index));
        }
    });
    (test, claims)
}

/// The ways of these members.
fn ways(members: &[usize]) -> Vec<MemberPath> {
    let leaves = THREE.leaves(6);
    let own = tree(&leaves, 5, 2);
    members.iter().map(|index| key_member(&leaves, &own, *index)).collect()
}

/// A way that leads nowhere, from a leaf with this key in it.
fn no_way(key: &[Fr]) -> MemberPath {
    let mut leaf = LeafFormat::Keys(THREE.format).empty();
    leaf.keys[0] = key.to_vec();
    MemberPath {
        leaf,
        position: 0,
        path: MerklePath { index: 0, levels: vec![vec![Fr::ZERO; 5]; 2] },
    }
}

#[test]
fn whole_keys_are_followed_to_the_root() {
    let members = [0, 4, 5, 24, 26];
    let signers = members.map(|index| THREE.honest(index as u64));
    followed(&signers, &ways(&members)).0.assert_satisfied();
    // Those who are not used stand behind all places: 125 of them, and the slots before.
    let slots = [THREE.honest(7), THREE.unused(126), THREE.unused(127)];
    let unused_key = THREE.unused_key();
    let ways = [ways(&[7]), vec![no_way(&unused_key); 2]].concat();
    followed(&slots, &ways).0.assert_satisfied();
}

#[test]
fn whole_keys_that_are_not_on_their_path() {
    let way = ways(&[7]).remove(0);
    let refused = |key: Vec<Fr>, weight: u64, way: &MemberPath| {
        let index = if weight == 0 { 125 } else { 7 };
        !followed(&[(key, weight, index)], std::slice::from_ref(way)).0.is_satisfied()
    };
    assert!(!refused(THREE.key(7), 8, &way));
    for part in 0..THREE.elements() {
        let mut other = THREE.key(7);
        other[part] += Fr::ONE;
        assert!(refused(other, 8, &way), "part {part}");
    }
    assert!(refused(THREE.key(7), 9, &way), "another weight");
    assert!(refused(THREE.key(6), 7, &way), "another member of the leaf");
    // Of weight 0 and with another key than that of unused slots, on a way that leads nowhere.
    for part in 0..THREE.elements() {
        let mut other = THREE.unused_key();
        other[part] += Fr::ONE;
        assert!(refused(other.clone(), 0, &no_way(&other)), "part {part}");
    }
}

/// The key of whoever weighs nothing: whatever a prover changes on the way is refused.
#[test]
fn unused_slots_have_one_key() {
    for part in 0..THREE.elements() {
        let mut other = THREE.unused_key();
        other[part] += Fr::ONE;
        let (test, claims) = followed(&[(other.clone(), 0, 125)], &[no_way(&other)]);
        let walk = test.walk(claims);
        assert!(walk.sums >= 1 && walk.copies >= 2, "{walk:?}");
    }
}
