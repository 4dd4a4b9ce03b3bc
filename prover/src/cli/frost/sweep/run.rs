//! A sweep from its arguments to its report.

use super::{
    args::SweepArgs,
    row::{Ask, Row},
    table::table,
};
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
    store.fill(asks.len(), tasks, AtOnce::ONE, |ask| measure(ask, args.repeat as usize))?;
    Ok(Report { text: store.text(&table(&store.results)), json: store.json()? })
}

fn measure(&Ask { suite, threshold, signers }: &Ask, repeat: usize) -> Result<Row, Error> {
    let times = suite.ceremony().measure(threshold, signers, repeat)?;
    Ok(Row { suite, threshold, signers, times })
}
