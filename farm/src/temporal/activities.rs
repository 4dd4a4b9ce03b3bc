//! What workers do for workflows.

#![allow(missing_docs, reason = "the macros of the SDK make constants without documentation")]

use std::{
    future::{ready, Future},
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        Arc,
    },
    time::Duration,
};

use futures::{stream, StreamExt};
use temporalio_common::error::ApplicationFailure;
use temporalio_macros::activities;
use temporalio_sdk::activities::{ActivityContext, ActivityError};
use tokio::{sync::mpsc::UnboundedSender, time::interval};

use crate::{
    job::{Incoming, Job},
    work::Fault,
    workshop::{Confirmed, Made, Workshop},
};

/// Time between two heartbeats.
const BEAT: Duration = Duration::from_secs(1);
/// The type of a failure that is the worker's own fault.
const WORKERS_FAULT: &str = "WorkersFault";

/// A worker's activities.
pub struct FarmActivities {
    workshop: Arc<Workshop>,
    at_once: usize,
    /// Receives the reason why this worker should not go on.
    unfit: UnboundedSender<String>,
}

impl FarmActivities {
    /// Does the jobs of a batch in `workshop`, `at_once` at a time.
    pub fn new(workshop: Arc<Workshop>, at_once: usize, unfit: UnboundedSender<String>) -> Self {
        Self { workshop, at_once, unfit }
    }

    /// Does `work` for each job, some at once. If the engine takes the activity away, jobs being done go on, since
    /// whoever is next finds their results in the store. The rest, now another worker's, is not begun.
    async fn each<J: Send + 'static, T: Send + 'static, F: Future<Output = T> + Send>(
        &self,
        ctx: &ActivityContext,
        jobs: Vec<J>,
        work: impl Fn(Arc<Workshop>, J) -> F + Send + Sync + 'static,
    ) -> Result<Vec<T>, ActivityError> {
        let (workshop, at_once) = (self.workshop.clone(), self.at_once);
        let seen = workshop.clone();
        let (count, done) = (jobs.len(), Arc::new(AtomicUsize::new(0)));
        let (lost, counted) = (Lost::default(), done.clone());
        let is_lost = lost.0.clone();
        let mut all = tokio::spawn(async move {
            let one = |job| async {
                let result = work(workshop.clone(), job).await;
                counted.fetch_add(1, Ordering::Relaxed);
                result
            };
            let jobs = stream::iter(jobs).take_while(|_| ready(!is_lost.load(Ordering::Relaxed)));
            jobs.map(one).buffered(at_once).collect::<Vec<T>>().await
        });
        let mut beat = interval(BEAT);
        loop {
            tokio::select! {
                results = &mut all => return Ok(results?),
                () = ctx.cancelled() => return Err(ActivityError::cancelled()),
                _ = beat.tick() => {
                    let done = done.load(Ordering::Relaxed);
                    let at_work = seen.at_work();
                    ctx.record_heartbeat(format!("{done} of {count}; worker: {at_work}")).await?;
                }
            }
        }
    }

    /// A failure of this worker, which stops: others take over.
    fn unfit(&self, reason: String) -> ActivityError {
        // If nobody listens, it is stopping already.
        let _ = self.unfit.send(reason.clone());
        let failure = ApplicationFailure::builder(reason).type_name(WORKERS_FAULT.to_owned());
        ActivityError::application(failure.build())
    }
}

/// Signals, when dropped, that nobody waits any more.
#[derive(Default)]
struct Lost(Arc<AtomicBool>);

impl Drop for Lost {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The jobs, if this worker understands them all. If not, it goes on, and they are tried again until a later one does.
pub(super) fn known(jobs: Vec<Incoming>) -> Result<Vec<Job>, ActivityError> {
    let jobs = jobs.into_iter().map(Incoming::known);
    jobs.collect::<Result<_, _>>().map_err(|reason| {
        tracing::warn!(reason, "left to a later worker");
        again(reason)
    })
}

#[activities]
impl FarmActivities {
    /// Makes sure that the store has a result of each job, verified or not.
    #[activity]
    pub async fn make(
        self: Arc<Self>,
        ctx: ActivityContext,
        jobs: Vec<Incoming>,
    ) -> Result<Vec<Made>, ActivityError> {
        let jobs = known(jobs)?;
        let work = |workshop: Arc<Workshop>, job: Job| async move { workshop.make(&job).await };
        let made = self.each(&ctx, jobs, work).await?;
        for made in &made {
            match made {
                Made::Failed(Fault::Worker(reason)) => return Err(self.unfit(reason.clone())),
                Made::Failed(Fault::Outage(reason)) => return Err(again(reason.clone())),
                _ => {}
            }
        }
        Ok(made)
    }

    /// Verifies the results of jobs, and keeps those that hold.
    #[activity]
    pub async fn confirm(
        self: Arc<Self>,
        ctx: ActivityContext,
        jobs: Vec<Incoming>,
    ) -> Result<Vec<Confirmed>, ActivityError> {
        let jobs = known(jobs)?;
        // All in one piece: proofs of a key are verified together.
        let work =
            |workshop: Arc<Workshop>, jobs: Vec<Job>| async move { workshop.confirm(&jobs).await };
        let mut confirmed = self.each(&ctx, vec![jobs], work).await?;
        let confirmed = confirmed.pop().unwrap_or_else(|| Ok(vec![]));
        confirmed.map_err(|error| match Fault::from(error) {
            Fault::Worker(reason) => self.unfit(reason),
            fault => again(fault.to_string()),
        })
    }
}

/// A failure that is not this worker's: tried again after a while.
fn again(reason: String) -> ActivityError {
    ActivityError::application(ApplicationFailure::builder(reason).build())
}
