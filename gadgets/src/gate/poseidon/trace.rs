//! Where the elements of a permutation lie, and their values.

use ff::Field;
use halo2curves::bn256::Fr;

use super::{
    schedule::{dot, Combination, Schedule},
    ENTRY, EXIT, FULL, LOAD, RECURRENCE, SBOX,
};
use crate::hash::poseidon::PoseidonSpec;

/// The rows of one permutation.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) columns: usize,
    /// Rows of a state.
    pub(super) state_rows: usize,
    width: usize,
    half: usize,
    partial_rounds: usize,
    /// Rows of the partial rounds.
    partial_rows: usize,
}

impl Rows {
    /// # Panics
    /// If [`Self::try_new`] gives none.
    pub(super) fn new(spec: &PoseidonSpec, columns: usize) -> Self {
        Self::try_new(spec, columns).expect("the partial rounds can be laid out")
    }

    /// `None` where the exit gate would share its row with a recurrence, or a window exceeds the
    /// partial rounds.
    pub(super) fn try_new(spec: &PoseidonSpec, columns: usize) -> Option<Self> {
        let state_rows = spec.width.div_ceil(columns);
        let partial_rows = spec.partial_rounds.div_ceil(columns);
        let rows = Self {
            columns,
            state_rows,
            width: spec.width,
            half: spec.full_rounds / 2,
            partial_rounds: spec.partial_rounds,
            partial_rows,
        };
        (partial_rows > 2 * state_rows && rows.exit_row() >= partial_rows - state_rows)
            .then_some(rows)
    }

    /// Partial inputs that are written, the last of them perhaps beyond the last partial round.
    pub(super) fn slots(&self) -> usize {
        self.partial_rows * self.columns
    }

    /// Elements in the rows of a state: as many partial inputs as the entry gate computes.
    pub(super) fn entries(&self) -> usize {
        self.state_rows * self.columns
    }

    fn first_partial_row(&self) -> usize {
        (1 + self.half) * self.state_rows
    }

    /// The first row behind the partial rounds.
    fn second_half_row(&self) -> usize {
        self.first_partial_row() + self.partial_rows
    }

    pub(super) fn output_row(&self) -> usize {
        self.second_half_row() + self.half * self.state_rows
    }

    pub(super) fn total(&self) -> usize {
        self.output_row() + self.state_rows
    }

    /// Advice cells: inputs everywhere, squares on the rows of S-boxes.
    pub(super) fn cells(&self) -> usize {
        self.columns * (2 * self.total() - 2 * self.state_rows)
    }

    pub(super) fn is_sbox_row(&self, row: usize) -> bool {
        (self.state_rows..self.output_row()).contains(&row)
    }

    /// Row of the exit gate within the partial rows.
    fn exit_row(&self) -> usize {
        (self.partial_rounds - self.width) / self.columns
    }

    /// First element of the exit gate's window and the element of the state behind it, both counted
    /// from the exit gate's row.
    pub(super) fn exit_window(&self) -> (usize, usize) {
        let first = (self.partial_rounds - self.width) % self.columns;
        (first, (self.partial_rows - self.exit_row()) * self.columns)
    }

    /// First row of the state that enters full round `round`.
    fn full_round_row(&self, round: usize) -> usize {
        if round < self.half {
            (1 + round) * self.state_rows
        } else {
            self.second_half_row() + (round - self.half) * self.state_rows
        }
    }

    /// Roles `[round, outer, inner]` of each row.
    pub(super) fn roles(&self) -> Vec<[u64; 3]> {
        let mut roles = vec![[0; 3]; self.total()];
        for (row, role) in roles.iter_mut().enumerate() {
            role[0] = match row {
                row if row < self.state_rows => LOAD,
                row if self.is_sbox_row(row) => SBOX,
                _ => 0,
            };
        }
        for round in 0..2 * self.half {
            roles[self.full_round_row(round)][1] =
                if round + 1 == self.half { ENTRY } else { FULL };
        }
        for row in 0..self.partial_rows - self.state_rows {
            roles[self.first_partial_row() + row][2] = RECURRENCE;
        }
        roles[self.first_partial_row() + self.exit_row()][2] = EXIT;
        roles
    }

