//! A judge looks at all rows of a circuit, and a mock prover confirms a sample of them. Here they look at the same: what the one
//! finds the other does, of every gate.

use std::{
    collections::BTreeSet,
    panic::{catch_unwind, AssertUnwindSafe},
};

use halo2_base::halo2_proofs::dev::{FailureLocation, VerifyFailure};
use muster_forgery::forger::{Failure, Judge};
use muster_gates::Forged;
use muster_schemes::signature::{bls::MinSigPopBn254, MessageForm, Rule};
use muster_testing::sampled;
use rand::Rng;

use super::{
    bls::Signed,
    ed25519,
    foreign::{case_of, small, KINDS},
    *,
};
use crate::KeyKind;

/// How often cells are drawn for a case at most.
const DRAWS: usize = 10;

/// What fails, and at which row.
type Found = BTreeSet<(&'static str, usize)>;

fn judged(circuit: &GateCircuit, shape: &Shape, public: &[Fr]) -> Found {
    let judge = Judge::new(shape.degree(), circuit, vec![public.to_vec()]);
    let failure = |failure: &Failure| match failure {
        Failure::Copy(_) => ("copy", 0),
        Failure::Gate(_, row) => ("gate", *row),
        Failure::Lookup(_, row) => ("lookup", *row),
    };
    judge.failures().iter().map(failure).collect()
}

fn proven(circuit: &GateCircuit, shape: &Shape, public: &[Fr]) -> Found {
    let prover = MockProver::run(shape.degree(), circuit, vec![public.to_vec()]);
    let failures = prover.expect("the rows fit").verify().err().unwrap_or_default();
    let row = |location: &FailureLocation| match location {
        FailureLocation::InRegion { offset, .. } => *offset,
        FailureLocation::OutsideRegion { row } => *row,
    };
    let failure = |failure: &VerifyFailure| match failure {
        VerifyFailure::Permutation { .. } => ("copy", 0),
        VerifyFailure::ConstraintNotSatisfied { location, .. } => ("gate", row(location)),
        VerifyFailure::Lookup { location, .. } => ("lookup", row(location)),
        other => panic!("{other}"),
    };
    failures.iter().map(failure).collect()
}

#[test]
fn judges_find_what_mock_provers_find() {
    let address = (Scheme::EcdsaSecp256k1, KeyKind::Address);
    assert!(KINDS.contains(&address));
    let embedded = |scheme, mode| case(&request(scheme, 6, 2, mode), &[1, 3], 5);
    let bytes = Request {
        degree: Some(13),
        ..ed25519::wanted(Rule::Zip215, MessageForm::Sha256 { most: 47 }, 1)
    };
    // Between them they have every gate; a run takes a sample.
    let cases = [
        embedded(Scheme::Schnorr, Mode::Path),
        embedded(Scheme::Musig, Mode::WholeSet),
        case_of(fit(&small(address, 4, 1)), address, &[2]),
        ed25519::case_of(&bytes, &[2]),
        Signed::<MinSigPopBn254>::new(Mode::Path, 2, &[2]).case,
    ];
    let mut rng = rng(11);
    for case in sampled(cases, 2) {
        let Case { shape, statement, .. } = &case;
        let public = statement.public_inputs();
        let circuit = case.circuit().expect("it fits");
        assert_eq!(judged(&circuit, shape, &public), Found::new(), "{}", shape.scheme);
        assert_eq!(proven(&circuit, shape, &public), Found::new(), "{}", shape.scheme);
        // The mock prover panics at a failure that reads above the first row or below the last, and the gates of SHA-512 read
        // thousands of rows apart: then other cells are forged.
        let is_compared = (0..DRAWS).any(|_| are_compared(&case, &mut rng));
        assert!(is_compared, "{}: no draw of {DRAWS} can be shown", shape.scheme);
    }
}

/// Forges random cells, of which all columns have some, and holds the judge to the mock prover, if that one can show what it finds.
fn are_compared(case: &Case, rng: &mut impl Rng) -> bool {
    let Case { shape, statement, .. } = case;
    let public = statement.public_inputs();
    let mut circuit = case.circuit().expect("it fits");
    let columns = shape.layout.constraints().num_advice_columns();
    let quarter = 1 << (shape.degree() - 2);
    let rows = quarter..2 * quarter;
    let forged = (0..4 * columns).map(|i| Forged {
        column: i % columns,
        row: rng.gen_range(rows.clone()),
        value: Fr::from(rng.r#gen::<u64>()),
    });
    circuit.forged = forged.collect();
    let found = judged(&circuit, shape, &public);
    assert!(found.len() > columns / 2, "{}: {}", shape.scheme, found.len());
    let shown = catch_unwind(AssertUnwindSafe(|| proven(&circuit, shape, &public)));
    if let Ok(shown) = &shown {
        assert_eq!(&found, shown, "{}", shape.scheme);
    }
    shown.is_ok()
}
