//! Hashes to curves outside a circuit.

mod bls12381;
mod bn254;
mod published;

use halo2curves::CurveAffine;
use num_bigint::BigUint;

use super::*;

/// The coordinates of a point over the prime field, one behind the other.
fn integers<S: Suite>(point: &S::Point) -> Vec<BigUint> {
    let coordinates = point.coordinates().expect("not the identity");
    [coordinates.x(), coordinates.y()].into_iter().flat_map(Element::integers).collect()
}

#[test]
fn tags_have_a_length() {
    assert_eq!(Tag::new(&[]), Err(TagError(0)));
    assert_eq!(Tag::new(&[1; 256]), Err(TagError(256)));
    let tag = Tag::new(&[1; 255]).expect("the longest");
    assert_eq!(tag.with_length().len(), 256);
    assert_eq!(tag.with_length()[255], 255);
}

/// RFC 9380 appendix K.1: the empty message and `abc`, in 32 bytes, and the first in 128.
#[test]
fn published_expansions() {
    let tag = Tag::new(b"QUUX-V01-CS02-with-expander-SHA256-128").expect("a tag");
    let vectors = [
        ("", "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"),
        ("abc", "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"),
    ];
    for (message, expected) in vectors {
        assert_eq!(hex::encode(expand::expand(message.as_bytes(), &tag, 32)), expected);
    }
    let long = hex::encode(expand::expand(b"", &tag, 128));
    assert!(long.starts_with("af84c27ccfd45d41914fdff5df25293e221afc53d8ad2ac06d5e3e29485dadbee0d121587713a3e0dd4d5e69e93eb7cd4f5df4"));
}
