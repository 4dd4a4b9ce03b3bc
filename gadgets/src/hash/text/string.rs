//! Strings of halves.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};
use num_bigint::BigUint;

use super::{assert_bits, short::Short};
use crate::hash::{
    padding::{big_endian, byte_power, Message, HALF},
    sha256::digest_up_to,
};
use muster_gates::{chain, vertical::load_constant, GateContext};
use muster_schemes::hash::sha256::Midstate;

/// Bits of a half.
pub(super) const HALF_BITS: usize = 8 * HALF;
/// Bits that a range check may leave a number of [`HALF_BITS`].
pub(super) const LOOSE_BITS: usize = 132;

/// The cells of a string.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// As in a [`Message`] of at most `most` bytes.
    pub(super) halves: Vec<AssignedValue<Fr>>,
    pub(super) length: AssignedValue<Fr>,
    pub(super) least: usize,
    pub(super) most: usize,
}

impl Cells {
    /// The input of a hash function.
    pub(super) fn message(&self) -> Message<'_> {
        Message { halves: &self.halves, length: self.length, bound: self.most }
    }
}

/// A string of any number of bytes up to a bound. It is evidence that its halves are below `2^128` and that zeros
/// follow its last byte: only code that shows this makes one.
#[derive(Clone, Debug)]
pub struct Text(Cells);

impl Text {
    /// A string for which the caller has shown what the type stands for.
    pub(super) fn shown(cells: Cells) -> Self {
        assert_eq!(cells.halves.len(), cells.most.div_ceil(HALF), "the halves of its bound");
        assert!(cells.least <= cells.most);
        Self(cells)
    }

    /// These bytes.
    pub fn constant(ctx: &mut Context<Fr>, bytes: &[u8]) -> Self {
        let half = |half: &[u8]| big_endian(half) * byte_power(HALF - half.len());
        let halves = bytes.chunks(HALF).map(|bytes| load_constant(ctx, half(bytes))).collect();
        Self::full(ctx, halves, bytes.len())
    }

    /// All 16 bytes of each of these halves. There is no witness for cells that are not below
    /// `2^128`.
    pub fn of_halves(ctx: &mut GateContext, halves: &[AssignedValue<Fr>]) -> Self {
        assert_are_halves(ctx, halves);
        Self::full(ctx, halves.to_vec(), HALF * halves.len())
    }

    fn full(ctx: &mut Context<Fr>, halves: Vec<AssignedValue<Fr>>, bytes: usize) -> Self {
        let length = load_constant(ctx, Fr::from(bytes as u64));
        Self::shown(Cells { halves, length, least: bytes, most: bytes })
    }

    /// A message, after which its halves hold zeros. Anything else after it fails, and so do a larger length and a cell
    /// that is not below `2^128`.
    ///
    /// # Panics
    /// If there are not as many halves as `bound` bytes take, or `bound` is 0.
    pub fn of_message(ctx: &mut GateContext, message: Message) -> Self {
        assert_are_halves(ctx, message.halves);
        message.assert_ends(ctx);
        Self::of_shown_message(message)
    }

    /// The same with its SHA-256, in halves; the hash shows all of this.
    ///
    /// # Panics
    /// As [`Self::of_message`].
    pub fn with_sha256(ctx: &mut GateContext, message: Message) -> (Self, [AssignedValue<Fr>; 2]) {
        let digest = digest_up_to(ctx, &Midstate::START, message);
        (Self::of_shown_message(message), digest)
    }

    fn of_shown_message(Message { halves, length, bound }: Message) -> Self {
        Self::shown(Cells { halves: halves.to_vec(), length, least: 0, most: bound })
    }

    /// The same string in halves.
    pub fn of_short(ctx: &mut GateContext, short: &Short) -> Self {
        let (least, most) = short.bounds();
        let value = fe_to_biguint(short.cell().value());
        let low: BigUint = value % (BigUint::from(1u8) << (8 * most.saturating_sub(HALF)));
        Self::shown(Cells {
            halves: halves_of(ctx, short, biguint_to_fe(&low)),
            length: short.length(),
            least,
            most,
        })
    }

    /// The length in bytes.
    pub fn length(&self) -> AssignedValue<Fr> {
        self.0.length
    }

    /// The least and the most bytes that it may have.
    pub fn bounds(&self) -> (usize, usize) {
        (self.0.least, self.0.most)
    }

    /// The input of a hash function.
    pub fn message(&self) -> Message<'_> {
        self.0.message()
    }

    pub(super) fn cells(&self) -> &Cells {
        &self.0
    }
}

/// The halves of a short string, with a hint of the bytes after the first 16 of its bound: `value = 256^n·high + low`
/// for `n` such bytes. The string is below `256^(16 + n)` and `256^n·high` below `2^252`, so `high` is a half.
pub(super) fn halves_of(ctx: &mut GateContext, short: &Short, low: Fr) -> Vec<AssignedValue<Fr>> {
    let (cell, (_, most)) = (short.cell(), short.bounds());
    let Some(behind) = most.checked_sub(HALF).filter(|behind| *behind > 0) else {
        return vec![ctx.gate.mul(ctx, cell, Constant(byte_power(HALF - most)))];
    };
    let shift = byte_power(behind);
    let inverse = shift.invert().expect("a power of 256 is not 0");
    let high = ctx.load_witness((*cell.value() - low) * inverse);
    let low = ctx.load_witness(low);
    assert_bits(ctx, high, (HALF_BITS, LOOSE_BITS));
    assert_bits(ctx, low, (8 * behind, 8 * behind));
    chain::assert_sum(ctx, Existing(low), &[(Existing(high), Constant(shift))], Existing(cell));
    vec![high, ctx.gate.mul(ctx, low, Constant(byte_power(HALF - behind)))]
}

/// Shows that each of them is below `2^128`.
pub(super) fn assert_are_halves(ctx: &mut GateContext, halves: &[AssignedValue<Fr>]) {
    halves.iter().for_each(|half| assert_bits(ctx, *half, (HALF_BITS, HALF_BITS)));
}
