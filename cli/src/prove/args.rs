use std::path::PathBuf;

use crate::{
    memory::MemoryArgs,
    options::{AdmissionArgs, StrictArg},
    profile::ProfileArg,
    srs_args::SrsArgs,
    threshold::ThresholdArg,
};

/// Prove that members of a committee signed, in the format that the keys are for.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  muster prove --keys keys --committee sample/committee.json \\
      --signatures sample/signatures.json --threshold 8 --out proof.json
  muster prove --keys keys --committee sample/committee.json --batch signed --threshold 8 --out proofs
  muster prove --keys keys --batch signed --threshold '>2/3' --out proofs --memory low --threads 8

Signatures that do not count (they do not hold, are by nobody in the committee, or are a second one by a
member) are dropped and named. If the others reach the threshold, there is a proof; if not, the exit status is 1.

Needs the SRS that the keys were made from: from the cache, or given again with --srs FILE. The first proof under
keys of the kind compact also makes bases, which are kept in the cache: some seconds, or up to a minute.

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
    pub(super) admission: AdmissionArgs,
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
