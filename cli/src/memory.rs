//! `--memory` and `--max-memory`.

use clap::ValueEnum;
use muster_circuits::CircuitShape;
use muster_params::Srs;
use muster_prover::{
    estimate::{Committees, Size},
    KeysOf, Memory, Profile,
};
use muster_sweep::{
    memory::{human, parse, peak},
    memory_name as name, Allowance,
};

use crate::{progress::Progress, Error};

/// How much memory proofs may take.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct MemoryArgs {
    /// What is kept in memory between proofs with the same key.
    #[arg(long, value_enum, default_value_t)]
    pub(super) memory: MemoryArg,
    /// Do not start anything estimated to take more memory than this. By default, a single proof
    /// has no limit; sweeps, `auto`, and the number of proofs made at once keep to 80% of the
    /// machine's memory.
    #[arg(long, value_name = "SIZE", value_parser = parse)]
    pub(super) max_memory: Option<u64>,
}

/// What is kept between proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryArg {
    /// As little as possible.
    Low,
    /// Like `fast` if several proofs are made with one key and the estimate allows it, otherwise
    /// like `low`.
    #[default]
    Auto,
    /// The key's columns wherever constraints are evaluated: every proof after the first takes less
    /// time.
    Fast,
}

impl MemoryArg {
    /// What is kept; `None` if it is left open.
    pub(super) fn kept(self) -> Option<Memory> {
        match self {
            Self::Low => Some(Memory::Low),
            Self::Auto => None,
            Self::Fast => Some(Memory::Fast),
        }
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        self.kept().map_or("auto", name)
    }
}

impl MemoryArgs {
    /// The same for a sweep.
    pub(crate) fn allowance(self) -> Allowance {
        Allowance { kept: self.memory.kept(), most: self.max_memory }
    }

    /// What one process that makes `proofs` proofs keeps, and how many it makes at once on so many threads: as many as
    /// fit beside their committees, at least one. It is an error if one is above `--max-memory` already.
    pub(super) fn plan(
        self,
        (size, committees): (&Size, Committees),
        proofs: usize,
        threads: usize,
    ) -> Result<Plan, Error> {
        let estimate =
            |memory, at_once| size.proving_bytes(memory, at_once) + committees.bytes(at_once);
        let allowance = self.allowance();
        let memory = allowance.choose(proofs, |memory| estimate(memory, 1));
        let bytes = |at_once| estimate(memory, at_once);
        if let Some(limit) = self.max_memory.filter(|limit| bytes(1) > *limit) {
            let (needed, limit, memory) = (human(bytes(1)), human(limit), name(memory));
            let kind = size.kind.name();
            let reason =
                format!("a proof of {kind} is estimated to take {needed} (--memory {memory})");
            return Err(Error::usage(format!("--max-memory: {reason}, more than {limit}")));
        }
        let limit = allowance.limit().unwrap_or(u64::MAX);
        let fits = |at_once: &usize| bytes(*at_once) <= limit;
        let most = proofs.min(threads).max(1);
        let at_once = (2..=most).take_while(fits).last().unwrap_or(1);
        Ok(Plan { memory, at_once, bytes: bytes(at_once) })
    }
}

/// How proofs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// What is kept.
    pub(super) memory: Memory,
    /// Proofs at once.
    pub(super) at_once: usize,
    /// Estimate of the peak memory.
    pub(super) bytes: u64,
}

impl Plan {
    /// The memory that proofs took.
    pub(super) fn describe(&self) -> String {
        let peak = peak().map(|bytes| format!("{} at most, ", human(bytes))).unwrap_or_default();
        format!("{peak}{} estimated ({})", human(self.bytes), name(self.memory))
    }
}

/// Prepares what proofs share, and says so where it takes longer than a proof.
pub(crate) fn prepare<S: CircuitShape>(
    srs: &Srs,
    keys: &KeysOf<S>,
    memory: Memory,
    progress: &Progress,
) -> Result<Profile, Error> {
    let prepare = || keys.prepare(srs, memory);
    let made = if keys.has_bases(srs) {
        prepare()
    } else {
        progress
            .run("making bases for packs, which the next proofs will find in the cache", prepare)
    };
    Ok(made?)
}
