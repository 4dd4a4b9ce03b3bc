//! Jobs: what their names depend on, and what is refused.

use std::{collections::HashSet, fs, path::Path};

use muster_prover::{input, muster_params::Origin, ProofKind, Request, Scheme, Shape};
use muster_testing::schema::{assert_reader, Schema};
use serde_json::{json, Value};

use super::{
    Claim, Incoming, Input, Job, Keygen, MadeKeys, Prove, Simulate, StatedJob, SweepRow, Verified,
    Verify, Work, FIRST_VERSION, INLINE_LIMIT, OWNER_LIMIT, VERSION,
};
use crate::{digest::Digest, store::PinnedKey};

fn proof() -> Prove {
    let statement = StatedJob {
        key_set_root: Digest([0; 32]),
        threshold: 8,
        message: "0x0102".into(),
        signers: None,
    };
    Prove {
        claim: Claim { key: Digest([1; 32]), kind: ProofKind::Fast, statement },
        srs: Digest([2; 32]),
        committee: Input::Inline("{}".into()),
        signatures: Input::Stored(Digest([3; 32])),
    }
}

fn job() -> Job {
    Job::new(Work::Prove(proof()), "alice")
}

/// The job with something else in one place of its proof.
fn with(change: impl FnOnce(&mut Prove)) -> Job {
    let mut proof = proof();
    change(&mut proof);
    Job::new(Work::Prove(proof), "alice")
}

fn node(verify: Verify) -> Job {
    Job::new(Work::Verify(verify), "")
}

fn row(series: &str, repeat: usize) -> Job {
    let asked = serde_json::json!({
        "shape": {}, "case": "8/16", "repeat": repeat, "kind": "fast", "memory": "low",
    });
    let asked = serde_json::from_value(asked).unwrap();
    Job::new(Work::SweepRow(SweepRow { series: series.into(), asked }), "")
}

fn shape(slots: usize) -> Value {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 16, slots)).unwrap();
    serde_json::to_value(shape).unwrap()
}

fn keygen(change: impl FnOnce(&mut Keygen)) -> Job {
    let origin = json!({ "kind": "ceremony", "format": "halo2-raw",
        "file": { "name": "ceremony", "sha256": format!("0x{:064x}", 5) } });
    let mut keygen = Keygen {
        srs: Digest([2; 32]),
        origin: serde_json::from_value(origin).unwrap(),
        shape: shape(8),
        stride: None,
    };
    change(&mut keygen);
    Job::new(Work::Keygen(keygen), "")
}

/// Keys with packs.
fn packed(stride: u32) -> Job {
    keygen(|keygen| keygen.stride = Some(stride))
}

fn ceremony(series: &str, repeat: u64) -> Job {
    let asked = json!({ "protocol": "frost", "suite": "ed25519", "threshold": 2, "signers": 3,
        "repeat": repeat });
    let asked = serde_json::from_value(asked).unwrap();
    Job::new(Work::Simulate(Simulate { series: series.into(), asked }), "")
}

#[test]
fn a_name_is_of_what_is_proven() {
    let others = [
        job(),
        with(|proof| proof.claim.key.0[31] ^= 1),
        with(|proof| proof.claim.kind = ProofKind::Compact),
        with(|proof| proof.claim.statement.key_set_root.0[0] = 1),
        with(|proof| proof.claim.statement.threshold = 9),
        with(|proof| proof.claim.statement.message = "0x01".into()),
        with(|proof| proof.claim.statement.message = "0x010200".into()),
        with(|proof| proof.claim.statement.signers = Some(vec![])),
        with(|proof| proof.claim.statement.signers = Some(vec![0])),
        with(|proof| proof.claim.statement.signers = Some(vec![1])),
    ];
    let names: HashSet<_> = others.iter().map(Job::name).collect();
    assert_eq!(names.len(), others.len());
}

