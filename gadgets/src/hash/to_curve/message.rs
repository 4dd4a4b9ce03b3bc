//! Messages that are hashed to curves, those of a fixed number of bytes among them, and the first hash of their expansion.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::One;

use crate::{
    field::foreign::halves::{below, power},
    hash::{
        padding::{Part, HALF},
        sha2::in_blocks,
        sha256::digest_up_to,
        text::Text,
    },
};
use muster_gates::{
    chain,
    keccak::Lane,
    sha2::{Sha256, Word},
    Chips, GateContext,
};
use muster_schemes::hash::{
    sha256::native::{compress, Midstate, INITIAL},
    to_curve::expand::BLOCK,
};

/// Bits of a byte.
const BYTE: usize = 8;
/// Bytes of a word.
const WORD: usize = 4;

/// A message whose number of bytes is part of the shape.
#[derive(Clone, Debug)]
pub struct FixedMessage {
    halves: Vec<AssignedValue<Fr>>,
    bytes: usize,
}

impl FixedMessage {
    /// The message of `bytes` bytes, in halves of 16 bytes each as big-endian integers. After the last byte the last
    /// half has zeros: whatever reads the message refuses anything else there.
    ///
    /// # Panics
    /// If there are not as many halves as `bytes` bytes take.
    pub fn new(halves: &[AssignedValue<Fr>], bytes: usize) -> Self {
        assert_eq!(halves.len(), bytes.div_ceil(HALF), "the halves of a message");
        Self { halves: halves.to_vec(), bytes }
    }

    /// Its bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The lanes of Keccak that the message fills.
    ///
    /// # Panics
    /// If its last half is not full.
    pub(super) fn lanes(&self, ctx: &mut GateContext) -> Vec<Lane> {
        assert!(self.bytes.is_multiple_of(HALF), "whole halves");
        let halves = self.halves.iter();
        halves.flat_map(|half| Lane::parts(ctx, &Existing(*half))).collect()
    }

    /// The words of the message followed by the bytes `behind`. Together they fill the last word.
    ///
    /// # Panics
    /// If they do not.
    pub(super) fn words(&self, ctx: &mut GateContext, behind: &[u8]) -> Vec<Word<Sha256>> {
        let (mut words, mut behind) = (vec![], behind);
        let whole = self.bytes / HALF;
        for half in &self.halves[..whole] {
            words.extend(Word::parts(ctx, &Existing(*half)));
        }
        if let Some(last) = self.halves.get(whole) {
            let (parts, rest) = split(ctx, *last, self.bytes % HALF);
            words.extend(parts);
            if let Some((rest, bytes)) = rest {
                let (own, others) = behind.split_at(WORD - bytes);
                behind = others;
                let shift = Constant(power(BYTE * own.len()));
                let word = chain::sum(ctx, constant(own), &[(Existing(rest), shift)]);
                words.push(Word::existing(ctx.range, word));
            }
        }
        assert!(behind.len().is_multiple_of(WORD), "whole words");
        words.extend(behind.chunks(WORD).map(of_bytes));
        words
    }
}

/// The word of four bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> Word<Sha256> {
    Word::constant(u32::from_be_bytes(bytes.try_into().expect("four bytes")))
}

fn constant(bytes: &[u8]) -> halo2_base::QuantumCell<Fr> {
    Constant(biguint_to_fe(&BigUint::from_bytes_be(bytes)))
}

/// A number below a power of 256, with the exponent.
type Bytes = (AssignedValue<Fr>, usize);

/// The words of a half of which `bytes` bytes are used, and the bytes after the last whole word.
fn split(
    ctx: &mut GateContext,
    half: AssignedValue<Fr>,
    bytes: usize,
) -> (Vec<Word<Sha256>>, Option<Bytes>) {
    let number = fe_to_biguint(half.value());
    let cut = |from: usize, count: usize| {
        (&number >> (BYTE * (HALF - from - count))) & ((BigUint::one() << (BYTE * count)) - 1u8)
    };
    let (words, rest) = (bytes / WORD, bytes % WORD);
    let hints: Vec<_> = (0..words).map(|i| cut(WORD * i, WORD)).collect();
    split_of_hint(ctx, (half, bytes), &hints, &cut(WORD * words, rest))
}

