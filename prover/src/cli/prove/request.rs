use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_circuits::{Message, Selection, Signatures, Statement, Witness};
use muster_params::Srs;

use super::ProveArgs;
use crate::{
    cli::threshold::ThresholdArg,
    estimate::Committees,
    files::{CommitteeFile, ProofFile, SignaturesFile},
    prove_profiled, Error, Keys, Memory, Profile, ProverKind,
};

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
    /// Reads the files.
    pub(super) fn read(
        args: &ProveArgs,
        committee: &Path,
        signatures: &Path,
    ) -> Result<Self, Error> {
        let file = CommitteeFile::read(committee, args.seats.seats())?;
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
            SignaturesFile::read(signatures, committee.scheme, committee.keys)?;
        Ok(Self { path, committee, threshold, message, signatures })
    }

    /// What the committee takes in memory.
    pub(super) fn committees(&self) -> Committees {
        shared(&self.path, &self.committee)
    }

    /// Checks all signatures.
    pub(super) fn check(self, keys: &Keys) -> Result<Ready, Error> {
        let Self { path, committee, threshold, message, signatures } = self;
        let (shape, terms) = (keys.shape(), keys.shape().terms()?);
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

/// What a committee that was read from `path` takes in memory.
pub(super) fn shared(path: &Path, committee: &CommitteeFile) -> Committees {
    let file = fs::metadata(path).map_or(0, |found| found.len());
    Committees::shared(file, committee.committee.members().len())
}

impl Ready {
    /// Makes the proof.
    pub(super) fn prove(
        &self,
        args: &ProveArgs,
        srs: &Srs,
        keys: &Keys,
    ) -> Result<(ProofFile, Profile), Error> {
        let made = prove_profiled(args.prover, srs, keys, &self.witness, args.transcript);
        let (proof, profile) = made?;
        Ok((ProofFile::new(keys, &self.statement, proof), profile))
    }
}

/// Prepares what proofs share.
pub(super) fn prepare(
    args: &ProveArgs,
    srs: &Srs,
    keys: &Keys,
    memory: Memory,
) -> Result<Profile, Error> {
    match args.prover {
        ProverKind::Engine => keys.prepare(srs, memory),
        ProverKind::Reference => keys.prepare_reference(srs),
    }
}
