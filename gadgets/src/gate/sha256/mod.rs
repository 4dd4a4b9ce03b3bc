//! The compression of SHA-256 in bits, four per row, without lookups.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem, Fixed},
    poly::Rotation,
};

mod chip;
mod columns;
mod rows;
mod sums;
#[cfg(test)]
mod tests;

pub use chip::{Compressed, Sha256Chip, Word};

use super::border;
pub(super) use columns::WIDTH;
use columns::{advice, constant, one, slot, ACC, SHIFT, SIDE};
use rows::{CARRY_A, CARRY_E, CARRY_E_MORE, CARRY_W, STEP, WORD_A, WORD_E, WORD_W};
use sums::{Query, Selectors};

/// Columns of the SHA-256 gate.
#[derive(Clone, Debug)]
pub struct Sha256Config {
    lanes: Vec<[Column<Advice>; WIDTH]>,
    /// Where the terms of a row stand.
    terms: Selectors,
    /// 1 on the rows of a step that have a carry.
    carry: Column<Fixed>,
    /// Factor of the running sum in the row above: 0 on the first row of a step.
    growth: Column<Fixed>,
    /// 1 on the last row of a step.
    last: Column<Fixed>,
    /// The constant of a round, on its last row.
    constant: Column<Fixed>,
}

impl Sha256Config {
    /// Adds `lanes` lanes of 14 columns. The lanes run in step and share the fixed columns. The
    /// README beside this file draws the rows and argues soundness.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, lanes: usize) -> Self {
        let mut advice = || {
            let columns = [(); WIDTH].map(|()| meta.advice_column());
            meta.enable_equality(columns[SIDE]);
            columns
        };
        let config = Self {
            lanes: (0..lanes).map(|_| advice()).collect(),
            terms: Selectors::new(meta),
            carry: meta.fixed_column(),
            growth: meta.fixed_column(),
            last: meta.fixed_column(),
            constant: meta.fixed_column(),
        };
        for lane in &config.lanes {
            config.bit_gate(meta, lane);
            config.carry_gate(meta, lane);
            config.sum_gate(meta, lane);
            config.end_gate(meta, lane);
        }
        config
    }

    #[cfg(any(test, feature = "forgery"))]
    pub(super) fn advice(&self) -> impl Iterator<Item = Column<Advice>> + '_ {
        self.lanes.iter().flatten().copied()
    }

    /// Bits are 0 or 1.
    fn bit_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::create_gate(meta, "sha256: bit", |meta| {
            let bits = meta.query_fixed(self.terms.bits, Rotation::cur());
            let constraint = |column: &Column<Advice>| {
                let bit = meta.query_advice(*column, Rotation::cur());
                ("bit", bits.clone() * bit.clone() * (bit - one()))
            };
            lane[..ACC].iter().map(constraint).collect::<Vec<_>>()
        });
    }

    /// Carries are 0 to 3.
    fn carry_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::create_gate(meta, "sha256: carry", |meta| {
            let carry = meta.query_advice(lane[SIDE], Rotation::cur());
            let factors = (1..4).map(|value| carry.clone() - constant(value));
            let range = factors.fold(carry.clone(), |product, factor| product * factor);
            vec![("carry", meta.query_fixed(self.carry, Rotation::cur()) * range)]
        });
    }

    /// The running sum of a step: `acc = 16·acc of the row above + terms`, and the terms alone on the
    /// first row.
    fn sum_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::create_gate(meta, "sha256: running sum", |meta| {
            let terms = Query::new(meta, &self.terms, lane).terms();
            let bits = meta.query_fixed(self.terms.bits, Rotation::cur());
            let growth = meta.query_fixed(self.growth, Rotation::cur());
            let acc = meta.query_advice(lane[ACC], Rotation::cur());
            let above = meta.query_advice(lane[ACC], Rotation::prev());
            vec![("running sum", bits * acc - growth * above - terms)]
        });
    }

    /// What the sums of a step come to.
    fn end_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::create_gate(meta, "sha256: end of a step", |meta| {
            let mut fixed = |column| meta.query_fixed(column, Rotation::cur());
            let [last, bits, sum, added] =
                [self.last, self.terms.bits, self.terms.sum, self.constant].map(&mut fixed);
            // The last row belongs to the lower half of the word.
            let [in_round, scheduled] = [self.terms.rounds[0], self.terms.schedules[0]].map(fixed);
            let total = meta.query_advice(lane[ACC], Rotation::cur());
            let mut side = |row: usize| advice(meta, lane, SIDE, row as i32 - (STEP as i32 - 1));
            let words = side(WORD_A) + side(WORD_E) * slot(1);
            let carries = [CARRY_A, CARRY_E].map(&mut side);
            let [a, e] = carries.map(|carry| carry * Fr::from(SHIFT));
            let more = side(CARRY_E_MORE) * Fr::from(SHIFT);
            let word = side(WORD_W) * slot(2);
            let over = side(CARRY_W) * (slot(2) * Fr::from(SHIFT));
            let round = word.clone() - a.clone() - (e.clone() + more) * slot(1);
            let end = (bits - in_round.clone()) * words + in_round * round
                - scheduled * (word + over)
                - sum * (a * slot(2) + e * slot(3));
            vec![("end of a step", last * (total - end) - added)]
        });
    }
}
