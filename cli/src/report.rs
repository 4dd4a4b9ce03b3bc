//! What a command has to say.

use muster_circuits::{SignerMask, Statement};
use muster_prover::{
    encoding::{field_to_hex, message_to_hex, to_hex},
    files::{weight, SrsMark},
    terminal::{print, printable},
};
use serde_json::{json, Value};

use crate::Error;

/// What a command has to say: for people, and for programs.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Report {
    /// Says it on stdout.
    pub(crate) fn print(&self, json: bool) -> Result<(), Error> {
        if json {
            print(&self.json.to_string())?;
        } else {
            print(&printable(self.text.trim_end()))?;
        }
        Ok(())
    }
}

/// Several things in a line.
pub(crate) fn list<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}

/// An object with the fields of another, too.
pub(crate) fn joined(mut json: Value, more: Value) -> Value {
    if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
        json.extend(more);
    }
    json
}

/// A statement for people.
pub(crate) fn statement_rows(statement: &Statement) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("key-set root", field_to_hex(&statement.key_set_root)),
        ("threshold", statement.threshold.to_string()),
        ("message", message_to_hex(&statement.message)),
    ];
    rows.extend(statement.signers.as_ref().map(|mask| ("signers", mask.to_string())));
    rows
}

/// The same for programs.
pub(crate) fn statement_json(statement: &Statement) -> Value {
    json!({
        "key_set_root": field_to_hex(&statement.key_set_root),
        "threshold": weight::to_json(statement.threshold.into()),
        "message": message_to_hex(&statement.message),
        "named": statement.signers.as_ref().map(SignerMask::to_vec),
    })
}

/// What is said of an SRS that is not at hand: what a file claims.
pub(crate) fn claimed(srs: &SrsMark) -> Value {
    json!({ "claimed": true, "insecure": srs.insecure, "digest": to_hex(&srs.digest) })
}
