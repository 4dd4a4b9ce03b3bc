//! Records a set and lookups in it, and writes them.

use std::cell::RefCell;

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::bn256::Fr,
        plonk::ConstraintSystem,
    },
    virtual_region::manager::VirtualRegionManager,
    AssignedValue, QuantumCell,
};

use super::{AssignedMember, SetConfig};
use crate::{
    base::BaseContext,
    border,
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    small::Small,
    Layout, Usage,
};

const TYPE_ID: &str = "muster-gadgets:gate:set";
/// The column of offsets; those of elements follow it.
const OFFSET: usize = 0;

/// An entry to look up, as the prover claims it.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its index.
    pub index: Fr,
    /// Its elements.
    pub elements: Vec<AssignedValue<Fr>>,
    /// The weight that the elements state, whatever they are; it is returned with the index.
    pub weight: AssignedValue<Fr>,
}

/// A row, its key, and whether it is a lookup.
#[derive(Clone, Debug)]
struct Row {
    advice: Vec<Fr>,
    key: Fr,
    looks_up: bool,
    place: Place,
}

/// Records one set and lookups in it, and writes them to the columns of a [`SetConfig`].
#[derive(Debug)]
pub struct SetChip {
    cells: Cells,
    elements: usize,
    rows: RefCell<Vec<Row>>,
}

impl SetChip {
    /// Elements of an entry.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Rows taken so far.
    pub fn rows(&self) -> usize {
        self.rows.borrow().len()
    }

    /// Records a set: entry `i` has the index `i`.
    ///
    /// # Panics
    /// If there is a set already, since its entries would have the same keys, or if an entry has another number of
    /// elements.
    #[track_caller]
    pub fn set(&self, entries: &[Vec<QuantumCell<Fr>>]) {
        assert_eq!(self.rows(), 0, "there is one set");
        for (i, entry) in entries.iter().enumerate() {
            self.record(Fr::from(1 + i as u64), false, Fr::zero(), entry);
        }
    }

    /// Looks up entries by indices that increase from one to the next by at most `2^bits`, in whole lookups; returns
    /// their indices and weights.
    ///
    /// The first offset is range-checked, and each one exceeds the one before by a range-checked gap, so all of them are
    /// small integers: they point at entries and at nothing else.
    ///
    /// # Panics
    /// If `wanted` is empty, or `bits` is so large that an index could wrap around the field.
    pub fn look_up(
        &self,
        ctx: &mut BaseContext,
        bits: usize,
        wanted: &[Wanted],
    ) -> Vec<AssignedMember> {
        let found: Vec<_> = wanted.iter().enumerate().map(|(i, one)| self.find(i, one)).collect();
        let first = Small::checked(ctx.range, found[0].offset(), bits);
        let offsets: Vec<_> = found[1..].iter().map(AssignedMember::offset).collect();
        ctx.range.assert_increasing(ctx, bits, (&first, &offsets), |_| 0);
        found
    }

    /// Looks up one entry by an offset that nothing bounds yet.
    #[track_caller]
    fn find(&self, slot: usize, wanted: &Wanted) -> AssignedMember {
        let key = -Fr::from(1 + slot as u64);
        let offset = wanted.index - Fr::from(slot as u64);
        let elements: Vec<_> = wanted.elements.iter().copied().map(QuantumCell::Existing).collect();
        let row = self.record(key, true, offset, &elements);
        let offset = self.cells.name(row, OFFSET, offset);
        AssignedMember::assume_found(slot as u64, offset, wanted.weight)
    }

    /// Adds a row; returns its number.
    #[track_caller]
    fn record(&self, key: Fr, looks_up: bool, offset: Fr, elements: &[QuantumCell<Fr>]) -> usize {
        assert_eq!(elements.len(), self.elements, "the elements of an entry");
        let place = Place::here();
        let mut rows = self.rows.borrow_mut();
        let row = rows.len();
        let mut advice = vec![];
        if !self.cells.counts_only() {
            advice.push(offset);
            advice.extend(elements.iter().map(|element| *element.value()));
        }
        for (i, element) in elements.iter().enumerate() {
            self.cells.bind((place, i), row, 1 + i, element);
        }
        rows.push(Row { advice, key, looks_up, place });
        row
    }
}

impl Gate for SetChip {
    /// Elements of an entry.
    type Shape = usize;
    type Columns = SetConfig;

    fn shapes(layout: &Layout) -> Vec<usize> {
        Some(layout.set_elements).filter(|elements| *elements > 0).into_iter().collect()
    }

    fn width(elements: &usize) -> usize {
        1 + elements
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        elements: &usize,
        _: &mut LimbTable,
    ) -> SetConfig {
        SetConfig::configure(meta, *elements)
    }

    fn new(elements: &usize, cells: NewCells) -> Self {
        Self { cells: cells(TYPE_ID), elements: *elements, rows: RefCell::default() }
    }

    fn report(&self, usage: &mut Usage) {
        usage.set_rows += self.rows();
    }

    fn fits(&self, rows: usize) -> bool {
        // One row stays empty: it is the entry of rows that look nothing up.
        self.rows() < rows
    }
}

impl VirtualRegionManager<Fr> for SetChip {
    /// The columns and the number of usable rows.
    type Config = (SetConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, usable): &Self::Config, region: &mut Region<Fr>) {
        let rows = self.rows.borrow();
        assert!(rows.len() < *usable, "the set fits the rows and leaves one free");
        let columns: Vec<_> =
            [config.offset].into_iter().chain(config.elements.iter().copied()).collect();
        for (number, row) in rows.iter().enumerate() {
            for (column, value) in row.advice.iter().enumerate() {
                let value = Value::known(*value);
                let cell = region.assign_advice(columns[column], number, value).cell();
                self.cells.place(number, column, cell);
            }
            if !self.cells.witness_gen_only() {
                let lookup = Fr::from(u64::from(row.looks_up));
                border::assign_fixed(row.place, region, (config.key, "key"), number, row.key);
                border::assign_fixed(row.place, region, (config.lookup, "lookup"), number, lookup);
            }
        }
    }
}
