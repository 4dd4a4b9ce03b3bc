//! How often somebody began a job and was never heard of again.
//!
//! A worker leaves a mark before it begins, and removes it however the job ends, as long as the worker itself is
//! alive to do it. Marks that stay are from workers that died on the job. The store counts them rather than the
//! engine, so that a job that kills its worker cannot hide among others done with it.

use super::{Store, Stored};
use crate::{job::JobName, Error};

/// A job that was begun this often without ending is dead. The first time it may have been another job's fault;
/// from the second time on it has its worker to itself.
pub const MOST_STARTS: usize = 4;

/// A mark that somebody has begun a job.
#[derive(Debug)]
#[must_use = "it is taken back when the job ends"]
pub struct Start {
    name: String,
    is_first: bool,
}

impl Start {
    /// Whether there is no other mark of the job: nobody else is doing it, or began it and was not heard of again.
    pub fn is_first(&self) -> bool {
        self.is_first
    }
}

impl Store {
    /// Leaves a mark that the job was begun; none if it was begun too often.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn start(&self, job: &JobName) -> Result<Option<Start>, Error> {
        for number in 0..MOST_STARTS {
            let name = format!("starts/{}/{number}", job.digits());
            if self.create(&name, bytes::Bytes::new()).await? == Stored::New {
                return Ok(Some(Start { name, is_first: number == 0 }));
            }
        }
        Ok(None)
    }

    /// Removes a mark.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn finish(&self, start: Start) -> Result<(), Error> {
        self.remove(&start.name).await
    }

    /// Forgets how often a job was begun, so that it can be tried again.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn forget_starts(&self, job: &JobName) -> Result<(), Error> {
        for number in 0..MOST_STARTS {
            self.remove(&format!("starts/{}/{number}", job.digits())).await?;
        }
        Ok(())
    }
}
