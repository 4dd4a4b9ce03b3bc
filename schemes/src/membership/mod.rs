//! The commitment to a set of keys and its opening.

mod key;
mod leaf;
pub mod mask;
mod published;
mod quorum;
mod set;
pub mod tree;

#[cfg(test)]
mod tests;

pub use key::{Member, MemberKey, NoSum, PublicKey};
pub use leaf::{
    KeyFormat, Leaf, LeafFormat, KEY_WORD_BITS, LEAF_DOMAIN, LEAF_MEMBERS, WEIGHT_STRIDE,
};
pub use mask::{MaskError, SignerMask, MAX_MASKED};
pub use published::{PublishedSecret, MAX_PUBLISHED_SECRET};
pub use quorum::{Fraction, Quorum, QuorumError, WeightShift};
pub use set::{
    check_distinct, check_weights, KeySet, KeySetError, KeySetTree, Seats, Whole, SET_DOMAIN,
};
pub use tree::{
    min_depth, zero_hashes, MemberPath, MerklePath, MerkleTree, TreeError, ARITIES, MAX_DEPTH,
    TOTAL_WEIGHT_BITS, WEIGHT_BITS,
};
