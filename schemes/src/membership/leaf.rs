//! What a leaf of a set holds: its members' names, or their whole keys.
//!
//! The first coordinate names a key over Baby Jubjub. `(x, y)` and `(x, -y)` are the only points of the curve with
//! this `x`, and they add up to `(0, -1)`, which has order 2: at most one of them lies in the subgroup of prime
//! order, where all keys lie.

use ff::Field;
use halo2curves::bn256::Fr;

use crate::{
    hash::poseidon,
    signature::{KeyFormat, KEY_WORD_BITS},
};

/// Label of the tag in the capacity lane of every leaf of names.
pub const LEAF_DOMAIN: &str = "muster.leaf.v1";
/// Members in a leaf of names.
pub const LEAF_MEMBERS: usize = 4;
/// Bits from one weight to the next in the element that packs those of a leaf of names.
pub const WEIGHT_STRIDE: u32 = 64;
/// How the leaves of a set hold its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeafFormat {
    /// Four names, each an element, and the weights packed into one more.
    Names,
    /// Whole keys: as many as fit sixteen elements, each with its weight in its last one.
    Keys(KeyFormat),
}

impl LeafFormat {
    /// Members in a leaf.
    pub fn members(self) -> usize {
        match self {
            Self::Names => LEAF_MEMBERS,
            Self::Keys(format) => format.members(),
        }
    }

    /// The leaf without members: nobody is named 0, and -1 is no part of a key, since parts are below `2^253`.
    pub fn empty(self) -> Leaf {
        let nobody = match self {
            Self::Names => vec![Fr::ZERO],
            Self::Keys(format) => vec![-Fr::ONE; format.elements()],
        };
        let (keys, weights) = (vec![nobody; self.members()], vec![0; self.members()]);
        Leaf { format: self, keys, weights }
    }
}

/// The members of consecutive places. Evidence of nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// How it holds them.
    pub format: LeafFormat,
    /// For each key, its name alone or its parts without the weight.
    pub keys: Vec<Vec<Fr>>,
    /// Weights.
    pub weights: Vec<u64>,
}

impl Leaf {
    /// A leaf of names.
    pub fn named(names: [Fr; LEAF_MEMBERS], weights: [u64; LEAF_MEMBERS]) -> Self {
        let keys = names.map(|name| vec![name]).to_vec();
        Self { format: LeafFormat::Names, keys, weights: weights.to_vec() }
    }

    /// The Poseidon of [`Self::elements`] with the tag of the format in the capacity lane, where nodes have zero:
    /// nothing is both a leaf and a node.
    ///
    /// # Panics
    /// If there are more members than a leaf of the format holds.
    pub fn hash(&self) -> Fr {
        let tag = match self.format {
            LeafFormat::Names => poseidon::domain(LEAF_DOMAIN),
            LeafFormat::Keys(format) => format.tag(),
        };
        poseidon::hash_with_domain(tag, &self.elements())
    }

    /// What is hashed: x₀, x₁, x₂, x₃, Σ weightᵢ·2^(64·i) of names xᵢ, or the [entries](Self::entry) of whole keys and zeros.
    pub fn elements(&self) -> Vec<Fr> {
        match self.format {
            LeafFormat::Names => {
                let names = self.keys.iter().flatten().copied();
                names.chain([self.packed_weights()]).collect()
            }
            LeafFormat::Keys(_) => {
                let mut elements: Vec<_> =
                    (0..self.keys.len()).flat_map(|i| self.entry(i)).collect();
                elements.resize(elements.len().max(KeyFormat::ELEMENTS), Fr::ZERO);
                elements
            }
        }
    }

    /// The parts of member `i` with its weight above the last: `partⱼ`, and `part + weight·2^192`.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn entry(&self, i: usize) -> Vec<Fr> {
        let mut entry = self.keys[i].clone();
        if let Some(last) = entry.last_mut() {
            let shift = Fr::from(2).pow_vartime([KEY_WORD_BITS as u64]);
            *last += Fr::from(self.weights[i]) * shift;
        }
        entry
    }

    fn packed_weights(&self) -> Fr {
        let shift = Fr::from(2).pow_vartime([u64::from(WEIGHT_STRIDE)]);
        self.weights.iter().rev().fold(Fr::ZERO, |sum, weight| sum * shift + Fr::from(*weight))
    }
}
