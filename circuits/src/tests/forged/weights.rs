//! Thresholds and weights.

use super::*;
use crate::{Error, Rejection};

fn all() -> impl Iterator<Item = (Scheme, Mode)> {
    EMBEDDED.into_iter().flat_map(|scheme| MODES.map(|mode| (scheme, mode)))
}

#[test]
fn every_threshold_up_to_the_weight() {
    for (scheme, mode) in all() {
        let claim = Claim::small(scheme, mode);
        assert_eq!(claim.inputs.threshold, 6);
        for threshold in [1, 5, 6] {
            let mut other = claim.clone();
            other.inputs.threshold = threshold;
            other.public = public_inputs(&other.inputs);
            assert!(other.holds(), "{scheme}, {mode:?}, {threshold}");
        }
        for threshold in [0, 7, 8, 1 << 32, 1 << 48, 1 << 60, u64::MAX] {
            let mut bad = claim.clone();
            bad.inputs.threshold = threshold;
            bad.public = public_inputs(&bad.inputs);
            assert!(!bad.holds(), "{scheme}, {mode:?}, {threshold}");
        }
    }
}

/// Members 1 and 3 weigh 6; with a threshold of 7 the surplus is -1, with one of 0 what is above zero is.
#[test]
fn a_threshold_out_of_reach_with_its_range_checks_forged() {
    for (scheme, mode) in all() {
        let claim = Claim::small(scheme, mode);
        for threshold in [7, 0] {
            let mut bad = claim.clone();
            bad.inputs.threshold = threshold;
            bad.public = public_inputs(&bad.inputs);
            let minus_one = -Fr::one();
            for value in [Fr::zero(), Fr::one(), Fr::from(5)] {
                bad.assert_refused_with("difference", &[(minus_one, value)]);
            }
            // Its low limb alone: the running sum ends in one that is too large.
            let [_, _, range, _] = gates(&bad.shape);
            let forged: Vec<_> = bad
                .grid()
                .replace(&[(minus_one, Fr::zero())])
                .into_iter()
                .filter(|forged| range.contains(&forged.column))
                .collect();
            assert!(!forged.is_empty() && !bad.holds_with(forged), "{scheme}, {mode:?}");
        }
    }
}

#[test]
fn one_signer_too_few() {
    for (scheme, mode) in all() {
        let shape = shape(scheme, mode, 4, 4);
        let plain: Vec<_> = members(4).into_iter().map(|m| Entry { weight: 1, ..m }).collect();
        let claim = Claim::new(&shape, &plain, &[0, 1, 3]);
        assert!(claim.holds(), "{scheme}, {mode:?}");
        let mut bad = claim.clone();
        bad.inputs.threshold = 4;
        bad.public = public_inputs(&bad.inputs);
        assert!(!bad.holds(), "{scheme}, {mode:?}");
        // The slot that is not used claims to weigh what is missing.
        bad.assert_refused_after("weight", |inputs| claim_weight(&mut inputs.slots[3], 1));
        bad.assert_refused_after("member's weight", |inputs| claim_weight(&mut inputs.slots[0], 2));
        // So does its cell, while its leaf is hashed as before.
        let grid = bad.grid();
        let [_, _, range, vertical] = gates(&bad.shape);
        let total = grid.replace(&[(Fr::from(3), Fr::from(4)), (-Fr::one(), Fr::zero())]);
        let total: Vec<_> = total
            .into_iter()
            .filter(|f| vertical.contains(&f.column) || range.contains(&f.column))
            .collect();
        assert!(!total.is_empty() && !bad.holds_with(total), "{scheme}, {mode:?}");
    }
}

