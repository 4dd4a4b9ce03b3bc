//! How often somebody began a job and was never heard of again.
//!
//! A worker leaves a mark before it begins, and takes it back however the job ends, as long as the worker itself is
//! still there to do it. Marks that stay are of workers that died at work. The store counts and not the engine, so that
//! no job that kills its worker can hide among others that it was taken up with.

use super::{Store, Stored};
use crate::{job::JobName, Error};

/// A job that was begun so often without an end is dead. The first time it may have been a neighbour's fault; from the second on
/// it has its worker alone.
pub const MOST_STARTS: usize = 4;

/// A mark that somebody began.
#[derive(Debug)]
#[must_use = "it is taken back when the job ends"]
pub struct Start {
    name: String,
    is_first: bool,
}

impl Start {
    /// Whether nobody has begun the job before who was not heard of again, or is at work.
    pub fn is_first(&self) -> bool {
        self.is_first
    }
}

impl Store {
    /// Leaves a mark that the job is begun; none if it was begun too often.
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

    /// Takes a mark back.
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
