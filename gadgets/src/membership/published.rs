//! Keys whose secret everybody knows: the generator, its first multiples, and their opposites.
//!
//! The generator fills the unused slots of a circuit, and tests and examples use the first
//! multiples as keys. Counting such a member as a signer means counting everybody.

use std::{collections::HashMap, sync::OnceLock};

use super::PublicKey;
use crate::curve::{
    edwards::{Point as EdwardsPoint, SubgroupPoint},
    weierstrass::{Curve, Point},
};

/// The greatest secret key, and the greatest opposite of one, that no member may have: whatever
/// fits in a byte.
pub const MAX_PUBLISHED_SECRET: i16 = 255;

/// The secret of a key, if it is between `-MAX_PUBLISHED_SECRET` and [`MAX_PUBLISHED_SECRET`]; a
/// number below zero stands for the opposite, modulo the order of the group.
pub fn published_secret(key: &PublicKey) -> Option<i16> {
    static BABY_JUBJUB: OnceLock<Table> = OnceLock::new();
    static SECP256K1: OnceLock<Table> = OnceLock::new();
    static P256: OnceLock<Table> = OnceLock::new();
    static ADDRESSES: OnceLock<Table> = OnceLock::new();
    let table = match key {
        PublicKey::BabyJubjub(_) => BABY_JUBJUB.get_or_init(baby_jubjub),
        PublicKey::Weierstrass(point) => match point.curve() {
            Curve::Secp256k1 => SECP256K1.get_or_init(|| weierstrass(Curve::Secp256k1).collect()),
            Curve::P256 => P256.get_or_init(|| weierstrass(Curve::P256).collect()),
        },
        PublicKey::Address(_) => ADDRESSES.get_or_init(|| {
            let keys = points(Curve::Secp256k1);
            keys.map(|(point, secret)| (point.address().into(), secret)).collect()
        }),
    };
    table.get(key).copied()
}

type Table = HashMap<PublicKey, i16>;

fn baby_jubjub() -> Table {
    let generator = EdwardsPoint::from(SubgroupPoint::generator());
    let multiples = (1..=MAX_PUBLISHED_SECRET).scan(EdwardsPoint::identity(), |sum, secret| {
        *sum = *sum + generator;
        Some([(*sum, secret), (-*sum, -secret)])
    });
    let key = |(point, secret): (EdwardsPoint, i16)| {
        let point = SubgroupPoint::from_subgroup(&point).expect("below the order of the group");
        (point.into(), secret)
    };
    multiples.flatten().map(key).collect()
}

fn weierstrass(curve: Curve) -> impl Iterator<Item = (PublicKey, i16)> {
    points(curve).map(|(point, secret)| (point.into(), secret))
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
