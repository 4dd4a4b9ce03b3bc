//! `muster frost sweep`: the time of each step over suites and sizes.

mod args;
mod plot;
mod results;
mod row;
mod run;
mod table;

#[cfg(test)]
mod tests;

pub(super) use args::SweepArgs;
pub(super) use run::run;
