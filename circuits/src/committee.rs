//! The committee whose signatures are proven.

use std::sync::{Arc, OnceLock};

use muster_schemes::membership::{Admission, KeySet, KeySetTree, Member, PublicKey, Seats};

use crate::{error::Error, scheme::Suite};

/// A set of weighted keys.
#[derive(Clone, Debug)]
pub struct Committee {
    set: Arc<KeySet>,
    /// The first tree that was asked for, by arity and depth; large sets take long to hash.
    tree: OnceLock<((usize, usize), Arc<KeySetTree>)>,
}

impl Committee {
    /// A committee of keys and weights, in the order of their indices.
    ///
    /// # Errors
    ///
    /// [`Error::KeySet`] if there are none, if a key occurs twice, if a weight is not between 1 and
    /// 2^60 - 1, or if all weights add up to more than that.
    pub fn new<K: Clone + Into<PublicKey>>(members: &[(K, u64)]) -> Result<Self, Error> {
        Self::with_seats(members, Seats::One)
    }

    /// A committee as [`Self::new`] makes it; `seats` says how many members may share a key.
    ///
    /// # Errors
    ///
    /// As [`Self::new`], and [`Error::KeySet`] for several seats where keys do not add up.
    pub fn with_seats<K: Clone + Into<PublicKey>>(
        members: &[(K, u64)],
        seats: Seats,
    ) -> Result<Self, Error> {
        Self::admitting(members, seats.into())
    }

    /// A committee as [`Self::new`] makes it; `admission` says which keys its members may have.
    ///
    /// # Errors
    ///
    /// As [`Self::with_seats`].
    pub fn admitting<K: Clone + Into<PublicKey>>(
        members: &[(K, u64)],
        admission: Admission,
    ) -> Result<Self, Error> {
        let entry =
            |(key, weight): &(K, u64)| Member { public_key: key.clone().into(), weight: *weight };
        let set = KeySet::admitting(members.iter().map(entry).collect(), admission)?;
        Ok(Self { set: Arc::new(set), tree: OnceLock::new() })
    }

    pub(crate) fn set(&self) -> &KeySet {
        &self.set
    }

    /// Keys and weights.
    pub fn members(&self) -> &[Member] {
        self.set.members()
    }

    /// The members for whom anyone can sign, since the secrets of their keys are published: none unless the committee was
    /// made to take them.
    pub fn insecure(&self) -> &[usize] {
        self.set.insecure()
    }

    /// Checks that a set of `suite` can hold every member.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKey`] for the first member whom it cannot hold.
    pub fn admitted(&self, suite: Suite) -> Result<(), Error> {
        for (number, member) in self.members().iter().enumerate() {
            suite.admits(&member.public_key).map_err(|rule| Error::WrongKey {
                member: number,
                suite: suite.into(),
                rule,
            })?;
        }
        Ok(())
    }

    /// The tree whose root commits to the committee.
    ///
    /// # Errors
    ///
    /// [`Error::Tree`] if the committee does not fit it.
    pub fn tree(&self, arity: usize, depth: usize) -> Result<Arc<KeySetTree>, Error> {
        if let Some((_, tree)) = self.tree.get().filter(|(shape, _)| *shape == (arity, depth)) {
            return Ok(tree.clone());
        }
        let tree = Arc::new(self.set.tree(arity, depth)?);
        self.tree.get_or_init(|| ((arity, depth), tree.clone()));
        Ok(tree)
    }
}
