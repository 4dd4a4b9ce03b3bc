//! The compressions of SHA-256 and SHA-512 in bits, with some of each word in a row, without lookups.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! use muster_gates::{sha2::Word, GateCircuit, Layout, Sha2Layout};
//! use muster_schemes::hash::sha256::native::INITIAL;
//!
//! let layout = Layout {
//!     k: 10,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 8,
//!     constant_rows: 64,
//!     sha256: Some(Sha2Layout { bits: 4, lanes: 1 }),
//!     ..Layout::default()
//! };
//! let circuit = GateCircuit::new(&layout, false, |ctx| {
//!     // One block: "abc", a bit of padding, and 24 bits as the length.
//!     let mut block = [0; 16];
//!     (block[0], block[15]) = (0x6162_6380, 24);
//!     let block = block.map(|word| Word::witness(ctx.range, word));
//!     let first = INITIAL.map(Word::constant);
//!     let hash = ctx.chips.sha256().compress(ctx.range, &first, &[block]);
//!     // The hash begins with these bytes (FIPS 180-4's example).
//!     assert_eq!(*hash.values[0][0].cell().value(), Fr::from(0xba78_16bf));
//! });
//! MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().assert_satisfied();
//! ```

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

mod chip;
mod format;
mod rows;
mod spec;
mod sums;
#[cfg(test)]
mod tests;
mod trace;
mod word;

pub use chip::{Compressed, Sha2Chip};
pub use spec::{Sha2, Sha256, Sha512, Spec};
pub use word::{Order, Word};

use super::{border, Sha2Layout};
use format::{advice, constant, one, power, Format};
use sums::{Query, Selectors};

/// Columns of the gate.
#[derive(Clone, Debug)]
pub struct Sha2Config {
    format: Format,
    lanes: Vec<Vec<Column<Advice>>>,
    /// The selectors of a row's terms.
    terms: Selectors,
    /// 1 on the rows of a step that have a carry.
    carry: Column<Fixed>,
    /// Factor of the running sum in the row above: 0 on the first row of a step.
    growth: Column<Fixed>,
    /// 1 on the last row of a step.
    last: Column<Fixed>,
    /// The constant of a round, on its last row.
    constant: Column<Fixed>,
    /// The weights of a word's pieces in a row, the lowest first; none if words have only one byte order.
    order: Vec<Column<Fixed>>,
}

impl Sha2Config {
    /// Adds lanes of `H`. Each has three times as many columns as bits in a row, plus two. The lanes run in step and
    /// share the fixed columns. The README beside this file draws the rows and argues soundness.
    pub fn configure<H: Sha2>(meta: &mut ConstraintSystem<Fr>, gate: Sha2Layout) -> Self {
        let format = Format::new(H::SPEC, gate.bits);
        let mut advice = || {
            let columns: Vec<_> = (0..format.width()).map(|_| meta.advice_column()).collect();
            meta.enable_equality(columns[format.side()]);
            columns
        };
        let config = Self {
            format,
            lanes: (0..gate.lanes).map(|_| advice()).collect(),
            terms: Selectors::new(meta, &format),
            carry: meta.fixed_column(),
            growth: meta.fixed_column(),
            last: meta.fixed_column(),
            constant: meta.fixed_column(),
            order: (0..format.pieces().0).map(|_| meta.fixed_column()).collect(),
        };
        for lane in &config.lanes {
            config.bit_gate(meta, lane);
            if format.spare() > 0 {
                config.spare_gate(meta, lane);
            }
            config.carry_gate(meta, lane);
            config.sum_gate(meta, lane);
            config.end_gate(meta, lane);
            if format.spec.ordered {
                config.hash_value_gate(meta, lane);
            }
        }
        config
    }

    fn name(&self, gate: &str) -> String {
        format!("{}: {gate}", self.format.spec.name)
    }

