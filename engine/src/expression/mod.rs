//! Expressions in the cells of columns, compiled once and evaluated on all rows.

mod compile;
mod emit;
mod evaluate;
mod graph;
mod program;
mod registers;
mod run;
#[cfg(test)]
mod tests;

pub use graph::{Graph, Term};
pub use program::{Inputs, Program};
