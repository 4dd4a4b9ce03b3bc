//! The linear algebra that lets a partial round cost one S-box.
//!
//! Between two S-boxes of the partial rounds the state is linear, so it need not be written down.
//! Write `M = (m₀₀ a; b A)` for the MDS matrix, `y` for the S-box output of lane 0 and `s` for the
//! other lanes. With the round constants moved into the S-boxes' offsets the rounds are
//!
//! ```text
//! u(r+1) = m₀₀·y(r) + a·s(r),    s(r+1) = b·y(r) + A·s(r)
//! ```
//!
//! where `u(r)` is what enters the S-box of partial round `r`, before its offset. `s(r)` is
//! determined by the next `t-1` inputs `u(r+1), …, u(r+t-1)` and the outputs `y(r), …, y(r+t-2)`:
//! the matrix with the rows `a·Aⁱ` is invertible (checked when a schedule is made). Hence `u(r+t)`
//! is a fixed linear combination of `u(r+1..r+t)` and `y(r..r+t)`, the same in every round.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use ff::Field;
use halo2curves::bn256::Fr;

use muster_schemes::hash::poseidon::PoseidonSpec;

type Row = Vec<Fr>;
type Matrix = Vec<Row>;

/// Coefficients of a linear combination of S-box inputs `u` and S-box outputs `y`.
#[derive(Clone, Debug)]
pub(super) struct Combination {
    pub(super) inputs: Row,
    pub(super) outputs: Row,
}

/// Constants of one permutation width, in the form that the gate needs.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) width: usize,
    /// Rounds of each half of the full rounds.
    pub(super) half_full_rounds: usize,
    pub(super) partial_rounds: usize,
    pub(super) mds: Matrix,
    /// S-box offsets of the full rounds, by round.
    pub(super) full_offsets: Matrix,
    /// S-box offsets of the partial rounds, zero beyond the last.
    pub(super) partial_offsets: Row,
    /// `entry[j]` gives `u(j)` from the outputs of the last full layer (`inputs`, all `t` of them)
    /// and the partial outputs `y(0..j)`.
    pub(super) entry: Vec<Combination>,
    /// `u(r+t)` from `u(r+1..r+t)` and `y(r..r+t)`.
    pub(super) recurrence: Combination,
    /// The state after the last partial round `R` from `u(R-t+1..R)` and `y(R-t..R)`.
    pub(super) exit: Vec<Combination>,
    /// The same map, in fewer terms.
    pub(super) solved_exit: SolvedExit,
}

/// `state·u' = (u(R-t+1), …, u(R-1), y(R-1)) + outputs·(y(R-t), …, y(R-2))` for the state `u'`
/// after the last partial round `R`.
#[derive(Clone, Debug)]
pub(super) struct SolvedExit {
    pub(super) state: Matrix,
    pub(super) outputs: Matrix,
}

impl SolvedExit {
    /// `exit` is `u' = P·(u(R-t+1), …, u(R-1), y(R-1)) + Q·(y(R-t), …, y(R-2))`. Multiplied by `P⁻¹` it says the same,
    /// in fewer terms: undoing the rounds from `u'` backwards recovers `u(r)` before it gets to `y(r-2)`, so `P⁻¹·Q` is
    /// triangular.
    fn new(exit: &[Combination]) -> Self {
        let (recent, earlier): (Matrix, Matrix) = exit
            .iter()
            .map(|lane| {
                let (last, earlier) = lane.outputs.split_last().expect("a window has outputs");
                ([&lane.inputs[..], &[*last]].concat(), earlier.to_vec())
            })
            .unzip();
        let state = invert(recent).expect("the rounds can be undone");
        let outputs: Matrix = state.iter().map(|row| row_times(row, &earlier)).collect();
        Self { state, outputs }
    }
}

impl Schedule {
    /// [`Self::new`], made once for each width and layout: planning or checking a circuit configures many.
    pub(super) fn of(width: usize, entries: usize, slots: usize) -> Arc<Self> {
        static MADE: Mutex<BTreeMap<[usize; 3], Arc<Schedule>>> = Mutex::new(BTreeMap::new());
        let make = || Arc::new(Self::new(PoseidonSpec::get(width), entries, slots));
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(made.entry([width, entries, slots]).or_insert_with(make))
    }

    /// The schedule of `spec` for `slots` partial inputs, the first `entries` of them computed by the entry gate. Slots
    /// beyond the last partial round continue the recurrence, and nothing reads them.
    pub(super) fn new(spec: &PoseidonSpec, entries: usize, slots: usize) -> Self {
        let half_full_rounds = spec.full_rounds / 2;
        let split = Split::new(&spec.mds);
        let (mut partial_offsets, carried) = partial_offsets(spec);
        let mut full_offsets: Matrix = spec.round_constants[..half_full_rounds].to_vec();
        full_offsets
            .extend_from_slice(&spec.round_constants[half_full_rounds + spec.partial_rounds..]);
        for (offset, constant) in full_offsets[half_full_rounds].iter_mut().zip(carried) {
            *offset += constant;
        }
        partial_offsets.resize(slots, Fr::ZERO);
        let (inputs, lanes) = split.run(spec.width);
        let over_window = |target| split.over_window(&inputs, target);
        let recurrence = over_window(&inputs[spec.width - 1]);
        let exit: Vec<_> = inputs[spec.width - 1..].iter().chain(&lanes).map(over_window).collect();
        let (inputs, _) = split.run(entries.saturating_sub(1));
        let inputs = std::iter::once(None).chain(inputs.iter().map(Some));
        Self {
            width: spec.width,
            half_full_rounds,
            partial_rounds: spec.partial_rounds,
            mds: spec.mds.clone(),
            full_offsets,
            partial_offsets,
            entry: inputs.take(entries).map(|input| Split::entry(&spec.mds, input)).collect(),
            recurrence,
            solved_exit: SolvedExit::new(&exit),
            exit,
        }
    }
}

