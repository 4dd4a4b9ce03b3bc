//! Places for whom nobody can sign: a chain counts their weight, and no set holds their keys.

use std::fmt;

use ff::Field;
use halo2curves::bn256::Fr;
use thiserror::Error;

use super::{MemberKey, PublishedSecret};
use crate::{
    curve::weierstrass::Address,
    signature::{
        cometbft::KeyType,
        ed25519::{self, PointError},
        KeyKind, SignatureError,
    },
};

/// Bytes of a key of secp256k1.
const SECP256K1: usize = 33;

/// The place of a member whose key no set holds. Its weight counts in the total. Its name is one that no key has, and nobody can sign
/// under it: there is [a reason](NoKey).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyPlace {
    kind: EmptyKind,
    key: Vec<u8>,
    /// The number of the place in its set: 0 if it is no part of the name.
    number: usize,
    reason: NoKey,
}

/// Whose place is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyKind {
    /// A validator of CometBFT with a key of this type, among keys of Ed25519. The name is a hash of the bytes that the chain has for
    /// the key.
    Cometbft(KeyType),
    /// An authority of BEEFY, among addresses. The chain has the same bytes for all keys that are no points, so the number of the place
    /// in the set is [part of the name](EmptyPlace::at).
    Beefy,
}

/// Why no set holds a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoKey {
    /// The bytes are no point, or one of small order. A circuit refuses the former of whoever signs; the latter have another name
    /// than a key of these bytes would have.
    Point(PointError),
    /// Everybody knows the secret. The name is that of the key, since no circuit tells who knows what: that nobody signs under it
    /// is up to whoever makes proofs.
    Published(PublishedSecret),
    /// The key is of another type, which is part of the name.
    OtherType(KeyType),
    /// The chain found no address for the key.
    Address,
}

/// Why a place is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotEmpty {
    /// A set can hold the key.
    #[error("a set holds such a key, so the place is not empty")]
    Held,
    /// The chain has no such key.
    #[error("{found} bytes, but keys of {} have {expected}", .key_type.field())]
    Length {
        /// The type of the key.
        key_type: KeyType,
        /// How many bytes its keys have.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// There are no places for keys of this type.
    #[error("there are no empty places for keys of {}", .0.field())]
    Type(KeyType),
    /// The chain has other bytes for an authority without an address.
    #[error("an authority without an address is 20 zero bytes or none, not {0} bytes")]
    Authority(usize),
}

impl EmptyKind {
    /// The kind of this name.
    pub fn of_field(name: &str) -> Option<Self> {
        match name {
            "beefy" => Some(Self::Beefy),
            _ => KeyType::of_field(name).map(Self::Cometbft),
        }
    }

    /// The name that files use.
    pub fn field(self) -> &'static str {
        match self {
            Self::Cometbft(key_type) => key_type.field(),
            Self::Beefy => "beefy",
        }
    }

    /// How sets with such places name their members.
    pub fn keys(self) -> KeyKind {
        match self {
            Self::Cometbft(_) => KeyKind::Coordinates,
            Self::Beefy => KeyKind::Address,
        }
    }
}

impl EmptyPlace {
    /// The place of these bytes, which a chain has for a key; of an authority of BEEFY the first place of a set.
    ///
    /// # Errors
    ///
    /// [`NotEmpty`].
    pub fn new(kind: EmptyKind, key: &[u8]) -> Result<Self, NotEmpty> {
        let reason = match kind {
            EmptyKind::Cometbft(key_type) => no_key(key_type, key)?,
            EmptyKind::Beefy => no_address(key)?,
        };
        Ok(Self { kind, key: key.to_vec(), number: 0, reason })
    }

    /// The same in the place of this number in its set, counted from 0. It makes a difference to authorities of BEEFY alone.
    #[must_use]
    pub fn at(self, number: usize) -> Self {
        match self.kind {
            EmptyKind::Cometbft(_) => self,
            EmptyKind::Beefy => Self { number, ..self },
        }
    }

