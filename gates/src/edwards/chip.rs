//! Records rows of lanes and writes them.

use std::cell::RefCell;

use super::{
    rows::{scale, LaneRows, Row},
    EdwardsConfig, WIDTH, X1, Y1,
};
use crate::{
    border,
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    Layout, Usage,
};
use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::bn256::Fr,
        plonk::ConstraintSystem,
    },
    virtual_region::manager::VirtualRegionManager,
    AssignedValue, QuantumCell,
};

const TYPE_ID: &str = "muster-gadgets:gate:edwards";

/// Records point tables and products, and writes them to the columns of an [`EdwardsConfig`].
#[derive(Debug)]
pub struct EdwardsChip {
    cells: Cells,
    pub(super) lanes: Vec<RefCell<LaneRows>>,
}

impl EdwardsChip {
    /// Number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Rows that the fullest lane takes.
    pub fn rows(&self) -> usize {
        self.lanes.iter().map(|lane| lane.borrow().rows.len()).max().unwrap_or(0)
    }

    /// Whether only rows are counted, so that no point has to be computed.
    pub(super) fn counts_only(&self) -> bool {
        self.cells.counts_only()
    }

    /// Notes that a cell is named. A prover's circuit places no names, and what is only counted is not placed.
    fn note(&self, rows: &mut LaneRows, cell: (usize, usize)) {
        if !self.cells.witness_gen_only() && !self.counts_only() {
            rows.named.insert(cell);
        }
    }

    /// Names the cell `(row, column)` of `lane`.
    pub(super) fn name(
        &self,
        lane: usize,
        rows: &mut LaneRows,
        (row, column): (usize, usize),
    ) -> AssignedValue<Fr> {
        self.note(rows, (row, column));
        self.cells.name(lane, row * WIDTH + column, rows.rows[row].advice[column])
    }

    /// Writes `input` to the cell `(row, column)` of `lane` and binds it.
    #[track_caller]
    pub(super) fn bind(
        &self,
        lane: usize,
        rows: &mut LaneRows,
        (row, column): (usize, usize),
        input: &QuantumCell<Fr>,
    ) -> AssignedValue<Fr> {
        self.note(rows, (row, column));
        rows.rows[row].advice[column] = *input.value();
        self.cells.bind((Place::here(), column), lane, row * WIDTH + column, input)
    }

    /// Binds the accumulator of row `to` to that of row `from`.
    #[track_caller]
    pub(super) fn pass_on(&self, lane: usize, rows: &mut LaneRows, from: usize, to: usize) {
        for column in [X1, Y1] {
            let source = self.name(lane, rows, (from, column));
            self.bind(lane, rows, (to, column), &QuantumCell::Existing(source));
        }
    }
}

fn assign_fixed(config: &EdwardsConfig, region: &mut Region<Fr>, rows: &[Row]) {
    for (offset, row) in rows.iter().enumerate() {
        let fixed = &row.fixed;
        for (column, value) in [
            ((config.step, "step"), Fr::from(fixed.step as u64)),
            ((config.addend, "addend"), Fr::from(fixed.addend as u64)),
            ((config.scale, "scale"), scale(fixed.multiple)),
            ((config.lookup, "lookup"), Fr::from(u64::from(fixed.lookup))),
            ((config.member, "member"), Fr::from(u64::from(fixed.member))),
            ((config.key, "key"), fixed.key.value()),
        ] {
            border::assign_fixed(fixed.place, region, column, offset, value);
        }
    }
}

impl Gate for EdwardsChip {
    type Shape = usize;
    type Columns = EdwardsConfig;

    fn shapes(layout: &Layout) -> Vec<usize> {
        Some(layout.edwards_lanes).filter(|lanes| *lanes > 0).into_iter().collect()
    }

    fn width(shape: &usize) -> usize {
        WIDTH * shape
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        shape: &usize,
        _: &mut LimbTable,
    ) -> EdwardsConfig {
        EdwardsConfig::configure(meta, *shape)
    }

    fn new(lanes: &usize, cells: NewCells) -> Self {
        Self { cells: cells(TYPE_ID), lanes: (0..*lanes).map(|_| RefCell::default()).collect() }
    }

    fn report(&self, usage: &mut Usage) {
        usage.edwards_rows += self.rows();
    }

    fn fits(&self, rows: usize) -> bool {
        // One row stays empty: it is the entry of rows that look nothing up.
        self.rows() < rows
    }
}

impl VirtualRegionManager<Fr> for EdwardsChip {
    /// The columns and the number of usable rows.
    type Config = (EdwardsConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, usable): &Self::Config, region: &mut Region<Fr>) {
        // One row stays empty: it is the entry (0, 0, 0) of rows that look nothing up.
        assert!(self.rows() < *usable, "products fit the rows and leave one free");
        let first = self.lanes[0].borrow();
        for (id, lane) in self.lanes.iter().enumerate() {
            let lane = lane.borrow();
            assert!(
                lane.rows.len() == first.rows.len()
                    && lane.rows.iter().zip(&first.rows).all(|(l, r)| l.fixed == r.fixed),
                "lanes have one shape"
            );
            for (offset, row) in lane.rows.iter().enumerate() {
                for (column, value) in row.advice.into_iter().enumerate() {
                    let value = Value::known(value);
                    let cell = region.assign_advice(config.lanes[id][column], offset, value).cell();
                    if lane.named.contains(&(offset, column)) {
                        self.cells.place(id, offset * WIDTH + column, cell);
                    }
                }
            }
        }
        if !self.cells.witness_gen_only() {
            assign_fixed(config, region, &first.rows);
        }
    }
}
