//! What is said of a sweep on a cluster: the rows, which of them are left, and how to submit those.

use std::path::PathBuf;

use muster_prover::terminal::print;
use serde_json::json;

use crate::{
    proofs::{
        elsewhere::{Elsewhere, FarRow},
        table::table,
    },
    Error,
};

/// The rows that are left, by their names.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    missing: Vec<String>,
    failed: Vec<String>,
}

impl Gathered {
    /// Adds a row that is left: one that failed, or of which nothing is known.
    pub(super) fn add(&mut self, row: &FarRow, has_failed: bool) {
        let rows = if has_failed { &mut self.failed } else { &mut self.missing };
        rows.push(row.words.clone());
    }
}

/// All that is said.
pub(super) struct Report<'a> {
    pub(super) sweep: &'a Elsewhere,
    pub(super) gathered: Gathered,
    /// What submits the rows that are left.
    pub(super) commands: Vec<String>,
    pub(super) script: PathBuf,
}

impl Report<'_> {
    /// Says it on standard output.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] if a row failed, [`muster_prover::Error::Io`].
    pub(super) fn give(&self, json: bool) -> Result<(), Error> {
        let verdict = self.sweep.verdict();
        let text = match (json, &verdict) {
            (false, _) => self.text(),
            (true, Ok(())) => self.json()?,
            // An error is an object of its own, and there is to be one.
            (true, Err(_)) => return verdict,
        };
        print(text.trim_end())?;
        verdict
    }

    fn json(&self) -> Result<String, Error> {
        let mut object = self.sweep.store.json()?;
        object["slurm"] = json!({
            "missing": self.gathered.missing,
            "failed": self.gathered.failed,
            "script": (!self.commands.is_empty()).then(|| self.script.display().to_string()),
            "commands": self.commands,
        });
        Ok(object.to_string() + "\n")
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let store = &self.sweep.store;
        if !store.results.rows.is_empty() {
            text = store.text(&table(&store.results)) + "\n";
        }
        let Gathered { missing, failed } = &self.gathered;
        for (what, rows) in [("missing (not run yet, or at work)", missing), ("failed", failed)] {
            if !rows.is_empty() {
                text += &format!("{what}: {}\n", rows.join(", "));
            }
        }
        if self.commands.is_empty() {
            return text + "No row is left.\n";
        }
        let commands = self.commands.join("\n  ");
        text + &format!(
            "To run what is left:\n  {commands}\nThen run this command again to gather the rows.\n"
        )
    }
}
