//! The Poseidon permutation: two cells an S-box, several S-boxes a row.

use std::cell::RefCell;

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::bn256::Fr,
        plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
        poly::Rotation,
    },
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
    AssignedValue, QuantumCell,
};
use rayon::prelude::*;

use super::{border, cells::Cells, place::Place};
use crate::hash::poseidon::{PoseidonSpec, FULL_ROUNDS, MIN_WIDTH, PARTIAL_ROUNDS};

mod schedule;
#[cfg(test)]
mod tests;
mod trace;

use schedule::{Combination, Schedule};
use trace::{Rows, Trace};

/// Role of a row in the column `role`.
const FULL: u64 = 1;
const ENTRY: u64 = 2;
const RECURRENCE: u64 = 3;
/// Role of a row in the column `sbox`.
const SBOX: u64 = 1;
const EXIT: u64 = 2;

/// Columns of the Poseidon gate for one width.
#[derive(Clone, Debug)]
pub struct PoseidonConfig {
    lanes: Vec<Lane>,
    /// Offsets of the S-boxes.
    offsets: Vec<Column<Fixed>>,
    /// Not zero on the rows of S-boxes; one of them is the exit, too.
    sbox: Column<Fixed>,
    /// What the row says of later rows.
    role: Column<Fixed>,
}

/// Columns of one permutation at a time.
#[derive(Clone, Debug)]
struct Lane {
    inputs: Vec<Column<Advice>>,
    powers: Vec<Column<Advice>>,
}

