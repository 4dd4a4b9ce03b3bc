//! What fixes the verifying key of a translation.

use muster_gates::Layout;
use serde::{Deserialize, Serialize};

use super::commitment::CommitmentKind;

/// What a circuit of a translation has to provide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslationRequest {
    /// The chain's commitment.
    pub commitment: CommitmentKind,
    /// Most members of a set or, where they are seats, how many there are.
    pub capacity: usize,
    /// Children of a node: 2, 4, 5, 8 or 16. The root depends on it.
    pub arity: usize,
    /// Levels of the tree; `None` for as few as hold `capacity` members. The root depends on it.
    pub depth: Option<usize>,
    /// log₂ of the rows; `None` for the one with the fastest proofs.
    pub degree: Option<u32>,
}

impl TranslationRequest {
    /// A request with every choice left open.
    pub fn new(commitment: CommitmentKind, capacity: usize) -> Self {
        let arity = commitment.scheme().default_arity();
        Self { commitment, capacity, arity, depth: None, degree: None }
    }
}

/// Everything that the verifying key of a translation depends on. The set is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TranslationShape {
    /// The chain's commitment.
    pub commitment: CommitmentKind,
    /// Most members of a set or, where they are seats, how many there are.
    pub capacity: usize,
    /// Children of a node.
    pub arity: usize,
    /// Levels of the tree.
    pub depth: usize,
    /// Columns and rows.
    pub layout: Layout,
}

impl TranslationShape {
    /// log₂ of the rows.
    pub fn degree(&self) -> u32 {
        self.layout.k
    }
}
