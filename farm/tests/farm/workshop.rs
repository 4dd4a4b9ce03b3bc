//! Workshops, honest ones and others.

use std::{fs, os::unix::fs::PermissionsExt};

use muster_farm::{
    job::{Input, Job, Keygen, MadeKeys, Work, VERSION},
    store::{PinnedKey, MOST_STARTS},
    submit::tree,
    work::{verify, Fault},
    workshop::{Confirmed, Made, Place, Workshop},
    Digest,
};
use muster_prover::{estimate::Size, Keys, Memory, ProofKind, Srs};

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
        (foreign.clone(), "its fields other than the proof"),
        (with("proof", foreign_file["proof"].clone()), ""),
        (with("proof", flipped.into()), ""),
        (with("proof", "0x".into()), ""),
        (with("public_inputs", foreign_file["public_inputs"].clone()), "its fields"),
        (with("vk_digest", format!("0x{:064x}", 1).into()), "its fields"),
        (with("kind", "compact".into()), "its kind is compact, not fast"),
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
        (String::from_utf8(foreign.to_vec()).unwrap(), "they belong to another circuit"),
        (with(&|made| made.key.0[0] ^= 1), "they are 0x"),
        (with(&|made| made.pinned.srs.0[0] ^= 1), "they were made from"),
        (with(&|made| made.pinned.files[2].0[0] ^= 1), "is missing"),
        (
            with(&|made| made.pinned.files[1] = theirs.pinned.files[1]),
            "not the key whose vk_digest",
        ),
        (with(&|made| made.pinned.files.swap(0, 1)), ""),
        (farm.forged(&made).await, "the verifying key does not belong to the circuit"),
        (
            {
                let pinned = farm.exchanged(&made.pinned).await;
                with(&|made| made.pinned = pinned.clone())
            },
            "the proving key does not belong to the circuit",
        ),
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
    let refused = farm.store.pin(&keys, &made().keys, &other, false).await.unwrap_err();
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
    job.version = VERSION + 1;
    let made = farm.workshop().make(&job).await;
    let Made::Failed(Fault::Worker(reason)) = made else { panic!("{made:?}") };
    assert!(reason.contains("it is older than job version 4"), "{reason}");
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
    refused(&confirm(&farm.workshop(), &node).await, "it does not match its job");
}

/// Keys with packs are held to the packs that were asked for. Any others are good keys, too, but it is not for a worker to choose what
/// their proofs cost.
#[tokio::test]
async fn no_worker_chooses_the_packs_of_keys() {
    let farm = Farm::new().await;
    let (workshop, store) = (farm.workshop(), &farm.store);
    let job = farm.packed(5).await;
    let (mut other, mut fast, mut short) = (job.clone(), farm.keygen(4).await, job.clone());
    keygen_mut(&mut other).stride = Some(6);
    keygen_mut(&mut fast).shape = keygen_mut(&mut other).shape.clone();
    keygen_mut(&mut short).srs = keygen_mut(&mut fast).srs;
    is_bad_input(&workshop, &short, "SRS").await;
    let mut told = vec![];
    for job in [&other, &fast, &job] {
        assert_eq!(workshop.make(job).await, Made::Done);
        let made = store.made(&job.name()).await.unwrap().unwrap();
        told.push(serde_json::from_slice::<MadeKeys>(&made).unwrap());
    }
    let honest = told.pop().unwrap();
    for mut made in told {
        made.pinned.srs = honest.pinned.srs;
        store.put_made(&job.name(), &serde_json::to_string(&made).unwrap()).await.unwrap();
        refused(&confirm(&workshop, &job).await, "their packs are not those");
    }
    store.put_made(&job.name(), &serde_json::to_string(&honest).unwrap()).await.unwrap();
    assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
    assert_eq!(workshop.make(&job).await, Made::There, "it is made once");
}