    /// The number of the place in its set, if it is a part of the name.
    pub fn number(&self) -> Option<usize> {
        (self.kind == EmptyKind::Beefy).then_some(self.number)
    }

    /// Whose place it is.
    pub fn kind(&self) -> EmptyKind {
        self.kind
    }

    /// The bytes that the chain has.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Why no set holds them.
    pub fn reason(&self) -> NoKey {
        self.reason
    }
}

/// Why no set holds the key of a validator of CometBFT.
fn no_key(key_type: KeyType, key: &[u8]) -> Result<NoKey, NotEmpty> {
    let length = |expected| NotEmpty::Length { key_type, expected, found: key.len() };
    match key_type {
        KeyType::Ed25519 => match ed25519::PublicKey::from_bytes(key) {
            Ok(key) => key.published_secret().map(NoKey::Published).ok_or(NotEmpty::Held),
            Err(SignatureError::Ed25519Key(rule)) => Ok(NoKey::Point(rule)),
            Err(_) => Err(length(ed25519::WIDTH)),
        },
        KeyType::Secp256k1 if key.len() == SECP256K1 => Ok(NoKey::OtherType(key_type)),
        KeyType::Secp256k1 => Err(length(SECP256K1)),
        KeyType::Bls12381 => Err(NotEmpty::Type(key_type)),
    }
}

/// Why no set holds the address of an authority: the runtimes of chains with BEEFY hash 20 zeros for a key that is no point, and older
/// ones no bytes (`BeefyEcdsaToEthereum` in `pallet_beefy_mmr`).
fn no_address(leaf: &[u8]) -> Result<NoKey, NotEmpty> {
    match leaf.len() {
        0 => Ok(NoKey::Address),
        Address::LENGTH if leaf.iter().all(|byte| *byte == 0) => Ok(NoKey::Address),
        Address::LENGTH => Err(NotEmpty::Held),
        other => Err(NotEmpty::Authority(other)),
    }
}

impl MemberKey for EmptyPlace {
    fn name(&self) -> Fr {
        match self.kind {
            EmptyKind::Cometbft(key_type) => name_of_key(key_type, &self.key),
            EmptyKind::Beefy => name_of_place(self.number, self.key.is_empty()),
        }
    }

    /// None: whoever knows one can do nothing with it.
    fn published_secret(&self) -> Option<PublishedSecret> {
        None
    }
}

/// The hash that names a key of Ed25519, over more: the byte behind the 32 that such a key has, whether these encode a
/// point of small order, and whether the type is secp256k1. Keys have zeros there.
fn name_of_key(key_type: KeyType, key: &[u8]) -> Fr {
    let (bytes, last) = key.split_at(ed25519::WIDTH);
    let bytes = bytes.try_into().expect("types with places have 32 bytes or more");
    let last = last.first().copied().unwrap_or(0);
    let is_small = ed25519::is_small_order(bytes);
    let is_other = key_type == KeyType::Secp256k1;
    let more = [u64::from(last), u64::from(is_small), u64::from(is_other)];
    ed25519::name_of(bytes, more.map(Fr::from))
}

/// The number above all addresses, which are below `2^160`: `2^160 + number`, or `2^161 + number` where the chain hashes no bytes.
fn name_of_place(number: usize, hashes_nothing: bool) -> Fr {
    let bits = 8 * Address::LENGTH as u64 + u64::from(hashes_nothing);
    Fr::from(2).pow_vartime([bits]) + Fr::from(number as u64)
}

impl fmt::Display for NoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(rule) => rule.fmt(f),
            Self::Published(secret) => {
                write!(f, "its secret key is {secret}: anyone can sign with it")
            }
            Self::OtherType(key_type) => write!(f, "it is a key of {}", key_type.field()),
            Self::Address => f.write_str("its key is no point, so the chain has no address for it"),
        }
    }
}
