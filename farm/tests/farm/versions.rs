//! Workers of two versions at once.

use std::{fs, time::Duration};

use muster_farm::{
    job::{Incoming, Task},
    temporal::{Batch, Class, Proofs, FLOW_QUEUE, VERIFY_QUEUE},
    work::Outcome,
};
use serde_json::json;
use temporalio_client::{Client, WorkflowGetResultOptions, WorkflowStartOptions};
use temporalio_sdk::{Runtime, Worker, WorkerOptions};
use tokio::time::timeout;

use crate::{fixture::Farm, server::Server};

/// What a worker of a later version does, as far as it matters here.
mod later {
    #![allow(dead_code, reason = "the macros of the SDK make constants")]

    use std::sync::Arc;

    use muster_farm::workshop::{Confirmed, Made};
    use serde_json::Value;
    use temporalio_macros::activities;
    use temporalio_sdk::activities::{ActivityContext, ActivityError};

    pub(super) struct FarmActivities;

    #[activities]
    impl FarmActivities {
        #[activity]
        async fn make(
            self: Arc<Self>,
            _: ActivityContext,
            jobs: Vec<Value>,
        ) -> Result<Vec<Made>, ActivityError> {
            assert_eq!(jobs[0]["work"]["kind"], "aggregate", "as it was sent");
            Ok(vec![Made::Done; jobs.len()])
        }

        #[activity]
        async fn confirm(
            self: Arc<Self>,
            _: ActivityContext,
            jobs: Vec<Value>,
        ) -> Result<Vec<Confirmed>, ActivityError> {
            Ok(vec![Confirmed::Yes; jobs.len()])
        }
    }
}

/// A worker of a later version, until this is dropped.
async fn later_worker(client: Client, class: Class) {
    let runtime = Runtime::from_current_tokio(Default::default()).unwrap();
    let flow = WorkerOptions::new(FLOW_QUEUE).register_workflow::<Proofs>().unwrap().build();
    let make = WorkerOptions::new(class.queue()).register_activities(later::FarmActivities).build();
    let confirm =
        WorkerOptions::new(VERIFY_QUEUE).register_activities(later::FarmActivities).build();
    let mut workers = [flow, make, confirm]
        .map(|options| Worker::new(&runtime, client.clone(), options).unwrap());
    futures::future::try_join_all(workers.iter_mut().map(Worker::run)).await.unwrap();
}

/// A job of a kind that only later workers know: an older one, which had it first, says so and goes on, and a later one does it.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_worker_leaves_later_jobs_to_later_workers() {
    let Some(server) = Server::new().await else { return };
    let (farm, client) = (Farm::new().await, server.client().await);
    let known = farm.task(1).await;
    let class = Class::of(&known).unwrap();
    let work = json!({ "kind": "aggregate", "of": ["what only later versions know"] });
    let job: Incoming =
        serde_json::from_value(json!({ "version": 4, "owner": "", "work": work })).unwrap();
    assert!(matches!(job, Incoming::Later(_)));
    let task = Task { job, bytes: known.bytes, seconds: 1.0, about: known.about };
    let batch = Batch { tasks: vec![task], class };
    let mut older = server.worker(&farm, "older");
    let log = farm.dir.path().join("older.log");
    let log = || fs::read_to_string(&log).unwrap();
    let options = WorkflowStartOptions::new(FLOW_QUEUE, "later").build();
    let handle = client.start_workflow(Proofs::run, batch, options).await.unwrap();
    let refused = async {
        while !log().contains("left to a later worker") {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(120), refused).await.expect("in time");
    assert!(log().contains("it is older than job version 4"), "{}", log());
    assert_eq!(older.0.try_wait().unwrap(), None, "it goes on: {}", log());
    let result = handle.get_result(WorkflowGetResultOptions::default());
    let outcomes = tokio::select! {
        outcomes = timeout(Duration::from_secs(120), result) => outcomes.expect("in time"),
        () = later_worker(client, class) => panic!("it goes on"),
    };
    assert_eq!(outcomes.unwrap(), [Outcome::Done]);
    assert_eq!(older.0.try_wait().unwrap(), None, "it goes on: {}", log());
}
