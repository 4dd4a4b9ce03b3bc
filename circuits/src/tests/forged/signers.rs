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

#[test]
fn a_signer_outside_the_set() {
    for scheme in Scheme::ALL {
        for mode in MODES {
            let claim = Claim::small(scheme, mode);
            let stranger = Entry::new(50);
            let mut bad = claim.clone();
            bad.inputs.slots[1].public_key = stranger.point;
            bad.inputs.slots[1].weight = stranger.weight;
            let signing = [Entry::new(1), stranger];
            bad.inputs.signatures =
                sign_all(&bad.shape, claim.public[0], &signing, &claim.inputs.message);
            bad.inputs.threshold = 1;
            bad.public = public_inputs(&bad.inputs);
            assert!(!bad.holds(), "{scheme}, {mode:?}");
            // The stranger's leaf written over by that of the member whose place it takes.
            let leaves = (stranger.leaf(), Entry::new(3).leaf());
            bad.assert_refused_with("leaf", &[leaves]);
            // And without the copies in the hash, where the digest is made.
            let [edwards, _, _, vertical] = gates(&bad.shape);
            let forged = bad.grid().replace(&[leaves]);
            let elsewhere =
                |f: &Forged| edwards.contains(&f.column) || vertical.contains(&f.column);
            let forged: Vec<_> = forged.into_iter().filter(elsewhere).collect();
            assert!(!forged.is_empty() && !bad.holds_with(forged), "{scheme}, {mode:?}");
            // A stranger's leaf in the set makes another root.
            if mode == Mode::WholeSet {
                let mut other = bad.clone();
                other.inputs.leaves[3] = stranger.leaf();
                assert!(!other.holds(), "{scheme}");
                other.assert_refused_after("leaf", |_| {});
            }
        }
    }
}

#[test]
fn the_same_member_twice() {
    for scheme in Scheme::ALL {
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

/// What orders two slots of one member is forged: the gap, or one of the values that it is taken between.
#[test]
fn the_same_member_twice_with_its_order_forged() {
    for scheme in Scheme::ALL {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let bad = with_signers(&claim, &[3, 3]);
        assert!(!bad.holds());
        let grid = bad.grid();
        let [edwards, _, range, vertical] = gates(&bad.shape);
        // Offsets are index less slot: 3 and 2. The gap of -1 has its home in a range column.
        let gap = -Fr::one();
        let gaps = grid.replace(&[(gap, Fr::zero())]);
        assert!(gaps.iter().any(|forged| range.contains(&forged.column)), "{scheme}");
        assert!(!bad.holds_with(gaps.clone()), "{scheme}");
        // The second offset becomes 3 in the row that looks it up and in all its copies.
        let offset = Fr::from(2);
        let lookups: Vec<_> = grid
            .replace(&[(offset, Fr::from(3))])
            .into_iter()
            .filter(|forged| forged.column == 0 || vertical.contains(&forged.column))
            .collect();
        assert!(lookups.iter().any(|forged| edwards.contains(&forged.column)), "{scheme}");
        let forged = [lookups, gaps].concat();
        assert!(!bad.holds_with(forged), "{scheme}");
    }
    for scheme in Scheme::ALL {
        let claim = Claim::small(scheme, Mode::Path);
        let bad = with_signers(&claim, &[3, 3]);
        let grid = bad.grid();
        // The gap is 3 - 3 - 1.
        let gaps = grid.replace(&[(-Fr::one(), Fr::zero())]);
        assert!(!gaps.is_empty() && !bad.holds_with(gaps), "{scheme}");
    }
}

#[test]
fn an_index_out_of_range() {
    for scheme in Scheme::ALL {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let (capacity, slots) = (claim.shape.capacity as u64, claim.shape.slots as u64);
        // Entries of padding, the entry behind them, and far beyond.
        for index in [capacity, capacity + 1, capacity + slots, 1 << 31, 1 << 32, u64::MAX] {
            claim.assert_refused_after("index", |inputs| inputs.slots[1].index = index);
        }
        // Another member's, that of an empty leaf, and one that makes the offset negative.
        for index in [0, 1, 2] {
            claim.assert_refused_after("index", |inputs| inputs.slots[1].index = index);
        }
        let few = Claim::new(&claim.shape, &members(3), &[0, 2]);
        assert!(few.holds());
        few.assert_refused_after("empty leaf", |inputs| inputs.slots[1].index = 3);
    }
}

/// The first offset is `-1`, or such that the row would look into the table of a point.
#[test]
fn an_index_of_another_kind_of_entry() {
    let member_base = Fr::from(1 << 32);
    for scheme in Scheme::ALL {
        let claim = Claim::new(&small(scheme, Mode::WholeSet), &members(4), &[0, 3]);
        assert!(claim.holds());
        let grid = claim.grid();
        // The offset of slot 0 stands in the last row that holds its leaf; the set is written before.
        let row = grid.0[1].iter().rposition(|y1| *y1 == Entry::new(0).leaf());
        let row = row.expect("slot 0 is looked up");
        assert_eq!(grid.0[0][row], Fr::zero());
        for key in 0..12u64 {
            let value = Fr::from(key) - member_base;
            assert!(!claim.holds_with(vec![Forged { column: 0, row, value }]), "{scheme}");
        }
        for value in [-Fr::one(), Fr::one(), Fr::from(4), Fr::from(5), Fr::from(6)] {
            assert!(!claim.holds_with(vec![Forged { column: 0, row, value }]), "{scheme}");
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
    let key = SubgroupPoint::generator();
    let twice = Committee::new(&[(key, 1), (key, 2)]);
    let expected = Error::KeySet(KeySetError::DuplicateKey { first: 0, second: 1 });
    assert_eq!(twice.err(), Some(expected));
}

/// Whoever makes the commitment keeps keys distinct: the circuit counts a key once for each leaf under the
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
