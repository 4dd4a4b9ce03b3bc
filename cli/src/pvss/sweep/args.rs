//! The arguments.

use std::str::FromStr;

use muster_gadgets::decimal;
use muster_threshold::pvss::{Shape, Variant};

use super::measure::Ask;
use crate::{sweep::StoreArgs, Error};

/// Measure dealing, verification, sums and decryption. After each row, DIR holds results.csv,
/// results.json and results.svg.
#[derive(Debug, clap::Args)]
pub(crate) struct SweepArgs {
    /// Variants: chunky, chunky2, compact.
    #[arg(long, num_args = 1.., default_values_t = [Variant::Compact])]
    pub(super) variant: Vec<Variant>,
    /// Bits of a chunk.
    #[arg(long, value_name = "BITS", default_value_t = 32, value_parser = decimal::read::<u32>)]
    pub(super) chunk_bits: u32,
    /// Threshold and number of players of weight 1.
    #[arg(long = "case", value_name = "T/N", num_args = 1..)]
    pub(super) cases: Vec<Case>,
    /// Threshold and number of shares of 136 players with weights from 1 to 7.
    #[arg(long, value_name = "T/W")]
    pub(super) weighted: Option<Case>,
    /// log₂ of the entries of the table of logarithms.
    #[arg(long, value_name = "BITS", default_value_t = 22, value_parser = decimal::read::<u32>)]
    pub(super) table_bits: u32,
    /// Also verify this many dealings at once (default: none).
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = decimal::read::<usize>)]
    pub(super) batch: usize,
    /// Runs per median.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = decimal::read::<usize>)]
    pub(super) repeat: usize,
    /// Numbers of threads.
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1],
          value_parser = decimal::read::<usize>)]
    pub(super) threads: Vec<usize>,
    #[command(flatten)]
    pub(super) store: StoreArgs,
}

impl SweepArgs {
    /// The rows, each of them once.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for an impossible sharing.
    pub(super) fn asks(&self) -> Result<Vec<Ask>, Error> {
        let mut cases: Vec<(Case, Vec<u32>)> =
            self.cases.iter().map(|case| (*case, vec![1; case.shares])).collect();
        cases.extend(self.weighted.map(|case| (case, weighted(case))));
        let mut asks: Vec<Ask> = vec![];
        for (case, weights) in &cases {
            for variant in &self.variant {
                for &threads in &self.threads {
                    let shape = Shape::new(*variant, self.chunk_bits, case.threshold, weights);
                    let shape = shape.map_err(|found| Error::Usage(found.to_string()))?;
                    let ask = Ask { shape, threads };
                    if asks.iter().all(|other| other.key() != ask.key()) {
                        asks.push(ask);
                    }
                }
            }
        }
        Ok(asks)
    }
}

/// Shares that reconstruct, of all shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    pub(super) threshold: usize,
    pub(super) shares: usize,
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(t, n)| Some((decimal::read(t).ok()?, decimal::read(n).ok()?)));
        match numbers {
            Some((threshold, shares)) if threshold >= 1 && threshold <= shares => {
                Ok(Self { threshold, shares })
            }
            _ => Err(format!("{text:?} is nothing like 6/8")),
        }
    }
}

/// The weights of the weighted row: ours, since those of the published one are not known.
pub(super) fn weighted(case: Case) -> Vec<u32> {
    let counts = [(93, 1), (25, 2), (8, 3), (4, 4), (2, 5), (2, 6), (2, 7)];
    let all: Vec<u32> =
        counts.into_iter().flat_map(|(count, weight)| vec![weight; count]).collect();
    match case.shares {
        219 => all,
        // Another number of shares: players of weight 1 make up for it, or take off.
        shares => (0..shares).map(|_| 1).collect(),
    }
}
