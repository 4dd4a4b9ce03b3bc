//! Trees of every shape, and paths that must not open.

use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::BigUint;
use proptest::prelude::*;

use super::*;
use crate::{
    curve::{
        edwards::{Scalar, SubgroupPoint},
        weierstrass::{Address, Curve, Point},
    },
    hash::poseidon,
    signature::bip340,
};

mod contract;
mod key;
mod quorum;

fn leaves(n: usize) -> Vec<Fr> {
    let leaf = |i| Leaf::named([i, i + 1, i + 2, i + 3].map(Fr::from), [1, 2, 3, i]);
    (0..n as u64).map(|i| leaf(i).hash()).collect()
}

fn empty() -> Fr {
    LeafFormat::Names.empty().hash()
}

fn member(number: u64, weight: u64) -> Member {
    Member { public_key: multiple(Scalar::from(1000 + number)), weight }
}

fn multiple(secret: Scalar) -> PublicKey {
    SubgroupPoint::mul_generator(&secret).unwrap().into()
}

/// The root by its definition: every slot hashed.
fn full_root(leaves: &[Fr], arity: usize, depth: usize) -> Fr {
    let mut level = leaves.to_vec();
    level.resize(arity.pow(depth as u32), empty());
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
                let tree = MerkleTree::new(&leaves(n), arity, depth, LeafFormat::Names).unwrap();
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
        let tree = MerkleTree::new(&given, arity, depth, LeafFormat::Names).unwrap();
        for index in 0..slots {
            let path = tree.path(index).unwrap();
            let leaf = given.get(index).copied().unwrap_or(empty());
            assert_eq!(path.root(leaf), tree.root());
            assert_eq!(path.levels.len(), depth);
            assert!(path.levels.iter().all(|children| children.len() == arity));
            assert_eq!(path.levels[0][path.positions()[0]], leaf);
            assert_ne!(path.root(leaf + Fr::ONE), tree.root());
            for other in (0..slots).filter(|other| *other != index) {
                let moved = MerklePath { index: other, levels: path.levels.clone() };
                // It may open another place only to what that place holds: two empty leaves.
                let opens = moved.root(leaf) == tree.root();
                let held = given.get(other).copied().unwrap_or(empty());
                assert!(!opens || leaf == held, "{arity} {depth} {index} {other}");
            }
        }
        assert_eq!(tree.path(slots), Err(TreeError::Index(slots)));
        assert_eq!(tree.path(usize::MAX), Err(TreeError::Index(usize::MAX)));
    }
}

#[test]
fn shorter_and_longer_paths_give_other_roots() {
    let tree = MerkleTree::new(&leaves(9), 4, 3, LeafFormat::Names).unwrap();
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
        let tree = MerkleTree::new(&leaves(3), arity, MAX_DEPTH, LeafFormat::Names).unwrap();
        let path = tree.path(2).unwrap();
        assert_eq!(path.root(leaves(3)[2]), tree.root());
        let none = MerkleTree::new(&[], arity, MAX_DEPTH, LeafFormat::Names).unwrap();
        assert_eq!(
            none.root(),
            zero_hashes(arity, MAX_DEPTH, LeafFormat::Names).unwrap()[MAX_DEPTH]
        );
        assert_eq!(none.path(7).unwrap().root(empty()), none.root());
    }
}

#[test]
fn empty_trees_hash_empty_leaves() {
    let zeros = zero_hashes(2, 2, LeafFormat::Names).unwrap();
    let one = poseidon::hash(&[empty(); 2]);
    assert_eq!(zeros, [empty(), one, poseidon::hash(&[one; 2])]);
}

#[test]
fn bad_shapes_are_refused() {
    for arity in [0, 1, 3, 6, 7, 9, 15, 17] {
        assert_eq!(
            MerkleTree::new(&[], arity, 2, LeafFormat::Names).err(),
            Some(TreeError::Arity(arity))
        );
        assert_eq!(zero_hashes(arity, 2, LeafFormat::Names), Err(TreeError::Arity(arity)));
        assert_eq!(min_depth(arity, 2, LeafFormat::Names), Err(TreeError::Arity(arity)));
    }
    for depth in [0, 33, usize::MAX] {
        assert_eq!(
            MerkleTree::new(&[], 2, depth, LeafFormat::Names).err(),
            Some(TreeError::Depth(depth))
        );
        assert_eq!(zero_hashes(2, depth, LeafFormat::Names), Err(TreeError::Depth(depth)));
    }
    let too_many = TreeError::TooManyLeaves { leaves: 17, arity: 4, depth: 2 };
    assert_eq!(MerkleTree::new(&leaves(17), 4, 2, LeafFormat::Names).err(), Some(too_many));
}

