//! Rows of `muster frost sweep`: the time of each step over suites and sizes.

mod asked;
mod plot;
mod results;
mod row;
mod table;
#[cfg(test)]
mod tests;

pub use asked::FrostAsked;
pub use row::{Ask, Row};
pub use table::table;
