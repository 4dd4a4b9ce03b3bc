//! Who signs: strangers, members at other places, keys twice in a set.

use super::*;
use crate::{Error, Rejection};

/// A claim whose slots are those of `signers`, in this order, whatever they are.
pub(super) fn with_signers(honest: &Claim, signers: &[usize]) -> Claim {
    let claim = Claim::new(&honest.shape, &members(honest.shape.capacity as u64), signers);
    assert_eq!(claim.public[0], honest.public[0]);
    claim
}

/// Members 1 and 3, but a stranger signs in the second slot.
fn with_stranger(scheme: Scheme, mode: Mode) -> (Claim, Entry) {
    let mut bad = Claim::small(scheme, mode);
    let stranger = Entry { weight: 4, ..Entry::new(50) };
    bad.inputs.slots[1].public_key = stranger.point;
    let signing = [Entry::new(1), stranger];
    bad.inputs.signatures = sign_all(&bad.shape, bad.public[0], &signing, &bad.inputs.message);
    (bad, stranger)
}

#[test]
fn a_signer_outside_a_whole_set() {
    for scheme in EMBEDDED {
        let (bad, stranger) = with_stranger(scheme, Mode::WholeSet);
        assert_eq!(bad.refused_by(vec![]), ["edwards"], "{scheme}");
        let member = Entry::new(3).point.x;
        let grid = bad.grid();
        let (set, key) = (grid.rows(X1, member), grid.rows(X1, stranger.point.x));
        assert_eq!((set.len(), key.len()), (1, 2));
        let overwritten = |row, value| bad.refused_by(vec![Forged { column: X1, row, value }]);
        // The stranger in the set, but not in the leaf; the member in the lookup, but not in the table.
        assert_eq!(overwritten(set[0], stranger.point.x), ["copy"], "{scheme}");
        assert_eq!(overwritten(key[1], member), ["copy"], "{scheme}");
        bad.assert_refused_with("member", &[(member, stranger.point.x)]);
        bad.assert_refused_with("stranger", &[(stranger.point.x, member)]);
        // A stranger's key in the leaf makes another root.
        let mut other = bad.clone();
        other.inputs.leaves[0].keys[3][0] = stranger.point.x;
        assert!(!other.holds(), "{scheme}");
        let root = tree(&bad.shape, &other.inputs.leaves).root();
        other.assert_refused_with("root", &[(root, bad.public[0])]);
        other.public[0] = root;
        other.inputs.key_set_root = root;
        assert_eq!(other.holds(), scheme != Scheme::Musig, "declared: the root is the verifier's");
    }
}

/// What the digit counts in a member's row is 0, or else it would lead from a stranger to the member.
#[test]
fn a_row_of_a_member_with_an_addend() {
    for scheme in EMBEDDED {
        let (bad, stranger) = with_stranger(scheme, Mode::WholeSet);
        let grid = bad.grid();
        let row = grid.looked_up(&stranger);
        let digit = grid.0[SUM][row + 1] - Fr::from(16) * grid.0[SUM][row];
        let way = Entry::new(3).point.x - stranger.point.x;
        let value = way * digit.invert().expect("the offset is not zero");
        let at = |column, row| Forged { column, row, value };
        assert_eq!(bad.refused_by(vec![at(X2, row)]), ["gate"], "{scheme}");
        // With the addends that it is kept from, and with what the first of them is taken from.
        let mut forged = vec![at(X2, row), at(X2, row - 1)];
        assert!(bad.refused_by(forged.clone()).contains(&"gate"), "{scheme}");
        forged.push(at(X1, row - 2));
        assert!(bad.refused_by(forged).contains(&"copy"), "{scheme}");
    }
}

