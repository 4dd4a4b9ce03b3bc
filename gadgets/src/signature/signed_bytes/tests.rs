//! Bytes and their digests in circuit.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};

use super::{assert_public, AssignedBytes};
use muster_forgery::testing::{layout, TestCircuit, SHA256_GATE};
use muster_gates::Layout;
use muster_schemes::hash::sha256::sha256;
use muster_schemes::signature::SignedBytes;

/// The most bytes of a message here.
const MOST: usize = 40;
/// Lengths around the borders of halves and of a digest.
const LENGTHS: [usize; 9] = [0, 1, 15, 16, 17, 31, 32, 33, MOST];

/// Bytes without zeros.
fn bytes(length: usize) -> SignedBytes {
    let bytes: Vec<_> = (1..=length as u8).collect();
    SignedBytes::new(&bytes)
}

/// The halves of a digest.
fn halves(digest: &[u8; 32]) -> [Fr; 2] {
    [0, 16].map(|first| {
        let half = digest[first..first + 16].try_into().expect("16 bytes");
        Fr::from_u128(u128::from_be_bytes(half))
    })
}

/// That these are the halves of the digest of a message. The mock prover cannot tell of a failure whose gate reaches above the
/// first row, so another message goes before.
fn claimed(message: &SignedBytes, public: [Fr; 2]) -> TestCircuit {
    let layout = Layout { sha256: Some(SHA256_GATE), range_columns: 2, ..layout(12, &[]) };
    TestCircuit::new(layout, |ctx| {
        AssignedBytes::new(ctx, (&SignedBytes::default(), 1));
        let public = public.map(|half| ctx.load_witness(half));
        let bytes = AssignedBytes::new(ctx, (message, MOST));
        assert_public(ctx, bytes.digest(), &public);
    })
}

#[test]
fn all_lengths_have_their_digests() {
    for length in LENGTHS {
        let message = bytes(length);
        claimed(&message, halves(&message.digest())).assert_satisfied();
        assert_eq!(message.digest(), sha256(message.bytes()));
    }
}

/// Each half by itself, both in the other order, and that of another message, which nothing but copies refuse.
#[test]
fn a_digest_is_that_of_the_message() {
    let message = bytes(33);
    let honest = halves(&message.digest());
    let [high, low] = honest;
    let others = [[high + Fr::ONE, low], [high, low + Fr::ONE], [low, high]];
    for other in others.into_iter().chain([halves(&bytes(32).digest())]) {
        assert_eq!(claimed(&message, other).failing(vec![]), ["copy"]);
    }
}

/// Another byte or another length, with all that a prover of bad will makes of it: but for the public digest all would hold.
#[test]
fn no_byte_and_no_length_is_made_up() {
    let message = bytes(33);
    let public = halves(&message.digest());
    let mut honest = claimed(&message, public);
    let mut flipped = message.bytes().to_vec();
    flipped[20] ^= 1;
    for other in [SignedBytes::new(&flipped), bytes(32), bytes(34), bytes(0)] {
        let forged = honest.written_by(|ctx| {
            AssignedBytes::new(ctx, (&SignedBytes::default(), 1));
            let public = public.map(|half| ctx.load_witness(half));
            let bytes = AssignedBytes::new(ctx, (&other, MOST));
            assert_public(ctx, bytes.digest(), &public);
        });
        assert_eq!(honest.failing(forged), ["copy"], "{other:?}");
    }
}

/// Of a message that is too long there is a digest, but no witness.
#[test]
fn longer_messages_are_refused() {
    let longest = bytes(MOST);
    for length in [MOST + 1, 48, 49] {
        let message = bytes(length);
        for stated in [&longest, &message] {
            assert!(!claimed(&message, halves(&stated.digest())).is_satisfied(), "{length}");
        }
    }
}

#[test]
fn the_first_bytes_are_as_many_as_there_are() {
    let message = bytes(5);
    assert_eq!(message.up_to(3), bytes(3));
    assert_eq!(message.up_to(9), message);
}
