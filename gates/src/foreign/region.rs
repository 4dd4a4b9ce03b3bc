//! Writing recorded relations to the columns.

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, Fixed},
    },
    utils::biguint_to_fe,
    virtual_region::manager::VirtualRegionManager,
};
use rayon::prelude::*;

use super::{
    block::Piece,
    chip::ForeignChip,
    power,
    record::{Asked, Record, Role},
    written::Written,
    ForeignConfig,
};
use crate::{border, range};

impl VirtualRegionManager<Fr> for ForeignChip {
    /// The columns and the number of usable rows.
    type Config = (ForeignConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, usable): &Self::Config, region: &mut Region<Fr>) {
        assert_eq!(config.block, self.block, "the chip and its columns agree on the shape");
        assert!(self.rows() <= *usable, "the relations fit the rows");
        assert!(self.waiting.borrow().is_empty(), "every entry has a block");
        let records: &[Record] = &self.records.borrow();
        let block = &self.block;
        let written: Vec<_> =
            (0..records.len()).into_par_iter().map(|id| Written::new(block, records, id)).collect();
        for (id, (record, written)) in records.iter().zip(&written).enumerate() {
            self.assign_advice(config, region, id, written);
            if !self.cells.witness_gen_only() {
                self.assign_fixed(config, region, id, record);
            }
        }
    }
}

impl ForeignChip {
    fn assign_advice(
        &self,
        config: &ForeignConfig,
        region: &mut Region<Fr>,
        id: usize,
        written: &Written,
    ) {
        let limbs = &self.block.result;
        let start = id * self.block.rows();
        let mut assign = |column: Column<Advice>, row: usize, value: Fr| {
            region.assign_advice(column, start + row, Value::known(value)).cell()
        };
        for (number, value) in written.sums.iter().enumerate() {
            let (column, row) = self.block.place(number);
            let cell = assign(config.sums[column], row, *value);
            let is_here = |pieces: &Vec<Piece>| match pieces[..] {
                [piece] => (piece.column, piece.row) == (column, row),
                _ => false,
            };
            if let Some(limb) = limbs.iter().position(is_here) {
                self.cells.place(id, limb, cell);
            }
        }
        let split: Vec<_> = self.block.split_limbs().collect();
        let first = self.block.first_whole();
        for (number, value) in written.operands.iter().enumerate() {
            let (column, row) = self.block.place(number);
            let cell = assign(config.operands[column], row, *value);
            match number.checked_sub(first) {
                Some(whole) => self.cells.place(id, split[whole], cell),
                None => self.cells.place(id, limbs.len() + number, cell),
            }
        }
    }

    fn assign_fixed(
        &self,
        config: &ForeignConfig,
        region: &mut Region<Fr>,
        id: usize,
        record: &Record,
    ) {
        let start = id * self.block.rows();
        let place = record.place;
        let mut assign = |column: Column<Fixed>, row: usize, value: Fr| {
            if !bool::from(value.is_zero()) {
                region.assign_fixed(column, start + row, value);
            }
        };
        let factor = power(self.block.format().lookup_bits());
        let mut patterns: Vec<_> = config.factors.iter().zip(self.block.patterns()).collect();
        patterns.sort_by_key(|(column, _)| column.index());
        patterns.dedup_by_key(|(column, _)| column.index());
        for (column, pattern) in patterns {
            for (row, goes_on) in pattern.iter().enumerate() {
                assign(*column, row, range::factor(place, *goes_on, factor));
                #[cfg(debug_assertions)]
                range::credit(place, *column, start + row);
            }
        }
        for (number, value) in record.prepared.fixed.iter().enumerate() {
            let (column, row) = self.block.place(number);
            assign(config.fixed[column], row, biguint_to_fe(value));
        }
        let (one, none) = (Fr::one(), Fr::zero());
        let (place, tag, digit, ask) = match record.role {
            Role::Plain => (place, none, none, none),
            Role::Entry { place, table, digit } => {
                (place, tag(table), Fr::from(u64::from(digit)), none)
            }
            Role::Asks(Asked { table, .. }) => (place, -tag(table), none, one),
        };
        let mut cells = vec![((config.select, "relation"), record.place, one)];
        if let Some(columns) = config.digits {
            cells.push(((columns.tag, "tag"), place, tag));
            cells.push(((columns.digit, "digit"), place, digit));
            cells.push(((columns.ask, "ask"), place, ask));
        }
        if let Some(column) = config.apart {
            let apart = record.prepared.equation.is_apart();
            cells.push(((column, "apart"), record.place, Fr::from(u64::from(apart))));
        }
        for (column, place, value) in cells {
            if !bool::from(value.is_zero()) {
                border::assign_fixed(place, region, column, start, value);
            }
        }
    }
}

/// The table's number as a tag: not 0, and far below half of the native prime.
fn tag(table: usize) -> Fr {
    Fr::from(table as u64 + 1)
}
