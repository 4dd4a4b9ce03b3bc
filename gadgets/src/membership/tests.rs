//! Trees of every shape, and paths that must not open.

use ff::Field;
use halo2curves::bn256::Fr;
use proptest::prelude::*;

use super::*;
use crate::hash::poseidon;

fn leaves(n: usize) -> Vec<Fr> {
    (0..n as u64).map(|i| leaf(Fr::from(i), Fr::from(i + 1), 1)).collect()
}

/// The root by its definition: every slot hashed.
fn full_root(leaves: &[Fr], arity: usize, depth: usize) -> Fr {
    let mut level = leaves.to_vec();
    level.resize(arity.pow(depth as u32), Fr::ZERO);
    for _ in 0..depth {
        level = level.chunks(arity).map(poseidon::hash).collect();
    }
    level[0]
}

#[test]
fn roots_equal_those_of_full_trees() {
    for (arity, depth) in [(2usize, 1), (2, 5), (4, 3), (5, 2), (8, 2), (16, 1), (16, 2)] {
        let slots = arity.pow(depth as u32);
        for n in [0, 1, 2, arity - 1, arity, arity + 1, slots - 1, slots] {
            if n <= slots {
                let tree = MerkleTree::new(&leaves(n), arity, depth).unwrap();
                assert_eq!(tree.root(), full_root(&leaves(n), arity, depth), "{arity} {depth} {n}");
                assert_eq!((tree.arity(), tree.depth(), tree.leaves().len()), (arity, depth, n));
            }
        }
    }
}

#[test]
fn every_path_opens_its_slot_and_no_other() {
    for (arity, depth) in [(2usize, 4), (4, 2), (5, 2), (8, 2), (16, 1)] {
        let slots = arity.pow(depth as u32);
        let given = leaves(slots - 3);
        let tree = MerkleTree::new(&given, arity, depth).unwrap();
        for index in 0..slots {
            let path = tree.path(index).unwrap();
            let leaf = given.get(index).copied().unwrap_or(Fr::ZERO);
            assert_eq!(path.root(leaf), tree.root());
            assert_eq!(path.levels.len(), depth);
            assert!(path.levels.iter().all(|children| children.len() == arity));
            assert_eq!(path.levels[0][path.positions()[0]], leaf);
            assert_ne!(path.root(leaf + Fr::ONE), tree.root());
            for other in (0..slots).filter(|other| *other != index) {
                let moved = MerklePath { index: other, levels: path.levels.clone() };
                // It may open another slot only to what that slot holds: two empty slots.
                let opens = moved.root(leaf) == tree.root();
                let held = given.get(other).copied().unwrap_or(Fr::ZERO);
                assert!(!opens || leaf == held, "{arity} {depth} {index} {other}");
            }
        }
        assert_eq!(tree.path(slots), Err(TreeError::Index(slots)));
        assert_eq!(tree.path(usize::MAX), Err(TreeError::Index(usize::MAX)));
    }
}

#[test]
fn shorter_and_longer_paths_give_other_roots() {
    let tree = MerkleTree::new(&leaves(9), 4, 3).unwrap();
    let mut path = tree.path(6).unwrap();
    let leaf = leaves(9)[6];
    let top = path.levels.pop().unwrap();
    assert_ne!(path.root(leaf), tree.root());
    path.levels.push(top.clone());
    assert_eq!(path.root(leaf), tree.root());
    path.levels.push(top);
    assert_ne!(path.root(leaf), tree.root());
    // A node in the place of a leaf: the path above it opens, but to a shorter tree only.
    let upper = MerklePath { index: 1, levels: tree.path(6).unwrap().levels[1..].to_vec() };
    let node = poseidon::hash(&tree.path(6).unwrap().levels[0]);
    assert_eq!(upper.root(node), tree.root());
    assert_ne!(upper.levels.len(), tree.depth());
}

#[test]
fn deepest_and_widest_trees() {
    for arity in ARITIES {
        let tree = MerkleTree::new(&leaves(3), arity, MAX_DEPTH).unwrap();
        let path = tree.path(2).unwrap();
        assert_eq!(path.root(leaves(3)[2]), tree.root());
        let empty = MerkleTree::new(&[], arity, MAX_DEPTH).unwrap();
        assert_eq!(empty.root(), zero_hashes(arity, MAX_DEPTH).unwrap()[MAX_DEPTH]);
        assert_eq!(empty.path(7).unwrap().root(Fr::ZERO), empty.root());
    }
}

