//! What relations modulo foreign primes cost, with lookups of 16 bits in two columns.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::Costs;
use crate::{
    curve::weierstrass::{chip::CurveEquations, Curve},
    gate::{
        foreign::{Block, ForeignLayout},
        Gates, Layout, PoseidonLayout, Usage,
    },
    signature::{
        batch::HASH_WIDTH,
        ecdsa::{self, nonce_point, Ecdsa, EcdsaSecp256k1, SecretKey},
        foreign::{equations, AssignedKey, RawSignature},
        Rule,
    },
};

const BITS: usize = 16;
/// Signatures of a batch.
pub(super) const BATCH: usize = 13;

fn layout() -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, BITS, 2, &equations(Curve::Secp256k1));
    Layout {
        k: 17,
        vertical_columns: 1,
        range_bits: BITS,
        poseidon: vec![PoseidonLayout { width: HASH_WIDTH, columns: 1, lanes: 1 }],
        constant_rows: 512,
        foreign: Some(foreign),
        ..Layout::default()
    }
}

fn block() -> Block {
    layout().block().expect("the layout has relations")
}

/// A witness for `count` signatures by the secret keys 2, 3, …
fn batch(count: usize) -> Usage {
    let digest = [7; 32];
    let signer = |i: usize| {
        let mut seed = [0; 32];
        seed[31] = i as u8 + 2;
        let secret: SecretKey<k256::Secp256k1> =
            SecretKey::from_bytes(&seed).expect("a small number is a secret key");
        let (key, (signature, _)) =
            (secret.public_key(), EcdsaSecp256k1::sign_recoverable(&secret, &digest));
        let nonce = nonce_point(&key, &digest, &signature).expect("the signature is good");
        let affine = |point: &crate::curve::weierstrass::Point| point.to_affine().expect("affine");
        let s = BigUint::from_bytes_be(&signature.s());
        (affine(&key), RawSignature { nonce: affine(&nonce), s })
    };
    let mut gates = Gates::new(&layout(), false);
    let (ctx, chips) = gates.parts();
    let curve = Ecdsa::<k256::Secp256k1>::CURVE;
    let equations = CurveEquations::new(curve);
    let (keys, signatures): (Vec<_>, Vec<_>) = (0..count).map(signer).unzip();
    let half = Fr::from_raw([0x0707_0707_0707_0707, 0x0707_0707_0707_0707, 0, 0]);
    let digest = [half; 2].map(|half| ctx.load_witness(half));
    let keys: Vec<_> =
        keys.iter().map(|key| AssignedKey::new(ctx, chips, &equations, key)).collect();
    let rule = (curve, Rule::LowS);
    let verdict = ecdsa::chip::assert_verify_all(ctx, chips, rule, digest, &keys, &signatures);
    assert_eq!(verdict, Ok(()));
    gates.usage()
}

/// Everything that a batch takes, columns of relations with their idle cells.
fn cells(usage: &Usage) -> BTreeMap<String, usize> {
    let block = block();
    let relations = usage.foreign_rows / block.rows();
    let poseidon: usize = usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
    let lookups = relations * block.lookups() + usage.range_cells;
    let others = usage.vertical_cells + usage.range_cells + poseidon;
    BTreeMap::from([
        ("relations".into(), relations),
        ("lookups".into(), lookups),
        ("cells".into(), relations * block.cells() + others),
    ])
}

/// Adds the rows of this family.
pub(super) fn foreign(costs: &mut Costs) {
    let block = block();
    let relations = |count: usize| {
        BTreeMap::from([
            ("relations".into(), count),
            ("lookups".into(), count * block.lookups()),
            ("cells".into(), count * block.cells()),
        ])
    };
    costs.insert("foreign: relation modulo 256 bits".into(), relations(1));
    costs.insert("foreign: chord addition".into(), relations(3));
    costs.insert("foreign: two chord additions".into(), relations(5));
    costs.insert(format!("ecdsa-secp256k1: {BATCH} signatures"), cells(&batch(BATCH)));
    costs.insert("ecdsa-secp256k1: a signature".into(), cells(&batch(1)));
}
