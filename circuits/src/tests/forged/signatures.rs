//! Signatures that do not verify.

use super::*;

/// Every scheme and mode.
fn all() -> impl Iterator<Item = (Scheme, Mode)> {
    EMBEDDED.into_iter().flat_map(|scheme| MODES.map(|mode| (scheme, mode)))
}

#[test]
fn one_wrong_signature() {
    for (scheme, mode) in all() {
        let claim = Claim::small(scheme, mode);
        let last = claim.inputs.signatures.len() - 1;
        for at in [0, last] {
            claim.assert_refused_after("s", |inputs| {
                inputs.signatures[at] = shifted(inputs.signatures[at], Scalar::ONE);
            });
            claim.assert_refused_after("R", |inputs| {
                let RawPoint { x, y } = times_generator(&Scalar::from(4242));
                inputs.signatures[at] = RawSignature { x, y, ..inputs.signatures[at] };
            });
        }
        claim.assert_refused_after("s = 0", |inputs| inputs.signatures[0].s = [0; 32]);
        claim.assert_refused_after("R with the opposite sign", |inputs| {
            inputs.signatures[0].x = -inputs.signatures[0].x;
        });
    }
}

#[test]
fn a_wrong_signature_with_its_result_forged() {
    for (scheme, mode) in all() {
        let mut claim = Claim::small(scheme, mode);
        let grid = claim.grid();
        // The product is the identity in the last row of the lane's accumulator.
        let last =
            grid.0[0].iter().zip(&grid.0[1]).rposition(|(x, y)| (*x, *y) != Default::default());
        let last = last.expect("there is a product");
        assert_eq!([grid.0[0][last], grid.0[1][last]], [Fr::zero(), Fr::one()]);
        claim.inputs.signatures[0] = shifted(claim.inputs.signatures[0], Scalar::ONE);
        let bad = claim.grid();
        let (x, y) = (bad.0[0][last], bad.0[1][last]);
        assert_ne!([x, y], [Fr::zero(), Fr::one()]);
        claim.assert_refused_with("result", &[(x, Fr::zero()), (y, Fr::one())]);
        // With the accumulators before it, the error only moves upwards.
        for from in [last - 64, last - 128] {
            let column = |column: usize| {
                let rows = (from..=last).step_by(64);
                let good = &grid.0[column];
                rows.map(move |row| Forged { column, row, value: good[row] }).collect::<Vec<_>>()
            };
            let mut forged = bad.replace(&[(x, Fr::zero()), (y, Fr::one())]);
            forged.extend([0, 1, 4].into_iter().flat_map(column));
            assert!(!claim.holds_with(forged), "{scheme}, {mode:?}");
        }
    }
}

#[test]
fn another_message() {
    for (scheme, mode) in all() {
        let claim = Claim::small(scheme, mode);
        let other = Fr::from(0xbeef);
        let mut bad = claim.clone();
        bad.inputs.message = other;
        bad.public = public_inputs(&bad.inputs);
        assert!(!bad.holds(), "{scheme}, {mode:?}");
        // The signatures are made for the other message, which the instance does not name.
        let mut forged = claim.clone();
        forged.public[2] = other;
        assert!(!forged.holds(), "{scheme}, {mode:?}");
        forged.assert_refused_with("message", &[(claim.inputs.message, other)]);
        // Only the cell that the instance is bound to.
        let grid = forged.grid();
        let first = grid.replace(&[(claim.inputs.message, other)]);
        let vertical = gates(&forged.shape)[3].start;
        let bound: Vec<_> =
            first.into_iter().filter(|forged| forged.column >= vertical).take(1).collect();
        assert_eq!(bound.len(), 1);
        assert!(!forged.holds_with(bound), "{scheme}, {mode:?}");
    }
}

#[test]
fn another_key() {
    for mode in MODES {
        for scheme in INDEPENDENT {
            let claim = Claim::small(scheme, mode);
            // A member signs for another, under its own key or under the other's.
            let [other, signer] = [Entry::new(2), Entry::new(1)];
            let message = claim.inputs.message;
            for key in [other.point, signer.point] {
                claim.assert_refused_after("another member signs", |inputs| {
                    inputs.signatures[0] = sign(scheme, &other.secret, &key, &message);
                });
            }
            claim.assert_refused_after("signatures exchanged", |inputs| {
                inputs.signatures.swap(0, 1);
            });
        }
    }
}

