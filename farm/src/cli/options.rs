//! What commands have in common.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytesize::ByteSize;

use crate::{
    child::Command,
    job::Task,
    metrics::Metrics,
    runner::{Labels, Local, Runner, Temporal},
    store::{Cache, Store},
    temporal::{connect, Server},
    work::Outcome,
    workshop::{Means, Place, Workshop},
    Error,
};

/// What machines share.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FarmArgs {
    /// The store that all machines share: a folder, or a URL such as s3://bucket/prefix.
    #[arg(long, value_name = "PLACE", env = "MUSTER_FARM_STORE")]
    store: String,
}

impl FarmArgs {
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

/// Who does the jobs.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) store: FarmArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    server: Server,
    /// Tell the server whose jobs these are, so that owners get equal shares of the workers, and what its page finds them by: key, scheme,
    /// case, owner. The server must know the search attributes (see PRODUCTION.md).
    #[arg(long)]
    labels: bool,
    /// Who asks.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(super) owner: String,
}

impl RunArgs {
    /// Has jobs done by a server's workers, or on this machine if no server is named.
    pub(super) async fn run(&self, store: &Store, tasks: Vec<Task>) -> Result<Vec<Outcome>, Error> {
        let mut levels = self.chain(store, vec![tasks]).await?;
        Ok(levels.pop().unwrap_or_default())
    }

    /// The same for levels, each of which needs those before it.
    pub(super) async fn chain(
        &self,
        store: &Store,
        mut levels: Vec<Vec<Task>>,
    ) -> Result<Vec<Vec<Outcome>>, Error> {
        if self.server.is_named()? {
            let labels = if self.labels { Labels::All } else { Labels::Few };
            let runner = Temporal::new(connect(&self.server).await?, store.clone(), labels);
            return match levels.len() {
                1 => Ok(vec![runner.run(levels.remove(0)).await?]),
                _ => runner.chain(levels).await,
            };
        }
        let (cache, _folder) = self.cache.open(store.clone())?;
        let slots = threads();
        let means = means(Place::Inside, u64::MAX, slots, Metrics::default())?;
        let workshop: Arc<Workshop> = Workshop::new(cache, means)?;
        Local::new(workshop, slots).chain(levels).await
    }
}

/// What this machine has: this program, and all of its processors.
pub(super) fn means(
    place: Place,
    memory: u64,
    slots: usize,
    metrics: Metrics,
) -> Result<Means, Error> {
    let program = std::env::current_exe().map_err(Error::io("own program"))?;
    let command = Command { program, threads: threads() };
    Ok(Means { command, place, memory, slots, metrics })
}

/// Threads that compute.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Writes a file whole or not at all; over one that exists only by `force`.
pub(super) fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(Error::io(dir))?;
    file.write_all(bytes).map_err(Error::io(path))?;
    let written = if force { file.persist(path) } else { file.persist_noclobber(path) };
    written.map(drop).map_err(|error| Error::io(path)(error.error))
}
