//! Jobs: what their names depend on, and what is refused.

use std::{collections::HashSet, fs, path::Path};

use muster_prover::TranscriptKind;
use serde_json::{json, Value};

use super::{Input, Job, Kind, StatedJob, INLINE_LIMIT, VERSION};
use crate::digest::Digest;

fn job() -> Job {
    Job {
        version: VERSION,
        kind: Kind::Prove,
        key: Digest([1; 32]),
        srs: Digest([2; 32]),
        statement: StatedJob {
            key_set_root: Digest([0; 32]),
            threshold: 8,
            message: "0x0102".into(),
            signers: None,
        },
        transcript: TranscriptKind::Blake2b,
        committee: Input::Inline("{}".into()),
        signatures: Input::Stored(Digest([3; 32])),
        owner: "alice".into(),
    }
}

/// The job with something else in one place.
fn with(change: impl FnOnce(&mut Job)) -> Job {
    let mut job = job();
    change(&mut job);
    job
}

#[test]
fn a_name_is_of_what_is_proven() {
    let others = [
        job(),
        with(|job| job.key.0[31] ^= 1),
        with(|job| job.transcript = TranscriptKind::Keccak),
        with(|job| job.statement.key_set_root.0[0] = 1),
        with(|job| job.statement.threshold = 9),
        with(|job| job.statement.message = "0x01".into()),
        with(|job| job.statement.message = "0x010200".into()),
        with(|job| job.statement.signers = Some(vec![])),
        with(|job| job.statement.signers = Some(vec![0])),
        with(|job| job.statement.signers = Some(vec![1])),
    ];
    let names: HashSet<_> = others.iter().map(Job::name).collect();
    assert_eq!(names.len(), others.len());
}

#[test]
fn a_name_is_not_of_who_asks_or_from_which_files() {
    let same = [
        with(|job| job.owner = "bob".into()),
        with(|job| job.committee = Input::Stored(Digest([9; 32]))),
        with(|job| job.signatures = Input::Inline(String::new())),
        with(|job| job.statement.message = "0x0102".to_uppercase().replace("0X", "0x")),
        with(|job| job.srs = Digest([7; 32])),
    ];
    same.iter().for_each(|other| assert_eq!(other.name(), job().name()));
}

/// As a few lines of Python compute it: with another name, a farm would prove again whatever its store has.
#[test]
fn a_name_is_what_others_compute() {
    let name = "0xe935e0ed895750b9621a115b71a4fc9051dfdae00ba07376d235bc9b0d37d967";
    assert_eq!(job().name().to_string(), name);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cases: [(Job, &str); 6] = [
        (with(|job| job.version = 2), "version"),
        (with(|job| job.statement.threshold = 0), "statement.threshold"),
        (with(|job| job.statement.message = "0102".into()), "statement.message"),
        (with(|job| job.statement.key_set_root.0 = [255; 32]), "statement.key_set_root"),
        (with(|job| job.statement.signers = Some(vec![3, 3])), "statement.signers"),
        (with(|job| job.committee = Input::Inline(" ".repeat(INLINE_LIMIT + 1))), "committee"),
    ];
    job().check().unwrap();
    for (job, field) in cases {
        let reason = job.check().unwrap_err();
        assert!(reason.starts_with(field), "{field}: {reason}");
    }
}

#[test]
fn a_job_is_read_as_it_was_written() {
    let written = serde_json::to_value(job()).unwrap();
    assert_eq!(serde_json::from_value::<Job>(written.clone()).unwrap(), job());
    assert_eq!(written["kind"], "prove");
    let example: Value = serde_json::from_str(include_str!("example.json")).unwrap();
    assert_eq!(written, example, "what others can look at");
    let mut more = written;
    more["priority"] = json!(1);
    serde_json::from_value::<Job>(more).unwrap_err();
}

#[test]
fn the_schema_is_the_one_that_is_published() {
    let schema = serde_json::to_value(schemars::schema_for!(Job)).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("job.schema.json");
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some() {
        fs::write(&path, serde_json::to_string_pretty(&schema).unwrap() + "\n").unwrap();
    }
    let published: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(published, schema, "MUSTER_UPDATE_GOLDEN=1 writes it anew");
}