/// circomlib-style binary trees of zero leaves, as in tornado-core and Semaphore's
/// Poseidon trees: level 1 is Poseidon(0, 0).
#[test]
fn empty_binary_trees_have_the_known_roots() {
    let zeros = zero_hashes(2, 2).unwrap();
    let known = "14744269619966411208579211824598458697587494354926760081771325075741142829156";
    assert_eq!(zeros.len(), 3);
    assert_eq!(zeros[0], Fr::ZERO);
    assert_eq!(zeros[1], <Fr as ff::PrimeField>::from_str_vartime(known).unwrap());
}

#[test]
fn bad_shapes_are_refused() {
    for arity in [0, 1, 3, 6, 7, 9, 15, 17] {
        assert_eq!(MerkleTree::new(&[], arity, 2).err(), Some(TreeError::Arity(arity)));
        assert_eq!(zero_hashes(arity, 2), Err(TreeError::Arity(arity)));
        assert_eq!(min_depth(arity, 2), Err(TreeError::Arity(arity)));
    }
    for depth in [0, 33, usize::MAX] {
        assert_eq!(MerkleTree::new(&[], 2, depth).err(), Some(TreeError::Depth(depth)));
        assert_eq!(zero_hashes(2, depth), Err(TreeError::Depth(depth)));
    }
    let too_many = TreeError::TooManyLeaves { leaves: 17, arity: 4, depth: 2 };
    assert_eq!(MerkleTree::new(&leaves(17), 4, 2).err(), Some(too_many));
}

#[test]
fn least_depths() {
    let cases = [
        (2, 0, 1),
        (2, 1, 1),
        (2, 2, 1),
        (2, 3, 2),
        (16, 16, 1),
        (16, 17, 2),
        (5, 125, 3),
        (5, 126, 4),
    ];
    for (arity, len, depth) in cases {
        assert_eq!(min_depth(arity, len), Ok(depth));
    }
    assert_eq!(min_depth(16, usize::MAX), Ok(16));
    let too_many = TreeError::TooManyLeaves { leaves: usize::MAX, arity: 2, depth: 32 };
    assert_eq!(min_depth(2, usize::MAX), Err(too_many));
}

#[test]
fn a_leaf_binds_both_coordinates_and_the_weight() {
    let (x, y) = (Fr::from(3), Fr::from(4));
    let tag = poseidon::domain("muster.leaf.v1");
    let base = leaf(x, y, 5);
    let inputs = [x, y, Fr::from(5), Fr::ZERO, Fr::ZERO];
    assert_eq!(base, poseidon::hash_with_domain(tag, &inputs));
    // The node of the same children is another value.
    assert_ne!(base, poseidon::hash(&inputs));
    for other in [leaf(-x, y, 5), leaf(x, -y, 5), leaf(x, y, 6), leaf(y, x, 5)] {
        assert_ne!(base, other);
    }
}

#[test]
fn key_sets() {
    let member = |x: u64, y: u64, weight| Member { x: Fr::from(x), y: Fr::from(y), weight };
    assert_eq!(KeySet::new(vec![]), Err(KeySetError::Empty));
    let twice = vec![member(1, 2, 1), member(1, 3, 1), member(1, 2, 9)];
    assert_eq!(KeySet::new(twice), Err(KeySetError::DuplicateKey { first: 0, second: 2 }));
    for weight in [0, 1 << 32, u64::MAX] {
        let members = vec![member(1, 2, 1), member(2, 2, weight)];
        assert_eq!(KeySet::new(members), Err(KeySetError::Weight { member: 1, weight }));
    }
    let set = KeySet::new(vec![member(1, 2, 1), member(2, 1, (1 << 32) - 1)]).unwrap();
    assert_eq!(set.total_weight(), 1 << 32);
    assert_eq!(set.leaves(), [leaf(Fr::from(1), Fr::from(2), 1), set.members()[1].leaf()]);
    let tree = set.tree(2, 1).unwrap();
    assert_eq!(tree.root(), poseidon::hash(&set.leaves()));
    let swapped: Vec<_> = set.members().iter().rev().copied().collect();
    assert_ne!(KeySet::new(swapped).unwrap().tree(2, 1).unwrap().root(), tree.root());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_changed_sibling_changes_the_root(
        n in 1usize..60, at in 0usize..60, level in 0usize..3, child in 0usize..4,
    ) {
        let tree = MerkleTree::new(&leaves(n), 4, 3).unwrap();
        let index = at % n;
        let mut path = tree.path(index).unwrap();
        let on_path = path.positions()[level] == child;
        path.levels[level][child] += Fr::ONE;
        // The child on the path is computed, so what stands there does not matter.
        prop_assert_eq!(path.root(leaves(n)[index]) == tree.root(), on_path);
    }
}
