//! What is left of a row that ran elsewhere: what was asked for, what was measured, and the machine.

use std::{path::Path, process::Output};

use muster_prover::input;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    proofs::{child, row::Measured},
    Error, Machine,
};

/// The longest record: one has some kilobytes.
pub(crate) const LIMIT: u64 = 1 << 20;

/// What a row's process is asked for, as its arguments say it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The circuit.
    pub shape: Value,
    /// How many sign, of how many.
    pub case: String,
    /// Number of proofs.
    pub repeat: usize,
    /// Format of the proofs.
    pub kind: String,
    /// What is kept between the proofs.
    pub memory: String,
}

impl Asked {
    /// The same as arguments.
    pub fn args(&self) -> [String; 10] {
        let Self { shape, case, repeat, kind, memory } = self;
        let pairs = [
            ("--case", case.clone()),
            ("--repeat", repeat.to_string()),
            ("--kind", kind.clone()),
            ("--memory", memory.clone()),
            ("--shape", shape.to_string()),
        ];
        let words: Vec<String> =
            pairs.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect();
        words.try_into().expect("two for each of five")
    }
}

/// What came of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What was asked for.
    asked: Asked,
    /// Where it ran.
    pub(super) machine: Machine,
    /// What was measured, if all went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured: Option<Measured>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<String>,
}

impl Record {
    /// Of a process that ended on this machine and computed with so many threads.
    pub fn of(asked: Asked, threads: usize, output: &Output) -> Self {
        Self::new(asked, Machine::this().shared_by(1, threads), child::read(output))
    }

    pub(crate) fn new(asked: Asked, machine: Machine, outcome: Result<Measured, String>) -> Self {
        let (measured, failed) = match outcome {
            Ok(measured) => (Some(measured), None),
            Err(reason) => (None, Some(reason)),
        };
        Self { asked, machine, measured, failed }
    }

    /// What went wrong, if something did.
    pub fn failure(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// The record of a row that is `asked` for, from its bytes; `path` is what errors call them.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] and [`muster_prover::Error::Field`] for one that is malformed, or of another row.
    pub fn parse(path: &Path, bytes: &[u8], asked: &Asked) -> Result<Self, Error> {
        let record: Self = input::parse(path, bytes)?;
        record.check(path, asked)?;
        Ok(record)
    }

    fn check(&self, path: &Path, asked: &Asked) -> Result<(), Error> {
        let refused = |at: &str, reason: String| Err(Error::field(path, at, reason));
        let (found, wanted) = (&self.asked, asked);
        let values = [
            ("case", &found.case, &wanted.case),
            ("kind", &found.kind, &wanted.kind),
            ("memory", &found.memory, &wanted.memory),
        ];
        for (name, found, wanted) in values {
            if found != wanted {
                let reason = format!("{found}, but the sweep asks for {wanted}");
                return refused(&format!("asked.{name}"), reason);
            }
        }
        if found.repeat != wanted.repeat {
            let reason = format!("{}, but the sweep asks for {}", found.repeat, wanted.repeat);
            return refused("asked.repeat", reason);
        }
        if found.shape != wanted.shape {
            return refused("asked.shape", "not the circuit of the sweep".to_owned());
        }
        match (&self.measured, &self.failed) {
            (Some(measured), None) => check_times(path, measured),
            (None, Some(_)) => Ok(()),
            (None, None) => refused("measured", "missing, and so is `failed`".to_owned()),
            (Some(_), Some(_)) => refused("failed", "it is measured, too".to_owned()),
        }
    }
}

/// Times are positive: whatever is drawn and divided later.
fn check_times(path: &Path, measured: &Measured) -> Result<(), Error> {
    let times = [
        ("keygen_s", measured.keygen_s),
        ("prove_s", measured.prove_s),
        ("verify_s", measured.verify_s),
    ];
    match times.iter().find(|(_, seconds)| *seconds <= 0.0 || !seconds.is_finite()) {
        Some((name, seconds)) => Err(Error::field(
            path,
            format!("measured.{name}"),
            format!("{seconds} is not a valid time"),
        )),
        None => Ok(()),
    }
}
