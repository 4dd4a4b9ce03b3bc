//! Expansions, digest by digest.

use halo2_base::{utils::fe_to_biguint, QuantumCell::Existing};
use rand::RngCore;

use super::*;
use crate::hash::{
    padding::{self, Message},
    text::Text,
};
use muster_gates::{vertical::assert_equal, GateContext};
use muster_schemes::hash::{sha256::sha256, to_curve::expand as native};

fn bytes(digests: &[[muster_gates::sha2::Word<muster_gates::sha2::Sha256>; 8]]) -> Vec<u8> {
    let words = digests.iter().flatten();
    let word = words.map(|word| fe_to_biguint(word.cell().value()).to_bytes_be());
    word.flat_map(|bytes| [vec![0; 4 - bytes.len()], bytes].concat()).collect()
}

/// A message of at most `bound` bytes.
fn text(ctx: &mut GateContext, bytes: &[u8], bound: usize) -> Text {
    let halves = ctx.assign_witnesses(padding::tests::halves(bytes, bound.div_ceil(16)));
    let length = ctx.load_witness(Fr::from(bytes.len() as u64));
    Text::with_sha256(ctx, Message { halves: &halves, length, bound }).0
}

/// Messages whose ends lie at every place of a word, and tags that end at every place of the last block.
#[test]
fn agree_with_the_native_twin() {
    let mut rng = muster_testing::rng();
    for (length, tag_length, digests) in [
        (0, 1, 1),
        (1, 43, 2),
        (3, 255, 1),
        (15, 20, 2),
        (16, 21, 2),
        (18, 22, 3),
        (32, 43, 8),
        (61, 23, 1),
        (64, 43, 2),
        (119, 43, 1),
    ] {
        let mut text = vec![0; length];
        rng.fill_bytes(&mut text);
        let mut name = vec![7; tag_length];
        rng.fill_bytes(&mut name);
        let tag = Tag::new(&name).expect("a tag");
        let test = TestCircuit::new(room(14, &[]), |ctx| {
            let message = message(ctx, &text);
            let found = expand(ctx, &message, &tag, 32 * digests);
            assert_eq!(bytes(&found), native::expand(&text, &tag, 32 * digests));
        });
        test.assert_satisfied();
    }
}

/// With Keccak: messages that fill their halves, and ends in the first and the second block.
#[test]
fn with_keccak_agree_with_the_native_twin() {
    let mut rng = muster_testing::rng();
    for (length, tag_length, digests) in
        [(32, 43, 3), (16, 1, 1), (96, 40, 2), (0, 102, 2), (64, 255, 1)]
    {
        let mut text = vec![0; length];
        rng.fill_bytes(&mut text);
        let mut name = vec![7; tag_length];
        rng.fill_bytes(&mut name);
        let tag = Tag::new(&name).expect("a tag");
        let layout = Layout { keccak_lanes: 1, ..room(14, &[]) };
        let test = TestCircuit::new(layout, |ctx| {
            let message = message(ctx, &text);
            let found = expand_with_keccak(ctx, &message, &tag, 32 * digests);
            let expected = native::Expander::Keccak256.expand(&text, &tag, 32 * digests);
            assert_eq!(bytes(&found), expected);
        });
        test.assert_satisfied();
    }
}

/// That the two digests of a message under a tag are these words.
fn claimed_with_keccak(ctx: &mut GateContext, (written, tag): (&[u8], &[u8]), words: &[Fr]) {
    let words: Vec<_> = ctx.assign_witnesses(words.iter().copied());
    let message = message(ctx, written);
    let tag = Tag::new(tag).expect("a tag");
    let found = expand_with_keccak(ctx, &message, &tag, 64);
    for (found, word) in found.iter().flatten().zip(&words) {
        let Existing(found) = found.cell() else { panic!("a word is a cell") };
        assert_equal(ctx, &found, word);
    }
}

