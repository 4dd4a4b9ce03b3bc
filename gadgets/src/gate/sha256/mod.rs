//! The compression of SHA-256 in bits, four a row, without lookups.

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

use super::border;
use rows::{CARRY_A, CARRY_E, CARRY_E_MORE, CARRY_W, STEP, WORD_A, WORD_E, WORD_W};
use sums::Query;

/// Advice columns of a lane: four bits each of `a`, `e` and `w`, a running sum, and beside it words and
/// carries.
pub(super) const WIDTH: usize = 14;
const A: usize = 0;
const E: usize = 4;
const W: usize = 8;
const ACC: usize = 12;
const SIDE: usize = 13;
/// Bits of a word in a row.
const BITS: usize = 4;

/// What a carry of 1 stands for.
const SHIFT: u64 = 1 << 32;

// At most seven words of 32 bits a sum, a constant and a carry of up to 6: far from 60 bits.
const _: () = assert!((7 + 1 + 6) * SHIFT < 1 << 36);
/// Bits of a word as it is range-checked, in whole lookups of 1 to 16 bits: 45 with lookups of 15.
const CHECKED: usize = 45;
const _: () = {
    let mut lookup = 1;
    while lookup <= 16 {
        assert!(32usize.div_ceil(lookup) * lookup <= CHECKED);
        lookup += 1;
    }
};

/// Weight of the sum `i` of the four that are kept in one cell, 60 bits apart.
fn slot(i: usize) -> Fr {
    Fr::from(2).pow_vartime([60 * i as u64])
}

/// Columns of the SHA-256 gate.
#[derive(Clone, Debug)]
pub struct Sha256Config {
    lanes: Vec<[Column<Advice>; WIDTH]>,
    /// 1 on all rows.
    bits: Column<Fixed>,
    /// 1 on the rows of a round, a column for each half of the word.
    rounds: [Column<Fixed>; 2],
    /// The same where the word of the message is scheduled.
    schedules: [Column<Fixed>; 2],
    /// 1 on a row of each half; on row 3 none is.
    quads: [Column<Fixed>; 3],
    /// 1 on the rows of a sum.
    sum: Column<Fixed>,
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
            bits: meta.fixed_column(),
            rounds: [(); 2].map(|()| meta.fixed_column()),
            schedules: [(); 2].map(|()| meta.fixed_column()),
            quads: [(); 3].map(|()| meta.fixed_column()),
            sum: meta.fixed_column(),
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
            let bits = meta.query_fixed(self.bits, Rotation::cur());
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
            let terms = Query::new(meta, self, lane).terms();
            let bits = meta.query_fixed(self.bits, Rotation::cur());
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
                [self.last, self.bits, self.sum, self.constant].map(&mut fixed);
            // The last row belongs to the lower half of the word.
            let [in_round, scheduled] = [self.rounds[0], self.schedules[0]].map(fixed);
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
