//! A circuit as data: what a key says of it, before any rule is checked.

use std::fmt;

use crate::Scalar;

/// A column of the circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// A column that the key commits to.
    Fixed(usize),
    /// A column that the proof commits to.
    Advice(usize),
    /// The one column of inputs: input `j` in row `j`, and 0 in all other rows.
    Inputs,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(number) => write!(f, "fixed column {number}"),
            Self::Advice(number) => write!(f, "advice column {number}"),
            Self::Inputs => write!(f, "the column of inputs"),
        }
    }
}

/// A step in the computation of a row. Nodes are numbered from 0 in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The same number in all rows.
    Constant(Scalar),
    /// A cell of a row nearby, counted modulo the number of rows.
    Cell {
        /// The column of the cell.
        column: Column,
        /// How many rows below this one.
        rotation: i32,
    },
    /// The sum of two earlier nodes.
    Sum(usize, usize),
    /// The product of two earlier nodes.
    Product(usize, usize),
}

/// A table, and all that is looked up in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The nodes whose values are the table's rows; at least one.
    pub expressions: Vec<usize>,
    /// Tuples of as many nodes, whose values stand in the table together; at least one tuple.
    pub inputs: Vec<Vec<usize>>,
}

/// Everything that is fixed about a circuit but its commitments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolParts {
    /// The circuit has `2^k` rows.
    pub k: u32,
    /// How many rows carry the circuit. Those after them are random.
    pub usable: usize,
    /// How many fixed columns there are.
    pub fixed: usize,
    /// How many advice columns there are.
    pub advice: usize,
    /// How many inputs there are.
    pub inputs: usize,
    /// What is computed in each row.
    pub nodes: Vec<Node>,
    /// The nodes that are 0 in each row.
    pub constraints: Vec<usize>,
    /// The tables, with what is looked up in them.
    pub tables: Vec<Table>,
    /// The columns whose cells may be copies of one another.
    pub copied: Vec<Column>,
}
