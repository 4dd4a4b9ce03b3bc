//! The runner without a server.

use std::time::Duration;

use muster_farm::{
    job::{Job, Simulate, Task, Work},
    runner::{Local, Runner},
    work::Outcome,
};
use tokio::time::timeout;

use crate::{fixture::Farm, suite};

/// Whoever measures has the machine alone, and those who verify what others measured wait for it: not for ever.
#[tokio::test]
async fn measuring_and_verifying_do_not_wait_for_each_other() {
    let farm = Farm::new().await;
    let task = |series: u64| {
        let asked = serde_json::json!({ "protocol": "frost", "suite": "ed25519", "threshold": 2,
            "signers": 3, "repeat": 1 });
        let asked = serde_json::from_value(asked).unwrap();
        let work = Simulate { series: series.to_string(), asked };
        let asked = work.asked.clone();
        Task::ceremony(Job::new(Work::Simulate(work), "tests"), &asked)
    };
    let tasks: Vec<Task> = (0..40).map(task).collect();
    let local = Local::new(farm.workshop(), 2);
    let outcomes = timeout(Duration::from_secs(120), local.run(tasks)).await.expect("in time");
    assert_eq!(outcomes.unwrap(), vec![Outcome::Done; 40]);
}

#[tokio::test]
async fn a_local_runner_holds_its_promises() {
    let farm = Farm::new().await;
    suite::holds(&farm, &Local::new(farm.workshop(), 2), 100).await;
}
