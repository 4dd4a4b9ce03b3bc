//! Sets and paths in circuit against the native tree, and paths that must not open.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{chip, leaf, zero_hashes, MerklePath, MerkleTree, ARITIES};
use crate::gate::testing::{layout, TestCircuit};

fn leaves(count: usize) -> Vec<Fr> {
    (0..count as u64).map(|i| leaf(Fr::from(i), Fr::from(i + 1), 1)).collect()
}

/// Follows `path` from `leaf`; the circuit asserts that it ends at `root` with `index`.
fn follow(leaf: Fr, path: &MerklePath, root: Fr, index: u64) -> TestCircuit {
    let arity = path.levels[0].len();
    TestCircuit::new(layout(10, &[arity + 1]), |ctx, chips| {
        let leaf = ctx.load_witness(leaf);
        let end = chip::path(ctx, chips, leaf, path);
        let [root, index] = [root, Fr::from(index)].map(|value| ctx.load_constant(value));
        ctx.constrain_equal(&end.root, &root);
        ctx.constrain_equal(&end.index, &index);
    })
}

#[test]
fn sets_have_the_native_root() {
    for arity in ARITIES {
        for (depth, count) in [(1, 1), (1, arity), (2, arity + 1), (3, 3)] {
            let leaves = leaves(count);
            let tree = MerkleTree::new(&leaves, arity, depth).expect("they fit");
            let circuit = TestCircuit::new(layout(10, &[arity + 1]), |_, chips| {
                let set = chip::whole_set(chips, &leaves, arity, depth);
                assert_eq!(*set.root.value(), tree.root());
                assert_eq!(set.leaves.len(), count);
                assert!(set.leaves.iter().zip(&leaves).all(|(cell, leaf)| cell.value() == leaf));
            });
            assert!(circuit.is_satisfied(), "{arity}, {depth}, {count}");
        }
    }
}

#[test]
fn paths_lead_to_the_root() {
    for arity in ARITIES {
        let leaves = leaves(arity + 1);
        let tree = MerkleTree::new(&leaves, arity, 2).expect("they fit");
        for index in [0, 1, arity - 1, arity] {
            let path = tree.path(index).expect("a slot");
            let circuit = follow(leaves[index], &path, tree.root(), index as u64);
            assert!(circuit.is_satisfied(), "{arity}, {index}");
        }
    }
}

#[test]
fn paths_that_do_not_open() {
    for arity in ARITIES {
        let leaves = leaves(arity + 1);
        let tree = MerkleTree::new(&leaves, arity, 2).expect("they fit");
        let path = tree.path(1).expect("a slot");
        let holds = |leaf: Fr, path: &MerklePath, index| {
            follow(leaf, path, tree.root(), index).is_satisfied()
        };
        assert!(holds(leaves[1], &path, 1));
        assert!(!holds(leaves[0], &path, 1), "another leaf");
        assert!(!holds(leaves[1], &path, 0), "another index is claimed");
        let at = |index: usize| MerklePath { index, ..path.clone() };
        assert!(!holds(leaves[1], &at(0), 0), "another place");
        assert!(!holds(leaves[1], &at(1 + arity), 1 + arity as u64), "another branch");
        let mut swapped = path.clone();
        swapped.levels[1].swap(0, 1);
        assert!(!holds(leaves[1], &swapped, 1), "siblings exchanged above");
        let mut changed = path.clone();
        changed.levels[0][0] += Fr::ONE;
        assert!(!holds(leaves[1], &changed, 1), "a sibling changed");
        // A level less, so that an inner node is taken for a leaf, and a level more.
        let mut short = path.clone();
        let node = short.levels.remove(0);
        assert!(!holds(leaves[1], &short, 1));
        // The node itself opens one level below the root: only the leaf's own hash, which the caller
        // constrains, and the number of levels, which is fixed, tell it from a leaf.
        let node = crate::hash::poseidon::hash(&node);
        assert!(follow(node, &MerklePath { index: 0, ..short }, tree.root(), 0).is_satisfied());
        let zeros = zero_hashes(arity, 3).expect("a legal tree");
        let mut long = path.clone();
        long.levels.push(vec![zeros[2]; arity]);
        assert!(!holds(leaves[1], &long, 1));
        let deeper = MerkleTree::new(&leaves, arity, 3).expect("they fit").root();
        assert!(follow(leaves[1], &long, deeper, 1).is_satisfied());
    }
}

/// The bits that select a child: two of them, none, and others that add up to one.
#[test]
fn selections_that_are_not_one_hot() {
    let leaves = leaves(4);
    let tree = MerkleTree::new(&leaves, 4, 1).expect("they fit");
    let path = tree.path(2).expect("a slot");
    let mut circuit = follow(leaves[2], &path, tree.root(), 2);
    assert!(circuit.is_satisfied());
    let vertical = circuit.advice().len() - 1;
    let cells = circuit.advice()[vertical].clone();
    // Cells that hold 0 or 1, in small groups: no overwrite of them goes unnoticed.
    let bits: Vec<_> =
        (0..60).filter(|row| cells[*row] == Fr::ZERO || cells[*row] == Fr::ONE).collect();
    assert!(bits.len() > 20, "four bits and their gates");
    for pair in bits.windows(2) {
        for values in [[Fr::ONE, Fr::ONE], [Fr::ZERO, Fr::ZERO], [-Fr::ONE, Fr::from(2)]] {
            let forged: Vec<_> = pair
                .iter()
                .zip(values)
                .filter(|(row, value)| cells[**row] != *value)
                .map(|(row, value)| crate::gate::Forged { column: vertical, row: *row, value })
                .collect();
            assert!(forged.is_empty() || !circuit.is_satisfied_with_all(forged));
        }
    }
}
