//! What a machine provides for its jobs.

use muster_prover::{estimate::Size, Memory};

use crate::{child::Command, metrics::Metrics};

/// What proofs keep between them if memory is short. Predictions for jobs assume this.
pub(crate) const LEAST: Memory = Memory::Low;
/// Keys that take at most 1/`SHARE` of the memory keep more between their proofs, which are faster then. The part
/// is small because many keys may be loaded.
const SHARE: u64 = 4;

/// Where proofs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this process.
    Inside,
    /// In a process for each key.
    Children,
}

/// What a machine provides for its jobs.
#[derive(Clone, Debug)]
pub struct Means {
    /// How its processes are started.
    pub command: Command,
    /// Where proofs are made.
    pub place: Place,
    /// Bytes that all loaded keys and their proofs may be predicted to take.
    pub memory: u64,
    /// Proofs of a key at once.
    pub slots: usize,
    /// Its metrics.
    pub metrics: Metrics,
}

/// How a key is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// What its proofs keep between them.
    pub(super) memory: Memory,
    /// How many of them are made at once.
    pub(super) slots: usize,
    /// What all that is predicted to take.
    pub(super) bytes: u64,
}

impl Means {
    /// How a key is loaded here: with as many proofs at once as there is room for, and with one even without room.
    pub(super) fn kept(&self, size: &Size) -> Kept {
        let kept = |memory, slots| Kept { memory, slots, bytes: size.proving_bytes(memory, slots) };
        let fast = kept(Memory::Fast, self.slots);
        if fast.bytes <= self.memory / SHARE {
            return fast;
        }
        let mut fewer = (1..=self.slots).rev().map(|slots| kept(LEAST, slots));
        fewer.find(|kept| kept.bytes <= self.memory).unwrap_or_else(|| kept(LEAST, 1))
    }
}
