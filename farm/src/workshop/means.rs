//! What a machine has for its jobs.

use muster_prover::Memory;

use crate::{child::Command, metrics::Metrics};

/// What proofs keep between them: as little as possible, since many keys may be loaded.
pub(crate) const KEPT: Memory = Memory::Low;

/// Where proofs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this process.
    Inside,
    /// In a process for each key.
    Children,
}

/// What a machine has for its jobs.
#[derive(Clone, Debug)]
pub struct Means {
    /// How processes of its own are started.
    pub command: Command,
    /// Where proofs are made.
    pub place: Place,
    /// Bytes that all loaded keys and their proofs may be predicted to take.
    pub memory: u64,
    /// Proofs of a key at once.
    pub slots: usize,
    /// Where it tells of itself.
    pub metrics: Metrics,
}
