//! What SHA-256 and SHA-512 have in common in circuit: halves of words, padding, and the choice of a hash value.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr, utils::fe_to_biguint, AssignedValue, QuantumCell,
};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::padding::{byte_power, constrain, weighted, Message, Padded, Part, Rule, HALF};
use muster_gates::{
    sha2::{Sha2, Word},
    GateContext,
};

/// Words of a block.
const BLOCK: usize = 16;

/// Words of a half.
const fn words<H: Sha2>() -> usize {
    HALF / Word::<H>::BYTES
}

/// The blocks of whole halves after `before` bytes that are already absorbed, FIPS 180-4 section 5.1.
pub(super) fn blocks<H: Sha2>(
    ctx: &mut GateContext,
    before: usize,
    halves: &[QuantumCell<Fr>],
) -> Vec<[Word<H>; BLOCK]> {
    let mut words: Vec<_> = halves.iter().flat_map(|half| Word::parts(ctx, half)).collect();
    let bytes = before + HALF * halves.len();
    let mut padding = vec![1 << (8 * Word::<H>::BYTES - 1)];
    // The length takes the last two words of a block.
    padding.resize((words.len() + 3).next_multiple_of(BLOCK) - words.len() - 2, 0);
    let length = 8 * bytes as u128;
    padding.extend([1, 0].map(|i| word_of::<H>(&BigUint::from(length), i)));
    words.extend(padding.into_iter().map(constant));
    in_blocks(&words)
}

/// The words of a message whose length is a cell, with its padding, after `before` bits; and for each block whether it
/// is the last one. If the rule has a prefix, the first block lacks its words.
pub(super) fn words_up_to<H: Sha2>(
    ctx: &mut GateContext,
    (rule, before): (Rule, QuantumCell<Fr>),
    message: Message,
) -> (Vec<Word<H>>, Vec<QuantumCell<Fr>>) {
    let mut padded = Padded::new(ctx, message, rule);
    let ends = padded.ends.clone();
    let eight = QuantumCell::Constant(Fr::from(8));
    let bits = ctx.gate.mul_add(ctx, message.length, eight, before);
    for (block, end) in ends.iter().enumerate() {
        let bits = ctx.gate.mul(ctx, bits, *end);
        padded.add((rule.block * (block + 1) - rule.prefix) / HALF - 1, bits.into(), Fr::one());
    }
    (padded.parts(ctx), ends)
}

/// Words, block by block.
pub(super) fn in_blocks<H: Sha2>(words: &[Word<H>]) -> Vec<[Word<H>; BLOCK]> {
    let blocks = words.chunks_exact(BLOCK);
    blocks.map(|block| block.try_into().expect("chunks of 16 words")).collect()
}

/// A hash value as halves, big-endian.
pub(super) fn halves<H: Sha2>(
    ctx: &mut GateContext,
    value: &[Word<H>; 8],
) -> Vec<AssignedValue<Fr>> {
    let halves = value.chunks(words::<H>()).map(|words| {
        let weights = (0..words.len()).map(|i| QuantumCell::Constant(place::<H>(i)));
        ctx.gate.inner_product(ctx, words.iter().map(Word::cell), weights)
    });
    halves.collect()
}

/// Selects, from the cells of each block, those of the block that ends the message. A single block is
/// that block.
pub(super) fn ended(
    ctx: &mut GateContext,
    blocks: &[Vec<AssignedValue<Fr>>],
    ends: &[QuantumCell<Fr>],
) -> Vec<AssignedValue<Fr>> {
    if let [only] = blocks {
        return only.clone();
    }
    let chosen = (0..blocks[0].len()).map(|i| {
        let cells: Vec<_> = blocks.iter().map(|cells| cells[i]).collect();
        ctx.gate.inner_product(ctx, cells, ends.iter().copied())
    });
    chosen.collect()
}

/// The words of 16 bytes. Since each is below `2^32` or `2^64`, they are unique.
impl<H: Sha2> Part for Word<H> {
    fn parts(ctx: &mut GateContext, half: &QuantumCell<Fr>) -> Vec<Self> {
        let value = fe_to_biguint(half.value());
        let integers = (0..words::<H>()).map(|i| word_of::<H>(&value, words::<H>() - 1 - i));
        if let QuantumCell::Constant(_) = half {
            assert!(value.bits() <= 128, "a half has 16 bytes");
            return integers.map(constant).collect();
        }
        let words: Vec<_> =
            integers.map(|word| Self::witness(ctx.range, integer::<H>(word))).collect();
        let terms = words.iter().enumerate().map(|(i, word)| (word.cell(), place::<H>(i)));
        let sum = weighted(ctx, terms.collect());
        match half {
            QuantumCell::Existing(half) => constrain(ctx, sum, half),
            _ => panic!("a half is a cell or a constant"),
        }
        words
    }
}

fn constant<H: Sha2>(word: u64) -> Word<H> {
    Word::constant(integer::<H>(word))
}

fn integer<H: Sha2>(word: u64) -> H::Int {
    word.try_into().ok().expect("a word")
}

/// The word `i` of an integer, the lowest first.
fn word_of<H: Sha2>(value: &BigUint, i: usize) -> u64 {
    let word = (value >> (8 * Word::<H>::BYTES * i)) % (1u128 << (8 * Word::<H>::BYTES));
    word.to_u64().expect("reduced to a word")
}

/// Weight of a word in a half.
fn place<H: Sha2>(i: usize) -> Fr {
    byte_power(Word::<H>::BYTES * (words::<H>() - 1 - i))
}
