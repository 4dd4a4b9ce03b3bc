//! Sets of members, and the trees that commit to them.

use std::{collections::HashMap, hash::Hash};

use halo2curves::bn256::Fr;
use rayon::prelude::*;
use thiserror::Error;

use super::{
    Leaf, LeafFormat, Member, MemberPath, MerkleTree, NoSum, PublishedSecret, TreeError,
    MAX_PUBLISHED_SECRET, TOTAL_WEIGHT_BITS, WEIGHT_BITS,
};
use crate::hash::poseidon;

/// Why members do not form a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeySetError {
    /// There is no member.
    #[error("a key set needs at least one member")]
    Empty,
    /// A key occurs in the set twice.
    #[error("members {first} and {second} have the same key")]
    DuplicateKey {
        /// Where the key occurs first.
        first: usize,
        /// Where it occurs again.
        second: usize,
    },
    /// A weight is zero or too great.
    #[error("member {member}: weight {weight} is not between 1 and 2^{WEIGHT_BITS} - 1")]
    Weight {
        /// Position of the member.
        member: usize,
        /// Its weight.
        weight: u64,
    },
    /// The sum of the weights is too great.
    #[error("the weights of members 0 to {member} add up to 2^{TOTAL_WEIGHT_BITS} or more")]
    TotalWeight {
        /// Position of the member at which the sum becomes too great.
        member: usize,
    },
    /// A key with which anyone can sign.
    #[error("member {member}: its secret key is {secret}: anyone can sign with it")]
    PublishedKey {
        /// Position of the member.
        member: usize,
        /// The secret.
        secret: PublishedSecret,
    },
    /// Several seats for keys that do not add up.
    #[error("a key may have several seats only where keys add up")]
    Seats,
    /// Keys that cancel.
    #[error("all keys together add up to the identity, which is not a key")]
    Identity,
}

/// How many members of a set may have the same key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seats {
    /// One.
    #[default]
    One,
    /// Several, where keys add up: each seat is a member, with a weight of its own, and signs for
    /// itself.
    Several,
}

/// Whether a set may have keys whose secrets everybody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublishedKeys {
    /// No: anyone can sign for such a member.
    #[default]
    Refused,
    /// Yes: the set is for tests, and for published vectors.
    Accepted,
}

/// Which keys a set takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    /// How many members may have the same key.
    pub seats: Seats,
    /// Whether anyone may know its secret.
    pub published: PublishedKeys,
}

impl From<Seats> for Admission {
    fn from(seats: Seats) -> Self {
        Self { seats, published: PublishedKeys::Refused }
    }
}

/// Members whose keys somebody holds, with valid weights, in order. Their keys are distinct unless the set was made with
/// [`Seats::Several`], and their secrets are nowhere published unless it was made with [`PublishedKeys::Accepted`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySet {
    members: Vec<Member>,
    /// The members whose secrets are published.
    insecure: Vec<usize>,
    /// How leaves hold the members.
    format: LeafFormat,
    /// The name of the sum of all keys, if they add up.
    sum: Option<Fr>,
}

impl KeySet {
    /// Checks the members. Their keys must be distinct.
    ///
    /// # Errors
    ///
    /// Any [`KeySetError`] but [`KeySetError::Seats`].
    pub fn new(members: Vec<Member>) -> Result<Self, KeySetError> {
        Self::with_seats(members, Seats::One)
    }

    /// Checks the members; `seats` says how many may share a key.
    ///
    /// # Errors
    ///
    /// Any [`KeySetError`].
    pub fn with_seats(members: Vec<Member>, seats: Seats) -> Result<Self, KeySetError> {
        Self::admitting(members, seats.into())
    }

    /// Checks the members; `admission` says which keys they may have.
    ///
    /// # Errors
    ///
    /// Any [`KeySetError`].
    pub fn admitting(members: Vec<Member>, admission: Admission) -> Result<Self, KeySetError> {
        let Admission { seats, published } = admission;
        check_weights(members.iter().map(|member| member.weight))?;
        if seats == Seats::One {
            // By name: an empty place may have that of a key with a published secret.
            check_distinct(members.iter().map(|member| member.public_key.name()))?;
        }
        let secrets = members
            .par_iter()
            .enumerate()
            .filter_map(|(i, member)| Some((i, member.public_key.published_secret()?)));
        let secrets: Vec<_> = secrets.collect();
        let refused = secrets.first().filter(|_| published == PublishedKeys::Refused);
        if let Some(&(member, secret)) = refused {
            return Err(KeySetError::PublishedKey { member, secret });
        }
        let insecure = secrets.into_iter().map(|(member, _)| member).collect();
        let sum = members[0].public_key.name_of_sum(&members);
        if seats == Seats::Several && sum.is_none() {
            return Err(KeySetError::Seats);
        }
        let sum = sum.transpose().map_err(|NoSum| KeySetError::Identity)?;
        Ok(Self { format: leaf_format(&members), members, insecure, sum })
    }

    /// The checks in words.
    pub fn rules() -> String {
        format!(
            "there is at least one member; each key occurs once or, where keys add up and may have several seats, \
             more often; each weight is from 1 to 2^{WEIGHT_BITS} - 1, and all weights together are below 2^{TOTAL_WEIGHT_BITS}; no secret \
             key is between -{MAX_PUBLISHED_SECRET} and {MAX_PUBLISHED_SECRET}, modulo the order of the group, \
             and over Edwards25519 none is made from a seed of RFC 8032's tests, from 32 equal bytes or from \
             a number up to 255, since anyone can sign with those"
        )
    }

    /// The members, by index.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The members for whom anyone can sign: none unless the set was made with [`PublishedKeys::Accepted`].
    pub fn insecure(&self) -> &[usize] {
        &self.insecure
    }

