//! What every runner promises.

use muster_farm::{
    runner::Runner,
    submit::tree,
    work::{Fault, Outcome},
};

use crate::fixture::{proof_mut, Farm};

/// Holds a runner to its promises. Jobs are numbered from `first`.
pub(crate) async fn holds(farm: &Farm, runner: &impl Runner, first: u64) {
    // In order, each once however often it is asked for.
    let (one, two) = (farm.task(first).await, farm.task(first + 1).await);
    let tasks = vec![one.clone(), two.clone(), one.clone(), one.clone()];
    assert_eq!(runner.run(tasks).await.unwrap(), vec![Outcome::Done; 4]);
    assert!(farm.is_proven(&one.job).await && farm.is_proven(&two.job).await);

    // What is proven is not proven again, whoever asks.
    let before = farm.store.result(&one.job.name()).await.unwrap();
    let mut again = one.clone();
    again.job.owner = "somebody else".into();
    assert_eq!(runner.run(vec![again]).await.unwrap(), vec![Outcome::Done]);
    assert_eq!(farm.store.result(&one.job.name()).await.unwrap(), before);

    // A false statement beside a true one: named, and not proven.
    let (bad, good) = (farm.false_task(first + 2).await, farm.task(first + 3).await);
    let outcomes = runner.run(vec![bad.clone(), good.clone()]).await.unwrap();
    let Outcome::Failed(Fault::Rejected(reason)) = &outcomes[0] else {
        panic!("{outcomes:?}");
    };
    assert!(reason.contains("member"), "{reason}");
    assert_eq!(outcomes[1], Outcome::Done);
    assert!(!farm.is_proven(&bad.job).await && farm.is_proven(&good.job).await);

    // What is no job, one for another SRS, and one for a key that nobody pinned.
    let mut zero = farm.task(first + 4).await;
    let (mut other, mut unknown) = (farm.task(first + 5).await, farm.task(first + 6).await);
    proof_mut(&mut zero.job).claim.statement.threshold = 0;
    proof_mut(&mut other.job).srs.0[0] ^= 1;
    proof_mut(&mut unknown.job).claim.key.0[0] ^= 1;
    let outcomes = runner.run(vec![zero, other, unknown]).await.unwrap();
    for (outcome, field) in outcomes.iter().zip(["statement.threshold", "srs", "store: keys/"]) {
        let Outcome::Failed(Fault::BadInput(reason)) = outcome else { panic!("{outcome:?}") };
        assert!(reason.starts_with(field), "{reason}");
    }
    assert!(runner.run(vec![]).await.unwrap().is_empty());
    trees(farm, runner, first + 7).await;

    // A job that is cancelled is not begun.
    let task = farm.task(first + 20).await;
    farm.store.cancel(&task.job.name(), "too late").await.unwrap();
    let outcomes = runner.run(vec![task.clone()]).await.unwrap();
    assert_eq!(outcomes, [Outcome::Failed(Fault::Cancelled("too late".into()))]);
    assert!(!farm.is_proven(&task.job).await);
}

/// What needs other jobs comes after them, and not at all if one of them came to nothing.
async fn trees(farm: &Farm, runner: &impl Runner, first: u64) {
    let mut tasks = vec![];
    for message in first..first + 3 {
        tasks.push(farm.task(message).await);
    }
    let levels = tree(tasks, 2, "tests");
    let widths = |outcomes: &[Vec<Outcome>]| -> Vec<usize> {
        outcomes
            .iter()
            .map(|level| level.iter().filter(|one| **one == Outcome::Done).count())
            .collect()
    };
    let nobody = runner.run(levels[2].clone()).await.unwrap();
    let Outcome::Failed(Fault::BadInput(reason)) = &nobody[0] else { panic!("{nobody:?}") };
    assert!(reason.contains("has no result in the store"), "{reason}");
    assert_eq!(widths(&runner.chain(levels.clone()).await.unwrap()), [3, 2, 1]);
    assert_eq!(widths(&runner.chain(levels).await.unwrap()), [3, 2, 1], "all are there");

    let bad = farm.false_task(first + 3).await;
    let levels = tree(vec![farm.task(first + 4).await, bad], 2, "tests");
    let outcomes = runner.chain(levels).await.unwrap();
    assert_eq!(widths(&outcomes), [1, 0]);
    let Outcome::Failed(Fault::BadInput(reason)) = &outcomes[1][0] else { panic!("{outcomes:?}") };
    assert_eq!(reason, "a job that it needs failed");
}
