//! The columns of a lane, the rows of a step, and how sums share a cell.

use std::{iter, sync::LazyLock};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Column, Expression, VirtualCells},
    poly::Rotation,
};

use super::{
    spec::{Spec, STATE},
    word::Order,
};
pub(super) use crate::layout::QUADS;

/// A hash function with `bits` bits of each word in a row: first those of `a`, then those of `e` and `w`, a running
/// sum, and beside it words and carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub(super) spec: Spec,
    pub(super) bits: usize,
}

impl Format {
    pub(super) fn new(spec: Spec, bits: usize) -> Self {
        let format = Self { spec, bits };
        assert!(bits > 0 && format.step() >= spec.sides.rows(), "a row for each word and carry");
        format
    }

    pub(super) fn e(&self) -> usize {
        self.bits
    }

    pub(super) fn w(&self) -> usize {
        2 * self.bits
    }

    pub(super) fn acc(&self) -> usize {
        3 * self.bits
    }

    pub(super) fn side(&self) -> usize {
        3 * self.bits + 1
    }

    /// Advice columns of a lane.
    pub(super) fn width(&self) -> usize {
        3 * self.bits + 2
    }

    /// Rows of a step: the bits of its words.
    pub(super) fn step(&self) -> usize {
        self.spec.word.div_ceil(self.bits)
    }

    /// Bits of the first row of a step that are beyond the highest bit of a word.
    pub(super) fn spare(&self) -> usize {
        self.bits * self.step() - self.spec.word
    }

    /// Rows of a step, counted from the lowest bits, whose bit `bit` belongs to the word.
    pub(super) fn rows_with(&self, bit: usize) -> usize {
        (self.spec.word - bit).div_ceil(self.bits)
    }

    /// Parts of a step, of four rows each.
    pub(super) fn parts(&self) -> usize {
        self.step().div_ceil(QUADS)
    }

    pub(super) fn rounds(&self) -> usize {
        self.spec.constants.len()
    }

    /// Steps of a compression: its rounds, and the hash value after it.
    pub(super) fn compression(&self) -> usize {
        self.rounds() + STATE
    }

    /// Rows of a chain of `count` compressions.
    pub(super) fn chain_rows(&self, count: usize) -> usize {
        self.step() * (STATE + self.compression() * count)
    }

    /// Weight of sum `i` among those that share a cell.
    pub(super) fn slot(&self, i: usize) -> Fr {
        power(self.spec.slot * i)
    }

    /// What a carry of 1 stands for.
    pub(super) fn shift(&self) -> Fr {
        power(self.spec.word)
    }

    /// The slots in which the words of a hash value are compared with their summands. Where these words are read
    /// elsewhere, the slots of their bits are free for this.
    pub(super) fn sum_slots(&self) -> [usize; 2] {
        if self.spec.ordered {
            [0, 1]
        } else {
            [2, 3]
        }
    }

    /// The number of pieces of a word in a row that have weights of their own, and the bits of each: bytes, the whole
    /// of a shorter row, or single bits where rows do not line up with bytes. There are none if words have only one
    /// byte order.
    pub(super) fn pieces(&self) -> (usize, usize) {
        let bits = if self.bits.is_power_of_two() { self.bits.min(8) } else { 1 };
        (if self.spec.ordered { self.bits / bits } else { 0 }, bits)
    }

    /// Weight of a piece in the running sum, the lowest piece first. It is the weight in the integer, divided by the
    /// factor that the rows after it multiply the running sum by.
    pub(super) fn weight(&self, order: Order, row: usize, piece: usize) -> Fr {
        let growth = self.bits * (self.step() - 1 - row);
        let place = growth + self.pieces().1 * piece;
        if place >= self.spec.word {
            return Fr::ZERO;
        }
        let place = match order {
            Order::Big => place,
            Order::Little => self.spec.word - 8 - place / 8 * 8 + place % 8,
        };
        let less = power(growth).invert().expect("a power of 2");
        power(place) * less
    }
}

/// `2^exponent`. It comes from a table, as every row of a witness takes some.
///
/// # Panics
///
/// If the exponent is 256 or more.
pub(super) fn power(exponent: usize) -> Fr {
    static POWERS: LazyLock<Vec<Fr>> = LazyLock::new(|| {
        iter::successors(Some(Fr::ONE), |power| Some(power.double())).take(256).collect()
    });
    POWERS[exponent]
}

pub(super) fn constant(value: u64) -> Expression<Fr> {
    Expression::Constant(Fr::from(value))
}

pub(super) fn one() -> Expression<Fr> {
    constant(1)
}

/// A cell `rotation` rows below.
pub(super) fn advice(
    meta: &mut VirtualCells<Fr>,
    lane: &[Column<Advice>],
    column: usize,
    rotation: i32,
) -> Expression<Fr> {
    meta.query_advice(lane[column], Rotation(rotation))
}
