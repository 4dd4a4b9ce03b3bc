//! What Ed25519 signatures cost without their hashes, with lookups of 16 bits in two columns.

use std::collections::BTreeMap;

use curve25519_dalek::{edwards::EdwardsPoint, Scalar};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::BigUint;
use sha2::{Digest as _, Sha512};

use super::{
    foreign::{cells, layout},
    Costs,
};
use crate::{
    curve::edwards25519::RawEncoding,
    signature::{
        ed25519::chip::{assert_verify_all, equations, Acceptance, Ed25519Chip, RawSignature},
        plain::AssignedPlain,
    },
};
use muster_gates::{GateContext, Gates, Layout, Usage};
use muster_schemes::signature::{MAX_PLAIN_BYTES, PLAIN_INPUTS};

/// Signatures of a batch.
pub(super) const BATCH: usize = 16;
const RULES: [(&str, Acceptance); 3] = [
    ("zip215", Acceptance::Zip215),
    ("rfc8032", Acceptance::Rfc8032),
    ("strict", Acceptance::Strict),
];

fn usage(layout: &Layout, build: impl FnOnce(&mut GateContext)) -> Usage {
    let mut gates = Gates::new(layout, false);
    let ctx = &mut gates.context();
    build(ctx);
    gates.usage()
}

/// A key, a signature by it, and the digest as words.
fn signed(number: u64, rule: Acceptance) -> (RawEncoding, RawSignature, [Fr; 8]) {
    let [secret, nonce] = [2 * number + 2, 2 * number + 3].map(Scalar::from);
    let [key, r] =
        [&secret, &nonce].map(|scalar| EdwardsPoint::mul_base(scalar).compress().to_bytes());
    let digest: [u8; 64] = Sha512::new().chain_update(r).chain_update(key).finalize().into();
    let s = nonce + Scalar::from_bytes_mod_order_wide(&digest) * secret;
    let words = std::array::from_fn(|i| {
        Fr::from(u64::from_le_bytes(digest[8 * i..8 * i + 8].try_into().expect("8 bytes")))
    });
    let key = RawEncoding::new(&key, rule.of_key()).expect("a point");
    let nonce = RawEncoding::new(&r, rule.of_nonce()).expect("a point");
    (key, RawSignature { nonce, s: BigUint::from_bytes_le(s.as_bytes()) }, words)
}

/// A witness for `count` signatures.
fn batch(layout: &Layout, rule: Acceptance, count: usize) -> Usage {
    usage(layout, |ctx| {
        let chip = Ed25519Chip::new(ctx.chips, rule);
        let (mut keys, mut signatures, mut digests) = (vec![], vec![], vec![]);
        for number in 0..count {
            let (key, signature, words) = signed(number as u64, rule);
            keys.push(chip.key(ctx, &key));
            signatures.push(chip.signature(ctx, &signature));
            digests.push(words.map(|word| ctx.load_witness(word)));
        }
        let verdict = assert_verify_all(ctx, &keys, &signatures, &digests);
        assert_eq!(verdict, Ok(()));
    })
}

/// Adds the rows of this family: a key with its table, and batches.
pub(super) fn ed25519(costs: &mut Costs) {
    let layout = layout(&equations());
    let total = |usage: &Usage| cells(&layout, usage);
    for (name, rule) in RULES {
        let keys = |count: u64| {
            total(&usage(&layout, |ctx| {
                let chip = Ed25519Chip::new(ctx.chips, rule);
                for number in 0..count {
                    chip.key(ctx, &signed(number, rule).0);
                }
            }))
        };
        let (two, one) = (keys(2), keys(1));
        let key: BTreeMap<_, _> =
            one.iter().map(|(what, count)| (what.clone(), two[what] - count)).collect();
        costs.insert(format!("ed25519: a key, {name}"), key);
        costs.insert(
            format!("ed25519: {BATCH} signatures without hashes, {name}"),
            total(&batch(&layout, rule, BATCH)),
        );
    }
    let plain = usage(&layout, |ctx| {
        let public = [(); PLAIN_INPUTS].map(|()| ctx.load_witness(Fr::zero()));
        let message = [0xa5; MAX_PLAIN_BYTES];
        AssignedPlain::new(ctx, &public, (&message, MAX_PLAIN_BYTES));
    });
    costs.insert("ed25519: a message that is public itself".into(), total(&plain));
    costs.insert(
        "ed25519: a signature without its hash, zip215".into(),
        total(&batch(&layout, Acceptance::Zip215, 1)),
    );
}