    /// How leaves hold the members: in the format of all keys or, in a set of mixed kinds, which no scheme takes, by
    /// name.
    pub fn leaf_format(&self) -> LeafFormat {
        self.format
    }

    /// The leaves, in order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let format = self.format;
        self.members.par_chunks(format.members()).map(|members| leaf(format, members)).collect()
    }

    /// The path of member `index` to the root of the Merkle tree of `tree`, which must be this set's.
    ///
    /// # Errors
    ///
    /// [`TreeError::Index`] if there is no such member.
    pub fn path(&self, tree: &KeySetTree, index: usize) -> Result<MemberPath, TreeError> {
        if index >= self.members.len() {
            return Err(TreeError::Index(index));
        }
        let format = self.format;
        let each = format.members();
        let (place, position) = (index / each, index % each);
        let first = place * each;
        let members = &self.members[first..self.members.len().min(first + each)];
        Ok(MemberPath { leaf: leaf(format, members), position, path: tree.tree.path(place)? })
    }

    /// The tree over the leaves; its root commits to the set.
    ///
    /// # Errors
    ///
    /// Any [`TreeError`] of [`MerkleTree::new`].
    pub fn tree(&self, arity: usize, depth: usize) -> Result<KeySetTree, TreeError> {
        let leaves: Vec<_> = self.leaves().par_iter().map(Leaf::hash).collect();
        let tree = MerkleTree::new(&leaves, arity, depth, self.format)?;
        let (weight, members) = (self.total_weight(), self.members.len() as u64);
        let whole = self.sum.map(|key| Whole { tree: tree.root(), key, weight, members });
        Ok(KeySetTree { tree, whole })
    }

    /// The sum of all weights, below 2^60.
    pub fn total_weight(&self) -> u64 {
        self.members.iter().map(|member| member.weight).sum()
    }
}

/// Checks the weights of all members of a set, without a look at their keys.
///
/// # Errors
///
/// [`KeySetError::Empty`], [`KeySetError::Weight`] or [`KeySetError::TotalWeight`].
pub fn check_weights(weights: impl IntoIterator<Item = u64>) -> Result<(), KeySetError> {
    let mut total = 0;
    for (member, weight) in weights.into_iter().enumerate() {
        if weight == 0 || weight >> WEIGHT_BITS != 0 {
            return Err(KeySetError::Weight { member, weight });
        }
        // Both are far below 2^63.
        total += weight;
        if total >> TOTAL_WEIGHT_BITS != 0 {
            return Err(KeySetError::TotalWeight { member });
        }
    }
    (total > 0).then_some(()).ok_or(KeySetError::Empty)
}

/// Checks that no two members have the same key, or the same stand-in for one.
///
/// # Errors
///
/// [`KeySetError::DuplicateKey`].
pub fn check_distinct<K: Eq + Hash>(keys: impl IntoIterator<Item = K>) -> Result<(), KeySetError> {
    let mut seen = HashMap::new();
    for (second, key) in keys.into_iter().enumerate() {
        if let Some(first) = seen.insert(key, second) {
            return Err(KeySetError::DuplicateKey { first, second });
        }
    }
    Ok(())
}

/// The leaf that holds `members`, no more than it has room for, in the set's format.
///
/// # Panics
/// For a key that `format` does not fit.
fn leaf(format: LeafFormat, members: &[Member]) -> Leaf {
    let mut leaf = format.empty();
    for (i, member) in members.iter().enumerate() {
        let key = member.public_key.in_leaf(format);
        leaf.keys[i] = key.expect("all keys of a set are had in its format");
        leaf.weights[i] = member.weight;
    }
    leaf
}

fn leaf_format(members: &[Member]) -> LeafFormat {
    let mut formats = members.iter().map(|member| member.public_key.leaf_format());
    let first = formats.next().unwrap_or(LeafFormat::Names);
    if formats.all(|format| format == first) {
        first
    } else {
        LeafFormat::Names
    }
}

/// The Merkle tree of a set and, where keys add up, what else its root commits to.
#[derive(Clone, Debug)]
pub struct KeySetTree {
    tree: MerkleTree,
    whole: Option<Whole>,
}

impl KeySetTree {
    /// What commits to the set: the root of the tree or, where keys add up, the hash of [`Self::whole`].
    pub fn root(&self) -> Fr {
        self.whole.as_ref().map_or_else(|| self.tree.root(), Whole::root)
    }

    /// What the root commits to, if keys add up.
    pub fn whole(&self) -> Option<&Whole> {
        self.whole.as_ref()
    }

    /// Children of a node.
    pub fn arity(&self) -> usize {
        self.tree.arity()
    }

    /// Levels between the leaves and the root of the Merkle tree.
    pub fn depth(&self) -> usize {
        self.tree.depth()
    }
}

/// Label of the tag in the capacity lane of the root of a set whose keys add up.
pub const SET_DOMAIN: &str = "muster.set.v1";

/// A set as a whole: its members, and their sums. Evidence of nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// The root of the Merkle tree.
    pub tree: Fr,
    /// The name of the sum of all keys.
    pub key: Fr,
    /// The sum of all weights.
    pub weight: u64,
    /// How many members there are, in the first places of the tree.
    pub members: u64,
}

impl Whole {
    /// Poseidon(tree, key, weight, members, 0) with the tag [`SET_DOMAIN`] in the capacity lane, so that it is neither
    /// a leaf nor a node of a tree.
    pub fn root(&self) -> Fr {
        let [weight, members] = [self.weight, self.members].map(Fr::from);
        let inputs = [self.tree, self.key, weight, members, Fr::zero()];
        poseidon::hash_with_domain(poseidon::domain(SET_DOMAIN), &inputs)
    }
}