/// Keys whose maker dies are made by another, and stored once.
#[tokio::test]
async fn a_maker_of_keys_may_die() {
    let farm = Farm::new().await;
    let (job, path) = (farm.packed(1).await, farm.dir.path().join("dies"));
    fs::write(&path, "#!/bin/sh\nkill -KILL $$\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let made = farm.workshop_with(|means| means.command.program = path).make(&job).await;
    assert!(matches!(made, Made::Failed(Fault::Crash(_))), "{made:?}");
    assert_eq!(farm.store.made(&job.name()).await.unwrap(), None);
    let begun = farm.store.overview().await.unwrap().begun;
    assert_eq!(begun.into_values().collect::<Vec<_>>(), [1]);
    let workshop = farm.workshop();
    assert_eq!(workshop.make(&job).await, Made::Done);
    assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
    assert!(farm.store.overview().await.unwrap().begun.is_empty());
}

fn keygen_mut(job: &mut Job) -> &mut Keygen {
    let Work::Keygen(asked) = &mut job.work else { panic!("keys are asked for") };
    asked
}

async fn is_bad_input(workshop: &Workshop, job: &Job, reason: &str) {
    let made = workshop.make(job).await;
    let Made::Failed(Fault::BadInput(found)) = made else { panic!("{reason}: {made:?}") };
    assert!(found.contains(reason), "{found}");
}

/// What a job's data does to a worker is not the worker's fault: any other would come to the same.
#[tokio::test]
async fn what_a_jobs_data_does_is_not_its_workers_fault() {
    let farm = Farm::new().await;
    let workshop = farm.workshop();
    let something = farm.store.put("something").await.unwrap();
    let mut sealed = farm.task(1).await.job;
    proof_mut(&mut sealed).signatures = Input::Sealed(something);
    is_bad_input(&workshop, &sealed, "there is no --codec-key here").await;
    let mut keygen = farm.keygen(4).await;
    keygen_mut(&mut keygen).srs = something;
    is_bad_input(&workshop, &keygen, "SRS").await;
    let small = farm.workshop_with(|means| means.memory = 1 << 20);
    is_bad_input(&small, &farm.task(2).await.job, "its class is too small").await;
    assert!(farm.store.overview().await.unwrap().begun.is_empty());
}

/// Wrong keys that somebody pinned give no proofs anywhere: each attempt counts.
#[tokio::test]
async fn wrong_keys_count_against_their_jobs() {
    let farm = Farm::new().await;
    let job = farm.task(1).await.job;
    let key = proof(&job).claim.key;
    let honest = farm.store.pinned(&key).await.unwrap();
    let wrong: PinnedKey = farm.exchanged(&honest).await;
    farm.store.pin_files(&key, &wrong, true).await.unwrap();
    let workshop = farm.workshop();
    for count in 1..=MOST_STARTS {
        let made = workshop.make(&job).await;
        let Made::Failed(Fault::Crash(reason)) = made else { panic!("{made:?}") };
        assert!(reason.contains("the proof that was just made is bad"), "{reason}");
        let begun = farm.store.overview().await.unwrap().begun;
        assert_eq!(begun.into_values().collect::<Vec<_>>(), [count]);
    }
    assert!(matches!(workshop.make(&job).await, Made::Failed(Fault::Dead(_))));
    // Once the right ones are pinned, it is made by whoever loads them.
    farm.store.pin_files(&key, &honest, true).await.unwrap();
    farm.store.retry(&job.name()).await.unwrap();
    assert_eq!(farm.workshop().make(&job).await, Made::Done);
}

/// Those who verify do not stop over what a worker says of keys, either.
#[tokio::test]
async fn made_keys_without_their_srs_stop_nobody() {
    let farm = Farm::new().await;
    let mut job = farm.keygen(4).await;
    keygen_mut(&mut job).srs = Digest([7; 32]);
    let pinned = PinnedKey { files: [Digest([8; 32]); 3], srs: Digest([7; 32]) };
    let made = MadeKeys { key: Digest([9; 32]), pinned };
    let text = serde_json::to_string(&made).unwrap();
    farm.store.put_made(&job.name(), &text).await.unwrap();
    refused(&confirm(&farm.workshop(), &job).await, "is missing");
}

/// What a worker shows without the job is its own fault, and does not count against the job.
#[tokio::test]
async fn a_worker_that_is_at_fault_says_so() {
    let farm = Farm::new().await;
    let job = farm.task(1).await.job;
    let program = farm.dir.path().join("none");
    let without_disk = farm.workshop();
    farm.lose_caches();
    let without_program = farm.workshop_with(|means| {
        (means.place, means.command.program) = (Place::Children, program);
    });
    for workshop in [without_disk, without_program] {
        let made = workshop.make(&job).await;
        assert!(matches!(made, Made::Failed(Fault::Worker(_))), "{made:?}");
    }
    assert!(farm.store.overview().await.unwrap().begun.is_empty());
    assert_eq!(farm.workshop().make(&job).await, Made::Done);
}

/// Where somebody put something among the results it is verified before it counts, and what does not hold is made anew.
#[tokio::test]
async fn a_planted_result_counts_for_nothing() {
    let farm = Farm::new().await;
    let (workshop, job) = (farm.workshop(), farm.task(1).await.job);
    let place = farm.dir.path().join(format!("store/results/{}.json", job.name().digits()));
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    let plant = |text: &str, length: Option<u64>| {
        fs::write(&place, text).unwrap();
        let file = fs::File::options().append(true).open(&place).unwrap();
        file.set_len(length.unwrap_or(text.len() as u64)).unwrap();
    };
    for length in [None, Some(3 << 29)] {
        plant("{}", length);
        assert!(matches!(confirm(&workshop, &job).await, Confirmed::No(_)), "nothing was made");
        assert_eq!(workshop.make(&job).await, Made::Done);
        assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
        assert!(farm.is_proven(&job).await);
        assert_eq!(workshop.make(&job).await, Made::There);
    }
    // A node below is one only if it says what it is to say.
    let tasks = vec![farm.task(1).await, farm.task(2).await, farm.task(3).await];
    let levels = tree(tasks, 2, "tests");
    for node in &levels[1] {
        farm.store.publish(&node.job.name(), "{}".into()).await.unwrap();
    }
    is_bad_input(&workshop, &levels[2][0].job, "does not match this node").await;
}

/// Whether a worker said something is asked without reading what it said.
#[tokio::test]
async fn what_is_too_long_is_not_read() {
    let farm = Farm::new().await;
    let (workshop, job) = (farm.workshop(), farm.task(1).await.job);
    let place = farm.dir.path().join(format!("store/made/{}.json", job.name().digits()));
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::File::create(&place).unwrap().set_len(3 << 29).unwrap();
    assert_eq!(workshop.make(&job).await, Made::Done, "somebody is to look at it");
    refused(&confirm(&workshop, &job).await, "1610612736 bytes, more than");
    assert_eq!(workshop.make(&job).await, Made::Done);
    assert_eq!(confirm(&workshop, &job).await, Confirmed::Yes);
}

/// A job that kills what proves takes its neighbour with it once. Then each has the worker alone, and only one is given up.
#[tokio::test(flavor = "multi_thread")]
async fn a_neighbour_of_what_kills_is_not_given_up() {
    const BAD: u64 = 7;
    let farm = Farm::new().await;
    let (bad, good) = (farm.task(BAD).await.job, farm.task(8).await.job);
    let program = farm.deadly_program(&format!("{BAD:064x}"));
    let workshop = farm.workshop_with(|means| {
        (means.place, means.command.program) = (Place::Children, program);
    });
    let both = || async { tokio::join!(workshop.make(&bad), workshop.make(&good)) };
    let crashed = |made: &Made| matches!(made, Made::Failed(Fault::Crash(_)));
    let first = both().await;
    assert!(crashed(&first.0) && crashed(&first.1), "{first:?}");
    for _ in 1..MOST_STARTS {
        let made = both().await;
        assert!(crashed(&made.0), "{made:?}");
        assert_eq!(made.1, Made::Done, "alone, nobody kills it");
    }
    assert!(matches!(workshop.make(&bad).await, Made::Failed(Fault::Dead(_))));
    assert_eq!(farm.store.overview().await.unwrap().given_up, 1);
}

/// The mark comes first: what ends a process while it reads is counted as well.
#[tokio::test]
async fn what_kills_while_it_is_read_is_given_up() {
    let farm = Farm::new().await;
    let (job, program) = (farm.task(1).await.job, farm.program("kill -KILL 0"));
    let workshop = farm.workshop_with(|means| {
        (means.place, means.command.program) = (Place::Children, program);
    });
    for _ in 0..MOST_STARTS {
        let made = workshop.make(&job).await;
        assert!(matches!(made, Made::Failed(Fault::Crash(_))), "{made:?}");
    }
    assert!(matches!(workshop.make(&job).await, Made::Failed(Fault::Dead(_))));
}

/// A job that fits its class is done by any worker of the class, however many proofs that one would make at once.
#[tokio::test]
async fn there_are_as_many_proofs_at_once_as_fit() {
    let farm = Farm::new().await;
    let bytes = Size::for_key(&made().keys.verifier()).proving_bytes(Memory::Low, 1);
    let workshop = farm.workshop_with(|means| (means.memory, means.slots) = (bytes, 64));
    assert_eq!(workshop.make(&farm.task(1).await.job).await, Made::Done);
}

/// Keys of the kind compact serve like others, for what they are for; bases for packs are kept beside them.
#[tokio::test]
async fn keys_for_contracts_are_proven_with() {
    let (farm, shape) = (Farm::new().await, made().keys.shape());
    let srs = Srs::insecure(Keys::srs_degree(shape, ProofKind::Compact).unwrap()).unwrap();
    let keys = Keys::make_for(&srs, shape, ProofKind::Compact).unwrap();
    let dir = farm.dir.path().join("compact");
    keys.save(&dir, false).unwrap();
    farm.store.pin(&dir, &keys, &srs, false).await.unwrap();
    let key = keys.verifier();
    let threshold = proof(&farm.task(1).await.job).claim.statement.threshold;
    let task = farm.shared_by(&key, threshold, &farm.folder(1)).await;
    let workshop = farm.workshop();
    assert_eq!(workshop.make(&task.job).await, Made::Done);
    let made = farm.store.made(&task.job.name()).await.unwrap().unwrap();
    assert_eq!(verify(&key, &proof(&task.job).claim, &made), Ok(()));

    let mut other = task.job.clone();
    proof_mut(&mut other).claim.kind = ProofKind::Fast;
    let Made::Failed(Fault::BadInput(reason)) = workshop.make(&other).await else { panic!() };
    assert!(reason.contains("fast, but the keys are for compact"), "{reason}");
}
