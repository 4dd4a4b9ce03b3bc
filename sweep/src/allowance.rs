//! How much memory proofs may take, and what they keep.

use muster_prover::Memory;

use crate::memory::physical;

/// How much memory proofs may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// What is kept between the proofs of a key; if it is left open, as much as is of use and as the estimate allows.
    pub kept: Option<Memory>,
    /// The most bytes; if it is left open, 80% of the machine's.
    pub most: Option<u64>,
}

impl Allowance {
    /// Bytes that an estimate may not exceed, if the system tells how many there are.
    pub fn limit(self) -> Option<u64> {
        self.most.or_else(|| physical().map(|bytes| bytes / 5 * 4))
    }

    /// The same on other machines, where the memory of this one is no limit.
    pub fn elsewhere(self) -> Self {
        Self { most: self.most.or(Some(u64::MAX)), ..self }
    }

    /// What to keep for so many proofs, by the `estimate` of what that takes.
    pub fn choose(self, proofs: usize, estimate: impl Fn(Memory) -> u64) -> Memory {
        self.kept.unwrap_or_else(|| {
            let fits = self.limit().is_none_or(|limit| estimate(Memory::Fast) <= limit);
            if proofs > 1 && fits {
                Memory::Fast
            } else {
                Memory::Low
            }
        })
    }
}

/// The name of what is kept, as arguments and files have it.
pub fn name(memory: Memory) -> &'static str {
    match memory {
        Memory::Low => "low",
        Memory::Fast => "fast",
    }
}
