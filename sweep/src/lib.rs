//! What every sweep has in common: rows of a type, the files that hold them, and how they are made.
//!
//! A sweep says what its rows are ([`Row`]) and how one is measured; [`Store`] runs those that are not
//! finished, one after the other or several at once, and replaces the files after each of them, so that
//! an interrupted sweep can be resumed.

mod args;
pub(crate) mod csv;
mod fill;
mod kept;
mod machine;
mod machines;
pub(crate) mod memory;
pub(crate) mod plot;
mod progress;
mod results;
mod room;
mod seconds;
mod store;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use args::{Existing, StoreArgs};
pub(crate) use fill::{AtOnce, Task};
pub(crate) use kept::Kept;
pub(crate) use machine::{Machine, HALO2_AXIOM};
pub(crate) use results::{Plot, Results, Row};
pub(crate) use seconds::{median, rounded, MICROSECONDS, NANOSECONDS};
pub(crate) use store::Store;
pub(crate) use table::align;
#[cfg(test)]
pub(crate) use tests::assert_columns;
