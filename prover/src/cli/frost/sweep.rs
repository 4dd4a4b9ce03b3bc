//! `muster frost sweep`.

use std::{fmt::Write as _, io::Write as _, path::PathBuf};

use muster_threshold::frost::{ceremony::Times, SuiteName};
use serde::Serialize;
use serde_json::json;

use super::Report;
use crate::{output::Output, progress::Progress, sample::Quorum, sweep::Machine, Error};

const CSV_FILE: &str = "frost.csv";
const JSON_FILE: &str = "frost.json";
/// Fewest times that a median is taken of.
const LEAST_REPEAT: u64 = 3;
/// The columns: the fields of a [`Row`].
const COLUMNS: &str = "suite,threshold,signers,keygen_ms,round1_ms,round2_ms,\
aggregate_frost_core_ms,aggregate_ms,aggregate_encoding_ms,cheater_frost_core_ms,\
cheater_one_by_one_ms,cheater_ms";

/// Measure key generation, both rounds, the aggregation and the search for a cheater: a table, CSV and
/// JSON.
///
/// Everything runs on one thread. Aggregations and searches are frost-core's and ours in turn.
#[derive(Debug, clap::Args)]
pub(super) struct SweepArgs {
    /// Suite; may be given several times. Without it all.
    #[arg(long = "suite", value_name = "S", num_args = 1..)]
    suites: Vec<SuiteName>,
    /// How many sign of how many members, for example 2/3; may be given several times.
    #[arg(long = "case", value_name = "T/N", num_args = 1..,
          default_values = ["2/3", "7/10", "67/100", "667/1000"])]
    cases: Vec<Quorum>,
    /// Times a step is taken at least, of which the median is: 3 or more.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u64).range(LEAST_REPEAT..=1000))]
    repeat: u64,
    /// Directory for the results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace the results in DIR.
    #[arg(long)]
    force: bool,
}

/// Times of a case.
#[derive(Clone, Debug, Serialize)]
struct Row {
    suite: &'static str,
    threshold: u16,
    signers: u16,
    #[serde(flatten)]
    times: Times,
}

fn measure(suite: SuiteName, case: Quorum, repeat: usize) -> Result<Row, Error> {
    let (threshold, signers) = (case.threshold(), case.members());
    let times = suite.ceremony().measure(threshold, signers, repeat)?;
    Ok(Row { suite: suite.as_str(), threshold, signers, times })
}

pub(super) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let mut output = Output::new(&args.out, &[CSV_FILE, JSON_FILE], args.force)?;
    let suites = match args.suites.is_empty() {
        true => &SuiteName::ALL[..],
        false => &args.suites,
    };
    let (progress, machine) = (Progress::new(), Machine::this());
    let mut rows = vec![];
    for suite in suites {
        for case in &args.cases {
            let what = format!("{suite} {case}");
            let row = progress.run(&what, || measure(*suite, *case, args.repeat as usize));
            rows.push(row?);
        }
    }
    let json = json!({ "machine": machine, "repeat": args.repeat, "rows": rows });
    output.write(CSV_FILE, |file| file.write_all(csv(&machine, &rows).as_bytes()))?;
    output.write(JSON_FILE, |file| Ok(serde_json::to_writer_pretty(file, &json)?))?;
    output.commit()?;
    Ok(Report { text: format!("{}\n{}", machine.summary(), table(&rows)), json })
}

fn csv(machine: &Machine, rows: &[Row]) -> String {
    let mut text = String::new();
    machine.lines().iter().for_each(|line| text.extend(["# ", line, "\n"]));
    text.extend([COLUMNS, "\n"]);
    for row in rows {
        let times = times(row).map(|time| format!("{time:.4}")).join(",");
        let _ = writeln!(text, "{},{},{},{times}", row.suite, row.threshold, row.signers);
    }
    text
}

fn times(Row { times, .. }: &Row) -> [f64; 9] {
    [
        times.keygen_ms,
        times.round1_ms,
        times.round2_ms,
        times.aggregate_frost_core_ms,
        times.aggregate_ms,
        times.aggregate_encoding_ms,
        times.cheater_frost_core_ms,
        times.cheater_one_by_one_ms,
        times.cheater_ms,
    ]
}

/// The table, in milliseconds.
fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| suite | group | keygen | round 1 | round 2 | aggregate: frost-core | ours | encoding too \
         | ratio | one cheater: frost-core | one by one | ours |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let cells = times(row).map(|time| match time {
            time if time < 1.0 => format!("{time:.3}"),
            time if time < 100.0 => format!("{time:.2}"),
            time => format!("{time:.0}"),
        });
        let [keygen, round1, round2, theirs, ours, encoding, cheater, single, found] = cells;
        let ratio = row.times.aggregate_frost_core_ms / row.times.aggregate_ms;
        let _ = writeln!(
            text,
            "| {} | {}/{} | {keygen} | {round1} | {round2} | {theirs} | {ours} | {encoding} \
             | {ratio:.1}× | {cheater} | {single} | {found} |",
            row.suite, row.threshold, row.signers
        );
    }
    text + "milliseconds, medians, one thread\n"
}
