//! `muster bls-threshold sweep`: the time of an aggregation over thresholds, naive and fast.

#[cfg(test)]
mod tests;

use std::str::FromStr;

use clap::Args;
use muster_schemes::decimal;
use muster_sweep::bls_threshold::{Case, Row, Settings};
use muster_threshold::bls::{Identities, SuiteName};

use crate::{
    report::Report,
    store_args::{each_once, StoreArgs},
    values::bls_suites,
    Error,
};

/// log₂ of the largest threshold: 2t − 1 signers stay below the most of a committee.
const LARGEST: u32 = 22;

/// Measure aggregation of t of 2t − 1 shares: Lagrange coefficients, multi-exponentiation,
/// verification. Shares are synthetic: one transform gives the secrets as values of a random
/// polynomial, and each share is a multiple of one point. They are already decoded, as in others'
/// published figures. After each row, DIR holds results.csv, results.json,
/// results.svg and results.html.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  muster bls-threshold sweep --t 2^1..2^10 --out results")]
pub(super) struct SweepArgs {
    /// Thresholds, powers of two: one such as 2^11, or a range with both ends such as 2^1..2^20.
    #[arg(long = "t", value_name = "T", required = true, num_args = 1..)]
    thresholds: Vec<Thresholds>,
    /// The curve, and whether keys or signatures are short; may be given several times.
    #[arg(long = "suite", value_parser = bls_suites(), value_name = "S", num_args = 1..,
          default_values_t = [SuiteName::default()])]
    suites: Vec<SuiteName>,
    /// The signers' identities: consecutive or roots-of-unity (default: both).
    #[arg(long, value_name = "I", num_args = 1..)]
    identities: Vec<Identities>,
    #[command(flatten)]
    store: StoreArgs,
    /// Runs per median; short runs are repeated more often.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = decimal::within::<u64>(1..=1000))]
    repeat: u64,
    /// Number of threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = decimal::read::<usize>)]
    threads: usize,
    /// Skip the naive method if it would take longer than this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    naive_limit: f64,
}

impl SweepArgs {
    /// The rows, each of them once, small ones first.
    fn cases(&self) -> Vec<Case> {
        let identities =
            if self.identities.is_empty() { &Identities::ALL[..] } else { &self.identities[..] };
        let mut logs: Vec<u32> = self.thresholds.iter().flat_map(|range| range.0.clone()).collect();
        logs.sort_unstable();
        let threads = self.threads;
        let suites =
            logs.iter().flat_map(|log| self.suites.iter().map(move |suite| (*log, *suite)));
        each_once(suites.flat_map(|(log, suite)| {
            let case = move |identities| Case { suite, identities, threshold: 1 << log, threads };
            identities.iter().copied().map(case)
        }))
    }
}

pub(super) fn run(args: &SweepArgs) -> Result<Report, Error> {
    let settings = Settings { repeat: args.repeat, naive_limit: args.naive_limit };
    args.store.sweep::<Row>(None, &args.cases(), || Ok(settings))
}

/// Powers of two, by their logarithms.
#[derive(Clone, Debug, PartialEq)]
struct Thresholds(std::ops::RangeInclusive<u32>);

impl FromStr for Thresholds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let (low, high) = (log(low)?, log(high)?);
        if low <= high {
            Ok(Self(low..=high))
        } else {
            Err("the range is empty".into())
        }
    }
}

fn log(text: &str) -> Result<u32, String> {
    let log = match text.strip_prefix("2^") {
        Some(log) => decimal::read(log).ok(),
        None => decimal::read::<usize>(text).ok().filter(|t| t.is_power_of_two()).map(usize::ilog2),
    };
    let log = log.filter(|log| *log <= LARGEST);
    log.ok_or_else(|| format!("{text:?} is not a power of two up to 2^{LARGEST}"))
}
