//! A sweep from its arguments to its report.

use muster_threshold::pvss::dlog::{Search, Table};

use super::{args::SweepArgs, measure::Ask, row::Row};
use crate::{
    cli::report::Report,
    sweep::{AtOnce, Store, Task},
    Error,
};

pub(crate) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let asks = args.asks()?;
    let mut store = Store::<Row>::open(&args.store, None)?;
    let table = Table::new(args.table_bits);
    let search = Search::new(table.map_err(|found| Error::Usage(found.to_string()))?);
    let left = asks.iter().filter(|ask| store.results.finished(&ask.key()).is_none());
    let task = |ask: &Ask| {
        let (name, cost) = (ask.key().to_string(), ask.cost(args.repeat, args.batch));
        Task { what: ask.clone(), name, cost, bytes: 0 }
    };
    let tasks: Vec<_> = left.map(task).collect();
    store.fill(asks.len(), tasks, AtOnce::ONE, |ask| {
        ask.measure(&search, args.repeat, args.batch)
    })?;
    Ok(Report { text: store.text(&store.rows()?), json: store.json()? })
}
