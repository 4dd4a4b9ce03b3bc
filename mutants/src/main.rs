//! Drops each constraint of the circuits once and reports which ones no forged witness notices.
//!
//! See the README beside the sources for what is dropped and what counts.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
    time::Duration,
};

use clap::Parser;

mod binaries;
mod error;
mod hints;
mod parallel;
mod parts;
mod place;
mod record;
mod report;
mod search;
mod survivors;
mod trial;

use error::Error;
use hints::Hints;
use place::{Place, Sources};
use record::Record;
use search::{Limits, Verdict};
use survivors::Survivors;

/// Drops each place that records a constraint, and asks the tests that record it which of them notices.
#[derive(Debug, Parser)]
struct Options {
    /// Packages whose unit tests to run.
    #[arg(long = "package", default_values = binaries::PACKAGES)]
    packages: Vec<String>,
    /// Only places whose name contains this.
    #[arg(long, default_value = "")]
    place: String,
    /// Only one test in so many; `--seed` says which.
    #[arg(long, value_name = "TESTS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    one_in: u64,
    /// Ask no more tests after this many minutes, and leave out slow ones.
    #[arg(long)]
    minutes: Option<u64>,
    /// Only this many places, without known survivors.
    #[arg(long)]
    sample: Option<usize>,
    /// Drop so many of the places that tests showed to notice without a run, to see whether they do.
    #[arg(long, value_name = "PLACES", default_value_t = 20)]
    confirm: usize,
    /// Decides which places and tests are in the samples.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Processes at a time (default: as many as there are cores).
    #[arg(long)]
    jobs: Option<usize>,
    /// Continue from the report of an earlier run on the same sources: whatever was noticed then is
    /// not dropped again.
    #[arg(long)]
    resume: bool,
    /// File with the test that noticed each place in an earlier run, which is asked first. A whole run writes it anew.
    #[arg(long, default_value = "gadgets/golden/noticed.json")]
    hints: PathBuf,
    /// Only write the hints that this report of a run on the same sources gives.
    #[arg(long, value_name = "REPORT")]
    keep: Option<PathBuf>,
    /// Print survivors, but do not fail the run because of them.
    #[arg(long)]
    advisory: bool,
    /// File with the known survivors and their reasons.
    #[arg(long, default_value = "gadgets/golden/survivors.json")]
    survivors: PathBuf,
    /// File for the report.
    #[arg(long, default_value = "target/mutants.txt")]
    report: PathBuf,
}

impl Options {
    /// Whether all places are dropped, for all tests.
    fn is_whole(&self) -> bool {
        let has_all =
            binaries::PACKAGES.iter().all(|all| self.packages.iter().any(|one| one == all));
        let has_sample = self.minutes.is_some() || self.sample.is_some() || self.one_in > 1;
        has_all && !has_sample && self.place.is_empty()
    }
}

fn main() -> ExitCode {
    match go(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all survivors are known.
fn go(options: &Options) -> Result<bool, Error> {
    let hints = Hints::read(&options.hints)?;
    if let Some(report) = &options.keep {
        return keep(report, &hints, &options.hints).map(|()| true);
    }
    let survivors = Survivors::read(&options.survivors)?;
    let jobs = options.jobs.unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
    });
    let mut tests = binaries::tests(&options.packages, options.minutes.is_none())?;
    tests.retain(|test| search::rank(options.seed, &test.title()).is_multiple_of(options.one_in));
    let limits = Limits {
        jobs,
        time: options.minutes.map(|minutes| Duration::from_secs(60 * minutes)),
        sample: options.sample,
        confirmed: options.confirm,
        seed: options.seed,
    };
    let mut record = Record::make(tests, jobs, limits.time.is_some())?;
    record.is_whole &= options.one_in == 1;
    let (tests, places, time) = (record.tests.len(), record.places.len(), record.time());
    let showed = record.showed().len();
    eprintln!("{places} places, of which {showed} were noticed as they are; {tests} tests, which take {time:.0?}");
    let sources = Sources::read(record.places.iter());
    let counts = |place: &Place| {
        let is_left_out = limits.sample.is_some() && survivors.find(place, &sources).is_some();
        let noticed = hints.of(place, &sources);
        let is_for_others = options.one_in > 1 && !noticed.is_empty();
        let is_asked = !is_for_others || noticed.iter().any(|title| record.named(title).is_some());
        place.key().contains(&options.place) && !is_left_out && is_asked
    };
    let known = if options.resume { report::read(&options.report)? } else { vec![] };
    let writes = Mutex::new(());
    let progress = |verdicts: &[Verdict]| {
        let _one_at_a_time = writes.lock().expect("no thread panics while it writes");
        save(options, verdicts, &hints, &sources)
    };
    let first = |place: &Place| hints.of(place, &sources);
    let (is_believed, verdicts) =
        search::drop_each(&record, counts, &known, first, &limits, &progress)?;
    progress(&verdicts)?;
    let is_good = report::summarize(&verdicts, &survivors, &sources, options.is_whole());
    Ok((is_good && is_believed) || options.advisory)
}

/// Writes what is known by now: the report, and the hints that a whole run leaves.
fn save(
    options: &Options,
    verdicts: &[Verdict],
    hints: &Hints,
    sources: &Sources,
) -> Result<(), Error> {
    report::write(&options.report, verdicts, sources)?;
    if options.is_whole() {
        hints.after(verdicts, sources).write(&options.hints)?;
    }
    Ok(())
}

/// Writes the hints of a report.
fn keep(report: &Path, known: &Hints, path: &Path) -> Result<(), Error> {
    let verdicts = report::read(report)?;
    let sources = Sources::read(verdicts.iter().map(|verdict| &verdict.place));
    let hints = known.after(&verdicts, &sources);
    println!("{} places have a hint", hints.count());
    hints.write(path)
}

#[cfg(test)]
mod tests;
