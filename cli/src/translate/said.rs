//! What the steps of a translation have in common: commitments by name, shapes and statements in words.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use muster_circuits::translation::{CommitmentKind, TranslationShape, TranslationStatement};
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    files::{weight, CommitteeFile},
};
use serde_json::{json, Value};

/// A commitment on the command line: an error lists all of them.
pub(super) fn commitments() -> impl TypedValueParser<Value = CommitmentKind> {
    let names = CommitmentKind::ALL.iter().map(|kind| kind.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<CommitmentKind>())
}

/// The shape in a line.
pub(super) fn describe(shape: &TranslationShape) -> String {
    let TranslationShape { commitment, capacity, arity, depth, .. } = shape;
    let degree = shape.degree();
    format!("{commitment}: capacity {capacity} (arity {arity}, depth {depth}), 2^{degree} rows")
}

/// A statement for people.
pub(super) fn rows(
    kind: CommitmentKind,
    statement: &TranslationStatement,
) -> Vec<(&'static str, String)> {
    vec![
        ("commitment", kind.name().to_owned()),
        ("hash", to_hex(&statement.commitment)),
        ("key-set root", field_to_hex(&statement.key_set_root)),
        ("members", statement.members.to_string()),
        ("total weight", statement.total_weight.to_string()),
    ]
}

/// The members of a committee for whom nobody can sign, who they are and why: a row for people, if there are any; and the
/// same for programs.
pub(super) fn empty_places(file: &CommitteeFile) -> (Option<(&'static str, String)>, Value) {
    let members = file.committee.members();
    let weight_of = |number: usize| members[number].weight;
    let words = file.empty_places().map(|(number, place)| {
        format!("member {number} (weight {}): {}", weight_of(number), place.reason())
    });
    let words: Vec<_> = words.collect();
    let json = file.empty_places().map(|(number, place)| {
        json!({
            "member": number,
            "weight": weight::to_json(weight_of(number).into()),
            "key": to_hex(place.key()),
            "type": place.kind().field(),
            "reason": place.reason().to_string(),
        })
    });
    ((!words.is_empty()).then(|| ("empty places", words.join(", "))), json.collect())
}

/// A statement for programs.
pub(super) fn to_json(kind: CommitmentKind, statement: &TranslationStatement) -> Value {
    json!({
        "commitment": kind.name(),
        "hash": to_hex(&statement.commitment),
        "key_set_root": field_to_hex(&statement.key_set_root),
        "members": statement.members,
        "total_weight": weight::to_json(statement.total_weight.into()),
    })
}
