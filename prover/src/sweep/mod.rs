//! What every sweep has in common: rows of a type, the files that hold them, and the way there.
//!
//! A sweep says what its rows are ([`Row`]) and how one is measured; [`Store`] runs those that are not
//! finished and replaces the files after each of them, so that a sweep that was broken off can
//! be resumed.

mod args;
pub(crate) mod csv;
mod machine;
pub(crate) mod memory;
pub(crate) mod plot;
mod progress;
mod results;
mod seconds;
mod store;
mod table;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use args::Existing;
pub(crate) use args::StoreArgs;
#[cfg(test)]
pub(crate) use machine::Machine;
pub(crate) use machine::HALO2_AXIOM;
pub(crate) use results::{Plot, Results, Row};
pub(crate) use seconds::{median, rounded, MICROSECONDS, NANOSECONDS};
pub(crate) use store::{Store, Task};
pub(crate) use table::align;
#[cfg(test)]
pub(crate) use tests::assert_columns;
