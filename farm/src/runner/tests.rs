//! What goes together to the engine.

use super::temporal::{batches, id, MOST_TOGETHER};
use crate::{
    digest::Digest,
    job::{About, Input, Job, Prove, Task, Work, INLINE_LIMIT},
    submit::tree,
};

/// A job of its own for each number.
fn task(number: u64, seconds: f64) -> Task {
    let mut task = Task { job: example(), bytes: 1 << 20, seconds, about: About::default() };
    proof(&mut task).claim.statement.threshold = number + 1;
    task
}

fn example() -> Job {
    serde_json::from_str(include_str!("../job/example.json")).unwrap()
}

fn proof(task: &mut Task) -> &mut Prove {
    let Work::Prove(prove) = &mut task.job.work else { panic!("the example is a proof") };
    prove
}

fn tasks(count: u64, seconds: f64) -> Vec<Task> {
    (0..count).map(|number| task(number, seconds)).collect()
}

fn ids(tasks: Vec<Task>) -> Vec<String> {
    let names = |batch: &crate::temporal::Batch<Job>| -> Vec<_> {
        batch.tasks.iter().map(|task| task.job.name()).collect()
    };
    batches(tasks).unwrap().iter().map(|batch| id("prove", &names(batch))).collect()
}

#[test]
fn short_jobs_of_a_key_go_together() {
    let sizes = |tasks: Vec<Task>| -> Vec<usize> {
        batches(tasks).unwrap().iter().map(|batch| batch.tasks.len()).collect()
    };
    let rest = 40 - 2 * MOST_TOGETHER;
    assert_eq!(sizes(tasks(40, 0.25)), [MOST_TOGETHER, MOST_TOGETHER, rest]);
    // What is at one worker is not shared out: four seconds.
    assert_eq!(sizes(tasks(10, 0.9)), [4, 4, 2]);
    // The server takes two million bytes.
    let mut large = tasks(16, 0.25);
    for task in &mut large {
        proof(task).committee = Input::Inline(" ".repeat(INLINE_LIMIT));
        proof(task).signatures = Input::Inline(" ".repeat(INLINE_LIMIT));
    }
    assert_eq!(sizes(large), [8, 8]);
    let long = batches(tasks(5, 2.0)).unwrap();
    assert!(long.len() == 5 && long.iter().all(|batch| batch.tasks.len() == 1));
    let mut keys = tasks(2, 0.5);
    proof(&mut keys[1]).claim.key = Digest([9; 32]);
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

/// 64 proofs, 8 nodes over 8 of them each, and one over all.
#[test]
fn a_tree_ends_in_one_node() {
    let widths = |count: u64, width: usize| -> Vec<usize> {
        tree(tasks(count, 0.5), width, "").iter().map(Vec::len).collect()
    };
    assert_eq!(widths(64, 8), [64, 8, 1]);
    assert_eq!(widths(65, 8), [65, 9, 2, 1]);
    assert_eq!(widths(3, 8), [3, 1]);
    assert_eq!(widths(1, 8), [1, 1]);
    let levels = tree(tasks(9, 0.5), 8, "alice");
    for task in levels.iter().flatten() {
        task.job.check().unwrap();
    }
    let Work::Verify(root) = &levels[2][0].job.work else { panic!("a node") };
    assert!(root.claims.is_empty());
    assert_eq!(root.nodes, levels[1].iter().map(|task| task.job.name()).collect::<Vec<_>>());
}
