//! Jobs done on this machine alone, without any server.

use std::sync::Arc;

use futures::{stream, StreamExt, TryStreamExt};

use super::{distinct, in_order, not_begun, Runner};
use crate::{
    job::{Job, Task},
    store::MOST_STARTS,
    work::{Fault, Outcome},
    workshop::{Confirmed, Made, Workshop},
    Error,
};

/// Does jobs in a workshop of this process, some at once.
#[derive(Clone, Debug)]
pub struct Local {
    workshop: Arc<Workshop>,
    at_once: usize,
}

impl Local {
    /// Does so many jobs at once.
    pub fn new(workshop: Arc<Workshop>, at_once: usize) -> Self {
        Self { workshop, at_once: at_once.max(1) }
    }

    async fn one(&self, job: &Job) -> Result<Outcome, Error> {
        let mut reason = String::new();
        for _ in 0..MOST_STARTS {
            match self.workshop.make(job).await {
                Made::There => return Ok(Outcome::Done),
                // There is no other worker that could do better.
                Made::Failed(Fault::Worker(reason) | Fault::Outage(reason)) => {
                    return Err(Error::Unfit(reason));
                }
                Made::Failed(fault) if fault.is_final() => return Ok(Outcome::Failed(fault)),
                Made::Failed(fault) => reason = fault.to_string(),
                Made::Done => match self.confirm(job).await? {
                    Confirmed::Yes => return Ok(Outcome::Done),
                    Confirmed::No(found) => reason = format!("it does not hold: {found}"),
                },
            }
        }
        Ok(Outcome::Failed(Fault::Dead(reason)))
    }
}

impl Local {
    async fn confirm(&self, job: &Job) -> Result<Confirmed, Error> {
        let mut confirmed = self.workshop.confirm(std::slice::from_ref(job)).await?;
        Ok(confirmed.pop().unwrap_or_else(|| Confirmed::No("nobody looked at it".into())))
    }
}

impl Runner for Local {
    async fn run(&self, tasks: Vec<Task>) -> Result<Vec<Outcome>, Error> {
        let (names, tasks) = distinct(tasks);
        let work = tasks
            .iter()
            .map(|(name, task)| async move { Ok::<_, Error>((*name, self.one(&task.job).await?)) });
        let outcomes = stream::iter(work).buffer_unordered(self.at_once).try_collect().await?;
        in_order(&names, &outcomes)
    }

    async fn chain(&self, levels: Vec<Vec<Task>>) -> Result<Vec<Vec<Outcome>>, Error> {
        let (mut all, mut is_over) = (vec![], false);
        for level in levels {
            let ended = if is_over {
                level.iter().map(|_| not_begun()).collect()
            } else {
                self.run(level).await?
            };
            is_over |= ended.iter().any(|outcome| *outcome != Outcome::Done);
            all.push(ended);
        }
        Ok(all)
    }
}