#[test]
fn a_signer_outside_the_tree() {
    for scheme in EMBEDDED {
        let (mut bad, stranger) = with_stranger(scheme, Mode::Path);
        assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}");
        let member = Entry::new(3).point.x;
        bad.assert_refused_with("member", &[(member, stranger.point.x)]);
        bad.assert_refused_with("stranger", &[(stranger.point.x, member)]);
        // The stranger in the leaf that the slot brings: it leads to another root.
        claim_key(&mut bad.inputs.slots[1], stranger.point);
        assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}");
        let honest = way(&mut bad.inputs.slots[0]).leaf.clone();
        let path = way(&mut bad.inputs.slots[1]).clone();
        for changes in [
            vec![(path.root(), bad.public[0])],
            vec![(path.leaf.hash(), honest.hash())],
            vec![(path.leaf.hash(), honest.hash()), (path.root(), bad.public[0])],
        ] {
            bad.assert_refused_with("digest", &changes);
        }
    }
}

/// A leaf has four places, and a member stands in one of them.
#[test]
fn a_member_at_another_place_of_its_leaf() {
    for scheme in EMBEDDED {
        let whole = Claim::new(&shape(scheme, Mode::WholeSet, 8, 2), &members(8), &[1, 6]);
        let path = Claim::new(&shape(scheme, Mode::Path, 8, 2), &members(8), &[1, 6]);
        assert!(whole.holds() && path.holds(), "{scheme}");
        for slot in [0, 1] {
            for place in (0..LEAF_MEMBERS).filter(|place| *place != [1, 2][slot]) {
                let mut bad = whole.clone();
                bad.inputs.slots[slot].index = (4 * slot + place) as u64;
                assert_eq!(bad.refused_by(vec![]), ["edwards"], "{scheme}, {slot}, {place}");
                // The neighbour's weight goes with its place.
                bad.inputs.slots[slot].weight = (4 * slot + place + 1) as u64;
                bad.inputs.threshold = 1;
                bad.public = public_inputs(&bad.inputs);
                assert_eq!(bad.refused_by(vec![]), ["edwards"], "{scheme}, {slot}, {place}");
                let mut bad = path.clone();
                way(&mut bad.inputs.slots[slot]).position = place;
                bad.inputs.threshold = 1;
                bad.public = public_inputs(&bad.inputs);
                assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}, {slot}, {place}");
            }
        }
        // The same at a leaf's distance.
        for (slot, index) in [(0, 5), (1, 2)] {
            whole.assert_refused_after("leaf", |inputs| inputs.slots[slot].index = index);
            path.assert_refused_after("leaf", |inputs| {
                way(&mut inputs.slots[slot]).path.index ^= 1;
            });
        }
    }
}

/// Member 1 signs twice, at its own place and at the one behind it.
#[test]
fn a_member_at_two_places_of_its_leaf() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let mut bad = with_signers(&claim, &[1, 1]);
            bad.inputs.threshold = 1;
            bad.public = public_inputs(&bad.inputs);
            bad.inputs.slots[1].index = 2;
            if mode == Mode::WholeSet {
                for weight in [2, 3] {
                    bad.inputs.slots[1].weight = weight;
                    assert_eq!(bad.refused_by(vec![]), ["edwards"], "{scheme}");
                }
            } else {
                way(&mut bad.inputs.slots[1]).position = 2;
                assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}");
                // A leaf that names it twice leads to another root.
                way(&mut bad.inputs.slots[1]).leaf.keys[2][0] = Entry::new(1).point.x;
                assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}");
                let root = way(&mut bad.inputs.slots[1]).root();
                bad.assert_refused_with("root", &[(root, bad.public[0])]);
            }
        }
    }
}

/// An empty place has the coordinate 0, which no key has.
#[test]
fn an_empty_place_of_a_leaf() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::new(&small(scheme, mode), &members(3), &[0, 2]);
            assert!(claim.holds(), "{scheme}, {mode:?}");
            let leaves = leaves(&members(3));
            let nothing =
                |y| Entry { secret: Scalar::ZERO, point: RawPoint { x: Fr::zero(), y }, weight: 4 };
            for entry in [
                Entry::new(2),
                Entry::new(3),
                Entry::generator(4),
                nothing(Fr::one()),
                nothing(-Fr::one()),
            ] {
                for weight in [0, 3, 4] {
                    let mut bad = claim.clone();
                    bad.inputs.signatures = sign_all(
                        &claim.shape,
                        claim.public[0],
                        &[Entry::new(0), entry],
                        &claim.inputs.message,
                    );
                    let slot = &mut bad.inputs.slots[1];
                    slot.index = 3;
                    slot.path = slot.path.is_some().then(|| path(&claim.shape, &leaves, 3));
                    slot.public_key = entry.point;
                    claim_weight(slot, weight);
                    bad.inputs.threshold = 1;
                    bad.public = public_inputs(&bad.inputs);
                    assert!(!bad.holds(), "{scheme}, {mode:?}, {weight}");
                }
            }
        }
    }
}

