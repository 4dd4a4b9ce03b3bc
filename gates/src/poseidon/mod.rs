//! The Poseidon permutation: two cells per S-box, several S-boxes per row.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! # use halo2_base::QuantumCell::{Constant, Witness};
//! use muster_gates::{vertical, GateCircuit, Layout, PoseidonLayout};
//! use muster_schemes::hash::poseidon;
//!
//! let layout = Layout {
//!     k: 7,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 4,
//!     constant_rows: 8,
//!     poseidon: vec![PoseidonLayout { width: 3, columns: 3, lanes: 1 }],
//!     ..Layout::default()
//! };
//! let inputs = [Fr::from(1), Fr::from(2)];
//! let holds = |claimed: Fr| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         let [a, b] = inputs.map(Witness);
//!         let state = ctx.chips.poseidon(3).permute(&[Constant(Fr::zero()), a, b]);
//!         let digest = ctx.load_witness(claimed);
//!         vertical::assert_equal(ctx, &state.after[0], &digest);
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! assert!(holds(poseidon::hash(&inputs)));
//! assert!(!holds(poseidon::hash(&inputs) + Fr::one()));
//! ```

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

use super::{border, PoseidonLayout};
use muster_schemes::hash::poseidon::{PoseidonSpec, FULL_ROUNDS, MIN_WIDTH, PARTIAL_ROUNDS};

mod chip;
mod schedule;
#[cfg(test)]
mod tests;
mod trace;

pub use chip::{Permuted, PoseidonChip};
use schedule::{Combination, Schedule};
use trace::{Rows, ENTRY, FULL, RECURRENCE, SBOX};

/// Columns of the Poseidon gate for one width.
#[derive(Clone, Debug)]
pub struct PoseidonConfig {
    lanes: Vec<Lane>,
    /// Offsets of the S-boxes.
    offsets: Vec<Column<Fixed>>,
    /// Not zero on the rows of S-boxes, one of which is also the exit.
    sbox: Column<Fixed>,
    /// By which linear map the row determines later rows.
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
    /// A lane holds S-box inputs `u` and the powers `q = (u + c)⁴`, `columns` of each per row,
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
        &PoseidonLayout { width, columns, lanes }: &PoseidonLayout,
    ) -> Self {
        let shape = Rows::new(PoseidonSpec::get(width), columns);
        let schedule = Schedule::of(width, shape.entries(), shape.slots());
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

    /// The state after the last partial round.
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

/// Rows of one permutation of `width` elements with `columns` S-boxes per row; `None` if the rows
/// of its partial rounds cannot be laid out that way. This does not compute the constants of the
/// permutation.
///
/// # Panics
/// If `width` is not in 2..=17.
pub fn rows_each(width: usize, columns: usize) -> Option<usize> {
    let rounds = (FULL_ROUNDS, PARTIAL_ROUNDS[width - MIN_WIDTH]);
    Rows::of_rounds(width, rounds, columns).map(|rows| rows.total())
}
