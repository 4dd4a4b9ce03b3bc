use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_circuits::{Selection, Shape, Statement, Terms, Witness};
use muster_params::{Srs, SrsCache};
use muster_prover::{
    estimate::Committees,
    files::{CommitteeFile, DroppedList, Gathered, Listing, ProofFile},
    keys::KeyFiles,
    prove_profiled, Keys, Profile,
};

use super::ProveArgs;
use crate::{
    options::{AdmissionArgs, InsecureKeys, StrictArg},
    Error,
};

/// Bytes that a member takes in a committee's file, at most but for schemes with large keys.
const MEMBER_TEXT: u64 = 256;

/// What is to be proven, as the files have it.
pub(super) struct Request {
    path: PathBuf,
    committee: CommitteeFile,
    threshold: u64,
    gathered: Gathered,
    strict: StrictArg,
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

impl Request {
    /// Reads the files, for keys of these terms.
    pub(super) fn read(
        args: &ProveArgs,
        committee: &Path,
        signatures: &Path,
        terms: &Terms,
    ) -> Result<Self, Error> {
        let file = CommitteeFile::read_for(committee, args.admission.admission(), terms)?;
        Self::of(args, committee.to_owned(), file, signatures)
    }

    /// Reads the signatures of a committee that was read from `path`.
    pub(super) fn of(
        args: &ProveArgs,
        path: PathBuf,
        committee: CommitteeFile,
        signatures: &Path,
    ) -> Result<Self, Error> {
        let threshold = args.threshold.of(&committee)?;
        let gathered = Gathered::read(signatures, &committee)?;
        Ok(Self { path, committee, threshold, gathered, strict: args.strict })
    }

    /// Checks all signatures, and drops those that do not count.
    pub(super) fn check(self, shape: &Shape) -> Result<Ready, Error> {
        let Self { path, committee, threshold, gathered, strict } = self;
        let terms = shape.terms()?;
        let key_set_root = committee.tree(&path, &terms)?.root();
        let message = shape.suite()?.stated(gathered.message())?;
        let (signatures, dropped) = gathered.sort_out(&terms, &committee, &message)?;
        strict.allows(&dropped)?;
        let members = &committee.committee;
        let checked = || {
            let signers = terms.signers(shape.slots, members, &signatures, threshold)?;
            let statement = Statement { key_set_root, threshold, message, signers };
            let witness = terms.verify(&statement, members, &signatures)?;
            let selection = witness.select(shape)?;
            Ok((statement, selection, witness))
        };
        let (statement, selection, witness) = dropped.named_in(checked())?;
        let insecure = InsecureKeys::of(&committee);
        Ok(Ready { statement, selection, dropped, insecure, witness })
    }
}

/// What a committee of so many members in the file `path` takes in memory.
pub(super) fn shared(path: &Path, members: usize) -> Committees {
    // What came through a pipe has no length any more.
    let length = fs::metadata(path).ok().filter(|found| found.is_file()).map(|found| found.len());
    Committees::shared(length.unwrap_or(MEMBER_TEXT * members as u64), members)
}

/// The committee in the file `path`, which keys of these terms have room for. No key in it was looked at yet.
pub(super) fn listing(
    path: &Path,
    admission: AdmissionArgs,
    terms: &Terms,
) -> Result<Listing, Error> {
    Ok(Listing::read_for(path, admission.admission(), terms)?)
}

impl Ready {
    /// Makes the proof.
    pub(super) fn prove(&self, srs: &Srs, keys: &Keys) -> Result<(ProofFile, Profile), Error> {
        let (proof, profile) = prove_profiled(srs, keys, &self.witness)?;
        Ok((ProofFile::new(keys, &self.statement, proof), profile))
    }
}

/// Reads the keys. What their proofs share on this machine is kept beside the SRS.
pub(super) fn read(files: KeyFiles) -> Result<Keys, Error> {
    let mut keys = files.read()?;
    keys.keep_bases_in(SrsCache::from_env());
    Ok(keys)
}
