//! `muster bls-threshold sweep`: the time of an aggregation over thresholds, naive and fast.

mod args;
mod measure;
mod plot;
mod results;
mod row;
mod run;
mod table;

#[cfg(test)]
mod tests;

pub(super) use args::SweepArgs;
pub(super) use run::run;
