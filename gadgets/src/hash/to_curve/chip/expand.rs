//! `expand_message_xmd` of RFC 9380 section 5.3.1, with a constant tag.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::{
    message::{of_bytes, FixedMessage},
    xor::Mask,
};
use crate::{
    gate::{
        sha2::{Sha256, Word},
        Chips,
    },
    hash::{
        sha2::in_blocks,
        sha256::native::{compress, Midstate, INITIAL},
        to_curve::expand::{BLOCK, DIGEST},
        to_curve::Tag,
    },
};

/// A digest.
pub(super) type Digest = [Word<Sha256>; 8];

/// Bytes of the length behind a padded message.
const LENGTH: usize = 8;

/// The first `length` bytes that `message` expands to, as digests: the last one may hold more.
///
/// # Panics
/// If these are more than 255 digests.
pub fn expand(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    message: &FixedMessage,
    tag: &Tag,
    length: usize,
) -> Vec<[Word<Sha256>; 8]> {
    let count =
        u8::try_from(length.div_ceil(DIGEST)).expect("an expansion has 255 digests at most");
    // The first block is zeros alone.
    let start = Midstate { state: compress(INITIAL, &[0; BLOCK]), bytes: BLOCK };
    let behind = padded(start.bytes + message.bytes(), tag.behind_message(length));
    let words = message.words(ctx, chips, &behind);
    let first = hash(chips, &start, &words);
    let masks: Vec<_> = match count {
        0 | 1 => vec![],
        _ => first.iter().map(|word| Mask::new(ctx, chips, *word)).collect(),
    };
    let mut digests: Vec<Digest> = vec![];
    for number in 1..=count {
        let mut words = match digests.last() {
            None => first.to_vec(),
            Some(before) => {
                let pairs = masks.iter().zip(before);
                pairs.map(|(mask, word)| mask.differing(ctx, chips, word)).collect()
            }
        };
        let behind = padded(DIGEST, [&[number][..], &tag.with_length()].concat());
        words.extend(behind.chunks(4).map(of_bytes));
        digests.push(hash(chips, &Midstate::START, &words));
    }
    digests
}

/// `bytes` and the padding of a message of which they are the end, so many bytes behind its start, FIPS 180-4 section
/// 5.1.1.
fn padded(before: usize, mut bytes: Vec<u8>) -> Vec<u8> {
    let length = before + bytes.len();
    bytes.push(0x80);
    let whole = (length + 1 + LENGTH).next_multiple_of(BLOCK);
    bytes.resize(whole - before - LENGTH, 0);
    bytes.extend((8 * length as u64).to_be_bytes());
    bytes
}

fn hash(chips: &Chips, start: &Midstate, words: &[Word<Sha256>]) -> Digest {
    let first = start.state.map(Word::constant);
    let values = chips.sha256().compress(&chips.range, &first, &in_blocks(words)).values;
    *values.last().expect("padding fills a block")
}
