//! The freedom of circuits over curves of other fields.

use super::*;
use crate::tests::determinism::assert_freedom;

/// These members sign, in so many slots.
fn cases(kind: (Scheme, KeyKind), slots: usize, signers: &[usize]) -> (String, Case) {
    let (scheme, keys) = kind;
    let name = format!("{scheme} {keys:?}, {} of {slots} slots", signers.len());
    let shape = fit(&small(kind, 6, slots));
    (name, Case { shape, ..foreign_case(kind, signers) })
}

#[test]
fn one_signature() {
    assert_freedom(KINDS.map(|kind| cases(kind, 1, &[2])));
}

#[test]
fn two_slots() {
    assert_freedom(KINDS.map(|kind| cases(kind, 2, &[3, 5])));
}

#[test]
fn a_slot_that_is_not_used() {
    assert_freedom(KINDS.map(|kind| cases(kind, 2, &[2])));
}
