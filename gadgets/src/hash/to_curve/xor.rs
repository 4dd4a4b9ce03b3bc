//! The bits in which words differ.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::fe_to_biguint,
    AssignedValue,
    QuantumCell::{Constant, Existing},
};

use crate::field::foreign::halves::power;
use muster_gates::{
    chain,
    sha2::{Sha256, Word},
    GateContext,
};

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
