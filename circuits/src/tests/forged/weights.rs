//! Thresholds and weights.

use super::*;
use crate::{Error, Rejection};

fn all() -> impl Iterator<Item = (Scheme, Mode)> {
    Scheme::ALL.into_iter().flat_map(|scheme| MODES.map(|mode| (scheme, mode)))
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
        for threshold in [0, 7, 8, 1 << 32, 1 << 48, u64::MAX] {
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
        bad.assert_refused_after("weight", |inputs| inputs.slots[3].weight = 1);
        bad.assert_refused_after("member's weight", |inputs| inputs.slots[0].weight = 2);
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
/// weight just below it shows.
#[test]
fn weights_that_are_too_large() {
    for (scheme, mode) in all() {
        let shape = small(scheme, mode);
        // The bound is rounded up to whole limbs.
        let bits = 32usize.div_ceil(shape.layout.range_bits) * shape.layout.range_bits;
        assert!(bits <= 36, "sums of 2^14 weights stay below 2^50");
        let with = |weight: u64| {
            let mut entries = members(4);
            entries[3].weight = weight;
            Claim::new(&shape, &entries, &[1, 3])
        };
        assert!(with((1 << 32) - 1).holds(), "{scheme}, {mode:?}");
        assert!(with((1 << bits) - 1).holds(), "{scheme}, {mode:?}");
        for weight in [1 << bits, 1 << 36, 1 << 40, u64::MAX - 2] {
            let mut bad = with(weight);
            assert!(!bad.holds(), "{scheme}, {mode:?}, {weight}");
            bad.inputs.threshold = 1;
            bad.public = public_inputs(&bad.inputs);
            assert!(!bad.holds(), "{scheme}, {mode:?}, {weight}");
        }
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
            claim.assert_refused_after("weight", |inputs| inputs.slots[1].weight = weight);
            let mut bad = claim.clone();
            bad.inputs.slots[1].weight = weight;
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
        // nothing, which is declared to be harmless; the musig tests show that its key does not count.
        let real = Entry::new(3);
        let mut idle = claim.clone();
        idle.inputs.slots[1].public_key = real.point;
        if !scheme.is_aggregate() {
            idle.inputs.signatures[1] =
                sign(scheme, &real.secret, &real.point, &claim.inputs.message);
        }
        assert_eq!(idle.holds(), mode == Mode::Path, "{scheme}, {mode:?}");
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
            other.inputs.slots[1].weight = signer.weight;
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
            (1 << 48, Rejection::Threshold(1 << 48)),
            (7, Rejection::Weight { weight: 6, threshold: 7 }),
        ] {
            let statement = Statement { threshold, ..case.statement };
            let verdict = verify(&case.shape, &statement, &case.committee, &case.signatures);
            assert_eq!(verdict, Err(Error::Rejected(expected)));
            let inputs = Inputs::new(&case.shape, &statement, &case.committee, &case.signatures);
            let inputs = inputs.expect("the threshold is not looked at");
            assert!(!satisfied(&case.shape, &inputs, statement.public_inputs()));
        }
    }
    let key = SubgroupPoint::generator();
    for weight in [0, 1 << 32, u64::MAX] {
        assert!(matches!(Committee::new(&[(key, weight)]), Err(Error::KeySet(_))));
    }
}
