//! Every advice cell of the smallest circuit matters, but for those that are named here with the reason.

use halo2_base::halo2_proofs::dev::CellValue;
use muster_forgery::forger::Judge;
use muster_gates::Forged;
use rayon::prelude::*;

use super::{
    forged::{gates, members, shape, Claim, Grid, SUM},
    *,
};

/// Of the cells that are free one in so many is tried.
const STRIDE: usize = 11;

/// Places of the fixed columns, in the order of their creation.
const STEP: usize = 0;
const ADDEND: usize = 1;
const SCALE: usize = 2;
const LOOKUP: usize = 3;
const MEMBER: usize = 4;
const KEY: usize = 5;
const SBOX: usize = 7;
const FACTOR: usize = 10;
const LOAD: usize = 11;
const VERTICAL: usize = 12;
/// What the fixed columns hold.
const NEXT: u64 = 1;
const FAR: u64 = 2;
/// Rows of a Poseidon state in a lane with one S-box a row.
const STATE: usize = 6;

/// Why a cell may hold anything: what its row does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Free {
    /// No sum arrives at the row and none departs from it.
    Accumulator,
    /// Nothing is added in this row.
    Addend,
    /// No digit stands between this sum and its neighbours, or it counts an addend without abscissa.
    Digit,
    /// The rows before round 0 and behind the last round have no S-boxes.
    Sbox,
    /// Behind the last permutation.
    Permutation,
    /// Behind the last range check: any limb will do.
    Check,
    /// Behind the last gate of the vertical column.
    Gate,
}

struct Circuit {
    claim: Claim,
    judge: Judge,
    grid: Grid,
    fixed: Vec<Vec<Fr>>,
    /// Cells that a copy binds, by advice column.
    copied: Vec<Vec<bool>>,
}

impl Circuit {
    fn new() -> Self {
        let shape = shape(Scheme::Schnorr, Mode::WholeSet, 2, 2);
        let layout = &shape.layout;
        assert_eq!(
            (layout.vertical_columns, layout.range_columns, layout.edwards_lanes),
            (1, 1, 1)
        );
        assert_eq!(
            layout.poseidon.iter().map(|p| (p.columns, p.lanes)).collect::<Vec<_>>(),
            [(1, 1)]
        );
        let claim = Claim::new(&shape, &members(2), &[0, 1]);
        let circuit = fill(&shape, &claim.inputs);
        let prover = MockProver::run(shape.degree(), &circuit, vec![claim.public.to_vec()]);
        let prover = prover.expect("the rows fit");
        assert!(prover.verify().is_ok());
        let value = |cell: &CellValue<Fr>| match cell {
            CellValue::Assigned(value) => *value,
            _ => Fr::zero(),
        };
        let fixed: Vec<Vec<_>> =
            prover.fixed().iter().map(|column| column.iter().map(value).collect()).collect();
        assert_eq!(fixed.len(), VERTICAL + 1);
        let grid = claim.grid();
        let mut copied = vec![vec![false; grid.0[0].len()]; grid.0.len()];
        let permutation = prover.permutation();
        let mapping: Vec<Vec<_>> = permutation.mapping().map(|column| column.collect()).collect();
        for (i, (column, targets)) in permutation.columns().iter().zip(mapping).enumerate() {
            if format!("{:?}", column.column_type()).contains("Advice") {
                let bound = &mut copied[column.index()];
                bound
                    .iter_mut()
                    .enumerate()
                    .for_each(|(row, bound)| *bound = targets[row] != (i, row));
            }
        }
        let public = vec![claim.public.to_vec()];
        let judge = Judge::new(shape.degree(), &circuit, public);
        Self { claim, judge, grid, fixed, copied }
    }

    /// Whether the circuit holds with one cell changed.
    fn survives(&self, column: usize, row: usize, change: Fr) -> bool {
        let value = self.grid.0[column][row] + change;
        let forged = vec![Forged { column, row, value }];
        self.judge.failures_with(&forged, true).is_empty() && self.claim.holds_with(forged)
    }

    fn is(&self, column: usize, row: Option<usize>, value: u64) -> bool {
        row.is_some_and(|row| self.fixed[column][row] == Fr::from(value))
    }

