//! Shapes out of files: those that keys are made for, and others.

use muster_schemes::signature::Rule;
use muster_testing::sampled;

use super::{
    ed25519::{wanted, BYTES, PRECOMMITS},
    fit, EMBEDDED, FOREIGN,
};
use crate::{Columns, KeyKind, Mode, Request, Scheme, Shape};

/// Large and small, wide and narrow: what `fit` gives, `check` takes. (It gives nothing else: so they
/// are found at all.)
#[test]
fn every_shape_that_is_fitted_passes() {
    let embedded = EMBEDDED.into_iter().flat_map(|scheme| {
        let wide =
            Request { arity: 16, mode: Some(Mode::Path), ..Request::new(scheme, 1 << 20, 10) };
        [Request::new(scheme, 1, 1), Request::new(scheme, 4, 2), wide]
    });
    let by_address = address(4, 2);
    let foreign = FOREIGN.map(|scheme| Request::new(scheme, 4, 2));
    let rules = [(Rule::Zip215, BYTES), (Rule::Strict, PRECOMMITS)];
    let ed25519 = rules.map(|(rule, form)| wanted(rule, form, 2));
    for request in embedded.chain(foreign).chain([by_address]).chain(ed25519) {
        assert_eq!(fit(&request).check(), Ok(()), "{request:?}");
    }
}

fn address(capacity: usize, slots: usize) -> Request {
    Request { keys: KeyKind::Address, ..Request::new(Scheme::EcdsaSecp256k1, capacity, slots) }
}

/// Every number of a shape replaced by every number that might be trouble, and every word by every
/// other: it is refused, or its columns can be made, of which every fourth is. Of BLS, whose relations take long to
/// lay out, every seventeenth is tried.
#[test]
fn any_other_shape_is_refused_or_can_be_made() {
    let requests = [
        Request::new(Scheme::Schnorr, 4, 2),
        Request::new(Scheme::Musig, 4, 2),
        Request::new(Scheme::SchnorrSecp256k1, 4, 2),
        address(4, 2),
        Request::new(Scheme::Ed25519, 4, 2),
        Request::new(Scheme::BlsBn254, 4, 2),
        Request { absent: Some(2), ..Request::new(Scheme::BlsBls12381MinSig, 4, 4) },
        Request { mask: true, ..Request::new(Scheme::Schnorr, 4, 2) },
    ];
    let numbers = [0, 1, 2, 3, 5, 7, 8, 9, 10, 16, 17, 24, 25, 26, 27, 28, 32, 64, 1 << 10];
    let large = [1 << 14, 1 << 15, 1 << 20, u64::MAX >> 1, u64::MAX];
    let words =
        ["schnorr-babyjubjub", "ecdsa-secp256k1", "path", "whole-set", "complement", "address"];
    let of_bls = ["bls-bn254", "bls-bls12-381", "trusted-keys", "sha256:627"];
    let of_ed25519 =
        ["ed25519", "strict", "low-s", "sha256:47", "sha256:16384", "cometbft-precommit"];
    let (mut refused, mut accepted, mut drawn) = (0, 0, 0);
    for request in requests {
        let step = if request.scheme.adds_keys() { 17 } else { 1 };
        let good = serde_json::to_value(fit(&request)).unwrap();
        for place in sampled(places(&good, String::new()), 4) {
            let as_number = numbers.into_iter().chain(large).map(serde_json::Value::from);
            for value in as_number.chain(
                words.into_iter().chain(of_ed25519).chain(of_bls).map(serde_json::Value::from),
            ) {
                let mut changed = good.clone();
                *changed.pointer_mut(&place).unwrap() = value;
                let Ok(shape) = serde_json::from_value::<Shape>(changed) else { continue };
                drawn += 1;
                if drawn % step > 0 {
                    continue;
                }
                match shape.check() {
                    Ok(()) => {
                        accepted += 1;
                        if accepted % 4 == 0 {
                            assert!(Columns::of(&shape.layout).advice > 0);
                        }
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 200 && accepted > 20, "{refused} refused, {accepted} accepted");
}

/// What is wrong with a gate of SHA-512.
const SHA512: &str = "wrong number of lanes of the SHA-512 gate, or of bits per row";

/// The gate of SHA-512 belongs to Ed25519 alone, with at least four rows a step and a lane for each slot at most.
#[test]
fn gates_of_sha512_are_those_of_the_scheme() {
    let good = serde_json::to_value(fit(&wanted(Rule::Zip215, BYTES, 2))).unwrap();
    let refused = |shape: &serde_json::Value, reason: &str| {
        let shape: Shape = serde_json::from_value(shape.clone()).unwrap();
        assert_eq!(shape.check().unwrap_err().to_string().split(": ").last(), Some(reason));
    };
    for bits in [0, 17, 32, 64] {
        let mut bad = good.clone();
        bad["layout"]["sha512"]["bits"] = bits.into();
        refused(&bad, SHA512);
    }
    for lanes in [0, 3, 33, 1 << 20] {
        let mut bad = good.clone();
        bad["layout"]["sha512"]["lanes"] = lanes.into();
        refused(&bad, SHA512);
    }
    let mut none = good.clone();
    none["layout"].as_object_mut().unwrap().remove("sha512").unwrap();
    refused(&none, SHA512);
    let mut other = serde_json::to_value(fit(&Request::new(Scheme::Schnorr, 4, 2))).unwrap();
    other["layout"]["sha512"] = good["layout"]["sha512"].clone();
    refused(&other, SHA512);
}

/// JSON pointers to all numbers and words.
fn places(value: &serde_json::Value, at: String) -> Vec<String> {
    match value {
        serde_json::Value::Array(list) => {
            let children = list.iter().enumerate();
            children.flat_map(|(i, child)| places(child, format!("{at}/{i}"))).collect()
        }
        serde_json::Value::Object(map) => {
            map.iter().flat_map(|(key, child)| places(child, format!("{at}/{key}"))).collect()
        }
        _ => vec![at],
    }
}
