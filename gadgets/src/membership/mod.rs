//! The commitment to a set of keys and its opening.

pub mod native;

#[cfg(test)]
mod tests;

pub use native::{
    leaf, min_depth, zero_hashes, KeySet, KeySetError, Member, MerklePath, MerkleTree, TreeError,
    ARITIES, LEAF_DOMAIN, MAX_DEPTH, WEIGHT_BITS,
};