    /// Why the cell is free, if it is declared to be.
    fn free(&self, column: usize, row: usize) -> Option<Free> {
        if self.copied[column][row] {
            return None;
        }
        let [edwards, poseidon, range, _] = gates(&self.claim.shape);
        if edwards.contains(&column) {
            return self.free_of_edwards(column, row);
        }
        let zero = |column: usize, row: Option<usize>| row.is_none() || self.is(column, row, 0);
        if poseidon.contains(&column) {
            let behind = self.fixed[SBOX].iter().rposition(|role| *role != Fr::zero());
            let behind = behind.expect("there are permutations") + STATE;
            return if row > behind {
                Some(Free::Permutation)
            } else {
                let power = column > poseidon.start;
                (power && self.is(SBOX, Some(row), 0)).then_some(Free::Sbox)
            };
        }
        if range.contains(&column) {
            let unread = zero(FACTOR, Some(row)) && zero(FACTOR, row.checked_sub(1));
            return unread.then_some(Free::Check);
        }
        let gate = (0..4).any(|up| !zero(VERTICAL, row.checked_sub(up)));
        (!gate && zero(LOAD, Some(row))).then_some(Free::Gate)
    }

    fn free_of_edwards(&self, column: usize, row: usize) -> Option<Free> {
        let (here, above) = (Some(row), row.checked_sub(1));
        let set = |column: usize, row: Option<usize>| row.is_some() && !self.is(column, row, 0);
        let free = |is_free: bool, why: Free| is_free.then_some(why);
        match column {
            0 | 1 => {
                let arrives = self.is(STEP, above, NEXT) || self.is(STEP, row.checked_sub(64), FAR);
                let departs = set(STEP, here) || set(KEY, here) || set(MEMBER, here);
                free(!arrives && !departs, Free::Accumulator)
            }
            2 | 3 => {
                // An addend that a digit counts is looked up, in a row of no table too.
                let sum = |row: usize| self.grid.0[SUM].get(row).copied().unwrap_or_default();
                let counts = column == 2 && sum(row + 1) != Fr::from(16) * sum(row);
                let bound = set(SCALE, here) || set(LOOKUP, here) || counts;
                let kept = (2..5).any(|addend| self.is(ADDEND, above, addend));
                free(!bound && !kept, Free::Addend)
            }
            4 => free(!set(STEP, here), Free::Addend),
            _ => {
                let plain =
                    |row: Option<usize>| row.is_none_or(|row| self.grid.0[2][row] == Fr::zero());
                free(plain(here) && plain(above), Free::Digit)
            }
        }
    }
}

/// Changes every cell that matters, by a small amount, by one, or by one that is far from any limb; of those that are free a
/// sample is shown to be so.
#[test]
fn all_cells_of_the_smallest_circuit() {
    let circuit = Circuit::new();
    let (columns, rows) = (circuit.grid.0.len(), circuit.grid.0[0].len());
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    let (free, bound): (Vec<_>, Vec<_>) =
        cells.partition(|&(column, row)| circuit.free(column, row).is_some());
    assert!(bound.len() > 4500, "most rows are at work: {}", bound.len());
    let changes = [Fr::from(3), -Fr::one(), Fr::from(1 << 40)];
    let tried: Vec<_> = bound.into_iter().enumerate().collect();
    let survivors: Vec<_> = tried
        .into_par_iter()
        .filter(|&(i, (column, row))| circuit.survives(column, row, changes[i % changes.len()]))
        .map(|(_, cell)| cell)
        .collect();
    assert!(survivors.is_empty(), "cells (column, row) that nothing binds: {survivors:?}");
    // The declaration is no broader than need be: what is declared to be free is.
    let free: Vec<_> = free.into_iter().step_by(STRIDE).collect();
    let refused: Vec<_> = free
        .into_par_iter()
        .map(|(column, row)| (column, row, circuit.free(column, row)))
        .filter(|&(column, row, why)| {
            // Any limb will do where nothing is checked, and a limb is still a limb.
            let change = if why == Some(Free::Check) { 3 } else { 1 << 40 };
            !circuit.survives(column, row, Fr::from(change))
        })
        .collect();
    assert!(refused.is_empty(), "cells that are bound after all: {refused:?}");
}
