//! The permutation of Keccak by lookup: five digits at a time, with two lookups for each step of a
//! round.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::{bn256::Fr, ff::PrimeField}};
//! # use halo2_base::QuantumCell::Witness;
//! use muster_gates::{
//!     keccak::{bits, Lane},
//!     GateCircuit, Layout,
//! };
//! use muster_schemes::hash::keccak::keccak256;
//!
//! let layout = Layout {
//!     k: 13,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 8,
//!     constant_rows: 8,
//!     keccak_lanes: 1,
//!     ..Layout::default()
//! };
//! let message = b"multi-signatures";
//! let circuit = GateCircuit::new(&layout, false, |ctx| {
//!     // 16 bytes are two lanes; padding follows them.
//!     let half = Fr::from_u128(u128::from_be_bytes(*message));
//!     let mut block = ctx.chips.keccak().spread_half(Witness(half)).lanes().to_vec();
//!     block.push(Lane::constant(1));
//!     block.resize(16, Lane::constant(0));
//!     block.push(Lane::constant(1 << 63));
//!     let state = ctx.chips.keccak().absorb(ctx, None, &block);
//!     let digest = ctx.chips.keccak().squeeze(ctx, &state);
//!     let bytes = digest.map(|word| bits(word.value()).to_le_bytes()).concat();
//!     assert_eq!(bytes, keccak256(message));
//! });
//! // The lookup tables alone take 2^13 rows.
//! MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().assert_satisfied();
//! ```