/// Other kinds of work are told apart in the same way, and from each other.
#[test]
fn a_name_is_of_what_is_done() {
    let (name, other) = (job().name(), with(|proof| proof.claim.statement.threshold = 9).name());
    let claims = vec![proof().claim];
    let jobs = [
        job(),
        node(Verify { claims: claims.clone(), nodes: vec![] }),
        node(Verify { claims: vec![], nodes: vec![name] }),
        node(Verify { claims: vec![], nodes: vec![name, other] }),
        node(Verify { claims: vec![], nodes: vec![other, name] }),
        node(Verify { claims, nodes: vec![other] }),
        row("", 3),
        row("", 4),
        row("again", 3),
        keygen(|_| {}),
        keygen(|keygen| keygen.srs.0[0] ^= 1),
        keygen(|keygen| keygen.origin = Origin::Insecure),
        keygen(|keygen| keygen.shape = shape(4)),
        keygen(|keygen| keygen.stride = Some(1)),
        keygen(|keygen| keygen.stride = Some(256)),
        ceremony("", 3),
        ceremony("", 4),
        ceremony("again", 3),
    ];
    let names: HashSet<_> = jobs.iter().map(Job::name).collect();
    assert_eq!(names.len(), jobs.len());
    for job in jobs {
        job.check().unwrap();
        let written = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&written).unwrap(), job);
    }
}

#[test]
fn a_name_is_not_of_who_asks_or_from_which_files() {
    let same = [
        Job { owner: "bob".into(), ..job() },
        with(|proof| proof.committee = Input::Stored(Digest([9; 32]))),
        with(|proof| proof.signatures = Input::Inline(String::new())),
        with(|proof| proof.claim.statement.message = "0x0102".to_uppercase().replace("0X", "0x")),
        with(|proof| proof.srs = Digest([7; 32])),
    ];
    same.iter().for_each(|other| assert_eq!(other.name(), job().name()));
}

/// As a few lines of Python compute it: with another name, a farm would prove again whatever its store has.
#[test]
fn a_name_is_what_others_compute() {
    let name = "0x8486f01254fdb39bd86463371fde954df5bc097360942d255d5da4765d81f67f";
    assert_eq!(job().name().to_string(), name);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cases = [
        (Job { version: VERSION + 1, ..job() }, "version: 4 is unknown"),
        (Job { version: FIRST_VERSION - 1, ..job() }, "version: 1 is unknown"),
        (Job { version: FIRST_VERSION, ..packed(5) }, "version: 2, but such work is of version 3"),
        (packed(0), "stride: 0, but 1 to 256"),
        (packed(257), "stride: 257, but 1 to 256"),
        (Job { owner: "o".repeat(OWNER_LIMIT + 1), ..job() }, "owner"),
        (node(Verify { claims: vec![], nodes: vec![] }), "claims: a node has"),
        (node(Verify { claims: vec![proof().claim; 2], nodes: vec![] }), "claims: a child"),
        (node(Verify { claims: vec![], nodes: vec![job().name(); 2] }), "claims: a child"),
        (keygen(|keygen| keygen.shape["slots"] = json!(0)), "shape"),
        (keygen(|keygen| keygen.shape = json!({})), "shape: missing field"),
        (keygen(|keygen| keygen.shape = json!(" ".repeat(1 << 17))), "shape: 131074 bytes"),
        (ceremony("", 0), "asked.repeat"),
        (row("", 0), "asked.repeat: 0"),
        (row("", 1_001), "asked.repeat: 1001"),
        (with(|proof| proof.claim.statement.threshold = 0), "statement.threshold"),
        (with(|proof| proof.claim.statement.message = "0102".into()), "statement.message"),
        (with(|proof| proof.claim.statement.key_set_root.0 = [255; 32]), "statement.key_set_root"),
        (with(|proof| proof.claim.statement.signers = Some(vec![3, 3])), "statement.signers"),
        (with(|proof| proof.committee = Input::Inline(" ".repeat(INLINE_LIMIT + 1))), "committee"),
    ];
    job().check().unwrap();
    Job { version: VERSION, ..job() }.check().unwrap();
    for (job, field) in cases {
        let reason = job.check().unwrap_err();
        assert!(reason.starts_with(field), "{field}: {reason}");
    }
}

#[test]
fn a_job_is_read_as_it_was_written() {
    let written = serde_json::to_value(job()).unwrap();
    assert_eq!(serde_json::from_value::<Job>(written.clone()).unwrap(), job());
    assert_eq!(written["work"]["kind"], "prove");
    let example: Value = serde_json::from_str(include_str!("example.json")).unwrap();
    assert_eq!(written, example, "what others can look at");
    let mut more = written;
    more["priority"] = json!(1);
    serde_json::from_value::<Job>(more).unwrap_err();
}

