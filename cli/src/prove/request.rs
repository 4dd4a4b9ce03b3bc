use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_circuits::{Message, Selection, Shape, Signatures, Statement, Terms, Witness};
use muster_params::{Srs, SrsCache};
use muster_prover::{
    estimate::Committees,
    files::{CommitteeFile, Listing, ProofFile, SignaturesFile},
    keys::KeyFiles,
    prove_profiled, Keys, Memory, Profile,
};

use super::ProveArgs;
use crate::{options::SeatsArg, progress::Progress, threshold::ThresholdArg, Error};

/// What is to be proven, as the files have it.
pub(super) struct Request {
    path: PathBuf,
    committee: CommitteeFile,
    threshold: u64,
    message: Message,
    signatures: Signatures,
}

/// A statement that was found to hold.
pub(super) struct Ready {
    pub(super) statement: Statement,
    pub(super) selection: Selection,
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
        let file = CommitteeFile::read_for(committee, args.seats.seats(), terms)?;
        Self::of(committee.to_owned(), file, signatures, args.threshold)
    }

    /// Reads the signatures of a committee that was read from `path`.
    pub(super) fn of(
        path: PathBuf,
        committee: CommitteeFile,
        signatures: &Path,
        threshold: ThresholdArg,
    ) -> Result<Self, Error> {
        let threshold = threshold.of(&committee)?;
        let SignaturesFile { message, signatures, .. } =
            SignaturesFile::read(signatures, &committee)?;
        Ok(Self { path, committee, threshold, message, signatures })
    }

    /// Checks all signatures.
    pub(super) fn check(self, shape: &Shape) -> Result<Ready, Error> {
        let Self { path, committee, threshold, message, signatures } = self;
        let terms = shape.terms()?;
        let key_set_root = committee.tree(&path, &terms)?.root();
        let message = shape.suite()?.stated(&message)?;
        let members = &committee.committee;
        let signers = terms.signers(shape.slots, members, &signatures, threshold)?;
        let statement = Statement { key_set_root, threshold, message, signers };
        let witness = terms.verify(&statement, &committee.committee, &signatures)?;
        let selection = witness.select(shape)?;
        Ok(Ready { statement, selection, witness })
    }
}

/// What a committee of so many members in the file `path` takes in memory.
pub(super) fn shared(path: &Path, members: usize) -> Committees {
    Committees::shared(fs::metadata(path).map_or(0, |found| found.len()), members)
}

/// The committee in the file `path`, which keys of these terms have room for. No key in it was looked at yet.
pub(super) fn listing(path: &Path, seats: SeatsArg, terms: &Terms) -> Result<Listing, Error> {
    let listing = Listing::read(path, seats.seats())?;
    listing.fits(terms)?;
    Ok(listing)
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

/// Prepares what proofs share, and says so where it takes longer than a proof.
pub(super) fn prepare(
    srs: &Srs,
    keys: &Keys,
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
