//! Sets and paths in circuit against the native tree, and paths that must not open.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::super::tree;
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{poseidon::rows_each, Forged};
use muster_schemes::hash::poseidon::{permute, PoseidonSpec};
use muster_schemes::membership::{
    zero_hashes, KeyFormat, Leaf, LeafFormat, MemberPath, MerklePath, MerkleTree, ARITIES,
    KEY_WORD_BITS, LEAF_MEMBERS,
};

mod keys;
mod nodes;
mod signers;
mod weights;
mod whole;

/// The first column of the Poseidon gate, behind those of the Edwards gate.
const POSEIDON: usize = 6;

/// Leaves of four members each; the weight of a member is its number.
fn leaves(count: usize) -> Vec<Leaf> {
    let leaf = |first: u64| {
        let numbers = [0, 1, 2, 3].map(|i| 4 * first + i);
        Leaf::named(numbers.map(|i| Fr::from(100 + i)), numbers)
    };
    (0..count as u64).map(leaf).collect()
}

fn tree(leaves: &[Leaf], arity: usize, depth: usize) -> MerkleTree {
    let hashes: Vec<_> = leaves.iter().map(Leaf::hash).collect();
    MerkleTree::new(&hashes, arity, depth, leaves[0].format).expect("they fit")
}

fn member(leaves: &[Leaf], tree: &MerkleTree, index: usize) -> MemberPath {
    let leaf = index / LEAF_MEMBERS;
    let path = tree.path(leaf).expect("a leaf");
    MemberPath { leaf: leaves[leaf].clone(), position: index % LEAF_MEMBERS, path }
}

/// Follows `member` from `x`; the circuit asserts that it ends at `root` with `index` and `weight`.
fn follow(x: Fr, member: &MemberPath, root: Fr, (index, weight): (u64, u64)) -> TestCircuit {
    let arity = member.path.levels[0].len();
    TestCircuit::new(layout(10, &widths(arity)), |ctx| {
        let x = ctx.load_witness(x);
        let end = tree::path(ctx, x, member);
        let expected = [root, Fr::from(index), Fr::from(weight)];
        for (cell, value) in [end.root, end.index.cell(), end.weight].iter().zip(expected) {
            let value = ctx.load_constant(value);
            ctx.constrain_equal(cell, &value);
        }
    })
}

/// Those of a leaf and of a node.
fn widths(arity: usize) -> Vec<usize> {
    let mut widths = vec![6, arity + 1];
    widths.dedup();
    widths
}

#[test]
fn sets_have_the_native_root() {
    for arity in ARITIES {
        for (depth, count) in [(1, 1), (1, arity), (2, arity + 1), (3, 3)] {
            let leaves = leaves(count);
            let tree = tree(&leaves, arity, depth);
            let circuit = TestCircuit::new(layout(11, &widths(arity)), |ctx| {
                let set = tree::whole_set(ctx, &leaves, arity, depth);
                assert_eq!(*set.root.value(), tree.root());
                assert_eq!(set.members.len(), LEAF_MEMBERS * count);
                for (i, (x, weight)) in set.members.iter().enumerate() {
                    let number = i as u64;
                    assert_eq!(
                        (*x.value(), *weight.value()),
                        (Fr::from(100 + number), number.into())
                    );
                }
            });
            assert!(circuit.is_satisfied(), "{arity}, {depth}, {count}");
        }
    }
}

#[test]
fn paths_lead_to_the_root() {
    for arity in ARITIES {
        let leaves = leaves(arity + 1);
        let tree = tree(&leaves, arity, 2);
        for index in [0, 1, 3, 4 * arity - 1, 4 * arity] {
            let way = member(&leaves, &tree, index);
            let number = index as u64;
            let circuit = follow(Fr::from(100 + number), &way, tree.root(), (number, number));
            assert!(circuit.is_satisfied(), "{arity}, {index}");
        }
    }
}

