//! The runner with a server, and what only several workers can show.

use std::{fs, time::Duration};

use muster_farm::{
    runner::{Runner, Temporal},
    work::{Fault, Outcome},
};
use tokio::time::timeout;

use crate::{fixture::Farm, server::Server, suite};

/// Longest that a few proofs may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_with_a_server_holds_its_promises() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let _worker = server.worker(&farm, "worker");
    let runner = Temporal::new(server.client().await, farm.store.clone());
    timeout(PATIENCE, suite::holds(&farm, &runner, 200)).await.expect("in time");
}

/// Bytes that a dishonest worker left are not published: the job is proven again.
#[tokio::test(flavor = "multi_thread")]
async fn a_dishonest_worker_changes_nothing() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let task = farm.task(1).await;
    farm.store.put_made(&task.job.name(), "{}").await.unwrap();
    let _worker = server.worker(&farm, "worker");
    let runner = Temporal::new(server.client().await, farm.store.clone());
    let outcomes = timeout(PATIENCE, runner.run(vec![task.clone()])).await.expect("in time");
    assert_eq!(outcomes.unwrap(), [Outcome::Proven]);
    assert!(farm.is_proven(&task.job).await);
    let log = fs::read_to_string(farm.dir.path().join("worker.log")).unwrap();
    assert!(log.contains("a proof that does not hold"), "{log}");
}

/// A job whose marks say that it killed four workers is given up, and its neighbours are not.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_kills_its_workers_is_given_up() {
    let Some(server) = Server::new().await else { return };
    let farm = Farm::new().await;
    let (bad, good) = (farm.task(1).await, farm.task(2).await);
    for _ in 0..4 {
        let _lost = farm.store.start(&bad.job.name()).await.unwrap().unwrap();
    }
    let _worker = server.worker(&farm, "worker");
    let runner = Temporal::new(server.client().await, farm.store.clone());
    let run = runner.run(vec![bad, good]);
    let outcomes = timeout(PATIENCE, run).await.expect("in time").unwrap();
    assert!(matches!(outcomes[0], Outcome::Failed(Fault::Dead(_))), "{outcomes:?}");
    assert_eq!(outcomes[1], Outcome::Proven);
}
