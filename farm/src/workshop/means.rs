//! What a machine has for its jobs.

use muster_prover::{estimate::Size, Memory};

use crate::{child::Command, metrics::Metrics};

/// What proofs keep between them where memory is short, which is what is predicted of jobs.
pub(crate) const LEAST: Memory = Memory::Low;
/// Keys that take no larger part of the memory keep more between their proofs, which are faster then: many may be loaded.
const SHARE: u64 = 4;

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

impl Means {
    /// What the proofs of a key keep between them, and what they are predicted to take.
    pub(super) fn kept(&self, size: &Size) -> (Memory, u64) {
        let bytes = |memory| size.proving_bytes(memory, self.slots);
        match bytes(Memory::Fast) {
            fast if fast <= self.memory / SHARE => (Memory::Fast, fast),
            _ => (LEAST, bytes(LEAST)),
        }
    }
}
