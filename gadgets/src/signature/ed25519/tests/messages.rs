//! Messages in circuit.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};

use crate::signature::ed25519::AssignedMessage;
use muster_forgery::testing::{layout, TestCircuit, SHA256_GATE};
use muster_gates::Layout;
use muster_schemes::{
    hash::sha256::sha256,
    signature::{MessageForm, SignedBytes},
};

/// That these halves are those of the digest of a message.
fn claimed(digest: [Fr; 2]) -> TestCircuit {
    let layout = Layout { sha256: Some(SHA256_GATE), range_columns: 2, ..layout(12, &[]) };
    TestCircuit::new(layout, |ctx| {
        let public = digest.map(|half| ctx.load_witness(half));
        let message = SignedBytes::new(b"a message");
        let form = MessageForm::Sha256 { most: 16 };
        AssignedMessage::new(ctx, form, (&public, &message));
    })
}

/// Each half of a digest that is another one is refused by its copy.
#[test]
fn a_digest_is_that_of_the_message() {
    let digest = sha256(b"a message");
    let halves = [0, 16].map(|first| {
        let half = digest[first..first + 16].try_into().expect("16 bytes");
        Fr::from_u128(u128::from_be_bytes(half))
    });
    claimed(halves).assert_satisfied();
    for half in 0..2 {
        let mut other = halves;
        other[half] += Fr::ONE;
        assert_eq!(claimed(other).failing(vec![]), ["copy"], "{half}");
    }
}
