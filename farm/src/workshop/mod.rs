//! Where a machine does its jobs: keys are fetched and loaded once, memory is shared, marks are left and removed.

mod confirming;
mod fitness;
mod hands;
mod keys;
mod means;

use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
    time::Duration,
};

use muster_prover::VerifierKey;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::sync::{Mutex, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::{
    child::{self, once, Once},
    digest::Digest,
    job::{Job, JobName, Prove, SweepRow, Work, VERSION},
    metrics::Phase,
    store::{Cache, Start, Store, MOST_STARTS},
    work::{Fault, Inputs, KeyFolder, Part},
    Error,
};

use hands::{Hand, Hands};

pub use confirming::Confirmed;
pub(crate) use keys::OTHER_PACKS;
pub(crate) use means::LEAST;
pub use means::{Means, Place};

/// Pauses, in seconds, before a store that refused a result is asked again.
const PAUSES: [u64; 5] = [1, 2, 4, 8, 16];

/// The outcome of a job at a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Made {
    /// Its result is in the store, for somebody else to verify.
    Done,
    /// There was one before, which was verified again.
    There,
    /// There is no result.
    Failed(Fault),
}

impl Made {
    /// Its name in metrics.
    fn outcome(&self) -> &'static str {
        match self {
            Self::Done => "made",
            Self::There => "there",
            Self::Failed(fault) => fault.name(),
        }
    }
}

/// Does jobs.
#[derive(Debug)]
pub struct Workshop {
    cache: Cache,
    folders: TempDir,
    hands: Hands,
    means: Means,
    /// A job that measures has the machine to itself; all others share it.
    floor: Arc<RwLock<()>>,
    fetching: Mutex<()>,
    is_closing: AtomicBool,
}

/// The right to the machine, or to a part of it.
enum Turn {
    Shared { _guard: OwnedRwLockReadGuard<()> },
    Alone { _guard: OwnedRwLockWriteGuard<()> },
}