/// S-box offsets of the partial rounds, and what their constants add to the state after them.
fn partial_offsets(spec: &PoseidonSpec) -> (Row, Row) {
    let first = spec.full_rounds / 2;
    let mut trajectory = vec![Fr::ZERO; spec.width];
    let mut offsets = Vec::with_capacity(spec.partial_rounds);
    for constants in &spec.round_constants[first..first + spec.partial_rounds] {
        offsets.push(trajectory[0] + constants[0]);
        let mut passed: Row = trajectory.iter().zip(constants).map(|(k, c)| *k + c).collect();
        passed[0] = Fr::ZERO;
        trajectory = spec.mds.iter().map(|row| dot(row, &passed)).collect();
    }
    (offsets, trajectory)
}

/// `u(m)` as a combination of the lanes `s(0)` and of the outputs `y(0..m)`.
struct InState {
    lanes: Row,
    outputs: Row,
}

/// The MDS matrix cut at lane 0, and the inverse of its observability matrix.
struct Split {
    corner: Fr,
    a: Row,
    b: Row,
    rest: Matrix,
    observe: Matrix,
}

impl Split {
    fn new(mds: &[Row]) -> Self {
        let corner = mds[0][0];
        let a = mds[0][1..].to_vec();
        let b = mds[1..].iter().map(|row| row[0]).collect();
        let rest: Matrix = mds[1..].iter().map(|row| row[1..].to_vec()).collect();
        let mut rows = vec![a.clone()];
        while rows.len() < a.len() {
            rows.push(row_times(rows.last().expect("starts with one row"), &rest));
        }
        let observe = invert(rows).expect("the lanes can be told from the S-box inputs");
        Self { corner, a, b, rest, observe }
    }

    /// `u(1), …, u(rounds)`, and the lanes `s(rounds)`, one combination for each lane.
    fn run(&self, rounds: usize) -> (Vec<InState>, Vec<InState>) {
        let count = self.a.len();
        let unit = |i: usize| (0..count).map(|j| Fr::from(u64::from(i == j))).collect::<Row>();
        let mut lanes: Vec<InState> =
            (0..count).map(|i| InState { lanes: unit(i), outputs: vec![] }).collect();
        let mut inputs = vec![];
        let step = |weights: &[Fr], output: Fr, lanes: &[InState]| {
            let mut next = combine(weights, lanes);
            next.outputs.push(output);
            next
        };
        for _ in 0..rounds {
            inputs.push(step(&self.a, self.corner, &lanes));
            lanes = (0..count).map(|i| step(&self.rest[i], self.b[i], &lanes)).collect();
        }
        (inputs, lanes)
    }

    /// Rewrites a combination of `s(0)` and `y(0..t)` over the window `u(1..t)`, `y(0..t)`.
    fn over_window(&self, window: &[InState], target: &InState) -> Combination {
        let inputs = row_times(&target.lanes, &self.observe);
        let mut outputs = target.outputs.clone();
        for (weight, input) in inputs.iter().zip(window) {
            // u(m+1) = a·Aᵐ·s(0) + its outputs, which the window's inputs bring along.
            for (output, known) in outputs.iter_mut().zip(&input.outputs) {
                *output -= *weight * known;
            }
        }
        Combination { inputs, outputs }
    }

    /// `u(j)` from the state before the rounds, where `input` is `u(j)` for `j ≥ 1`.
    fn entry(mds: &[Row], input: Option<&InState>) -> Combination {
        match input {
            None => Combination { inputs: mds[0].clone(), outputs: vec![] },
            Some(InState { lanes, outputs }) => {
                Combination { inputs: row_times(lanes, &mds[1..]), outputs: outputs.clone() }
            }
        }
    }
}

fn combine(weights: &[Fr], terms: &[InState]) -> InState {
    let sum = |pick: fn(&InState) -> &Row| {
        let mut total = vec![Fr::ZERO; pick(&terms[0]).len()];
        for (weight, term) in weights.iter().zip(terms) {
            for (total, part) in total.iter_mut().zip(pick(term)) {
                *total += *weight * part;
            }
        }
        total
    };
    InState { lanes: sum(|term| &term.lanes), outputs: sum(|term| &term.outputs) }
}

pub(super) fn dot(left: &[Fr], right: &[Fr]) -> Fr {
    left.iter().zip(right).map(|(l, r)| *l * r).sum()
}

/// `row · matrix`.
fn row_times(row: &[Fr], matrix: &[Row]) -> Row {
    (0..matrix[0].len()).map(|j| row.iter().zip(matrix).map(|(x, m)| *x * m[j]).sum()).collect()
}

/// Gauss-Jordan; `None` for a singular matrix.
fn invert(mut matrix: Matrix) -> Option<Matrix> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| Fr::from(u64::from(i == j))));
    }
    for i in 0..n {
        let pivot = (i..n).find(|&row| matrix[row][i] != Fr::ZERO)?;
        matrix.swap(i, pivot);
        let inverse = Option::<Fr>::from(matrix[i][i].invert())?;
        matrix[i].iter_mut().for_each(|x| *x *= inverse);
        let pivot_row = matrix[i].clone();
        for (j, row) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            debug_assert_ne!(i, j);
            let factor = row[i];
            for (x, p) in row.iter_mut().zip(&pivot_row) {
                *x -= factor * p;
            }
        }
    }
    Some(matrix.into_iter().map(|mut row| row.split_off(n)).collect())
}
