//! Places for whom nobody can sign: a chain counts their weight, and no set holds their keys.

use ff::Field;
use halo2curves::bn256::Fr;
use thiserror::Error;

use super::{MemberKey, PublishedSecret};
use crate::{
    curve::weierstrass::Address,
    field::of_bytes,
    hash::sha256::native::{compress, BLOCK, INITIAL},
    signature::{
        cometbft::KeyType,
        ed25519::{self, PointError},
        KeyKind, SignatureError,
    },
};

/// Bytes of a key of secp256k1.
const SECP256K1: usize = 33;
/// Bytes of a key of BLS12-381, which is not compressed.
const BLS12381: usize = 96;

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

/// What SHA-256 makes of the first of two blocks of a leaf with a key of BLS12-381, and what is left of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstBlock {
    /// The hash value behind the block.
    pub state: [u32; 8],
    /// The bytes that the second block begins with.
    pub before: [u8; 5],
    /// The last bytes of the key, which follow them.
    pub last: [u8; ed25519::WIDTH],
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoKey {
    /// The bytes are no point, or one of small order. A circuit refuses the former of whoever signs; the latter have another name
    /// than a key of these bytes would have.
    #[error("{0}")]
    Point(PointError),
    /// Everybody knows the secret. The name is that of the key, since no circuit tells who knows what: that nobody signs under it
    /// is up to whoever makes proofs.
    #[error("its secret key is {0}: anyone can sign with it")]
    Published(PublishedSecret),
    /// The key is of another type, which is part of the name.
    #[error("it is a key of {}", .0.field())]
    OtherType(KeyType),
    /// The chain found no address for the key.
    #[error("its key is no point, so the chain has no address for it")]
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

    /// The first block of the leaf, if that is the one of a key of BLS12-381.
    pub fn first_block(&self) -> Option<FirstBlock> {
        let is_bls = self.kind == EmptyKind::Cometbft(KeyType::Bls12381);
        is_bls.then(|| FirstBlock::new(&self.key))
    }

    /// Why no set holds them.
    pub fn reason(&self) -> NoKey {
        self.reason
    }
}

/// Why no set holds the key of a validator of CometBFT.
fn no_key(key_type: KeyType, key: &[u8]) -> Result<NoKey, NotEmpty> {
    let length = |expected| NotEmpty::Length { key_type, expected, found: key.len() };
    let of_length = |expected| {
        let has_length = key.len() == expected;
        has_length.then_some(NoKey::OtherType(key_type)).ok_or(length(expected))
    };
    match key_type {
        KeyType::Ed25519 => match ed25519::PublicKey::from_bytes(key) {
            Ok(key) => key.published_secret().map(NoKey::Published).ok_or(NotEmpty::Held),
            Err(SignatureError::Ed25519Key(rule)) => Ok(NoKey::Point(rule)),
            Err(_) => Err(length(ed25519::WIDTH)),
        },
        KeyType::Secp256k1 => of_length(SECP256K1),
        KeyType::Bls12381 => of_length(BLS12381),
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

/// The hash that names a key of Ed25519, over more: what else the key has, whether its 32 bytes encode a point of small order, and
/// [the number](KeyType::number) of the type. Keys have zeros there. Of a key of secp256k1 the rest is the byte behind the 32. Of one
/// of BLS12-381 the 32 are the last ones, which points share that differ by an endomorphism of the curve, and the rest is
/// [what they go on from](FirstBlock::name).
fn name_of_key(key_type: KeyType, key: &[u8]) -> Fr {
    let (bytes, rest) = match key_type {
        KeyType::Ed25519 => (bytes_of(key), Fr::ZERO),
        KeyType::Secp256k1 => {
            let (bytes, last) = key.split_at(ed25519::WIDTH);
            (bytes_of(bytes), of_bytes(last))
        }
        KeyType::Bls12381 => {
            let first = FirstBlock::new(key);
            (first.last, first.name())
        }
    };
    let is_small = Fr::from(u64::from(ed25519::is_small_order(&bytes)));
    ed25519::name_of(&bytes, [rest, is_small, Fr::from(u64::from(key_type.number()))])
}

impl FirstBlock {
    /// How many words of the hash value are in a name: a field element has no room for more.
    pub const NAMED: usize = 6;
    /// What is hashed before the key: the prefix of a leaf (RFC 6962, section 2.1), then the tags and lengths of
    /// `SimpleValidator.pub_key` and of `PublicKey.bls12381`.
    const BEFORE: [u8; 5] = [0, 0x0a, 98, 0x1a, 96];

    /// The first block of the leaf with these 96 bytes.
    fn new(key: &[u8]) -> Self {
        let (key, last) = key.split_at(BLS12381 - ed25519::WIDTH);
        let absorbed = [&Self::BEFORE[..], key].concat();
        let (block, before) = absorbed.split_at(BLOCK);
        let state = compress(INITIAL, block.try_into().expect("a block"));
        Self { state, before: bytes_of(before), last: bytes_of(last) }
    }

    /// What is in the name beside the last bytes: the five before them, and above these words of the hash value.
    fn name(&self) -> Fr {
        let words = self.state[..Self::NAMED].iter().rev();
        let words: Vec<_> = words.flat_map(|word| word.to_be_bytes()).collect();
        of_bytes(&[&words[..], &self.before].concat())
    }
}

/// The bytes of a key, of which there are as many as its type has.
fn bytes_of<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the length is that of the type")
}

/// The number above all addresses, which are below `2^160`: `2^160 + number`, or `2^161 + number` where the chain hashes no bytes.
fn name_of_place(number: usize, hashes_nothing: bool) -> Fr {
    let bits = 8 * Address::LENGTH as u64 + u64::from(hashes_nothing);
    Fr::from(2).pow_vartime([bits]) + Fr::from(number as u64)
}
