//! A bounded folder on a machine with artefacts fetched from the store.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{artefacts::object, is_short, Store, INPUT_LIMIT};
use crate::{digest::Digest, metrics::Metrics, Error};

/// A folder with artefacts by their digests.
#[derive(Clone, Debug)]
pub struct Cache {
    store: Store,
    dir: PathBuf,
    limit: u64,
    metrics: Metrics,
}

impl Cache {
    /// A store's artefacts in a folder, made if need be, of at most `limit` bytes besides the one fetched last.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn new(store: Store, dir: impl Into<PathBuf>, limit: u64) -> Result<Self, Error> {
        let dir = dir.into();
        fs::create_dir_all(&dir).map_err(Error::io(&dir))?;
        Ok(Self { store, dir, limit, metrics: Metrics::default() })
    }

    /// The same, counting what was already there.
    pub fn metered(self, metrics: Metrics) -> Self {
        Self { metrics, ..self }
    }

    /// Where it is.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The store behind it.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Puts an artefact of at most `limit` bytes at `path`, from a good copy in the folder or else from the store.
    ///
    /// # Errors
    ///
    /// Those of [`Store::fetch`], and [`Error::Io`].
    pub async fn place(&self, digest: &Digest, path: &Path, limit: u64) -> Result<(), Error> {
        let kept = self.take(digest, limit).await?;
        fs::copy(kept, path).map(drop).map_err(Error::io(path))
    }

    /// The same for an encrypted input, which is decrypted on the way.
    ///
    /// # Errors
    ///
    /// As [`Self::place`], and those of decrypting.
    pub async fn place_sealed(&self, digest: &Digest, path: &Path) -> Result<(), Error> {
        let kept = self.take(digest, INPUT_LIMIT).await?;
        let sealed = fs::read(&kept).map_err(Error::io(kept))?;
        let plain = self.store.open_input(digest, &sealed)?;
        fs::write(path, &plain).map_err(Error::io(path))
    }

    /// Makes sure that an artefact is in the folder, and returns its path.
    async fn take(&self, digest: &Digest, limit: u64) -> Result<PathBuf, Error> {
        let kept = self.dir.join(digest.digits());
        if let Ok(found) = fs::metadata(&kept) {
            is_short(&object(digest), found.len(), limit)?;
        }
        let is_there = Digest::of_file(&kept).is_ok_and(|found| found == *digest);
        self.metrics.cached(is_there);
        if !is_there {
            // Whole or not at all.
            let new = tempfile::NamedTempFile::new_in(&self.dir).map_err(Error::io(&self.dir))?;
            self.store.fetch(digest, new.path(), limit).await?;
            new.persist(&kept).map_err(|error| Error::io(&kept)(error.error))?;
            self.shrink(&kept).map_err(Error::io(&self.dir))?;
        }
        touch(&kept);
        Ok(kept)
    }

    /// Removes the least recently used artefacts.
    fn shrink(&self, newest: &Path) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let entry = entry?;
            let found = entry.metadata()?;
            files.push((found.modified()?, found.len(), entry.path()));
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files {
            if bytes > self.limit && path != newest {
                fs::remove_file(path)?;
                bytes -= length;
            }
        }
        Ok(())
    }
}

/// Marks a file as used now. If that fails, the file is only removed sooner.
fn touch(path: &Path) {
    if let Ok(file) = fs::File::options().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}
