//! What commands have in common.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use bytesize::ByteSize;

use crate::{
    store::{Cache, Store},
    Error,
};

/// What machines share.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct StoreArgs {
    /// The store that all machines share: a folder, or a URL such as s3://bucket/prefix.
    #[arg(long, value_name = "PLACE", env = "MUSTER_FARM_STORE")]
    store: String,
}

impl StoreArgs {
    pub(super) fn open(&self) -> Result<Store, Error> {
        Store::open(&self.store)
    }
}

/// Where a machine keeps what it took from the store.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CacheArgs {
    /// Folder for what was taken from the store (default: one that goes with this process).
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// What the folder may grow to.
    #[arg(long, value_name = "SIZE", default_value = "20G")]
    cache: ByteSize,
}

impl CacheArgs {
    /// The cache, and the folder that goes with it.
    pub(super) fn open(&self, store: Store) -> Result<(Cache, Option<tempfile::TempDir>), Error> {
        match &self.cache_dir {
            Some(dir) => Ok((Cache::new(store, dir, self.cache.as_u64())?, None)),
            None => {
                let dir = tempfile::TempDir::new().map_err(Error::io(std::env::temp_dir()))?;
                Ok((Cache::new(store, dir.path(), self.cache.as_u64())?, Some(dir)))
            }
        }
    }
}

/// Threads that compute.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Writes a file whole or not at all; over one that exists only by `force`.
pub(super) fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(Error::io(dir))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    let written = if force { file.persist(path) } else { file.persist_noclobber(path) };
    written.map(drop).map_err(|error| Error::io(path)(error.error))
}