#[test]
fn paths_that_do_not_open() {
    for arity in ARITIES {
        let leaves = leaves(arity + 1);
        let tree = tree(&leaves, arity, 2);
        // Member 2 of leaf 1.
        let way = member(&leaves, &tree, 6);
        let holds = |x: u64, way: &MemberPath, claimed: (u64, u64)| {
            follow(Fr::from(x), way, tree.root(), claimed).is_satisfied()
        };
        assert!(holds(106, &way, (6, 6)));
        assert!(!holds(105, &way, (6, 6)), "another member of the leaf");
        assert!(!holds(102, &way, (6, 6)), "a member of another leaf");
        assert!(!holds(106, &way, (5, 6)), "another index is claimed");
        assert!(!holds(106, &way, (6, 5)), "another weight is claimed");
        let beside = MemberPath { position: 1, ..way.clone() };
        assert!(!holds(106, &beside, (5, 5)), "another position in the leaf");
        let at = |index: usize| {
            let path = MerklePath { index, ..way.path.clone() };
            MemberPath { path, ..way.clone() }
        };
        assert!(!holds(106, &at(0), (2, 6)), "another place");
        let branch = (4 * (1 + arity) + 2) as u64;
        assert!(!holds(106, &at(1 + arity), (branch, 6)), "another branch");
        let mut changed = way.clone();
        changed.path.levels[1].swap(0, 1);
        assert!(!holds(106, &changed, (6, 6)), "siblings exchanged above");
        let mut changed = way.clone();
        changed.path.levels[0][0] += Fr::ONE;
        assert!(!holds(106, &changed, (6, 6)), "a sibling changed");
        let mut changed = way.clone();
        changed.leaf.keys[0][0] += Fr::ONE;
        assert!(!holds(106, &changed, (6, 6)), "another key in the leaf changed");
        let mut changed = way.clone();
        changed.leaf.weights.swap(0, 1);
        assert!(!holds(106, &changed, (6, 6)), "weights exchanged");
        // A level less and a level more.
        let mut short = way.clone();
        short.path.levels.remove(0);
        assert!(!holds(106, &short, (6, 6)));
        let zeros = zero_hashes(arity, 3, LeafFormat::Names).expect("a legal tree");
        let mut long = way.clone();
        long.path.levels.push(vec![zeros[2]; arity]);
        assert!(!holds(106, &long, (6, 6)));
        let deeper = self::tree(&leaves, arity, 3).root();
        assert!(follow(Fr::from(106), &long, deeper, (6, 6)).is_satisfied());
    }
}

/// The bits that select a member or a child: two of them, none, and others that add up to one.
#[test]
fn selections_that_are_not_one_hot() {
    let leaves = leaves(4);
    let tree = tree(&leaves, 4, 1);
    let way = member(&leaves, &tree, 9);
    let mut circuit = follow(Fr::from(109), &way, tree.root(), (9, 9));
    assert!(circuit.is_satisfied());
    let vertical = circuit.advice().len() - 1;
    let cells = circuit.advice()[vertical].clone();
    // Cells that hold 0 or 1, in small groups: no overwrite of them goes unnoticed.
    let bits: Vec<_> =
        (0..110).filter(|row| cells[*row] == Fr::ZERO || cells[*row] == Fr::ONE).collect();
    assert!(bits.len() > 40, "four bits and their gates, twice");
    for pair in bits.windows(2) {
        for values in [[Fr::ONE, Fr::ONE], [Fr::ZERO, Fr::ZERO], [-Fr::ONE, Fr::from(2)]] {
            let forged: Vec<_> = pair
                .iter()
                .zip(values)
                .filter(|(row, value)| cells[**row] != *value)
                .map(|(row, value)| Forged { column: vertical, row: *row, value })
                .collect();
            assert!(forged.is_empty() || !circuit.is_satisfied_with_all(forged));
        }
    }
}

/// What fills a node up beyond the leaves, with the node and the root that follow from it; the same for the hash
/// of a leaf, for what a leaf hashes beside its keys, and for the tags.
#[test]
fn what_a_set_hashes_is_bound() {
    const ARITY: usize = 5;
    // No weight is 0.
    let leaves = &leaves(3)[1..];
    let mut circuit = TestCircuit::new(layout(10, &widths(ARITY)), |ctx| {
        tree::whole_set(ctx, leaves, ARITY, 2);
    });
    circuit.assert_satisfied();
    let forger = circuit.forger();
    let rows = rows_each(ARITY + 1, 3).expect("it can be laid out");
    // Two leaves, whose keys are witnesses; the node of both, and the root.
    let leaf = |number: usize| [(number, 0), (number, 5)];
    let node = |number: usize| (0..=ARITY).map(move |lane| (number, lane));
    for (permutation, lane) in leaf(0).into_iter().chain(leaf(1)).chain(node(2)).chain(node(3)) {
        let place = (POSEIDON + lane % 3, permutation * rows + lane / 3);
        let value = forger.value(place) + Fr::ONE;
        let what = format!("permutation {permutation}, lane {lane}");
        circuit.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
    }
    // What packs the weights of a leaf: `w, w, 2^64, sum, w, 2^128, sum, w, 2^192, sum`.
    let vertical = circuit.advice().len() - 1;
    for (leaf, cell) in (0..2).flat_map(|leaf| [0, 1, 2, 4, 5, 7, 8].map(|cell| (leaf, cell))) {
        let place = (vertical, 10 * leaf + cell);
        let value = forger.value(place) + Fr::ONE;
        let what = format!("weights of leaf {leaf}, cell {cell}");
        circuit.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
    }
}

