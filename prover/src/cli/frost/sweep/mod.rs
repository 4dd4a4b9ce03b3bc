//! `muster frost sweep`: the time of each step over suites and sizes.

mod args;
mod plot;
mod results;
mod row;
mod run;
mod table;

pub(super) use args::SweepArgs;
pub(super) use run::run;
