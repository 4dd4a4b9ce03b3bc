//! The workflow of a batch: jobs are done, verified elsewhere, and tried again if they failed by chance.

#![allow(missing_docs, reason = "the macros of the SDK make constants without documentation")]

use std::time::Duration;

use serde::{Deserialize, Serialize};
use temporalio_common::RetryPolicy;
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::{
    workflows::WorkflowImplementation, ActivityOptions, WorkflowContext, WorkflowResult,
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
/// Longest pause before something is tried again: most failures are the worker's or the store's fault, and the
/// store counts the rest.
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
    pub fn ended(&self, _ctx: &temporalio_sdk::WorkflowContextView) -> usize {
        self.ended
    }
}

/// Does all jobs of a batch, for whichever workflow, and tells how many have ended. A job that fails by chance is
/// tried again, up to [`MOST_STARTS`] times.
pub(super) async fn finish<W: WorkflowImplementation>(
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
        let options = making(&tasks, batch.class);
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
            let confirmed =
                ctx.execute_activity(FarmActivities::confirm, made, verifying()).await?;
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

/// A worker that dies or gives up is followed by another, without limit: the store counts how often a job was
/// begun.
fn making(tasks: &[Task<Incoming>], class: Class) -> ActivityOptions {
    ActivityOptions::with_start_to_close_timeout(time_limit(tasks))
        .task_queue(class.queue())
        .heartbeat_timeout(HEARTBEAT)
        .retry_policy(patient())
        .build()
}

fn verifying() -> ActivityOptions {
    ActivityOptions::with_start_to_close_timeout(VERIFICATION)
        .task_queue(VERIFY_QUEUE.to_owned())
        .heartbeat_timeout(HEARTBEAT)
        .retry_policy(patient())
        .build()
}

fn patient() -> RetryPolicy {
    RetryPolicy::builder().maximum_interval(LONGEST_PAUSE).build()
}
