//! `muster frost sweep`: the time of each step over suites and sizes.

use muster_schemes::decimal;
use muster_sweep::frost::{Case, Row};
use muster_threshold::frost::SuiteName;

use crate::{
    groups::Quorum,
    report::Report,
    store_args::{each_once, StoreArgs},
    Error,
};

/// The fewest times of which a median is taken.
const LEAST_REPEAT: u64 = 3;

/// Measure key generation, both rounds, the aggregation and the search for a cheater. Everything
/// runs on one thread. Aggregations and searches alternate between frost-core's and ours. After
/// each row, DIR holds frost.csv, frost.json, frost.svg and frost.html.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost sweep --suite ed25519 --case 2/3 7/10 --out results")]
pub struct SweepArgs {
    /// Suite; may be given several times (default: all).
    #[arg(long = "suite", value_name = "S", value_parser = crate::values::frost_suites(), num_args = 1..)]
    suites: Vec<SuiteName>,
    /// Signers out of members, for example 2/3; may be given several times.
    #[arg(long = "case", value_name = "T/N", num_args = 1..,
          default_values = ["2/3", "7/10", "67/100", "667/1000"])]
    cases: Vec<Quorum>,
    /// Least number of runs of each step, 3 or more; the median is reported.
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = decimal::within::<u64>(LEAST_REPEAT..=1000))]
    pub(crate) repeat: u64,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

impl SweepArgs {
    /// The rows, each of them once: for each suite all cases.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let suites = if self.suites.is_empty() { &SuiteName::ALL[..] } else { &self.suites };
        let case = |suite, case: &Quorum| {
            let (threshold, signers) = (case.threshold(), case.members());
            Case { suite, threshold, signers, repeat: self.repeat }
        };
        each_once(suites.iter().flat_map(|&suite| self.cases.iter().map(move |it| case(suite, it))))
    }
}

pub(super) fn run(args: &SweepArgs) -> Result<Report, Error> {
    args.store.sweep::<Row>(Some(args.repeat), &args.cases(), || Ok(()))
}
