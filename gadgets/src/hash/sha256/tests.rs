use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    AssignedValue, Context, QuantumCell,
};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{chip, native, sha256, Midstate};
use crate::gate::{
    testing::{layout, TestCircuit},
    Chips, Forged, Layout,
};

fn circuit(k: u32, build: impl FnOnce(&mut Context<Fr>, &Chips)) -> TestCircuit {
    let layout = Layout { sha256_lanes: 1, range_columns: 2, ..layout(k, &[]) };
    TestCircuit::new(layout, |ctx, chips| {
        // The mock prover cannot tell of a failure whose gate reaches above the first row.
        chip::digest(ctx, chips, &Midstate::START, &[]);
        build(ctx, chips);
    })
}

/// Bytes as halves, zeros behind them.
fn halves(message: &[u8], count: usize) -> Vec<Fr> {
    let mut bytes = message.to_vec();
    bytes.resize(16 * count, 0);
    let half = |half: &[u8]| half.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    bytes.chunks(16).map(|bytes| Fr::from_u128(half(bytes))).collect()
}

fn bytes(digest: &[AssignedValue<Fr>; 2]) -> Vec<u8> {
    let half = |cell: &AssignedValue<Fr>| {
        let mut bytes = cell.value().to_repr();
        bytes.reverse();
        bytes[16..].to_vec()
    };
    digest.iter().flat_map(half).collect()
}

fn up_to(message: &[u8], length: usize, bound: usize) -> (TestCircuit, Vec<u8>) {
    let mut digest = vec![];
    let test = circuit(13, |ctx, chips| {
        let cells = ctx.assign_witnesses(halves(message, bound.div_ceil(16)));
        let length = ctx.load_witness(Fr::from(length as u64));
        let message = (&cells[..], length, bound);
        digest = bytes(&chip::digest_up_to(ctx, chips, &Midstate::START, message));
    });
    (test, digest)
}

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
        let (test, digest) = up_to(message, message.len(), 56);
        assert_eq!(hex::encode(digest), expected);
        test.assert_satisfied();
    }
}

#[test]
fn constants_are_those_of_the_standard() {
    assert_eq!(native::CONSTANTS[0], 0x428a_2f98);
    assert_eq!(native::CONSTANTS[63], 0xc671_78f2);
}

#[test]
fn agrees_with_the_native_hash() {
    let mut rng = ChaCha20Rng::seed_from_u64(30);
    let test = circuit(14, |ctx, chips| {
        for count in [1, 3, 4, 6, 7] {
            let mut message = vec![0; 16 * count];
            rng.fill_bytes(&mut message);
            let constant = rng.gen_range(0..=count);
            let cells: Vec<_> = halves(&message, count)
                .into_iter()
                .enumerate()
                .map(|(i, half)| match i {
                    i if i == constant => QuantumCell::Constant(half),
                    _ => QuantumCell::Existing(ctx.load_witness(half)),
                })
                .collect();
            let digest = chip::digest(ctx, chips, &Midstate::START, &cells);
            assert_eq!(bytes(&digest), sha256(&message));
        }
    });
    test.assert_satisfied();
}

/// BIP-340: the challenge is the tagged hash of 96 bytes, two compressions.
#[test]
fn tagged_hash() {
    let tag = "BIP0340/challenge";
    let mut message = [0; 96];
    ChaCha20Rng::seed_from_u64(31).fill_bytes(&mut message);
    let expected =
        sha256(&[&sha256(tag.as_bytes())[..], &sha256(tag.as_bytes()), &message].concat());
    let test = circuit(12, |ctx, chips| {
        let cells: Vec<_> = ctx.assign_witnesses(halves(&message, 6));
        let cells: Vec<_> = cells.into_iter().map(QuantumCell::Existing).collect();
        let digest = chip::digest(ctx, chips, &Midstate::tagged(tag), &cells);
        assert_eq!(bytes(&digest), expected);
    });
    assert_eq!(test.gates().usage().sha256_rows, 8 * (72 + 140));
    test.assert_satisfied();
}

