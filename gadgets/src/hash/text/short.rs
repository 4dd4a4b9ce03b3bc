//! Strings in one cell.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};

use super::assert_bits;
use crate::hash::padding::{big_endian, byte_power};
use muster_gates::{chain, small::Bit, vertical::load_constant, GateContext};

/// The most bytes in a cell: each such string is below `2^248`.
const MOST: usize = 31;

/// A string of at most 31 bytes, in one cell. It is evidence that its cell is below `256^most` and that zeros follow
/// its last byte: only code that shows this makes one.
#[derive(Clone, Copy, Debug)]
pub struct Short {
    /// The bytes as a big-endian integer of `most` bytes.
    cell: AssignedValue<Fr>,
    length: AssignedValue<Fr>,
    /// `256^(most - length)`.
    rest: AssignedValue<Fr>,
    least: usize,
    most: usize,
}

/// The cells of a string, for callers who show that they are.
pub(super) struct Shown {
    /// As in [`Short`].
    pub(super) cell: AssignedValue<Fr>,
    pub(super) length: AssignedValue<Fr>,
    pub(super) rest: AssignedValue<Fr>,
}

impl Short {
    /// These bytes.
    ///
    /// # Panics
    /// If they are more than 31.
    pub fn constant(ctx: &mut Context<Fr>, bytes: &[u8]) -> Self {
        let value = big_endian(bytes);
        let cell = load_constant(ctx, value);
        Self::full(ctx, cell, bytes.len())
    }

    /// A number in `bytes` bytes, big-endian. A larger one fails.
    ///
    /// # Panics
    /// If that is more than 31, or 0.
    pub fn number(ctx: &mut GateContext, number: AssignedValue<Fr>, bytes: usize) -> Self {
        assert_bits(ctx, number, (8 * bytes, 8 * bytes));
        Self::full(ctx, number, bytes)
    }

    /// A string of exactly `bytes` bytes.
    fn full(ctx: &mut Context<Fr>, cell: AssignedValue<Fr>, bytes: usize) -> Self {
        let length = load_constant(ctx, Fr::from(bytes as u64));
        let rest = load_constant(ctx, Fr::ONE);
        Self::shown(Shown { cell, length, rest }, (bytes, bytes))
    }

    /// A string of `least` to `most` bytes, for which the caller has shown what the type stands
    /// for.
    pub(super) fn shown(
        Shown { cell, length, rest }: Shown,
        (least, most): (usize, usize),
    ) -> Self {
        assert!(least <= most && most <= MOST, "the string fits one cell");
        Self { cell, length, rest, least, most }
    }

    /// `self ‖ other`, in 15 cells.
    ///
    /// # Panics
    /// If it could have more than 31 bytes.
    #[must_use]
    pub fn then(&self, ctx: &mut GateContext, other: &Self) -> Self {
        let one = Constant(Fr::ONE);
        let behind = (Existing(self.rest), Existing(other.cell));
        let before = (Existing(self.cell), Constant(byte_power(other.most)));
        let cell = chain::sum(ctx, Constant(Fr::ZERO), &[before, behind]);
        let length = chain::sum(ctx, Existing(self.length), &[(one, Existing(other.length))]);
        let rest = ctx.gate.mul(ctx, self.rest, other.rest);
        let bounds = (self.least + other.least, self.most + other.most);
        Self::shown(Shown { cell, length, rest }, bounds)
    }

    /// The string if `kept` is 1, and the empty one if it is 0.
    #[must_use]
    pub fn kept(&self, ctx: &mut GateContext, kept: Bit) -> Self {
        let cell = ctx.gate.mul(ctx, self.cell, kept.cell());
        let length = ctx.gate.mul(ctx, self.length, kept.cell());
        let nothing = byte_power(self.most);
        let less = chain::sum(ctx, Existing(self.rest), &[(Constant(Fr::ONE), Constant(-nothing))]);
        let rest = chain::sum(ctx, Constant(nothing), &[(Existing(less), Existing(kept.cell()))]);
        Self::shown(Shown { cell, length, rest }, (0, self.most))
    }

    /// Its length as a byte: the varint that precedes it.
    ///
    /// # Panics
    /// If a longer one could take two bytes.
    pub fn length_byte(&self, ctx: &mut Context<Fr>) -> Self {
        assert!(self.most < 128, "the length has seven bits");
        Self::full(ctx, self.length, 1)
    }

    /// The cell: the bytes as a big-endian integer, followed by zeros up to the most bytes.
    pub fn cell(&self) -> AssignedValue<Fr> {
        self.cell
    }

    /// The length in bytes.
    pub fn length(&self) -> AssignedValue<Fr> {
        self.length
    }

    /// The least and the most bytes that it may have.
    pub fn bounds(&self) -> (usize, usize) {
        (self.least, self.most)
    }
}
