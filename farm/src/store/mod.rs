//! What machines share: artefacts by their SHA-256, pinned keys, results by the names of jobs.
//!
//! | place | what | written |
//! |---|---|---|
//! | `farm.json` | that this is the store of a farm, and which codec key is in use | once |
//! | `objects/<sha256>` | artefacts: files of keys, an SRS, inputs | once; checked whenever it is read |
//! | `keys/<digest of the verifying key>.json` | which artefacts are the files of a key | once, or again by `pin --force` |
//! | `made/<name>.json` | a result as its worker gave it, which nobody believes | again at each attempt |
//! | `results/<name>.json` | a result that somebody else verified: a proof, what a node of a tree of jobs says, a row of a sweep | once, unless what is there does not hold |
//! | `cancelled/<name>` | that a job is not to be done, and why | once |
//! | `starts/<name>/<n>` | a mark for each time that somebody began, removed if it ended in any orderly way | |
//!
//! Every read has a limit, so that nobody can fill another's memory or disk with what they wrote.

mod artefacts;
mod cache;
mod listing;
mod mark;
mod pinned;
mod starts;
#[cfg(test)]
mod tests;

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use object_store::{
    local::LocalFileSystem, path::Path, prefix::PrefixStore, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, PutOptions,
};
use url::Url;

use crate::{job::JobName, seal::Seal, Error};

pub use artefacts::INPUT_LIMIT;
pub use cache::Cache;
pub use listing::Overview;
pub(crate) use pinned::{key_limits, VERIFYING_LIMIT};
pub use pinned::{PinnedKey, KEY_FILES};
pub use starts::{Start, MOST_STARTS};

/// How the names of environment variables with credentials begin.
const CLOUDS: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

/// The longest result, verified or not: that of a proof's file.
pub const RESULT_LIMIT: u64 = 1 << 23;
/// The longest of whatever else is not an artefact: marks, lists of a key's files, reasons.
const NOTE_LIMIT: u64 = 1 << 16;

/// Whether something was written, or had been before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It was not there, and is now.
    New,
    /// It was there, and stays as it is.
    There,
}

/// A store.
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<dyn ObjectStore>,
    /// What inputs are encrypted with.
    seal: Option<Seal>,
}

