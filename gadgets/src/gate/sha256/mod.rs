//! The compression of SHA-256 in bits, two a row, without lookups.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

mod chip;
mod rows;
mod sums;
#[cfg(test)]
mod tests;

pub use chip::{Compressed, Sha256Chip, Word};

use rows::{FIRST, MESSAGE_ROUND, SCHEDULE_ROUND, SUM};
use sums::Query;

/// Advice columns of a lane: two bits each of `a`, `e` and `w`, and a running sum.
pub(super) const WIDTH: usize = 7;
const A: usize = 0;
const E: usize = 2;
const W: usize = 4;
const ACC: usize = 6;

/// What a carry of 1 stands for.
const SHIFT: u64 = 1 << 32;

// At most seven words of 32 bits a sum, a constant and a carry of up to 6: far from 60 bits.
const _: () = assert!((7 + 1 + 6) * SHIFT < 1 << 36);

/// Weight of the sum `i` of the four that are kept in one cell, 60 bits apart.
fn slot(i: usize) -> Fr {
    Fr::from(2).pow_vartime([60 * i as u64])
}

/// Columns of the SHA-256 gate.
#[derive(Clone, Debug)]
pub struct Sha256Config {
    lanes: Vec<[Column<Advice>; WIDTH]>,
    /// 1 on rows of bits.
    bits: Column<Fixed>,
    /// 1 on rows of bits of a round, a column for each quarter of the word.
    rounds: [Column<Fixed>; 4],
    /// The same where the word of the message is scheduled.
    schedules: [Column<Fixed>; 4],
    /// 1 on the pair of bits of each quarter; on pair 3 none is.
    pairs: [Column<Fixed>; 3],
    /// 1 on rows of bits of a sum.
    sum: Column<Fixed>,
    /// What the last row of a step says.
    role: Column<Fixed>,
    /// The constant of a round; 1 in the row above the first step.
    constant: Column<Fixed>,
}

impl Sha256Config {
    /// Adds `lanes` lanes of seven columns. The lanes run in step and share the fixed columns. The
    /// README beside this file draws the rows and argues soundness.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, lanes: usize) -> Self {
        let mut advice = || {
            let columns = [(); WIDTH].map(|()| meta.advice_column());
            [A, E, W].into_iter().for_each(|column| meta.enable_equality(columns[column + 1]));
            columns
        };
        let config = Self {
            lanes: (0..lanes).map(|_| advice()).collect(),
            bits: meta.fixed_column(),
            rounds: [(); 4].map(|()| meta.fixed_column()),
            schedules: [(); 4].map(|()| meta.fixed_column()),
            pairs: [(); 3].map(|()| meta.fixed_column()),
            sum: meta.fixed_column(),
            role: meta.fixed_column(),
            constant: meta.fixed_column(),
        };
        for lane in &config.lanes {
            config.bit_gate(meta, lane);
            config.sum_gate(meta, lane);
            config.carry_gate(meta, lane);
            config.end_gate(meta, lane);
        }
        config
    }

    pub(super) fn advice(&self) -> impl Iterator<Item = Column<Advice>> + '_ {
        self.lanes.iter().flatten().copied()
    }

    /// Bits are 0 or 1.
    fn bit_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        meta.create_gate("sha256: bit", |meta| {
            let bits = meta.query_fixed(self.bits, Rotation::cur());
            let constraint = |column: &Column<Advice>| {
                let bit = meta.query_advice(*column, Rotation::cur());
                ("bit", bits.clone() * bit.clone() * (bit - one()))
            };
            lane[..ACC].iter().map(constraint).collect::<Vec<_>>()
        });
    }

    /// The running sum of a step: `acc = 4·acc of the row above + terms` on rows of bits. It is 0 on the
    /// last row of a step and above the first one, so each step begins anew.
    fn sum_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        meta.create_gate("sha256: running sum", |meta| {
            let terms = Query::new(meta, self, lane).terms();
            let bits = meta.query_fixed(self.bits, Rotation::cur());
            let role = meta.query_fixed(self.role, Rotation::cur());
            let added = meta.query_fixed(self.constant, Rotation::cur());
            let acc = meta.query_advice(lane[ACC], Rotation::cur());
            let last = meta.query_advice(lane[ACC], Rotation::prev());
            // 1 on rows of bits, not 0 on the others: a role is small, a round's constant is above 2^31.
            let is_used = bits.clone() + role + added;
            vec![("running sum", is_used * acc - bits * last * Fr::from(4) - terms)]
        });
    }

    /// Carries are 0 to 3, and the upper part of the carry of `e` is a bit.
    fn carry_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        meta.create_gate("sha256: carries", |meta| {
            let role = meta.query_fixed(self.role, Rotation::cur());
            let in_round =
                role.clone() * (constant(FIRST) - role.clone()) * (constant(SUM) - role.clone());
            let upper = meta.query_advice(lane[A + 1], Rotation::cur());
            let mut constraints = vec![("upper carry", in_round * upper.clone() * (upper - one()))];
            for column in [A, E, W] {
                let carry = meta.query_advice(lane[column], Rotation::cur());
                let factors = (1..4).map(|value| carry.clone() - constant(value));
                let range = factors.fold(carry.clone(), |product, factor| product * factor);
                constraints.push(("carry", role.clone() * range));
            }
            constraints
        });
    }

    /// What the sums of a step come to.
    fn end_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        meta.create_gate("sha256: end of a step", |meta| {
            let role = meta.query_fixed(self.role, Rotation::cur());
            let added = meta.query_fixed(self.constant, Rotation::cur());
            let total = meta.query_advice(lane[ACC], Rotation::prev());
            let mut cell = |column: usize| meta.query_advice(lane[column], Rotation::cur());
            let [a, a_upper, e, e_upper, w, w_upper] = [0, 1, 2, 3, 4, 5].map(&mut cell);
            let carried = |carry: Expression<Fr>, i: usize| carry * (slot(i) * Fr::from(SHIFT));
            let long = e.clone() + a_upper.clone() + a_upper.clone();
            let round = added - carried(a.clone(), 0) - carried(long, 1);
            let words = a_upper + e_upper * slot(1);
            let ends = [
                (MESSAGE_ROUND, "message", round.clone() + w_upper * slot(2)),
                (SCHEDULE_ROUND, "schedule", round - carried(w, 2)),
                (FIRST, "first words", words.clone()),
                (SUM, "sums", words - carried(a, 2) - carried(e, 3)),
            ];
            ends.map(|(chosen, name, end)| (name, selects(&role, chosen) * (total.clone() - end)))
        });
    }
}

/// A multiple of the indicator of `chosen` among the roles and 0.
fn selects(role: &Expression<Fr>, chosen: u64) -> Expression<Fr> {
    [MESSAGE_ROUND, SCHEDULE_ROUND, FIRST, SUM]
        .into_iter()
        .filter(|other| *other != chosen)
        .fold(role.clone(), |product, other| product * (constant(other) - role.clone()))
}

fn constant(value: u64) -> Expression<Fr> {
    Expression::Constant(Fr::from(value))
}

fn one() -> Expression<Fr> {
    constant(1)
}

fn advice(
    meta: &mut VirtualCells<Fr>,
    lane: &[Column<Advice>; WIDTH],
    column: usize,
    rotation: i32,
) -> Expression<Fr> {
    meta.query_advice(lane[column], Rotation(rotation))
}
