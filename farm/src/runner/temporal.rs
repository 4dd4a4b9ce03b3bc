//! Jobs given to Temporal's server, for workers anywhere.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use futures::{stream, StreamExt, TryStreamExt};
use indicatif::ProgressBar;
use muster_prover::VerifierKey;
use sha2::{Digest as _, Sha256};
use temporalio_client::{
    Client, WorkflowGetResultOptions, WorkflowIdConflictPolicy, WorkflowIdReusePolicy,
    WorkflowQueryOptions, WorkflowStartOptions,
};
use temporalio_common::{HasWorkflowDefinition, WorkflowDefinition};

use super::{distinct, in_order, labels::Labels, Runner};
use crate::{
    job::{Input, Job, JobName, Task, Work},
    store::Store,
    temporal::{Batch, Chain, Class, Proofs, Rows, Sweep, FLOW_QUEUE},
    work::{are_results, Fault, Outcome},
    Error,
};

/// Jobs that take less are batched.
pub(crate) const SHORT_SECONDS: f64 = 2.0;
/// The most jobs in a batch.
pub(crate) const MOST_TOGETHER: usize = 16;
/// The most seconds of a batch: jobs at one worker are not shared out any more.
pub(crate) const MOST_SECONDS: f64 = 4.0;
/// The most bytes of inputs in a batch: the server takes two million in all.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// How long a step of a workflow may take before another worker gets it: milliseconds are usual.
const TASK: Duration = Duration::from_secs(5);
/// Time between two looks at a sweep.
const LOOK: Duration = Duration::from_secs(2);
/// Workflows that are started, or waited for, at once.
const AT_ONCE: usize = 64;

/// Gives jobs to a server.
#[derive(Clone)]
pub struct Temporal {
    client: Client,
    store: Store,
    labels: Labels,
    /// The key of whoever submits proofs.
    key: Option<VerifierKey>,
    bar: ProgressBar,
}

/// Outcomes of jobs.
type Known = HashMap<JobName, Outcome>;

impl Temporal {
    /// Gives jobs to the server of `client`, whose workers share `store`. For `labels` it must know our search attributes.
    pub fn new(client: Client, store: Store, labels: Labels) -> Self {
        Self { client, store, labels, key: None, bar: ProgressBar::hidden() }
    }

    /// The same for somebody who has the proofs' key: valid proofs that the store has are not asked for again.
    pub fn holding(self, key: Option<VerifierKey>) -> Self {
        Self { key, ..self }
    }

    /// The same, showing how many jobs have ended.
    pub fn showing(self, bar: ProgressBar) -> Self {
        Self { bar, ..self }
    }

    /// Has a workflow done, the same for the same jobs. One that has ended starts again: what it made is in the store.
    async fn flow<W>(
        &self,
        workflow: W,
        (input, id): (W::Input, String),
        tasks: &[Task],
    ) -> Result<W::Output, Error>
    where
        W: WorkflowDefinition + HasWorkflowDefinition<Run = W>,
        W::Input: Send,
    {
        let options = WorkflowStartOptions::new(FLOW_QUEUE, id)
            .id_conflict_policy(WorkflowIdConflictPolicy::UseExisting)
            .id_reuse_policy(WorkflowIdReusePolicy::AllowDuplicate)
            .task_timeout(TASK)
            .priority(self.labels.priority(tasks))
            .maybe_search_attributes(self.labels.attributes(tasks))
            .static_summary(format!("{} jobs", tasks.len()))
            .build();
        let started = self.client.start_workflow(workflow, input, options).await;
        let handle = started.map_err(Error::engine)?;
        let result = handle.get_result(WorkflowGetResultOptions::default()).await;
        result.map_err(Error::engine)
    }

    /// Has the jobs of a batch done, and returns the outcome of each.
    async fn batch(&self, batch: Batch<Job>) -> Result<Vec<(JobName, Outcome)>, Error> {
        let (names, tasks) = (names(&batch.tasks), batch.tasks.clone());
        let outcomes = self.flow(Proofs::run, (batch.sent(), id("prove", &names)), &tasks).await?;
        self.bar.inc(names.len() as u64);
        Ok(names.into_iter().zip(outcomes).collect())
    }

