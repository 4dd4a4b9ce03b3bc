//! What a store has, and which of it nobody needs any more.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use futures::TryStreamExt;
use object_store::{path::Path, ObjectMeta};
use serde::Serialize;

use super::{is_older, Store, MOST_STARTS};
use crate::{digest::Digest, job::JobName, Error};

/// What a store has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// Keys that the farm proves with.
    pub keys: Vec<Digest>,
    /// Results that were verified.
    pub results: usize,
    /// Results that wait to be verified.
    pub unverified: usize,
    /// Jobs being done, or whose workers were not heard of again: how often each was begun.
    pub begun: BTreeMap<String, usize>,
    /// Those of them that are given up.
    pub given_up: usize,
}

impl Store {
    /// An overview of the store.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn overview(&self) -> Result<Overview, Error> {
        let mut found = Overview::default();
        for object in self.list("keys").await? {
            let stem = object.location.filename().and_then(|name| name.strip_suffix(".json"));
            found.keys.extend(stem.and_then(|digits| format!("0x{digits}").parse::<Digest>().ok()));
        }
        found.keys.sort();
        found.results = self.list("results").await?.len();
        found.unverified = self.list("made").await?.len();
        for object in self.list("starts").await? {
            if let Some(job) = object.location.parts().nth(1) {
                *found.begun.entry(format!("0x{}", job.as_ref())).or_default() += 1;
            }
        }
        found.given_up = found.begun.values().filter(|count| **count >= MOST_STARTS).count();
        Ok(found)
    }

    /// Lets a job be tried again that was given up or cancelled, or whose result does not hold: forgets its marks,
    /// the worker's unverified result, and the result.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn retry(&self, job: &JobName) -> Result<(), Error> {
        self.forget_starts(job).await?;
        self.remove(&super::cancelled(job)).await?;
        self.forget_made(job).await?;
        self.forget_result(job).await
    }

    /// Removes what is older than `age` and only of use to jobs being done: inputs, unverified results, and marks.
    /// Pinned keys and results stay. Returns how many objects are gone.
    ///
    /// # Errors
    ///
    /// [`Error::Store`]; [`Error::Malformed`] for a pinned key that is not understood, before anything is removed.
    pub async fn collect(&self, age: Duration) -> Result<usize, Error> {
        let mut kept = BTreeSet::new();
        for key in self.overview().await?.keys {
            let pinned = self.pinned(&key).await?;
            kept.extend(pinned.files.iter().chain([&pinned.srs]).map(Digest::digits));
        }
        let mut removed = 0;
        for prefix in ["objects", "made", "starts", "cancelled"] {
            for object in self.list(prefix).await? {
                let is_kept = object.location.filename().is_some_and(|name| kept.contains(name));
                if !is_kept && is_older(&object, age) {
                    self.remove(object.location.as_ref()).await?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    async fn list(&self, prefix: &str) -> Result<Vec<ObjectMeta>, Error> {
        Ok(self.inner.list(Some(&Path::from(prefix))).try_collect().await?)
    }
}