#[test]
fn least_depths() {
    let cases = [
        (2, 0, 1),
        (2, 1, 1),
        (2, 8, 1),
        (2, 9, 2),
        (16, 64, 1),
        (16, 65, 2),
        (5, 500, 3),
        (5, 501, 4),
    ];
    for (arity, members, depth) in cases {
        assert_eq!(min_depth(arity, members, LeafFormat::Names), Ok(depth));
    }
    assert_eq!(min_depth(16, usize::MAX, LeafFormat::Names), Ok(16));
    let leaves = usize::MAX.div_ceil(LEAF_MEMBERS);
    let too_many = TreeError::TooManyLeaves { leaves, arity: 2, depth: 32 };
    assert_eq!(min_depth(2, usize::MAX, LeafFormat::Names), Err(too_many));
}

#[test]
fn a_leaf_binds_keys_and_weights() {
    let base = Leaf::named([3, 4, 5, 6].map(Fr::from), [7, 8, 9, (1 << 60) - 1]);
    let packed = [7u64, 8, 9, (1 << 60) - 1]
        .iter()
        .enumerate()
        .map(|(i, weight)| Fr::from(*weight) * Fr::from(2).pow([64 * i as u64]))
        .sum();
    let inputs = [Fr::from(3), Fr::from(4), Fr::from(5), Fr::from(6), packed];
    let tag = poseidon::domain("muster.leaf.v1");
    assert_eq!(base.hash(), poseidon::hash_with_domain(tag, &inputs));
    // The node of the same children is another value.
    assert_ne!(base.hash(), poseidon::hash(&inputs));
    for i in 0..LEAF_MEMBERS {
        let mut other = base.clone();
        other.keys[i][0] = -other.keys[i][0];
        assert_ne!(base.hash(), other.hash());
        let mut other = base.clone();
        other.weights[i] -= 1;
        assert_ne!(base.hash(), other.hash());
        let mut other = base.clone();
        other.weights.rotate_left(i);
        assert!(i == 0 || base.hash() != other.hash());
    }
}

/// What lets a leaf name a key by one coordinate: the other point with it is outside the subgroup.
#[test]
fn the_first_coordinate_names_a_key() {
    for number in 1..50 {
        let key = *member(number, 1).public_key.of::<SubgroupPoint>().unwrap();
        let mirrored = SubgroupPoint::from_coordinates(key.x(), -key.y());
        assert_eq!(mirrored, Err(crate::curve::edwards::PointError::NotInSubgroup));
    }
}

#[test]
fn key_sets() {
    assert_eq!(KeySet::new(vec![]), Err(KeySetError::Empty));
    let twice = vec![member(1, 1), member(2, 1), member(1, 9)];
    assert_eq!(KeySet::new(twice), Err(KeySetError::DuplicateKey { first: 0, second: 2 }));
    for weight in [0, 1 << 60, u64::MAX] {
        let members = vec![member(1, 1), member(2, weight)];
        assert_eq!(KeySet::new(members), Err(KeySetError::Weight { member: 1, weight }));
    }
    let set = KeySet::new(vec![member(1, 1), member(2, (1 << 60) - 2)]).unwrap();
    assert_eq!(set.total_weight(), (1 << 60) - 1);
    let [first, second] = [1, 2].map(|i| member(i, 1).public_key.name());
    let x = [first, second, Fr::ZERO, Fr::ZERO];
    assert_eq!(set.leaves(), [Leaf::named(x, [1, (1 << 60) - 2, 0, 0])]);
    let tree = set.tree(2, 1).unwrap();
    assert_eq!(tree.root(), poseidon::hash(&[set.leaves()[0].hash(), empty()]));
    let swapped: Vec<_> = set.members().iter().rev().cloned().collect();
    assert_ne!(KeySet::new(swapped).unwrap().tree(2, 1).unwrap().root(), tree.root());
}

/// All weights of a set add up to less than 2^60.
#[test]
fn weights_that_are_too_large_together() {
    let greatest = (1 << 60) - 1;
    assert_eq!(KeySet::new(vec![member(1, greatest)]).unwrap().total_weight(), greatest);
    for weights in [vec![greatest, 1], vec![1 << 59, 1 << 59], vec![1 << 59, (1 << 59) - 1, 1]] {
        let numbered = (1..).zip(&weights);
        let members: Vec<_> = numbered.map(|(number, weight)| member(number, *weight)).collect();
        let last = members.len() - 1;
        assert_eq!(
            KeySet::new(members.clone()),
            Err(KeySetError::TotalWeight { member: last }),
            "{weights:?}"
        );
        assert!(KeySet::new(members[..last].to_vec()).is_ok(), "{weights:?}");
    }
    // The sum of so many would not fit a number.
    let members = (1..40).map(|number| member(number, greatest)).collect();
    assert_eq!(KeySet::new(members), Err(KeySetError::TotalWeight { member: 1 }));
}

