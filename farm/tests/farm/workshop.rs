//! Workshops, honest ones and others.

use std::fs;

use muster_farm::{
    job::{Job, MadeKeys},
    submit::tree,
    work::Fault,
    workshop::{Confirmed, Made, Workshop},
};
use muster_prover::Srs;

use crate::fixture::{made, proof, proof_mut, Farm};

async fn confirm(workshop: &Workshop, job: &Job) -> Confirmed {
    workshop.confirm(std::slice::from_ref(job)).await.unwrap().remove(0)
}

fn refused(confirmed: &Confirmed, reason: &str) {
    let Confirmed::No(found) = confirmed else { panic!("taken, though {reason}") };
    assert!(found.contains(reason), "{found}");
}

/// What a dishonest worker may put into the store in place of a proof.
#[tokio::test]
async fn no_worker_is_believed() {
    let farm = Farm::new().await;
    let workshop = farm.workshop();
    let (job, other) = (farm.task(1).await.job, farm.task(2).await.job);
    let (name, store) = (job.name(), &farm.store);
    assert_eq!(workshop.make(&other).await, Made::Done);
    let foreign = store.made(&other.name()).await.unwrap().unwrap();
    let foreign = String::from_utf8(foreign.to_vec()).unwrap();
    assert_eq!(workshop.make(&job).await, Made::Done);
    let honest = store.made(&name).await.unwrap().unwrap();
    let honest: serde_json::Value = serde_json::from_slice(&honest).unwrap();
    let with = |field: &str, value: serde_json::Value| {
        let mut file = honest.clone();
        file[field] = value;
        file.to_string()
    };
    let foreign_file: serde_json::Value = serde_json::from_str(&foreign).unwrap();
    let mut flipped = honest["proof"].as_str().unwrap().to_owned();
    let last = if flipped.pop() == Some('0') { '1' } else { '0' };
    flipped.push(last);
    let cases = [
        ("no JSON at all".to_owned(), ""),
        (foreign.clone(), "what it says beside the proof"),
        (with("proof", foreign_file["proof"].clone()), ""),
        (with("proof", flipped.into()), ""),
        (with("proof", "0x".into()), ""),
        (with("public_inputs", foreign_file["public_inputs"].clone()), "what it says"),
        (with("vk_digest", format!("0x{:064x}", 1).into()), "what it says"),
        (with("transcript", "keccak".into()), "its transcript is keccak, not blake2b"),
    ];
    for (file, reason) in cases {
        store.put_made(&name, &file).await.unwrap();
        refused(&confirm(&workshop, &job).await, reason);
        assert_eq!(store.result(&name).await.unwrap(), None);
        assert_eq!(store.made(&name).await.unwrap(), None, "it is forgotten");
    }
    refused(&confirm(&workshop, &job).await, "there is none");
    store.put_made(&name, &honest.to_string()).await.unwrap();
    assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
    assert!(farm.is_proven(&job).await);
    // A late one changes nothing.
    store.put_made(&name, &foreign).await.unwrap();
    assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
    assert!(farm.is_proven(&job).await);
}

/// What a dishonest worker may say that it made of keys.
#[tokio::test]
async fn no_worker_is_believed_who_makes_keys() {
    let farm = Farm::new().await;
    let workshop = farm.workshop();
    let (job, other) = (farm.keygen(4).await, farm.keygen(5).await);
    let store = &farm.store;
    let result = |job: &Job| {
        let name = job.name();
        async move { store.made(&name).await.unwrap().unwrap() }
    };
    assert_eq!(workshop.make(&other).await, Made::Done);
    assert_eq!(workshop.make(&job).await, Made::Done);
    let (honest, foreign) = (result(&job).await, result(&other).await);
    let made: MadeKeys = serde_json::from_slice(&honest).unwrap();
    let theirs: MadeKeys = serde_json::from_slice(&foreign).unwrap();
    let with = |change: &dyn Fn(&mut MadeKeys)| {
        let mut made = made.clone();
        change(&mut made);
        serde_json::to_string(&made).unwrap()
    };
    let cases = [
        ("no JSON at all".to_owned(), ""),
        (String::from_utf8(foreign.to_vec()).unwrap(), "they are of another circuit"),
        (with(&|made| made.key.0[0] ^= 1), "they are 0x"),
        (with(&|made| made.pinned.srs.0[0] ^= 1), "they were made from"),
        (with(&|made| made.pinned.files[2].0[0] ^= 1), "is not there"),
        (
            with(&|made| made.pinned.files[1] = theirs.pinned.files[1]),
            "not the key whose vk_digest",
        ),
        (with(&|made| made.pinned.files.swap(0, 1)), ""),
        (farm.forged(&made).await, "the verifying key is not the circuit's"),
    ];
    for (text, reason) in cases {
        store.put_made(&job.name(), &text).await.unwrap();
        refused(&confirm(&workshop, &job).await, reason);
        assert_eq!(store.result(&job.name()).await.unwrap(), None);
    }
    store.put_made(&job.name(), std::str::from_utf8(&honest).unwrap()).await.unwrap();
    assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
}

