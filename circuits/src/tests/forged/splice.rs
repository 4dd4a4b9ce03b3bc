//! Gates filled from two different runs: each gate alone is satisfied, so only the copies between them
//! refuse. A prover who could mix runs could prove anything.

use super::*;

/// Every non-empty proper subset of the gates of `left` is taken from `right`.
fn assert_no_mixture_holds(left: &Claim, right: &Claim) {
    assert!(left.holds() && right.holds());
    assert_eq!(left.shape, right.shape);
    let (grid, other) = (left.grid(), right.grid());
    let gates = gates(&left.shape);
    for subset in 1..15u32 {
        let taken = gates.iter().enumerate().filter(|(gate, _)| subset >> gate & 1 == 1);
        let forged: Vec<_> =
            taken.flat_map(|(_, columns)| grid.take(&other, columns.clone())).collect();
        assert!(!forged.is_empty(), "the runs differ in every gate");
        let place = format!("{}, {:?}, {subset:04b}", left.shape.scheme, left.shape.mode);
        assert!(!left.holds_with(forged), "{place}");
    }
    // All gates from the other run: the other witness, with these public inputs.
    let all = grid.take(&other, 0..grid.0.len());
    assert_eq!(left.holds_with(all.clone()), left.public == right.public);
    assert!(Claim { public: right.public, ..left.clone() }.holds_with(all));
}

#[test]
fn runs_of_two_messages() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let left = Claim::small(scheme, mode);
            let mut right = left.clone();
            right.inputs.message = Fr::from(0xabcd);
            let signing = [Entry::new(1), Entry::new(3)];
            right.inputs.signatures =
                sign_all(&right.shape, right.public[0], &signing, &right.inputs.message);
            right.public = public_inputs(&right.inputs);
            assert_no_mixture_holds(&left, &right);
        }
    }
}

/// The same statement, proven by members 0 and 3 of weights 1 and 4 and by members 1 and 2.
#[test]
fn runs_of_two_sets_of_signers() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let shape = small(scheme, mode);
            let [left, right] =
                [[0, 3], [1, 2]].map(|signers| Claim::new(&shape, &members(4), &signers));
            assert_eq!(left.public, right.public);
            assert_no_mixture_holds(&left, &right);
        }
    }
}

/// The generator is a member: its slot may be in use, or count for nothing. Both runs have the same
/// list of keys and the same coefficients, but one of them takes the generator out of the sum.
#[test]
fn runs_with_a_signer_and_without() {
    for mode in MODES {
        let mut entries = members(4);
        entries[3] = Entry::generator(4);
        let shape = small(Scheme::Musig, mode);
        let [both, one] = [&[2, 3][..], &[2]].map(|signers| Claim::new(&shape, &entries, signers));
        assert_eq!(both.public[0], one.public[0]);
        assert_no_mixture_holds(&both, &one);
        assert_no_mixture_holds(&one, &both);
    }
}

/// The same signers of two sets, which differ in a member who does not sign: the root is part of the
/// list of keys.
#[test]
fn runs_of_two_sets() {
    for mode in MODES {
        let shape = small(Scheme::Musig, mode);
        let mut entries = members(4);
        let left = Claim::new(&shape, &entries, &[1, 3]);
        entries[0] = Entry::new(9);
        let right = Claim::new(&shape, &entries, &[1, 3]);
        assert_ne!(left.public, right.public);
        assert_no_mixture_holds(&left, &right);
    }
}
