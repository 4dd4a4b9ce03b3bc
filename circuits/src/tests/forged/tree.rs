//! The tree: leaves, nodes, depths, siblings.

use super::*;

/// A binary tree over the four leaves of sixteen members, in either mode.
fn binary(scheme: Scheme, mode: Mode, depth: usize) -> Shape {
    let wanted = Request { arity: 2, depth: Some(depth), ..request(scheme, 16, 2, mode) };
    fit(&wanted)
}

fn hashes() -> Vec<Fr> {
    leaves(&members(16)).iter().map(Leaf::hash).collect()
}

fn nodes() -> [Fr; 2] {
    let leaves = hashes();
    [0, 2].map(|first| poseidon::hash(&leaves[first..first + 2]))
}

/// The root of a tree that has the nodes of another one for its leaves.
#[test]
fn a_node_taken_for_a_leaf() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::new(&binary(scheme, mode, 2), &members(16), &[1, 13]);
            assert!(claim.holds(), "{scheme}, {mode:?}");
            // The leaf of the second signer becomes the node above it.
            let leaf = hashes()[3];
            claim.assert_refused_with("node", &[(leaf, nodes()[1])]);
            let [_, poseidon, _, _] = gates(&claim.shape);
            let elsewhere: Vec<_> = claim
                .grid()
                .replace(&[(leaf, nodes()[1])])
                .into_iter()
                .filter(|forged| !poseidon.contains(&forged.column))
                .collect();
            if mode == Mode::Path {
                assert!(!elsewhere.is_empty() && !claim.holds_with(elsewhere));
            }
        }
        // A set of two leaves that are the nodes has the same root one level higher.
        let wanted = Request { arity: 2, depth: None, ..request(scheme, 8, 2, Mode::WholeSet) };
        let shallow = fit(&wanted);
        assert_eq!(shallow.depth, 1);
        let mut bad = Claim::new(&shallow, &members(8), &[0, 5]);
        assert!(bad.holds(), "{scheme}");
        let (old, [left, right]) = (bad.public[0], nodes());
        let root = poseidon::hash(&[left, right]);
        bad.public[0] = root;
        let leaves = [(hashes()[0], left), (hashes()[1], right)];
        bad.assert_refused_with("leaves", &leaves);
        bad.assert_refused_with("leaves and root", &[&leaves[..], &[(old, root)]].concat());
    }
}

/// With the default arity a leaf and a node are hashes of five inputs. A node lacks the tag of a
/// leaf in the capacity lane.
#[test]
fn a_node_of_five_children_is_no_leaf() {
    use muster_schemes::membership::LEAF_DOMAIN;
    let tag = poseidon::domain(LEAF_DOMAIN);
    for scheme in INDEPENDENT {
        for mode in MODES {
            let shape = shape(scheme, mode, 24, 2);
            assert_eq!((shape.arity, shape.depth), (5, 2));
            let claim = Claim::new(&shape, &members(24), &[1, 21]);
            assert!(claim.holds(), "{scheme}");
            // A tree whose leaves are nodes: of four coordinates and the packed weights.
            let shift = Fr::from(2).pow_vartime([64]);
            let untagged = |leaf: &Leaf| {
                let packed = leaf
                    .weights
                    .iter()
                    .rev()
                    .fold(Fr::zero(), |sum, weight| sum * shift + Fr::from(*weight));
                poseidon::hash(&[&leaf.keys.concat()[..], &[packed]].concat())
            };
            let leaves = leaves(&members(24));
            let hashes: Vec<_> = leaves.iter().map(untagged).collect();
            let root = MerkleTree::new(&hashes, 5, 2, LeafFormat::Names).expect("it fits").root();
            let mut bad = claim.clone();
            bad.inputs.key_set_root = root;
            bad.public[0] = root;
            assert!(!bad.holds(), "{scheme}, {mode:?}");
            let digests: Vec<_> = leaves
                .iter()
                .map(Leaf::hash)
                .zip(hashes)
                .chain([(claim.public[0], root)])
                .collect();
            bad.assert_refused_with("digests", &digests);
            // The tag written over: by a leaf, and by the zero of a node.
            for value in [leaves[0].hash(), Fr::zero()] {
                claim.assert_refused_with("tag", &[(tag, value)]);
                bad.assert_refused_with("tag", &[&digests[..], &[(tag, value)]].concat());
            }
        }
    }
}