/// Keys are taken by the digest of the verifying key, whatever is pinned under it.
#[tokio::test]
async fn keys_are_those_that_a_job_names() {
    let farm = Farm::new().await;
    let (mut task, keys) = (farm.task(1).await, farm.dir.path().join("store/keys"));
    let key = proof(&task.job).claim.key.digits();
    let pinned = fs::read(keys.join(format!("{key}.json"))).unwrap();
    proof_mut(&mut task.job).claim.key.0[0] ^= 1;
    let other = proof(&task.job).claim.key.digits();
    fs::write(keys.join(format!("{other}.json")), pinned).unwrap();
    let made = farm.workshop().make(&task.job).await;
    let Made::Failed(Fault::BadInput(reason)) = made else { panic!("{made:?}") };
    assert!(reason.contains("the keys pinned as"), "{reason}");
}

/// An SRS that is pinned with keys is the one that they were made from, whatever it is that the store has.
#[tokio::test]
async fn an_srs_is_the_one_of_its_keys() {
    let farm = Farm::new().await;
    let job = farm.task(1).await.job;
    let other = Srs::insecure(made().keys.shape().degree()).unwrap();
    let key = proof(&job).claim.key;
    let mut pinned = farm.store.pinned(&key).await.unwrap();
    pinned.srs = farm.store.put_srs(&other).await.unwrap();
    let path = farm.dir.path().join(format!("store/keys/{}.json", key.digits()));
    fs::write(path, serde_json::to_string(&pinned).unwrap()).unwrap();
    let made = farm.workshop().make(&job).await;
    let Made::Failed(Fault::BadInput(reason)) = made else { panic!("{made:?}") };
    assert!(reason.contains("not from the one they are pinned with"), "{reason}");
}

/// What is no SRS is the pin's fault, since every worker finds the same, and keys are pinned with no other than their own.
#[tokio::test]
async fn a_pinned_srs_is_checked() {
    let farm = Farm::new().await;
    let job = farm.task(1).await.job;
    let key = proof(&job).claim.key;
    let mut pinned = farm.store.pinned(&key).await.unwrap();
    pinned.srs = farm.store.put("no SRS").await.unwrap();
    let path = farm.dir.path().join(format!("store/keys/{}.json", key.digits()));
    fs::write(path, serde_json::to_string(&pinned).unwrap()).unwrap();
    let made_of = farm.workshop().make(&job).await;
    let Made::Failed(Fault::BadInput(reason)) = made_of else { panic!("{made_of:?}") };
    assert!(reason.contains("the SRS that the keys are pinned with"), "{reason}");

    let other = Srs::insecure(made().keys.shape().degree()).unwrap();
    let keys = made().dir.path().join("keys");
    let refused = farm.store.pin(&keys, &made().keys, &other).await.unwrap_err();
    assert!(refused.to_string().contains("digest"), "{refused}");
}

#[tokio::test]
async fn a_job_that_nobody_survives_is_given_up() {
    let farm = Farm::new().await;
    let (workshop, job) = (farm.workshop(), farm.task(1).await.job);
    for _ in 0..4 {
        let _lost = farm.store.start(&job.name()).await.unwrap().unwrap();
    }
    let made = workshop.make(&job).await;
    assert!(matches!(made, Made::Failed(Fault::Dead(_))), "{made:?}");
    farm.store.forget_starts(&job.name()).await.unwrap();
    assert_eq!(workshop.make(&job).await, Made::Done);
    assert_eq!(workshop.make(&job).await, Made::Done, "it is there");
}

/// A job of a later version is for later workers: this one stops, and others take it.
#[tokio::test]
async fn a_later_job_is_for_later_workers() {
    let farm = Farm::new().await;
    let mut job = farm.task(1).await.job;
    job.version += 1;
    let made = farm.workshop().make(&job).await;
    let Made::Failed(Fault::Worker(reason)) = made else { panic!("{made:?}") };
    assert!(reason.contains("it is older than a job of version 2"), "{reason}");
    job.version = 0;
    let made = farm.workshop().make(&job).await;
    assert!(matches!(made, Made::Failed(Fault::BadInput(_))), "{made:?}");
}

/// A node's verifier that the store does not answer is not at fault itself, and says nothing of the node.
#[tokio::test]
async fn a_store_that_does_not_answer_is_nobodys_fault() {
    let farm = Farm::new().await;
    let (task, other) = (farm.task(1).await, farm.task(2).await);
    farm.prove(1).await;
    farm.prove(2).await;
    let node = tree(vec![task, other], 2, "tests").remove(1).remove(0).job;
    assert_eq!(farm.workshop().make(&node).await, Made::Done);
    let keys = farm.dir.path().join("store/keys");
    fs::rename(&keys, keys.with_extension("away")).unwrap();
    fs::write(&keys, "").unwrap();
    let error = farm.workshop().confirm(std::slice::from_ref(&node)).await.unwrap_err();
    assert!(matches!(Fault::from(&error), Fault::Outage(_)), "{error}");
    fs::remove_file(&keys).unwrap();
    fs::rename(keys.with_extension("away"), &keys).unwrap();
    assert_eq!(confirm(&farm.workshop(), &node).await, Confirmed::Yes);
    // What says something else than its job is no node.
    farm.store.retry(&node.name()).await.unwrap();
    fs::remove_dir_all(farm.dir.path().join("store/results")).unwrap();
    farm.store.put_made(&node.name(), "{}").await.unwrap();
    refused(&confirm(&farm.workshop(), &node).await, "has no result in the store");
    farm.prove(1).await;
    farm.prove(2).await;
    farm.store.put_made(&node.name(), "{}").await.unwrap();
    refused(&confirm(&farm.workshop(), &node).await, "it says something else than its job");
}
