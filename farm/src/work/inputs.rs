//! The files of a job, in a folder of their own.

use std::path::PathBuf;

use muster_prover::files::{COMMITTEE_FILE, SIGNATURES_FILE};
use tempfile::TempDir;

use crate::{
    job::Input,
    store::{Cache, INPUT_LIMIT},
    Error,
};

/// The files of a requested proof. They are removed when this is dropped.
#[derive(Debug)]
pub struct Inputs {
    /// Held because dropping it removes the folder.
    _dir: TempDir,
    /// The committee's file.
    pub committee: PathBuf,
    /// The file of signatures.
    pub signatures: PathBuf,
}

impl Inputs {
    /// Writes committee and signatures, from the job or from the store.
    ///
    /// # Errors
    ///
    /// Those of the store, [`Error::Io`].
    pub async fn of([committee, signatures]: [&Input; 2], cache: &Cache) -> Result<Self, Error> {
        let dir = TempDir::new().map_err(Error::io(std::env::temp_dir()))?;
        let paths = [COMMITTEE_FILE, SIGNATURES_FILE].map(|name| dir.path().join(name));
        for (input, path) in [committee, signatures].into_iter().zip(&paths) {
            match input {
                Input::Inline(text) => std::fs::write(path, text).map_err(Error::io(path))?,
                Input::Stored(digest) => cache.place(digest, path, INPUT_LIMIT).await?,
                Input::Sealed(digest) => cache.place_sealed(digest, path).await?,
            }
        }
        let [committee, signatures] = paths;
        Ok(Self { _dir: dir, committee, signatures })
    }
}