/// Keys of one set sign, and the other set is claimed: the root, or the leaves of the other set.
#[test]
fn another_set() {
    for (scheme, mode) in all() {
        let shape = small(scheme, mode);
        let strangers: Vec<_> = (20..24).map(Entry::new).collect();
        let claim = Claim::small(scheme, mode);
        let other = Claim::new(&shape, &strangers, &[1, 3]);
        assert!(other.holds(), "{scheme}, {mode:?}");

        let mut bad = other.clone();
        bad.public[0] = claim.public[0];
        assert!(!bad.holds(), "{scheme}, {mode:?}");
        bad.inputs.key_set_root = claim.public[0];
        assert!(!bad.holds(), "{scheme}, {mode:?}");
        bad.inputs.leaves = claim.inputs.leaves.clone();
        // The signers' weights differ from those of the set; the threshold is not what fails here.
        bad.inputs.threshold = 1;
        bad.public = public_inputs(&bad.inputs);
        assert!(!bad.holds(), "{scheme}, {mode:?}");
        // The root of the strangers' tree written over by that of the set.
        let mut forged = other.clone();
        forged.public[0] = claim.public[0];
        forged.assert_refused_with("root", &[(other.public[0], claim.public[0])]);
    }
}

#[test]
fn two_errors_that_cancel_under_equal_coefficients() {
    for scheme in INDEPENDENT {
        let difference = Scalar::from(123_456_789);
        let four = Claim::new(&shape(scheme, Mode::WholeSet, 4, 4), &members(4), &[0, 1, 2, 3]);
        assert!(four.holds());
        // A pair that shares a squeezed element, and pairs that do not.
        for (first, second) in [(0, 1), (0, 2), (1, 3)] {
            four.assert_refused_after("s", |inputs| {
                inputs.signatures[first] = shifted(inputs.signatures[first], difference);
                inputs.signatures[second] = shifted(inputs.signatures[second], -difference);
            });
        }
        for mode in MODES {
            let two = Claim::small(scheme, mode);
            two.assert_refused_after("s", |inputs| {
                inputs.signatures[0] = shifted(inputs.signatures[0], difference);
                inputs.signatures[1] = shifted(inputs.signatures[1], -difference);
            });
        }
    }
}

/// Coefficients of the prover's choice, here those of the honest signatures, are not those squeezed from
/// the bad ones.
#[test]
fn errors_that_cancel_under_stale_coefficients() {
    for scheme in INDEPENDENT {
        let claim = Claim::small(scheme, Mode::WholeSet);
        let good = claim.grid();
        let mut bad = claim.clone();
        let difference = Scalar::from(987_654_321);
        bad.inputs.signatures[0] = shifted(claim.inputs.signatures[0], difference);
        bad.inputs.signatures[1] = shifted(claim.inputs.signatures[1], -difference);
        let grid = bad.grid();
        let [edwards, poseidon, ..] = gates(&bad.shape);
        for columns in [edwards.clone(), poseidon.clone(), edwards.start..poseidon.end] {
            assert!(!bad.holds_with(grid.take(&good, columns)), "{scheme}");
        }
    }
}

/// What the public interface says of the same.
#[test]
fn the_native_rules_name_the_culprit() {
    use crate::{Error, Rejection};
    for scheme in INDEPENDENT {
        let mut case = case(&request(scheme, 4, 2, Mode::WholeSet), &[1, 3], 7);
        assert!(case.is_valid());
        let Signatures::Independent(list) = &mut case.signatures else { unreachable!() };
        let honest = list.clone();
        let signature = honest[1].1.of::<Signature>().expect("the scheme is over Baby Jubjub");
        list[1].1 = Signature::new(signature.r(), signature.s() + Scalar::ONE).into();
        let verdict = verify(&case.shape, &case.statement, &case.committee, &case.signatures);
        assert!(matches!(verdict, Err(Error::Rejected(Rejection::Signature { member: 3, .. }))));
        assert!(!satisfied(&case.shape, &case.inputs(), case.statement.public_inputs()));

        case.signatures = Signatures::Independent(honest);
        let mut other = case.statement.clone();
        other.message = Fr::one().into();
        let verdict = verify(&case.shape, &other, &case.committee, &case.signatures);
        assert!(matches!(verdict, Err(Error::Rejected(Rejection::Signature { .. }))));
        other = case.statement.clone();
        other.key_set_root += Fr::one();
        let verdict = verify(&case.shape, &other, &case.committee, &case.signatures);
        assert_eq!(verdict, Err(Error::Rejected(Rejection::Root)));
    }
}
