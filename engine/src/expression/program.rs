use halo2curves::{bn256::Fr, ff::Field};
use rayon::prelude::*;

use super::{
    graph::Cell,
    program::{Inputs, Operand, Program, Step},
};
use crate::{
    backend::Work,
    lanes::{Lanes, LANES},
};

/// Octets of rows for which a step is done before the next. Their registers stay in the caches, and dispatch
/// takes little of the time.
const BLOCK: usize = 4;

/// Rows that a thread takes at a time.
pub(super) const CHUNK: usize = 16 * BLOCK * LANES;

/// A program on its inputs.
pub(super) struct Run<'a> {
    pub(super) program: &'a Program,
    pub(super) inputs: Inputs<'a>,
    pub(super) uniforms: Vec<Fr>,
    /// The places of the results, by [`CHUNK`] rows.
    pub(super) chunks: Vec<Vec<&'a mut [Fr]>>,
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