/// A set whose root binds weights that are out of range: each is refused by the range check alone, as the
/// greatest weight shows, with which the signers' sum is the greatest, too.
#[test]
fn weights_that_are_too_large() {
    for (scheme, mode) in all() {
        let shape = small(scheme, mode);
        let with = |weight: u64| {
            let mut entries = members(4);
            entries[3].weight = weight;
            Claim::new(&shape, &entries, &[1, 3])
        };
        // Member 1 weighs 2.
        let most = with((1 << 60) - 3);
        assert_eq!(most.inputs.threshold, (1 << 60) - 1);
        assert!(most.holds(), "{scheme}, {mode:?}");
        assert!(with((1 << 60) - 1).holds(), "{scheme}, {mode:?}");
        for weight in [1 << 60, (1 << 60) + 1, 1 << 61, 1 << 62, u64::MAX - 2] {
            let mut bad = with(weight);
            assert!(!bad.holds(), "{scheme}, {mode:?}, {weight}");
            bad.inputs.threshold = 1;
            bad.public = public_inputs(&bad.inputs);
            assert!(!bad.holds(), "{scheme}, {mode:?}, {weight}");
        }
    }
}

/// Weights of a leaf are packed at 2^64: `w₀ - 2^64` and `w₁ + 1` pack to the same element, so hash,
/// root and all that is summed agree. The range check of `w₀` alone refuses.
#[test]
fn weights_moved_between_neighbours() {
    let shift = Fr::from(2).pow_vartime([64]);
    for (scheme, mode) in all() {
        let (claim, weights) = eight(scheme, mode);
        let grid = claim.grid();
        let sums = [weights[1], weights[1] + weights[6], weights[1] + weights[6] - 2].map(Fr::from);
        let low = Fr::from(weights[0]);
        for step in [Fr::one(), -Fr::one()] {
            let mut changes = vec![(low, low - step * shift)];
            changes.extend(sums.map(|sum| (sum, sum + step)));
            changes.push((inverse(sums[0]), inverse(sums[0] + step)));
            assert_eq!(claim.refused_by(grid.replace(&changes)), ["range"], "{scheme}, {mode:?}");
            // Between weights that are no neighbours the packed element changes.
            changes[0] = (Fr::from(weights[2]), Fr::from(weights[2]) - step * shift);
            let by = claim.refused_by(grid.replace(&changes));
            assert_eq!(by, ["gate", "range"], "{scheme}, {mode:?}");
        }
    }
}

fn inverse(value: Fr) -> Fr {
    value.invert().expect("it is not zero")
}

/// Members 1 and 6 of eight, in two leaves, whose weights are like no other value and differ within a
/// leaf by less than a limb. The threshold is 2.
fn eight(scheme: Scheme, mode: Mode) -> (Claim, [u64; 8]) {
    let weights = [0x22d11, 0x22d21, 0x22d31, 0x22d41, 0x57e10, 0x57e11, 0x57e12, 0x57e13];
    let mut entries = members(8);
    for (entry, weight) in entries.iter_mut().zip(weights) {
        entry.weight = weight;
    }
    let mut claim = Claim::new(&shape(scheme, mode, 8, 2), &entries, &[1, 6]);
    claim.inputs.threshold = 2;
    claim.public = public_inputs(&claim.inputs);
    assert!(claim.holds(), "{scheme}, {mode:?}");
    (claim, weights)
}

