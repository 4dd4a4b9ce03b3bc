use halo2curves::{bn256::Fr, ff::Field};

use super::{
    graph::Cell,
    run::{Run, CHUNK},
};
use crate::backend::Backend;

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

/// What expressions are evaluated on.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// How many rows each column has.
    pub rows: usize,
    /// Columns, in the order in which cells name them.
    pub columns: &'a [&'a [Fr]],
    /// Parameters, likewise.
    pub parameters: &'a [Fr],
}

/// A number that is the same in all rows, computed once a run from those before it.
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

impl Program {
    /// The results in each row.
    ///
    /// # Panics
    ///
    /// If a column has another number of rows, or if a column or a parameter is missing.
    pub fn evaluate(&self, backend: Backend, inputs: Inputs<'_>) -> Vec<Vec<Fr>> {
        let Inputs { rows, columns, parameters } = inputs;
        for column in columns {
            assert_eq!(column.len(), rows, "all columns have the same number of rows");
        }
        let uniforms = self.uniforms(parameters);
        let mut results = vec![vec![Fr::ZERO; rows]; self.results];
        let mut chunks: Vec<Vec<&mut [Fr]>> =
            (0..rows.div_ceil(CHUNK)).map(|_| Vec::with_capacity(self.results)).collect();
        for result in &mut results {
            let parts = result.chunks_mut(CHUNK);
            chunks.iter_mut().zip(parts).for_each(|(chunk, part)| chunk.push(part));
        }
        backend.run(Run { program: self, inputs, uniforms, chunks });
        results
    }

    fn uniforms(&self, parameters: &[Fr]) -> Vec<Fr> {
        let mut numbers: Vec<Fr> = Vec::with_capacity(self.uniforms.len());
        for uniform in &self.uniforms {
            numbers.push(match *uniform {
                Uniform::Constant(number) => number,
                Uniform::Parameter(index) => parameters[index],
                Uniform::Add(left, right) => numbers[left as usize] + numbers[right as usize],
                Uniform::Sub(left, right) => numbers[left as usize] - numbers[right as usize],
                Uniform::Mul(left, right) => numbers[left as usize] * numbers[right as usize],
            });
        }
        numbers
    }
}
