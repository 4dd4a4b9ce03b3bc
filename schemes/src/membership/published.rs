//! Keys whose secret everybody knows: the generator, its first multiples, and their opposites; over Edwards25519 also
//! the keys of seeds that are in RFC 8032 or that anyone would try first.
//!
//! The generator fills the unused slots of a circuit, and tests and examples use the first
//! multiples as keys. Anyone can sign for such a member.

#[cfg(any(test, feature = "bls"))]
use std::{
    collections::BTreeMap,
    iter::successors,
    sync::{Mutex, PoisonError},
};
use std::{collections::HashMap, fmt, sync::OnceLock};

#[cfg(any(test, feature = "bls"))]
use ff::Field;
#[cfg(any(test, feature = "bls"))]
use num_bigint::BigUint;

#[cfg(any(test, feature = "bls"))]
use crate::signature::bls;
use crate::{
    curve::{
        edwards::{Point as EdwardsPoint, SubgroupPoint},
        weierstrass::{Address, Curve, Point},
    },
    signature::ed25519::{published_seeds, EncodedPoint, PublicKey, SecretKey},
};

/// No member may have a secret key of at most this, or the opposite of one: whatever fits in a
/// byte.
pub const MAX_PUBLISHED_SECRET: i16 = 255;

/// A secret that everybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishedSecret {
    /// A number between `-`[`MAX_PUBLISHED_SECRET`] and [`MAX_PUBLISHED_SECRET`]; a negative one stands for the
    /// opposite, modulo the order of the group.
    Number(i16),
    /// The secret that RFC 8032 derives from this seed, or its opposite.
    Seed([u8; 32]),
}

impl fmt::Display for PublishedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}, modulo the order of the group"),
            Self::Seed(seed) => {
                write!(f, "that of the published seed 0x{}, or its opposite", hex::encode(seed))
            }
        }
    }
}

/// Keys with their secrets.
type Table<K, S = i16> = HashMap<K, S>;

/// The secret of a point of Baby Jubjub, if it is published.
pub(super) fn baby_jubjub(key: &SubgroupPoint) -> Option<i16> {
    static TABLE: OnceLock<Table<SubgroupPoint>> = OnceLock::new();
    let generator = EdwardsPoint::from(SubgroupPoint::generator());
    let make = || {
        let multiples = (1..=MAX_PUBLISHED_SECRET).scan(EdwardsPoint::identity(), |sum, secret| {
            *sum = *sum + generator;
            Some([(*sum, secret), (-*sum, -secret)])
        });
        let key = |(point, secret): (EdwardsPoint, i16)| {
            let point = SubgroupPoint::from_subgroup(&point);
            (point.expect("below the order of the group"), secret)
        };
        multiples.flatten().map(key).collect()
    };
    TABLE.get_or_init(make).get(key).copied()
}

/// The secret of a point of a Weierstrass curve, if it is published.
pub(super) fn weierstrass(key: &Point) -> Option<i16> {
    static SECP256K1: OnceLock<Table<Point>> = OnceLock::new();
    static P256: OnceLock<Table<Point>> = OnceLock::new();
    let curve = key.curve();
    let table = match curve {
        Curve::Secp256k1 => &SECP256K1,
        Curve::P256 => &P256,
        // No `Point` is on a curve with a cofactor.
        Curve::Edwards25519 => return None,
    };
    table.get_or_init(|| points(curve).collect()).get(key).copied()
}

/// The secret of the key with this address, if it is published.
pub(super) fn address(address: &Address) -> Option<i16> {
    static TABLE: OnceLock<Table<Address>> = OnceLock::new();
    let make = || points(Curve::Secp256k1).map(|(key, secret)| (key.address(), secret)).collect();
    TABLE.get_or_init(make).get(address).copied()
}

/// The secret of a key of Ed25519, if it is published. Under the rules with the cofactor, whoever signs with A
/// also signs with A + T, for each T of small order; so keys are compared times 8.
pub(super) fn ed25519(key: &PublicKey) -> Option<PublishedSecret> {
    // By y, which opposite points share, with the sign of x.
    static TABLE: OnceLock<Table<[u8; 32], (bool, PublishedSecret)>> = OnceLock::new();
    let make = || {
        let number = |number| (EncodedPoint::multiple(number), PublishedSecret::Number(number));
        let seed = |seed| {
            (*SecretKey::from_seed(&seed).public_key().encoded(), PublishedSecret::Seed(seed))
        };
        let keys = (1..=MAX_PUBLISHED_SECRET).map(number).chain(published_seeds().map(seed));
        let entry = |(key, secret): (EncodedPoint, _)| {
            let (y, sign) = key.times_eight();
            (y, (sign, secret))
        };
        keys.map(entry).collect()
    };
    let (y, sign) = key.encoded().times_eight();
    let (own_sign, secret) = *TABLE.get_or_init(make).get(&y)?;
    Some(match secret {
        PublishedSecret::Number(number) if sign != own_sign => PublishedSecret::Number(-number),
        secret => secret,
    })
}

/// The secret of a key of BLS, if it is published.
#[cfg(any(test, feature = "bls"))]
pub(super) fn bls<S: bls::member::Possession>(key: &bls::PublicKey<S>) -> Option<i16> {
    // One table per scheme: by x, which opposite points share.
    type Multiples = Table<Vec<BigUint>, (Vec<BigUint>, i16)>;
    static TABLES: Mutex<BTreeMap<&str, Multiples>> = Mutex::new(BTreeMap::new());
    let coordinates = |key: &bls::PublicKey<S>| {
        let point = S::key_coordinates(key.point());
        let (x, y) = S::key_numbers(&point).split_at(S::key_numbers(&point).len() / 2);
        (x.to_vec(), y.to_vec())
    };
    let make = || {
        let one = bls::SecretKey::<S>::from_scalar(&S::Scalar::ONE).expect("1 is not 0");
        let one = one.public_key();
        let multiples = successors(Some(one), |sum| bls::PublicKey::sum(&[*sum, one]));
        let entry = |(key, number)| {
            let (x, y) = coordinates(&key);
            (x, (y, number))
        };
        multiples.zip(1..=MAX_PUBLISHED_SECRET).map(entry).collect()
    };
    let (x, y) = coordinates(key);
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let (own_y, number) = tables.entry(S::SCHEME).or_insert_with(make).get(&x)?;
    Some(if *own_y == y { *number } else { -number })
}

fn points(curve: Curve) -> impl Iterator<Item = (Point, i16)> {
    let (parameters, generator) = (curve.parameters(), curve.parameters().generator());
    let multiples = (1..=MAX_PUBLISHED_SECRET).scan(None, move |sum, secret| {
        *sum = parameters.add(sum, &generator);
        let point = Point::from_affine(curve, sum).expect("below the order of the group");
        Some([(point, secret), (-point, -secret)])
    });
    multiples.flatten()
}