/// Another message or another tag has other digests: whatever is written, the words alone refuse it.
#[test]
fn with_keccak_digests_are_of_the_message_and_the_tag() {
    let (written, tag) = ([7; 32], &b"tag"[..]);
    let named = Tag::new(tag).expect("a tag");
    let digests = native::Expander::Keccak256.expand(&written, &named, 64);
    let words: Vec<_> = digests.chunks(4).map(|word| Fr::from(u64::from(word_of(word)))).collect();
    let layout = || Layout { keccak_lanes: 1, ..room(14, &[]) };
    let mut test =
        TestCircuit::new(layout(), |ctx| claimed_with_keccak(ctx, (&written, tag), &words));
    test.assert_satisfied();
    let mut flipped = written;
    flipped[20] ^= 1;
    let forged = test.written_by(|ctx| claimed_with_keccak(ctx, (&flipped, tag), &words));
    assert_eq!(test.failing(forged), ["copy"]);
    let mut other =
        TestCircuit::new(layout(), |ctx| claimed_with_keccak(ctx, (&written, b"tap"), &words));
    assert_eq!(other.failing(vec![]), ["copy"]);
}

/// Messages whose length is a cell: with ends at the borders of halves and of blocks, and with all bytes that there may be.
#[test]
fn of_any_length_agree_with_the_native_twin() {
    let mut rng = muster_testing::rng();
    for (k, (length, bound), tag_length, digests) in [
        (14, (0, 1), 1, 1),
        (14, (1, 1), 43, 2),
        (14, (0, 40), 43, 1),
        (14, (15, 40), 20, 2),
        (14, (16, 40), 21, 1),
        (14, (17, 40), 22, 1),
        (14, (31, 33), 43, 2),
        (14, (32, 32), 43, 8),
        (14, (33, 33), 255, 1),
        (14, (79, 80), 43, 1),
        (15, (627, 1024), 43, 2),
        (15, (1024, 1024), 43, 1),
    ] {
        let mut bytes_of_text = vec![0; length];
        rng.fill_bytes(&mut bytes_of_text);
        let name = vec![7; tag_length];
        let tag = Tag::new(&name).expect("a tag");
        let test = TestCircuit::new(room(k, &[]), |ctx| {
            let text = text(ctx, &bytes_of_text, bound);
            let found = expand(ctx, &text, &tag, 32 * digests);
            let expected = native::expand(&bytes_of_text, &tag, 32 * digests);
            assert_eq!(bytes(&found), expected, "{length} of {bound}");
        });
        test.assert_satisfied();
    }
}

/// That the first hash of a message of at most 40 bytes and what stands behind it are these words. The mock prover cannot tell
/// of a failure whose gate reaches above the first row, so another message goes before.
fn claimed(ctx: &mut GateContext, (written, behind): (&[u8], &[u8]), words: &[Fr]) {
    text(ctx, &[], 1);
    let words: Vec<_> = ctx.assign_witnesses(words.iter().copied());
    let text = text(ctx, written, 40);
    let found = text.first_digest(ctx, behind);
    for (found, word) in found.iter().zip(&words) {
        let Existing(found) = found.cell() else { panic!("a word is a cell") };
        assert_equal(ctx, &found, word);
    }
}

/// Of another message, another length or another tag there is another first hash: whatever else is written, the words alone
/// refuse it.
#[test]
fn the_first_hash_is_of_the_message_and_the_tag() {
    let (written, behind) =
        (&b"a message that ends within a half"[..], &b"\x00\x20\x00tag\x03"[..]);
    let hash = sha256(&[&[0; 64], written, behind].concat());
    let words = hash.chunks(4).map(|word| Fr::from(u64::from(word_of(word))));
    let words: Vec<_> = words.collect();
    let mut test = TestCircuit::new(room(13, &[]), |ctx| claimed(ctx, (written, behind), &words));
    test.assert_satisfied();
    let longer = [written, &[0]].concat();
    let moved = [written, &behind[..1]].concat();
    let mut flipped = written.to_vec();
    flipped[20] ^= 1;
    for other in [&written[..32], &longer, &moved, &flipped, &[]] {
        let forged = test.written_by(|ctx| claimed(ctx, (other, behind), &words));
        assert_eq!(test.failing(forged), ["copy"], "{other:?}");
    }
    let other_tag = b"\x00\x20\x00tap\x03";
    let mut other =
        TestCircuit::new(room(13, &[]), |ctx| claimed(ctx, (written, other_tag), &words));
    assert_eq!(other.failing(vec![]), ["copy"]);
}

fn word_of(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes.try_into().expect("four bytes"))
}
