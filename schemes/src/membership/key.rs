//! Keys of every scheme, as members of a set.

use std::{
    any::Any,
    fmt::Debug,
    hash::{Hash, Hasher},
    sync::Arc,
};

use halo2curves::bn256::Fr;

use super::{
    published::{self, PublishedSecret},
    LeafFormat,
};
#[cfg(any(test, feature = "bls"))]
use crate::signature::bls;
use crate::{
    curve::{
        edwards::SubgroupPoint,
        weierstrass::{Address, Point},
    },
    signature::{bip340, ed25519, KeyFormat},
};

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

    fn is_of_type_of(&self, other: &Self) -> bool {
        let [this, other]: [&dyn Any; 2] = [&*self.key, &*other.key];
        this.type_id() == other.type_id()
    }
}

/// Keys are equal if they have the same type and name.
impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.is_of_type_of(other)
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

/// In the subgroup and not the identity, so that the first coordinate names the key.
impl MemberKey for SubgroupPoint {
    fn name(&self) -> Fr {
        self.x()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        published::baby_jubjub(self).map(PublishedSecret::Number)
    }
}

/// A hash of both coordinates names the key.
impl MemberKey for Point {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        published::weierstrass(self).map(PublishedSecret::Number)
    }
}

/// The address of a key is its own name: an integer below 2^160.
impl MemberKey for Address {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        published::address(self).map(PublishedSecret::Number)
    }
}

/// A hash of the encoding names the key.
impl MemberKey for ed25519::PublicKey {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        published::ed25519(self)
    }
}

/// Leaves hold the whole key, and a hash of the coordinates names it. A proof of possession makes no difference.
#[cfg(any(test, feature = "bls"))]
impl<S: bls::member::Possession> MemberKey for bls::member::OwnedKey<S> {
    fn name(&self) -> Fr {
        self.name()
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        published::bls(self.key()).map(PublishedSecret::Number)
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