impl Workshop {
    /// A workshop that takes what it needs through `cache`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn new(cache: Cache, means: Means) -> Result<Arc<Self>, Error> {
        let folders = TempDir::new().map_err(Error::io(std::env::temp_dir()))?;
        let (cache, hands) = (cache.metered(means.metrics.clone()), Hands::new(means.clone()));
        let (floor, fetching, is_closing) = (Arc::default(), Mutex::default(), false.into());
        Ok(Arc::new(Self { cache, folders, hands, means, floor, fetching, is_closing }))
    }

    /// The store behind it.
    pub fn store(&self) -> &Store {
        self.cache.store()
    }

    /// From now on, jobs that do not end count as given back, not as crashed.
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    /// IDs of the processes that prove, for monitoring them.
    pub async fn pids(&self) -> Vec<u32> {
        self.hands.pids().await
    }

    /// How many of the jobs are in which phase, in words.
    pub fn at_work(&self) -> String {
        self.means.metrics.at_work()
    }

    /// Reports the memory in use, where the system tells it.
    pub async fn weigh(&self) {
        let pids = self.pids().await.into_iter().chain([std::process::id()]);
        self.means.metrics.used(pids.filter_map(resident).sum());
    }

    /// Makes sure that the store has the result of a job, verified or not.
    pub async fn make(&self, job: &Job) -> Made {
        let made = self.try_make(job).await.unwrap_or_else(Made::Failed);
        self.means.metrics.job(job.work.kind(), made.outcome());
        made
    }

    async fn try_make(&self, job: &Job) -> Result<Made, Fault> {
        if job.version > VERSION {
            // Newer workers know what to do with it.
            return Err(Fault::Worker(format!("it is older than job version {}", job.version)));
        }
        job.check().map_err(Fault::BadInput)?;
        let (store, name, kind) = (self.store(), job.name(), job.work.kind());
        let metrics = &self.means.metrics;
        if self.is_there(job).await? {
            return Ok(Made::There);
        }
        // Whatever it is, somebody else will verify it.
        if store.is_made(&name).await? {
            return Ok(Made::Done);
        }
        if let Some(reason) = store.cancelled(&name).await? {
            return Err(Fault::Cancelled(reason));
        }
        // The mark comes first: what kills a worker while it reads must be counted, too.
        let (turn, start) = metrics.timed(kind, Phase::Waiting, self.begin(job)).await?;
        tracing::info!(job = %name, kind, owner = job.owner, "begun");
        let result = match self.result(job).await {
            Err(fault) => Err(self.blame(fault).await),
            made => made,
        };
        drop(turn);
        match &result {
            Ok(_) => tracing::info!(job = %name, kind, "done"),
            Err(fault) => tracing::warn!(job = %name, kind, fault = %fault.unnamed(), "not done"),
        }
        self.end(&name, start, &result).await?;
        let result = result?;
        metrics.timed(kind, Phase::Storing, self.keep(&name, &result)).await?;
        Ok(Made::Done)
    }

    /// The right to the machine, or to a part of it, and the mark that a job is begun. One that was begun before and
    /// did not end has the machine to itself, so that it takes no other job down with it: only then does it count.
    async fn begin(&self, job: &Job) -> Result<(Turn, Start), Fault> {
        let (name, is_measured) = (job.name(), job.work.is_measured());
        let turn = self.turn(is_measured).await;
        let start = self.mark(&name).await?;
        if is_measured || start.is_first() {
            return Ok((turn, start));
        }
        self.store().finish(start).await?;
        drop(turn);
        let turn = self.turn(true).await;
        Ok((turn, self.mark(&name).await?))
    }

    /// Removes the mark, and all others of a job that is done. A crash is counted by leaving the mark.
    async fn end(
        &self,
        name: &JobName,
        start: Start,
        result: &Result<String, Fault>,
    ) -> Result<(), Error> {
        let is_closing = self.is_closing.load(Ordering::Relaxed);
        match result {
            Ok(_) if !start.is_first() => self.store().forget_starts(name).await,
            Err(Fault::Crash(_)) if !is_closing => Ok(()),
            _ => self.store().finish(start).await,
        }
    }

    async fn mark(&self, name: &JobName) -> Result<Start, Fault> {
        self.store().start(name).await?.ok_or_else(|| {
            Fault::Dead(format!(
                "{MOST_STARTS} workers that started it were never heard from again"
            ))
        })
    }

    /// Puts a result into the store; if that refuses, tries for a while, since it would have to be made again.
    async fn keep(&self, name: &JobName, result: &str) -> Result<(), Error> {
        for pause in PAUSES {
            match self.store().put_made(name, result).await {
                Err(Error::Store(error)) => tracing::warn!(job = %name, %error, "not stored yet"),
                other => return other,
            }
            tokio::time::sleep(Duration::from_secs(pause)).await;
        }
        self.store().put_made(name, result).await
    }

    /// The keys and the files of a proof.
    async fn ready(&self, prove: &Prove) -> Result<(Arc<Hand>, Inputs), Fault> {
        let Prove { claim, committee, signatures, .. } = prove;
        let folder = self.folder(claim.key, Part::Whole).await?;
        let inputs = match Inputs::of([committee, signatures], &self.cache).await {
            // If this worker has another key than the farm's, it is the worker that cannot read it.
            Err(error @ Error::Sealed { .. }) => {
                self.store().is_readable().await?;
                return Err(error.into());
            }
            inputs => inputs?,
        };
        Ok((self.hands.take(&folder, claim.key).await?, inputs))
    }

    async fn turn(&self, is_alone: bool) -> Turn {
        let floor = self.floor.clone();
        if is_alone {
            Turn::Alone { _guard: floor.write_owned().await }
        } else {
            Turn::Shared { _guard: floor.read_owned().await }
        }
    }

    /// The work itself: the text of its result.
    async fn result(&self, job: &Job) -> Result<String, Fault> {
        let (metrics, kind) = (&self.means.metrics, job.work.kind());
        if !matches!(job.work, Work::Prove(_)) {
            // What it needs is fetched when it is needed.
            metrics.spent(kind, Phase::Loading, Duration::ZERO);
        }
        match &job.work {
            Work::Prove(prove) => {
                let (hand, inputs) = metrics.timed(kind, Phase::Loading, self.ready(prove)).await?;
                // It waits for its turn, and times both phases itself.
                hand.prove(prove, inputs, metrics).await
            }
            Work::Verify(verify) => {
                let said = metrics.timed(kind, Phase::Proving, self.node(verify)).await?;
                said.map_err(Fault::BadInput)
            }
            Work::SweepRow(row) => metrics.timed(kind, Phase::Proving, self.measure(row)).await,
            Work::Keygen(keygen) => metrics.timed(kind, Phase::Proving, self.keygen(keygen)).await,
            Work::Simulate(simulate) => {
                let order = Once::Simulate(simulate.asked.clone());
                metrics.timed(kind, Phase::Proving, once(&self.means.command, &order)).await
            }
        }
    }

    /// Measures a row in a separate process. What fails there may succeed elsewhere.
    async fn measure(&self, row: &SweepRow) -> Result<String, Fault> {
        let record = child::measure(&self.means.command, &row.asked).await?;
        match record.failure() {
            Some(reason) => Err(Fault::Crash(reason.to_owned())),
            None => Ok(serde_json::to_string(&record).expect("texts and numbers") + "\n"),
        }
    }

    async fn folder(&self, key: Digest, part: Part) -> Result<KeyFolder, Error> {
        let root: PathBuf = self.folders.path().join(part.name());
        // Jobs of the same key that come together fetch it once.
        let _one = self.fetching.lock().await;
        KeyFolder::take(&self.cache, key, &root, part).await
    }

    /// A key that verifies, taken by its digest.
    async fn verifier(&self, key: Digest) -> Result<VerifierKey, Error> {
        let folder = self.folder(key, Part::Verifying).await?;
        let found = VerifierKey::load(folder.dir())?;
        match Digest(found.digest()) {
            found_key if found_key == key => Ok(found),
            other => Err(Error::Malformed {
                name: format!("keys/{}.json", key.digits()),
                reason: format!("the keys pinned as {key} are {other}"),
            }),
        }
    }
}

/// Resident memory of a process, in bytes.
fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
