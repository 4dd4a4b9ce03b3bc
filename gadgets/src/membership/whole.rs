//! What the root commits to of a set whose keys add up.

use halo2curves::bn256::Fr;

#[cfg(feature = "circuit")]
use halo2_base::{
    AssignedValue, Context,
    QuantumCell::{Constant, Witness},
};

#[cfg(feature = "circuit")]
use crate::gate::{vertical, Chips};
use crate::hash::poseidon;

/// Label of the tag in the capacity lane of the root of a set whose keys add up.
pub const SET_DOMAIN: &str = "muster.set.v1";

/// A set as a whole: its members, and what they come to. Evidence of nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// The root of the Merkle tree.
    pub tree: Fr,
    /// The name of the sum of all keys.
    pub key: Fr,
    /// The sum of all weights.
    pub weight: u64,
}

impl Whole {
    /// Poseidon(tree, key, weight, 0, 0) with the tag [`SET_DOMAIN`] in the capacity lane: no leaf and no node of a tree.
    pub fn root(&self) -> Fr {
        let inputs = [self.tree, self.key, Fr::from(self.weight), Fr::zero(), Fr::zero()];
        poseidon::hash_with_domain(poseidon::domain(SET_DOMAIN), &inputs)
    }
}

/// The parts of a root in circuit.
#[cfg(feature = "circuit")]
#[derive(Clone, Copy, Debug)]
pub struct AssignedWhole {
    /// The root of the Merkle tree.
    pub tree: AssignedValue<Fr>,
    /// The name of the sum of all keys.
    pub key: AssignedValue<Fr>,
    /// The sum of all weights.
    pub weight: AssignedValue<Fr>,
}

#[cfg(feature = "circuit")]
impl AssignedWhole {
    /// Opens `root`: the twin of [`Whole::root`].
    pub fn open(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        root: AssignedValue<Fr>,
        whole: &Whole,
    ) -> Self {
        let witnesses = [whole.tree, whole.key, Fr::from(whole.weight)].map(Witness);
        let inputs = [&witnesses[..], &[Constant(Fr::zero()); 2]].concat();
        let hashed = poseidon::chip::hash(chips, poseidon::domain(SET_DOMAIN), &inputs);
        vertical::assert_equal(ctx, &hashed.digest, &root);
        let [tree, key, weight] = [0, 1, 2].map(|i| hashed.inputs[i]);
        Self { tree, key, weight }
    }
}
