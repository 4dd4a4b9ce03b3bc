//! Keys with everything that proofs of them share.

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

use muster_prover::{
    files::{CommitteeFile, ProofFile, SignaturesFile},
    muster_params::import,
    prove, Keys, Memory, ParamsError, Seats, Srs, SrsCache, Statement, VerifierKey,
};

use super::Fault;
use crate::{
    digest::Digest,
    job::Prove,
    store::{key_limits, Cache, KEY_FILES, VERIFYING_LIMIT},
    Error,
};

/// Name of the SRS in a folder of keys.
const SRS_FILE: &str = "srs.bin";

/// Which part of pinned keys is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The part that verifies.
    Verifying,
    /// All files, and the SRS.
    Whole,
}

impl Part {
    /// The name of a folder for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Verifying => "verifying",
            Self::Whole => "whole",
        }
    }
}

/// A folder with pinned keys and their SRS.
#[derive(Clone, Debug)]
pub struct KeyFolder {
    dir: PathBuf,
    key: Digest,
}

impl KeyFolder {
    /// Fetches pinned keys, or a part of them, from the store into a folder below `root`, unless they are there.
    ///
    /// # Errors
    ///
    /// Those of the store, [`Error::Io`].
    pub async fn take(cache: &Cache, key: Digest, root: &Path, part: Part) -> Result<Self, Error> {
        let dir = root.join(key.digits());
        if !dir.exists() {
            std::fs::create_dir_all(root).map_err(Error::io(root))?;
            let new = tempfile::TempDir::new_in(root).map_err(Error::io(root))?;
            let pinned = cache.store().pinned(&key).await?;
            let [shape, verifying, proving] = pinned.files;
            let [shape_file, verifying_file, proving_file] =
                KEY_FILES.map(|name| new.path().join(name));
            cache.place(&shape, &shape_file, VERIFYING_LIMIT).await?;
            cache.place(&verifying, &verifying_file, VERIFYING_LIMIT).await?;
            if part == Part::Whole {
                let key = VerifierKey::load(new.path())?;
                let [.., limit] = key_limits(key.shape())?;
                cache.place(&proving, &proving_file, limit).await?;
                let limit = import::raw_and_further_len(key.srs_degree());
                cache.place(&pinned.srs, &new.path().join(SRS_FILE), limit).await?;
            }
            // If another was faster, it has put the same there.
            if std::fs::rename(new.path(), &dir).is_ok() {
                let _ = new.keep();
            }
        }
        Ok(Self { dir, key })
    }

    /// A folder that was filled by [`Self::take`].
    pub fn at(dir: impl Into<PathBuf>, key: Digest) -> Self {
        Self { dir: dir.into(), key }
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Loads the keys, and prepares what their proofs share.
    ///
    /// # Errors
    ///
    /// [`Fault::BadInput`] if they are not the keys that they were pinned as, or what else is wrong with them.
    pub fn load(&self, memory: Memory) -> Result<LoadedKey, Fault> {
        let mut keys = Keys::load(&self.dir).map_err(Error::from)?;
        if keys.vk_digest() != self.key.0 {
            let found = Digest(keys.vk_digest());
            return Err(Fault::BadInput(format!("the keys pinned as {} are {found}", self.key)));
        }
        let (path, named) = (self.dir.join(SRS_FILE), keys.srs());
        let srs = match import::raw_and_further_told(&path, named.origin.clone()) {
            Ok(srs) if srs.digest() == named.digest => srs,
            Ok(_) => {
                let found = Digest(named.digest);
                return Err(Fault::BadInput(format!("the keys were made from the SRS {found}, not from the one they are pinned with")));
            }
            Err(error @ ParamsError::Io { .. }) => return Err(Error::Prover(error.into()).into()),
            // The store has it by its hash, so every worker finds the same.
            Err(error) => {
                return Err(Fault::BadInput(format!(
                    "the SRS that the keys are pinned with: {error}"
                )));
            }
        };
        // Bases of packs are found there when the keys are loaded again.
        keys.keep_bases_in(SrsCache::new(&self.dir));
        keys.prepare(&srs, memory).map_err(Error::from)?;
        Ok(LoadedKey { keys, srs, committee: Mutex::new(None) })
    }
}

/// Keys that are ready to prove with.
#[derive(Debug)]
pub struct LoadedKey {
    keys: Keys,
    srs: Srs,
    /// The committee of the proof before: most proofs in a row are about the same.
    committee: Mutex<Option<(Digest, CommitteeFile)>>,
}

impl LoadedKey {
    /// The keys.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Makes a proof from its files, and returns the text of the proof's file.
    ///
    /// # Errors
    ///
    /// Why there is none, and whose fault that is.
    pub fn prove(
        &self,
        Prove { claim, srs, .. }: &Prove,
        committee: &Path,
        signatures: &Path,
    ) -> Result<String, Fault> {
        if claim.key.0 != self.keys.vk_digest() {
            return Err(Fault::Crash(format!("its process has other keys than {}", claim.key)));
        }
        if srs.0 != self.srs.digest() {
            let found = Digest(self.srs.digest());
            return Err(Fault::BadInput(format!(
                "srs: {srs}, but the keys were made from {found}"
            )));
        }
        let kind = self.keys.verifier().kind();
        if claim.kind != kind {
            let (asked, kind) = (claim.kind.name(), kind.name());
            return Err(Fault::BadInput(format!("kind: {asked}, but the keys are for {kind}")));
        }
        let statement = claim.statement.statement(self.keys.shape()).map_err(Fault::BadInput)?;
        Ok(self.make(&statement, committee, signatures).map_err(Error::from)?)
    }

    fn make(
        &self,
        statement: &Statement,
        committee: &Path,
        signatures: &Path,
    ) -> Result<String, muster_prover::Error> {
        let terms = self.keys.shape().terms()?;
        // Not within the pool: one of its threads could meanwhile take up another proof, and wait for itself.
        let committee = self.committee(committee)?;
        // Within the pool, whose threads all proofs share: while one has work for a single thread, the others get more.
        rayon::scope(|_| {
            let file = SignaturesFile::read(signatures, &committee)?;
            let witness = terms.verify(statement, &committee.committee, &file.signatures)?;
            let proof = prove(&self.srs, &self.keys, &witness)?;
            Ok(ProofFile::new(&self.keys, statement, proof).to_json())
        })
    }

    /// Reads a committee, unless it is the one of the proof before.
    fn committee(&self, path: &Path) -> Result<CommitteeFile, muster_prover::Error> {
        let bytes = std::fs::read(path);
        let bytes =
            bytes.map_err(|source| muster_prover::Error::Io { path: path.into(), source })?;
        let digest = Digest::of(&bytes);
        let mut kept = self.committee.lock().expect("nobody panics who holds it");
        if let Some((_, committee)) = kept.as_ref().filter(|(kept, _)| *kept == digest) {
            return Ok(committee.clone());
        }
        let terms = self.keys.shape().terms()?;
        let committee = CommitteeFile::read_for(path, Seats::default(), &terms)?;
        committee.tree(path, &terms)?;
        *kept = Some((digest, committee.clone()));
        Ok(committee)
    }
}
