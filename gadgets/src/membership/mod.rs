//! The commitment to a set of keys and its opening.

#[cfg(feature = "circuit")]
pub mod chip;
pub mod native;

#[cfg(all(test, feature = "circuit"))]
mod chip_tests;
#[cfg(test)]
mod tests;

pub use native::{
    leaf, min_depth, zero_hashes, KeySet, KeySetError, Member, MerklePath, MerkleTree, TreeError,
    ARITIES, LEAF_DOMAIN, MAX_DEPTH, WEIGHT_BITS,
};
