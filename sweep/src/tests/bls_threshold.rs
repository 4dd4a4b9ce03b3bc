//! The columns of a row.

use muster_threshold::bls::{Identities, SuiteName};

use super::assert_columns;
use crate::bls_threshold::Row;

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
