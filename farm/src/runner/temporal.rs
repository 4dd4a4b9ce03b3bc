//! Jobs given to Temporal's server, for workers anywhere.

use std::collections::{BTreeMap, HashMap};

use futures::{stream, StreamExt, TryStreamExt};
use sha2::{Digest as _, Sha256};
use temporalio_client::{
    Client, WorkflowGetResultOptions, WorkflowIdConflictPolicy, WorkflowIdReusePolicy,
    WorkflowStartOptions,
};

use super::{distinct, in_order, Runner};
use crate::{
    job::{JobName, Task},
    store::Store,
    temporal::{Batch, Class, Proofs, FLOW_QUEUE},
    work::{Fault, Outcome},
    Error,
};

/// Jobs that take less are taken several at a time.
const SHORT_SECONDS: f64 = 2.0;
/// So many at a time, at most.
pub(super) const MOST_TOGETHER: usize = 16;
/// Workflows that are started, or waited for, at once.
const AT_ONCE: usize = 64;

/// Gives jobs to a server.
#[derive(Clone)]
pub struct Temporal {
    client: Client,
    store: Store,
}

impl Temporal {
    /// Gives jobs to the server of `client`, whose workers share `store`.
    pub fn new(client: Client, store: Store) -> Self {
        Self { client, store }
    }

    /// Has the jobs of a batch done, and says of each what came of it.
    async fn batch(&self, batch: Batch) -> Result<Vec<(JobName, Outcome)>, Error> {
        let engine = |error: &dyn std::fmt::Display| Error::Engine(error.to_string());
        let names: Vec<JobName> = batch.tasks.iter().map(|task| task.job.name()).collect();
        // The same jobs once more are the same workflow. One that ended is asked again: what it proved is in the store.
        let options = WorkflowStartOptions::new(FLOW_QUEUE, id(&names))
            .id_conflict_policy(WorkflowIdConflictPolicy::UseExisting)
            .id_reuse_policy(WorkflowIdReusePolicy::AllowDuplicate)
            .build();
        let started = self.client.start_workflow(Proofs::run, batch, options).await;
        let handle = started.map_err(|error| engine(&error))?;
        let outcomes = handle.get_result(WorkflowGetResultOptions::default()).await;
        let outcomes = outcomes.map_err(|error| engine(&error))?;
        Ok(names.into_iter().zip(outcomes).collect())
    }

    /// The jobs that are still to be done, and what is known of the others.
    async fn look(&self, tasks: HashMap<JobName, Task>) -> Result<(Vec<Task>, Known), Error> {
        let (mut left, mut known) = (vec![], Known::new());
        for (name, task) in tasks {
            let fault = task.job.check().err().map(Fault::BadInput);
            match fault {
                Some(fault) => drop(known.insert(name, Outcome::Failed(fault))),
                None if self.store.proof(&name).await?.is_some() => {
                    known.insert(name, Outcome::Proven);
                }
                None => left.push(task),
            }
        }
        Ok((left, known))
    }
}

/// What came of jobs.
type Known = HashMap<JobName, Outcome>;

impl Runner for Temporal {
    async fn run(&self, tasks: Vec<Task>) -> Result<Vec<Outcome>, Error> {
        let (names, tasks) = distinct(tasks);
        let (left, mut outcomes) = self.look(tasks).await?;
        let batches = batches(left)?;
        let mut ended =
            stream::iter(batches).map(|batch| self.batch(batch)).buffer_unordered(AT_ONCE);
        while let Some(batch) = ended.try_next().await? {
            outcomes.extend(batch);
        }
        in_order(&names, &outcomes)
    }
}

/// Jobs of a class and a key together, if they are short.
pub(super) fn batches(mut tasks: Vec<Task>) -> Result<Vec<Batch>, Error> {
    // The same batches for the same jobs, in whatever order.
    tasks.sort_by_key(|task| task.job.name());
    let mut short: BTreeMap<_, Vec<Task>> = BTreeMap::new();
    let mut batches = vec![];
    for task in tasks {
        let class = Class::of(&task).ok_or_else(|| {
            Error::Usage(format!(
                "{} is predicted to take {} bytes, more than any worker has",
                task.job.name(),
                task.bytes
            ))
        })?;
        if task.seconds < SHORT_SECONDS {
            short.entry((class, task.job.key)).or_default().push(task);
        } else {
            batches.push(Batch { tasks: vec![task], class });
        }
    }
    for ((class, _), tasks) in short {
        batches
            .extend(tasks.chunks(MOST_TOGETHER).map(|tasks| Batch { tasks: tasks.into(), class }));
    }
    Ok(batches)
}

/// What a workflow is called: the job, if it is one alone.
pub(super) fn id(names: &[JobName]) -> String {
    if let [name] = names {
        return format!("prove-{}", name.digits());
    }
    let mut hasher = Sha256::new();
    names.iter().for_each(|name| hasher.update(name.digits()));
    format!("prove-{}-{}", names.len(), hex::encode(hasher.finalize()))
}