/// Makes member 1 of [`eight`] weigh `other`: in the row that looks it up or where the path selects
/// its weight, and in all that follows.
fn weighing(claim: &Claim, weights: &[u64; 8], other: u64) -> Vec<Forged> {
    let grid = claim.grid();
    let vertical = gates(&claim.shape)[3].clone();
    let own = Fr::from(weights[1]);
    let whole = claim.shape.mode == Mode::WholeSet;
    // Where the weight stands last before it is taken for the signer's.
    let (column, row) = if whole {
        grid.find(vertical.clone(), &[own, Fr::from(2).pow_vartime([64])])
    } else {
        let mut pattern = vec![Fr::zero(); 13];
        for (i, weight) in weights[..4].iter().enumerate() {
            pattern[3 * i + 1] = Fr::from(u64::from(i == 1));
            pattern[3 * i + 2] = Fr::from(*weight);
            pattern[3 * i + 3] = if i == 0 { Fr::zero() } else { own };
        }
        let (column, row) = grid.find(vertical.clone(), &pattern);
        (column, row + 11)
    };
    let looked_up = grid.rows(Y1, own).last().copied();
    let taken = |f: &Forged| {
        let follows = (f.column, f.row) > (column, row) && vertical.contains(&f.column);
        follows || whole && f.column == Y1 && Some(f.row) == looked_up
    };
    let raised = Fr::from(other) - own;
    let weight = [(own, own + raised), (inverse(own), inverse(own + raised))];
    let sums = [weights[6] + weights[1], weights[6] + weights[1] - 2].map(Fr::from);
    let mut forged = grid.replace(&sums.map(|sum| (sum, sum + raised)));
    forged.extend(grid.replace(&weight).into_iter().filter(taken));
    forged
}

/// The weight of another member of the leaf: the lookup, or the gate that selects, alone refuses.
#[test]
fn the_weight_of_a_neighbour() {
    for (scheme, mode) in all() {
        let (claim, weights) = eight(scheme, mode);
        for other in [weights[0], weights[2], weights[3]] {
            let expected = if mode == Mode::WholeSet { "edwards" } else { "gate" };
            let mut forged = weighing(&claim, &weights, other);
            assert_eq!(claim.refused_by(forged.clone()), [expected], "{scheme}, {mode:?}");
            // The set that is looked into is the one that is hashed.
            if mode == Mode::WholeSet {
                forged.push(Forged { column: Y1, row: 1, value: Fr::from(other) });
                assert_eq!(claim.refused_by(forged), ["copy"], "{scheme}");
            }
        }
    }
}

/// With the offset `-2^33` a row would look for its own key, the negative one of all rows that look a
/// member up in slot 0, and find itself, with any weight. The range checks of offsets alone refuse.
#[test]
fn a_row_that_looks_itself_up() {
    for scheme in EMBEDDED {
        let (claim, weights) = eight(scheme, Mode::WholeSet);
        let other = weights[1] + 5;
        let mut forged = weighing(&claim, &weights, other);
        let grid = claim.grid();
        let [_, _, range, vertical] = gates(&claim.shape);
        let signer = Entry { weight: weights[1], ..Entry::new(1) };
        let row = grid.looked_up(&signer);
        // Offsets 1 and 5, and between them the gap of 4.
        let [one, four, five] = [1, 4, 5].map(Fr::from);
        let offset = -Fr::from(1 << 33);
        let (chain, first) = grid.find(vertical, &[one, one, four, five]);
        let (checks, check) = grid.find(range, &[one, four]);
        for (column, row, value) in [
            (SUM, row, offset),
            (chain, first, offset),
            (chain, first + 2, five - offset),
            (checks, check, offset),
            (checks, check + 1, five - offset),
        ] {
            forged.push(Forged { column, row, value });
        }
        assert_eq!(claim.refused_by(forged), ["range"], "{scheme}");
    }
}

/// Two weights that add up to a small sum modulo the field: `w` and `6 - w` for a `w` near the modulus.
#[test]
fn weights_that_wrap() {
    for (scheme, mode) in all() {
        let claim = Claim::small(scheme, mode);
        let huge = -Fr::from(100);
        // The weights of members 1 and 3 are 2 and 4; the sum, and all that follows from it, stays 6.
        let wrapped = [(Fr::from(2), huge), (Fr::from(4), Fr::from(106))];
        let grid = claim.grid();
        let [_, _, range, vertical] = gates(&claim.shape);
        let forged: Vec<_> = grid
            .replace(&wrapped)
            .into_iter()
            .filter(|f| range.contains(&f.column) || vertical.contains(&f.column))
            .collect();
        assert!(!forged.is_empty() && !claim.holds_with(forged), "{scheme}, {mode:?}");
        claim.assert_refused_with("weights", &wrapped);
    }
}

