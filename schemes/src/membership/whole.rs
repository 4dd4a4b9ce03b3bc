//! What the root commits to, for a set whose keys add up.

use halo2curves::bn256::Fr;

use crate::hash::poseidon;

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
