//! A sweep from its arguments to its report.

use super::{args::SweepArgs, row::Row, table::table};
use crate::{
    cli::report::Report,
    sweep::{AtOnce, Store, Task},
    Error,
};

pub(crate) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let asks = args.asks();
    let mut store = Store::<Row>::open(&args.store, Some(args.repeat))?;
    let tasks: Vec<_> = store
        .left(asks.iter().copied())
        .into_iter()
        .map(|ask| Task { name: ask.to_string(), cost: ask.cost(args.repeat), bytes: 0, what: ask })
        .collect();
    store.fill(asks.len(), tasks, AtOnce::ONE, |ask| Row::measure(&ask.asked(args.repeat)))?;
    Ok(Report { text: store.text(&table(&store.results)), json: store.json()? })
}
