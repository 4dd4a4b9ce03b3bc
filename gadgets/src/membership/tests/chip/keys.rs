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
use crate::{
    gate::{chain, Layout},
    signature::AssignedEntry,
};

/// Elements of a key.
const ELEMENTS: usize = 3;
/// Members of a leaf.
const MEMBERS: usize = 5;
const FORMAT: KeyFormat = KeyFormat::new(ELEMENTS, "muster.leaf.test.v1");
/// What a leaf has of the key of unused slots.
const UNUSED: [u64; ELEMENTS] = [71, 72, 73];

/// What a leaf has of a key.
fn key(number: u64) -> Vec<Fr> {
    [100, 200, 300].map(|part| Fr::from(part + number)).to_vec()
}

/// Leaves of five members each; the weight of a member is its number and 1.
fn key_leaves(count: usize) -> Vec<Leaf> {
    let leaf = |first: usize| {
        let numbers = (0..MEMBERS).map(|i| (MEMBERS * first + i) as u64);
        let mut leaf = LeafFormat::Keys(FORMAT).empty();
        leaf.keys = numbers.clone().map(key).collect();
        leaf.weights = numbers.map(|number| number + 1).collect();
        leaf
    };
    (0..count).map(leaf).collect()
}

fn key_member(leaves: &[Leaf], tree: &MerkleTree, index: usize) -> MemberPath {
    let path = tree.path(index / MEMBERS).expect("a leaf");
    MemberPath { leaf: leaves[index / MEMBERS].clone(), position: index % MEMBERS, path }
}

/// Whoever is in a slot: its key, its weight, and the index that it claims.
type Signer = (Vec<Fr>, u64, u64);

fn honest(number: u64) -> Signer {
    (key(number), number + 1, number)
}

fn unused(index: u64) -> Signer {
    (UNUSED.map(Fr::from).to_vec(), 0, index)
}

/// An entry whose parts, but for the weight, are loaded cells; the row of each and that of the weight are claims.
fn entry(
    ctx: &mut Context<Fr>,
    claims: &mut Vec<usize>,
    (key, weight): (&[Fr], u64),
) -> AssignedEntry {
    let mut load = |value: Fr| {
        claims.push(ctx.advice.len());
        ctx.load_witness(value)
    };
    let weight = load(Fr::from(weight));
    let mut elements: Vec<_> = key.iter().map(|part| load(*part)).collect();
    let shift = Constant(Fr::from(2).pow([KEY_WORD_BITS as u64]));
    let last = elements.pop().expect("a key has a part");
    elements.push(chain::sum(ctx, Existing(last), &[(Existing(weight), shift)]));
    AssignedEntry { elements, weight }
}

fn room() -> Layout {
    Layout { set_elements: ELEMENTS, ..layout(11, &[KeyFormat::WIDTH, 6]) }
}

/// Looks signers up in a set of two leaves, of whose places so many count, with this root.
fn found(signers: &[Signer], capacity: usize, root: Option<Fr>) -> (TestCircuit, Vec<usize>) {
    let leaves = key_leaves(2);
    let own = tree(&leaves, 5, 1);
    let mut claims = vec![];
    let test = TestCircuit::new(room(), |ctx, chips| {
        claims.push(ctx.advice.len());
        let root = ctx.load_witness(root.unwrap_or_else(|| own.root()));
        let signers: Vec<_> = signers
            .iter()
            .map(|(key, weight, index)| (Fr::from(*index), entry(ctx, &mut claims, (key, *weight))))
            .collect();
        let unused_key = UNUSED.map(Fr::from);
        let shape = KeySetShape {
            format: FORMAT,
            arity: 5,
            depth: 1,
            capacity,
            unused: signers.len(),
            unused_key: &unused_key,
        };
        let set = (root, &leaves[..], &shape);
        let members = look_up_keys(ctx, chips, set, 8, &signers);
        assert_eq!(members.len(), signers.len());
    });
    (test, claims)
}

#[test]
fn whole_keys_are_looked_up() {
    let all: Vec<_> = (0..10).map(honest).collect();
    for signers in [&all[..], &all[3..4], &[honest(0), honest(9), unused(10), unused(12)]] {
        found(signers, 10, None).0.assert_satisfied();
    }
    // Places that do not count: behind them stand those of unused slots.
    found(&[honest(6), unused(7)], 7, None).0.assert_satisfied();
    assert!(!found(&[honest(7)], 7, None).0.is_satisfied());
}

