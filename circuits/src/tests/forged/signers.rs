//! Who signs: strangers, the same member twice, indices that name no member.

use super::*;
use crate::{Error, Rejection};

/// Four slots, so that two of the same member need not be neighbours.
fn four(scheme: Scheme, mode: Mode) -> Claim {
    Claim::new(&shape(scheme, mode, 6, 4), &members(6), &[0, 2, 3, 5])
}

/// A claim whose slots are those of `signers`, in this order, whatever they are.
fn with_signers(honest: &Claim, signers: &[usize]) -> Claim {
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
    for scheme in Scheme::EMBEDDED {
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
        other.inputs.leaves[0].x[3] = stranger.point.x;
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
    for scheme in Scheme::EMBEDDED {
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
    for scheme in Scheme::EMBEDDED {
        let (mut bad, stranger) = with_stranger(scheme, Mode::Path);
        assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}");
        let member = Entry::new(3).point.x;
        bad.assert_refused_with("member", &[(member, stranger.point.x)]);
        bad.assert_refused_with("stranger", &[(stranger.point.x, member)]);
        // The stranger in the leaf that the slot brings: it leads to another root.
        claim_key(&mut bad.inputs.slots[1], stranger.point);
        assert_eq!(bad.refused_by(vec![]), ["gate"], "{scheme}");
        let honest = way(&mut bad.inputs.slots[0]).leaf;
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
    for scheme in Scheme::EMBEDDED {
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
    for scheme in Scheme::EMBEDDED {
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
                way(&mut bad.inputs.slots[1]).leaf.x[2] = Entry::new(1).point.x;
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
    for scheme in Scheme::EMBEDDED {
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

#[test]
fn the_same_member_twice() {
    for scheme in Scheme::EMBEDDED {
        for mode in MODES {
            let claim = four(scheme, mode);
            assert!(claim.holds(), "{scheme}, {mode:?}");
            for signers in [
                [2, 2, 3, 5], // adjacent
                [0, 2, 5, 5], // in the last slots
                [2, 3, 5, 2], // not adjacent, hence out of order
                [5, 3, 2, 0], // distinct, but out of order
                [0, 3, 2, 5],
            ] {
                let mut bad = with_signers(&claim, &signers);
                assert!(!bad.holds(), "{scheme}, {mode:?}, {signers:?}");
                // The threshold plays no part in it.
                bad.inputs.threshold = 1;
                bad.public = public_inputs(&bad.inputs);
                assert!(!bad.holds(), "{scheme}, {mode:?}, {signers:?}");
            }
        }
    }
}

/// What orders two slots of one member is forged: the gap, or the values that it is taken between.
#[test]
fn the_same_member_twice_with_its_order_forged() {
    for scheme in Scheme::EMBEDDED {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let bad = with_signers(&claim, &[3, 3]);
        assert_eq!(bad.refused_by(vec![]), ["range"], "{scheme}");
        let grid = bad.grid();
        let [_, _, range, vertical] = gates(&bad.shape);
        // Offsets are index less slot: 3 and 2. The gap of -1 has its home in a range column.
        let [two, three, one, gap] = [Fr::from(2), Fr::from(3), Fr::one(), -Fr::one()];
        let (column, row) = grid.find(vertical, &[three, one, gap, two]);
        let at = |column, row, value| Forged { column, row, value };
        let mut gaps = vec![at(column, row + 2, Fr::zero())];
        gaps.extend(range.flat_map(|column| {
            let rows = grid.rows(column, gap).into_iter();
            rows.map(move |row| at(column, row, Fr::zero()))
        }));
        assert!(gaps.len() > 1 && !bad.holds_with(gaps.clone()), "{scheme}");
        // The second offset becomes 3 in all its copies: all holds but the lookup at index 4.
        let looked_up = grid.looked_up(&Entry::new(3));
        assert_eq!(grid.0[SUM][looked_up], two);
        gaps.extend([at(column, row + 3, three), at(SUM, looked_up, three)]);
        let zeros = bad.refused_by(gaps.clone());
        assert!(zeros == ["edwards"] || zeros == ["edwards", "range"], "{scheme}: {zeros:?}");
        // The copies alone, so that the row looks member 3 up once more.
        gaps.pop();
        assert!(!bad.holds_with(gaps), "{scheme}");
    }
    for scheme in Scheme::EMBEDDED {
        let claim = Claim::small(scheme, Mode::Path);
        let bad = with_signers(&claim, &[3, 3]);
        assert_eq!(bad.refused_by(vec![]), ["range"], "{scheme}");
        // The gap is 3 - 3 - 1.
        bad.assert_refused_with("gap", &[(-Fr::one(), Fr::zero())]);
    }
}

/// Slots of two lanes: what orders them goes on where a lane ends.
#[test]
fn the_same_member_in_two_lanes() {
    let wanted = request(Scheme::Schnorr, 9, 7, Mode::WholeSet);
    let wanted = Request { degree: Some(10), ..wanted };
    let shape = fit(&wanted);
    assert_eq!((shape.layout.edwards_lanes, shape.slots), (2, 8));
    for (signers, holds) in [
        ([0, 1, 2, 3, 4, 5, 6, 7], true),
        ([0, 1, 2, 4, 5, 6, 7, 8], true),
        ([1, 2, 3, 4, 5, 6, 7, 8], true),
        ([0, 1, 2, 3, 3, 5, 6, 7], false),
        ([0, 1, 2, 4, 3, 5, 6, 7], false),
        ([0, 1, 2, 8, 1, 5, 6, 7], false),
        ([0, 1, 2, 3, 0, 1, 2, 3], false),
        ([4, 5, 6, 7, 0, 1, 2, 3], false),
        ([0, 1, 2, 3, 4, 5, 5, 7], false),
    ] {
        let claim = Claim::new(&shape, &members(9), &signers);
        let by = claim.refused_by(vec![]);
        assert_eq!(by, if holds { vec![] } else { vec!["range"] }, "{signers:?}");
    }
}

#[test]
fn an_index_out_of_range() {
    for scheme in Scheme::EMBEDDED {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let (capacity, slots) = (claim.shape.capacity as u64, claim.shape.slots as u64);
        // Entries of padding, the entry behind them, and far beyond.
        for index in [capacity, capacity + 1, capacity + slots, 1 << 31, 1 << 32, u64::MAX] {
            claim.assert_refused_after("index", |inputs| inputs.slots[1].index = index);
        }
        // Another member's, that of an empty place, and one that makes the offset negative.
        for index in [0, 1, 2] {
            claim.assert_refused_after("index", |inputs| inputs.slots[1].index = index);
        }
        let few = Claim::new(&claim.shape, &members(3), &[0, 2]);
        assert!(few.holds());
        few.assert_refused_after("empty place", |inputs| inputs.slots[1].index = 3);
    }
}

/// The first offset is `-1`, or such that the row would look into the table of a point. With the key 0
/// it would find itself, see the tests of weights.
#[test]
fn an_index_of_another_kind_of_entry() {
    let member_base = Fr::from(1 << 32);
    for scheme in Scheme::EMBEDDED {
        let mut claim = Claim::new(&small(scheme, Mode::WholeSet), &members(4), &[0, 3]);
        claim.inputs.threshold = 1;
        claim.public = public_inputs(&claim.inputs);
        assert!(claim.holds());
        let grid = claim.grid();
        let signer = Entry::new(0);
        let row = grid.looked_up(&signer);
        assert_eq!((grid.0[SUM][row], grid.0[Y1][row]), (Fr::zero(), Fr::one()));
        let at = |column, value| Forged { column, row, value };
        for key in 0..12u64 {
            let offset = at(SUM, Fr::from(key) - member_base);
            assert!(!claim.holds_with(vec![offset]), "{scheme}");
            // The key's own table has the entry `(x, y)`: the lookup gives `y` for a weight. Only the
            // bound of the offset, and here that of the sum, keep it from there.
            let forged = vec![offset, at(Y1, signer.point.y)];
            let by = claim.refused_by(forged);
            assert!(!by.is_empty(), "{scheme}");
            assert!(key != 1 || !by.contains(&"edwards"), "{scheme}");
        }
        for value in [-Fr::one(), Fr::one(), Fr::from(4), Fr::from(5), Fr::from(6)] {
            assert!(!claim.holds_with(vec![at(SUM, value)]), "{scheme}");
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
        let verdict = |list: Vec<_>| {
            let signatures = Signatures::Independent(list);
            let verdict = verify(&case.shape, &case.statement, &case.committee, &signatures);
            let inputs = Inputs::new(&case.shape, &case.statement, &case.committee, &signatures);
            let filled = inputs
                .map(|inputs| satisfied(&case.shape, &inputs, case.statement.public_inputs()));
            (verdict, filled)
        };
        let (native, filled) = verdict(vec![honest[0], honest[1], honest[0]]);
        assert_eq!(native, Err(Error::Rejected(Rejection::DuplicateSigner(0))));
        assert_eq!(filled, Ok(false));
        let outsider = Rejection::NotAMember { member: 6, members: 6 };
        let (native, filled) = verdict(vec![honest[0], (6, honest[1].1)]);
        assert_eq!(native, Err(Error::Rejected(outsider.clone())));
        assert_eq!(filled, Err(Error::Rejected(outsider)));
        let (native, filled) = verdict(vec![honest[0], (3, honest[1].1)]);
        assert!(native.is_err());
        assert_eq!(filled, Ok(false));
        // The order in which signatures are given does not matter.
        let (native, filled) = verdict(vec![honest[1], honest[0]]);
        assert_eq!((native, filled), (Ok(()), Ok(true)));
    }
}

#[test]
fn a_key_twice_is_no_set() {
    use muster_gadgets::membership::KeySetError;
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
