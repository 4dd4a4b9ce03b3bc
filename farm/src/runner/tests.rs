//! What goes together to the engine.

use super::temporal::{batches, id, MOST_TOGETHER};
use crate::{digest::Digest, job::Task};

/// A job of its own for each number.
fn task(number: u64, seconds: f64) -> Task {
    let text = include_str!("../job/example.json");
    let mut job: crate::job::Job = serde_json::from_str(text).unwrap();
    job.statement.threshold = number + 1;
    Task { job, bytes: 1 << 20, seconds }
}

fn tasks(count: u64, seconds: f64) -> Vec<Task> {
    (0..count).map(|number| task(number, seconds)).collect()
}

fn ids(tasks: Vec<Task>) -> Vec<String> {
    let names = |batch: &crate::temporal::Batch| -> Vec<_> {
        batch.tasks.iter().map(|task| task.job.name()).collect()
    };
    batches(tasks).unwrap().iter().map(|batch| id(&names(batch))).collect()
}

#[test]
fn short_jobs_of_a_key_go_together() {
    let short = batches(tasks(40, 0.5)).unwrap();
    let sizes: Vec<_> = short.iter().map(|batch| batch.tasks.len()).collect();
    assert_eq!(sizes, [MOST_TOGETHER, MOST_TOGETHER, 40 - 2 * MOST_TOGETHER]);
    let long = batches(tasks(5, 2.0)).unwrap();
    assert!(long.len() == 5 && long.iter().all(|batch| batch.tasks.len() == 1));
    let mut keys = tasks(2, 0.5);
    keys[1].job.key = Digest([9; 32]);
    assert_eq!(batches(keys).unwrap().len(), 2);
}

/// Whoever asks for the same jobs, in whatever order, asks for the same workflows.
#[test]
fn the_same_jobs_are_the_same_workflows() {
    let mut turned = tasks(20, 0.5);
    turned.reverse();
    assert_eq!(ids(tasks(20, 0.5)), ids(turned));
    let one = task(3, 0.5);
    assert_eq!(ids(vec![one.clone()]), [format!("prove-{}", one.job.name().digits())]);
    assert_ne!(ids(tasks(2, 0.5)), ids(tasks(3, 0.5)));
}

#[test]
fn what_no_worker_has_the_memory_for_is_refused() {
    let mut large = task(0, 1.0);
    large.bytes = 1 << 40;
    let error = batches(vec![large]).unwrap_err().to_string();
    assert!(error.contains("more than any worker has"), "{error}");
}