impl Store {
    /// A folder, which is made if it does not exist, or a URL such as `s3://bucket/prefix`.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn make(place: &str) -> Result<Self, Error> {
        if !is_url(place) {
            std::fs::create_dir_all(place).map_err(Error::io(place))?;
        }
        Self::open(place)
    }

    /// A folder, or a URL such as `s3://bucket/prefix`.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a URL that is not understood; [`Error::Store`], also for a folder that does not exist.
    pub fn open(place: &str) -> Result<Self, Error> {
        let inner: Arc<dyn ObjectStore> = match Url::parse(place) {
            Ok(url) if is_url(place) => {
                let usage = |error: object_store::Error| Error::Usage(format!("{place}: {error}"));
                // Only what a cloud's own tools read, not variables that happen to have a similar name.
                let is_meant = |(name, _): &(String, String)| {
                    CLOUDS.iter().any(|start| name.starts_with(start))
                };
                let options = std::env::vars_os().filter_map(|(name, value)| {
                    Some((name.into_string().ok()?, value.into_string().ok()?))
                });
                let parsed = object_store::parse_url_opts(&url, options.filter(is_meant));
                let (store, prefix) = parsed.map_err(usage)?;
                Arc::new(PrefixStore::new(store, prefix))
            }
            _ => {
                if !std::path::Path::new(place).is_dir() {
                    return Err(Error::NoFarm);
                }
                Arc::new(LocalFileSystem::new_with_prefix(place)?.with_fsync(true))
            }
        };
        Ok(Self::over(inner))
    }

    /// A store of any kind.
    pub fn over(inner: Arc<dyn ObjectStore>) -> Self {
        Self { inner, seal: None }
    }

    /// The same, with encrypted inputs if there is a seal.
    pub fn sealed(self, seal: Option<Seal>) -> Self {
        Self { seal, ..self }
    }

    /// What inputs are encrypted with.
    pub(crate) fn seal(&self) -> Option<Seal> {
        self.seal.clone()
    }

    /// Stores what a worker claims to be the result of a job, in place of earlier claims.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn put_made(&self, job: &JobName, result: &str) -> Result<(), Error> {
        self.replace(&made(job), result.to_owned().into()).await
    }

    /// What a worker claims to be the result of a job: not to be believed.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] if it is longer than [`RESULT_LIMIT`], [`Error::Store`].
    pub async fn made(&self, job: &JobName) -> Result<Option<Bytes>, Error> {
        self.read(&made(job), RESULT_LIMIT).await
    }

    /// Whether a worker has claimed any result, which is not read.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn is_made(&self, job: &JobName) -> Result<bool, Error> {
        Ok(if_there(self.inner.head(&Path::from(made(job))).await)?.is_some())
    }

    /// Removes what a worker claimed.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn forget_made(&self, job: &JobName) -> Result<(), Error> {
        self.remove(&made(job)).await
    }

    /// Stores the result of a job, which the caller has verified. An existing one stays.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn publish(&self, job: &JobName, result: Bytes) -> Result<Stored, Error> {
        self.create(&kept(job), result).await
    }

    /// The same in place of one that does not hold.
    ///
    /// # Errors
    ///
    /// [`Error::Store`], also where results may be created but not replaced.
    pub async fn republish(&self, job: &JobName, result: Bytes) -> Result<(), Error> {
        self.replace(&kept(job), result).await
    }

    /// The result of a job, if there is one. Workers can write here, too: callers who rely on a result must verify it.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] if it is longer than [`RESULT_LIMIT`], [`Error::Store`].
    pub async fn result(&self, job: &JobName) -> Result<Option<Bytes>, Error> {
        self.read(&kept(job), RESULT_LIMIT).await
    }

    /// Removes the result of a job.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub(crate) async fn forget_result(&self, job: &JobName) -> Result<(), Error> {
        self.remove(&kept(job)).await
    }

    /// Records that a job is not to be done. One that is being done is not interrupted.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a reason that is too long to be read, [`Error::Store`].
    pub async fn cancel(&self, job: &JobName, reason: &str) -> Result<Stored, Error> {
        if reason.len() as u64 > NOTE_LIMIT {
            let length = reason.len();
            return Err(Error::Usage(format!("reason: {length} bytes are more than {NOTE_LIMIT}")));
        }
        self.create(&cancelled(job), reason.to_owned().into()).await
    }

    /// Why a job is not to be done, if somebody said so.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for a reason that is too long, [`Error::Store`].
    pub async fn cancelled(&self, job: &JobName) -> Result<Option<String>, Error> {
        let reason = self.read(&cancelled(job), NOTE_LIMIT).await?;
        Ok(reason.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Writes an object that must not exist yet, whole or not at all.
    async fn create(&self, name: &str, bytes: Bytes) -> Result<Stored, Error> {
        let (path, options) = (Path::from(name), PutOptions::from(PutMode::Create));
        match self.inner.put_opts(&path, bytes.into(), options).await {
            Ok(_) => Ok(Stored::New),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(Stored::There),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes an object, in place of any that exists.
    async fn replace(&self, name: &str, bytes: Bytes) -> Result<(), Error> {
        self.inner.put(&Path::from(name), bytes.into()).await?;
        Ok(())
    }

    /// The object, if it exists, of at most `limit` bytes.
    async fn read(&self, name: &str, limit: u64) -> Result<Option<Bytes>, Error> {
        let answer = self.inner.get(&Path::from(name)).await;
        let Some(found) = if_there(answer)? else { return Ok(None) };
        is_short(name, found.meta.size, limit)?;
        Ok(Some(found.bytes().await?))
    }

    async fn remove(&self, name: &str) -> Result<(), Error> {
        if_there(self.inner.delete(&Path::from(name)).await).map(drop)
    }
}

/// What a store answers; `None` if there is no such object.
fn if_there<T>(answer: object_store::Result<T>) -> Result<Option<T>, Error> {
    match answer {
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        answer => Ok(Some(answer?)),
    }
}

/// Whether something was written at least `age` ago.
fn is_older(object: &ObjectMeta, age: Duration) -> bool {
    let written = SystemTime::from(object.last_modified);
    SystemTime::now().duration_since(written).is_ok_and(|since| since >= age)
}

/// Refuses what is longer than it may be.
fn is_short(name: &str, size: u64, limit: u64) -> Result<(), Error> {
    if size <= limit {
        return Ok(());
    }
    let reason = format!("{size} bytes, more than the {limit} that it may have");
    Err(Error::Malformed { name: name.to_owned(), reason })
}

/// Whether it is a URL: a scheme of a single letter is a drive.
fn is_url(place: &str) -> bool {
    Url::parse(place).is_ok_and(|url| url.scheme().len() > 1)
}

fn made(job: &JobName) -> String {
    format!("made/{}.json", job.digits())
}

fn cancelled(job: &JobName) -> String {
    format!("cancelled/{}", job.digits())
}

fn kept(job: &JobName) -> String {
    format!("results/{}.json", job.digits())
}