#[test]
fn every_length() {
    let mut rng = ChaCha20Rng::seed_from_u64(32);
    for (length, bound) in [
        (0, 70),
        (1, 70),
        (55, 120),
        (56, 56),
        (63, 120),
        (64, 64),
        (65, 120),
        (119, 120),
        (120, 120),
    ] {
        let mut message = vec![0; length];
        rng.fill_bytes(&mut message);
        let (test, digest) = up_to(&message, length, bound);
        assert_eq!(digest, sha256(&message), "{length} of {bound}");
        test.assert_satisfied();
    }
}

#[test]
fn refuses_bytes_behind_the_message_and_larger_lengths() {
    let message = [0xff; 140];
    for (written, length, bound) in
        [(4, 3, 32), (17, 16, 32), (17, 1, 32), (1, 0, 32), (32, 31, 40)]
    {
        let (test, _) = up_to(&message[..written], length, bound);
        assert!(!test.is_satisfied(), "{written} bytes for a length of {length}");
    }
    for (length, bound) in [(33, 32), (41, 40), (48, 40)] {
        let (test, _) = up_to(&[], length, bound);
        assert!(!test.is_satisfied(), "{length} of {bound}");
    }
}

#[test]
fn refuses_halves_that_are_too_large() {
    let hash = |half: Fr| {
        circuit(12, |ctx, chips| {
            let half = ctx.load_witness(half);
            chip::digest(ctx, chips, &Midstate::START, &[half.into()]);
        })
    };
    let bound = Fr::from_u128(u128::MAX) + Fr::ONE;
    assert!(hash(bound - Fr::ONE).is_satisfied());
    assert!(!hash(bound).is_satisfied());
    assert!(!hash(-Fr::ONE).is_satisfied());
}

/// Another digest or message in its cells.
#[test]
fn results_are_bound() {
    let mut values = vec![];
    let mut test = circuit(13, |ctx, chips| {
        let halves = ctx.assign_witnesses(halves(b"abc", 1));
        let length = ctx.load_witness(Fr::from(3));
        let message = (&halves[..], length, 16);
        let digest = chip::digest_up_to(ctx, chips, &Midstate::START, message);
        values.extend(digest.iter().chain(&halves).map(|cell| *cell.value()));
    });
    test.assert_satisfied();
    for value in values {
        let forged = test.replace(&[(value, value + Fr::ONE)]);
        assert!(!forged.is_empty());
        assert!(!test.is_satisfied_with_all(forged));
    }
}

/// Cells of the vertical gate: the taking apart of a length, the padding, and the choice of a block.
#[test]
fn every_cell_of_the_padding_is_bound() {
    let (mut test, _) = up_to(&[7; 61], 61, 70);
    test.assert_satisfied();
    // Behind a lane of the gate and two columns of range checks.
    let column = 22;
    let cells = test.advice()[column].clone();
    let survivors: Vec<_> = (0..test.gates().usage().vertical_cells)
        .step_by(17)
        .filter(|row| {
            let value = Fr::ONE - cells[*row];
            test.is_satisfied_with(Forged { column, row: *row, value })
        })
        .collect();
    assert!(survivors.is_empty(), "{survivors:?}");
}

/// The bits of a length of 61 that tell of another one, with the sums that follow from them.
#[test]
fn lengths_are_taken_apart_in_one_way() {
    let (honest, _) = up_to(&[7; 61], 61, 70);
    let (other, _) = up_to(&[7; 61], 62, 70);
    let [honest_cells, other_cells] = [&honest, &other].map(TestCircuit::advice);
    let forged: Vec<_> = honest_cells
        .iter()
        .zip(&other_cells)
        .enumerate()
        .flat_map(|(column, (old, new))| {
            let rows = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
            rows.map(move |(row, (_, new))| Forged { column, row, value: *new }).collect::<Vec<_>>()
        })
        .collect();
    // The same circuit: the whole witness of another length is one, but for that the length itself is left.
    let mut test = honest;
    assert!(test.is_satisfied_with_all(forged.clone()));
    let length = Fr::from(62);
    let (kept, rest): (Vec<_>, Vec<_>) = forged.into_iter().partition(|cell| cell.value == length);
    assert!(!kept.is_empty());
    assert!(!test.is_satisfied_with_all(rest));
}