/// The generator, whose secret is 1, its first multiples and their opposites are no members.
#[test]
fn keys_that_everybody_has_are_refused() {
    let ours = member(1, 1);
    let refused = |public_key: PublicKey, secret: i16| {
        let members = vec![ours.clone(), Member { public_key, weight: 1 }];
        let secret = PublishedSecret::Number(secret);
        assert_eq!(KeySet::new(members), Err(KeySetError::PublishedKey { member: 1, secret }));
    };
    let held = |public_key: PublicKey| {
        assert!(KeySet::new(vec![ours.clone(), Member { public_key, weight: 1 }]).is_ok());
    };
    let greatest = MAX_PUBLISHED_SECRET as u64;
    for secret in [1, 2, 3, greatest] {
        refused(multiple(Scalar::from(secret)), secret as i16);
        refused(multiple(-Scalar::from(secret)), -(secret as i16));
    }
    held(multiple(Scalar::from(greatest + 1)));
    held(multiple(-Scalar::from(greatest + 1)));
    for curve in [Curve::Secp256k1, Curve::P256] {
        let (parameters, generator) = (curve.parameters(), curve.parameters().generator());
        let multiple = |secret: u64| {
            let point = parameters.mul(&generator, &BigUint::from(secret));
            Point::from_affine(curve, &point).unwrap()
        };
        for secret in [1, 2, 3, greatest] {
            let (key, number) = (multiple(secret), secret as i16);
            refused(key.into(), number);
            refused((-key).into(), -number);
            if curve == Curve::Secp256k1 {
                refused(key.address().into(), number);
                refused((-key).address().into(), -number);
                let even = bip340::PublicKey::from_point(key).unwrap();
                refused(even.into(), if key.is_odd() { -number } else { number });
            }
        }
        let key = multiple(greatest + 1);
        [key, -key].into_iter().for_each(|key| held(key.into()));
        [key, -key].into_iter().for_each(|key| held(key.address().into()));
    }
    // Ethereum's address of the secret key 1, as everybody knows it.
    refused("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf".parse::<Address>().unwrap().into(), 1);
    let rules = KeySet::rules();
    assert!(rules.contains("between -255 and 255") && rules.contains("2^60 - 1"), "{rules}");
}

#[test]
fn members_are_found_in_their_leaves() {
    for count in [1, 4, 5, 9, 16] {
        let set = KeySet::new((1..=count).map(|i| member(i, i)).collect()).unwrap();
        let tree = set.tree(2, 3).unwrap();
        for (index, member) in set.members().iter().enumerate() {
            let way = set.path(&tree, index).unwrap();
            assert_eq!((way.path.index, way.position), (index / 4, index % 4));
            assert_eq!(way.leaf.keys[way.position][0], member.public_key.name());
            assert_eq!(way.leaf.weights[way.position], member.weight);
            assert_eq!(way.root(), tree.root());
        }
        for beyond in [count as usize, usize::MAX] {
            assert_eq!(set.path(&tree, beyond), Err(TreeError::Index(beyond)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_changed_sibling_changes_the_root(
        n in 1usize..60, at in 0usize..60, level in 0usize..3, child in 0usize..4,
    ) {
        let tree = MerkleTree::new(&leaves(n), 4, 3, LeafFormat::Names).unwrap();
        let index = at % n;
        let mut path = tree.path(index).unwrap();
        let on_path = path.positions()[level] == child;
        path.levels[level][child] += Fr::ONE;
        // The child on the path is computed, so what stands there does not matter.
        prop_assert_eq!(path.root(leaves(n)[index]) == tree.root(), on_path);
    }
}

/// More members than a leaf has would otherwise be cut off, and two leaves would have one hash.
#[test]
#[should_panic]
fn a_leaf_of_too_many_keys_has_no_hash() {
    let mut leaf = LeafFormat::Keys(KeyFormat::new(8, "muster.leaf.test.v1")).empty();
    leaf.keys.push(leaf.keys[0].clone());
    leaf.weights.push(1);
    leaf.hash();
}
