//! What a command has to say.

use muster_prover::{
    encoding::to_hex,
    files::SrsMark,
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
    ///
    /// # Errors
    ///
    /// Those of [`print`].
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

/// What is said of an SRS that is not at hand: what a file claims.
pub(crate) fn claimed(srs: &SrsMark) -> Value {
    json!({ "claimed": true, "insecure": srs.insecure, "digest": to_hex(&srs.digest) })
}
