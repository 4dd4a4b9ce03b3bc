//! Short messages that are public themselves, not by a digest, in circuit.

#[cfg(test)]
mod tests;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};

use crate::{
    field::foreign::halves::{below, power},
    hash::padding::{Message, HALF},
};
use muster_gates::{chain, vertical, GateContext};
use muster_schemes::signature::{MAX_PLAIN_BYTES, PLAIN_INPUTS};

/// Halves of the longest message.
const HALVES: usize = MAX_PLAIN_BYTES / HALF;

/// Bits of half a half: the second half of the message is split between two public inputs.
const WORD: usize = 64;

/// A prover's claim about a message.
#[derive(Clone, Debug)]
struct PlainHint {
    /// 16 bytes each, zeros behind the message.
    halves: [Fr; HALVES],
    /// The first eight bytes of the second half, and the others.
    words: [Fr; 2],
    length: Fr,
}

impl PlainHint {
    /// The honest claim about at most 64 bytes.
    fn new(bytes: &[u8]) -> Self {
        let mut padded = [0; MAX_PLAIN_BYTES];
        padded[..bytes.len()].copy_from_slice(bytes);
        let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
        let at = |start: usize, count: usize| Fr::from_u128(number(&padded[start..start + count]));
        Self {
            halves: std::array::from_fn(|half| at(HALF * half, HALF)),
            words: [at(HALF, HALF / 2), at(HALF + HALF / 2, HALF / 2)],
            length: Fr::from(bytes.len() as u64),
        }
    }
}

/// The bytes, at most `most`, that three public inputs encode.
#[derive(Clone, Debug)]
pub struct AssignedPlain {
    halves: Vec<AssignedValue<Fr>>,
    length: AssignedValue<Fr>,
    most: usize,
}

impl AssignedPlain {
    /// Witnesses the bytes, and constrains the public inputs to be
    /// [theirs](muster_schemes::signature::PlainBytes::public_inputs), given that [`Self::message`] is hashed.
    ///
    /// # Panics
    /// If there are more bytes than 64, or `most` is not from 1 to 64.
    pub fn new(
        ctx: &mut GateContext,
        public: &[AssignedValue<Fr>; PLAIN_INPUTS],
        (bytes, most): (&[u8], usize),
    ) -> Self {
        Self::of_hint(ctx, public, (&PlainHint::new(bytes), most))
    }

    /// The same from a hint.
    fn of_hint(
        ctx: &mut GateContext,
        [first, second, third]: &[AssignedValue<Fr>; PLAIN_INPUTS],
        (hint, most): (&PlainHint, usize),
    ) -> Self {
        assert!((1..=MAX_PLAIN_BYTES).contains(&most), "a message has a byte, and at most 64");
        let count = most.div_ceil(HALF);
        let mut half = |half: usize| {
            if half < count {
                ctx.load_witness(hint.halves[half])
            } else {
                // Nothing hashes this half, so it is not witnessed.
                vertical::load_zero(ctx)
            }
        };
        let halves = [half(0), half(1), half(2), half(3)];
        let length = ctx.load_witness(hint.length);
        let [upper, lower] = hint.words.map(Witness);
        // The upper word has 64 bits since the second half is below 2^128, if the sum does not wrap.
        let upper = ctx.range.check(upper, WORD);
        let lower = below(ctx, lower, WORD);
        assert_joined(ctx, (upper, WORD), lower, halves[1]);
        assert_joined(ctx, (halves[0], WORD), upper, *first);
        assert_joined(ctx, (lower, 8 * HALF), halves[2], *second);
        assert_joined(ctx, (halves[3], 8), length, *third);
        Self { halves: halves[..count].to_vec(), length, most }
    }

    /// The bytes with their length. Hashing them shows that there are no more than the bound, that zeros stand behind
    /// them, and that each half is below `2^128`.
    pub fn message(&self) -> Message<'_> {
        Message { halves: &self.halves, length: self.length, bound: self.most }
    }
}

/// `high·2^bits + low = whole`
#[track_caller]
fn assert_joined(
    ctx: &mut Context<Fr>,
    (high, bits): (AssignedValue<Fr>, usize),
    low: AssignedValue<Fr>,
    whole: AssignedValue<Fr>,
) {
    let high = [(Existing(high), Constant(power(bits)))];
    chain::assert_sum(ctx, Existing(low), &high, Existing(whole));
}
