//! What the circuit makes of precommits, against the native twin.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue,
};

use super::{
    super::{SharedVote, HALVES, SIGNED},
    precommit, precommits, time, times,
};
use crate::hash::{padding::Message, sha256};
use muster_forgery::testing::{self, TestCircuit};
use muster_gates::{GateContext, Layout};
use muster_schemes::hash::sha256::Midstate;
use muster_schemes::signature::cometbft::{Precommit, Timestamp};

/// A layout with SHA-256.
pub(super) fn layout(k: u32, range_bits: usize) -> Layout {
    let layout = testing::layout(k, &[]);
    Layout {
        sha256: Some(testing::SHA256_GATE),
        range_columns: 2,
        constant_rows: 512,
        range_bits,
        ..layout
    }
}

/// Bytes as halves, zeros behind them.
pub(super) fn halves(bytes: &[u8]) -> Vec<Fr> {
    let half = |half: &[u8]| {
        let mut padded = [0; 16];
        padded[..half.len()].copy_from_slice(half);
        Fr::from_u128(u128::from_be_bytes(padded))
    };
    bytes.chunks(16).map(half).collect()
}

/// The bytes of a message.
pub(super) fn bytes(message: Message) -> Vec<u8> {
    let half = |cell: &AssignedValue<Fr>| {
        let mut bytes = cell.value().to_repr();
        bytes.reverse();
        assert_eq!(bytes[..16], [0; 16], "a half");
        bytes[16..].to_vec()
    };
    let mut bytes: Vec<_> = message.halves.iter().flat_map(half).collect();
    let length = message.length.value().to_repr();
    let rest = bytes.split_off(usize::from(length[0]));
    assert!(rest.iter().all(|byte| *byte == 0), "zeros follow");
    bytes
}

/// The cells of an encoding. The mock prover cannot tell of a failure whose gate reaches above the first row, so a hash of
/// nothing goes before.
pub(super) fn encoding(ctx: &mut GateContext, encoded: &[u8]) -> [AssignedValue<Fr>; HALVES] {
    sha256::digest(ctx, &Midstate::START, &[]);
    ctx.assign_witnesses(halves(encoded)).try_into().expect("as many halves")
}

fn signed(precommit: &Precommit, times: &[Timestamp], range_bits: usize) -> TestCircuit {
    let k = if times.len() > 3 { 15 } else { 14 };
    TestCircuit::new(layout(k, range_bits), |ctx| {
        let encoded = encoding(ctx, &precommit.encode());
        let shared = SharedVote::new(ctx, &encoded);
        let digest = shared.digest().map(|half| *half.value());
        assert_eq!(digest[..], halves(&precommit.digest())[..]);
        for time in times {
            let signed = shared.signed(ctx, time);
            assert_eq!(signed.bounds(), SIGNED);
            assert_eq!(bytes(signed.message()), precommit.signed_bytes(time), "{time:?}");
            signed.text(ctx);
        }
    })
}

#[test]
fn strings_are_those_of_the_native_twin() {
    for (i, precommit) in precommits().iter().enumerate() {
        let times = times();
        let some = [times[i % times.len()], times[(7 * i + 3) % times.len()]];
        signed(precommit, &some, 8);
    }
    for precommit in [precommit(1, 0, 1, 1), precommit(1 << 62, 1 << 30, 1 << 31, 50)] {
        for times in times().chunks(8) {
            signed(&precommit, times, 12);
        }
    }
}

#[test]
fn honest_strings_are_accepted() {
    let some = [time(0, 0), time(-1, 999_999_999), time(1_714_980_881, 128)];
    for (range_bits, precommit) in [
        (8, precommit(5, 0, 1, 1)),
        (9, precommit(1 << 62, 7, 1 << 31, 50)),
        (12, precommit(300, 0, 300, 33)),
    ] {
        signed(&precommit, &some, range_bits).assert_satisfied();
    }
}

/// Around the border between one byte for the length and two.
#[test]
fn lengths_of_127_and_128() {
    let mut lengths = vec![];
    for name in 24..32 {
        let precommit = precommit(20_082_941, 0, 1, name);
        let test = signed(&precommit, &[time(1_714_980_881, 1 << 21)], 12);
        lengths.push(precommit.signed_bytes(&time(1_714_980_881, 1 << 21)).len());
        test.assert_satisfied();
    }
    assert!(lengths.contains(&128) && lengths.contains(&130), "{lengths:?}");
}
