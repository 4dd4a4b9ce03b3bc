//! The commitment to a set of keys and its opening.

mod fraction;
mod key;
mod leaf;
pub mod mask;
pub mod native;
mod published;
mod quorum;
mod set;
mod shift;
mod whole;

#[cfg(test)]
mod tests;

pub use fraction::Fraction;
pub use key::{Member, MemberKey, NoSum, PublicKey};
pub use leaf::{Leaf, LeafFormat, LEAF_DOMAIN, LEAF_MEMBERS, WEIGHT_STRIDE};
pub use mask::{MaskError, SignerMask, MAX_MASKED};
pub use native::{
    min_depth, zero_hashes, MemberPath, MerklePath, MerkleTree, TreeError, ARITIES, MAX_DEPTH,
    TOTAL_WEIGHT_BITS, WEIGHT_BITS,
};
pub use published::{PublishedSecret, MAX_PUBLISHED_SECRET};
pub use quorum::{Quorum, QuorumError};
pub use set::{check_distinct, check_weights, KeySet, KeySetError, KeySetTree, Seats};
pub use shift::WeightShift;
pub use whole::{Whole, SET_DOMAIN};

pub use crate::signature::{KeyFormat, KEY_WORD_BITS};
