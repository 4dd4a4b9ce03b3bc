//! Logarithms of small multiples of G: baby steps in a table, giant steps in lanes.
//!
//! The table holds part of the first coordinate of 1·G, …, T·G. A point P = xG is moved by the
//! middle of its range, and P ± g(2T + 1)·G is looked up for g = 0, 1, 2, …: both signs share an
//! inversion, and a match gives x up to the sign of the baby step. Every match is confirmed with
//! the whole point.

mod search;
mod table;

pub use search::{Range, Search};
pub use table::{Table, MOST_BITS};
