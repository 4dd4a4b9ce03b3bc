//! A sweep from its plan to its report.

use std::{collections::BTreeSet, sync::Mutex};

use muster_prover::terminal::print;

use super::{
    child::Job,
    measure::Measurement,
    plan::{Fit, Planned},
    row::{Row, Status},
    supply::Supply,
    sweep::Sweep,
    table::table,
    verdict::verdict,
};
use crate::{AtOnce, Error, Machine, Results, Store, Task};

/// Runs a sweep.
///
/// # Errors
///
/// [`muster_prover::Error::File`] if there are results already and neither `--resume` nor `--force` is given, or
/// if a row failed; [`muster_prover::Error::Usage`] for a row that no circuit exists for; [`muster_prover::Error::Io`],
/// [`muster_prover::Error::Params`].
pub fn run(sweep: &Sweep, json: bool) -> Result<(), Error> {
    let asks = sweep.asks();
    let machine = Machine::this().shared_by(sweep.jobs, sweep.threads());
    let results = Results::new(machine, None);
    let mut store = Store::open_on(&sweep.out, sweep.existing, results)?;
    let left = sweep.rows.iter().filter(|(ask, _)| store.results.finished(ask).is_none());
    let planned = Planned::all(left, sweep.kind)?;
    let supply = Mutex::new(supply(sweep, &planned)?);
    let tasks = planned.into_iter().map(|planned| task(sweep, planned)).collect();
    let at_once = AtOnce { rows: sweep.jobs, bytes: sweep.memory.limit() };
    store.fill(asks.len(), tasks, at_once, |planned| run_one(sweep, planned, &supply))?;
    report(&store, verdict(&asks, &store), json)
}

/// A row as a part of the sweep. What is not going to run takes no memory.
fn task(sweep: &Sweep, what: Planned) -> Task<Planned> {
    let repeat = sweep.repeat;
    let row = what.row(repeat, sweep.memory);
    let runs = row.status == Status::Failed;
    let bytes = row.estimate_bytes.filter(|_| runs).unwrap_or_default();
    Task { name: what.ask.to_string(), cost: what.cost(repeat), bytes, what }
}

/// Where the rows take their SRS from.
fn supply(sweep: &Sweep, planned: &[Planned]) -> Result<Supply, Error> {
    let Some(file) = &sweep.srs else {
        return Ok(Supply::cached());
    };
    let repeat = sweep.repeat;
    let runs = |one: &&Planned| one.row(repeat, sweep.memory).status == Status::Failed;
    let degrees: BTreeSet<u32> = planned.iter().filter(runs).filter_map(Planned::degree).collect();
    Supply::imported(file, sweep.srs_g2.as_deref(), &degrees)
}

/// A row from its plan to its end. What goes wrong in its process is the row's failure, not the
/// sweep's.
fn run_one(sweep: &Sweep, planned: &Planned, supply: &Mutex<Supply>) -> Result<Row, Error> {
    let repeat = sweep.repeat;
    let mut row = planned.row(repeat, sweep.memory);
    let Fit::Fits(shape, _) = &planned.fit else {
        return Ok(row);
    };
    if row.status == Status::OverMemory {
        return Ok(row);
    }
    // One at a time: rows of the same degree have the same SRS.
    let srs = supply.lock().expect("nobody panics who holds it").prepare(shape.degree())?;
    let measurement = Measurement {
        shape: (**shape).clone(),
        case: planned.ask.case,
        repeat,
        kind: sweep.kind,
        memory: planned.memory(repeat, sweep.memory),
    };
    match (Job { row: &measurement, threads: sweep.threads(), srs: &srs }).run() {
        Ok(measured) => row.measured(measured),
        Err(reason) => row.reason = Some(reason),
    }
    Ok(row)
}

/// Says on standard output what came of the sweep, and gives its verdict.
pub(super) fn report(
    store: &Store<Row>,
    verdict: Result<(), Error>,
    json: bool,
) -> Result<(), Error> {
    // With --json an error is an object of its own, and there is to be one.
    if json && verdict.is_err() {
        return verdict;
    }
    let text = if json {
        let object = serde_json::to_string(&store.results);
        object.map_err(|error| Error::usage(error.to_string()))? + "\n"
    } else {
        store.text(&table(&store.results))
    };
    print(text.trim_end())?;
    verdict
}