/// What only later versions understand is passed on as it came; what is malformed is malformed.
#[test]
fn later_jobs_are_passed_on() {
    let read = |job: &Value| serde_json::from_value::<Incoming>(job.clone());
    let known = serde_json::to_value(job()).unwrap();
    assert_eq!(read(&known).unwrap().known(), Ok(job()));
    assert_eq!(serde_json::to_value(read(&known).unwrap()).unwrap(), known);
    let later = json!({ "version": VERSION + 1, "work": { "kind": "aggregate" }, "haste": true });
    let passed = read(&later).unwrap().without_inputs();
    assert_eq!(serde_json::to_value(&passed).unwrap(), later);
    assert_eq!(passed.known().unwrap_err(), "it is older than job version 4");
    let earlier = read(&json!({ "version": 1, "work": { "kind": "prove" } })).unwrap_err();
    assert_eq!(earlier.to_string(), "version: 1 is unknown; 2 to 3 are known");
    let mut other = known;
    other["work"]["kind"] = json!("aggregate");
    assert!(read(&other).unwrap_err().to_string().contains("unknown variant `aggregate`"));
    read(&json!({})).unwrap_err();
}

/// Workers of the version before do all that they did: only what they do not know is left to later ones.
#[test]
fn a_job_says_the_first_version_that_has_it() {
    let versions = [job(), keygen(|_| {}), packed(5)].map(|job| job.version);
    assert_eq!(versions, [FIRST_VERSION, FIRST_VERSION, VERSION]);
    let mut early = serde_json::to_value(packed(5)).unwrap();
    early["version"] = json!(FIRST_VERSION);
    let early = serde_json::from_value::<Incoming>(early).unwrap().known().unwrap();
    early.check().unwrap_err();
}

#[test]
fn the_schema_is_the_one_that_is_published() {
    let schema = serde_json::to_value(schemars::schema_for!(Job)).unwrap();
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference/schemas/farm-job.json");
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some() {
        fs::write(&path, serde_json::to_string_pretty(&schema).unwrap() + "\n").unwrap();
    }
    let published: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(published, schema, "MUSTER_UPDATE_GOLDEN=1 writes it anew");
}

/// The readers of a job, and of what workers make, refuse what the schemas refuse, and say so in words.
#[test]
fn readers_keep_to_the_schemas() {
    let schema = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference/schemas");
        Schema::new(&fs::read_to_string(folder.join(format!("{name}.json"))).unwrap())
    };
    let incoming = |job: &Value| -> Result<(), String> {
        let known = input::from_value::<Incoming>(job.clone())?.known()?;
        known.check()
    };
    let signed = with(|proof| proof.claim.statement.signers = Some(vec![0, 3]));
    let jobs = [
        job(),
        signed,
        node(Verify { claims: vec![proof().claim], nodes: vec![row("", 3).name()] }),
        row("again", 3),
        keygen(|_| {}),
        packed(5),
        ceremony("", 3),
    ];
    for job in jobs {
        assert_reader(&schema("farm-job"), &serde_json::to_value(job).unwrap(), incoming);
    }
    let mut text = serde_json::to_value(job()).unwrap();
    text["work"]["claim"]["statement"]["threshold"] = json!("18446744073709551615");
    assert_reader(&schema("farm-job"), &text, incoming);
    let digest = |byte: u8| format!("0x{}", hex::encode([byte; 32]));
    let pin = json!({ "files": [digest(1), digest(2), digest(3)], "srs": digest(4) });
    let read = |file: &Value| input::from_json::<PinnedKey>(file.to_string().as_bytes()).map(drop);
    assert_reader(&schema("farm-pin"), &pin, read);
    let made = json!({ "key": digest(5), "pinned": pin });
    let read = |file: &Value| input::from_json::<MadeKeys>(file.to_string().as_bytes()).map(drop);
    assert_reader(&schema("farm-keys"), &made, read);
    let node = json!({ "proofs": [digest(6)], "nodes": [digest(7)] });
    let read = |file: &Value| input::from_json::<Verified>(file.to_string().as_bytes()).map(drop);
    assert_reader(&schema("farm-node"), &node, read);
}
