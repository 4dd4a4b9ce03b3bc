//! The tree over a batch of messages.

use std::collections::HashMap;

use alloy_primitives::{keccak256, B256};

use super::{
    fault::BridgeFault,
    types::{BatchRoot, MessageId},
};

const LEAF_PREFIX: u8 = 0;
const NODE_PREFIX: u8 = 1;

/// A tree over messages: neighbours are paired, and an odd last node goes up as it is. The light
/// client walks paths of up to 32; no batch that fits in memory has longer ones.
#[derive(Clone, Debug)]
pub struct Batch {
    /// From the leaves to the root.
    levels: Vec<Vec<B256>>,
}

impl Batch {
    /// The tree over messages, by their identities.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::EmptyBatch`] and [`BridgeFault::DuplicateMessage`].
    pub fn new(ids: &[MessageId]) -> Result<Self, BridgeFault> {
        if ids.is_empty() {
            return Err(BridgeFault::EmptyBatch);
        }
        let mut seen = HashMap::with_capacity(ids.len());
        for (second, id) in ids.iter().enumerate() {
            if let Some(first) = seen.insert(id, second) {
                return Err(BridgeFault::DuplicateMessage { first, second });
            }
        }
        let mut levels = vec![ids.iter().map(leaf).collect::<Vec<_>>()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let above = below.chunks(2).map(|pair| match pair {
                [left, right] => node(left, right),
                _ => pair[0],
            });
            levels.push(above.collect());
        }
        Ok(Self { levels })
    }

    /// The root.
    pub fn root(&self) -> BatchRoot {
        BatchRoot(self.levels[self.levels.len() - 1][0].0)
    }

    /// The siblings from the leaf of a message up to the root; `None` if the batch does not hold it.
    pub fn path(&self, mut index: usize) -> Option<Vec<[u8; 32]>> {
        if index >= self.levels[0].len() {
            return None;
        }
        let mut path = vec![];
        for level in &self.levels {
            // The odd last one has no sibling.
            path.extend(level.get(index ^ 1).map(|sibling| sibling.0));
            index /= 2;
        }
        Some(path)
    }
}

impl BatchRoot {
    /// The root that a path leads to from the leaf of a message.
    pub fn of_path(id: &MessageId, path: &[[u8; 32]]) -> Self {
        let climb = |below: B256, sibling: &[u8; 32]| node(&below, &sibling.into());
        Self(path.iter().fold(leaf(id), climb).0)
    }
}

fn leaf(id: &MessageId) -> B256 {
    keccak256([&[LEAF_PREFIX][..], &id.0].concat())
}

/// The parent of two nodes; the smaller goes first, so that a path needs no directions.
fn node(a: &B256, b: &B256) -> B256 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    keccak256([&[NODE_PREFIX], low.as_slice(), high.as_slice()].concat())
}