    /// Has the rows of a sweep measured, each on a machine that has nothing else to do.
    async fn sweep(&self, tasks: Vec<Task>) -> Result<Vec<(JobName, Outcome)>, Error> {
        if tasks.is_empty() {
            return Ok(vec![]);
        }
        let names = names(&tasks);
        let left = tasks.iter().map(|task| Ok::<_, Error>(Batch::of(vec![task.clone()])?.sent()));
        let rows = Rows { left: left.collect::<Result<_, _>>()?, ended: vec![] };
        let id = id("sweep", &names);
        let outcomes = tokio::select! {
            outcomes = self.flow(Sweep::run, (rows, id.clone()), &tasks) => outcomes?,
            () = self.watch(id) => vec![],
        };
        Ok(names.into_iter().zip(outcomes).collect())
    }

    /// Shows how many rows of a sweep have ended, for as long as somebody waits for it.
    async fn watch(&self, id: String) {
        // Without a run ID it is the latest run.
        let (handle, before) = (self.client.get_workflow_handle::<Sweep>(id), self.bar.position());
        loop {
            tokio::time::sleep(LOOK).await;
            let ended = handle.query(Sweep::ended, (), WorkflowQueryOptions::default()).await;
            if let Ok(ended) = ended {
                self.bar.set_position(before + ended as u64);
            }
        }
    }

    /// Puts the inputs of a job into the store.
    async fn store_inputs(&self, task: &mut Task) -> Result<(), Error> {
        let Work::Prove(prove) = &mut task.job.work else { return Ok(()) };
        for input in [&mut prove.committee, &mut prove.signatures] {
            if let Input::Inline(text) = input {
                *input = self.store.put_input(text).await?;
            }
        }
        Ok(())
    }

    /// The jobs still to be done, and the known outcomes of the others. A result in the store counts if it can be
    /// checked here and holds; workers look at the rest.
    async fn look(&self, tasks: HashMap<JobName, Task>) -> Result<(Vec<Task>, Known), Error> {
        let (mut left, mut known) = (vec![], Known::new());
        let (mut found, mut results) = (vec![], vec![]);
        for (name, task) in tasks {
            if let Err(reason) = task.job.check() {
                known.insert(name, Outcome::Failed(Fault::BadInput(reason)));
                continue;
            }
            match self.store.result(&name).await {
                Ok(Some(bytes)) => {
                    results.push((task.job.clone(), bytes));
                    found.push(task);
                }
                Ok(None) | Err(Error::Malformed { .. }) => left.push(task),
                Err(error) => return Err(error),
            }
        }
        for (task, is_result) in found.into_iter().zip(are_results(self.key.as_ref(), &results)) {
            if is_result {
                known.insert(task.job.name(), Outcome::Done);
            } else {
                left.push(task);
            }
        }
        // The same jobs give the same workflows, in whatever order they come.
        left.sort_by_key(|task| task.job.name());
        Ok((left, known))
    }
}

impl Runner for Temporal {
    async fn run(&self, tasks: Vec<Task>) -> Result<Vec<Outcome>, Error> {
        let (names, tasks) = distinct(tasks);
        let (left, mut outcomes) = self.look(tasks).await?;
        self.bar.inc_length(left.len() as u64);
        let (rows, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|task| task.job.work.is_measured());
        let batches = async {
            let batches = stream::iter(batches(others)?).map(|batch| self.batch(batch));
            batches.buffer_unordered(AT_ONCE).try_collect::<Vec<_>>().await
        };
        let (rows, batches) = futures::try_join!(self.sweep(rows), batches)?;
        outcomes.extend(rows.into_iter().chain(batches.into_iter().flatten()));
        in_order(&names, &outcomes)
    }

