//! A sweep whose rows run elsewhere, on the nodes of a cluster or the workers of a farm: what each of them is asked for, and
//! what came of it.

use std::{collections::HashMap, path::Path, process::Output};

use muster_params::SrsCache;
use muster_prover::input;
use serde::{Deserialize, Serialize};

use super::{
    measure::{self, Measurement},
    plan::{plan, Planned},
    process::{measured, read, Supply},
    row::{Measured, Row},
    run, Ask, Sweep,
};
use crate::{Error, Machine, Results, Row as _, Store};

pub use super::{plan::FarRow, process::Asked};

/// The longest record: one has some kilobytes.
pub(super) const LIMIT: u64 = 1 << 20;

/// A sweep, and the directory of its results.
#[derive(Debug)]
pub struct Elsewhere {
    pub(super) asks: Vec<Ask>,
    plan: HashMap<Ask, Planned>,
    pub(super) store: Store<Row>,
}

impl Elsewhere {
    /// The rows that are asked for.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] for a row that no circuit exists for; [`muster_prover::Error::File`] for results
    /// that are there and stay, or are malformed; [`muster_prover::Error::Io`].
    pub fn open(sweep: &Sweep) -> Result<Self, Error> {
        let results = Results::new(Machine::this(), None);
        let mut store = Store::open_kept(&sweep.out, sweep.existing, results)?;
        // The memory of this machine is not that of others.
        let sweep = Sweep { memory: sweep.memory.elsewhere(), ..sweep.clone() };
        let (asks, plan) = (sweep.asks(), plan(&sweep, |_| true)?);
        for (place, ask) in asks.iter().enumerate() {
            if let Planned { row, far: None } = &plan[ask] {
                store.results.put_among(&asks, place, row.clone(), None);
            }
        }
        Ok(Self { asks, plan, store })
    }

    /// All rows that run, or have.
    pub fn rows(&self) -> Vec<FarRow> {
        self.asks.iter().filter_map(|ask| self.plan[ask].far.clone()).collect()
    }

    /// Those of them of which there is no result, or one that says what went wrong.
    pub fn left(&self) -> Vec<FarRow> {
        let left = self.store.results.left(&self.asks).into_iter();
        left.filter_map(|ask| self.plan[ask].far.clone()).collect()
    }

    /// Whether there is a result of a row that is left: it says what went wrong.
    pub(super) fn has_failed(&self, row: &FarRow) -> bool {
        let ask = self.place(row).map(|place| &self.asks[place]);
        ask.is_some_and(|ask| self.store.results.rows.iter().any(|kept| kept.is_of(ask)))
    }

    /// Takes over what came of one of its rows; [`Self::save`] writes it.
    pub fn take(&mut self, row: &FarRow, record: Record) {
        let outcome = record.measured.ok_or(record.failed.unwrap_or_default());
        self.put(row, outcome, Some(record.machine));
    }

    /// Takes over that one of its rows came to nothing, and why.
    pub fn fail(&mut self, row: &FarRow, reason: String) {
        self.put(row, Err(reason), None);
    }

    /// Writes the files of the results, if there are any.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Io`], [`muster_prover::Error::File`].
    pub fn save(&self) -> Result<(), Error> {
        self.store.save_rows()
    }

    /// Says on standard output what came of the sweep.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] if a row failed, [`muster_prover::Error::Io`].
    pub fn report(&self, json: bool) -> Result<(), Error> {
        run::report(&self.store, &self.asks, json)
    }

    fn put(&mut self, row: &FarRow, outcome: Result<Measured, String>, machine: Option<Machine>) {
        let Some(place) = self.place(row) else { return };
        let mut row = self.plan[&self.asks[place]].row.clone();
        row.take(outcome);
        self.store.results.put_among(&self.asks, place, row, machine);
    }

    fn place(&self, row: &FarRow) -> Option<usize> {
        let is_it = |ask| self.plan[ask].far.as_ref().is_some_and(|far| far.name == row.name);
        self.asks.iter().position(is_it)
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
        Self::new(asked, Machine::this().shared_by(1, threads), read(output))
    }

    /// Of a process that ended on this machine, seen by another program: what it printed, or why that is nothing.
    pub fn told(asked: Asked, threads: usize, printed: Result<&[u8], String>) -> Self {
        Self::new(asked, Machine::this().shared_by(1, threads), printed.and_then(measured))
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
            ("repeat", &found.repeat.to_string(), &wanted.repeat.to_string()),
        ];
        for (name, found, wanted) in values {
            if found != wanted {
                let reason = format!("{found}, but the sweep asks for {wanted}");
                return refused(&format!("asked.{name}"), reason);
            }
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

/// Measures a row in the process of whoever calls, so that its peak of memory is that of the process, and prints one JSON
/// object, for [`Record::of`]. A missing SRS is made, an insecure one.
///
/// # Errors
///
/// Those of making keys, proofs and verifications.
pub fn run_row(row: &Measurement) -> Result<(), Error> {
    let mut supply = Supply::cached();
    let dir = supply.prepare(row.srs_degree()?)?;
    measure::run_row(row, &SrsCache::new(&dir))
}