#[test]
fn a_path_of_another_length() {
    for scheme in EMBEDDED {
        // Slots for three levels, a tree of two: the level that is left over holds the root or zeros.
        let deep = binary(scheme, Mode::Path, 3);
        let short = Claim::new(&binary(scheme, Mode::Path, 2), &members(16), &[1, 13]);
        let honest = Claim::new(&deep, &members(16), &[1, 13]);
        assert!(honest.holds(), "{scheme}");
        let root = short.public[0];
        assert_ne!(root, honest.public[0]);
        for level in [[root, Fr::zero()], [Fr::zero(), root], [root, root], [Fr::zero(); 2]] {
            for at in [0, 2] {
                let mut bad = honest.clone();
                bad.inputs.key_set_root = root;
                bad.public[0] = root;
                for (slot, from) in bad.inputs.slots.iter_mut().zip(&short.inputs.slots) {
                    let mut member = from.path.clone().expect("a path");
                    member.path.levels.insert(at, level.to_vec());
                    slot.path = Some(member);
                }
                assert!(!bad.holds(), "{scheme}");
                bad.assert_refused_with("root", &[(first_root(&bad), root)]);
            }
        }
        // Slots for two levels, a tree of three: the path stops below the root.
        let mut long = short.clone();
        long.public[0] = honest.public[0];
        long.inputs.key_set_root = honest.public[0];
        assert!(!long.holds(), "{scheme}");
        long.assert_refused_with("root", &[(first_root(&long), honest.public[0])]);
        for (slot, from) in long.inputs.slots.iter_mut().zip(&honest.inputs.slots) {
            let mut member = from.path.clone().expect("a path");
            member.path.levels.remove(0);
            slot.path = Some(member);
        }
        assert!(!long.holds(), "{scheme}");
    }
}

/// Where the path of the first slot leads.
fn first_root(claim: &Claim) -> Fr {
    claim.inputs.slots[0].path.as_ref().expect("a path").root()
}

/// A path with more levels than the shape has is another circuit, with another key.
#[test]
fn the_number_of_levels_is_part_of_the_key() {
    let deep = binary(Scheme::Schnorr, Mode::Path, 3);
    let flat = binary(Scheme::Schnorr, Mode::Path, 2);
    assert_ne!(deep.usage(), flat.usage());
    assert_ne!(deep, flat);
}

#[test]
fn siblings_exchanged_or_replaced() {
    for scheme in EMBEDDED {
        let shape = shape(scheme, Mode::Path, 24, 2);
        let claim = Claim::new(&shape, &members(24), &[1, 21]);
        assert!(claim.holds(), "{scheme}");
        for slot in [0, 1] {
            for level in [0, 1] {
                claim.assert_refused_after("siblings", |inputs| {
                    let path = &mut way(&mut inputs.slots[slot]).path;
                    let at = path.positions()[level];
                    let others: Vec<_> = (0..5).filter(|child| *child != at).collect();
                    let children = &mut path.levels[level];
                    if children[others[0]] == children[others[1]] {
                        children[others[1]] += Fr::one();
                    } else {
                        children.swap(others[0], others[1]);
                    }
                });
                claim.assert_refused_after("sibling", |inputs| {
                    let path = &mut way(&mut inputs.slots[slot]).path;
                    let at = (path.positions()[level] + 1) % 5;
                    path.levels[level][at] += Fr::one();
                });
            }
            claim.assert_refused_after("index", |inputs| {
                way(&mut inputs.slots[slot]).path.index += 1;
            });
        }
    }
}

/// Changes a leaf, given the places of the signer and of another member.
type Change = fn(&mut Leaf, usize, usize);

/// The other members of a signer's leaf are its first siblings.
#[test]
fn neighbours_in_a_leaf_exchanged_or_replaced() {
    for scheme in EMBEDDED {
        let claim = Claim::new(&shape(scheme, Mode::Path, 8, 2), &members(8), &[1, 6]);
        assert!(claim.holds(), "{scheme}");
        for slot in [0, 1] {
            let other = |path: &MemberPath| (path.position + 1) % LEAF_MEMBERS;
            let changes: [(&str, Change); 8] = [
                ("neighbour's key", |leaf, _, other| leaf.keys[other][0] += Fr::one()),
                ("neighbour's weight", |leaf, _, other| leaf.weights[other] += 1),
                ("neighbour without weight", |leaf, _, other| leaf.weights[other] = 0),
                ("own weight", |leaf, own, _| leaf.weights[own] += 1),
                ("neighbour gone", |leaf, _, other| {
                    (leaf.keys[other][0], leaf.weights[other]) = (Fr::zero(), 0);
                }),
                ("keys exchanged", |leaf, own, other| leaf.keys.swap(own, other)),
                ("weights exchanged", |leaf, own, other| leaf.weights.swap(own, other)),
                ("one key for all", |leaf, own, _| {
                    leaf.keys = vec![leaf.keys[own].clone(); LEAF_MEMBERS]
                }),
            ];
            for (name, change) in changes {
                claim.assert_refused_after(name, |inputs| {
                    let path = way(&mut inputs.slots[slot]);
                    let (own, other) = (path.position, other(path));
                    change(&mut path.leaf, own, other);
                });
            }
            // Members exchanged, with the signer at its new place and at the old one.
            for follows in [false, true] {
                claim.assert_refused_after("members exchanged", |inputs| {
                    let path = way(&mut inputs.slots[slot]);
                    let other = other(path);
                    path.leaf.keys.swap(path.position, other);
                    path.leaf.weights.swap(path.position, other);
                    path.position = if follows { other } else { path.position };
                });
            }
            // The root that the changed leaf leads to, written over by the one that is claimed.
            let mut bad = claim.clone();
            way(&mut bad.inputs.slots[slot]).leaf.weights[0] += 1;
            let root = way(&mut bad.inputs.slots[slot]).root();
            assert_ne!(root, claim.public[0]);
            bad.assert_refused_with("root", &[(root, claim.public[0])]);
        }
    }
}

