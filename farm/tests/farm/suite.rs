//! What every runner promises.

use muster_farm::{
    runner::Runner,
    work::{Fault, Outcome},
};

use crate::fixture::Farm;

/// Holds a runner to its promises. Jobs are numbered from `first`.
pub(crate) async fn holds(farm: &Farm, runner: &impl Runner, first: u64) {
    // In order, each once however often it is asked for.
    let (one, two) = (farm.task(first).await, farm.task(first + 1).await);
    let tasks = vec![one.clone(), two.clone(), one.clone(), one.clone()];
    assert_eq!(runner.run(tasks).await.unwrap(), vec![Outcome::Proven; 4]);
    assert!(farm.is_proven(&one.job).await && farm.is_proven(&two.job).await);

    // What is proven is not proven again, whoever asks.
    let before = farm.store.proof(&one.job.name()).await.unwrap();
    let mut again = one.clone();
    again.job.owner = "somebody else".into();
    assert_eq!(runner.run(vec![again]).await.unwrap(), vec![Outcome::Proven]);
    assert_eq!(farm.store.proof(&one.job.name()).await.unwrap(), before);

    // A false statement beside a true one: named, and not proven.
    let (bad, good) = (farm.false_task(first + 2).await, farm.task(first + 3).await);
    let outcomes = runner.run(vec![bad.clone(), good.clone()]).await.unwrap();
    let Outcome::Failed(Fault::Rejected(reason)) = &outcomes[0] else {
        panic!("{outcomes:?}");
    };
    assert!(reason.contains("member"), "{reason}");
    assert_eq!(outcomes[1], Outcome::Proven);
    assert!(!farm.is_proven(&bad.job).await && farm.is_proven(&good.job).await);

    // What is no job, one for another SRS, and one for a key that nobody pinned.
    let mut zero = farm.task(first + 4).await;
    let (mut other, mut unknown) = (farm.task(first + 5).await, farm.task(first + 6).await);
    zero.job.statement.threshold = 0;
    other.job.srs.0[0] ^= 1;
    unknown.job.key.0[0] ^= 1;
    let outcomes = runner.run(vec![zero, other, unknown]).await.unwrap();
    for (outcome, field) in outcomes.iter().zip(["statement.threshold", "srs", "store: keys/"]) {
        let Outcome::Failed(Fault::BadInput(reason)) = outcome else { panic!("{outcome:?}") };
        assert!(reason.starts_with(field), "{reason}");
    }
    assert!(runner.run(vec![]).await.unwrap().is_empty());
}
