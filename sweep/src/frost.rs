//! Rows of `muster frost sweep`: the time of each step over suites and sizes.

use std::fmt;

use muster_threshold::frost::{ceremony::Times, SuiteName};
use serde::{Deserialize, Serialize};

use crate::{
    plot::{names, power, Panel, Plot, UNMEASURED},
    Error, PlotOf, Results,
};

/// The most runs of a step.
const MOST_RUNS: u64 = 1_000;

/// What a row is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The suite.
    pub suite: SuiteName,
    /// How many sign.
    pub threshold: u16,
    /// Of how many.
    pub signers: u16,
    /// Runs of a step, the same for all rows of a sweep.
    pub repeat: u64,
}

impl Case {
    /// Checks what takes no time.
    ///
    /// # Errors
    ///
    /// What is wrong, with the field.
    pub fn check(&self) -> Result<(), String> {
        if !(2..=self.signers).contains(&self.threshold) {
            return Err(format!("threshold: {} of {} signers", self.threshold, self.signers));
        }
        if !(1..=MOST_RUNS).contains(&self.repeat) {
            return Err(format!("repeat: {}, but 1 to {MOST_RUNS} are possible", self.repeat));
        }
        Ok(())
    }
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}/{}", self.suite, self.threshold, self.signers)
    }
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(crate) suite: SuiteName,
    pub(crate) threshold: u16,
    pub(crate) signers: u16,
    #[serde(flatten)]
    pub(crate) times: Times,
}

impl crate::Row for Row {
    const FILES: &'static str = "frost";
    const COLUMNS: &'static str = "suite,threshold,signers,keygen_ms,round1_ms,round2_ms,\
        aggregate_frost_core_ms,aggregate_ms,aggregate_encoding_ms,\
        cheater_frost_core_ms,cheater_one_by_one_ms,cheater_ms";
    const PLOTS: &'static [PlotOf<Self>] = &[("svg", plot)];
    type Case = Case;
    type Settings = ();

    fn is_of(&self, case: &Case) -> bool {
        (self.suite, self.threshold, self.signers) == (case.suite, case.threshold, case.signers)
    }

    /// All but little of them go into the searches for a cheater, a step a signer.
    fn seconds(case: &Case, _: &()) -> f64 {
        0.1 + 2e-4 * (case.repeat as f64 + 1.0) * f64::from(case.threshold)
            + 1e-3 * f64::from(case.signers)
    }

    fn measure(case: &Case, _: &()) -> Result<Self, Error> {
        let &Case { suite, threshold, signers, repeat } = case;
        let times = suite.ceremony().measure(threshold, signers, repeat as usize)?;
        Ok(Self { suite, threshold, signers, times })
    }

    fn outcome(&self) -> String {
        let [keygen, _, _, theirs, ours, ..] = cells(self);
        format!("key generation {keygen} ms, aggregation {ours} ms, frost-core's {theirs} ms")
    }

    /// In milliseconds.
    fn table(results: &Results<Self>) -> Result<String, serde_json::Error> {
        let mut text = String::from(
            "| suite | group | keygen | round 1 | round 2 | aggregate: frost-core | ours | encoding too \
             | ratio | one cheater: frost-core | one by one | ours |\n\
             |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for row in &results.rows {
            let times = cells(row);
            let ratio = row.times.aggregate_frost_core_ms / row.times.aggregate_ms;
            text += &format!(
                "| {}{} | {}/{} | {} | {ratio:.1}× | {} |\n",
                row.suite,
                results.mark(row),
                row.threshold,
                row.signers,
                times[..6].join(" | "),
                times[6..].join(" | ")
            );
        }
        Ok(text + "milliseconds, medians, one thread\n")
    }
}

/// A row's times in milliseconds, in the order of the columns.
fn cells(Row { times, .. }: &Row) -> [String; 9] {
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
    .map(|time| match time {
        time if time < 1.0 => format!("{time:.3}"),
        time if time < 100.0 => format!("{time:.2}"),
        time => format!("{time:.0}"),
    })
}

/// An aggregation on the left, the search for a cheater on the right, frost-core's and ours against the number of signers.
fn plot(results: &Results<Row>) -> Plot {
    let suites = results.groups(|row| Some(row.suite.to_string()));
    let panel = |title, kinds: &[_]| {
        let lines = suites.lines(|row: &Row| f64::from(row.threshold).log2(), kinds);
        Panel::new(title, "signers who sign", power, lines)
    };
    let aggregations = panel(
        "All shares good",
        &[
            (0, |row| Some(row.times.aggregate_frost_core_ms / 1e3)),
            (1, |row| Some(row.times.aggregate_ms / 1e3)),
            (2, |row| Some(row.times.aggregate_encoding_ms / 1e3)),
        ],
    );
    let searches = panel(
        "One bad share, found and named",
        &[
            (0, |row| Some(row.times.cheater_frost_core_ms / 1e3)),
            (1, |row| Some(row.times.cheater_ms / 1e3)),
            (3, |row| Some(row.times.cheater_one_by_one_ms / 1e3)),
        ],
    );
    Plot {
        title: "Time of an aggregation of FROST shares, one thread",
        notes: &[],
        empty: UNMEASURED,
        panels: [aggregations, searches],
        colours: ("suite", suites.names),
        markers: ("aggregation", names(["frost-core", "ours", "ours, encoding too", "one by one"])),
    }
}
