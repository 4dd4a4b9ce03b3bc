//! Records permutations and writes their rows.

use std::{cell::RefCell, sync::Arc};

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::bn256::Fr,
        plonk::ConstraintSystem,
    },
    virtual_region::manager::VirtualRegionManager,
    AssignedValue, QuantumCell,
};
use rayon::prelude::*;

use super::{
    schedule::Schedule,
    trace::{Rows, Trace},
    Lane, PoseidonConfig,
};
use crate::{
    border,
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    Layout, PoseidonLayout, Usage,
};
use muster_schemes::hash::poseidon::{native, PoseidonSpec};

/// Records permutations and writes them to the columns of a [`PoseidonConfig`].
#[derive(Debug)]
pub struct PoseidonChip {
    shape: Rows,
    schedule: Arc<Schedule>,
    lanes: usize,
    cells: Cells,
    permutations: RefCell<Vec<Vec<Fr>>>,
    /// A permutation, and the element of its state that differs from what was given.
    #[cfg(debug_assertions)]
    lie: std::cell::Cell<Option<(usize, usize)>>,
}

impl PoseidonChip {
    /// Elements of the state.
    pub fn width(&self) -> usize {
        self.schedule.width
    }

    /// Applies the permutation to `state`; returns the cells of the state before and after it.
    ///
    /// # Panics
    /// If `state` does not have [`Self::width`] elements.
    #[track_caller]
    pub fn permute(&self, state: &[QuantumCell<Fr>]) -> Permuted {
        let width = self.width();
        assert_eq!(state.len(), width, "a state has as many elements as the permutation");
        let mut permutations = self.permutations.borrow_mut();
        let id = permutations.len();
        let place = Place::here();
        let bind = |(i, cell)| self.cells.bind((place, i), id, i, cell);
        let before: Vec<_> = state.iter().enumerate().map(bind).collect();
        if self.cells.counts_only() {
            permutations.push(vec![]);
            let after = (0..width).map(|i| self.cells.name(id, width + i, Fr::zero())).collect();
            return Permuted { before, after };
        }
        let mut values: Vec<Fr> = state.iter().map(|cell| *cell.value()).collect();
        #[cfg(debug_assertions)]
        if let Some((_, element)) = self.lie.get().filter(|(lied, _)| *lied == id) {
            values[element] += Fr::one();
        }
        permutations.push(values.clone());
        native::permute(PoseidonSpec::get(width), &mut values);
        let after =
            values.iter().enumerate().map(|(i, v)| self.cells.name(id, width + i, *v)).collect();
        Permuted { before, after }
    }

    /// Makes permutation `permutation` take another value for `element` than it is given.
    #[cfg(debug_assertions)]
    pub fn lie(&self, permutation: usize, element: usize) {
        self.lie.set(Some((permutation, element)));
    }

    /// Permutations recorded so far.
    pub fn count(&self) -> usize {
        self.permutations.borrow().len()
    }

    /// Advice cells of one permutation.
    pub fn cells_each(&self) -> usize {
        self.shape.cells()
    }
}

/// The cells at both ends of a permutation.
#[derive(Clone, Debug)]
pub struct Permuted {
    /// The state before the first round, bound to what was given.
    pub before: Vec<AssignedValue<Fr>>,
    /// The state after the last round.
    pub after: Vec<AssignedValue<Fr>>,
}

/// One name for each width, so that chips of two widths may live in one circuit.
const TYPE_IDS: [&str; 16] = [
    "muster-gadgets:gate:poseidon:2",
    "muster-gadgets:gate:poseidon:3",
    "muster-gadgets:gate:poseidon:4",
    "muster-gadgets:gate:poseidon:5",
    "muster-gadgets:gate:poseidon:6",
    "muster-gadgets:gate:poseidon:7",
    "muster-gadgets:gate:poseidon:8",
    "muster-gadgets:gate:poseidon:9",
    "muster-gadgets:gate:poseidon:10",
    "muster-gadgets:gate:poseidon:11",
    "muster-gadgets:gate:poseidon:12",
    "muster-gadgets:gate:poseidon:13",
    "muster-gadgets:gate:poseidon:14",
    "muster-gadgets:gate:poseidon:15",
    "muster-gadgets:gate:poseidon:16",
    "muster-gadgets:gate:poseidon:17",
];

