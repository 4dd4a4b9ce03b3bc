//! `expand_message_xmd` of RFC 9380 section 5.3.1, with a constant tag.

use halo2_base::QuantumCell::Existing;

use super::{
    first::{hash, padded, Digest, Expandable},
    message::{of_bytes, FixedMessage},
    xor::Mask,
};
use crate::hash::{
    keccak::{self, keccak256_of_lanes},
    padding::Part,
};
use muster_gates::{
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