/// The last leaf may name members beyond the capacity: no lookup finds them.
#[test]
fn a_member_beyond_the_capacity() {
    for scheme in INDEPENDENT {
        let shape = shape(scheme, Mode::WholeSet, 6, 2);
        let claim = Claim::new(&shape, &members(8), &[1, 5]);
        assert!(claim.holds(), "{scheme}");
        for member in [6, 7] {
            let bad = Claim::new(&shape, &members(8), &[1, member]);
            assert_eq!(bad.refused_by(vec![]), ["edwards"], "{scheme}, {member}");
        }
    }
}

/// The public interface refuses these before a circuit is filled, or the circuit does.
#[test]
fn the_native_rules_name_the_signer() {
    for scheme in INDEPENDENT {
        let wanted = request(scheme, 6, 4, Mode::WholeSet);
        let case = case(&wanted, &[0, 2], 11);
        let Signatures::Independent(honest) = case.signatures.clone() else { unreachable!() };
        let [first, second] = [0, 1].map(|i: usize| honest[i].clone());
        let under = |list: Vec<_>| {
            let (shape, statement) = (case.shape.clone(), case.statement.clone());
            let signatures = Signatures::Independent(list);
            Case { shape, statement, committee: case.committee.clone(), signatures }
        };
        let verdict = |case: &Case| case.witness().map(|_| ());
        let filled =
            |case: &Case| satisfied(&case.shape, &case.inputs(), case.statement.public_inputs());
        let twice = under(vec![first.clone(), second.clone(), first.clone()]);
        assert_eq!(verdict(&twice), Err(Error::Rejected(Rejection::DuplicateSigner(0))));
        assert!(!filled(&twice));
        let outsider = under(vec![first.clone(), (6, second.1.clone())]);
        let rejection = Rejection::NotAMember { member: 6, members: 6 };
        assert_eq!(verdict(&outsider), Err(Error::Rejected(rejection)));
        let another = under(vec![first.clone(), (3, second.1.clone())]);
        assert!(verdict(&another).is_err() && !filled(&another));
        // The order in which signatures are given does not matter.
        let turned = under(vec![second, first]);
        assert_eq!((verdict(&turned), filled(&turned)), (Ok(()), true));
    }
}

#[test]
fn a_key_twice_is_no_set() {
    use muster_schemes::membership::KeySetError;
    let key = SubgroupPoint::mul_generator(&Scalar::from(1_000)).expect("not zero");
    let twice = Committee::new(&[(key, 1), (key, 2)]);
    let expected = Error::KeySet(KeySetError::DuplicateKey { first: 0, second: 1 });
    assert_eq!(twice.err(), Some(expected));
}

/// Whoever makes the commitment keeps keys distinct: the circuit counts a key once for each place under the
/// root. Under the root of a set a key cannot be counted twice.
#[test]
fn a_key_twice_in_a_set_has_another_root() {
    for scheme in INDEPENDENT {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let mut twice = members(4);
            twice[3] = Entry { weight: 4, ..twice[1] };
            let mut bad = Claim::new(&claim.shape, &twice, &[1, 3]);
            assert_ne!(bad.public[0], claim.public[0]);
            assert!(bad.holds(), "declared: the root is the verifier's to trust");
            bad.public[0] = claim.public[0];
            assert!(!bad.holds(), "{scheme}, {mode:?}");
            bad.inputs.key_set_root = claim.public[0];
            assert!(!bad.holds(), "{scheme}, {mode:?}");
            bad.inputs.leaves = claim.inputs.leaves.clone();
            bad.public[0] = claim.public[0];
            assert!(!bad.holds(), "{scheme}, {mode:?}");
        }
    }
}
