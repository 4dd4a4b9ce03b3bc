//! `expand_message_xmd` of RFC 9380 section 5.3.1, with a constant tag.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::{
    first::{hash, padded, Digest, Expandable},
    message::of_bytes,
    xor::Mask,
};
use muster_gates::{
    sha2::{Sha256, Word},
    Chips,
};
use muster_schemes::hash::{
    sha256::Midstate,
    to_curve::{expand::DIGEST, Tag},
};

/// The first `length` bytes that `message` expands to, as digests: the last one may hold more.
///
/// # Panics
/// If these are more than 255 digests.
pub fn expand(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    message: &impl Expandable,
    tag: &Tag,
    length: usize,
) -> Vec<[Word<Sha256>; 8]> {
    let count =
        u8::try_from(length.div_ceil(DIGEST)).expect("an expansion has 255 digests at most");
    let first = message.first_digest(ctx, chips, &tag.behind_message(length));
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
