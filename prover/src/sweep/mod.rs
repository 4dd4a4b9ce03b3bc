//! `muster sweep`: what keys, proofs and verifications cost over schemes, degrees and cases.
//!
//! A sweep is planned whole (`plan`): each row gets its circuit's shape, an estimate of its memory
//! and of its time. Then each row runs in a process of its own (`child`, `row`), so that the peak
//! of its memory is its own, and after each row the three files of results are replaced (`store`).

mod args;
mod ask;
mod child;
mod csv;
pub(crate) mod machine;
mod memory;
mod plan;
pub(crate) mod plot;
pub(crate) mod progress;
mod results;
mod row;
mod store;
mod supply;
mod table;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeSet,
    io::{stdout, Write},
};

pub use args::{RowArgs, SweepArgs};
pub(crate) use machine::Machine;
pub use row::run_row;

use self::{
    ask::Ask,
    child::Job,
    plan::{Fit, Planned},
    progress::Progress,
    results::{Row, Status},
    store::Store,
    supply::Supply,
    table::{outcome, table},
};
use crate::Error;

/// Runs a sweep.
///
/// # Errors
///
/// [`Error::File`] if there are results already and neither `--resume` nor `--force` is given, or
/// if a row failed; [`Error::Usage`] for a row that no circuit exists for; [`Error::Io`],
/// [`Error::Params`].
pub fn run(args: SweepArgs, json: bool) -> Result<(), Error> {
    let asks = args.asks()?;
    let (mut store, machine_differs) = Store::open(&args.out, args.existing(), Machine::this())?;
    let repeat = args.repeat as usize;
    let planned = Planned::all(&args, &store.results)?;
    let mut progress =
        Progress::new(planned.len(), planned.iter().map(|row| row.cost(repeat)).sum());
    if machine_differs {
        progress.note("note: the results hold rows of another machine or version; they are kept");
    }
    if args.resume {
        let finished = asks.len() - planned.len();
        progress.note(&format!("{finished} rows are finished, {} are to be run", planned.len()));
    }
    let mut supply = supply(&args, &planned)?;
    for one in planned {
        let name = one.ask.to_string();
        progress.start(&name, one.cost(repeat));
        let row = run_one(&args, &one, &mut supply)?;
        progress.finish(&name, &outcome(&row), row.status == Status::Ok);
        store.results.put(row);
        store.save()?;
    }
    progress.end();
    store.save()?;
    let verdict = verdict(&asks, &store);
    // With --json an error is an object of its own, and there is to be one.
    if verdict.is_ok() || !json {
        report(&store, json)?;
    }
    verdict
}

/// Where the rows take their SRS from.
fn supply(args: &SweepArgs, planned: &[Planned]) -> Result<Supply, Error> {
    let Some(file) = &args.srs else {
        return Ok(Supply::cached());
    };
    let limit = args.memory_limit();
    let runs = |one: &&Planned| one.row(0, limit).status == Status::Failed;
    let degrees: BTreeSet<u32> = planned.iter().filter(runs).filter_map(Planned::degree).collect();
    Supply::imported(file, args.srs_g2.as_deref(), &degrees)
}

/// A row from its plan to its end. What goes wrong in its process is the row's failure, not the
/// sweep's.
fn run_one(args: &SweepArgs, planned: &Planned, supply: &mut Supply) -> Result<Row, Error> {
    let repeat = args.repeat as usize;
    let mut row = planned.row(repeat, args.memory_limit());
    let Fit::Fits(shape, _) = &planned.fit else {
        return Ok(row);
    };
    if row.status == Status::OverMemory {
        return Ok(row);
    }
    let srs = supply.prepare(shape.degree())?;
    let (case, transcript) = (planned.ask.case, args.transcript);
    match (Job { shape, case, repeat, transcript, srs: &srs }).run() {
        Ok(measured) => row.measured(measured),
        Err(reason) => row.reason = Some(reason),
    }
    Ok(row)
}

/// Says on standard output what came of the sweep.
fn report(store: &Store, json: bool) -> Result<(), Error> {
    let text = if json {
        let object = serde_json::to_string(&store.results);
        object.map_err(|error| Error::Usage(error.to_string()))? + "\n"
    } else {
        let paths = store.paths().map(|path| path.display().to_string()).join(", ");
        let machine = store.results.machine.summary();
        format!("{machine}\n\n{}\n{paths}\n", table(&store.results.rows))
    };
    stdout().lock().write_all(text.as_bytes()).map_err(Error::io("standard output"))
}

/// An error if a row that was asked for failed.
fn verdict(asks: &[Ask], store: &Store) -> Result<(), Error> {
    let failed = |row: &&Row| row.status == Status::Failed && asks.contains(&row.ask());
    let failed: Vec<&Row> = store.results.rows.iter().filter(failed).collect();
    match failed.first() {
        None => Ok(()),
        Some(first) => {
            let [_, json, _] = store.paths();
            let (count, ask) = (failed.len(), first.ask());
            let reason = first.reason.as_deref().unwrap_or("unknown reason");
            Err(Error::file(json, format!("failed rows: {count}, the first: {ask}: {reason}")))
        }
    }
}