impl PoseidonChip {
    fn assign_fixed(&self, config: &PoseidonConfig, region: &mut Region<Fr>, start: usize) {
        for (row, offsets) in self.shape.offsets(&self.schedule).into_iter().enumerate() {
            for (column, offset) in config.offsets.iter().zip(offsets) {
                let column = (*column, "offset");
                border::assign_fixed(Place::all(), region, column, start + row, *offset);
            }
        }
        for (row, roles) in self.shape.roles().into_iter().enumerate() {
            let columns = [(config.sbox, "sbox"), (config.role, "role")];
            for (column, role) in columns.into_iter().zip(roles) {
                let role = Fr::from(role);
                border::assign_fixed(Place::all(), region, column, start + row, role);
            }
        }
    }

    fn assign_trace(
        &self,
        lane: &Lane,
        region: &mut Region<Fr>,
        (id, start): (usize, usize),
        trace: &Trace,
    ) {
        let width = self.width();
        let output = self.shape.output_row() * self.shape.columns;
        for (element, input) in trace.inputs.iter().enumerate() {
            let (row, column) = (element / self.shape.columns, element % self.shape.columns);
            let value = Value::known(*input);
            let cell = region.assign_advice(lane.inputs[column], start + row, value).cell();
            match element.checked_sub(output) {
                Some(i) if i < width => self.cells.place(id, width + i, cell),
                None if element < width => self.cells.place(id, element, cell),
                _ => {}
            }
            if let Some(power) = trace.powers.get(element) {
                let power = Value::known(*power);
                region.assign_advice(lane.powers[column], start + row, power);
            }
        }
    }
}

impl Gate for PoseidonChip {
    type Shape = PoseidonLayout;
    type Columns = PoseidonConfig;

    fn shapes(layout: &Layout) -> Vec<PoseidonLayout> {
        layout.poseidon.clone()
    }

    fn width(shape: &PoseidonLayout) -> usize {
        2 * shape.columns * shape.lanes
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        shape: &PoseidonLayout,
        _: &mut LimbTable,
    ) -> PoseidonConfig {
        PoseidonConfig::configure(meta, shape)
    }

    fn new(&PoseidonLayout { width, columns, lanes }: &PoseidonLayout, cells: NewCells) -> Self {
        let spec = PoseidonSpec::get(width);
        let shape = Rows::new(spec, columns);
        let type_id = TYPE_IDS[width - 2];
        Self {
            schedule: Schedule::of(width, shape.entries(), shape.slots()),
            shape,
            lanes,
            cells: cells(type_id),
            permutations: RefCell::default(),
            #[cfg(debug_assertions)]
            lie: std::cell::Cell::default(),
        }
    }

    fn report(&self, usage: &mut Usage) {
        let cells = self.count() * self.cells_each();
        usage.poseidon.push((self.width(), self.count(), cells));
    }

    fn fits(&self, rows: usize) -> bool {
        self.count().div_ceil(self.lanes) * self.shape.total() <= rows
    }
}

impl VirtualRegionManager<Fr> for PoseidonChip {
    /// The columns and the number of usable rows.
    type Config = (PoseidonConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, rows): &Self::Config, region: &mut Region<Fr>) {
        let permutations = self.permutations.borrow();
        let each = self.shape.total();
        assert!(
            permutations.len().div_ceil(self.lanes) * each <= *rows,
            "permutations fit the rows"
        );
        let (schedule, shape) = (&self.schedule, &self.shape);
        // The lanes share their roles, so a lane without work of its own permutes zeros.
        let idle = permutations.len().next_multiple_of(self.lanes) - permutations.len();
        let zeros = vec![Fr::zero(); self.width()];
        let traces: Vec<_> = permutations
            .par_iter()
            .chain(rayon::iter::repeat_n(&zeros, idle))
            .map(|state| Trace::new(schedule, shape, state))
            .collect();
        for (id, trace) in traces.iter().enumerate() {
            let start = id / self.lanes * each;
            if id % self.lanes == 0 && !self.cells.witness_gen_only() {
                self.assign_fixed(config, region, start);
            }
            self.assign_trace(&config.lanes[id % self.lanes], region, (id, start), trace);
        }
    }
}
