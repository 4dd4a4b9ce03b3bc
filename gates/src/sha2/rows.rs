//! The rows of a chain of compressions: its steps and their fixed cells.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{
    format::{Format, QUADS},
    spec::{MESSAGE, STATE},
    word::{Form, Order},
};

/// A step of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A word of `a` and one of `e` of the hash value that the chain begins with.
    First,
    /// A round.
    Round(usize),
    /// The same of the hash value after a compression.
    Sum,
}

impl Step {
    pub(super) fn is_round(self) -> bool {
        matches!(self, Step::Round(_))
    }

    /// Whether the word of the message is scheduled.
    pub(super) fn is_scheduled(self) -> bool {
        matches!(self, Step::Round(round) if round >= MESSAGE)
    }

    /// Whether there is a word in this row beside the running sum.
    fn has_word(self, format: &Format, row: usize) -> bool {
        let sides = &format.spec.sides;
        match self {
            Step::Round(_) => row == sides.word_w && !self.is_scheduled(),
            Step::First | Step::Sum => row == sides.word_a || row == sides.word_e,
        }
    }

    /// Whether only a carry can be in this row beside the running sum.
    pub(super) fn has_carry(self, format: &Format, row: usize) -> bool {
        let sides = &format.spec.sides;
        (sides.carry_a..=sides.carry_w).contains(&row) && !self.has_word(format, row)
    }
}

/// The steps of a chain, and how the words in each are read.
pub(super) fn steps<'a>(
    format: &'a Format,
    form: &'a Form,
) -> impl Iterator<Item = (Step, Order)> + 'a {
    let compression = |orders: &'a [Order; MESSAGE]| {
        let order = |t: usize| orders.get(t).copied().unwrap_or_default();
        let rounds = (0..format.rounds()).map(move |t| (Step::Round(t), order(t)));
        rounds.chain(std::iter::repeat_n((Step::Sum, form.values), STATE))
    };
    let first = std::iter::repeat_n((Step::First, Order::Big), STATE);
    first.chain(form.messages.iter().flat_map(compression))
}

/// Fixed cells of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedRow {
    /// Which part of a word the bits of a round belong to.
    pub(super) round: Option<usize>,
    /// The same where the word of the message is scheduled.
    pub(super) schedule: Option<usize>,
    /// Which row of a part.
    pub(super) quad: usize,
    /// 1 on the rows of a sum.
    pub(super) sum: u64,
    /// 1 where a carry stands.
    pub(super) carry: u64,
    /// Factor of the running sum in the row above.
    pub(super) growth: u64,
    /// 1 on the last row of a step.
    pub(super) last: u64,
    /// The constant of a round, on its last row.
    pub(super) constant: Fr,
    /// The weights of a word's pieces.
    pub(super) order: Vec<Fr>,
}

/// The rows of a step, the highest bits first.
pub(super) fn fixed(format: &Format, (step, order): (Step, Order)) -> Vec<FixedRow> {
    let constant = match step {
        // The carry of `a` is between -1 and 2; the shift makes it 0 to 3.
        Step::Round(t) => format.slot(1) * Fr::from(format.spec.constants[t]) + format.shift(),
        _ => Fr::ZERO,
    };
    let row = |row: usize| {
        let quad = format.step() - 1 - row;
        let part = Some(quad / QUADS);
        FixedRow {
            round: part.filter(|_| step.is_round()),
            schedule: part.filter(|_| step.is_scheduled()),
            quad: quad % QUADS,
            sum: u64::from(step == Step::Sum),
            carry: u64::from(step.has_carry(format, row)),
            growth: if row == 0 { 0 } else { 1 << format.bits },
            last: u64::from(quad == 0),
            constant: if quad == 0 { constant } else { Fr::ZERO },
            order: (0..format.pieces().0).map(|piece| format.weight(order, row, piece)).collect(),
        }
    };
    (0..format.step()).map(row).collect()
}
