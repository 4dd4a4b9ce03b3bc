//! Workflows. That of a batch: jobs are done, verified elsewhere, and tried again if they failed by chance. That of a chain:
//! batches in levels, each of which needs those before it. That of a sweep: rows, each with a machine to itself.

#![allow(missing_docs, reason = "the macros of the SDK make constants without documentation")]

use std::time::Duration;

use serde::{Deserialize, Serialize};
use temporalio_common::RetryPolicy;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{
    workflows::{join_all, WorkflowImplementation},
    ActivityOptions, ContinueAsNewOptions, WorkflowContext, WorkflowContextView, WorkflowResult,
};

use super::{
    queues::{time_limit, Class, VERIFY_QUEUE},
    FarmActivities,
};
use crate::{
    job::{Incoming, Task},
    store::MOST_STARTS,
    work::{Fault, Outcome},
    workshop::{Confirmed, Made},
};

/// A worker that was not heard of for this long is considered lost.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Longest pause before another try: most failures are the worker's or the store's fault; the store counts the rest.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long verification of one or a few proofs may take.
const VERIFICATION: Duration = Duration::from_secs(300);

/// Jobs that are done together, in one class of memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Batch<J = Incoming> {
    /// The jobs, all with different names.
    pub tasks: Vec<Task<J>>,
    /// The memory that each of them takes.
    pub class: Class,
}

/// Does all jobs of a batch.
#[workflow]
#[derive(Default)]
pub struct Proofs {
    /// How many jobs have ended.
    ended: usize,
}

#[workflow_methods]
impl Proofs {
    /// The outcome of each job, in order.
    #[run]
    pub async fn run(
        ctx: &mut WorkflowContext<Self>,
        batch: Batch,
    ) -> WorkflowResult<Vec<Outcome>> {
        finish(ctx, &batch, |ended| ctx.state_mut(|state| state.ended = ended)).await
    }

    /// How many jobs have ended.
    #[query]
    pub fn ended(&self, _ctx: &WorkflowContextView) -> usize {
        self.ended
    }
}

/// Does all jobs of a batch, for whichever workflow, and tells how many have ended. A job that fails by chance is
/// tried again, up to [`MOST_STARTS`] times.
async fn finish<W: WorkflowImplementation>(
    ctx: &WorkflowContext<W>,
    batch: &Batch,
    tell: impl Fn(usize),
) -> WorkflowResult<Vec<Outcome>> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; batch.tasks.len()];
    let mut reasons = vec![String::new(); batch.tasks.len()];
    for round in 0..MOST_STARTS {
        let left: Vec<usize> = (0..outcomes.len()).filter(|i| outcomes[*i].is_none()).collect();
        if left.is_empty() {
            break;
        }
        if round > 0 {
            ctx.timer(Duration::from_secs(1 << round)).await;
        }
        let jobs = |places: &[usize]| -> Vec<Incoming> {
            places.iter().map(|place| batch.tasks[*place].job.clone()).collect()
        };
        let tasks: Vec<_> = left.iter().map(|place| batch.tasks[*place].clone()).collect();
        let options = patient(batch.class.queue(), time_limit(&tasks));
        let made = ctx.execute_activity(FarmActivities::make, jobs(&left), options).await?;
        let mut results = vec![];
        for (place, made) in left.into_iter().zip(made) {
            match made {
                Made::Done => results.push(place),
                Made::There => outcomes[place] = Some(Outcome::Done),
                Made::Failed(fault) if fault.is_final() => {
                    outcomes[place] = Some(Outcome::Failed(fault));
                }
                Made::Failed(fault) => reasons[place] = fault.to_string(),
            }
        }
        if !results.is_empty() {
            // Whoever verifies needs no inputs.
            let made = jobs(&results).into_iter().map(Incoming::without_inputs).collect::<Vec<_>>();
            let options = patient(VERIFY_QUEUE.to_owned(), VERIFICATION);
            let confirmed = ctx.execute_activity(FarmActivities::confirm, made, options).await?;
            for (place, confirmed) in results.into_iter().zip(confirmed) {
                match confirmed {
                    Confirmed::Yes => outcomes[place] = Some(Outcome::Done),
                    Confirmed::No(found) => {
                        reasons[place] =
                            format!("a worker gave a result that does not hold: {found}");
                    }
                }
            }
        }
        tell(outcomes.iter().flatten().count());
    }
    let given_up = |reason| Outcome::Failed(Fault::Dead(reason));
    let ended = outcomes.into_iter().zip(reasons);
    Ok(ended.map(|(outcome, reason)| outcome.unwrap_or_else(|| given_up(reason))).collect())
}