impl PoseidonConfig {
    /// Adds `lanes` lanes of `2·columns` columns for permutations of `width` elements.
    ///
    /// A lane holds S-box inputs `u` and the powers `q = (u + c)⁴`, `columns` of each a row,
    /// elements in row-major order; the offsets `c` are fixed columns. An S-box gives
    /// `y = (u + c)·q`. With `h = ⌈width/columns⌉` rows a state:
    ///
    /// ```text
    /// rows                    u                               role
    /// 4·h                     S-box inputs of full rounds     full: u' = M·y   (the last: entry)
    /// ⌈partial/columns⌉       S-box inputs of partial rounds  recurrence       (one near the end: exit)
    /// 4·h                     S-box inputs of full rounds     full
    /// h                       the state after the last round  none
    /// ```
    ///
    /// The first `h` rows are the state before the permutation. `entry`, `recurrence` and `exit`
    /// are the linear maps of `schedule`; every role gives the `u` that lie `h` rows below its row.
    /// The lanes run in step, so they share the fixed columns. Degree: a role is selected in
    /// degree 3 and `y` has degree 2; `q` is selected in degree 1 and its power has degree 4.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        width: usize,
        columns: usize,
        lanes: usize,
    ) -> Self {
        let shape = Rows::new(PoseidonSpec::get(width), columns);
        let schedule = Schedule::new(PoseidonSpec::get(width), shape.entries(), shape.slots());
        let lanes = (0..lanes)
            .map(|_| Lane {
                inputs: (0..columns).map(|_| meta.advice_column()).collect(),
                powers: (0..columns).map(|_| meta.advice_column()).collect(),
            })
            .collect();
        let config = Self {
            lanes,
            offsets: (0..columns).map(|_| meta.fixed_column()).collect(),
            sbox: meta.fixed_column(),
            role: meta.fixed_column(),
        };
        for lane in &config.lanes {
            lane.inputs.iter().for_each(|column| meta.enable_equality(*column));
            config.sbox_gate(meta, lane);
            config.round_gate(meta, lane, &schedule, &shape);
            config.exit_gate(meta, lane, &schedule, &shape);
        }
        config
    }

    #[cfg(any(test, feature = "forgery"))]
    pub(super) fn advice(&self) -> impl Iterator<Item = Column<Advice>> + '_ {
        self.lanes.iter().flat_map(|lane| lane.inputs.iter().chain(&lane.powers)).copied()
    }

    /// `q = (u + c)⁴` on the rows of S-boxes.
    fn sbox_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &Lane) {
        border::create_gate(meta, "poseidon: fourth power", |meta| {
            let is_sbox = meta.query_fixed(self.sbox, Rotation::cur());
            let columns = self.offsets.len();
            let mut query = Query { meta, lane, config: self, columns };
            let power = |column| {
                let x = query.shifted(column);
                let square = x.clone() * x;
                let fourth = square.clone() * square;
                ("fourth power", is_sbox.clone() * (query.power(column) - fourth))
            };
            (0..columns).map(power).collect::<Vec<_>>()
        });
    }

    /// `u' = M·y` between full rounds, the first inputs of the partial rounds, and the later ones.
    fn round_gate(
        &self,
        meta: &mut ConstraintSystem<Fr>,
        lane: &Lane,
        schedule: &Schedule,
        shape: &Rows,
    ) {
        border::create_gate(meta, "poseidon: full round, entry, recurrence", |meta| {
            let role = meta.query_fixed(self.role, Rotation::cur());
            let [is_full, is_entry, is_recurrence] =
                [FULL, ENTRY, RECURRENCE].map(|chosen| selects(&role, chosen));
            let mut query = Query { meta, lane, config: self, columns: shape.columns };
            let outputs: Vec<_> = (0..schedule.width).map(|i| query.output(i)).collect();
            let mut constraints = vec![];
            let next = shape.entries();
            for (i, row) in schedule.mds.iter().enumerate() {
                let sum = linear(row, &outputs);
                constraints.push(("full round", is_full.clone() * (query.input(next + i) - sum)));
            }
            for (j, Combination { inputs, outputs: partial }) in schedule.entry.iter().enumerate() {
                let earlier: Vec<_> = (0..partial.len()).map(|e| query.output(next + e)).collect();
                let sum = linear(inputs, &outputs) + linear(partial, &earlier);
                constraints.push(("entry", is_entry.clone() * (query.input(next + j) - sum)));
            }
            for column in 0..shape.columns {
                let target = next + column;
                let sum = query.window(&schedule.recurrence, target - schedule.width);
                constraints
                    .push(("recurrence", is_recurrence.clone() * (query.input(target) - sum)));
            }
            constraints
        });
    }

    /// The state behind the last partial round.
    fn exit_gate(
        &self,
        meta: &mut ConstraintSystem<Fr>,
        lane: &Lane,
        schedule: &Schedule,
        shape: &Rows,
    ) {
        border::create_gate(meta, "poseidon: exit", |meta| {
            let sbox = meta.query_fixed(self.sbox, Rotation::cur());
            let is_exit = sbox.clone() * (sbox - constant(SBOX));
            let mut query = Query { meta, lane, config: self, columns: shape.columns };
            let next = shape.entries();
            let (first, width) = (shape.exit_first, schedule.width);
            let state: Vec<_> = (0..width).map(|i| query.input(next + i)).collect();
            let outputs: Vec<_> = (0..width).map(|i| query.output(first + i)).collect();
            let exit = &schedule.solved_exit;
            let equation = |(i, (weights, earlier)): (usize, (&Vec<Fr>, &Vec<Fr>))| {
                let told = match i + 1 {
                    last if last == width => outputs[i].clone(),
                    input => query.input(first + input),
                };
                let told = told + linear(earlier, &outputs);
                ("exit", is_exit.clone() * (linear(weights, &state) - told))
            };
            exit.state.iter().zip(&exit.outputs).enumerate().map(equation).collect::<Vec<_>>()
        });
    }
}

/// A multiple of the indicator of `chosen` among the roles and 0.
fn selects(role: &Expression<Fr>, chosen: u64) -> Expression<Fr> {
    [FULL, ENTRY, RECURRENCE]
        .into_iter()
        .filter(|other| *other != chosen)
        .fold(role.clone(), |product, other| product * (constant(other) - role.clone()))
}

/// Queries of a lane by the index of an element, counted row-major from the gate's row.
struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    lane: &'a Lane,
    config: &'a PoseidonConfig,
    columns: usize,
}

impl Query<'_, '_> {
    fn place(&self, element: usize) -> (Rotation, usize) {
        (Rotation((element / self.columns) as i32), element % self.columns)
    }