/// The same with hints. All parts are as short as their bytes, and the half is nothing but these. So there is one way
/// to split it, and none if anything follows the used bytes.
pub(super) fn split_of_hint(
    ctx: &mut GateContext,
    (half, bytes): Bytes,
    words: &[BigUint],
    rest: &BigUint,
) -> (Vec<Word<Sha256>>, Option<Bytes>) {
    let word = |hint: &BigUint| {
        let word = hint.iter_u32_digits().next().unwrap_or_default();
        Word::witness(ctx.range, word)
    };
    let words: Vec<Word<Sha256>> = words.iter().map(word).collect();
    let place = |end: usize| Constant(power(BYTE * (HALF - end)));
    let mut terms: Vec<_> =
        words.iter().enumerate().map(|(i, word)| (word.cell(), place(WORD * (i + 1)))).collect();
    let count = bytes % WORD;
    let rest = (count > 0).then(|| {
        let rest = below(ctx, Witness(biguint_to_fe(rest)), BYTE * count);
        terms.push((Existing(rest), place(bytes)));
        (rest, count)
    });
    chain::assert_sum(ctx, Constant(Fr::zero()), &terms, Existing(half));
    (words, rest)
}

/// A digest.
pub(super) type Digest = [Word<Sha256>; 8];

/// Bytes of the length at the end of a padded message.
const LENGTH: usize = 8;

/// A message that is hashed to a curve. The trait is sealed: that a point is a hash rests on its
/// implementations.
pub trait Expandable: Sealed {
    /// The hash of a block of zeros, the message and the constant bytes `behind`: `b_0` of RFC 9380 section
    /// 5.3.1.
    fn first_digest(&self, ctx: &mut GateContext, behind: &[u8]) -> [Word<Sha256>; 8];
}

/// A trait that no other crate can name.
pub trait Sealed {}

impl Sealed for FixedMessage {}
impl Sealed for Text {}

impl Expandable for FixedMessage {
    fn first_digest(&self, ctx: &mut GateContext, behind: &[u8]) -> Digest {
        let start = zeros();
        let behind = padded(start.bytes + self.bytes(), behind.to_vec());
        let words = self.words(ctx, &behind);
        hash(ctx.chips, &start, &words)
    }
}

/// A message whose length is a cell. The hash shows that the halves of what is hashed are below `2^128`, and with that,
/// that the constant bytes come right after the message.
impl Expandable for Text {
    fn first_digest(&self, ctx: &mut GateContext, behind: &[u8]) -> Digest {
        let behind = Self::constant(ctx, behind);
        let joined = self.then(ctx, &behind);
        let halves = digest_up_to(ctx, &zeros(), joined.message());
        let words = halves.iter().flat_map(|half| Word::parts(ctx, &Existing(*half)));
        words.collect::<Vec<_>>().try_into().expect("two halves are eight words")
    }
}

/// The state after the first block, which is all zeros.
fn zeros() -> Midstate {
    Midstate { state: compress(INITIAL, &[0; BLOCK]), bytes: BLOCK }
}

/// `bytes`, which end a message after its first `before` bytes, with the padding of that message, FIPS 180-4 section
/// 5.1.1.
pub(super) fn padded(before: usize, mut bytes: Vec<u8>) -> Vec<u8> {
    let length = before + bytes.len();
    bytes.push(0x80);
    let whole = (length + 1 + LENGTH).next_multiple_of(BLOCK);
    bytes.resize(whole - before - LENGTH, 0);
    bytes.extend((8 * length as u64).to_be_bytes());
    bytes
}

/// The hash of what `start` has absorbed and of words that end with padding.
pub(super) fn hash(chips: &Chips, start: &Midstate, words: &[Word<Sha256>]) -> Digest {
    let first = start.state.map(Word::constant);
    let values = chips.sha256().compress(&chips.range, &first, &in_blocks(words)).values;
    *values.last().expect("padding fills a block")
}
