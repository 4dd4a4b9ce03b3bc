//! SHA-256 in circuit, and tagged hashes.

#[cfg(test)]
mod tests;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use crate::hash::{
    padding::{Message, Part, Rule, HALF},
    sha2::{blocks, ended, halves, in_blocks, words_up_to},
};
use muster_gates::{
    sha2::{Sha256, Word},
    Chips, GateContext,
};
use muster_schemes::hash::sha256::native::{Midstate, BLOCK};

const RULE: Rule = Rule { block: BLOCK, first: 0x80, tail: 8, prefix: 0 };

/// What a hash goes on from.
#[derive(Clone, Debug)]
pub struct Start {
    /// The hash value.
    pub state: [Word<Sha256>; 8],
    /// Bits absorbed, in whole blocks.
    pub bits: QuantumCell<Fr>,
}

impl From<&Midstate> for Start {
    fn from(known: &Midstate) -> Self {
        let bits = QuantumCell::Constant(Fr::from(8 * known.bytes as u64));
        Self { state: known.state.map(Word::constant), bits }
    }
}

/// The hash of what `start` has absorbed and of `halves`, 16 bytes each as big-endian integers; a
/// half that is not below `2^128` fails. Returns the first and the last 16 bytes of the digest.
pub fn digest(
    ctx: &mut GateContext,
    start: &Midstate,
    message: &[QuantumCell<Fr>],
) -> [AssignedValue<Fr>; 2] {
    let blocks = blocks(ctx, start.bytes, message);
    let values = compress(ctx.chips, start.into(), &blocks);
    let last = values.last().expect("padding fills a block");
    pair(halves(ctx, last))
}

/// The hash of what `start` has absorbed and of a message, after which its halves hold zeros.
/// Anything else after the message fails, and so does a larger length.
///
/// # Panics
/// If there are not as many halves as `bound` bytes take, or `bound` is 0.
pub fn digest_up_to(
    ctx: &mut GateContext,
    start: impl Into<Start>,
    message: Message,
) -> [AssignedValue<Fr>; 2] {
    let start = start.into();
    let (words, ends) = words_up_to(ctx, (RULE, start.bits), message);
    let blocks = in_blocks(&words);
    let values = compress(ctx.chips, start, &blocks);
    let values = ctx.each(&values, |ctx, value| halves(ctx, value));
    pair(ended(ctx, &values, &ends))
}

/// The digest of a message that comes with its padding: the caller says what all bytes of its blocks are. A half that is not
/// below `2^128` fails.
///
/// # Panics
/// If the halves fill no blocks.
pub fn digest_of_blocks(
    ctx: &mut GateContext,
    halves: &[QuantumCell<Fr>],
) -> [AssignedValue<Fr>; 2] {
    assert!(!halves.is_empty() && halves.len().is_multiple_of(BLOCK / HALF), "whole blocks");
    let words: Vec<_> = halves.iter().flat_map(|half| Word::parts(ctx, half)).collect();
    let values = compress(ctx.chips, (&Midstate::START).into(), &in_blocks(&words));
    let last = values.last().expect("there is a block");
    pair(self::halves(ctx, last))
}

fn compress(chips: &Chips, start: Start, blocks: &[[Word<Sha256>; 16]]) -> Vec<[Word<Sha256>; 8]> {
    chips.sha256().compress(&chips.range, &start.state, blocks).values
}

fn pair(halves: Vec<AssignedValue<Fr>>) -> [AssignedValue<Fr>; 2] {
    halves.try_into().expect("eight words of 32 bits are two halves")
}
