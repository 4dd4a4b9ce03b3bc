use halo2curves::{bn256::Fr, ff::Field};
use rayon::prelude::*;

use super::Cell;
use crate::{
    backend::{Backend, Work},
    lanes::{Lanes, LANES},
};

/// Octets of rows for which a step is done before the next. Their registers stay in the caches, and dispatch
/// takes little of the time.
const BLOCK: usize = 4;

/// Rows that a thread takes at a time.
pub(super) const CHUNK: usize = 16 * BLOCK * LANES;

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

/// A program on its inputs.
struct Run<'a> {
    program: &'a Program,
    inputs: Inputs<'a>,
    uniforms: Vec<Fr>,
    /// The places of the results, by [`CHUNK`] rows.
    chunks: Vec<Vec<&'a mut [Fr]>>,
}

impl Work<Fr> for Run<'_> {
    type Output = ();

    fn run<L: Lanes<Fr>>(self, lanes: L) {
        let Self { program, inputs, uniforms, chunks } = self;
        let uniforms: Vec<_> = uniforms.iter().map(|number| lanes.factor(number)).collect();
        let zero = lanes.splat(lanes.factor(&Fr::ZERO));
        let machine = || Machine {
            lanes,
            inputs,
            uniforms: &uniforms,
            registers: vec![[zero; BLOCK]; program.registers],
            one: lanes.load(&[Fr::ONE; LANES]),
        };
        chunks.into_par_iter().enumerate().for_each_init(machine, |machine, (place, mut chunk)| {
            lanes.vectorize(
                #[inline(always)]
                || machine.chunk(program, place * CHUNK, &mut chunk),
            );
        });
    }
}

/// Registers, and what steps read. All values are in the form to multiply by.
struct Machine<'a, L: Lanes<Fr>> {
    lanes: L,
    inputs: Inputs<'a>,
    uniforms: &'a [L::Factor],
    registers: Vec<[L::Multiplier; BLOCK]>,
    one: L::Octet,
}

impl<L: Lanes<Fr>> Machine<'_, L> {
    #[inline(always)]
    fn chunk(&mut self, program: &Program, first: usize, results: &mut [&mut [Fr]]) {
        let rows = CHUNK.min(self.inputs.rows - first);
        for block in (0..rows).step_by(BLOCK * LANES) {
            let octets = (rows - block).div_ceil(LANES).min(BLOCK);
            for step in &program.steps {
                for octet in 0..octets {
                    let row = block + octet * LANES;
                    self.step(program, step, octet, (first, row), results);
                }
            }
        }
    }

    /// A step in the octet of rows that begins at `row` of the chunk whose first row is `first`.
    #[inline(always)]
    fn step(
        &mut self,
        program: &Program,
        step: &Step,
        octet: usize,
        (first, row): (usize, usize),
        results: &mut [&mut [Fr]],
    ) {
        let lanes = self.lanes;
        match *step {
            Step::Load { cell, to } => {
                self.registers[to as usize][octet] = self.load(cell, first + row);
            }
            Step::Add { left, right, to } => {
                let sum = lanes.sum(self.get(left, octet), self.get(right, octet));
                self.registers[to as usize][octet] = sum;
            }
            Step::Sub { left, right, bound, to } => {
                let (left, right) = (self.get(left, octet), self.get(right, octet));
                self.registers[to as usize][octet] = lanes.difference(left, right, bound);
            }
            Step::Dot { first, count, to } => {
                let mut wide = lanes.wide();
                for [left, right] in &program.pairs[first as usize..][..count as usize] {
                    let (left, right) = (self.get(*left, octet), self.get(*right, octet));
                    wide = lanes.accumulate(wide, left, right);
                }
                self.registers[to as usize][octet] = lanes.narrow(wide);
            }
            Step::Store { from, result } => {
                let value = lanes.mul(self.one, self.get(from, octet));
                store(lanes, value, &mut results[result][row..]);
            }
        }
    }

    #[inline(always)]
    fn get(&self, operand: Operand, octet: usize) -> L::Multiplier {
        match operand {
            Operand::Register(register) => self.registers[register as usize][octet],
            Operand::Uniform(uniform) => self.lanes.splat(self.uniforms[uniform as usize]),
        }
    }

    /// The cells `rotation` rows below eight rows. The first row follows the last one.
    #[inline(always)]
    fn load(&self, cell: Cell, row: usize) -> L::Multiplier {
        let (column, rows) = (self.inputs.columns[cell.column], self.inputs.rows);
        let start = (row as i64 + i64::from(cell.rotation)).rem_euclid(rows as i64) as usize;
        if let Some(cells) = column[start..].first_chunk::<LANES>() {
            return self.lanes.load_multiplier(cells);
        }
        let mut cells = [Fr::ZERO; LANES];
        for (lane, cell) in cells.iter_mut().enumerate() {
            *cell = column[(start + lane) % rows];
        }
        self.lanes.load_multiplier(&cells)
    }
}

/// Writes the values of eight rows, or of those that are left.
#[inline(always)]
fn store<L: Lanes<Fr>>(lanes: L, value: L::Octet, rows: &mut [Fr]) {
    if let Some(rows) = rows.first_chunk_mut::<LANES>() {
        lanes.store_small(value, rows);
    } else {
        let mut last = [Fr::ZERO; LANES];
        lanes.store_small(value, &mut last);
        rows.copy_from_slice(&last[..rows.len()]);
    }
}
