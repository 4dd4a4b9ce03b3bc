//! Merkle trees of Poseidon nodes over the leaves of a set.
//!
//! A node is circomlib's Poseidon of its `arity` children. A [leaf](super::Leaf) is hashed by another function: it has
//! a tag in the lane where circomlib's hash has zero (circomlib's `PoseidonEx` with an initial state, light-poseidon's
//! `with_domain_tag`).

use halo2curves::bn256::Fr;
use rayon::prelude::*;
use thiserror::Error;

use super::{Leaf, LeafFormat};
use crate::hash::poseidon;

/// How many children a node may have.
pub const ARITIES: [usize; 5] = [2, 4, 5, 8, 16];
/// The greatest depth of a tree.
pub const MAX_DEPTH: usize = 32;
/// Weights are below `2^WEIGHT_BITS`.
pub const WEIGHT_BITS: u32 = 60;
/// The sum of all weights of a set is below `2^TOTAL_WEIGHT_BITS`.
pub const TOTAL_WEIGHT_BITS: u32 = 60;

/// Why a tree or a path cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The arity is not in [`ARITIES`].
    #[error("arity {0} is not one of 2, 4, 5, 8, 16")]
    Arity(usize),
    /// The depth is not in 1..=32.
    #[error("depth {0} is not between 1 and 32")]
    Depth(usize),
    /// The tree has no room for all leaves.
    #[error("{leaves} leaves do not fit into a tree of arity {arity} and depth {depth}")]
    TooManyLeaves {
        /// Leaves given.
        leaves: usize,
        /// Arity of the tree.
        arity: usize,
        /// Depth of the tree.
        depth: usize,
    },
    /// The index is outside the tree.
    #[error("index {0} is outside the tree")]
    Index(usize),
}

/// The roots of the trees without members: element `i` has depth `i`, from 0 (the hash of the empty
/// leaf) to `depth`.
///
/// # Errors
///
/// [`TreeError::Arity`] or [`TreeError::Depth`].
pub fn zero_hashes(arity: usize, depth: usize, format: LeafFormat) -> Result<Vec<Fr>, TreeError> {
    check_shape(arity, depth)?;
    let next = |child: &Fr| Some(poseidon::hash(&vec![*child; arity]));
    Ok(std::iter::successors(Some(format.empty().hash()), next).take(depth + 1).collect())
}

/// The least depth, at least 1, of a tree with room for `members`.
///
/// # Errors
///
/// [`TreeError::Arity`], or [`TreeError::TooManyLeaves`] if the greatest depth is too small.
pub fn min_depth(arity: usize, members: usize, format: LeafFormat) -> Result<usize, TreeError> {
    check_shape(arity, 1)?;
    let leaves = members.div_ceil(format.members());
    (1..=MAX_DEPTH)
        .find(|depth| capacity(arity, *depth) >= leaves)
        .ok_or(TreeError::TooManyLeaves { leaves, arity, depth: MAX_DEPTH })
}

fn check_shape(arity: usize, depth: usize) -> Result<(), TreeError> {
    if !ARITIES.contains(&arity) {
        return Err(TreeError::Arity(arity));
    }
    (1..=MAX_DEPTH).contains(&depth).then_some(()).ok_or(TreeError::Depth(depth))
}

/// How many leaves a tree has, or the greatest `usize` if there are more.
fn capacity(arity: usize, depth: usize) -> usize {
    (0..depth).fold(1, |leaves: usize, _| leaves.saturating_mul(arity))
}

/// A tree with room for `arity^depth` leaves. Only the nodes above given leaves are kept.
#[derive(Clone, Debug)]
pub struct MerkleTree {
    arity: usize,
    /// `nodes[level]` holds the nodes above given leaves; level 0 is the leaves.
    nodes: Vec<Vec<Fr>>,
    zeros: Vec<Fr>,
}

impl MerkleTree {
    /// The tree with the leaf hashes `leaves` in its first places and the hash of the empty leaf of this format
    /// in the others.
    ///
    /// # Errors
    ///
    /// [`TreeError::Arity`], [`TreeError::Depth`] or [`TreeError::TooManyLeaves`].
    pub fn new(
        leaves: &[Fr],
        arity: usize,
        depth: usize,
        format: LeafFormat,
    ) -> Result<Self, TreeError> {
        let zeros = zero_hashes(arity, depth, format)?;
        if leaves.len() > capacity(arity, depth) {
            return Err(TreeError::TooManyLeaves { leaves: leaves.len(), arity, depth });
        }
        let mut nodes = vec![leaves.to_vec()];
        for level in 0..depth {
            let parents = nodes[level]
                .par_chunks(arity)
                .map(|children| {
                    let mut children = children.to_vec();
                    children.resize(arity, zeros[level]);
                    poseidon::hash(&children)
                })
                .collect();
            nodes.push(parents);
        }
        Ok(Self { arity, nodes, zeros })
    }

    /// Children of a node.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// Levels between the leaves and the root.
    pub fn depth(&self) -> usize {
        self.zeros.len() - 1
    }

    /// The leaves that were given.
    pub fn leaves(&self) -> &[Fr] {
        &self.nodes[0]
    }

    /// The root.
    pub fn root(&self) -> Fr {
        self.node(self.depth(), 0)
    }

    /// The path from leaf `index`, given or empty.
    ///
    /// # Errors
    ///
    /// [`TreeError::Index`] if there is no such leaf.
    pub fn path(&self, index: usize) -> Result<MerklePath, TreeError> {
        if index >= capacity(self.arity, self.depth()) {
            return Err(TreeError::Index(index));
        }
        let mut position = index;
        let levels = (0..self.depth())
            .map(|level| {
                position /= self.arity;
                let first = position * self.arity;
                (first..first + self.arity).map(|i| self.node(level, i)).collect()
            })
            .collect();
        Ok(MerklePath { index, levels })
    }

    fn node(&self, level: usize, position: usize) -> Fr {
        self.nodes[level].get(position).copied().unwrap_or(self.zeros[level])
    }
}

/// The path from a leaf to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MerklePath {
    /// The place of the leaf. Its digits in base `arity`, least significant first, say which child
    /// the path runs through at each level.
    pub index: usize,
    /// From the leaves up, all `arity` children of the node on the path. The child that the path
    /// runs through is among them.
    pub levels: Vec<Vec<Fr>>,
}

impl MerklePath {
    /// The child that the path runs through at each level, from the leaf up.
    pub fn positions(&self) -> Vec<usize> {
        let mut rest = self.index;
        let digit = |level: &Vec<Fr>| {
            let digit = rest % level.len();
            rest /= level.len();
            digit
        };
        self.levels.iter().map(digit).collect()
    }

    /// The root of the tree that has `leaf` at this path's place. The children that the path runs
    /// through are computed, whatever `levels` holds for them.
    ///
    /// # Panics
    ///
    /// If a level is empty or has more than 16 children; no path made by a tree does.
    pub fn root(&self, leaf: Fr) -> Fr {
        self.levels.iter().zip(self.positions()).fold(leaf, |node, (level, position)| {
            let mut children = level.clone();
            children[position] = node;
            poseidon::hash(&children)
        })
    }
}

/// A member of a set with its path to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberPath {
    /// The leaf that holds the member.
    pub leaf: Leaf,
    /// Which of the leaf's members it is, below [`LeafFormat::members`].
    pub position: usize,
    /// The path of the leaf.
    pub path: MerklePath,
}

impl MemberPath {
    /// The root of the tree that has the leaf at the path's place.
    pub fn root(&self) -> Fr {
        self.path.root(self.leaf.hash())
    }
}
