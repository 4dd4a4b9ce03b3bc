//! What a command takes from the store is verified by itself, whatever workers say.

use std::fs;

use muster_cli::progress::Progress;
use muster_prover::{estimate::Size, Keys, Request, Scheme, Shape, Srs};

use super::{keygen::Told, requests::Requests, submit::held};
use crate::{
    job::{Job, MadeKeys, Task, Work},
    store::{PinnedKey, Store},
    work::{Fault, Outcome},
    Digest,
};

fn shape(signers: usize) -> Shape {
    Shape::fit(&Request::new(Scheme::Schnorr, signers, 2)).unwrap()
}

#[test]
fn keys_are_held_to_their_circuit_by_those_who_asked() {
    let (dir, shape) = (tempfile::tempdir().unwrap(), shape(4));
    let srs = Srs::insecure(shape.degree()).unwrap();
    let keys = Keys::make(&srs, &shape).unwrap();
    keys.save(dir.path(), true).unwrap();
    let pinned = PinnedKey { files: [Digest([0; 32]); 3], srs: Digest([1; 32]) };
    let made = MadeKeys { key: Digest(keys.vk_digest()), pinned };
    let fault = |made: &MadeKeys, shape: &Shape| {
        let srs_digest = Digest([1; 32]);
        let told = Told { made, shape, plan: None, srs: srs_digest, has_proving_key: true };
        told.fault(dir.path(), &srs, &Progress::new()).unwrap().unwrap_or_default()
    };
    assert_eq!(fault(&made, &shape), "");
    let mut other = made.clone();
    other.pinned.srs.0[0] ^= 1;
    assert!(fault(&other, &shape).starts_with("they were made from the SRS 0x"));
    let mut other = made.clone();
    other.key.0[0] ^= 1;
    assert_eq!(fault(&other, &shape), "the verifying key does not belong to the circuit");
    assert_eq!(fault(&made, &self::shape(5)), "the verifying key does not belong to the circuit");
}

/// One proof that is none, or is not there, is that folder's failure, and keeps no other from being given out.
#[tokio::test]
async fn a_bad_result_is_one_folders_failure() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().to_str().unwrap()).unwrap();
    let srs = Srs::insecure(shape(4).degree()).unwrap();
    let keys = Keys::make(&srs, &shape(4)).unwrap();
    let task = |threshold: u64| {
        let mut job: Job = serde_json::from_str(include_str!("../job/example.json")).unwrap();
        let Work::Prove(prove) = &mut job.work else { panic!("the example is a proof") };
        prove.claim.key = Digest(keys.vk_digest());
        prove.claim.statement.threshold = threshold;
        Task::proof(job, &shape(4), &Size::for_key(&keys.verifier()))
    };
    let tasks = vec![task(1), task(2), task(3), task(4)];
    store.publish(&tasks[0].job.name(), "{}".into()).await.unwrap();
    let long = dir.path().join(format!("results/{}.json", tasks[1].job.name().digits()));
    fs::File::create(long).unwrap().set_len(3 << 29).unwrap();
    let requests = Requests { key: keys.verifier(), folders: vec![], tasks, dropped: vec![] };
    let cancelled = Outcome::Failed(Fault::Cancelled("too late".into()));
    let outcomes = [Outcome::Done, Outcome::Done, Outcome::Done, cancelled];
    let held = held(&store, &requests, &outcomes).await.unwrap();
    let reasons = held.into_iter().map(|one| one.unwrap_err().to_string()).collect::<Vec<_>>();
    let expected = ["missing field", "1610612736 bytes", "but is not there", "cancelled: too late"];
    for (reason, expected) in reasons.iter().zip(expected) {
        assert!(reason.contains(expected), "{reason}");
    }
}
