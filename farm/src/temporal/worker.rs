//! A worker: polls the queues whose jobs fit, until it is told to stop or finds itself unfit.

use std::{sync::Arc, time::Duration};

use futures::future::try_join_all;
use temporalio_client::Client;
use temporalio_sdk::{
    runtime::worker_tuner::{FixedSizeSlotSupplier, TunerHolder},
    Runtime, Worker, WorkerOptions as SdkOptions,
};
use tokio::sync::mpsc::unbounded_channel;

use super::{Class, FarmActivities, Proofs, FLOW_QUEUE, VERIFY_QUEUE};
use crate::{workshop::Workshop, Error};

/// Workflows, and verifications of batches, that a worker keeps going at once.
const MANY: usize = 100;
/// Verifications at once: each has all cores.
const VERIFIERS: usize = 2;

/// What a worker takes on.
#[derive(Clone, Copy, Debug)]
pub struct WorkerOptions {
    /// Bytes that its proofs may take: classes above are left to others.
    pub memory: u64,
    /// Batches at once, and proofs of a batch at once.
    pub slots: usize,
    /// How long what is at work may take once the worker is told to stop.
    pub grace: Duration,
}

/// Works until `stop` is done. What is at work then has `grace` to end.
///
/// # Errors
///
/// [`Error::Unfit`] if the worker found that it cannot do what others may; [`Error::Engine`].
pub async fn work(
    client: Client,
    workshop: Arc<Workshop>,
    options: WorkerOptions,
    stop: impl std::future::Future<Output = ()>,
) -> Result<(), Error> {
    let engine = |error: &dyn std::fmt::Display| Error::Engine(error.to_string());
    let (unfit, mut reasons) = unbounded_channel();
    let activities = || FarmActivities::new(workshop.clone(), options.slots, unfit.clone());
    let runtime =
        Runtime::from_current_tokio(Default::default()).map_err(|error| engine(&error))?;
    let settings = |queue: String, slots| {
        SdkOptions::new(queue).tuner(tuner(slots)).graceful_shutdown_period(options.grace)
    };
    let flow = settings(FLOW_QUEUE.to_owned(), MANY)
        .register_workflow::<Proofs>()
        .map_err(|error| engine(&error))?;
    let verify = settings(VERIFY_QUEUE.to_owned(), VERIFIERS).register_activities(activities());
    let fitting = Class::ALL.into_iter().filter(|class| class.bytes() <= options.memory);
    let prove = fitting.map(|class| {
        let most = usize::try_from(options.memory / class.bytes()).unwrap_or(usize::MAX);
        settings(class.queue(), options.slots.min(most)).register_activities(activities()).build()
    });
    let all = [flow.build(), verify.build()].into_iter().chain(prove);
    let workers = all.map(|options| Worker::new(&runtime, client.clone(), options));
    let workers: Result<Vec<_>, _> = workers.collect();
    let mut workers = workers.map_err(|error| engine(&error))?;
    let handles: Vec<_> = workers.iter().map(Worker::shutdown_handle).collect();
    let end = async {
        let reason = tokio::select! {
            reason = reasons.recv() => reason,
            () = stop => None,
        };
        workshop.close();
        handles.iter().for_each(|shut_down| shut_down());
        Ok::<_, Error>(reason)
    };
    let run = async {
        let running = workers.iter_mut().map(Worker::run);
        try_join_all(running).await.map_err(|error| engine(&error))
    };
    let (reason, _) = futures::try_join!(end, run)?;
    reason.map_or(Ok(()), |reason| Err(Error::Unfit(reason)))
}

fn tuner(slots: usize) -> TunerHolder {
    let fixed = |slots: usize| FixedSizeSlotSupplier::new(slots.max(1));
    TunerHolder::builder()
        .workflow_task_slot_supplier(fixed(MANY))
        .activity_task_slot_supplier(fixed(slots))
        .local_activity_task_slot_supplier(fixed(1))
        .nexus_task_slot_supplier(fixed(1))
        .build()
}
