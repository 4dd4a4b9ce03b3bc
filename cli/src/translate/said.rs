//! What the steps of a translation have in common: commitments by name, shapes and statements in words.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use muster_circuits::translation::{CommitmentKind, TranslationShape, TranslationStatement};
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    files::{weight, CommitteeFile},
};
use muster_schemes::membership::EmptyPlace;
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

/// The members of a committee for whom nobody can sign.
pub(super) struct EmptyPlaces<'a>(Vec<(usize, u64, &'a EmptyPlace)>);

impl<'a> EmptyPlaces<'a> {
    pub(super) fn of(file: &'a CommitteeFile) -> Self {
        let members = file.committee.members();
        let place = |(number, place): (usize, _)| (number, members[number].weight, place);
        Self(file.empty_places().map(place).collect())
    }

    /// Who they are and why, for people; nothing if there are none.
    pub(super) fn row(&self) -> Option<(&'static str, String)> {
        let one = |(number, weight, place): &(usize, u64, &EmptyPlace)| {
            format!("member {number} (weight {weight}): {}", place.reason())
        };
        let all: Vec<_> = self.0.iter().map(one).collect();
        (!all.is_empty()).then(|| ("empty places", all.join(", ")))
    }

    /// The same for programs.
    pub(super) fn to_json(&self) -> Value {
        let one = |(number, weight, place): &(usize, u64, &EmptyPlace)| {
            json!({
                "member": number,
                "weight": weight::to_json((*weight).into()),
                "key": to_hex(place.key()),
                "type": place.kind().field(),
                "reason": place.reason().to_string(),
            })
        };
        self.0.iter().map(one).collect()
    }
}

/// The same for programs.
pub(super) fn to_json(kind: CommitmentKind, statement: &TranslationStatement) -> Value {
    json!({
        "commitment": kind.name(),
        "hash": to_hex(&statement.commitment),
        "key_set_root": field_to_hex(&statement.key_set_root),
        "members": statement.members,
        "total_weight": weight::to_json(statement.total_weight.into()),
    })
}
