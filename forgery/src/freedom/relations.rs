//! What blocks of the foreign gate say about numbers.

use std::collections::BTreeMap;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{fe_to_biguint, modulus},
};
use num_bigint::BigInt;
use num_traits::{Euclid, Zero};

use super::grid::{Grid, Number, Relation};
use muster_gates::foreign::{At, BlockParts, Summand};

/// A block at its first row.
pub(super) struct Block<'a> {
    grid: &'a Grid,
    parts: &'a BlockParts,
    pub(super) start: usize,
}

/// A value, and its slopes in numbers.
#[derive(Default)]
struct Gaining {
    value: BigInt,
    slopes: BTreeMap<Number, BigInt>,
}

/// The blocks that are selected.
pub(super) fn blocks<'a>(grid: &'a Grid, parts: &'a BlockParts) -> impl Iterator<Item = Block<'a>> {
    let starts = (0..grid.sheet.usable.saturating_sub(parts.rows)).step_by(parts.rows);
    let is_on = |start: &usize| !bool::from(grid.fixed(parts.select, *start).is_zero());
    starts.filter(is_on).map(move |start| Block { grid, parts, start })
}

impl Block<'_> {
    /// The classes of these cells.
    pub(super) fn classes(&self, cells: &[At]) -> Vec<usize> {
        cells.iter().map(|(column, row)| self.grid.class(*column, self.row(*row))).collect()
    }

    /// The derivative of its equation at the cells' values.
    pub(super) fn relation(&self) -> Relation {
        let modulus: Vec<_> = self.parts.modulus.iter().map(|limb| self.fixed(*limb)).collect();
        let modulus = self.number(&modulus);
        let mut sums = self.parts.sums.iter().map(|sum| self.sum(sum));
        let mut slopes = BTreeMap::<Number, BigInt>::new();
        let mut add = |number: Number, slope: BigInt| *slopes.entry(number).or_default() += slope;
        while let Some(x) = sums.next() {
            // What is added to the products comes after them, without a second factor.
            let Some(y) = sums.next() else {
                x.slopes.into_iter().for_each(|(number, slope)| add(number, slope));
                break;
            };
            x.slopes.into_iter().for_each(|(number, slope)| add(number, slope * &y.value));
            y.slopes.into_iter().for_each(|(number, slope)| add(number, slope * &x.value));
        }
        let residue =
            |slope: BigInt| if modulus.is_zero() { slope } else { slope.rem_euclid(&modulus) };
        let slopes = slopes.into_iter().map(|(number, slope)| (number, residue(slope)));
        let slopes = slopes.filter(|(_, slope)| !slope.is_zero()).collect();
        Relation { slopes, modulus, bits: self.parts.bits as u32, row: self.start }
    }

    fn sum(&self, summands: &[Summand]) -> Gaining {
        let mut sum = Gaining::default();
        for Summand { factor, limbs, sign } in summands {
            let factor = self.fixed(*factor);
            if factor.is_zero() {
                continue;
            }
            let number = self.classes(limbs);
            let limbs: Vec<_> =
                number.iter().map(|class| signed(&self.grid.value(*class))).collect();
            let value = self.number(&limbs) * &factor;
            let mut add = |number, slope| *sum.slopes.entry(number).or_default() += slope;
            match sign {
                Some(sign) => {
                    let sign = self.classes(&[*sign]);
                    let turn = signed(&self.grid.value(sign[0]));
                    add(number, &turn * factor);
                    sum.value += turn * &value;
                    add(sign, value);
                }
                None => {
                    add(number, factor);
                    sum.value += value;
                }
            }
        }
        sum
    }

    /// The number that limbs make.
    fn number(&self, limbs: &[BigInt]) -> BigInt {
        let bits = self.parts.limb_bits;
        limbs.iter().rev().fold(BigInt::zero(), |sum, limb| (sum << bits) + limb)
    }

    fn fixed(&self, (column, row): At) -> BigInt {
        signed(&self.grid.fixed(column, self.row(row)))
    }

    fn row(&self, row: i32) -> usize {
        self.grid.sheet.around(self.start, row)
    }
}

/// The integer of least magnitude that a native element stands for.
fn signed(value: &Fr) -> BigInt {
    let number = BigInt::from(fe_to_biguint(value));
    let prime = BigInt::from(modulus::<Fr>());
    if &number + &number > prime {
        number - prime
    } else {
        number
    }
}
