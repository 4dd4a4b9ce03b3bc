//! Hashes to curves outside a circuit.

mod bls12381;
mod bn254;
mod published;

use crate::field::ExtensionField;
use halo2curves::CurveAffine;
use num_bigint::BigUint;

use super::*;

/// The coordinates of a point over the prime field, one behind the other.
fn integers<S: Suite>(point: &S::Point) -> Vec<BigUint> {
    let coordinates = point.coordinates().expect("not the identity");
    [coordinates.x(), coordinates.y()].into_iter().flat_map(ExtensionField::integers).collect()
}

#[test]
fn tags_have_a_length() {
    assert_eq!(Tag::new(&[]), Err(TagError(0)));
    assert_eq!(Tag::new(&[1; 256]), Err(TagError(256)));
    let tag = Tag::new(&[1; 255]).expect("the longest");
    assert_eq!(tag.with_length().len(), 256);
    assert_eq!(tag.with_length()[255], 255);
}

/// The longest expansions, whose last digest has the number 255. Its bytes are those of an implementation in Python.
#[test]
fn expansions_have_255_digests() {
    let tag = Tag::new(b"QUUX-V01-CS02-with-expander-SHA256-128").expect("a tag");
    let last = "7e774ebadea6c586b314d8032d47dc5354aa1a00330f78c32daf0b0ef245c777";
    for (length, expected) in [(8129, "10"), (8160, last)] {
        let bytes = expand::expand(b"abc", &tag, length);
        assert_eq!(hex::encode(&bytes[254 * expand::DIGEST..]), expected);
    }
}

#[test]
#[should_panic(expected = "an expansion has at most 255 digests")]
fn there_is_no_digest_256() {
    expand::expand(b"", &Tag::new(b"tag").expect("a tag"), 8161);
}
