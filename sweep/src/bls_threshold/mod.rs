//! Rows of `muster bls-threshold sweep`: the time of an aggregation over thresholds, naive and fast.

mod measure;
mod plot;
mod results;
mod row;
mod suite;
mod table;
#[cfg(test)]
mod tests;

pub use measure::Measure;
pub use row::{Ask, Row};
pub use suite::{SuiteName, Task};
pub use table::table;
