//! A bounded folder of a machine with artefacts that it took from the store.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use bytes::Bytes;

use super::Store;
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
    /// The artefacts of a store in a folder, which is made if it does not exist, of at most `limit` bytes beside what was
    /// taken last.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn new(store: Store, dir: impl Into<PathBuf>, limit: u64) -> Result<Self, Error> {
        let dir = dir.into();
        fs::create_dir_all(&dir).map_err(Error::io(&dir))?;
        Ok(Self { store, dir, limit, metrics: Metrics::default() })
    }

    /// The same, telling what was there.
    pub fn metered(self, metrics: Metrics) -> Self {
        Self { metrics, ..self }
    }

    /// The store behind it.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Puts an artefact at `path`, from the folder if it is there and is what it should be, or else from the store.
    ///
    /// # Errors
    ///
    /// Those of [`Store::get`], and [`Error::Io`].
    pub async fn place(&self, digest: &Digest, path: &Path) -> Result<(), Error> {
        let bytes = self.take(digest).await?;
        fs::write(path, &bytes).map_err(Error::io(path))
    }

    /// The same of an encrypted input, which is decrypted on its way.
    ///
    /// # Errors
    ///
    /// As [`Self::place`], and those of decrypting.
    pub async fn place_sealed(&self, digest: &Digest, path: &Path) -> Result<(), Error> {
        let sealed = self.take(digest).await?;
        let plain = self.store.open_input(digest, sealed)?;
        fs::write(path, &plain).map_err(Error::io(path))
    }

    async fn take(&self, digest: &Digest) -> Result<Bytes, Error> {
        let kept = self.dir.join(digest.digits());
        let found = fs::read(&kept).ok().filter(|bytes| Digest::of(bytes) == *digest);
        self.metrics.cached(found.is_some());
        let bytes = match found {
            Some(bytes) => bytes.into(),
            None => {
                let bytes = self.store.get(digest).await?;
                self.keep(&kept, &bytes)?;
                bytes
            }
        };
        touch(&kept);
        Ok(bytes)
    }

    /// Adds a file, whole or not at all, and removes those that were not used for the longest time.
    fn keep(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut file = tempfile::NamedTempFile::new_in(&self.dir).map_err(Error::io(&self.dir))?;
        io::Write::write_all(&mut file, bytes).map_err(Error::io(path))?;
        file.persist(path).map_err(|error| Error::io(path)(error.error))?;
        self.shrink(path).map_err(Error::io(&self.dir))
    }

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

/// Marks a file as used now. If that fails, it is only removed sooner.
fn touch(path: &Path) {
    if let Ok(file) = fs::File::options().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}