#[test]
fn other_keys_weights_indices_and_roots_are_refused() {
    let refused = |signer: Signer| !found(&[honest(1), signer], 10, None).0.is_satisfied();
    for part in 0..ELEMENTS {
        let (mut other, weight, index) = honest(4);
        other[part] += Fr::ONE;
        assert!(refused((other, weight, index)), "part {part}");
    }
    assert!(refused((key(4), 6, 4)), "another weight");
    assert!(refused((key(4), 0, 4)), "none");
    assert!(refused((key(4), 5, 5)), "another index");
    assert!(refused((key(1), 2, 1)), "a member twice");
    assert!(refused((key(0), 1, 0)), "a member before");
    assert!(refused((key(4), 0, 11)), "a member in an unused slot");
    assert!(refused((vec![Fr::ZERO; ELEMENTS], 0, 11)), "nobody");
    let root = tree(&key_leaves(3), 5, 1).root();
    assert_eq!(found(&[honest(1)], 10, Some(root)).0.failing(vec![]), ["copy"]);
}

/// Places without a member have no key: nothing that a slot may bring is looked up there.
#[test]
fn nobody_is_in_an_empty_place() {
    let empty = LeafFormat::Keys(FORMAT).empty();
    let most = Fr::from(2).pow([KEY_WORD_BITS as u64 + 61]);
    for i in 0..MEMBERS {
        let bits = |element: &Fr| fe_to_biguint(element).bits();
        assert!(empty.entry(i).iter().all(|element| bits(element) > bits(&(most - Fr::ONE))));
    }
}

/// The tag of a leaf, its elements, which the set has, too, and the zero behind them.
#[test]
fn each_part_of_a_leaf_is_bound() {
    let (mut test, _) = found(&[honest(1), honest(8)], 10, None);
    test.assert_satisfied();
    test.assert_states_are_bound(2, &(0..KeyFormat::WIDTH).collect::<Vec<_>>());
}

/// Signers who follow paths to the root of a tree of two levels.
fn followed(signers: &[Signer], ways: &[MemberPath]) -> (TestCircuit, Vec<usize>) {
    let leaves = key_leaves(6);
    let own = tree(&leaves, 5, 2);
    let mut claims = vec![];
    let test = TestCircuit::new(layout(11, &[6, KeyFormat::WIDTH]), |ctx, chips| {
        claims.push(ctx.advice.len());
        let root = ctx.load_witness(own.root());
        let mut all = PathSigners::new(root, (5, 2), LeafFormat::Keys(FORMAT));
        let unused = UNUSED.map(Fr::from);
        for ((key, weight, _), way) in signers.iter().zip(ways) {
            let entry = entry(ctx, &mut claims, (key, *weight));
            all.follow_key(ctx, chips, (FORMAT, &unused), &entry, way);
        }
        for (member, (_, weight, index)) in all.members(ctx, chips, 8).iter().zip(signers) {
            assert_eq!(*member.weight().value(), Fr::from(*weight));
            assert_eq!(*member.offset().value(), Fr::from(*index));
        }
    });
    (test, claims)
}

/// The ways of these members.
fn ways(members: &[usize]) -> Vec<MemberPath> {
    let leaves = key_leaves(6);
    let own = tree(&leaves, 5, 2);
    members.iter().map(|index| key_member(&leaves, &own, *index)).collect()
}

/// A way that leads nowhere, from a leaf with this key in it.
fn no_way(key: &[Fr]) -> MemberPath {
    let mut leaf = LeafFormat::Keys(FORMAT).empty();
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
    let signers = members.map(|index| honest(index as u64));
    followed(&signers, &ways(&members)).0.assert_satisfied();
    // Those who are not used stand behind all places: 125 of them, and the slots before.
    let slots = [honest(7), unused(126), unused(127)];
    let unused_key = UNUSED.map(Fr::from);
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
    assert!(!refused(key(7), 8, &way));
    for part in 0..ELEMENTS {
        let mut other = key(7);
        other[part] += Fr::ONE;
        assert!(refused(other, 8, &way), "part {part}");
    }
    assert!(refused(key(7), 9, &way), "another weight");
    assert!(refused(key(6), 7, &way), "another member of the leaf");
    // Of weight 0 and with another key than that of unused slots, on a way that leads nowhere.
    for part in 0..ELEMENTS {
        let mut other = UNUSED.map(Fr::from).to_vec();
        other[part] += Fr::ONE;
        assert!(refused(other.clone(), 0, &no_way(&other)), "part {part}");
    }
}

/// The key of whoever weighs nothing: whatever a prover changes on the way is refused.
#[test]
fn unused_slots_have_one_key() {
    for part in 0..ELEMENTS {
        let mut other = UNUSED.map(Fr::from).to_vec();
        other[part] += Fr::ONE;
        let (test, claims) = followed(&[(other.clone(), 0, 125)], &[no_way(&other)]);
        let walk = test.walk(claims);
        assert!(walk.sums >= 1 && walk.copies >= 2, "{walk:?}");
    }
}