/// The same of what a path hashes: the tags, and the weights of the leaf. The prover puts the digest that follows from
/// it in its place in the node above, and so on up to the root.
#[test]
fn what_a_path_hashes_is_bound() {
    const ARITY: usize = 5;
    let leaves = leaves(7);
    let tree = tree(&leaves, ARITY, 2);
    let way = member(&leaves, &tree, 26);
    let mut circuit = TestCircuit::new(layout(10, &widths(ARITY)), |ctx| {
        let x = ctx.load_witness(Fr::from(126));
        tree::path(ctx, x, &way);
    });
    circuit.assert_satisfied();
    let forger = circuit.forger();
    let rows = rows_each(ARITY + 1, 3).expect("it can be laid out");
    // The leaf and two nodes, and the places of the way in these.
    let place =
        |(permutation, lane): (usize, usize)| (POSEIDON + lane % 3, permutation * rows + lane / 3);
    let children: Vec<_> =
        way.path.positions().into_iter().zip(1..).map(|(child, node)| (node, 1 + child)).collect();
    for forged in [(0, 0), (0, 5), (1, 0), (2, 0)] {
        let more = forger.value(place(forged)) + Fr::ONE;
        let mut starts = vec![(place(forged), more)];
        let (mut changed, mut new) = (forged, more);
        for child in children.iter().copied().filter(|child| child.0 > forged.0) {
            let lanes = (0..=ARITY).map(|lane| (changed.0, lane));
            let value = |lane| if lane == changed { new } else { forger.value(place(lane)) };
            let mut state: Vec<_> = lanes.map(value).collect();
            permute(PoseidonSpec::get(ARITY + 1), &mut state);
            let bound = forger.bound_to(place(child)).into_iter();
            starts.extend(bound.map(|place| (place, state[0])));
            (changed, new) = (child, state[0]);
        }
        let bound: Vec<_> = forger.bound_to(place(forged));
        let broken = circuit.broken_copies(forger.rewrite(&starts));
        assert_eq!(circuit.failing(forger.rewrite(&starts)), ["copy"], "{forged:?}");
        assert!(broken.iter().all(|place| bound.contains(place)), "{forged:?}");
    }
}

/// The first row of `column` that holds `value`.
fn row_of(circuit: &TestCircuit, column: usize, value: Fr) -> usize {
    let cells = &circuit.advice()[column];
    cells.iter().position(|cell| *cell == value).expect("the value stands there")
}

/// A leaf that is not in the tree, under the path of one that is: its hash and what stands in the node in its
/// place are bound by a copy, and by nothing else.
#[test]
fn a_node_holds_the_leaf_that_was_opened() {
    let leaves = leaves(4);
    let tree = tree(&leaves, 4, 1);
    let honest = member(&leaves, &tree, 6);
    let own = Leaf::named([900, 901, 902, 903].map(Fr::from), [1 << 20; 4]);
    let way = MemberPath { leaf: own.clone(), ..honest };
    let mut circuit = TestCircuit::new(layout(10, &widths(4)), |ctx| {
        let x = ctx.load_witness(Fr::from(902));
        tree::path(ctx, x, &way);
    });
    circuit.assert_satisfied();
    let vertical = circuit.advice().len() - 1;
    let cells = &circuit.advice()[vertical];
    let end = cells.iter().rposition(|cell| *cell == own.hash()).expect("the selection ends in it");
    let end = (vertical, end);
    let forger = circuit.forger();
    // The node is the second permutation of five elements beside those of leaves, child 1 its lane 2.
    let child = (POSEIDON + 6 + 2, 0);
    assert_eq!(forger.value(child), own.hash());
    let mut places = forger.bound_to(child);
    places.retain(|place| *place != end);
    places.push(end);
    let starts: Vec<_> = places.into_iter().map(|place| (place, leaves[1].hash())).collect();
    let forged = forger.rewrite(&starts);
    assert!(forged.iter().any(|forged| forged.value == tree.root()), "the root of the tree");
    circuit.assert_only_copies_refuse(&forger, "another leaf", &starts);
}

