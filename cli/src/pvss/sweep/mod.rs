//! `muster pvss sweep`: the time of dealing, verification, sums and decryption over sizes.

#[cfg(test)]
mod tests;

use std::str::FromStr;

use muster_schemes::decimal;
use muster_sweep::pvss::{self, Row, Settings};
use muster_threshold::pvss::{
    dlog::{Search, Table},
    Shape, Variant,
};

use crate::{report::Report, store_args::StoreArgs, Error};

/// Measure dealing, verification, sums and decryption. After each row, DIR holds results.csv,
/// results.json, results.svg and results.html.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster pvss sweep --case 6/10 --out results")]
pub(super) struct SweepArgs {
    /// How ciphertexts are proved; several may be given.
    #[arg(long, num_args = 1.., value_parser = crate::values::variants(),
          default_values_t = [Variant::Compact])]
    variant: Vec<Variant>,
    /// Bits per chunk.
    #[arg(long, value_name = "BITS", default_value_t = 32, value_parser = decimal::read::<u32>)]
    chunk_bits: u32,
    /// Threshold and number of players of weight 1.
    #[arg(long = "case", value_name = "T/N", num_args = 1..)]
    cases: Vec<Case>,
    /// Threshold and number of shares of 136 players with weights from 1 to 7.
    #[arg(long, value_name = "T/W")]
    weighted: Option<Case>,
    /// log₂ of the number of entries in the table of logarithms.
    #[arg(long, value_name = "BITS", default_value_t = 22, value_parser = decimal::read::<u32>)]
    table_bits: u32,
    /// Also verify this many dealings at once (default: none).
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = decimal::read::<usize>)]
    batch: usize,
    /// Runs per median.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = decimal::read::<usize>)]
    repeat: usize,
    /// Numbers of threads.
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1],
          value_parser = decimal::read::<usize>)]
    threads: Vec<usize>,
    #[command(flatten)]
    store: StoreArgs,
}

impl SweepArgs {
    /// The rows, each of them once. An impossible sharing is an error.
    fn rows(&self) -> Result<Vec<pvss::Case>, Error> {
        let mut cases: Vec<(Case, Vec<u32>)> =
            self.cases.iter().map(|case| (*case, vec![1; case.shares])).collect();
        cases.extend(self.weighted.map(|case| (case, weighted(case))));
        let mut rows: Vec<pvss::Case> = vec![];
        for (case, weights) in &cases {
            for variant in &self.variant {
                for &threads in &self.threads {
                    let shape = Shape::new(*variant, self.chunk_bits, case.threshold, weights);
                    let shape = shape.map_err(|found| Error::usage(found.to_string()))?;
                    let row = pvss::Case { shape, threads };
                    if !rows.contains(&row) {
                        rows.push(row);
                    }
                }
            }
        }
        Ok(rows)
    }
}

pub(super) fn run(args: &SweepArgs) -> Result<Report, Error> {
    args.store.sweep::<Row>(None, &args.rows()?, || {
        let table = Table::new(args.table_bits);
        let search = Search::new(table.map_err(|found| Error::usage(found.to_string()))?);
        Ok(Settings { search, repeat: args.repeat, batch: args.batch })
    })
}

/// Shares that reconstruct, of all shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Case {
    threshold: usize,
    shares: usize,
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
            _ => Err(format!("{text:?} is not of the form 6/8")),
        }
    }
}

/// The weights of the weighted row: ours, since those of the published one are not known.
fn weighted(case: Case) -> Vec<u32> {
    let counts = [(93, 1), (25, 2), (8, 3), (4, 4), (2, 5), (2, 6), (2, 7)];
    let all: Vec<u32> =
        counts.into_iter().flat_map(|(count, weight)| vec![weight; count]).collect();
    match case.shares {
        219 => all,
        // Another number of shares: players of weight 1 make up for it, or take off.
        shares => (0..shares).map(|_| 1).collect(),
    }
}
