//! Vectors of RFC 9380, appendices J.9.1, J.10.1 and K.1: every message, stage by stage.

use num_bigint::BigUint;
use serde_json::Value;

use super::*;

fn numbers(value: &Value) -> Vec<BigUint> {
    let hex = |one: &Value| {
        let text = one.as_str().expect("a string");
        BigUint::parse_bytes(text.as_bytes(), 16).expect("hex")
    };
    value.as_array().expect("numbers").iter().map(hex).collect()
}

fn agrees<S: Suite>(file: &str) {
    let file: Value = serde_json::from_str(file).expect("JSON");
    let tag = file["tag"].as_str().expect("a tag");
    assert!(tag.ends_with(S::NAME));
    let tag = Tag::new(tag.as_bytes()).expect("a tag");
    let vectors = file["vectors"].as_array().expect("vectors");
    assert_eq!(vectors.len(), 5);
    for vector in vectors {
        let message = vector["message"].as_str().expect("a message");
        let stages = Stages::<S>::new(message.as_bytes(), &tag);
        for i in 0..2 {
            assert_eq!(stages.elements[i].integers(), numbers(&vector["elements"][i]), "{message}");
            assert_eq!(
                integers::<S>(&stages.mapped[i]),
                numbers(&vector["mapped"][i]),
                "{message}"
            );
        }
        assert_eq!(integers::<S>(&stages.point), numbers(&vector["point"]), "{message}");
    }
}

#[test]
fn bls12381_g1() {
    agrees::<Bls12381G1>(include_str!("bls12381g1.json"));
}

#[test]
fn bls12381_g2() {
    agrees::<Bls12381G2>(include_str!("bls12381g2.json"));
}

/// All ten, of 32 and of 128 bytes.
#[test]
fn expansions() {
    let file: Value = serde_json::from_str(include_str!("expander.json")).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let tag = text(&file["tag"]);
    let tag = Tag::new(tag.as_bytes()).expect("a tag");
    let vectors = file["vectors"].as_array().expect("vectors");
    assert_eq!(vectors.len(), 10);
    for vector in vectors {
        let (message, expected) = (text(&vector["message"]), text(&vector["bytes"]));
        let bytes = expand::expand(message.as_bytes(), &tag, expected.len() / 2);
        assert_eq!(hex::encode(bytes), expected, "{message}");
    }
}