    /// Bits are 0 or 1. Where the words of a hash value have a running sum, it takes the first column of `w`, whose
    /// bits nothing reads there.
    fn bit_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>]) {
        border::create_gate(meta, &self.name("bit"), |meta| {
            let bits = meta.query_fixed(self.terms.bits, Rotation::cur());
            let constraint = |(i, column): (usize, &Column<Advice>)| {
                let bit = meta.query_advice(*column, Rotation::cur());
                let is_sum = self.format.spec.ordered && i == self.format.w();
                let bits = match is_sum {
                    true => bits.clone() - meta.query_fixed(self.terms.sum, Rotation::cur()),
                    false => bits.clone(),
                };
                ("bit", bits * bit.clone() * (bit - one()))
            };
            lane[..self.format.acc()].iter().enumerate().map(constraint).collect::<Vec<_>>()
        });
    }

    /// On the first row of a step, the cells beyond the highest bit of a word are 0.
    fn spare_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>]) {
        border::create_gate(meta, &self.name("no bit"), |meta| {
            let bits = meta.query_fixed(self.terms.bits, Rotation::cur());
            let growth = meta.query_fixed(self.growth, Rotation::cur());
            // Nonzero only where the running sum begins.
            let first = bits * power(self.format.bits) - growth;
            let columns = lane[..self.format.acc()].chunks(self.format.bits);
            let spare = columns.flat_map(|word| &word[word.len() - self.format.spare()..]);
            let constraint = |column: &Column<Advice>| {
                ("no bit", first.clone() * meta.query_advice(*column, Rotation::cur()))
            };
            spare.map(constraint).collect::<Vec<_>>()
        });
    }

    /// Carries are 0 to 3.
    fn carry_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>]) {
        border::create_gate(meta, &self.name("carry"), |meta| {
            let carry = meta.query_advice(lane[self.format.side()], Rotation::cur());
            let factors = (1..4).map(|value| carry.clone() - constant(value));
            let range = factors.fold(carry.clone(), |product, factor| product * factor);
            vec![("carry", meta.query_fixed(self.carry, Rotation::cur()) * range)]
        });
    }

    /// The running sum of a step: `acc = 2^b·acc of the row above + terms`, and the terms alone on the first row.
    fn sum_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>]) {
        border::create_gate(meta, &self.name("running sum"), |meta| {
            let terms = self.query(meta, lane).terms();
            let bits = meta.query_fixed(self.terms.bits, Rotation::cur());
            let growth = meta.query_fixed(self.growth, Rotation::cur());
            let acc = meta.query_advice(lane[self.format.acc()], Rotation::cur());
            let above = meta.query_advice(lane[self.format.acc()], Rotation::prev());
            vec![("running sum", bits * acc - growth * above - terms)]
        });
    }

    /// What the sums of a step come to.
    fn end_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>]) {
        border::create_gate(meta, &self.name("end of a step"), |meta| {
            let Format { spec, .. } = &self.format;
            let [slot_1, slot_2] = [1, 2].map(|slot| self.format.slot(slot));
            let shift = self.format.shift();
            let mut fixed = |column| meta.query_fixed(column, Rotation::cur());
            let [last, bits, sum, added] =
                [self.last, self.terms.bits, self.terms.sum, self.constant].map(&mut fixed);
            // The last row belongs to the lowest part of the word.
            let [in_round, scheduled] = [self.terms.rounds[0], self.terms.schedules[0]].map(fixed);
            let total = meta.query_advice(lane[self.format.acc()], Rotation::cur());
            let words = self.words(meta, lane);
            let mut side = |row| self.side(meta, lane, row);
            let [a, e] = [spec.sides.carry_a, spec.sides.carry_e].map(|row| side(row) * shift);
            let more = side(spec.sides.carry_e_more) * shift;
            let word = side(spec.sides.word_w) * slot_2;
            let over = side(spec.sides.carry_w) * (slot_2 * shift);
            let round = word.clone() - a.clone() - (e.clone() + more) * slot_1;
            let mut with_words = bits - in_round.clone();
            if spec.ordered {
                with_words = with_words - sum.clone();
            }
            let [first, second] = self.format.sum_slots().map(|slot| self.format.slot(slot));
            let end = with_words * words + in_round * round
                - scheduled * (word + over)
                - sum * (a * first + e * second);
            vec![(spec.end, last * (total - end) - added)]
        });
    }

    /// The words of a hash value, read in their byte order: a second running sum.
    fn hash_value_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>]) {
        border::create_gate(meta, &self.name("words of a hash value"), |meta| {
            let mut query = self.query(meta, lane);
            let [a, e] = [0, self.format.e()].map(|column| query.read(column));
            let mut fixed = |column| meta.query_fixed(column, Rotation::cur());
            let [sum, growth, last] = [self.terms.sum, self.growth, self.last].map(&mut fixed);
            let [read, above] = [Rotation::cur(), Rotation::prev()]
                .map(|row| meta.query_advice(lane[self.format.w()], row));
            let step = read.clone() - growth * above - a - e * self.format.slot(1);
            let words = self.words(meta, lane);
            vec![
                ("words so far", sum.clone() * step),
                ("words of a hash value", sum * last * (read - words)),
            ]
        });
    }

    fn query<'a, 'b>(
        &'a self,
        meta: &'a mut VirtualCells<'b, Fr>,
        lane: &'a [Column<Advice>],
    ) -> Query<'a, 'b> {
        Query::new(meta, &self.terms, &self.order, (&self.format, lane))
    }

    /// The cell beside the running sum in this row of a step, queried from the last row.
    fn side(
        &self,
        meta: &mut VirtualCells<Fr>,
        lane: &[Column<Advice>],
        row: usize,
    ) -> Expression<Fr> {
        advice(meta, lane, self.format.side(), row as i32 - (self.format.step() as i32 - 1))
    }

    /// The words of `a` and `e` in their slots, queried from the last row of a step.
    fn words(&self, meta: &mut VirtualCells<Fr>, lane: &[Column<Advice>]) -> Expression<Fr> {
        let sides = &self.format.spec.sides;
        let [a, e] = [sides.word_a, sides.word_e].map(|row| self.side(meta, lane, row));
        a + e * self.format.slot(1)
    }
}
