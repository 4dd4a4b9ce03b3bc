use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    AssignedValue, Context, QuantumCell,
};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{
    chip::{self, Digest},
    keccak256, native,
};
use crate::gate::{
    testing::{layout, TestCircuit},
    Chips, Layout,
};

fn circuit(k: u32, build: impl FnOnce(&mut Context<Fr>, &Chips)) -> TestCircuit {
    TestCircuit::new(Layout { keccak_lanes: 1, ..layout(k, &[]) }, build)
}

/// Bytes as halves, zeros behind them.
fn halves(message: &[u8], count: usize) -> Vec<Fr> {
    let mut bytes = message.to_vec();
    bytes.resize(16 * count, 0);
    let half = |half: &[u8]| half.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    bytes.chunks(16).map(|bytes| Fr::from_u128(half(bytes))).collect()
}

fn witnesses(ctx: &mut Context<Fr>, values: Vec<Fr>) -> Vec<AssignedValue<Fr>> {
    ctx.assign_witnesses(values)
}

fn assert_is(digest: &Digest, expected: &[u8; 32]) {
    let expected = halves(expected, 2);
    for (cell, value) in digest.halves().iter().zip(expected) {
        assert_eq!(*cell.value(), value);
    }
}

fn up_to(message: &[u8], length: usize, bound: usize) -> (TestCircuit, Option<[u8; 32]>) {
    let mut digest = None;
    let test = circuit(13, |ctx, chips| {
        let cells = witnesses(ctx, halves(message, bound.div_ceil(16)));
        let length = ctx.load_witness(Fr::from(length as u64));
        let found = chip::keccak256_up_to(ctx, chips, &cells, length, bound);
        let bytes = found.halves().map(|cell| {
            let mut bytes = cell.value().to_repr();
            bytes.reverse();
            bytes[16..].to_vec()
        });
        digest = bytes.concat().try_into().ok();
    });
    (test, digest)
}

/// Keccak team, `ShortMsgKAT_256.txt` (length 0); Solidity documentation and go-ethereum
/// `crypto/crypto_test.go`, `TestKeccak256Hash` ("abc").
const EMPTY: &str = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const ABC: &str = "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45";

#[test]
fn published_values() {
    for (message, expected) in [(&b""[..], EMPTY), (b"abc", ABC)] {
        let expected: [u8; 32] = hex::decode(expected).unwrap().try_into().unwrap();
        assert_eq!(keccak256(message), expected);
        let (test, digest) = up_to(message, message.len(), 16);
        assert_eq!(digest, Some(expected));
        test.assert_satisfied();
    }
}

/// The key of "Mastering Ethereum", chapter 4, and the address of the private key 1.
const KEYS: [(&str, &str, &str); 2] = [
    (
        "6e145ccef1033dea239875dd00dfb4fee6e3348b84985c92f103444683bae07b",
        "83b5c38e5e2b0c8529d7fa3f64d46daa1ece2d9ac14cab9477d042c84c32ccd0",
        "001d3f1ef827552ae1114027bd3ecf1f086ba0f9",
    ),
    (
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
        "7e5f4552091a69125d5dfcb7b8c2659029395bdf",
    ),
];

#[test]
fn addresses() {
    let test = circuit(13, |ctx, chips| {
        for (x, y, address) in KEYS {
            let [x, y] = [x, y].map(|s| <[u8; 32]>::try_from(hex::decode(s).unwrap()).unwrap());
            let expected = hex::decode(address).unwrap();
            assert_eq!(native::address(&x, &y).to_vec(), expected);
            let cells = [x, y].map(|c| witnesses(ctx, halves(&c, 2)).try_into().unwrap());
            let found = chip::address(ctx, chips, cells[0], cells[1]);
            let mut bytes = found.value().to_repr();
            bytes.reverse();
            assert_eq!(bytes[12..], expected);
        }
    });
    test.assert_satisfied();
}

#[test]
fn agrees_with_the_native_hash() {
    let mut rng = ChaCha20Rng::seed_from_u64(20);
    let test = circuit(15, |ctx, chips| {
        for count in [0, 1, 4, 8, 9, 17] {
            let mut message = vec![0; 16 * count];
            rng.fill_bytes(&mut message);
            let values = halves(&message, count);
            let constant = rng.gen_range(0..=count);
            let cells: Vec<_> = values
                .iter()
                .enumerate()
                .map(|(i, half)| match i {
                    i if i == constant => QuantumCell::Constant(*half),
                    _ => QuantumCell::Existing(ctx.load_witness(*half)),
                })
                .collect();
            assert_is(&chip::keccak256(ctx, chips, &cells), &keccak256(&message));
        }
    });
    test.assert_satisfied();
}

#[test]
fn every_length() {
    let mut rng = ChaCha20Rng::seed_from_u64(21);
    for (length, bound) in [
        (0, 140),
        (1, 136),
        (15, 136),
        (16, 136),
        (135, 140),
        (136, 136),
        (136, 272),
        (137, 140),
        (271, 272),
        (272, 272),
    ] {
        let mut message = vec![0; length];
        rng.fill_bytes(&mut message);
        let (test, digest) = up_to(&message, length, bound);
        assert_eq!(digest, Some(keccak256(&message)), "{length} of {bound}");
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
        circuit(13, |ctx, chips| {
            let half = ctx.load_witness(half);
            chip::keccak256(ctx, chips, &[half.into()]);
        })
    };
    let bound = Fr::from_u128(u128::MAX) + Fr::ONE;
    assert!(hash(bound - Fr::ONE).is_satisfied());
    assert!(!hash(bound).is_satisfied());
    assert!(!hash(-Fr::ONE).is_satisfied());
}

/// Another digest, address or length in its cells.
#[test]
fn results_are_bound() {
    let mut digest = vec![];
    let mut test = circuit(13, |ctx, chips| {
        let halves = witnesses(ctx, halves(b"abc", 1));
        let length = ctx.load_witness(Fr::from(3));
        let found = chip::keccak256_up_to(ctx, chips, &halves, length, 16);
        digest.extend(found.halves().map(|cell| *cell.value()));
        digest.push(*found.address(ctx, chips).value());
        digest.extend(halves.iter().map(|cell| *cell.value()));
    });
    test.assert_satisfied();
    for value in digest {
        let forged = test.replace(&[(value, value + Fr::ONE)]);
        assert!(!forged.is_empty());
        assert!(!test.is_satisfied_with_all(forged));
    }
}
