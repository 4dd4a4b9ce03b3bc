//! `muster bls-threshold sweep`: the time of an aggregation over thresholds, naive and fast.

mod args;
mod measure;
mod plot;
mod results;
mod row;
mod run;
mod table;

pub(super) use args::SweepArgs;
pub(super) use run::run;
