//! What orders signers: the same member twice, indices that name no member.

use super::{signers::with_signers, *};

/// Four slots, so that two of the same member need not be neighbours.
fn four(scheme: Scheme, mode: Mode) -> Claim {
    Claim::new(&shape(scheme, mode, 6, 4), &members(6), &[0, 2, 3, 5])
}

#[test]
fn the_same_member_twice() {
    for scheme in EMBEDDED {
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
    for scheme in EMBEDDED {
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
    for scheme in EMBEDDED {
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
    for scheme in EMBEDDED {
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
    for scheme in EMBEDDED {
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
