//! Batches of Ed25519 signatures in circuit, with digests of a native SHA-512.

mod digests;
mod relations;
mod rules;
mod transcript;

use curve25519_dalek::{constants::EIGHT_TORSION, edwards::EdwardsPoint, Scalar};
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use num_bigint::BigUint;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use sha2::{Digest as _, Sha512};

use super::*;
use crate::signature::batch::HASH_WIDTH;
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{foreign::ForeignLayout, GateContext, Layout};
use muster_schemes::curve::weierstrass::Curve;

const RULES: [Acceptance; 3] = [Acceptance::Zip215, Acceptance::Rfc8032, Acceptance::Strict];
const MESSAGE: &[u8] = b"a message of the committee";

/// What a prover brings for a signature.
#[derive(Clone, Debug)]
struct Raw {
    key: [u8; 32],
    nonce: [u8; 32],
    s: BigUint,
    digest: [u8; 64],
}

fn digest(nonce: &[u8; 32], key: &[u8; 32], message: &[u8]) -> [u8; 64] {
    Sha512::new().chain_update(nonce).chain_update(key).chain_update(message).finalize().into()
}

fn random(rng: &mut ChaCha20Rng) -> Scalar {
    let mut wide = [0; 64];
    rng.fill_bytes(&mut wide);
    Scalar::from_bytes_mod_order_wide(&wide)
}

fn number(scalar: &Scalar) -> BigUint {
    BigUint::from_bytes_le(scalar.as_bytes())
}

/// A signature by the nonce `r`, of which `encoding` is the point or another.
fn signed_by(secret: &Scalar, key: [u8; 32], r: &Scalar, nonce: [u8; 32]) -> Raw {
    let digest = digest(&nonce, &key, MESSAGE);
    let k = Scalar::from_bytes_mod_order_wide(&digest);
    Raw { key, nonce, s: number(&(r + k * secret)), digest }
}

/// A signature whose key and nonce point have parts of small order.
fn mixed(rng: &mut ChaCha20Rng, parts: [usize; 2]) -> Raw {
    let [secret, r] = [(); 2].map(|()| random(rng));
    let encoded = |scalar: &Scalar, part: usize| {
        (EdwardsPoint::mul_base(scalar) + EIGHT_TORSION[part]).compress().to_bytes()
    };
    signed_by(&secret, encoded(&secret, parts[0]), &r, encoded(&r, parts[1]))
}

fn signed(rng: &mut ChaCha20Rng) -> Raw {
    mixed(rng, [0, 0])
}

fn foreign_layout(k: u32, range_bits: usize) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, range_bits, 6, &equations());
    Layout {
        range_bits,
        edwards_lanes: 0,
        constant_rows: 512,
        foreign: vec![foreign],
        ..layout(k, &[HASH_WIDTH])
    }
}

fn words_of(digest: &[u8; 64]) -> [Fr; 8] {
    std::array::from_fn(|i| {
        Fr::from(u64::from_le_bytes(digest[8 * i..8 * i + 8].try_into().expect("8 bytes")))
    })
}

/// What is read of the signatures, behind four relations that only give a range: the mock prover cannot
/// show a failure whose queries reach above the first row. `None` if an encoding has no hints.
fn batch(
    layout: Layout,
    rule: Acceptance,
    items: &[Raw],
    verify: impl FnOnce(
        &mut GateContext,
        &[AssignedKey],
        &[AssignedSignature],
        &[[AssignedValue<Fr>; 8]],
    ),
) -> Option<TestCircuit> {
    let raws = items.iter().map(|raw| {
        let key = RawEncoding::new(&raw.key, rule.of_key())?;
        let nonce = RawEncoding::new(&raw.nonce, rule.of_nonce())?;
        Some((key, RawSignature { nonce, s: raw.s.clone() }))
    });
    let raws = raws.collect::<Option<Vec<_>>>()?;
    Some(TestCircuit::new(layout, |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let chip = Ed25519Chip::new(ctx.chips, rule);
        let keys: Vec<_> = raws.iter().map(|(key, _)| chip.key(ctx, key)).collect();
        let signatures: Vec<_> = raws.iter().map(|(_, raw)| chip.signature(ctx, raw)).collect();
        let digests: Vec<_> = items
            .iter()
            .map(|raw| words_of(&raw.digest).map(|word| ctx.load_witness(word)))
            .collect();
        verify(ctx, &keys, &signatures, &digests);
    }))
}

