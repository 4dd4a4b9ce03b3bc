//! Expressions in the cells of columns, compiled once and evaluated on all rows.

mod compile;
mod graph;
mod program;
#[cfg(test)]
mod tests;

pub use graph::{Graph, Term};
pub use program::{Inputs, Program};
