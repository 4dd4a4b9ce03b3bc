//! The cells of blocks, as they are written to the columns.

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, Fixed},
    },
    utils::{bigint_to_fe, biguint_to_fe},
    virtual_region::manager::VirtualRegionManager,
};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use rayon::prelude::*;

use super::{
    block::{Block, OperandCell, Piece, APART_CELLS},
    chip::ForeignChip,
    equation::Source,
    power,
    witness::{Asked, Prepared, Record, Role},
    ForeignConfig,
};
use crate::{border, range};

/// The advice cells of a block, column by column.
struct Written {
    sums: Vec<Fr>,
    operands: Vec<Fr>,
}

impl Written {
    fn new(block: &Block, records: &[Record], id: usize) -> Self {
        let record = &records[id];
        let sources = sources(records, id);
        let witness = record.prepared.witness(&sources);
        let mut written = Self {
            sums: vec![Fr::zero(); block.columns() * block.rows()],
            operands: vec![Fr::zero(); block.operand_cells()],
        };
        let result: Vec<_> = record.result.iter().map(|limb| limb.magnitude().clone()).collect();
        for (numbers, pieces) in [
            (&result, &block.result),
            (&witness.quotient, &block.quotient),
            (&witness.carries, &block.carries),
        ] {
            for (number, pieces) in numbers.iter().zip(pieces) {
                pieces.iter().for_each(|piece| written.put(block, number, piece));
            }
        }
        if let Some(spare) = &block.spare {
            let (column, row) = block.top_digit();
            let shift = power(block.format().spare_bits());
            let top = written.sums[column * block.rows() + row];
            written.sums[spare.column * block.rows() + spare.row] = top * shift;
        }
        for limb in block.split_limbs() {
            let cell = block.operand(OperandCell::Whole(limb));
            written.operands[cell] = small(&result[limb]);
        }
        for (operand, limbs) in record.operands.iter().enumerate() {
            for (limb, value) in limbs.iter().enumerate() {
                let cell = block.operand(OperandCell::Limb(operand, limb));
                written.operands[cell] = bigint_to_fe(value);
            }
        }
        let asks = match record.role {
            Role::Asks(asked) => {
                written.put_digit(block, asked);
                true
            }
            Role::Plain | Role::Entry { .. } => false,
        };
        if asks || record.prepared.equation.is_apart() {
            written.put_difference(block, &record.prepared, &sources);
        }
        written
    }

    /// A piece of a number: its digits from `below` on.
    fn put(&mut self, block: &Block, number: &BigUint, piece: &Piece) {
        let bits = block.format().lookup_bits();
        let mask = (BigUint::one() << (bits * piece.lookups)) - 1u8;
        let part = (number >> (bits * piece.below)) & mask;
        for i in 0..piece.lookups {
            let cell = piece.column * block.rows() + piece.row + i;
            self.sums[cell] = small(&(&part >> (bits * i)));
        }
    }

    fn put_digit(&mut self, block: &Block, Asked { digit, before, after, .. }: Asked) {
        for (cell, value) in [
            (OperandCell::Sign, bigint_to_fe(&digit.signum().into())),
            (OperandCell::Magnitude, Fr::from(u64::from(digit.unsigned_abs()))),
            (OperandCell::Before, before),
            (OperandCell::After, after),
        ] {
            self.operands[block.operand(cell)] = value;
        }
    }

    fn put_difference(&mut self, block: &Block, prepared: &Prepared, sources: &[Vec<BigInt>]) {
        for (cell, value) in APART_CELLS.into_iter().zip(prepared.apart(sources)) {
            self.operands[block.operand(cell)] = value;
        }
    }
}

/// The limbs of a relation's sources.
fn sources(records: &[Record], id: usize) -> Vec<Vec<BigInt>> {
    let record = &records[id];
    let limbs = |source: &Source| match (*source, &record.role) {
        (Source::Result, _) => record.result.clone(),
        (Source::Back(blocks), _) => records[id - blocks].result.clone(),
        (Source::Operand(operand), _) => record.operands[operand].clone(),
        (Source::Turned, Role::Asks(Asked { digit, .. })) => {
            record.operands[1].iter().map(|limb| limb * digit.signum()).collect()
        }
        (Source::Turned, _) => unreachable!("only a digit asks for entries"),
        (Source::Above(operand), _) => records[id - 1].operands[operand].clone(),
    };
    record.prepared.sources.iter().map(limbs).collect()
}

/// A number, with a fast path if it fits a word.
fn small(number: &BigUint) -> Fr {
    match u64::try_from(number) {
        Ok(word) => Fr::from(word),
        Err(_) => biguint_to_fe(number),
    }
}

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
