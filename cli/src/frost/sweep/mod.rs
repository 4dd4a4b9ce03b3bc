//! `muster frost sweep`: the time of each step over suites and sizes.

mod args;
mod asked;
mod plot;
mod results;
mod row;
mod run;
mod table;

#[cfg(test)]
mod tests;

pub use args::SweepArgs;
pub use asked::FrostAsked;
pub(crate) use row::Row;
pub(super) use run::run;
pub(crate) use table::table;
