//! What a command has to say.

use std::io::Write;

use serde_json::{json, Value};

use crate::{encoding::to_hex, files::SrsMark};

/// What a command has to say: for people, and for programs.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Report {
    /// Says it on stdout.
    pub(crate) fn print(&self, json: bool) {
        if json {
            print(&self.json.to_string())
        } else {
            print(self.text.trim_end())
        }
    }
}

/// What is said of an SRS that is not at hand: what a file claims.
pub(crate) fn claimed(srs: &SrsMark) -> Value {
    json!({ "claimed": true, "insecure": srs.insecure, "digest": to_hex(&srs.digest) })
}

/// A line on stdout. It is not an error if the reader has gone away.
pub(crate) fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