    /// The constants that each row adds to the elements that its gates compute.
    pub(super) fn constants(&self, schedule: &Schedule) -> Vec<Vec<Fr>> {
        let mut flat = vec![Fr::ZERO; self.total() * self.columns];
        let mut put = |row: usize, constants: &[Fr]| {
            let start = row * self.columns;
            flat[start..start + constants.len()].copy_from_slice(constants);
        };
        put(0, &schedule.full_offsets[0]);
        for round in 0..2 * self.half - 1 {
            if round + 1 != self.half {
                put(self.full_round_row(round), &schedule.full_offsets[round + 1]);
            }
        }
        let (entry, recurrence) = schedule.slot_constants.split_at(self.entries());
        put(self.full_round_row(self.half - 1), entry);
        put(self.first_partial_row(), recurrence);
        put(self.first_partial_row() + self.exit_row(), &schedule.exit_constants);
        flat.chunks(self.columns).map(<[Fr]>::to_vec).collect()
    }
}

/// The S-box inputs of one permutation, row-major.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) inputs: Vec<Fr>,
}

impl Trace {
    pub(super) fn new(schedule: &Schedule, rows: &Rows, state: &[Fr]) -> Self {
        let mut trace = Self { inputs: Vec::with_capacity(rows.total() * rows.columns) };
        let pad = |trace: &mut Self, values: &[Fr], rows: &Rows| {
            trace.inputs.extend_from_slice(values);
            trace.inputs.resize(trace.inputs.len().next_multiple_of(rows.columns), Fr::ZERO);
        };
        pad(&mut trace, state, rows);
        let mut inputs = add(state, &schedule.full_offsets[0]);
        for round in 0..schedule.half_full_rounds {
            pad(&mut trace, &inputs, rows);
            let outputs = sboxes(&inputs);
            if round + 1 < schedule.half_full_rounds {
                inputs = add(&times(&schedule.mds, &outputs), &schedule.full_offsets[round + 1]);
            } else {
                inputs = partial_rounds(schedule, rows, &outputs, &mut trace);
            }
        }
        for round in schedule.half_full_rounds..2 * schedule.half_full_rounds {
            pad(&mut trace, &inputs, rows);
            inputs = times(&schedule.mds, &sboxes(&inputs));
            if let Some(offsets) = schedule.full_offsets.get(round + 1) {
                inputs = add(&inputs, offsets);
            }
        }
        pad(&mut trace, &inputs, rows);
        trace
    }
}

/// Appends the partial rounds; gives the S-box inputs of the full round behind them.
fn partial_rounds(schedule: &Schedule, rows: &Rows, before: &[Fr], trace: &mut Trace) -> Vec<Fr> {
    let width = schedule.width;
    let slots = rows.slots();
    let (mut inputs, mut outputs) = (Vec::with_capacity(slots), Vec::with_capacity(slots));
    for (slot, constant) in schedule.slot_constants.iter().enumerate() {
        let linear = match schedule.entry.get(slot) {
            Some(entry) => dot(&entry.inputs, before) + dot(&entry.outputs, &outputs),
            None => window(&schedule.recurrence, &inputs, &outputs, slot),
        };
        let input = linear + constant;
        inputs.push(input);
        outputs.push(sbox(input));
    }
    trace.inputs.extend_from_slice(&inputs);
    let last = schedule.partial_rounds;
    debug_assert!(last >= width);
    let exit = schedule.exit.iter().zip(&schedule.exit_constants);
    exit.map(|(lane, constant)| window(lane, &inputs, &outputs, last) + constant).collect()
}

/// A combination over the inputs and outputs that end before slot `end`.
fn window(combination: &Combination, inputs: &[Fr], outputs: &[Fr], end: usize) -> Fr {
    dot(&combination.inputs, &inputs[end - combination.inputs.len()..end])
        + dot(&combination.outputs, &outputs[end - combination.outputs.len()..end])
}

fn sbox(x: Fr) -> Fr {
    x.square().square() * x
}

fn sboxes(inputs: &[Fr]) -> Vec<Fr> {
    inputs.iter().copied().map(sbox).collect()
}

fn add(left: &[Fr], right: &[Fr]) -> Vec<Fr> {
    left.iter().zip(right).map(|(l, r)| *l + r).collect()
}

fn times(matrix: &[Vec<Fr>], vector: &[Fr]) -> Vec<Fr> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}
