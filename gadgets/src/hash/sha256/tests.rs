use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::Start;
use crate::hash::padding::{
    tests::{agrees_with_nist, bytes, circuit, halves, up_to, Sha256},
    Message,
};
use muster_schemes::hash::sha256::{native, sha256, Midstate};

/// NIST CAVS 11.0, `SHA256ShortMsg.rsp` (lengths 0, 8 and 16 bits); FIPS 180-2, appendices B.1 and B.2.
#[test]
fn published_values() {
    let vectors: [(&[u8], &str); 5] = [
        (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (&[0xd3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        (&[0x11, 0xaf], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ];
    for (message, expected) in vectors {
        assert_eq!(hex::encode(sha256(message)), expected);
        let (test, digest) = up_to::<Sha256>(message, message.len(), 56);
        assert_eq!(hex::encode(digest), expected);
        test.assert_satisfied();
    }
}

#[test]
fn vectors_of_nist() {
    let lengths = agrees_with_nist::<Sha256>(include_str!("nist.rsp"));
    assert_eq!(lengths, [55, 56, 63, 64, 163]);
}

#[test]
fn constants_are_those_of_the_standard() {
    assert_eq!(native::CONSTANTS[0], 0x428a_2f98);
    assert_eq!(native::CONSTANTS[63], 0xc671_78f2);
}

/// BIP-340: the challenge is the tagged hash of 96 bytes, two compressions.
#[test]
fn tagged_hash() {
    let tag = "BIP0340/challenge";
    let mut message = [0; 96];
    ChaCha20Rng::seed_from_u64(31).fill_bytes(&mut message);
    let expected =
        sha256(&[&sha256(tag.as_bytes())[..], &sha256(tag.as_bytes()), &message].concat());
    let test = circuit::<Sha256>(12, |ctx| {
        let cells: Vec<_> = ctx.assign_witnesses(halves(&message, 6));
        let cells: Vec<_> = cells.into_iter().map(QuantumCell::Existing).collect();
        let digest = super::digest(ctx, &Midstate::tagged(tag), &cells);
        assert_eq!(bytes(&digest), expected);
    });
    assert_eq!(test.gates().usage().sha256_rows, 8 * (72 + 140));
    test.assert_satisfied();
}

/// Two messages of a block each: all cells are bound, alone and with their copies, but words that the other gate takes. How much was
/// absorbed before is a constant, or a cell.
#[test]
fn two_messages_are_determined() {
    for is_cell in [false, true] {
        let mut rows = vec![];
        let test = circuit::<Sha256>(12, |ctx| {
            for message in [&b"abc"[..], b"messages"] {
                let first = ctx.advice.len();
                let halves = ctx.assign_witnesses(halves(message, 1));
                let length = ctx.load_witness(Fr::from(message.len() as u64));
                let mut start = Start::from(&Midstate::START);
                if is_cell {
                    start.bits = QuantumCell::Existing(ctx.load_witness(Fr::from(512)));
                }
                rows.extend(first..ctx.advice.len());
                let message = Message { halves: &halves, length, bound: 16 };
                super::digest_up_to(ctx, start, message);
            }
        });
        test.assert_satisfied();
        let cells = test.open_values_given(rows.iter().copied());
        assert_eq!((cells, test.open_classes_given(rows)), ((vec![], 6), (vec![], 24)));
    }
}
