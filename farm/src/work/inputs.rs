//! The files of a job, in a folder of their own.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::{
    job::{Input, Job},
    store::Cache,
    Error,
};

/// The files of a job. They are removed with this.
#[derive(Debug)]
pub struct Inputs {
    /// Kept for its removal.
    _dir: TempDir,
    /// The committee's file.
    pub committee: PathBuf,
    /// The file of signatures.
    pub signatures: PathBuf,
}

impl Inputs {
    /// Writes them, from the job or from the store.
    ///
    /// # Errors
    ///
    /// Those of the store, [`Error::Io`].
    pub async fn of(job: &Job, cache: &Cache) -> Result<Self, Error> {
        let dir = TempDir::new().map_err(Error::io(std::env::temp_dir()))?;
        let committee = dir.path().join("committee.json");
        let signatures = dir.path().join("signatures.json");
        for (input, path) in [(&job.committee, &committee), (&job.signatures, &signatures)] {
            match input {
                Input::Inline(text) => std::fs::write(path, text).map_err(Error::io(path))?,
                Input::Stored(digest) => cache.place(digest, path).await?,
            }
        }
        Ok(Self { _dir: dir, committee, signatures })
    }
}
