//! Jobs done on this machine alone, without a server.

use std::{collections::HashMap, pin::pin, sync::Arc};

use futures::{stream, StreamExt};
use indicatif::ProgressBar;
use tokio::task::JoinError;

use super::{distinct, in_order, not_begun, Runner};
use crate::{
    job::{Job, Task},
    store::MOST_STARTS,
    work::{Fault, Outcome},
    workshop::{Confirmed, Made, Workshop},
    Error,
};

/// The most results that are verified together.
const TOGETHER: usize = 16;

/// Does jobs in a workshop in this process, several at once.
#[derive(Clone, Debug)]
pub struct Local {
    workshop: Arc<Workshop>,
    at_once: usize,
    bar: ProgressBar,
}

impl Local {
    /// Does `at_once` jobs at a time.
    pub fn new(workshop: Arc<Workshop>, at_once: usize) -> Self {
        Self { workshop, at_once: at_once.max(1), bar: ProgressBar::hidden() }
    }

    /// The same, showing how many jobs have ended.
    pub fn showing(self, bar: ProgressBar) -> Self {
        Self { bar, ..self }
    }

    /// Verifies what was made, together, and returns for each job its outcome, or why it must be made again.
    async fn settle(&self, made: Vec<(Task, Made)>) -> Result<Vec<(Task, Ended)>, Error> {
        let (mut ended, mut results) = (vec![], vec![]);
        for (task, made) in made {
            let end = match made {
                Made::Done => {
                    results.push(task);
                    continue;
                }
                Made::There => Ok(Outcome::Done),
                // No other worker could do better.
                Made::Failed(Fault::Worker(reason) | Fault::Outage(reason)) => {
                    return Err(Error::Unfit(reason));
                }
                Made::Failed(fault) if fault.is_final() => Ok(Outcome::Failed(fault)),
                Made::Failed(fault) => Err(fault.to_string()),
            };
            ended.push((task, end));
        }
        let jobs: Vec<Job> = results.iter().map(|task| task.job.clone()).collect();
        let confirmed = self.workshop.confirm(&jobs).await?;
        ended.extend(results.into_iter().zip(confirmed).map(|(task, confirmed)| match confirmed {
            Confirmed::Yes => (task, Ok(Outcome::Done)),
            Confirmed::No(found) => (task, Err(format!("it does not hold: {found}"))),
        }));
        Ok(ended)
    }
}

/// The outcome of a job, or why it must be made again.
type Ended = Result<Outcome, String>;

impl Runner for Local {
    async fn run(&self, tasks: Vec<Task>) -> Result<Vec<Outcome>, Error> {
        let (names, tasks) = distinct(tasks);
        self.bar.inc_length(tasks.len() as u64);
        let mut outcomes = HashMap::new();
        let mut left: Vec<(Task, String)> =
            tasks.into_values().map(|task| (task, String::new())).collect();
        for _ in 0..MOST_STARTS {
            // Each goes on while others are verified: a job that measures has the machine until it is done.
            let make = |(task, _): (Task, String)| {
                let (workshop, job) = (self.workshop.clone(), task.job.clone());
                let made = tokio::spawn(async move { workshop.make(&job).await });
                async move {
                    let crashed = |panic: JoinError| Made::Failed(Fault::Crash(panic.to_string()));
                    (task, made.await.unwrap_or_else(crashed))
                }
            };
            let made = stream::iter(std::mem::take(&mut left)).map(make);
            let mut made = pin!(made.buffer_unordered(self.at_once).chunks(TOGETHER));
            while let Some(made) = made.next().await {
                for (task, ended) in self.settle(made).await? {
                    match ended {
                        Ok(outcome) => {
                            outcomes.insert(task.job.name(), outcome);
                            self.bar.inc(1);
                        }
                        Err(reason) => left.push((task, reason)),
                    }
                }
            }
        }
        let dead = |(task, reason): (Task, String)| {
            (task.job.name(), Outcome::Failed(Fault::Dead(reason)))
        };
        outcomes.extend(left.into_iter().map(dead));
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
