//! Keys as members of a set, whatever their schemes.

use std::{
    any::Any,
    fmt::{self, Debug},
    hash::{Hash, Hasher},
    sync::Arc,
};

use halo2curves::bn256::Fr;

use super::LeafFormat;
use crate::signature::{bip340, KeyFormat};

/// A key that a set can hold, in a scheme's own type. A value obeys every rule for keys of its
/// type.
pub trait MemberKey: Any + Debug + Send + Sync {
    /// What names the key in a leaf: never zero, and unique among the keys of its type.
    fn name(&self) -> Fr;

    /// The secret of the key, if everybody knows it.
    fn published_secret(&self) -> Option<PublishedSecret>;

    /// The elements by which a leaf holds the whole key: each below `2^192`, as many as the format says, and a unique
    /// sequence among the keys of its type. `None` if leaves hold its name.
    fn whole(&self) -> Option<(KeyFormat, Vec<Fr>)> {
        None
    }

    /// The name of the sum of all keys of a set; `None` for keys that are not added up.
    ///
    /// # Errors
    ///
    /// [`NoSum`] if they cancel.
    fn name_of_sum(&self, _: &[Member]) -> Option<Result<Fr, NoSum>> {
        None
    }
}

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

/// A key and its weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The key.
    pub public_key: PublicKey,
    /// What a signature by this key counts for, from 1 to 2^60 - 1.
    pub weight: u64,
}

/// The keys add up to the identity, which is not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSum;

/// A key of some scheme.
#[derive(Clone, Debug)]
pub struct PublicKey {
    key: Arc<dyn MemberKey>,
    name: Fr,
}

impl PublicKey {
    /// What names the key in a leaf: never zero, and unique among the keys of its type.
    pub fn name(&self) -> Fr {
        self.name
    }

    /// The key, if it is of this type.
    pub fn of<K: MemberKey>(&self) -> Option<&K> {
        let key: &dyn Any = &*self.key;
        key.downcast_ref()
    }

    /// The secret of the key, if everybody knows it.
    pub fn published_secret(&self) -> Option<PublishedSecret> {
        self.key.published_secret()
    }

    /// How leaves hold the key.
    pub fn leaf_format(&self) -> LeafFormat {
        self.key.whole().map_or(LeafFormat::Names, |(format, _)| LeafFormat::Keys(format))
    }

    /// What a leaf of this format holds of the key; `None` if leaves hold it in another.
    pub(super) fn in_leaf(&self, format: LeafFormat) -> Option<Vec<Fr>> {
        match format {
            LeafFormat::Names => Some(vec![self.name]),
            LeafFormat::Keys(expected) => {
                let (format, parts) = self.key.whole()?;
                (format == expected && parts.len() == format.elements()).then_some(parts)
            }
        }
    }

    /// The name of the sum of all keys of a set that holds this key; `None` for keys that are not added up.
    pub(super) fn name_of_sum(&self, set: &[Member]) -> Option<Result<Fr, NoSum>> {
        self.key.name_of_sum(set)
    }
}

/// Keys are equal if they have the same type and name.
impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        let [of_this, of_other]: [&dyn Any; 2] = [&*self.key, &*other.key];
        self.name == other.name && of_this.type_id() == of_other.type_id()
    }
}

impl Eq for PublicKey {}

impl Hash for PublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl<K: MemberKey> From<K> for PublicKey {
    fn from(key: K) -> Self {
        Self { name: key.name(), key: Arc::new(key) }
    }
}

impl From<bip340::PublicKey> for PublicKey {
    fn from(key: bip340::PublicKey) -> Self {
        key.point().into()
    }
}
