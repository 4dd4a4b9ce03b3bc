use halo2curves::bn256::Fr;

use super::graph::Cell;

/// Expressions as a list of steps, each of which is done for many rows before the next.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) uniforms: Vec<Uniform>,
    pub(super) steps: Vec<Step>,
    /// Pairs of factors, of which [`Step::Dot`] takes ranges.
    pub(super) pairs: Vec<[Operand; 2]>,
    pub(super) registers: usize,
    pub(super) results: usize,
}

/// The inputs that expressions are evaluated on.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// How many rows each column has.
    pub rows: usize,
    /// Columns, in the order in which cells name them.
    pub columns: &'a [&'a [Fr]],
    /// Parameters, likewise.
    pub parameters: &'a [Fr],
}

/// A number that is the same in all rows, computed once per run from those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Uniform {
    Constant(Fr),
    Parameter(usize),
    Add(u32, u32),
    Sub(u32, u32),
    Mul(u32, u32),
}

/// Where a step finds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Register(u32),
    Uniform(u32),
}

/// What is done in each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Reads a cell.
    Load { cell: Cell, to: u32 },
    /// `left + right`.
    Add { left: Operand, right: Operand, to: u32 },
    /// `left − right`, for a right side of that bound.
    Sub { left: Operand, right: Operand, bound: u32, to: u32 },
    /// The sum of the products of some pairs.
    Dot { first: u32, count: u32, to: u32 },
    /// Writes a result.
    Store { from: Operand, result: usize },
}
