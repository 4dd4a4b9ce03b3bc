//! The first hash of an expansion, which takes the message.

use halo2_base::QuantumCell::Existing;

use super::message::FixedMessage;
use crate::hash::{padding::Part, sha2::in_blocks, sha256::digest_up_to, text::Text};
use muster_gates::{
    sha2::{Sha256, Word},
    Chips, GateContext,
};
use muster_schemes::hash::{
    sha256::native::{compress, Midstate, INITIAL},
    to_curve::expand::BLOCK,
};

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
