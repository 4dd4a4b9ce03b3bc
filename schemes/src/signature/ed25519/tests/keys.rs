//! Keys as members of a set.

use curve25519_dalek::constants::EIGHT_TORSION;
use ff::PrimeField;

use super::*;
use crate::{
    membership::{KeySet, KeySetError, Member, MemberKey, PublishedSecret, MAX_PUBLISHED_SECRET},
    signature::{ed25519::PointError, SignatureError},
};

fn member(key: &PublicKey) -> Member {
    Member { public_key: (*key).into(), weight: 1 }
}

/// Keys that are not canonical are admitted by `zip215` alone. y = 3, …, 18 plus p.
#[test]
fn keys_that_are_not_canonical() {
    let mut found = 0;
    for y in 2..19 {
        let mut canonical = [0; 32];
        canonical[0] = y;
        let mut other = [0xff; 32];
        (other[0], other[31]) = (0xed + y, 0x7f);
        let [Ok(canonical), Ok(other)] = [canonical, other].map(|key| PublicKey::from_bytes(&key))
        else {
            continue;
        };
        found += 1;
        assert_eq!(canonical.encoded().point(), other.encoded().point());
        assert_eq!(other.check(Rule::Zip215), Ok(()));
        let refused = Err(SignatureError::Ed25519Key(PointError::NonCanonical));
        for rule in [Rule::Rfc8032, Rule::Strict, Rule::LowS, Rule::AnyS] {
            assert_eq!(other.check(rule), refused);
        }
        assert_eq!(canonical.check(Rule::Rfc8032), Ok(()));
        assert_ne!(canonical.name(), other.name());
        assert!(KeySet::new(vec![member(&canonical), member(&other)]).is_ok());
    }
    assert!(found > 3);
}

/// Each byte of an encoding counts in the name, and a key is not two members.
#[test]
fn names_are_of_the_bytes() {
    let mut rng = muster_testing::rng();
    let keys: Vec<_> = (0..8).map(|_| secret_key(&mut rng).public_key()).collect();
    let set = || keys.iter().map(member).collect::<Vec<_>>();
    assert!(KeySet::new(set()).is_ok());
    let twice = [set(), vec![member(&keys[3])]].concat();
    assert_eq!(KeySet::new(twice), Err(KeySetError::DuplicateKey { first: 3, second: 8 }));
    let opposite = EncodedPoint::from(-keys[0].encoded().point());
    let opposite = PublicKey::from_bytes(opposite.bytes()).unwrap();
    assert_ne!(opposite.name(), keys[0].name());
    assert!(keys.iter().all(|key| key.name().to_repr() != [0; 32]));
}

fn assert_published(key: &PublicKey, secret: PublishedSecret) {
    assert_eq!(MemberKey::published_secret(key), Some(secret));
    let refused = KeySetError::PublishedKey { member: 0, secret };
    assert_eq!(KeySet::new(vec![member(key)]), Err(refused));
}

/// Seeds that are in print or that anyone would try are nobody's, nor the opposites of their keys, with any part of
/// small order.
#[test]
fn published_seeds_are_no_members() {
    let key = |text: &str| {
        let mut key = [0; 32];
        hex::decode_to_slice(text, &mut key).unwrap();
        PublicKey::from_bytes(&key).unwrap()
    };
    // The keys as RFC 8032 prints them: sections 7.1 and 7.3, then 7.2.
    let printed = vectors::RFC_8032.map(|[_, public_key, ..]| public_key);
    let contexts = [
        "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292",
        "0f1d1274943b91415889152e893d80e93275a1fc0b65fd71b4b0dda10ad7d772",
    ];
    let printed = printed.into_iter().chain(contexts).map(key);
    let numbers = [[0; 32], [1; 32], [0xff; 32], one_byte(0, 7), one_byte(31, 255)];
    let plain = numbers.map(|seed| SecretKey::from_seed(&seed).public_key());
    for key in printed.chain(plain) {
        let secret = MemberKey::published_secret(&key).unwrap();
        assert!(matches!(secret, PublishedSecret::Seed(seed)
            if SecretKey::from_seed(&seed).public_key() == key));
        for point in [*key.encoded().point(), -key.encoded().point()] {
            for torsion in EIGHT_TORSION {
                let other = EncodedPoint::from(point + torsion);
                assert_published(&PublicKey::from_bytes(other.bytes()).unwrap(), secret);
            }
        }
    }
    for held in [one_byte(1, 1), one_byte(30, 9)] {
        let key = SecretKey::from_seed(&held).public_key();
        assert!(KeySet::new(vec![member(&key)]).is_ok());
    }
}

/// Zeros but for one byte.
fn one_byte(place: usize, byte: u8) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[place] = byte;
    seed
}

/// The multiples of the generator by small numbers are nobody's keys, with any part of small order.
#[test]
fn published_keys_are_no_members() {
    for secret in [1, 2, MAX_PUBLISHED_SECRET, -1, -2, -MAX_PUBLISHED_SECRET] {
        let point = *EncodedPoint::multiple(secret).point();
        let scalar = Scalar::from(u64::from(secret.unsigned_abs()));
        let expected = EdwardsPoint::mul_base(&scalar);
        assert_eq!(point, if secret < 0 { -expected } else { expected });
        for torsion in EIGHT_TORSION {
            let key = PublicKey::from_bytes(EncodedPoint::from(point + torsion).bytes()).unwrap();
            assert_published(&key, PublishedSecret::Number(secret));
        }
    }
    for secret in [0, MAX_PUBLISHED_SECRET + 1, -MAX_PUBLISHED_SECRET - 1] {
        let point = EncodedPoint::multiple(secret);
        let key = PublicKey::from_bytes(point.bytes());
        assert!(key.map_or(true, |key| MemberKey::published_secret(&key).is_none()));
    }
}
