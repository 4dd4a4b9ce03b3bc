//! What relations modulo foreign primes cost, with lookups of 16 bits in two columns.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::Costs;
use crate::{
    curve::weierstrass::CurveEquations,
    signature::{
        batch::HASH_WIDTH,
        ecdsa,
        foreign::{equations, AssignedKey, RawSignature},
    },
};
use muster_gates::{
    foreign::{above, Block, Equation, ForeignLayout, Form, Source},
    Gates, Layout, PoseidonLayout, Usage,
};
use muster_schemes::{
    curve::weierstrass::Curve,
    signature::{
        ecdsa::{nonce_point, Ecdsa, EcdsaSecp256k1, SecretKey},
        Rule,
    },
};

const BITS: usize = 16;
/// The base fields of BN254 (EIP-197), curve25519 (RFC 7748, section 4.1) and BLS12-381
/// (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1).
const PRIMES: [&str; 3] = [
    "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed",
    concat!(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624",
        "1eabfffeb153ffffb9feffffffffaaab"
    ),
];
/// Signatures of a batch.
pub(super) const BATCH: usize = 13;

/// Room for circuits with these relations.
pub(super) fn layout(equations: &[Equation]) -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, BITS, 2, equations);
    Layout {
        k: 17,
        vertical_columns: 1,
        range_bits: BITS,
        poseidon: vec![PoseidonLayout { width: HASH_WIDTH, columns: 1, lanes: 1 }],
        constant_rows: 512,
        foreign: vec![foreign],
        ..Layout::default()
    }
}

fn secp256k1() -> Layout {
    layout(&equations(Curve::Secp256k1))
}

fn block(layout: &Layout) -> Block {
    layout.blocks().remove(0)
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
        let affine =
            |point: &muster_schemes::curve::weierstrass::Point| point.to_affine().expect("affine");
        let s = BigUint::from_bytes_be(&signature.s());
        (affine(&key), RawSignature { nonce: affine(&nonce), s })
    };
    let mut gates = Gates::new(&secp256k1(), false);
    let ctx = &mut gates.context();
    let curve = Ecdsa::<k256::Secp256k1>::CURVE;
    let equations = CurveEquations::new(curve);
    let (keys, signatures): (Vec<_>, Vec<_>) = (0..count).map(signer).unzip();
    let half = Fr::from_raw([0x0707_0707_0707_0707, 0x0707_0707_0707_0707, 0, 0]);
    let digest = [half; 2].map(|half| ctx.load_witness(half));
    let keys: Vec<_> = keys.iter().map(|key| AssignedKey::new(ctx, &equations, key)).collect();
    let rule = (curve, Rule::LowS);
    let verdict = ecdsa::assert_verify_all(ctx, rule, digest, &keys, &signatures);
    assert_eq!(verdict, Ok(()));
    gates.usage()
}

/// Everything that a batch takes, columns of relations with their idle cells.
pub(super) fn cells(layout: &Layout, usage: &Usage) -> BTreeMap<String, usize> {
    let block = block(layout);
    let relations = usage.foreign_rows[0] / block.rows();
    let poseidon: usize = usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
    let lookups = relations * block.lookups() + usage.range_cells;
    let others = usage.vertical_cells + usage.range_cells + poseidon;
    BTreeMap::from([
        ("relations".into(), relations),
        ("lookups".into(), lookups),
        ("cells".into(), relations * block.cells() + others),
    ])
}

/// Products in fields of other lengths, of two operands and of four, where digits are asked for and where they are
/// not: lookups and the cells of operands, without those that stay idle in the last row of a block.
fn shorter_and_longer(costs: &mut Costs) {
    let native = halo2_base::utils::modulus::<Fr>();
    let [a, b, c, d] = [0, 1, 2, 3].map(Source::Operand);
    for prime in PRIMES {
        let prime = BigUint::parse_bytes(prime.as_bytes(), 16).expect("hex");
        let bits = prime.bits();
        let equation = |form: Form| Equation::result(&prime, form);
        let product = equation(a * b);
        let slope = above(|[y, x]| (y - Source::Turned) / (x - a));
        let digit = Equation::result(&prime, slope);
        for (name, equations) in [
            ("product", vec![product.clone()]),
            ("product of a curve's gate", vec![product, digit]),
            ("two products of four operands", vec![equation(a * b - c * d)]),
        ] {
            let gate = ForeignLayout::new(&native, BITS, 1, &equations);
            let block = Block::new(native.clone(), &gate, BITS);
            let row = BTreeMap::from([
                ("relations".into(), 1),
                ("lookups".into(), block.lookups()),
                ("cells".into(), block.lookups() + block.operand_cells()),
            ]);
            costs.insert(format!("foreign: {name} modulo {bits} bits"), row);
        }
    }
}

/// Adds the rows of this family.
pub(super) fn foreign(costs: &mut Costs) {
    let layout = secp256k1();
    let block = block(&layout);
    let relations = |count: usize| {
        BTreeMap::from([
            ("relations".into(), count),
            ("lookups".into(), count * block.lookups()),
            ("cells".into(), count * block.cells()),
        ])
    };
    costs.insert("foreign: relation modulo 256 bits".into(), relations(1));
    shorter_and_longer(costs);
    costs.insert("foreign: chord addition".into(), relations(3));
    costs.insert("foreign: two chord additions".into(), relations(5));
    costs.insert(format!("ecdsa-secp256k1: {BATCH} signatures"), cells(&layout, &batch(BATCH)));
    costs.insert("ecdsa-secp256k1: a signature".into(), cells(&layout, &batch(1)));
}
