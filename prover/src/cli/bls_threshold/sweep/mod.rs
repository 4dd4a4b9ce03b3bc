//! `muster bls-threshold sweep`: the time of an aggregation over thresholds, naive and fast.

mod args;
mod measure;
mod plot;
mod results;
mod store;
mod table;

use serde_json::json;

pub(super) use self::args::SweepArgs;
use self::{
    measure::Measure,
    results::{Ask, Row},
    store::Store,
};
use crate::{
    cli::Report,
    sweep::{machine::Machine, progress::Progress},
    Error,
};

pub(super) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build();
    let pool = pool.map_err(|error| Error::Usage(format!("--threads: {error}")))?;
    let (mut store, machine_differs) = Store::open(&args.out, args.existing(), Machine::this())?;
    let asks = args.asks();
    let left: Vec<&Ask> = asks.iter().filter(|ask| store.results.row(ask).is_none()).collect();
    let planned = left.iter().map(|ask| ask.cost(args.naive_limit)).sum();
    let mut progress = Progress::new(left.len(), planned);
    if machine_differs {
        progress.note("note: the results hold rows of another machine or version; they are kept");
    }
    if args.resume {
        let finished = asks.len() - left.len();
        progress.note(&format!("{finished} rows are finished, {} are to be run", left.len()));
    }
    for ask in left {
        let name = ask.to_string();
        progress.start(&name, ask.cost(args.naive_limit));
        let measure = Measure { ask, repeat: args.repeat, naive_limit: args.naive_limit };
        let row: Row = pool.install(|| ask.suite.with(measure))?;
        progress.finish(&name, &table::outcome(&row), true);
        store.results.put(row);
        store.save()?;
    }
    progress.end();
    store.save()?;
    let rows = &store.results.rows;
    let paths: Vec<String> = store.paths().iter().map(|path| path.display().to_string()).collect();
    let machine = store.results.machine.summary();
    let text = format!("{machine}\n\n{}\n{}", table::table(rows), paths.join(", "));
    let json = serde_json::to_value(&store.results).unwrap_or_else(|_| json!({}));
    Ok(Report { text, json })
}
