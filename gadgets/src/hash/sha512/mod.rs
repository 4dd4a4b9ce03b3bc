//! SHA-512 in circuit.

#[cfg(test)]
mod tests;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use crate::hash::{
    padding::{Message, Rule},
    sha2::{blocks, ended, halves, in_blocks, words_up_to},
};
use muster_gates::{
    sha2::{Order, Sha512, Word},
    Chips, GateContext,
};
use muster_schemes::hash::sha512::native::{BLOCK, INITIAL};

/// Words of a prefix.
const PREFIX: usize = 8;

const RULE: Rule = Rule { block: BLOCK, first: 0x80, tail: 16, prefix: 0 };

/// The hash of `message`, in halves of 16 bytes each as big-endian integers; a half that is not below `2^128` fails.
/// Returns the digest in halves as well.
pub fn digest(ctx: &mut GateContext, message: &[QuantumCell<Fr>]) -> [AssignedValue<Fr>; 4] {
    let blocks = blocks(ctx, 0, message);
    let values = compress(ctx.chips, &blocks, Order::Big);
    let last = values.last().expect("padding fills a block");
    four(halves(ctx, last))
}

/// The hash of a message, after which its halves hold zeros, in halves. Anything else after the message fails, and so
/// does a larger length.
///
/// # Panics
/// If there are not as many halves as `bound` bytes take, or `bound` is 0.
pub fn digest_up_to(ctx: &mut GateContext, message: Message) -> [AssignedValue<Fr>; 4] {
    let (words, ends) = words_up_to(ctx, (RULE, QuantumCell::Constant(Fr::zero())), message);
    let blocks = in_blocks(&words);
    let values = compress(ctx.chips, &blocks, Order::Big);
    let values = ctx.each(&values, |ctx, value| halves(ctx, value));
    four(ended(ctx, &values, &ends))
}

/// A message with its padding, as it follows 64 bytes: made once for all prefixes that are hashed with
/// it.
#[derive(Clone, Debug)]
pub struct Behind {
    words: Vec<Word<Sha512>>,
    ends: Vec<QuantumCell<Fr>>,
}

impl Behind {
    /// Pads a message, after which its halves hold zeros. Anything else after the message fails, and so does a larger
    /// length.
    ///
    /// # Panics
    /// If there are not as many halves as `bound` bytes take, or `bound` is 0.
    pub fn new(ctx: &mut GateContext, message: Message) -> Self {
        let rule = Rule { prefix: 8 * PREFIX, ..RULE };
        let before = QuantumCell::Constant(Fr::from(8 * rule.prefix as u64));
        let (words, ends) = words_up_to(ctx, (rule, before), message);
        Self { words, ends }
    }
}

/// The hash of 64 bytes and a message after them, as in Ed25519 (RFC 8032 section 5.1.7, step 2): the prefix is eight
/// words of eight bytes as little-endian integers, and so is the digest, whose words are all below `2^64`. A word of
/// the prefix that is not below `2^64` fails.
pub fn digest_after(
    ctx: &mut GateContext,
    prefix: &[AssignedValue<Fr>; PREFIX],
    behind: &Behind,
) -> [AssignedValue<Fr>; 8] {
    let little = |word| Word::existing(ctx.range, word).in_order(Order::Little);
    let prefix = prefix.map(little);
    let blocks = in_blocks(&[&prefix, &behind.words[..]].concat());
    let cell = |word: &Word<Sha512>| match word.cell() {
        QuantumCell::Existing(cell) => cell,
        _ => unreachable!("a hash value has cells"),
    };
    let values = compress(ctx.chips, &blocks, Order::Little);
    let values: Vec<Vec<_>> = values.iter().map(|value| value.iter().map(cell).collect()).collect();
    let words = ended(ctx, &values, &behind.ends);
    words.try_into().expect("a hash value has eight words")
}

fn compress(chips: &Chips, blocks: &[[Word<Sha512>; 16]], values: Order) -> Vec<[Word<Sha512>; 8]> {
    let first = INITIAL.map(Word::constant);
    chips.sha512().compress_in(&chips.range, &first, blocks, values).values
}

fn four(halves: Vec<AssignedValue<Fr>>) -> [AssignedValue<Fr>; 4] {
    halves.try_into().expect("eight words of 64 bits are four halves")
}
