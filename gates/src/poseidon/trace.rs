//! Where the elements of a permutation lie, and their values.

use ff::Field;
use halo2curves::bn256::Fr;

use super::schedule::{dot, Combination, Schedule};
use muster_schemes::hash::poseidon::PoseidonSpec;

/// Role of a row in the column `role`.
pub(super) const FULL: u64 = 1;
pub(super) const ENTRY: u64 = 2;
pub(super) const RECURRENCE: u64 = 3;
/// Role of a row in the column `sbox`.
pub(super) const SBOX: u64 = 1;
pub(super) const EXIT: u64 = 2;

/// The rows of one permutation.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) columns: usize,
    /// Rows of a state.
    pub(super) state_rows: usize,
    half: usize,
    /// Rows of the partial rounds.
    partial_rows: usize,
    /// First element of the exit gate's window, counted from the exit gate's row.
    pub(super) exit_first: usize,
}

impl Rows {
    /// # Panics
    /// If [`Self::try_new`] returns `None`.
    pub(super) fn new(spec: &PoseidonSpec, columns: usize) -> Self {
        Self::try_new(spec, columns).expect("the partial rounds can be laid out")
    }

    /// `None` if the exit gate's window would begin above its row, the first of the partial rounds that
    /// has no recurrence.
    pub(super) fn try_new(spec: &PoseidonSpec, columns: usize) -> Option<Self> {
        Self::of_rounds(spec.width, (spec.full_rounds, spec.partial_rounds), columns)
    }

    /// As [`Self::try_new`], from the numbers of rounds alone.
    pub(super) fn of_rounds(
        width: usize,
        (full_rounds, partial_rounds): (usize, usize),
        columns: usize,
    ) -> Option<Self> {
        let state_rows = width.div_ceil(columns);
        let partial_rows = partial_rounds.div_ceil(columns);
        let exit_row = partial_rows - state_rows;
        let exit_first = (partial_rounds - width).checked_sub(exit_row * columns)?;
        let half = full_rounds / 2;
        Some(Self { columns, state_rows, half, partial_rows, exit_first })
    }

    /// Partial inputs that are written, the last of them perhaps beyond the last partial round.
    pub(super) fn slots(&self) -> usize {
        self.partial_rows * self.columns
    }

    /// Elements in the rows of a state. The entry gate computes the same number of partial inputs.
    pub(super) fn entries(&self) -> usize {
        self.state_rows * self.columns
    }

    /// Row of the first S-box of full round `round`.
    fn full_round_row(&self, round: usize) -> usize {
        let partial_rows = if round < self.half { 0 } else { self.partial_rows };
        round * self.state_rows + partial_rows
    }

    pub(super) fn output_row(&self) -> usize {
        self.full_round_row(2 * self.half)
    }

    pub(super) fn total(&self) -> usize {
        self.output_row() + self.state_rows
    }

    /// Advice cells: inputs everywhere, powers on the rows of S-boxes.
    pub(super) fn cells(&self) -> usize {
        self.columns * (self.total() + self.output_row())
    }

    /// Roles `[sbox, role]` of each row.
    pub(super) fn roles(&self) -> Vec<[u64; 2]> {
        let mut roles = vec![[0; 2]; self.total()];
        roles[..self.output_row()].iter_mut().for_each(|role| role[0] = SBOX);
        for round in 0..2 * self.half {
            roles[self.full_round_row(round)][1] =
                if round + 1 == self.half { ENTRY } else { FULL };
        }
        let partial = self.half * self.state_rows;
        let exit = partial + self.partial_rows - self.state_rows;
        roles[partial..exit].iter_mut().for_each(|role| role[1] = RECURRENCE);
        roles[exit][0] = EXIT;
        roles
    }

    /// The offsets of the S-boxes, by row.
    pub(super) fn offsets<'a>(&self, schedule: &'a Schedule) -> Vec<&'a [Fr]> {
        let (first, second) = schedule.full_offsets.split_at(self.half);
        let rounds = first.iter().chain([&schedule.partial_offsets]).chain(second);
        rounds.flat_map(|round| round.chunks(self.columns)).collect()
    }
}

/// The advice cells of one permutation, row-major.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// S-box inputs, and the state after the last round.
    pub(super) inputs: Vec<Fr>,
    pub(super) powers: Vec<Fr>,
}

impl Trace {
    pub(super) fn new(schedule: &Schedule, rows: &Rows, state: &[Fr]) -> Self {
        let cells = rows.total() * rows.columns;
        let mut trace =
            Self { inputs: Vec::with_capacity(cells), powers: Vec::with_capacity(cells) };
        let mut inputs = state.to_vec();
        for (round, offsets) in schedule.full_offsets.iter().enumerate() {
            let outputs: Vec<_> =
                inputs.iter().zip(offsets).map(|(u, c)| trace.sbox(*u, *c)).collect();
            trace.pad(rows);
            inputs = if round + 1 == schedule.half_full_rounds {
                trace.partial_rounds(schedule, &outputs)
            } else {
                schedule.mds.iter().map(|row| dot(row, &outputs)).collect()
            };
        }
        trace.inputs.extend(inputs);
        trace.inputs.resize(cells, Fr::ZERO);
        trace
    }

    /// Appends an S-box; returns its output.
    fn sbox(&mut self, input: Fr, offset: Fr) -> Fr {
        let shifted = input + offset;
        let power = shifted.square().square();
        self.inputs.push(input);
        self.powers.push(power);
        shifted * power
    }

    /// Fills up the last row.
    fn pad(&mut self, rows: &Rows) {
        while !self.inputs.len().is_multiple_of(rows.columns) {
            self.sbox(Fr::ZERO, Fr::ZERO);
        }
    }

    /// Appends the partial rounds; returns the state after them.
    fn partial_rounds(&mut self, schedule: &Schedule, before: &[Fr]) -> Vec<Fr> {
        let slots = schedule.partial_offsets.len();
        let (mut inputs, mut outputs) = (Vec::with_capacity(slots), Vec::with_capacity(slots));
        for (slot, offset) in schedule.partial_offsets.iter().enumerate() {
            let input = match schedule.entry.get(slot) {
                Some(entry) => dot(&entry.inputs, before) + dot(&entry.outputs, &outputs),
                None => window(&schedule.recurrence, &inputs, &outputs, slot),
            };
            inputs.push(input);
            outputs.push(self.sbox(input, *offset));
        }
        let last = schedule.partial_rounds;
        schedule.exit.iter().map(|lane| window(lane, &inputs, &outputs, last)).collect()
    }
}

/// A combination of the last inputs and outputs before slot `end`.
fn window(combination: &Combination, inputs: &[Fr], outputs: &[Fr], end: usize) -> Fr {
    dot(&combination.inputs, &inputs[end - combination.inputs.len()..end])
        + dot(&combination.outputs, &outputs[end - combination.outputs.len()..end])
}