fn circuit(rule: Acceptance, items: &[Raw]) -> Option<TestCircuit> {
    let k = if items.len() > 1 { 15 } else { 14 };
    batch(foreign_layout(k, 13), rule, items, |ctx, keys, signatures, digests| {
        // What cannot be a witness is recorded all the same, and refused by the circuit.
        let _ = assert_verify_all(ctx, keys, signatures, digests);
    })
}

fn is_accepted(rule: Acceptance, items: &[Raw]) -> bool {
    circuit(rule, items).is_some_and(|test| test.is_satisfied())
}

#[test]
fn signatures_are_accepted() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for rule in RULES {
        for count in [1, 2] {
            let items: Vec<_> = (0..count).map(|_| signed(&mut rng)).collect();
            circuit(rule, &items).expect("points").assert_satisfied();
        }
    }
}

#[test]
fn others_are_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let [first, second, third] = [(); 3].map(|()| signed(&mut rng));
    let n = Curve::Edwards25519.n();
    let changes: [&dyn Fn(&mut Raw); 6] = [
        &|raw| raw.s += 1u8,
        &|raw| raw.s = n - &raw.s,
        &|raw| raw.key = third.key,
        &|raw| raw.nonce = third.nonce,
        &|raw| raw.digest = digest(&raw.nonce, &raw.key, b"another message"),
        &|raw| raw.digest[63] ^= 0x80,
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let rule = RULES[i % 3];
        let mut wrong = first.clone();
        change(&mut wrong);
        assert!(!is_accepted(rule, &[wrong.clone()]), "{i}");
        if i % 2 == 0 {
            assert!(!is_accepted(RULES[(i + 1) % 3], &[second.clone(), wrong]), "{i}");
        }
    }
}

/// `s + l` is as good in the equation.
#[test]
fn responses_are_below_the_order() {
    let raw = signed(&mut ChaCha20Rng::seed_from_u64(3));
    let n = Curve::Edwards25519.n();
    for rule in RULES {
        for (times, count) in [(0u8, 0), (1, 1), (7, 1)] {
            let raw = Raw { s: &raw.s + n * times, ..raw.clone() };
            let test = circuit(rule, &[raw]).expect("points");
            assert_eq!(test.false_relations(), Some(count), "{rule:?} {times}");
        }
    }
}

#[test]
fn signatures_that_cancel_each_other() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let mut items = [(); 2].map(|()| signed(&mut rng));
    items[0].s += 1u8;
    items[1].s -= 1u8;
    assert!(!is_accepted(Acceptance::Zip215, &items));
    items[0].s -= 1u8;
    items[1].s += 1u8;
    // A signature for another's key.
    let [first, second] = &mut items;
    std::mem::swap(&mut first.key, &mut second.key);
    assert!(!is_accepted(Acceptance::Zip215, &items));
}

/// Names are those that a leaf has, of all bytes of the key.
#[test]
fn names_are_of_the_key() {
    use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;
    use muster_schemes::hash::poseidon;
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    for rule in RULES {
        let raws = [(); 2].map(|()| signed(&mut rng));
        let mut found = vec![];
        let test = batch(foreign_layout(14, 13), rule, &raws, |ctx, keys, _, _| {
            found.extend(keys.iter().map(|key| *key.name(ctx).value()));
            ctx.chips.foreign().enter_all();
        });
        let mut test = test.expect("points");
        test.assert_satisfied();
        let half =
            |half: &[u8]| Fr::from_u128(u128::from_le_bytes(half.try_into().expect("16 bytes")));
        let name = |raw: &Raw| {
            let (low, high) = raw.key.split_at(16);
            let inputs = [half(high), half(low), Fr::zero(), Fr::zero(), Fr::zero()];
            let domain = poseidon::domain("muster.key.ed25519.v1");
            poseidon::hash_with_domain(domain, &inputs)
        };
        assert_eq!(found, raws.each_ref().map(name));
        if rule == Acceptance::Zip215 {
            test.assert_states_are_bound(0..2, &[0, 1, 2, 3, 4, 5]);
        }
    }
}

/// The words that are hashed in front of the message.
#[test]
fn prefixes_are_the_bytes() {
    let raw = signed(&mut ChaCha20Rng::seed_from_u64(6));
    for rule in RULES {
        let layout = foreign_layout(14, 13);
        let test = batch(layout, rule, std::slice::from_ref(&raw), |ctx, keys, signatures, _| {
            let bytes: [u8; 64] = [raw.nonce, raw.key].concat().try_into().expect("64 bytes");
            let words = signatures[0].prefix(&keys[0]).map(|word| *word.value());
            assert_eq!(words, words_of(&bytes));
            ctx.chips.foreign().enter_all();
        });
        test.expect("points").assert_satisfied();
    }
}
