//! Places for whom nobody can sign: a chain counts their weight, and no set holds their keys.

use std::fmt;

use halo2curves::bn256::Fr;
use thiserror::Error;

use super::{MemberKey, PublishedSecret};
use crate::signature::{
    cometbft::KeyType,
    ed25519::{self, PointError},
    SignatureError,
};

/// Bytes of a key of secp256k1.
const SECP256K1: usize = 33;

/// The place of a validator of CometBFT whose key no set of Ed25519 holds. Its weight counts in the total. Its name is a hash of
/// the bytes that the chain has for a key, and nobody can sign under it: there is [a reason](NoKey).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyPlace {
    key_type: KeyType,
    key: Vec<u8>,
    reason: NoKey,
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
}

impl EmptyPlace {
    /// The place of these bytes, which the chain has for a key of this type.
    ///
    /// # Errors
    ///
    /// [`NotEmpty`].
    pub fn new(key_type: KeyType, key: &[u8]) -> Result<Self, NotEmpty> {
        let length = |expected| NotEmpty::Length { key_type, expected, found: key.len() };
        let reason = match key_type {
            KeyType::Ed25519 => match ed25519::PublicKey::from_bytes(key) {
                Ok(key) => NoKey::Published(key.published_secret().ok_or(NotEmpty::Held)?),
                Err(SignatureError::Ed25519Key(rule)) => NoKey::Point(rule),
                Err(_) => return Err(length(ed25519::WIDTH)),
            },
            KeyType::Secp256k1 if key.len() == SECP256K1 => NoKey::OtherType(key_type),
            KeyType::Secp256k1 => return Err(length(SECP256K1)),
            KeyType::Bls12381 => return Err(NotEmpty::Type(key_type)),
        };
        Ok(Self { key_type, key: key.to_vec(), reason })
    }

    /// The type that the chain has.
    pub fn key_type(&self) -> KeyType {
        self.key_type
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

/// The hash that names a key of Ed25519, over more: the byte behind the 32 that such a key has, whether these encode a
/// point of small order, and whether the type is secp256k1. Keys have zeros there.
impl MemberKey for EmptyPlace {
    fn name(&self) -> Fr {
        let (bytes, last) = self.key.split_at(ed25519::WIDTH);
        let bytes = bytes.try_into().expect("types with places have 32 bytes or more");
        let last = last.first().copied().unwrap_or(0);
        let is_small = ed25519::is_small_order(bytes);
        let is_other = self.key_type == KeyType::Secp256k1;
        let more = [u64::from(last), u64::from(is_small), u64::from(is_other)];
        ed25519::name_of(bytes, more.map(Fr::from))
    }

    /// None: whoever knows one can do nothing with it.
    fn published_secret(&self) -> Option<PublishedSecret> {
        None
    }
}

impl fmt::Display for NoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(rule) => rule.fmt(f),
            Self::Published(secret) => {
                write!(f, "its secret key is {secret}: anyone can sign with it")
            }
            Self::OtherType(key_type) => write!(f, "it is a key of {}", key_type.field()),
        }
    }
}