#[test]
fn padding_that_claims_something() {
    for (scheme, mode) in all() {
        let shape = small(scheme, mode);
        let claim = Claim::new(&shape, &members(4), &[2]);
        assert!(claim.holds(), "{scheme}, {mode:?}");
        for weight in [1, 3, 1 << 20] {
            let mut bad = claim.clone();
            claim_weight(&mut bad.inputs.slots[1], weight);
            assert!(!bad.holds(), "{scheme}, {mode:?}");
            bad.inputs.threshold += weight;
            bad.public = public_inputs(&bad.inputs);
            assert!(!bad.holds(), "{scheme}, {mode:?}");
        }
        // A padding slot at a member's place.
        claim.assert_refused_after("place", |inputs| {
            let member = Claim::new(&shape, &members(4), &[2, 3]).inputs.slots.remove(1);
            let unused = &mut inputs.slots[1];
            (unused.index, unused.path) = (member.index, member.path);
            unused.weight = 4;
        });
        // A real key on a slot that is not used: nothing to look up in a whole set. On a path it weighs
        // nothing, which is declared to be harmless where signatures are independent. In an aggregate
        // key a slot that is not used has the generator.
        let real = Entry::new(3);
        let mut idle = claim.clone();
        claim_key(&mut idle.inputs.slots[1], real.point);
        if !scheme.is_aggregate() {
            idle.inputs.signatures[1] =
                sign(scheme, &real.secret, &real.point, &claim.inputs.message);
        }
        let harmless = mode == Mode::Path && !scheme.is_aggregate();
        assert_eq!(idle.holds(), harmless, "{scheme}, {mode:?}");
    }
}

#[test]
fn padding_with_a_signature() {
    for scheme in INDEPENDENT {
        for mode in MODES {
            let claim = Claim::new(&small(scheme, mode), &members(4), &[2]);
            let message = claim.inputs.message;
            let signer = Entry::new(2);
            for bad in [
                claim.inputs.signatures[0],
                sign(scheme, &Entry::new(3).secret, &Entry::new(3).point, &message),
                shifted(padding_signature(scheme, &message), Scalar::ONE),
                padding_signature(scheme, &(message + Fr::one())),
            ] {
                claim.assert_refused_after("signature", |inputs| inputs.signatures[1] = bad);
            }
            // The secret of padding is 1, so anyone signs for it: that it weighs nothing is what counts.
            let again = sign(scheme, &Scalar::ONE, &RawPoint::generator(), &message);
            let mut other = claim.clone();
            other.inputs.signatures[1] = again;
            assert!(other.holds(), "{scheme}, {mode:?}");
            claim_weight(&mut other.inputs.slots[1], signer.weight);
            assert!(!other.holds(), "{scheme}, {mode:?}");
        }
    }
}

#[test]
fn the_native_rules() {
    for scheme in INDEPENDENT {
        let case = case(&request(scheme, 4, 2, Mode::WholeSet), &[1, 3], 5);
        for (threshold, expected) in [
            (0, Rejection::Threshold(0)),
            (1 << 60, Rejection::Threshold(1 << 60)),
            (7, Rejection::Weight { weight: 6, threshold: 7 }),
        ] {
            let statement = Statement { threshold, ..case.statement.clone() };
            let verdict = verify(&case.shape, &statement, &case.committee, &case.signatures);
            assert_eq!(verdict, Err(Error::Rejected(expected)));
            let inputs = Inputs { threshold, ..case.inputs() };
            assert!(!satisfied(&case.shape, &inputs, statement.public_inputs()));
        }
    }
    let key = SubgroupPoint::mul_generator(&Scalar::from(1_000)).expect("not zero");
    for weight in [0, 1 << 60, u64::MAX] {
        assert!(matches!(Committee::new(&[(key, weight)]), Err(Error::KeySet(_))));
    }
}
