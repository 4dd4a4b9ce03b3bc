//! A sweep from its arguments to its report.

use super::{args::SweepArgs, measure::Measure, row::Row, table::table};
use crate::{
    cli::report::Report,
    sweep::{AtOnce, Store, Task},
    Error,
};

pub(crate) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build();
    let pool = pool.map_err(|error| Error::Usage(format!("--threads: {error}")))?;
    let mut store = Store::<Row>::open(&args.store, None)?;
    let asks = args.asks();
    let tasks: Vec<_> = store
        .left(asks.iter().copied())
        .into_iter()
        .map(|ask| Task {
            name: ask.to_string(),
            cost: ask.cost(args.naive_limit),
            bytes: 0,
            what: ask,
        })
        .collect();
    store.fill(asks.len(), tasks, AtOnce::ONE, |ask| {
        let measure = Measure { ask, repeat: args.repeat, naive_limit: args.naive_limit };
        pool.install(|| ask.suite.with(measure))
    })?;
    Ok(Report { text: store.text(&table(&store.results)), json: store.json()? })
}
