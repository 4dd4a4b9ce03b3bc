//! Where a machine does its jobs: keys taken and loaded once, memory shared out, marks left and taken back.

mod hands;

use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
};

use muster_prover::VerifierKey;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::{
    digest::Digest,
    job::Job,
    store::{Cache, Store, Stored, MOST_STARTS},
    work::{self, Fault, Inputs, KeyFolder, Part},
    Error,
};

use hands::Hands;

pub use hands::{Capacity, Place};

/// What came of a job at a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Made {
    /// A proof is in the store, for somebody else to verify.
    Proof,
    /// There was a verified one before.
    There,
    /// There is none.
    Failed(Fault),
}

/// What came of verifying what a worker made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmed {
    /// The store has the proof for good.
    Yes,
    /// It is no proof of the job, and why.
    No(String),
}

/// Does jobs.
#[derive(Debug)]
pub struct Workshop {
    cache: Cache,
    folders: TempDir,
    hands: Hands,
    is_closing: AtomicBool,
}

impl Workshop {
    /// A workshop that does its jobs in this process or in children of it.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn new(cache: Cache, place: Place, capacity: Capacity) -> Result<Arc<Self>, Error> {
        let folders = TempDir::new().map_err(Error::io(std::env::temp_dir()))?;
        let hands = Hands::new(place, capacity);
        Ok(Arc::new(Self { cache, folders, hands, is_closing: false.into() }))
    }

    /// The store behind it.
    pub fn store(&self) -> &Store {
        self.cache.store()
    }

    /// From now on, jobs that do not end count as given back, and not as crashed.
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    /// Numbers of the processes that prove, for those who look after them.
    pub async fn pids(&self) -> Vec<u32> {
        self.hands.pids().await
    }

    /// Sees to it that the store has a proof of a job, verified or not.
    pub async fn make(&self, job: &Job) -> Made {
        match self.try_make(job).await {
            Ok(made) => made,
            Err(fault) => Made::Failed(fault),
        }
    }

    async fn try_make(&self, job: &Job) -> Result<Made, Fault> {
        job.check().map_err(Fault::BadInput)?;
        let (store, name) = (self.store(), job.name());
        if store.proof(&name).await?.is_some() {
            return Ok(Made::There);
        }
        if store.made(&name).await?.is_some() {
            return Ok(Made::Proof);
        }
        let folder = self.folder(job.key, Part::Whole).await?;
        let inputs = Inputs::of(job, &self.cache).await?;
        let hand = self.hands.take(&folder, job.key).await?;
        let Some(start) = store.start(&name).await? else {
            let reason = format!("{MOST_STARTS} workers that began it were never heard of again");
            return Err(Fault::Dead(reason));
        };
        tracing::info!(job = %name, "proving");
        let proof = hand.prove(job, inputs).await;
        match &proof {
            Ok(_) => tracing::info!(job = %name, "proven"),
            Err(fault) => tracing::warn!(job = %name, %fault, "not proven"),
        }
        // A crash is counted by the mark that stays.
        let is_crash = matches!(proof, Err(Fault::Crash(_)));
        if !is_crash || self.is_closing.load(Ordering::Relaxed) {
            store.finish(start).await?;
        }
        store.put_made(&name, &proof?).await?;
        Ok(Made::Proof)
    }

    /// Verifies what a worker made, and keeps it for good.
    ///
    /// # Errors
    ///
    /// Those of the store: nothing is said of the proof.
    pub async fn confirm(&self, job: &Job) -> Result<Confirmed, Error> {
        let (store, name) = (self.store(), job.name());
        if store.proof(&name).await?.is_some() {
            store.forget_made(&name).await?;
            return Ok(Confirmed::Yes);
        }
        let Some(bytes) = store.made(&name).await? else {
            return Ok(Confirmed::No("there is none in the store".into()));
        };
        let folder = self.folder(job.key, Part::Verifying).await?;
        let found = VerifierKey::load(folder.dir())?;
        let verdict = work::confirm_bytes(&found, job, &bytes);
        let confirmed = match verdict {
            Ok(()) => {
                // Whether new or there before: it is a verified proof of the same statement.
                let (Stored::New | Stored::There) = store.publish(&name, bytes).await?;
                Confirmed::Yes
            }
            Err(reason) => {
                tracing::error!(job = %name, reason, "a worker gave a proof that does not hold");
                Confirmed::No(reason)
            }
        };
        store.forget_made(&name).await?;
        Ok(confirmed)
    }

    async fn folder(&self, key: Digest, part: Part) -> Result<KeyFolder, Error> {
        let root: PathBuf = self.folders.path().join(part.name());
        KeyFolder::take(&self.cache, key, &root, part).await
    }
}