use halo2_base::halo2_proofs::{
    circuit::Region,
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

mod chip;
mod schedule;
mod sparse;
mod sponge;
#[cfg(test)]
mod tests;
mod trace;

pub use chip::{KeccakChip, SpreadHalf};
pub use sparse::{bits, spread, Lane, TABLE_ROWS};
pub use sponge::Permuted;

use super::border;
use schedule::{Source, BLOCK, ROUND, SIDE};
use sparse::{chis, inverse_power, parities, power, CHUNK, CHUNKS, DIGITS};

/// Advice columns of a lane: five running sums, their parities, five words; the sums of columns of
/// the state and their parities.
pub(super) const WIDTH: usize = 17;
const Z: usize = 0;
const Y: usize = 5;
const V: usize = 10;
const SUM: usize = 15;
const C: usize = 16;

/// Columns of the Keccak gate.
#[derive(Clone, Debug)]
pub struct KeccakConfig {
    lanes: Vec<[Column<Advice>; WIDTH]>,
    /// Factor of the next cell in each running sum.
    factors: [Column<Fixed>; SIDE],
    /// 1 where the nonlinear step is looked up.
    chi: Column<Fixed>,
    /// 1 where parities are collected.
    collect: Column<Fixed>,
    /// Factor of the previous cell in the words that are put together.
    growth: Column<Fixed>,
    /// Not 0 on the heads of words that are taken in.
    head: Column<Fixed>,
    /// 1 where bytes are looked up.
    byte: Column<Fixed>,
    /// 1 on the first row of a round.
    round: Column<Fixed>,
    /// The round constant that the round before left out, spread.
    constant: Column<Fixed>,
    /// `[0, digits, their parities]` and `[1, byte, its digits]`.
    parities: [Column<Fixed>; 3],
    /// `[2a + b - c, a ⊕ (¬b ∧ c)]`, digit by digit.
    chis: [Column<Fixed>; 2],
}

impl KeccakConfig {
    /// Adds `lanes` lanes of 17 columns and 11 lookup arguments each. The lanes run in step and share
    /// the fixed columns. The README beside this file draws the rows and argues soundness.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, lanes: usize) -> Self {
        let mut advice = || {
            let columns = [(); WIDTH].map(|()| meta.advice_column());
            columns[V..V + SIDE].iter().for_each(|column| meta.enable_equality(*column));
            columns
        };
        let config = Self {
            lanes: (0..lanes).map(|_| advice()).collect(),
            factors: [(); SIDE].map(|()| meta.fixed_column()),
            chi: meta.fixed_column(),
            collect: meta.fixed_column(),
            growth: meta.fixed_column(),
            head: meta.fixed_column(),
            byte: meta.fixed_column(),
            round: meta.fixed_column(),
            constant: meta.fixed_column(),
            parities: [(); 3].map(|()| meta.fixed_column()),
            chis: [(); 2].map(|()| meta.fixed_column()),
        };
        for lane in &config.lanes {
            config.head_gate(meta, lane);
            config.round_gate(meta, lane);
            (0..SIDE).for_each(|i| config.parity_lookup(meta, lane, i));
            config.column_lookup(meta, lane);
            (0..SIDE).for_each(|i| config.word_lookup(meta, lane, i));
        }
        config
    }

    /// `v = head·z'` for each of the five words that are taken in: the running sum that begins in the
    /// row below is that of the word copied to `v`.
    fn head_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::create_gate(meta, "keccak: word taken in", |meta| {
            let head = meta.query_fixed(self.head, Rotation::cur());
            let constraint = |i: usize| {
                let z = meta.query_advice(lane[Z + i], Rotation::next());
                let v = meta.query_advice(lane[V + i], Rotation::cur());
                ("word taken in", head.clone() * (v - head.clone() * z))
            };
            (0..SIDE).map(constraint).collect::<Vec<_>>()
        });
    }

    /// Theta, rho and pi (FIPS 202 sections 3.2.1 to 3.2.3) on words. With the words `A` of the round
    /// before, the parities `C` of its columns and the running sum `z` of the lane that `A[x, y]`
    /// becomes,
    ///
    /// ```text
    /// A[x, y] + C[x - 1] + BASE·C[x + 1] = scale·z ± over·(BASE^64 - 1)
    /// ```
    ///
    /// `BASE·C` is the rotated word up to a multiple of `BASE^64 - 1`. The constant that the round
    /// before left out is added to `A[0, 0]` and to `C[0]`.
    fn round_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::create_gate(meta, "keccak: round", |meta| {
            let round = meta.query_fixed(self.round, Rotation::cur());
            let left_out = meta.query_fixed(self.constant, Rotation::cur());
            let mut at = |column: usize, row: usize| {
                meta.query_advice(lane[column], Rotation(row as i32 - ROUND as i32))
            };
            let word: Vec<Vec<_>> = (0..SIDE)
                .map(|x| (0..SIDE).map(|y| at(V + x, BLOCK * y + CHUNKS)).collect())
                .collect();
            let mut constraints = vec![];
            let mut columns = vec![];
            for (x, sheet) in word.iter().enumerate() {
                let block = ROUND + BLOCK * x;
                let sum = at(SUM, block + 1) * power(CHUNK * (CHUNKS - 1));
                let lanes = sheet.iter().cloned().reduce(|sum, lane| sum + lane);
                let lanes = lanes.expect("a sheet has five lanes");
                constraints.push(("column", round.clone() * (lanes - sum)));
                columns.push(at(C, block + CHUNKS));
            }
            columns[0] = columns[0].clone() + left_out.clone();
            for y in 0..SIDE {
                for x in 0..SIDE {
                    let source = Source::of(x, y);
                    let mut sum = word[source.x][source.y].clone()
                        + columns[(source.x + 4) % SIDE].clone()
                        + columns[(source.x + 1) % SIDE].clone() * power(1);
                    if (source.x, source.y) == (0, 0) {
                        sum = sum + left_out.clone();
                    }
                    let block = ROUND + BLOCK * y;
                    let modulus = power(DIGITS) - Fr::ONE;
                    let over = if source.straddles() { modulus } else { -modulus };
                    let turned = at(Z + x, block + 1) * source.scale() - at(Z + x, block) * over;
                    constraints.push(("lane", round.clone() * (sum - turned)));
                }
            }
            constraints
        });
    }

    /// The parities of the digits of `z - factor·z'`, or the digits of a byte. Degree: `2 + 2 + 1`.
    fn parity_lookup(
        &self,
        meta: &mut ConstraintSystem<Fr>,
        lane: &[Column<Advice>; WIDTH],
        i: usize,
    ) {
        border::lookup_any(meta, "keccak: parities", |meta| {
            let byte = meta.query_fixed(self.byte, Rotation::cur());
            let factor = meta.query_fixed(self.factors[i], Rotation::cur());
            let z = meta.query_advice(lane[Z + i], Rotation::cur());
            let z_next = meta.query_advice(lane[Z + i], Rotation::next());
            let y = meta.query_advice(lane[Y + i], Rotation::cur());
            let [tag, digits, parities] =
                self.parities.map(|column| meta.query_fixed(column, Rotation::cur()));
            vec![(byte, tag), (z - factor * z_next, digits), (y, parities)]
        });
    }

    /// The parities of a column of the state. The factors follow from the growth of the row below:
    /// `BASE^-5` where it is `BASE^5`.
    fn column_lookup(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        border::lookup_any(meta, "keccak: parities of columns", |meta| {
            let growth = meta.query_fixed(self.growth, Rotation::cur());
            let factor = meta.query_fixed(self.growth, Rotation::next()) * inverse_power(2 * CHUNK);
            let sum = meta.query_advice(lane[SUM], Rotation::cur());
            let sum_next = meta.query_advice(lane[SUM], Rotation::next());
            let c = meta.query_advice(lane[C], Rotation::cur());
            let c_last = meta.query_advice(lane[C], Rotation::prev());
            let [tag, digits, parities] =
                self.parities.map(|column| meta.query_fixed(column, Rotation::cur()));
            let none = Expression::Constant(Fr::ZERO);
            vec![(none, tag), (sum - factor * sum_next, digits), (c - growth * c_last, parities)]
        });
    }

    /// The nonlinear step (FIPS 202 section 3.2.4) on the parities of a plane, or the parities as they
    /// are; the looked-up output is `v` minus `growth` times the `v` of the row above. Degree:
    /// `2 + 2 + 1`.
    ///
    /// In the highest chunk, which has four digits, 3 is added to the fifth: `2a + b - c` must be 0 or
    /// less in all five lanes of a plane, so all `a` are 0, since the five values add up to twice the
    /// sum of the `a`.
    fn word_lookup(
        &self,
        meta: &mut ConstraintSystem<Fr>,
        lane: &[Column<Advice>; WIDTH],
        i: usize,
    ) {
        border::lookup_any(meta, "keccak: words", |meta| {
            let chi = meta.query_fixed(self.chi, Rotation::cur());
            let collect = meta.query_fixed(self.collect, Rotation::cur());
            let growth = meta.query_fixed(self.growth, Rotation::cur());
            let parities = |meta: &mut VirtualCells<Fr>, x: usize| {
                meta.query_advice(lane[Y + x % SIDE], Rotation::cur())
            };
            let [a, b, c] = [0, 1, 2].map(|x| parities(meta, i + x));
            let v = meta.query_advice(lane[V + i], Rotation::cur());
            let v_last = meta.query_advice(lane[V + i], Rotation::prev());
            let fifth = power(CHUNK - 1);
            let is_highest = chi.clone() - chi.clone() * growth.clone() * inverse_power(CHUNK);
            let input = chi.clone() * (a.clone() + a.clone() + b - c)
                + is_highest.clone() * (fifth * Fr::from(3));
            let output =
                (chi + collect.clone()) * v - growth * v_last - collect * a + is_highest * fifth;
            let [sums, outputs] = self.chis.map(|column| meta.query_fixed(column, Rotation::cur()));
            vec![(input, sums), (output, outputs)]
        });
    }

    /// Writes both tables. The rows below them stay 0: zeros with the result 0 are an entry of both
    /// anyway.
    ///
    /// # Panics
    /// If they do not fit `rows`.
    pub(super) fn write_tables(&self, region: &mut Region<Fr>, rows: usize) {
        for (row, entry) in parities().enumerate() {
            assert!(row < rows, "the table of parities fits the rows");
            self.parities.iter().zip(entry).for_each(|(c, v)| {
                region.assign_fixed(*c, row, v);
            });
        }
        for (row, entry) in chis().enumerate() {
            self.chis.iter().zip(entry).for_each(|(c, v)| {
                region.assign_fixed(*c, row, v);
            });
        }
    }
}