/// A worker that dies or gives up is followed by another, without limit: the store counts how often a job began.
fn patient(queue: String, limit: Duration) -> ActivityOptions {
    ActivityOptions::with_start_to_close_timeout(limit)
        .task_queue(queue)
        .heartbeat_timeout(HEARTBEAT)
        .retry_policy(RetryPolicy::builder().maximum_interval(LONGEST_PAUSE).build())
        .build()
}

/// Does the batches of a level at once, and the next level when they are all done.
#[workflow]
#[derive(Default)]
pub struct Chain {
    /// How many levels are done.
    levels: usize,
}

#[workflow_methods]
impl Chain {
    /// The outcome of each job, by batches. A level in which a job failed is the last.
    #[run]
    pub async fn run(
        ctx: &mut WorkflowContext<Self>,
        levels: Vec<Vec<Batch>>,
    ) -> WorkflowResult<Vec<Vec<Vec<Outcome>>>> {
        let mut all = vec![];
        for level in &levels {
            let batches = level.iter().map(|batch| finish(ctx, batch, |_| ()));
            let ended = join_all(batches).await.into_iter().collect::<WorkflowResult<Vec<_>>>()?;
            let is_done = ended.iter().flatten().all(|outcome| *outcome == Outcome::Done);
            all.push(ended);
            if !is_done {
                break;
            }
            ctx.state_mut(|state| state.levels += 1);
        }
        Ok(all)
    }

    /// How many levels are done.
    #[query]
    pub fn levels(&self, _ctx: &WorkflowContextView) -> usize {
        self.levels
    }
}

/// Rows that one run of the workflow takes on: each run's history has some ten events per row and attempt.
const MOST_ROWS: usize = 100;

/// The rows left of a sweep, and the outcomes of the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    /// Rows left, one batch each.
    pub left: Vec<Batch>,
    /// Outcomes of earlier rows.
    pub ended: Vec<Outcome>,
}

/// Measures all rows.
#[workflow]
#[derive(Default)]
pub struct Sweep {
    /// How many rows have ended.
    ended: usize,
}

#[workflow_methods]
impl Sweep {
    /// The outcome of each row, in order.
    #[run]
    pub async fn run(
        ctx: &mut WorkflowContext<Self>,
        mut rows: Rows,
    ) -> WorkflowResult<Vec<Outcome>> {
        ctx.state_mut(|state| state.ended = rows.ended.len());
        let later = rows.left.split_off(rows.left.len().min(MOST_ROWS));
        let now = rows.left.iter().map(|row| async {
            let ended = finish(ctx, row, |_| ()).await;
            ctx.state_mut(|state| state.ended += row.tasks.len());
            ended
        });
        for ended in join_all(now).await {
            rows.ended.extend(ended?);
        }
        if later.is_empty() {
            return Ok(rows.ended);
        }
        let rows = Rows { left: later, ended: rows.ended };
        match ctx.continue_as_new(rows, ContinueAsNewOptions::default())? {}
    }

    /// How many rows have ended.
    #[query]
    pub fn ended(&self, _ctx: &WorkflowContextView) -> usize {
        self.ended
    }
}
