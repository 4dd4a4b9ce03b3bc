//! The vectors of project Wycheproof through the circuit, each by its own verdict.

use std::collections::BTreeSet;

use super::*;
use crate::signature::ecdsa::vectors::{sealed, Vector};
use muster_schemes::{curve::weierstrass::to_bytes, signature::ecdsa::Signature};

/// Whether some nonce point makes the circuit accept: that of the equation, if the signature is
/// good, or those whose first coordinate is `r` modulo the order.
fn accepted(curve: Curve, vector: &Vector) -> bool {
    let Some(bytes) = vector.signature else { return false };
    let [r, s] = [0, 32].map(|at| std::array::from_fn::<u8, 32, _>(|i| bytes[at + i]));
    let signature = Signature::new(curve, &r, &s).ok();
    let found = signature.and_then(|it| nonce_point(&vector.key, &vector.digest, &it));
    let r = BigUint::from_bytes_be(&r);
    // The circuit has no r: x(R) may be such a number, and is then one of a signature by r - n.
    if &r >= curve.n() {
        return false;
    }
    let nonces = match found {
        Some(nonce) => vec![nonce],
        None => [r.clone(), r.clone() + curve.n()]
            .iter()
            .filter(|x| *x < curve.p())
            .flat_map(|x| [false, true].map(|odd| Point::from_x(curve, &to_bytes(x), odd)))
            .filter_map(Result::ok)
            .collect(),
    };
    let mut items: Vec<_> = nonces.iter().map(|nonce| raw(&vector.key, nonce, &s)).collect();
    if items.is_empty() {
        let mut none = raw(&vector.key, &vector.key, &s);
        none.signature.nonce.0 = r;
        items.push(none);
    }
    items.iter().any(|item| {
        let items = std::slice::from_ref(item);
        ecdsa_circuit(curve, vector.rule, &vector.digest, items).is_satisfied()
    })
}

fn run(curve: Curve, vectors: &[Vector]) {
    for vector in vectors {
        assert_eq!(accepted(curve, vector), vector.valid, "{}", vector.source);
    }
}

/// Of both curves one vector for some of the flags, valid and not.
#[test]
fn a_sample_of_the_vectors() {
    for curve in [Curve::Secp256k1, Curve::P256] {
        let mut seen = BTreeSet::new();
        let mut sample: Vec<_> = sealed(curve);
        sample.retain(|vector| {
            let kind = format!("{:?} {}", vector.flags, vector.valid);
            vector.signature.is_some() && seen.insert(kind)
        });
        let valid = sample.iter().filter(|vector| vector.valid).count();
        assert!(valid > 2 && sample.len() - valid > 2, "{valid} of {}", sample.len());
        sample.truncate(10);
        run(curve, &sample);
    }
}

#[test]
#[ignore = "slow: five minutes of both cores, or more"]
fn all_vectors_over_secp256k1() {
    run(Curve::Secp256k1, &sealed(Curve::Secp256k1));
}

#[test]
#[ignore = "slow: five minutes of both cores, or more"]
fn all_vectors_over_p256() {
    run(Curve::P256, &sealed(Curve::P256));
}
