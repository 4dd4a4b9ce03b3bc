//! Signatures in circuit beside the native schemes.

mod elements;
mod min_pk;
mod min_sig;
mod public;
mod sums;

use ff::Field;
use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, modulus},
    AssignedValue, Context,
};
use num_bigint::BigUint;

use super::{equations, AssignedSigned, MessagePoint, PointGroup};
use crate::{
    curve::pairing::{
        samples::{outside, point, twist_point, with_torsion, with_twist_torsion},
        AssignedGroupPoint, AssignedTwistPoint, PairingEquations, TRANSCRIPT_WIDTH,
    },
    hash::to_curve::FixedMessage,
};
use muster_forgery::testing::{layout, TestCircuit, SHA256_GATE};
use muster_gates::{
    foreign::{Equation, ForeignLayout},
    GateContext, Layout, PoseidonLayout,
};
use muster_schemes::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    hash::to_curve::Tag,
    signature::bls::{
        public_words, tags, BlsError, Ciphersuite, MinPkBasicBls12381, MinSigBasicBls12381,
        MinSigBasicBn254, PublicKey, RawSigned, SecretKey, Signature,
    },
};

const MESSAGE: &[u8] = b"all of one mind, in 32 bytes now";

/// Room for signatures over a curve, with more equations.
fn room(curve: PairingCurve, k: u32, more: Vec<Equation>) -> Layout {
    let equations = [equations(curve), more].concat();
    let poseidon = vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 2, lanes: 1 }];
    Layout {
        range_bits: 13,
        vertical_columns: 3,
        range_columns: 1,
        edwards_lanes: 0,
        constant_rows: 4096,
        foreign: vec![ForeignLayout::new(&modulus::<Fr>(), 13, 10, &equations)],
        poseidon,
        ..layout(k, &[])
    }
}

/// Rows that signatures on public points fit.
fn degree(curve: PairingCurve) -> u32 {
    match curve {
        PairingCurve::Bn254 => 14,
        PairingCurve::Bls12381 => 15,
    }
}

/// The same with room for hashes.
fn room_to_hash(curve: PairingCurve, k: u32, more: Vec<Equation>) -> Layout {
    Layout { sha256: Some(SHA256_GATE), ..room(curve, k, more) }
}

/// A key and its signature on the message.
fn signed<S: Ciphersuite<Signed = [u8]>>(secret: u64) -> (PublicKey<S>, Signature<S>) {
    let secret = SecretKey::<S>::from_scalar(&S::Scalar::from(secret)).expect("it is not 0");
    (secret.public_key(), secret.sign(MESSAGE))
}

/// A message of whole halves.
fn message(ctx: &mut Context<Fr>, bytes: &[u8]) -> FixedMessage {
    let halves = bytes.chunks(16).map(|half| biguint_to_fe(&BigUint::from_bytes_be(half)));
    let halves: Vec<AssignedValue<Fr>> = ctx.assign_witnesses(halves);
    FixedMessage::new(&halves, bytes.len())
}

fn tag(bytes: &[u8]) -> Tag<'_> {
    Tag::new(bytes).expect("a tag")
}

/// Cells with the words of a point.
fn public(
    ctx: &mut Context<Fr>,
    curve: PairingCurve,
    numbers: &[BigUint],
) -> Vec<AssignedValue<Fr>> {
    ctx.assign_witnesses(public_words(curve, numbers).iter().map(biguint_to_fe))
}

/// The opposite of a point over the prime field.
fn opposite(curve: PairingCurve, [x, y]: &BasePoint) -> BasePoint {
    [x.clone(), &curve.parameters().p - y]
}

/// What a prover says, and the circuit.
fn built(layout: Layout, build: impl FnOnce(&mut GateContext) -> bool) -> (bool, TestCircuit) {
    let mut holds = false;
    let circuit = TestCircuit::new(layout, |ctx| holds = build(ctx));
    (holds, circuit)
}

/// What a prover and the circuit say.
fn verdicts(layout: Layout, build: impl FnOnce(&mut GateContext) -> bool) -> [bool; 2] {
    let (holds, circuit) = built(layout, build);
    [holds, circuit.is_satisfied()]
}