#[test]
fn leaves_exchanged_or_replaced() {
    for scheme in EMBEDDED {
        let shape = shape(scheme, Mode::WholeSet, 8, 2);
        let claim = Claim::new(&shape, &members(8), &[1, 6]);
        assert!(claim.holds(), "{scheme}");
        claim.assert_refused_after("leaves", |inputs| inputs.leaves.swap(0, 1));
        for (name, [left, right]) in
            [("a member that signs", [1, 2]), ("members that do not sign", [0, 3])]
        {
            claim.assert_refused_after(name, |inputs| inputs.leaves[0].keys.swap(left, right));
            claim.assert_refused_after(name, |inputs| inputs.leaves[0].weights.swap(left, right));
            claim.assert_refused_after(name, |inputs| {
                inputs.leaves[0].keys.swap(left, right);
                inputs.leaves[0].weights.swap(left, right);
            });
        }
        claim.assert_refused_after("a key", |inputs| inputs.leaves[0].keys[0][0] += Fr::one());
        claim.assert_refused_after("a weight", |inputs| inputs.leaves[0].weights[0] += 1);
        let few = Claim::new(&shape, &members(7), &[1, 6]);
        assert!(few.holds(), "{scheme}");
        few.assert_refused_after("an empty place", |inputs| {
            inputs.leaves[1].keys[3][0] = Fr::one()
        });
        few.assert_refused_after("an empty place", |inputs| inputs.leaves[1].weights[3] = 1);
        few.assert_refused_after("an empty place", |inputs| {
            (inputs.leaves[1].keys[3][0], inputs.leaves[1].weights[3]) = (Entry::new(7).point.x, 8);
        });
    }
}

/// A member stands in the leaf that is hashed, in the set that is looked into, and in the row that
/// looks it up. No copy alone may differ.
#[test]
fn a_member_that_is_hashed_and_another_that_is_looked_up() {
    for scheme in EMBEDDED {
        let weight = 0x5eed;
        let mut entries = members(4);
        entries[3].weight = weight;
        let claim = Claim::new(&small(scheme, Mode::WholeSet), &entries, &[1, 3]);
        assert!(claim.holds(), "{scheme}");
        let grid = claim.grid();
        let [_, poseidon, range, _] = gates(&claim.shape);
        let (x, weight) = (entries[3].point.x, Fr::from(weight));
        // Its place in the set, the table of its point, and the lookup.
        let keys = grid.rows(X1, x);
        let weights = grid.rows(Y1, weight);
        assert_eq!((keys.len(), weights.len()), (3, 2), "{scheme}");
        assert_eq!((keys[0], weights[0], weights[1]), (3, 3, keys[2]));
        for (column, value, places) in [
            (X1, x, vec![keys[0]]),
            (X1, x, vec![keys[2]]),
            (X1, x, vec![keys[0], keys[2]]),
            (Y1, weight, vec![weights[0]]),
            (Y1, weight, vec![weights[1]]),
            (Y1, weight, weights.clone()),
        ] {
            let value = value + Fr::one();
            let forged = places.into_iter().map(|row| Forged { column, row, value });
            assert!(!claim.holds_with(forged.collect()), "{scheme}");
        }
        // The leaf alone: what is hashed, and what is packed and checked to be small.
        for (columns, value) in [(poseidon, x), (range, weight)] {
            let forged = grid.replace(&[(value, value + Fr::one())]);
            let forged: Vec<_> =
                forged.into_iter().filter(|f| columns.contains(&f.column)).collect();
            assert!(!forged.is_empty() && !claim.holds_with(forged), "{scheme}");
        }
        // Two members of the set exchanged, but not in the leaf.
        let other = entries[0];
        let at = |column, row, value| Forged { column, row, value };
        let exchanged = [
            at(X1, 0, x),
            at(Y1, 0, weight),
            at(X1, 3, other.point.x),
            at(Y1, 3, Fr::from(other.weight)),
        ];
        assert!(!claim.holds_with(exchanged.to_vec()), "{scheme}");
    }
}
