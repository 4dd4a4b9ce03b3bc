//! The commitment to a set of keys and its opening.
//!
//! ```
//! use muster_schemes::{
//!     membership::{KeySet, Member, Quorum},
//!     signature::{schnorr::Schnorr, SignatureScheme},
//! };
//!
//! let member = |seed: u8, weight| {
//!     let secret = Schnorr::secret_key_from_seed(&[seed; 32]).unwrap();
//!     Member { public_key: Schnorr::public_key(&secret).into(), weight }
//! };
//! let set = KeySet::new(vec![member(1, 5), member(2, 3), member(3, 1)]).unwrap();
//!
//! // A binary tree of depth 1: its root commits to the set, and a path leads there from a member.
//! let tree = set.tree(2, 1).unwrap();
//! let path = set.path(&tree, 1).unwrap();
//! assert_eq!(path.root(), tree.root());
//! assert_eq!(path.leaf.weights[path.position], 3);
//!
//! // More than two thirds of the weight of all, which is 9.
//! let quorum: Quorum = ">2/3".parse().unwrap();
//! assert_eq!(quorum.threshold(set.total_weight().into()), Ok(7));
//! ```

pub mod commitment;
mod empty;
mod key;
mod leaf;
pub mod mask;
mod published;
mod quorum;
mod set;
pub mod tree;

#[cfg(test)]
mod tests;

pub use empty::{EmptyKind, EmptyPlace, FirstBlock, NoKey, NotEmpty};
pub use key::{Member, MemberKey, NoSum, PublicKey, PublishedSecret, MAX_PUBLISHED_SECRET};
pub use leaf::{Leaf, LeafFormat, LEAF_DOMAIN, LEAF_MEMBERS, WEIGHT_STRIDE};
pub use mask::{MaskError, SignerMask, MAX_MASKED};
pub use quorum::{Fraction, Quorum, QuorumError, WeightShift};
pub use set::{
    check_distinct, check_weights, Admission, KeySet, KeySetError, KeySetTree, PublishedKeys,
    Seats, Whole, SET_DOMAIN,
};
pub use tree::{
    min_depth, zero_hashes, MemberPath, MerklePath, MerkleTree, TreeError, ARITIES, MAX_DEPTH,
    TOTAL_WEIGHT_BITS, WEIGHT_BITS,
};

pub use crate::signature::{KeyFormat, KEY_WORD_BITS};
