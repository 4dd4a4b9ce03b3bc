//! Thresholds as the command line has them, and the columns of a row.

use muster_threshold::bls::Identities;

use super::{args::Thresholds, row::Row};
use crate::{files::bls_threshold::SuiteName, sweep::assert_columns};

#[test]
fn columns_are_the_fields_of_a_row() {
    assert_columns(&Row {
        suite: SuiteName::MinSignature,
        identities: Identities::Consecutive,
        threshold: 2,
        signers: 3,
        threads: 1,
        method: "missing".into(),
        domain_s: 0.1,
        lagrange_s: 0.1,
        combination_s: 0.1,
        verification_s: 0.1,
        aggregate_s: 0.3,
        naive_lagrange_s: None,
        naive_aggregate_s: None,
        repeat: 3,
    });
}

#[test]
fn thresholds_are_powers_of_two() {
    assert_eq!("2^1..2^20".parse(), Ok(Thresholds(1..=20)));
    assert_eq!("2^11".parse(), Ok(Thresholds(11..=11)));
    assert_eq!("1..64".parse(), Ok(Thresholds(0..=6)));
    for bad in ["", "0", "3", "2^", "2^23", "2^3..2^2", "2^1..", "2^-1", "-1"] {
        assert!(bad.parse::<Thresholds>().is_err(), "{bad}");
    }
}
