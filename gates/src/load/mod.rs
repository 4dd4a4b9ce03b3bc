//! Public inputs and constants, bound to cells of the vertical gate by a gate of their own.
//!
//! A fixed or an instance column in the permutation would cost every proof another column of it, and
//! the verifier another commitment.
//!
//! [`GateCircuit::with_public_inputs`](crate::GateCircuit::with_public_inputs) has an example.

use std::{collections::HashSet, ops::Range};

use halo2_base::{
    halo2_proofs::{
        circuit::{Cell, Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, Instance},
        poly::Rotation,
    },
    virtual_region::copy_constraints::SharedCopyConstraintManager,
};

#[cfg(test)]
mod tests;

use super::{border, place::Place};

/// Columns of the gate.
#[derive(Clone, Debug)]
pub(super) struct LoadConfig {
    cells: Column<Advice>,
    /// The constant of a row plus [`shift`]; 0 where nothing is loaded.
    load: Column<Fixed>,
    /// The rows of constants.
    constants: Range<usize>,
}

impl LoadConfig {
    /// Adds the columns of public inputs and of `load`. Over the column `cells`
    ///
    /// ```text
    /// load·(cell + shift - load - instance) = 0
    /// ```
    ///
    /// so that a cell is a constant where its public input is 0, and a public input where its constant
    /// is 0. The first rows hold public inputs, `constants` the constants. The proving system takes all
    /// further public inputs to be 0; a verifier must not accept more than there are.
    pub(super) fn configure(
        meta: &mut ConstraintSystem<Fr>,
        cells: Column<Advice>,
        constants: Range<usize>,
    ) -> Self {
        let instance: Column<Instance> = meta.instance_column();
        let load = meta.fixed_column();
        border::create_gate(meta, "public inputs, constants", |meta| {
            let load = meta.query_fixed(load, Rotation::cur());
            let cell = meta.query_advice(cells, Rotation::cur());
            let public = meta.query_instance(instance, Rotation::cur());
            let constant = load.clone() - Expression::Constant(shift());
            vec![("loaded", load * (cell - constant - public))]
        });
        Self { cells, load, constants }
    }

    /// The first row that is reserved for constants.
    pub(super) fn first_constant(&self) -> usize {
        self.constants.start
    }

    /// Marks the first `count` rows as public inputs.
    pub(super) fn public(&self, region: &mut Region<Fr>, count: usize) {
        for row in 0..count {
            border::assign_fixed(Place::all(), region, (self.load, "public"), row, shift());
        }
    }

    /// Writes `constants` to their rows, as witnesses; returns the cells.
    pub(super) fn write(&self, region: &mut Region<Fr>, constants: &[Fr]) -> Vec<Cell> {
        assert!(constants.len() <= self.constants.len(), "the constants fit their rows");
        let rows = self.constants.clone().zip(constants);
        rows.map(|(row, constant)| {
            region.assign_advice(self.cells, row, Value::known(*constant)).cell()
        })
        .collect()
    }

    /// Writes the constants of `copies` and binds them.
    pub(super) fn bind(&self, region: &mut Region<Fr>, copies: &SharedCopyConstraintManager<Fr>) {
        let constants = constants(copies);
        let cells = self.write(region, &constants);
        for (row, (constant, cell)) in self.constants.clone().zip(constants.into_iter().zip(cells))
        {
            let load = constant + shift();
            assert!(load != Fr::ZERO, "a row that loads nothing binds nothing");
            border::assign_fixed(Place::all(), region, (self.load, "constant"), row, load);
            let mut copies = copies.lock().expect("no thread panics while it holds the lock");
            copies.assigned_constants.insert(constant, cell);
        }
    }
}

/// The constants that `copies` asks for, each once and in order.
pub(super) fn constants(copies: &SharedCopyConstraintManager<Fr>) -> Vec<Fr> {
    let copies = copies.lock().expect("no thread panics while it holds the lock");
    // Most are asked for many times, and to compare two takes longer than to hash one.
    let distinct: HashSet<_> = copies.constant_equalities.iter().map(|(c, _)| *c).collect();
    let mut constants: Vec<_> = distinct.into_iter().collect();
    constants.sort_unstable();
    constants
}

/// Makes zero a constant like any other. Only `-2^200` cannot be loaded, which nobody needs.
fn shift() -> Fr {
    Fr::from(2).pow_vartime([200])
}
