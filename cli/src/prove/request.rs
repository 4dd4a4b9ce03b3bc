//! What is asked of a proof, and what was found to hold.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_circuits::{Selection, Shape, Statement, Witness};
use muster_params::{Srs, SrsCache};
use muster_prover::{
    estimate::Committees,
    files::{CommitteeFile, DroppedList, Gathered, ProofFile},
    keys::KeyFiles,
    prove_profiled, Keys, Profile,
};

use crate::{
    memory::MemoryArgs,
    options::{AdmissionArgs, InsecureKeys, StrictArg},
    profile::ProfileArg,
    srs_args::SrsArgs,
    values::ThresholdArg,
    Error,
};

/// Bytes that a member takes in a committee's file, at most but for schemes with large keys.
const MEMBER_TEXT: u64 = 256;

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

/// A statement that was found to hold.
pub(super) struct Ready {
    pub(super) statement: Statement,
    pub(super) selection: Selection,
    /// The signatures that do not count.
    pub(super) dropped: DroppedList,
    /// The members for whom anyone can sign.
    pub(super) insecure: InsecureKeys,
    witness: Witness,
}

impl Ready {
    /// Reads the signatures of a committee that was read from `path`, checks all of them for keys of this shape, and drops
    /// those that do not count.
    pub(super) fn read(
        args: &ProveArgs,
        (path, committee): (&Path, &CommitteeFile),
        signatures: &Path,
        shape: &Shape,
    ) -> Result<Self, Error> {
        let threshold = args.threshold.of(committee)?;
        let gathered = Gathered::read(signatures, committee)?;
        let terms = shape.terms()?;
        let key_set_root = committee.tree(path, &terms)?.root();
        let message = shape.suite()?.stated(gathered.message())?;
        let (signatures, dropped) = gathered.sort_out(&terms, committee, &message)?;
        args.strict.allows(&dropped)?;
        let members = &committee.committee;
        let checked = || {
            let signers = terms.signers(shape.slots, members, &signatures, threshold)?;
            let statement = Statement { key_set_root, threshold, message, signers };
            let witness = terms.verify(&statement, members, &signatures)?;
            let selection = witness.select(shape)?;
            Ok((statement, selection, witness))
        };
        let (statement, selection, witness) = dropped.named_in(checked())?;
        let insecure = InsecureKeys::of(committee);
        Ok(Self { statement, selection, dropped, insecure, witness })
    }

    /// Makes the proof.
    pub(super) fn prove(&self, srs: &Srs, keys: &Keys) -> Result<(ProofFile, Profile), Error> {
        let (proof, profile) = prove_profiled(srs, keys, &self.witness)?;
        Ok((ProofFile::new(keys, &self.statement, proof), profile))
    }
}

/// What a committee of so many members in the file `path` takes in memory.
pub(super) fn shared(path: &Path, members: usize) -> Committees {
    // What came through a pipe has no length any more.
    let length = fs::metadata(path).ok().filter(|found| found.is_file()).map(|found| found.len());
    Committees::shared(length.unwrap_or(MEMBER_TEXT * members as u64), members)
}

/// Reads the keys. What their proofs share on this machine is kept beside the SRS.
pub(super) fn read(files: KeyFiles) -> Result<Keys, Error> {
    let mut keys = files.read()?;
    keys.keep_bases_in(SrsCache::from_env());
    Ok(keys)
}
