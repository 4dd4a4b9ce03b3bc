//! The commitment to a set of keys and its opening.

#[cfg(feature = "circuit")]
pub(crate) mod chip;
mod fraction;
mod key;
pub mod native;
mod published;
mod quorum;
mod shift;
#[cfg(feature = "circuit")]
pub mod signers;

#[cfg(test)]
mod tests;

pub use fraction::Fraction;
pub use key::{MemberKey, PublicKey};
pub use native::{
    min_depth, zero_hashes, KeySet, KeySetError, Leaf, Member, MemberPath, MerklePath, MerkleTree,
    TreeError, ARITIES, LEAF_DOMAIN, LEAF_MEMBERS, MAX_DEPTH, TOTAL_WEIGHT_BITS, WEIGHT_BITS,
    WEIGHT_STRIDE,
};
pub use published::{PublishedSecret, MAX_PUBLISHED_SECRET};
pub use quorum::{Quorum, QuorumError};
pub use shift::WeightShift;
