//! Keys of every scheme, as members of a set.

use halo2curves::bn256::Fr;

use crate::{
    curve::{
        edwards::SubgroupPoint,
        weierstrass::{Address, Point},
    },
    signature::bip340,
};

/// A key that a set can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublicKey {
    /// A point of Baby Jubjub: in the subgroup and not the identity, so that its first coordinate
    /// names it.
    BabyJubjub(SubgroupPoint),
    /// A point of a Weierstrass curve. A hash of both coordinates names it.
    Weierstrass(Point),
    /// The address of a key, which is its own name: an integer below 2^160.
    Address(Address),
}

impl PublicKey {
    /// What names the key in a leaf: never zero, and different for every key of its kind.
    pub fn name(&self) -> Fr {
        match self {
            Self::BabyJubjub(point) => point.x(),
            Self::Weierstrass(point) => point.name(),
            Self::Address(address) => address.name(),
        }
    }

    /// The point of Baby Jubjub, if the key is one.
    pub fn baby_jubjub(&self) -> Option<&SubgroupPoint> {
        match self {
            Self::BabyJubjub(point) => Some(point),
            _ => None,
        }
    }
}

impl From<SubgroupPoint> for PublicKey {
    fn from(point: SubgroupPoint) -> Self {
        Self::BabyJubjub(point)
    }
}

impl From<Point> for PublicKey {
    fn from(point: Point) -> Self {
        Self::Weierstrass(point)
    }
}

impl From<bip340::PublicKey> for PublicKey {
    fn from(key: bip340::PublicKey) -> Self {
        Self::Weierstrass(key.point())
    }
}

impl From<Address> for PublicKey {
    fn from(address: Address) -> Self {
        Self::Address(address)
    }
}