    fn input(&mut self, element: usize) -> Expression<Fr> {
        let (rotation, column) = self.place(element);
        self.meta.query_advice(self.lane.inputs[column], rotation)
    }

    /// `u + c`.
    fn shifted(&mut self, element: usize) -> Expression<Fr> {
        let (rotation, column) = self.place(element);
        self.input(element) + self.meta.query_fixed(self.config.offsets[column], rotation)
    }

    fn power(&mut self, element: usize) -> Expression<Fr> {
        let (rotation, column) = self.place(element);
        self.meta.query_advice(self.lane.powers[column], rotation)
    }

    /// `y = (u + c)·q`.
    fn output(&mut self, element: usize) -> Expression<Fr> {
        self.shifted(element) * self.power(element)
    }

    /// A combination of `u(first+1..)` and `y(first..)`.
    fn window(&mut self, combination: &Combination, first: usize) -> Expression<Fr> {
        let inputs: Vec<_> =
            (0..combination.inputs.len()).map(|i| self.input(first + 1 + i)).collect();
        let outputs: Vec<_> =
            (0..combination.outputs.len()).map(|i| self.output(first + i)).collect();
        linear(&combination.inputs, &inputs) + linear(&combination.outputs, &outputs)
    }
}

fn constant(value: u64) -> Expression<Fr> {
    Expression::Constant(Fr::from(value))
}

fn linear(weights: &[Fr], terms: &[Expression<Fr>]) -> Expression<Fr> {
    weights
        .iter()
        .zip(terms)
        .filter(|(weight, _)| **weight != Fr::zero())
        .map(|(weight, term)| term.clone() * *weight)
        .reduce(|sum, term| sum + term)
        .unwrap_or(Expression::Constant(Fr::zero()))
}

/// Rows of one permutation of `width` elements with `columns` S-boxes a row; `None` if the rows of
/// its partial rounds cannot be laid out so. The constants of the permutation are not computed for it.
///
/// # Panics
/// If `width` is not in 2..=17.
pub fn rows_each(width: usize, columns: usize) -> Option<usize> {
    let rounds = (FULL_ROUNDS, PARTIAL_ROUNDS[width - MIN_WIDTH]);
    Rows::of_rounds(width, rounds, columns).map(|rows| rows.total())
}

/// Records permutations and writes them to the columns of a [`PoseidonConfig`].
#[derive(Debug)]
pub struct PoseidonChip {
    shape: Rows,
    schedule: Schedule,
    lanes: usize,
    cells: Cells,
    permutations: RefCell<Vec<Vec<Fr>>>,
}

impl PoseidonChip {
    /// A chip for permutations of `width` elements (2 to 17), laid out in `lanes` lanes of
    /// `columns` S-boxes a row.
    pub fn new(
        (width, columns, lanes): (usize, usize, usize),
        copies: SharedCopyConstraintManager<Fr>,
        witness_gen_only: bool,
    ) -> Self {
        let spec = PoseidonSpec::get(width);
        let shape = Rows::new(spec, columns);
        let type_id = TYPE_IDS[width - 2];
        Self {
            schedule: Schedule::new(spec, shape.entries(), shape.slots()),
            shape,
            lanes,
            cells: Cells::new(type_id, copies, witness_gen_only),
            permutations: RefCell::default(),
        }
    }

    /// Elements of the state.
    pub fn width(&self) -> usize {
        self.schedule.width
    }

    /// Applies the permutation to `state`; gives the cells of the state before and after it.
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
        let mut values: Vec<Fr> = state.iter().map(|cell| *cell.value()).collect();
        permutations.push(values.clone());
        crate::hash::poseidon::native::permute(PoseidonSpec::get(width), &mut values);
        let after =
            values.iter().enumerate().map(|(i, v)| self.cells.name(id, width + i, *v)).collect();
        Permuted { before, after }
    }

    /// Permutations recorded so far.
    pub fn count(&self) -> usize {
        self.permutations.borrow().len()
    }

    /// Rows of one permutation in a lane.
    pub fn rows_each(&self) -> usize {
        self.shape.total()
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

/// One name a width, so that chips of two widths may live in one circuit.
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