/// A key that is not in the leaf.
#[test]
fn a_leaf_holds_the_key_that_is_followed() {
    let leaves = leaves(4);
    let tree = tree(&leaves, 4, 1);
    let way = member(&leaves, &tree, 6);
    let mut circuit = follow(Fr::from(902), &way, tree.root(), (6, 6));
    assert!(!circuit.is_satisfied());
    let vertical = circuit.advice().len() - 1;
    let forger = circuit.forger();
    let mut places = forger.bound_to((vertical, row_of(&circuit, vertical, Fr::from(902))));
    places.sort_unstable();
    let end = *places.last().expect("the key and the end of the selection");
    assert!(places.len() > 1);
    circuit.assert_only_copies_refuse(&forger, "another key", &[(end, Fr::from(106))]);
}

/// The bits that say where a member stands, where they choose its weight and where they count its index.
#[test]
fn weights_and_indices_are_counted_by_the_bits_that_select() {
    let leaves = leaves(4);
    let tree = tree(&leaves, 4, 1);
    let way = member(&leaves, &tree, 6);
    let mut circuit = TestCircuit::new(layout(10, &widths(4)), |ctx| {
        let x = ctx.load_witness(Fr::from(106));
        tree::path(ctx, x, &way);
    });
    circuit.assert_satisfied();
    let forger = circuit.forger();
    let vertical = circuit.advice().len() - 1;
    // Bits are loaded, then asserted to be bits: `0 + b·b = b`. Four in a leaf, four in a node.
    let cells = circuit.advice()[vertical].clone();
    let is_bit = |row: &usize| {
        let bound = forger.bound_to((vertical, *row));
        let zero = cells[row + 1] == Fr::ZERO && !bound.contains(&(vertical, row + 1));
        zero && [2, 3, 4].iter().all(|below| bound.contains(&(vertical, row + below)))
    };
    let homes: Vec<_> = (0..300).filter(is_bit).collect();
    assert_eq!(homes.len(), 8, "{homes:?}");
    for (number, home) in homes.into_iter().enumerate() {
        let mut uses = forger.bound_to((vertical, home));
        uses.sort_unstable();
        let flipped = Fr::ONE - cells[home];
        // Each counts for the index but the first of its kind; those of the leaf choose a weight before.
        let counted = usize::from(number % 4 > 0);
        let chosen = usize::from(number < 4);
        assert_eq!(uses.len(), 6 + counted + chosen, "bit {number}");
        for place in uses.into_iter().rev().take(counted + chosen) {
            let what = format!("bit {number}, row {}", place.1);
            circuit.assert_only_copies_refuse(&forger, &what, &[(place, flipped)]);
        }
    }
}

/// Each cell of the vertical gate is rewritten, with all that follows from it, where nothing is asserted of the
/// end of a path.
#[test]
fn a_path_is_determined() {
    let leaves = leaves(7);
    let tree = tree(&leaves, 4, 2);
    let way = member(&leaves, &tree, 26);
    let circuit = TestCircuit::new(layout(10, &widths(4)), |ctx| {
        let x = ctx.load_witness(Fr::from(126));
        tree::path(ctx, x, &way);
    });
    circuit.assert_satisfied();
    // The ends of the selections: a key, its weight, and the hashes below two nodes.
    assert_eq!(circuit.open_values(), (vec![], 4));
    // The leaf and what stands beside the way, which Poseidon's gate binds.
    assert_eq!(circuit.open_classes_given([]), (vec![], 16));
}

#[test]
fn a_whole_set_is_determined() {
    let leaves = leaves(7);
    let circuit = TestCircuit::new(layout(10, &widths(4)), |ctx| {
        tree::whole_set(ctx, &leaves, 4, 2);
    });
    circuit.assert_satisfied();
    assert_eq!(circuit.open_values(), (vec![], 0));
    // The packed weights, which Poseidon's gate takes.
    assert_eq!(circuit.open_classes_given([]), (vec![], 28));
}
