//! SHA-256 in circuit.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr, utils::fe_to_biguint, AssignedValue, Context, QuantumCell,
};
use num_traits::ToPrimitive;

use super::native::{Midstate, BLOCK};
use crate::{
    gate::{sha256::Word, Chips},
    hash::padding::{byte_power, constrain, weighted, Message, Padded, Part, Rule, HALF},
};

/// Words of a half.
const WORDS: usize = 4;
/// Halves of a block.
const HALVES: usize = BLOCK / HALF;

const RULE: Rule = Rule { block: BLOCK, first: 0x80, tail: 8 };

/// The hash of what `start` has absorbed and of `halves`, 16 bytes each as big-endian integers; a
/// half that is not below `2^128` fails. Returns the first and the last 16 bytes of the digest.
pub fn digest(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    start: &Midstate,
    halves: &[QuantumCell<Fr>],
) -> [AssignedValue<Fr>; 2] {
    let mut words: Vec<_> = halves.iter().flat_map(|half| Word::parts(ctx, chips, half)).collect();
    let bytes = start.bytes + HALF * halves.len();
    let mut padding = vec![0x8000_0000];
    // The length of 64 bits ends a block, FIPS 180-4 section 5.1.1.
    padding.resize((words.len() + 3).next_multiple_of(16) - words.len() - 2, 0);
    let bits = 8 * bytes as u64;
    padding.extend([(bits >> 32) as u32, bits as u32]);
    words.extend(padding.into_iter().map(Word::constant));
    let values = compress(chips, start, &words);
    let last = values.last().expect("padding fills a block");
    [0, 4].map(|first| join(ctx, chips, &last[first..first + WORDS]))
}

/// The hash of what `start` has absorbed and of a message, after which its halves hold zeros.
/// Anything else after the message fails, and so does a larger length.
///
/// # Panics
/// If there are not as many halves as `bound` bytes take, or `bound` is 0.
pub fn digest_up_to(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    start: &Midstate,
    message: Message,
) -> [AssignedValue<Fr>; 2] {
    let mut padded = Padded::new(ctx, chips, message, RULE);
    let ends = padded.ends.clone();
    let before = Fr::from(8 * start.bytes as u64);
    let bits = chips.gate.mul_add(
        ctx,
        message.length,
        QuantumCell::Constant(Fr::from(8)),
        QuantumCell::Constant(before),
    );
    for (block, end) in ends.iter().enumerate() {
        let bits = chips.gate.mul(ctx, bits, *end);
        padded.add(HALVES * (block + 1) - 1, bits.into(), Fr::one());
    }
    let words: Vec<Word> = padded.parts(ctx, chips);
    let values = compress(chips, start, &words);
    [0, 4].map(|first| {
        let halves: Vec<_> =
            values.iter().map(|value| join(ctx, chips, &value[first..first + WORDS])).collect();
        chips.gate.inner_product(ctx, halves, ends.iter().copied())
    })
}

fn compress(chips: &Chips, start: &Midstate, words: &[Word]) -> Vec<[Word; 8]> {
    let blocks: Vec<[Word; 16]> =
        words.chunks_exact(16).map(|block| block.try_into().expect("chunks of 16 words")).collect();
    chips.sha256().compress(&chips.range, &start.state.map(Word::constant), &blocks).values
}

/// The four words of 16 bytes: as they are below `2^32`, there is one way to take it apart.
impl Part for Word {
    fn parts(ctx: &mut Context<Fr>, chips: &Chips, half: &QuantumCell<Fr>) -> Vec<Self> {
        let value = fe_to_biguint(half.value());
        let word = |i: usize| {
            let word = (&value >> (32 * (WORDS - 1 - i))) % (1u64 << 32);
            word.to_u32().expect("reduced to 32 bits")
        };
        if let QuantumCell::Constant(_) = half {
            assert!(value.bits() <= 128, "a half has 16 bytes");
            return (0..WORDS).map(|i| Self::constant(word(i))).collect();
        }
        let words: Vec<_> = (0..WORDS).map(|i| Self::witness(&chips.range, word(i))).collect();
        let terms = words.iter().enumerate().map(|(i, word)| (word.cell(), place(i)));
        let sum = weighted(ctx, &chips.gate, terms.collect());
        match half {
            QuantumCell::Existing(half) => constrain(ctx, sum, half),
            _ => panic!("a half is a cell or a constant"),
        }
        words
    }
}

/// Four words of a digest as an integer.
fn join(ctx: &mut Context<Fr>, chips: &Chips, words: &[Word]) -> AssignedValue<Fr> {
    let weights = (0..WORDS).map(|i| QuantumCell::Constant(place(i)));
    chips.gate.inner_product(ctx, words.iter().map(Word::cell), weights)
}

/// Weight of a word in a half.
fn place(i: usize) -> Fr {
    byte_power(4 * (WORDS - 1 - i))
}
