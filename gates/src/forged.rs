//! Forged witnesses: cells that are overwritten after an honest witness was written.
//!
//! A test of soundness writes what a cheating prover would and expects a refusal. Production code has no use for it, so
//! it exists only in builds with debug assertions.

use halo2_base::halo2_proofs::{
    circuit::{Region, Value},
    halo2curves::bn256::Fr,
    plonk::{Advice, Column},
};

use super::{foreign::ForeignConfig, Chips, Gates, GatesConfig};

/// A cell to overwrite, and its new value.
#[derive(Clone, Copy, Debug)]
pub struct Forged {
    /// Index of the advice column.
    pub column: usize,
    /// Row.
    pub row: usize,
    /// New value.
    pub value: Fr,
}

impl GatesConfig {
    /// Overwrites an advice cell; call it after all rows were written.
    pub fn forge(&self, region: &mut Region<Fr>, forged: &Forged) {
        let column = self.advice()[forged.column];
        region.assign_advice(column, forged.row, Value::known(forged.value));
    }

    /// Indices of the columns of each gate; gates that others copy from come first.
    pub fn groups(&self) -> Vec<(&'static str, Vec<usize>)> {
        let index = |(name, columns): &(_, Vec<Column<Advice>>)| {
            (*name, columns.iter().map(Column::index).collect())
        };
        self.groups.iter().map(index).collect()
    }

    /// The columns of the foreign gates.
    pub fn foreign(&self) -> &[ForeignConfig] {
        &self.gates.foreign
    }

    /// Advice columns in the order of their creation.
    fn advice(&self) -> Vec<Column<Advice>> {
        let columns = self.groups.iter().flat_map(|(_, columns)| columns.iter().copied());
        let mut columns: Vec<_> = columns.collect();
        columns.sort_by_key(Column::index);
        columns
    }
}

impl Gates {
    /// The chips.
    pub fn chips(&self) -> &Chips {
        &self.chips
    }
}
