//! Drops each constraint of the circuits once and reports which ones no forged witness notices.
//!
//! See the README beside the sources for what is dropped and what counts.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;

mod binaries;
mod error;
mod place;
mod report;
mod run;
mod survivors;
mod trial;

use binaries::Test;
use error::Error;
use run::{Limits, Run};
use survivors::Survivors;

/// Drops each place that records a constraint once, and runs the tests that record it until one fails.
#[derive(Debug, Parser)]
struct Options {
    /// Packages whose unit tests are run.
    #[arg(long = "package", default_values = binaries::PACKAGES)]
    packages: Vec<String>,
    /// Tests are built as `cargo test --workspace` builds them: with the features of all crates.
    #[arg(long)]
    workspace: bool,
    /// Places whose name contains this.
    #[arg(long, default_value = "")]
    place: String,
    /// No new place is taken up after so many minutes.
    #[arg(long)]
    minutes: Option<u64>,
    /// Decides the order of places: what is visited in a limited time.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Processes at a time; as many as there are cores if it is not given.
    #[arg(long)]
    jobs: Option<usize>,
    /// The survivors that are known, with their reasons.
    #[arg(long, default_value = "gadgets/golden/survivors.json")]
    survivors: PathBuf,
    /// Where the report is written.
    #[arg(long, default_value = "target/mutants.txt")]
    report: PathBuf,
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
    let survivors = Survivors::read(&options.survivors)?;
    let jobs = options.jobs.unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
    });
    let tests: Vec<Test> = binaries::tests(&options.packages, options.workspace)?;
    eprintln!("{} tests; seed {}", tests.len(), options.seed);
    let limits = Limits {
        jobs,
        time: options.minutes.map(|minutes| Duration::from_secs(60 * minutes)),
        seed: options.seed,
    };
    let run = Run::record(tests, &limits)?;
    let verdicts = run.drop_each(&options.place, &limits)?;
    let is_whole = options.minutes.is_none() && options.place.is_empty();
    report::write(&options.report, &verdicts)?;
    Ok(report::summarize(&verdicts, &survivors, is_whole))
}
