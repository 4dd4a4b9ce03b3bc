//! What commands have in common.

use std::{
    io::{stderr, IsTerminal},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use bytesize::ByteSize;
use indicatif::{ProgressBar, ProgressStyle};

use muster_prover::VerifierKey;
use muster_sweep::memory::physical;

use crate::{
    child::Command,
    job::Task,
    metrics::Metrics,
    runner::{Labels, Local, Runner, Temporal},
    seal::{CodecKey, Seal},
    store::{Cache, Store},
    temporal::{connect, Server},
    work::Outcome,
    workshop::{Means, Place, Workshop},
    Error,
};

/// Between two pictures of what goes on.
const TICK: Duration = Duration::from_millis(250);

/// What machines share.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FarmArgs {
    /// The store that all machines share: a folder, or a URL such as s3://bucket/prefix.
    #[arg(long, value_name = "PLACE", env = "MUSTER_FARM_STORE")]
    store: String,
}

impl FarmArgs {
    /// The store, for those who only look after it.
    pub(super) async fn open(&self) -> Result<Store, Error> {
        let named = |error| named(&self.store, error);
        let store = Store::open(&self.store).map_err(named)?;
        store.is_farm().await.map_err(named)?;
        Ok(store)
    }

    /// The store, which is made if it does not exist.
    pub(super) fn make(&self) -> Result<Store, Error> {
        Store::make(&self.store)
    }

    /// The store for those who send or read what jobs are made from.
    pub(super) async fn open_with(&self, seal: Option<Seal>) -> Result<Store, Error> {
        let named = |error| named(&self.store, error);
        let store = Store::open(&self.store).map_err(named)?.sealed(seal);
        store.is_readable().await.map_err(named)?;
        Ok(store)
    }
}

/// An error with the place that it is about.
fn named(place: &str, error: Error) -> Error {
    match error {
        Error::NoFarm => Error::Usage(format!("{place}: {}", Error::NoFarm)),
        error => error,
    }
}

/// What a farm encrypts with.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CodecArgs {
    /// File or pipe with the key that encrypts requests on their way through the server and in the
    /// store: 32 bytes in hex. All machines and clients of a farm have the same key.
    #[arg(long, value_name = "FILE", env = "MUSTER_FARM_CODEC_KEY")]
    codec_key: Option<PathBuf>,
}

impl CodecArgs {
    pub(super) fn seal(&self) -> Result<Option<Seal>, Error> {
        let seal = |path: &PathBuf| Ok(Seal::new(CodecKey::read(path)?));
        self.codec_key.as_ref().map(seal).transpose()
    }
}

/// Where a machine keeps what it took from the store.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CacheArgs {
    /// Folder for files fetched from the store (default: one that is removed when this process
    /// ends).
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    /// Largest size of the folder.
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
    store: FarmArgs,
    #[command(flatten)]
    codec: CodecArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    server: Server,
    /// Tell the server whose jobs these are, so that owners get equal shares of the workers, and
    /// what its page can search them by: key, scheme, degree, case, owner. The server must know the
    /// search attributes (see PRODUCTION.md).
    #[arg(long)]
    labels: bool,
    /// Owner of the jobs: who asks for them.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(super) owner: String,
}

impl RunArgs {
    /// The store.
    pub(super) async fn open(&self) -> Result<Store, Error> {
        self.store.open_with(self.codec.seal()?).await
    }

    /// Has jobs done by a server's workers, or on this machine if no server is named.
    pub(super) async fn run(&self, store: &Store, tasks: Vec<Task>) -> Result<Vec<Outcome>, Error> {
        let mut levels = self.chain(store, vec![tasks], None).await?;
        Ok(levels.pop().unwrap_or_default())
    }

    /// The same for levels, each of which needs those before it. With the key of its proofs, those that the store has are looked at
    /// here.
    pub(super) async fn chain(
        &self,
        store: &Store,
        mut levels: Vec<Vec<Task>>,
        key: Option<&VerifierKey>,
    ) -> Result<Vec<Vec<Outcome>>, Error> {
        let bar = bar();
        let ended = if self.server.is_named()? {
            let labels = if self.labels { Labels::All } else { Labels::Few };
            let client = connect(&self.server, store.seal()).await?;
            let runner = Temporal::new(client, store.clone(), labels).holding(key.cloned());
            let runner = runner.showing(bar.clone());
            match levels.len() {
                1 => runner.run(levels.remove(0)).await.map(|ended| vec![ended]),
                _ => runner.chain(levels).await,
            }
        } else {
            let (cache, _folder) = self.cache.open(store.clone())?;
            let slots = threads();
            let memory = physical().map_or(u64::MAX, |bytes| bytes / 5 * 4);
            let means = means(Place::Inside, memory, slots, Metrics::default())?;
            let workshop: Arc<Workshop> = Workshop::new(cache, means)?;
            Local::new(workshop, slots).showing(bar.clone()).chain(levels).await
        };
        bar.finish_and_clear();
        ended
    }
}

/// How many jobs are at their end, on a terminal.
fn bar() -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    // The template is ours: were it wrong, a bar without words would still do.
    if let Ok(style) =
        ProgressStyle::with_template("{spinner} [{bar:24}] {pos}/{len} jobs ({elapsed})")
    {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(TICK);
    bar
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