    async fn chain(&self, mut levels: Vec<Vec<Task>>) -> Result<Vec<Vec<Outcome>>, Error> {
        // One workflow holds all of them: their inputs would not fit in it.
        for task in levels.iter_mut().flatten() {
            self.store_inputs(task).await?;
        }
        let tasks: Vec<Task> = levels.iter().flatten().cloned().collect();
        let batched: Vec<Vec<Batch<Job>>> = (levels.iter())
            .map(|level| batches(distinct(level.clone()).1.into_values().collect()))
            .collect::<Result<_, _>>()?;
        let done: Vec<JobName> =
            batched.iter().flatten().flat_map(|batch| names(&batch.tasks)).collect();
        let id = id("chain", &names(&tasks));
        let sent = batched.into_iter().map(|level| level.into_iter().map(Batch::sent).collect());
        let ended = self.flow(Chain::run, (sent.collect(), id), &tasks).await?;
        let outcomes: Known = done.into_iter().zip(ended.into_iter().flatten().flatten()).collect();
        let level = |level: &Vec<Task>| -> Vec<Outcome> {
            let outcome = |task: &Task| outcomes.get(&task.job.name()).cloned();
            level.iter().map(|task| outcome(task).unwrap_or_else(super::not_begun)).collect()
        };
        Ok(levels.iter().map(level).collect())
    }
}

fn names(tasks: &[Task]) -> Vec<JobName> {
    tasks.iter().map(|task| task.job.name()).collect()
}

impl Batch<Job> {
    fn sent(self) -> Batch {
        Batch { tasks: self.tasks.into_iter().map(Task::sent).collect(), class: self.class }
    }

    /// Jobs that are done together, in the class of the first.
    fn of(tasks: Vec<Task>) -> Result<Self, Error> {
        let first = tasks.first().ok_or_else(|| Error::Usage("a batch without jobs".into()))?;
        let class = Class::of(first).ok_or_else(|| {
            Error::Usage(format!(
                "{} is predicted to take {} bytes, more than any worker has",
                first.job.name(),
                first.bytes
            ))
        })?;
        Ok(Self { tasks, class })
    }
}

/// Batches of short jobs of the same class and, for proofs, the same key. A longer job is a batch of its own.
pub(super) fn batches(mut tasks: Vec<Task>) -> Result<Vec<Batch<Job>>, Error> {
    // The same jobs give the same batches, in whatever order they come.
    tasks.sort_by_key(|task| task.job.name());
    let mut short: BTreeMap<_, Vec<Task>> = BTreeMap::new();
    let mut batches = vec![];
    for task in tasks {
        let batch = Batch::of(vec![task])?;
        let task = &batch.tasks[0];
        if task.seconds < SHORT_SECONDS {
            let key = task.job.work.claim().map(|claim| claim.key);
            short.entry((batch.class, key)).or_default().extend(batch.tasks);
        } else {
            batches.push(batch);
        }
    }
    for ((class, _), tasks) in short {
        batches.extend(parts(tasks).into_iter().map(|tasks| Batch { tasks, class }));
    }
    Ok(batches)
}

/// Cuts jobs into parts that the server takes.
fn parts(tasks: Vec<Task>) -> Vec<Vec<Task>> {
    let (mut parts, mut bytes, mut seconds): (Vec<Vec<Task>>, usize, f64) = (vec![], 0, 0.0);
    for task in tasks {
        bytes += task.job.inline_bytes();
        seconds += task.seconds;
        match parts.last_mut() {
            Some(part)
                if part.len() < MOST_TOGETHER && bytes <= MOST_BYTES && seconds <= MOST_SECONDS =>
            {
                part.push(task);
            }
            _ => {
                (bytes, seconds) = (task.job.inline_bytes(), task.seconds);
                parts.push(vec![task]);
            }
        }
    }
    parts
}

/// The workflows of some proofs with their names. Each job occurs once.
///
/// # Errors
///
/// [`Error::Usage`] for a job that no worker has the memory for.
pub fn planned(tasks: Vec<Task>) -> Result<Vec<(String, Batch<Job>)>, Error> {
    let batches = batches(distinct(tasks).1.into_values().collect())?.into_iter();
    Ok(batches.map(|batch| (id("prove", &names(&batch.tasks)), batch)).collect())
}

/// A workflow's name: that of the job, if it is a single one.
pub(super) fn id(flow: &str, names: &[JobName]) -> String {
    if let [name] = names {
        return format!("{flow}-{}", name.digits());
    }
    let mut hasher = Sha256::new();
    names.iter().for_each(|name| hasher.update(name.digits()));
    format!("{flow}-{}-{}", names.len(), hex::encode(hasher.finalize()))
}
