//! Bytes that are public by their SHA-256, in circuit.

#[cfg(test)]
mod tests;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, Context,
};

use crate::hash::{
    padding::{Message, HALF},
    text::Text,
};
use muster_gates::{vertical, GateContext};
use muster_schemes::signature::SignedBytes;

/// Bytes that are signed, and the two halves of their SHA-256, by which they are public.
#[derive(Clone, Debug)]
pub(crate) struct AssignedBytes {
    text: Text,
    digest: [AssignedValue<Fr>; 2],
}

impl AssignedBytes {
    /// Witnesses at most `most` bytes. Only [`assert_public`] says which ones.
    ///
    /// # Panics
    /// If `most` is 0.
    pub(crate) fn new(ctx: &mut GateContext, (message, most): (&SignedBytes, usize)) -> Self {
        let halves = halves(ctx, message, most.div_ceil(HALF));
        let length = ctx.load_witness(Fr::from(message.bytes().len() as u64));
        let message = Message { halves: &halves, length, bound: most };
        let (text, digest) = Text::with_sha256(ctx, message);
        Self { text, digest }
    }

    /// The bytes.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// The halves of their SHA-256, big-endian.
    pub(crate) fn digest(&self) -> &[AssignedValue<Fr>; 2] {
        &self.digest
    }
}

/// Constrains the public inputs to be the halves of a digest.
///
/// # Panics
/// If there are not two of them.
pub(crate) fn assert_public(
    ctx: &mut Context<Fr>,
    digest: &[AssignedValue<Fr>; 2],
    public: &[AssignedValue<Fr>],
) {
    assert_eq!(public.len(), digest.len(), "a digest takes two public inputs");
    for (found, public) in digest.iter().zip(public) {
        vertical::assert_equal(ctx, found, public);
    }
}

/// The bytes in `count` halves, zero-padded or cut off.
pub(crate) fn halves(
    ctx: &mut Context<Fr>,
    message: &SignedBytes,
    count: usize,
) -> Vec<AssignedValue<Fr>> {
    let mut bytes = message.bytes().to_vec();
    bytes.resize(HALF * count, 0);
    let number = |half: &[u8]| half.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    ctx.assign_witnesses(bytes.chunks(HALF).map(|half| Fr::from_u128(number(half))))
}
