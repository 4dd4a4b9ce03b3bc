//! Two ways to have jobs done, with the same promises.
//!
//! Each distinct job is done at least once and its result kept once. No result is believed before somebody has
//! verified it. What cannot be done is reported with the reason and whose fault it is.

mod labels;
mod local;
mod temporal;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::{
    job::{JobName, Task},
    work::{Fault, Outcome},
    Error,
};

pub use labels::{Labels, KEYWORDS, LISTS};
pub use local::Local;
pub use temporal::{planned, Temporal};
pub(crate) use temporal::{MOST_BYTES, MOST_SECONDS, MOST_TOGETHER, SHORT_SECONDS};

/// Has jobs done.
pub trait Runner {
    /// Does all jobs, each once however often it is listed, and returns their outcomes in order.
    ///
    /// # Errors
    ///
    /// What keeps the farm itself from working. What is wrong with a job is part of its outcome.
    fn run(
        &self,
        tasks: Vec<Task>,
    ) -> impl std::future::Future<Output = Result<Vec<Outcome>, Error>>;

    /// Does all jobs of a level before those of the next, which need them. A level in which a job failed is the last.
    ///
    /// # Errors
    ///
    /// As [`Self::run`].
    fn chain(
        &self,
        levels: Vec<Vec<Task>>,
    ) -> impl std::future::Future<Output = Result<Vec<Vec<Outcome>>, Error>>;
}

/// The outcome of a job whose level was not reached.
fn not_begun() -> Outcome {
    Outcome::Failed(Fault::BadInput("a job that it needs failed".into()))
}

/// The jobs by their names, each once, and the names in the order of the tasks.
fn distinct(tasks: Vec<Task>) -> (Vec<JobName>, HashMap<JobName, Task>) {
    let names = tasks.iter().map(|task| task.job.name()).collect();
    let by_name = tasks.into_iter().map(|task| (task.job.name(), task)).collect();
    (names, by_name)
}

/// The outcome of each of `names`.
fn in_order(
    names: &[JobName],
    outcomes: &HashMap<JobName, Outcome>,
) -> Result<Vec<Outcome>, Error> {
    let outcome = |name: &JobName| {
        let outcome = outcomes.get(name).cloned();
        outcome.ok_or_else(|| Error::Engine(format!("no outcome was reported for {name}")))
    };
    names.iter().map(outcome).collect()
}
