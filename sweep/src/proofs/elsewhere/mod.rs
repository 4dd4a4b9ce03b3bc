//! A sweep whose rows run elsewhere, on the nodes of a cluster or the workers of a farm: what each of them is asked for, and
//! what came of it.

mod record;
mod row;

use std::collections::HashMap;

use super::{
    ask::Ask,
    plan::{Fit, Planned},
    row::{Row, Status},
    run,
    sweep::Sweep,
    verdict::verdict,
};
use crate::{memory_name, Error, Machine, Results, Row as _, Store};

pub(super) use record::LIMIT;
pub use record::{Asked, Record};
pub use row::run as run_row;

/// A sweep, and the directory of its results.
#[derive(Debug)]
pub struct Elsewhere {
    asks: Vec<Ask>,
    pub(super) store: Store<Row>,
    tasks: Vec<Task>,
}

/// A row that runs elsewhere.
#[derive(Clone, Debug)]
pub struct FarRow {
    /// Its name, for files: letters, digits and hyphens.
    pub name: String,
    /// What it is, in words.
    pub words: String,
    /// What its process is asked for.
    pub asked: Asked,
    /// Estimate of its memory, in bytes.
    pub bytes: u64,
    /// Estimate of its time with two threads, in seconds.
    pub seconds: f64,
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
        let store = Store::open_kept(&sweep.out, sweep.existing, results)?;
        let planned = Planned::all(&sweep.rows, sweep.kind)?.into_iter();
        let tasks = planned.map(|planned| Task::new(sweep, planned));
        let tasks = tasks.collect::<Result<Vec<Task>, Error>>()?;
        let mut found = Self { asks: sweep.asks(), store, tasks };
        for place in 0..found.tasks.len() {
            let task = &found.tasks[place];
            if task.far.is_none() {
                let row = task.row.clone();
                found.put(place, row, None);
            }
        }
        Ok(found)
    }

    /// All rows that run, or have.
    pub fn rows(&self) -> Vec<FarRow> {
        self.tasks.iter().filter_map(|task| task.far.clone()).collect()
    }

    /// Those of them of which there is no result, or one that says what went wrong.
    pub fn left(&self) -> Vec<FarRow> {
        let is_left = |task: &&Task| self.store.results.finished(&task.ask).is_none();
        self.tasks.iter().filter(is_left).filter_map(|task| task.far.clone()).collect()
    }

    /// Whether there is a result of a row that says what went wrong.
    pub(super) fn has_failed(&self, row: &FarRow) -> bool {
        let rows = &self.store.results.rows;
        let failed = |task: &Task| rows.iter().any(|kept| kept.ask() == task.ask);
        let is_left = |task: &Task| self.store.results.finished(&task.ask).is_none();
        self.task(row).is_some_and(|(_, task)| is_left(task) && failed(task))
    }

    /// Takes over what came of one of its rows; [`Self::save`] writes it.
    pub fn take(&mut self, row: &FarRow, record: Record) {
        let Some((place, task)) = self.task(row) else { return };
        let mut row = task.row.clone();
        match (record.measured, record.failed) {
            (Some(measured), _) => row.measured(measured),
            (None, failed) => row.reason = failed,
        }
        self.put(place, row, Some(record.machine));
    }

    /// Takes over that one of its rows came to nothing, and why.
    pub fn fail(&mut self, row: &FarRow, reason: String) {
        let Some((place, task)) = self.task(row) else { return };
        let row = Row { reason: Some(reason), ..task.row.clone() };
        self.put(place, row, None);
    }

    /// Writes the files of the results, if there are any.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Io`], [`muster_prover::Error::File`].
    pub fn save(&self) -> Result<(), Error> {
        if self.store.results.rows.is_empty() {
            return Ok(());
        }
        self.store.save()
    }

    /// Says on standard output what came of the sweep.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] if a row failed, [`muster_prover::Error::Io`].
    pub fn report(&self, json: bool) -> Result<(), Error> {
        run::report(&self.store, self.verdict(), json)
    }

    /// An error if a row failed.
    pub(super) fn verdict(&self) -> Result<(), Error> {
        verdict(&self.asks, &self.store)
    }

    fn task(&self, row: &FarRow) -> Option<(usize, &Task)> {
        let is_it = |task: &Task| task.far.as_ref().is_some_and(|far| far.name == row.name);
        self.tasks.iter().enumerate().find(|(_, task)| is_it(task))
    }

    /// Puts a row where it stands among those that are asked for, whichever come first.
    fn put(&mut self, place: usize, row: Row, machine: Option<Machine>) {
        let places: HashMap<&Ask, usize> = self.asks.iter().zip(0..).collect();
        let is_later = |row: &Row| places.get(&row.ask()).is_some_and(|other| *other > place);
        match machine {
            Some(machine) => self.store.results.put_from(machine, row, is_later),
            None => self.store.results.put_before(row, is_later),
        }
    }
}

/// A row that is asked for.
#[derive(Debug)]
struct Task {
    ask: Ask,
    /// The row as it is known before it runs.
    row: Row,
    /// What runs elsewhere, if it does.
    far: Option<FarRow>,
}

impl Task {
    fn new(sweep: &Sweep, planned: Planned) -> Result<Self, Error> {
        // The memory of this machine is not that of others.
        let (repeat, kept) = (sweep.repeat, sweep.memory.elsewhere());
        let row = planned.row(repeat, kept);
        let words = planned.ask.to_string();
        let far = match &planned.fit {
            Fit::Fits(shape, _) if row.status == Status::Failed => Some(FarRow {
                name: words.replace(|c: char| !c.is_ascii_alphanumeric(), "-"),
                words,
                asked: Asked {
                    shape: serde_json::to_value(shape)
                        .map_err(|error| Error::usage(format!("the shape: {error}")))?,
                    case: planned.ask.case.to_string(),
                    repeat,
                    kind: sweep.kind.name().to_owned(),
                    memory: memory_name(planned.memory(repeat, kept)).to_owned(),
                },
                bytes: row.estimate_bytes.unwrap_or_default(),
                seconds: planned.cost(repeat),
            }),
            _ => None,
        };
        Ok(Self { ask: planned.ask, row, far })
    }
}
