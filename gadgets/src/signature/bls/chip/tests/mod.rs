//! Signatures in circuit beside the native schemes.

mod forged;
mod min_pk;
mod min_sig;
mod points;
mod sums;

use ff::Field;
use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, modulus},
    AssignedValue, Context,
};
use num_bigint::BigUint;

use super::{equations, AssignedSigned, Hashed, MessagePoint};
use crate::{
    curve::pairing::{
        chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations, TRANSCRIPT_WIDTH},
        tests::{outside, point, twist_point},
        BasePoint, PairingCurve, TwistPoint,
    },
    gate::{
        foreign::{Equation, ForeignLayout},
        testing::{layout, TestCircuit, SHA256_GATE},
        Chips, Layout, PoseidonLayout,
    },
    hash::to_curve::{chip::FixedMessage, Tag},
    signature::bls::{
        raw::Coordinates, BlsError, Bn254, MinPublicKey, MinSignature, PublicKey, RawSigned,
        SecretKey, Signature, Suite,
    },
};

const MESSAGE: &[u8] = b"all of one mind, in 32 bytes now";

/// Bits of the words of public points.
const WORD: usize = 128;

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

/// The same with room for hashes.
fn room_to_hash(curve: PairingCurve, k: u32, more: Vec<Equation>) -> Layout {
    Layout { sha256: Some(SHA256_GATE), ..room(curve, k, more) }
}

/// A key and its signature on the message.
fn signed<S: Suite>(secret: u64) -> (PublicKey<S>, Signature<S>) {
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

/// The words of a number of so many bits, the highest first.
fn words(number: &BigUint, bits: u64) -> Vec<Fr> {
    let count = bits.div_ceil(WORD as u64) as usize;
    let word = |i: usize| (number >> (WORD * i)) % (BigUint::from(1u8) << WORD);
    (0..count).rev().map(|i| biguint_to_fe(&word(i))).collect()
}

/// The opposite of a point over the prime field.
fn opposite(curve: PairingCurve, [x, y]: &BasePoint) -> BasePoint {
    [x.clone(), &curve.parameters().p - y]
}

/// What a prover and the circuit say.
fn verdicts(layout: Layout, build: impl FnOnce(&mut Context<Fr>, &Chips) -> bool) -> [bool; 2] {
    let mut holds = false;
    let circuit = TestCircuit::new(layout, |ctx, chips| holds = build(ctx, chips));
    [holds, circuit.is_satisfied()]
}
