//! `expand_message_xmd` of RFC 9380 section 5.3.1, with a constant tag.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::fe_to_biguint,
    AssignedValue,
    QuantumCell::{Constant, Existing},
};

use super::message::{hash, of_bytes, padded, Digest, Expandable, FixedMessage};
use crate::{
    field::foreign::halves::power,
    hash::{
        keccak::{self, keccak256_of_lanes},
        padding::Part,
    },
};
use muster_gates::{
    chain,
    keccak::Lane,
    sha2::{Sha256, Word},
    GateContext,
};
use muster_schemes::hash::{
    keccak::native::RATE,
    sha256::Midstate,
    to_curve::{expand::DIGEST, Tag},
};

/// The first `length` bytes that `message` expands to, as digests: the last one may hold more.
///
/// # Panics
/// If these are more than 255 digests.
pub fn expand(
    ctx: &mut GateContext,
    message: &impl Expandable,
    tag: &Tag,
    length: usize,
) -> Vec<[Word<Sha256>; 8]> {
    let count = digests(length);
    let first = message.first_digest(ctx, &tag.behind_message(length));
    let masks: Vec<_> = match count {
        0 | 1 => vec![],
        _ => first.iter().map(|word| Mask::new(ctx, *word)).collect(),
    };
    let mut digests: Vec<Digest> = vec![];
    for number in 1..=count {
        let mut words = match digests.last() {
            None => first.to_vec(),
            Some(before) => {
                let pairs = masks.iter().zip(before);
                pairs.map(|(mask, word)| mask.differing(ctx, word)).collect()
            }
        };
        let behind = padded(DIGEST, [&[number][..], &tag.with_length()].concat());
        words.extend(behind.chunks(4).map(of_bytes));
        digests.push(hash(ctx.chips, &Midstate::START, &words));
    }
    digests
}

/// The same over Keccak-256: blocks are those of Keccak, and so are the zeros before the message.
///
/// The first digest is bits already, so that what two digests differ in is their exclusive or, lane by lane.
///
/// # Panics
/// If these are more than 255 digests, or the message does not fill its halves.
pub fn expand_with_keccak(
    ctx: &mut GateContext,
    message: &FixedMessage,
    tag: &Tag,
    length: usize,
) -> Vec<[Word<Sha256>; 8]> {
    let mut lanes = vec![Lane::constant(0); RATE / 8];
    lanes.extend(message.lanes(ctx));
    let first = keccak256_of_lanes(ctx, lanes, &tag.behind_message(length));
    let mut digests: Vec<keccak::Digest> = vec![];
    for number in 1..=self::digests(length) {
        let mut lanes = first.lanes();
        if let Some(before) = digests.last() {
            for (lane, other) in lanes.iter_mut().zip(before.lanes()) {
                *lane = ctx.chips.keccak().xor(ctx, [*lane, other]);
            }
        }
        let behind = [&[number][..], &tag.with_length()].concat();
        digests.push(keccak256_of_lanes(ctx, lanes.to_vec(), &behind));
    }
    let mut words = |digest: &keccak::Digest| {
        let halves = digest.halves();
        let words = halves.iter().flat_map(|half| Word::parts(ctx, &Existing(*half)));
        words.collect::<Vec<_>>().try_into().expect("two halves are eight words")
    };
    digests.iter().map(&mut words).collect()
}

/// How many digests have this many bytes.
fn digests(length: usize) -> u8 {
    u8::try_from(length.div_ceil(DIGEST)).expect("an expansion has 255 digests at most")
}

/// Bits of a word.
pub(super) const BITS: usize = 32;

/// A word that others are compared with.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    word: Word<Sha256>,
    /// `2^i` where the bit `i` is 0, `-2^i` where it is 1: the weight of the same bit of another word.
    weights: Vec<AssignedValue<Fr>>,
}

/// The bits of a word, the lowest first.
pub(super) fn bits(word: &Word<Sha256>) -> Vec<Fr> {
    let number = fe_to_biguint(word.cell().value());
    (0..BITS).map(|i| Fr::from(u64::from(number.bit(i as u64)))).collect()
}

/// The cells of a word's bits, from hints: shows that they are bits and make the word, which is below `2^32`.
fn bits_of_hint(
    ctx: &mut GateContext,
    word: &Word<Sha256>,
    hints: &[Fr],
) -> Vec<AssignedValue<Fr>> {
    let bits: Vec<_> = hints
        .iter()
        .map(|hint| {
            let bit = ctx.load_witness(*hint);
            ctx.gate.assert_bit(ctx, bit);
            bit
        })
        .collect();
    let terms: Vec<_> = bits
        .iter()
        .enumerate()
        .skip(1)
        .map(|(i, bit)| (Existing(*bit), Constant(power(i))))
        .collect();
    chain::assert_sum(ctx, Existing(bits[0]), &terms, word.cell());
    bits
}

impl Mask {
    /// The mask of a word that a chain returned, hence one below `2^32`.
    pub(super) fn new(ctx: &mut GateContext, word: Word<Sha256>) -> Self {
        Self::of_hint(ctx, word, &bits(&word))
    }

    /// The same with hints of the bits.
    pub(super) fn of_hint(ctx: &mut GateContext, word: Word<Sha256>, hints: &[Fr]) -> Self {
        let bits = bits_of_hint(ctx, &word, hints).into_iter().enumerate();
        let weight = |(i, bit): (usize, _)| {
            let twice = (Constant(-power(i + 1)), Existing(bit));
            chain::sum(ctx, Constant(power(i)), &[twice])
        };
        Self { word, weights: bits.map(weight).collect() }
    }

    /// The bits in which a word that a chain returned differs from this one.
    pub(super) fn differing(&self, ctx: &mut GateContext, word: &Word<Sha256>) -> Word<Sha256> {
        self.differing_of_hint(ctx, word, &bits(word))
    }

    /// The same with hints of the word's bits. `a ^ b = a + b·(1 - 2a)` for each bit.
    pub(super) fn differing_of_hint(
        &self,
        ctx: &mut GateContext,
        word: &Word<Sha256>,
        hints: &[Fr],
    ) -> Word<Sha256> {
        let bits = bits_of_hint(ctx, word, hints);
        let pairs = bits.iter().zip(&self.weights);
        let terms: Vec<_> =
            pairs.map(|(bit, weight)| (Existing(*bit), Existing(*weight))).collect();
        let sum = chain::sum(ctx, self.word.cell(), &terms);
        Word::existing(ctx.range, sum)
    }
}
