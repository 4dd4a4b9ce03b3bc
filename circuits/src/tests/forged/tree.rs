//! The tree: nodes, depths, siblings.

use super::*;

/// A binary tree of depth 2 over four members, in either mode.
fn binary(scheme: Scheme, mode: Mode, depth: usize) -> Shape {
    let wanted = Request { arity: 2, depth: Some(depth), ..request(scheme, 4, 2, mode) };
    Shape::fit(&wanted).expect("the shape is legal")
}

fn nodes() -> [Fr; 2] {
    let leaves: Vec<_> = members(4).iter().map(Entry::leaf).collect();
    [0, 2].map(|first| poseidon::hash(&leaves[first..first + 2]))
}

/// The root of a tree that has the nodes of another one for its leaves.
#[test]
fn a_node_taken_for_a_leaf() {
    for scheme in Scheme::ALL {
        for mode in MODES {
            let claim = Claim::new(&binary(scheme, mode, 2), &members(4), &[1, 3]);
            assert!(claim.holds(), "{scheme}, {mode:?}");
            // The leaf of the second signer becomes the node above it.
            let leaf = Entry::new(3).leaf();
            claim.assert_refused_with("node", &[(leaf, nodes()[1])]);
            let [_, poseidon, _, _] = gates(&claim.shape);
            let elsewhere: Vec<_> = claim
                .grid()
                .replace(&[(leaf, nodes()[1])])
                .into_iter()
                .filter(|forged| !poseidon.contains(&forged.column))
                .collect();
            assert!(!elsewhere.is_empty() && !claim.holds_with(elsewhere));
        }
        // A set whose leaves are the nodes has the same root one level higher: its members cannot sign.
        let mut shallow = Claim::new(&binary(scheme, Mode::WholeSet, 2), &members(4), &[0, 1]);
        let root = shallow.public[0];
        let [left, right] = nodes();
        assert_eq!(poseidon::hash(&[left, right]), root);
        shallow.inputs.leaves = vec![left, right, Fr::zero(), Fr::zero()];
        assert!(!shallow.holds(), "{scheme}");
    }
}

/// With the default arity a leaf and a node are hashes of five inputs. A node lacks the tag of a leaf in the
/// capacity lane.
#[test]
fn a_node_of_five_children_is_no_leaf() {
    use muster_gadgets::membership::LEAF_DOMAIN;
    let tag = poseidon::domain(LEAF_DOMAIN);
    for scheme in INDEPENDENT {
        let shape = shape(scheme, Mode::WholeSet, 6, 2);
        assert_eq!((shape.arity, shape.depth), (5, 2));
        let claim = Claim::new(&shape, &members(6), &[1, 3]);
        assert!(claim.holds(), "{scheme}");
        // Children that would read as a leaf but for the tag: a coordinate pair, a weight, and zeros.
        let Entry { point: RawPoint { x, y }, weight, .. } = Entry::new(3);
        let mut bad = claim.clone();
        bad.inputs.leaves[..5].copy_from_slice(&[x, y, Fr::from(weight), Fr::zero(), Fr::zero()]);
        assert!(!bad.holds(), "{scheme}");
        // The tag written over: by a leaf, and by the zero of a node.
        for value in [Entry::new(3).leaf(), Fr::zero()] {
            claim.assert_refused_with("tag", &[(tag, value)]);
        }
    }
}

#[test]
fn a_path_of_another_length() {
    for scheme in Scheme::ALL {
        // Slots for three levels, a tree of two: the level that is left over holds the root or zeros.
        let deep = binary(scheme, Mode::Path, 3);
        let short = Claim::new(&binary(scheme, Mode::Path, 2), &members(4), &[1, 3]);
        let honest = Claim::new(&deep, &members(4), &[1, 3]);
        assert!(honest.holds(), "{scheme}");
        let root = short.public[0];
        assert_ne!(root, honest.public[0]);
        for level in [[root, Fr::zero()], [Fr::zero(), root], [root, root], [Fr::zero(); 2]] {
            for at in [0, 2] {
                let mut bad = honest.clone();
                bad.inputs.key_set_root = root;
                bad.public[0] = root;
                for (slot, from) in bad.inputs.slots.iter_mut().zip(&short.inputs.slots) {
                    let mut path = from.path.clone().expect("a path");
                    path.levels.insert(at, level.to_vec());
                    slot.path = Some(path);
                }
                assert!(!bad.holds(), "{scheme}");
                bad.assert_refused_with("root", &[(last_root(&bad), root)]);
            }
        }
        // Slots for two levels, a tree of three: the path stops below the root.
        let mut long = short.clone();
        long.public[0] = honest.public[0];
        long.inputs.key_set_root = honest.public[0];
        assert!(!long.holds(), "{scheme}");
        long.assert_refused_with("root", &[(last_root(&long), honest.public[0])]);
        for (slot, from) in long.inputs.slots.iter_mut().zip(&honest.inputs.slots) {
            let mut path = from.path.clone().expect("a path");
            path.levels.remove(0);
            slot.path = Some(path);
        }
        assert!(!long.holds(), "{scheme}");
    }
}

/// Where the path of the first slot leads.
fn last_root(claim: &Claim) -> Fr {
    let slot = &claim.inputs.slots[0];
    let leaf = leaf(slot.public_key.x, slot.public_key.y, slot.weight);
    slot.path.as_ref().expect("a path").root(leaf)
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
    for scheme in Scheme::ALL {
        let shape = shape(scheme, Mode::Path, 6, 2);
        let claim = Claim::new(&shape, &members(6), &[1, 5]);
        assert!(claim.holds(), "{scheme}");
        for slot in [0, 1] {
            for level in [0, 1] {
                claim.assert_refused_after("siblings", |inputs| {
                    let path = inputs.slots[slot].path.as_mut().expect("a path");
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
                    let path = inputs.slots[slot].path.as_mut().expect("a path");
                    let at = (path.positions()[level] + 1) % 5;
                    path.levels[level][at] += Fr::one();
                });
            }
            claim.assert_refused_after("index", |inputs| {
                inputs.slots[slot].path.as_mut().expect("a path").index += 1;
            });
        }
    }
}

#[test]
fn leaves_exchanged_or_replaced() {
    for scheme in Scheme::ALL {
        let claim = Claim::small(scheme, Mode::WholeSet);
        claim.assert_refused_after("members that sign", |inputs| inputs.leaves.swap(1, 3));
        claim.assert_refused_after("members that do not sign", |inputs| inputs.leaves.swap(0, 2));
        claim.assert_refused_after("a leaf", |inputs| inputs.leaves[0] += Fr::one());
        let few = Claim::new(&claim.shape, &members(3), &[0, 2]);
        few.assert_refused_after("an empty leaf", |inputs| inputs.leaves[3] = Fr::one());
        // The leaf that is looked up and the leaf that is hashed are one cell: neither alone may differ.
        let leaf = Entry::new(3).leaf();
        let [edwards, poseidon, ..] = gates(&claim.shape);
        for columns in [edwards, poseidon] {
            let forged = claim.grid().replace(&[(leaf, leaf + Fr::one())]);
            let forged = forged.into_iter().filter(|f| columns.contains(&f.column));
            assert!(!claim.holds_with(forged.collect()), "{scheme}");
        }
    }
}
