//! A sweep from its plan to its report.

use std::{collections::BTreeSet, sync::Mutex};

use super::{
    args::SweepArgs,
    child::Job,
    plan::{Fit, Planned},
    row::{Row, Status},
    supply::Supply,
    table::table,
    verdict::verdict,
};
use crate::{
    sweep::{AtOnce, Machine, Results, Store, Task},
    terminal::print,
    Error,
};

/// Runs a sweep.
///
/// # Errors
///
/// [`Error::File`] if there are results already and neither `--resume` nor `--force` is given, or
/// if a row failed; [`Error::Usage`] for a row that no circuit exists for; [`Error::Io`],
/// [`Error::Params`].
pub(crate) fn run(args: &SweepArgs, json: bool) -> Result<(), Error> {
    let asks = args.asks()?;
    let machine = Machine::this().shared_by(args.jobs(), args.threads());
    let results = Results::new(machine, None);
    let mut store = Store::open_on(&args.store.out, args.store.existing(), results)?;
    let planned = Planned::all(args, store.left(asks.iter().cloned()))?;
    let supply = Mutex::new(supply(args, &planned)?);
    let tasks = planned.into_iter().map(|planned| task(args, planned)).collect();
    let at_once = AtOnce { rows: args.jobs(), bytes: args.memory.limit() };
    store.fill(asks.len(), tasks, at_once, |planned| run_one(args, planned, &supply))?;
    report(&store, verdict(&asks, &store), json)
}

/// A row as a part of the sweep. What is not going to run takes no memory.
fn task(args: &SweepArgs, what: Planned) -> Task<Planned> {
    let repeat = args.repeat as usize;
    let row = what.row(repeat, args.memory);
    let runs = row.status == Status::Failed;
    let bytes = row.estimate_bytes.filter(|_| runs).unwrap_or_default();
    Task { name: what.ask.to_string(), cost: what.cost(repeat), bytes, what }
}

/// Where the rows take their SRS from.
fn supply(args: &SweepArgs, planned: &[Planned]) -> Result<Supply, Error> {
    let Some(file) = &args.srs else {
        return Ok(Supply::cached());
    };
    let repeat = args.repeat as usize;
    let runs = |one: &&Planned| one.row(repeat, args.memory).status == Status::Failed;
    let degrees: BTreeSet<u32> = planned.iter().filter(runs).filter_map(Planned::degree).collect();
    Supply::imported(file, args.srs_g2.as_deref(), &degrees)
}

/// A row from its plan to its end. What goes wrong in its process is the row's failure, not the
/// sweep's.
fn run_one(args: &SweepArgs, planned: &Planned, supply: &Mutex<Supply>) -> Result<Row, Error> {
    let repeat = args.repeat as usize;
    let mut row = planned.row(repeat, args.memory);
    let Fit::Fits(shape, _) = &planned.fit else {
        return Ok(row);
    };
    if row.status == Status::OverMemory {
        return Ok(row);
    }
    // One at a time: rows of the same degree have the same SRS.
    let srs = supply.lock().expect("nobody panics who holds it").prepare(shape.degree())?;
    let (case, transcript) = (planned.ask.case, args.transcript);
    let memory = planned.memory(repeat, args.memory);
    let threads = args.threads();
    match (Job { shape, case, repeat, transcript, memory, threads, srs: &srs }).run() {
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
        object.map_err(|error| Error::Usage(error.to_string()))? + "\n"
    } else {
        store.text(&table(&store.results))
    };
    print(text.trim_end())?;
    verdict
}
