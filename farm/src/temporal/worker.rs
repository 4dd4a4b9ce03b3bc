//! A worker: polls the queues whose jobs fit, until it is told to stop or finds itself unfit.

use std::{sync::Arc, time::Duration};

use futures::future::try_join_all;
use temporalio_client::Client;
use temporalio_common::telemetry::TelemetryOptions;
use temporalio_sdk::{
    runtime::{
        worker_tuner::{FixedSizeSlotSupplier, TunerHolder},
        RuntimeOptions,
    },
    Runtime, Worker, WorkerOptions as SdkOptions,
};
use tokio::{sync::mpsc::unbounded_channel, time::interval};

use super::{Chain, Class, FarmActivities, Proofs, Sweep, FLOW_QUEUE, VERIFY_QUEUE};
use crate::{metrics::Metrics, workshop::Workshop, Error};

/// How many workflows and verifications of batches a worker keeps going at once.
const MANY: usize = 100;
/// Time between two looks at the memory in use.
const WEIGHING: Duration = Duration::from_secs(5);
/// How long a workflow waits for the worker that has it in memory before another may take it up.
const STICKY: Duration = Duration::from_secs(2);
/// Verifications at once: each has all cores.
const VERIFIERS: usize = 2;

/// What a worker takes on.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Bytes that its proofs may take: larger classes are left to others.
    pub memory: u64,
    /// Batches at once, and proofs of a batch at once.
    pub slots: usize,
    /// How long running jobs may take once the worker is told to stop.
    pub grace: Duration,
    /// Its metrics.
    pub metrics: Metrics,
}

/// Works until `stop` is done. Running jobs then have `grace` to end.
///
/// # Errors
///
/// [`Error::Unfit`] if the worker found that it cannot do what others might; [`Error::Engine`].
pub async fn work(
    client: Client,
    workshop: Arc<Workshop>,
    options: WorkerOptions,
    stop: impl std::future::Future<Output = ()>,
) -> Result<(), Error> {
    let weighed = workshop.clone();
    let (unfit, mut reasons) = unbounded_channel();
    let activities = || FarmActivities::new(workshop.clone(), options.slots, unfit.clone());
    let runtime = Runtime::from_current_tokio(telemetry(&options)?).map_err(Error::engine)?;
    let settings = |queue: String, slots| {
        SdkOptions::new(queue)
            .tuner(tuner(slots))
            .graceful_shutdown_period(options.grace)
            .sticky_queue_schedule_to_start_timeout(STICKY)
    };
    let flow = settings(FLOW_QUEUE.to_owned(), MANY)
        .register_workflow::<Proofs>()
        .and_then(|flow| flow.register_workflow::<Chain>())
        .and_then(|flow| flow.register_workflow::<Sweep>())
        .map_err(Error::engine)?;
    let verify = settings(VERIFY_QUEUE.to_owned(), VERIFIERS).register_activities(activities());
    let fitting = Class::all().filter(|class| class.bytes() <= options.memory);
    let prove = fitting.map(|class| {
        let most = usize::try_from(options.memory / class.bytes()).unwrap_or(usize::MAX);
        let slots = if class.alone { 1 } else { options.slots.min(most) };
        settings(class.queue(), slots).register_activities(activities()).build()
    });
    let all = [flow.build(), verify.build()].into_iter().chain(prove);
    let workers = all.map(|options| Worker::new(&runtime, client.clone(), options));
    let workers: Result<Vec<_>, _> = workers.collect();
    let mut workers = workers.map_err(Error::engine)?;
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
        try_join_all(running).await.map_err(Error::engine)
    };
    let weighing = tokio::spawn(async move {
        let mut tick = interval(WEIGHING);
        loop {
            tick.tick().await;
            weighed.weigh().await;
        }
    });
    let ended = futures::try_join!(end, run);
    weighing.abort();
    let (reason, _) = ended?;
    reason.map_or(Ok(()), |reason| Err(Error::Unfit(reason)))
}

/// The SDK's own metrics go where ours go.
fn telemetry(options: &WorkerOptions) -> Result<RuntimeOptions, Error> {
    let telemetry = TelemetryOptions::builder().metrics(options.metrics.meter()).build();
    RuntimeOptions::builder().telemetry_options(telemetry).build().map_err(Error::Engine)
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
