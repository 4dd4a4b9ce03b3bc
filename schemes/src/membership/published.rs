//! Keys of every scheme as members of a set, and whose secret everybody knows: the generator, its first multiples, and
//! their opposites; over Edwards25519 also the keys of seeds that are in RFC 8032 or that anyone would try first.
//!
//! The generator fills the unused slots of a circuit, and tests and examples use the first
//! multiples as keys. Anyone can sign for such a member.

#[cfg(any(test, feature = "bls"))]
use std::{
    collections::BTreeMap,
    iter::successors,
    sync::{Mutex, PoisonError},
};
use std::{collections::HashMap, sync::LazyLock};

#[cfg(any(test, feature = "bls"))]
use ff::Field;
use halo2curves::bn256::Fr;
#[cfg(any(test, feature = "bls"))]
use num_bigint::BigUint;

#[cfg(any(test, feature = "bls"))]
use super::key::{Member, NoSum};
use super::key::{MemberKey, PublishedSecret, MAX_PUBLISHED_SECRET};
#[cfg(any(test, feature = "bls"))]
use crate::signature::{bls, KeyFormat};
use crate::{
    curve::{
        edwards::{Point as EdwardsPoint, SubgroupPoint},
        weierstrass::{Address, Curve, Point},
    },
    signature::ed25519::{published_seeds, EncodedPoint, PublicKey, SecretKey},
};

/// Keys with their secrets.
type Table<K, S = i16> = HashMap<K, S>;

/// In the subgroup and not the identity, so that the first coordinate names the key.
impl MemberKey for SubgroupPoint {
    fn name(&self) -> Fr {
        self.x()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        static TABLE: LazyLock<Table<SubgroupPoint>> = LazyLock::new(|| {
            let generator = EdwardsPoint::from(SubgroupPoint::generator());
            let next = |sum: &mut EdwardsPoint, secret: i16| {
                *sum = *sum + generator;
                Some([(*sum, secret), (-*sum, -secret)])
            };
            let multiples = (1..=MAX_PUBLISHED_SECRET).scan(EdwardsPoint::identity(), next);
            let key = |(point, secret): (EdwardsPoint, i16)| {
                let point = SubgroupPoint::from_subgroup(&point);
                (point.expect("below the order of the group"), secret)
            };
            multiples.flatten().map(key).collect()
        });
        TABLE.get(self).copied().map(PublishedSecret::Number)
    }
}

/// A hash of both coordinates names the key.
impl MemberKey for Point {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        static SECP256K1: LazyLock<Table<Point>> =
            LazyLock::new(|| multiples(Curve::Secp256k1).collect());
        static P256: LazyLock<Table<Point>> = LazyLock::new(|| multiples(Curve::P256).collect());
        let table = match self.curve() {
            Curve::Secp256k1 => &SECP256K1,
            Curve::P256 => &P256,
            // No `Point` is on a curve with a cofactor.
            Curve::Edwards25519 => return None,
        };
        table.get(self).copied().map(PublishedSecret::Number)
    }
}

/// The address of a key is its own name: an integer below 2^160.
impl MemberKey for Address {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        static TABLE: LazyLock<Table<Address>> = LazyLock::new(|| {
            multiples(Curve::Secp256k1).map(|(key, secret)| (key.address(), secret)).collect()
        });
        TABLE.get(self).copied().map(PublishedSecret::Number)
    }
}

/// A hash of the encoding names the key.
impl MemberKey for PublicKey {
    fn name(&self) -> Fr {
        self.name()
    }

    /// Under the rules with the cofactor, whoever signs with A also signs with A + T, for each T of small order; so
    /// keys are compared times 8.
    fn published_secret(&self) -> Option<PublishedSecret> {
        // By y, which opposite points share, with the sign of x.
        static TABLE: LazyLock<Table<[u8; 32], (bool, PublishedSecret)>> = LazyLock::new(|| {
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
        });
        let (y, sign) = self.encoded().times_eight();
        let (own_sign, secret) = *TABLE.get(&y)?;
        Some(match secret {
            PublishedSecret::Number(number) if sign != own_sign => PublishedSecret::Number(-number),
            secret => secret,
        })
    }
}

/// Leaves hold the whole key, and a hash of the coordinates names it. A proof of possession makes no difference.
#[cfg(any(test, feature = "bls"))]
impl<S: bls::member::Possession> MemberKey for bls::member::OwnedKey<S> {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        // One table per scheme: by x, which opposite points share.
        type Multiples = Table<Vec<BigUint>, (Vec<BigUint>, i16)>;
        static TABLES: Mutex<BTreeMap<&str, Multiples>> = Mutex::new(BTreeMap::new());
        let coordinates = |key: &bls::PublicKey<S>| {
            let point = S::key_coordinates(key.point());
            let numbers = S::key_numbers(&point);
            let (x, y) = numbers.split_at(numbers.len() / 2);
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
        let (x, y) = coordinates(self.key());
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        let (own_y, number) = tables.entry(S::SCHEME).or_insert_with(make).get(&x)?;
        Some(PublishedSecret::Number(if *own_y == y { *number } else { -number }))
    }

    fn whole(&self) -> Option<(KeyFormat, Vec<Fr>)> {
        Some((S::LEAF, self.parts()))
    }

    /// `None` if the set holds keys of another type.
    fn name_of_sum(&self, set: &[Member]) -> Option<Result<Fr, NoSum>> {
        let keys = set.iter().map(|member| member.public_key.of::<Self>());
        let keys: Vec<_> = keys.collect::<Option<_>>()?;
        Some(Self::name_of_sum(keys).ok_or(NoSum))
    }
}

/// The first multiples of the generator and their opposites, with their secrets.
fn multiples(curve: Curve) -> impl Iterator<Item = (Point, i16)> {
    let (parameters, generator) = (curve.parameters(), curve.parameters().generator());
    let multiples = (1..=MAX_PUBLISHED_SECRET).scan(None, move |sum, secret| {
        *sum = parameters.add(sum, &generator);
        let point = Point::from_affine(curve, sum).expect("below the order of the group");
        Some([(point, secret), (-point, -secret)])
    });
    multiples.flatten()
}
