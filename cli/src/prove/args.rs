use std::path::PathBuf;

use muster_prover::{ProofKind, VerifierKey};

use crate::{
    kinds::{KindArg, ProverArg},
    memory::{MemoryArg, MemoryArgs},
    options::{SeatsArg, StrictArg},
    profile::ProfileArg,
    srs_args::SrsArgs,
    threshold::ThresholdArg,
    Error,
};

/// Prove that members of a committee signed.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  muster prove --keys keys --committee sample/committee.json \\
      --signatures sample/signatures.json --threshold 8 --out proof.json
  muster prove --keys keys --committee sample/committee.json --batch signed --threshold 8 --out proofs
  muster prove --keys keys --batch signed --threshold '>2/3' --out proofs --memory low --threads 8

Signatures that do not count (they do not hold, are by nobody in the committee, or are a second one by a
member) are dropped and named. If the others reach the threshold, there is a proof; if not, the exit status is 1.

Needs the SRS that the keys were made from: from the cache, or given again with --srs FILE.

With --batch, each folder in DIR is one proof to make, from its signatures.json and, without --committee, its
committee.json. The proof of folder NAME is NAME.json in the directory --out. Failures are named at the end,
and the other proofs are written; the exit status is 2 if any failure was bad input, and otherwise 1. With
--force, the old proof of a folder that fails is removed. Proofs made at once share the processors: their
times overlap, and the phases of --profile add up to more than the time that passed.")]
pub(crate) struct ProveArgs {
    /// Directory with the keys.
    #[arg(long, value_name = "DIR")]
    pub(super) keys: PathBuf,
    /// The committee's file.
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    pub(super) committee: Option<PathBuf>,
    #[command(flatten)]
    pub(super) seats: SeatsArg,
    /// The signatures' file. If there are more signatures than slots, the heaviest are used, only
    /// as many as the threshold needs.
    #[arg(long, value_name = "FILE", required_unless_present = "batch", conflicts_with = "batch")]
    pub(super) signatures: Option<PathBuf>,
    #[command(flatten)]
    pub(super) strict: StrictArg,
    /// Make a proof for each folder of a directory, with the keys loaded once.
    #[arg(long, value_name = "DIR")]
    pub(super) batch: Option<PathBuf>,
    /// Skip folders whose proof is already in --out. That proof is verified; anything else under
    /// its name is a failure.
    #[arg(long, requires = "batch", conflicts_with_all = ["signatures", "force"])]
    pub(super) resume: bool,
    /// The least sum of the signers' weights: a number, or a quorum of the total weight such as
    /// '>2/3' or '>=2/3'.
    #[arg(long, value_name = "T")]
    pub(super) threshold: ThresholdArg,
    /// Format of the proof (default: that of the keys, fast or compact; with --prover reference, halo2).
    #[arg(long, value_enum)]
    kind: Option<KindArg>,
    /// What makes the proof: Muster's own prover, or halo2's as a reference.
    #[arg(long, value_enum, default_value_t)]
    pub(super) prover: ProverArg,
    #[command(flatten)]
    pub(super) memory: MemoryArgs,
    #[command(flatten)]
    pub(super) profile: ProfileArg,
    #[command(flatten)]
    pub(super) srs: SrsArgs,
    /// Replace existing files.
    #[arg(long)]
    pub(super) force: bool,
    /// File for the proof, or directory for the proofs.
    #[arg(long, value_name = "PATH")]
    pub(super) out: PathBuf,
}

impl ProveArgs {
    /// The same with the format of the proofs, which keys of the format compact have one of.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] if the keys are for proofs of another format.
    pub(super) fn settled(&self, key: &VerifierKey) -> Result<Self, Error> {
        let is_compact = key.kinds().contains(&ProofKind::Compact);
        let default = match self.prover {
            ProverArg::Engine if is_compact => KindArg::Compact,
            ProverArg::Engine => KindArg::Fast,
            ProverArg::Reference => KindArg::Halo2,
        };
        let kind = self.kind.unwrap_or(default);
        key.require(kind.kind())
            .map_err(|error| Error::usage(format!("--keys {}: {error}", self.keys.display())))?;
        Ok(Self { kind: Some(kind), ..self.clone() })
    }

    /// The format of the proofs, once it is settled.
    pub(super) fn kind(&self) -> ProofKind {
        self.kind.unwrap_or_default().kind()
    }

    /// Refuses options that make no sense together.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] if halo2's prover is to make a proof in a format other than its own.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.kind.map(KindArg::kind) {
            Some(kind) if self.prover == ProverArg::Reference && kind != ProofKind::Halo2 => {
                let kind = kind.name();
                let reason = "--prover reference makes proofs of the format halo2 alone; leave out one of the two options";
                Err(Error::usage(format!("--kind {kind}: {reason}")))
            }
            _ => Ok(()),
        }
    }

    /// How much memory proofs may take.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] if halo2's prover is to keep columns, which it cannot.
    pub(super) fn memory(&self) -> Result<MemoryArgs, Error> {
        match (self.prover, self.memory.memory) {
            (ProverArg::Engine, _) => Ok(self.memory),
            (ProverArg::Reference, MemoryArg::Fast) => {
                let reason = "--memory fast: --prover reference keeps nothing between proofs";
                Err(Error::usage(reason.into()))
            }
            (ProverArg::Reference, MemoryArg::Low | MemoryArg::Auto) => {
                Ok(MemoryArgs { memory: MemoryArg::Low, ..self.memory })
            }
        }
    }
}
