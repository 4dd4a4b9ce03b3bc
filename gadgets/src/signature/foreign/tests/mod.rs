//! Batches of signatures in circuit: ECDSA over both curves, BIP-340, and the coefficients.

mod bindings;
mod bip340;
mod coefficients;
mod ecdsa_refusals;
mod meetings;
mod relations;
mod sum;
mod transcript;
mod vectors;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::{
    curve::weierstrass::CurveEquations,
    field::foreign::integer::element,
    signature::{batch::HASH_WIDTH, ecdsa},
};
use muster_forgery::testing::{layout, TestCircuit, SHA256_GATE};
use muster_gates::{
    foreign::{ForeignLayout, Sums},
    GateContext, Layout,
};
use muster_schemes::{
    curve::weierstrass::{Curve, Point},
    signature::{
        ecdsa::{nonce_point, Ecdsa, Suite},
        Rule, SignatureScheme,
    },
};

/// A layout for a few signatures.
fn foreign(curve: Curve, k: u32, range_bits: usize, columns: usize) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, range_bits, columns, &equations(curve));
    Layout {
        range_bits,
        edwards_lanes: 0,
        constant_rows: 512,
        foreign: vec![foreign],
        ..layout(k, &[HASH_WIDTH])
    }
}

/// Layouts of these circuits have the sums for which their files name none: keys that were made before files could name
/// any stay what they are.
#[test]
fn files_of_these_layouts_name_no_sums() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        for range_bits in 8..=16 {
            let layout = foreign(curve, 14, range_bits, 6);
            assert_eq!(layout.foreign[0].sums, Sums::default());
        }
    }
}

/// What a prover brings for a signature.
#[derive(Clone, Debug)]
struct Raw {
    key: (BigUint, BigUint),
    signature: RawSignature,
}

fn raw(key: &Point, nonce: &Point, s: &[u8; 32]) -> Raw {
    let affine = |point: &Point| point.to_affine().expect("not the identity");
    let signature = RawSignature { nonce: affine(nonce), s: BigUint::from_bytes_be(s) };
    Raw { key: affine(key), signature }
}

fn signed<C: Suite>(rng: &mut ChaCha20Rng, digest: &[u8; 32]) -> Raw {
    let secret = Ecdsa::<C>::keygen(rng);
    let key = Ecdsa::<C>::public_key(&secret);
    let signature = Ecdsa::<C>::sign(&secret, digest, rng);
    let nonce = nonce_point(&key, digest, &signature).expect("the signature is good");
    raw(&key, &nonce, &signature.s())
}

fn half(bytes: &[u8]) -> Fr {
    let byte = |sum: Fr, byte: &u8| sum * Fr::from(256) + Fr::from(u64::from(*byte));
    bytes.iter().fold(Fr::zero(), byte)
}

/// Keys and signatures in circuit, behind four relations that only give a range: the mock prover
/// cannot show a failure whose queries reach above the first row.
fn batch(
    layout: Layout,
    (curve, digest): (Curve, [Fr; 2]),
    items: &[Raw],
    verify: impl FnOnce(&mut GateContext, [AssignedValue<Fr>; 2], &[AssignedKey], &[RawSignature]),
) -> TestCircuit {
    TestCircuit::new(layout, |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let digest = digest.map(|half| ctx.load_witness(half));
        let equations = CurveEquations::new(curve);
        let keys: Vec<_> =
            items.iter().map(|raw| AssignedKey::new(ctx, &equations, &raw.key)).collect();
        let signatures: Vec<_> = items.iter().map(|raw| raw.signature.clone()).collect();
        verify(ctx, digest, &keys, &signatures);
    })
}

/// The high and the low half of a digest.
fn halves_of(digest: &[u8; 32]) -> [Fr; 2] {
    let (high, low) = digest.split_at(16);
    [half(high), half(low)]
}

fn ecdsa_halves(curve: Curve, rule: Rule, digest: [Fr; 2], items: &[Raw]) -> TestCircuit {
    let layout = foreign(curve, 14, 13, 6);
    batch(layout, (curve, digest), items, |ctx, digest, keys, signatures| {
        // What cannot be a witness is recorded all the same, and refused by the circuit.
        let _ = ecdsa::assert_verify_all(ctx, (curve, rule), digest, keys, signatures);
    })
}

fn ecdsa_circuit(curve: Curve, rule: Rule, digest: &[u8; 32], items: &[Raw]) -> TestCircuit {
    ecdsa_halves(curve, rule, halves_of(digest), items)
}

#[test]
fn ecdsa_signatures_are_accepted() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let digest = [7; 32];
    let items = [(); 2].map(|()| signed::<k256::Secp256k1>(&mut rng, &digest));
    let test = ecdsa_circuit(Curve::Secp256k1, Rule::LowS, &digest, &items);
    test.assert_satisfied();
    let items = [signed::<p256::NistP256>(&mut rng, &digest)];
    let test = ecdsa_circuit(Curve::P256, Rule::AnyS, &digest, &items);
    test.assert_satisfied();
}
