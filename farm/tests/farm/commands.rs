//! The commands, as people type them, without a server.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;

use crate::fixture::{made, Farm};

fn farm(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster-farm"));
    command.args(words).env_remove("TEMPORAL_ADDRESS").env_remove("TEMPORAL_PROFILE");
    command
}

/// `submit`, or `plan`, of all requests of a farm.
fn requests(command: &str, farm_of: &Farm) -> Command {
    let mut words = farm(&[command, "--store", &farm_of.place(), "--threshold", "2", "--batch"]);
    words.arg(farm_of.batch()).arg("--keys").arg(made().dir.path().join("keys"));
    words
}

fn submit(farm: &Farm, out: &Path) -> Command {
    let mut words = requests("submit", farm);
    words.arg("--out").arg(out);
    words
}

/// What a command printed, as JSON.
fn json(command: &mut Command) -> Value {
    serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap()
}

/// What a command says that fails with this status.
fn refused(command: &mut Command, status: i32) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{said}");
    said
}

#[tokio::test]
async fn proofs_come_out_and_a_node_over_them() {
    let at = Farm::new().await;
    (1..=3).for_each(|message| drop(at.folder(message)));
    let out = at.dir.path().join("proofs");
    let said = json(submit(&at, &out).args(["--json", "--tree", "2"]));
    assert_eq!((&said["proven"], &said["failed"]), (&3.into(), &0.into()));
    assert_eq!(said["nodes"].as_array().map(Vec::len), Some(3), "two nodes and the one over them");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3);
    let status = json(&mut farm(&["status", "--store", &at.place(), "--json"]));
    assert_eq!(status["results"], 6);
    // Once more, and they are there; but nothing is overwritten without being asked for.
    let said = refused(&mut submit(&at, &out), 2);
    assert!(said.contains("File exists"), "{said}");
    submit(&at, &out).arg("--force").assert().success();

    let job = json(submit(&at, &out).args(["--json", "--force"]))["jobs"][0]["job"].clone();
    let path = at.dir.path().join("proof.json");
    let result = ["result", "--store", &at.place(), "--out", path.to_str().unwrap()];
    farm(&result).arg(job.as_str().unwrap()).assert().success();
    let said = refused(farm(&result).arg(format!("0x{:064x}", 7)).arg("--force"), 2);
    assert!(said.contains("a result of"), "{said}");
}

/// What somebody put into the store in place of a proof is not given out.
#[tokio::test]
async fn a_planted_proof_is_not_given_out() {
    let at = Farm::new().await;
    (1..=2).for_each(|message| drop(at.folder(message)));
    let out = at.dir.path().join("proofs");
    let said = json(submit(&at, &out).arg("--json"));
    let file = |place: usize| {
        let job = said["jobs"][place]["job"].as_str().unwrap();
        at.dir.path().join("store/results").join(format!("{}.json", &job[2..]))
    };
    fs::copy(file(0), file(1)).unwrap();
    let said = refused(submit(&at, &out).arg("--force"), 2);
    assert!(said.contains("what it says beside the proof is not what its claim says"), "{said}");
    // A node over it does not hold either.
    fs::remove_dir_all(&out).unwrap();
    let said = refused(submit(&at, &out).args(["--tree", "2"]), 2);
    assert!(said.contains("what it says beside the proof"), "{said}");
}

#[tokio::test]
async fn secrets_and_cancelled_jobs_are_not_begun() {
    let at = Farm::new().await;
    let (folder, out) = (at.folder(1), at.dir.path().join("proofs"));
    let plan = json(&mut requests("plan", &at));
    let flow = &plan["workflows"][0];
    assert_eq!((&flow["type"], &flow["queue"]), (&"Proofs".into(), &"muster".into()));
    let job = flow["jobs"][0].as_str().unwrap();
    assert_eq!(flow["id"], format!("prove-{}", &job[2..]));
    assert_eq!(flow["input"]["tasks"][0]["job"]["work"]["kind"], "prove");

    let mark = ["--store", &at.place(), job];
    farm(&["cancel", "--reason", "the block is old"]).args(mark).assert().success();
    let said = refused(&mut submit(&at, &out), 1);
    assert!(said.contains("cancelled: the block is old"), "{said}");
    farm(&["retry"]).args(mark).assert().success();
    submit(&at, &out).assert().success();

    fs::write(folder.join("secrets.json"), "{}").unwrap();
    for command in ["submit", "plan"] {
        let mut words = requests(command, &at);
        if command == "submit" {
            words.arg("--out").arg(&out);
        }
        let said = refused(&mut words, 2);
        assert!(said.contains("secrets do not belong on a farm"), "{said}");
    }
}

/// The files of `muster sweep`, from rows that ran as jobs; what the store has is not measured again.
#[tokio::test]
async fn a_sweep_leaves_the_files_of_a_sweep() {
    let at = Farm::new().await;
    let out = at.dir.path().join("results");
    let sweep = |more: &[&str]| {
        let mut words = farm(&["sweep", "--store", &at.place(), "--case", "1/2"]);
        words.args(["--scheme", "schnorr-babyjubjub", "--degree", "6", "11", "--out"]);
        words.arg(&out).args(more).env("MUSTER_PARAMS", at.dir.path().join("srs"));
        words
    };
    let said = json(&mut sweep(&["--json"]));
    let rows = said["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["status"], &rows[1]["status"]), (&"does-not-fit".into(), &"ok".into()));
    assert!(out.join("results.csv").exists() && out.join("results.svg").exists());
    let said = refused(&mut sweep(&[]), 2);
    assert!(said.contains("--resume continues"), "{said}");
    let time = |said: &Value| said["rows"][1]["prove_s"].as_f64().unwrap();
    let again = json(&mut sweep(&["--json", "--force"]));
    assert!((time(&again) - time(&said_of(&out))).abs() < f64::EPSILON);
    let anew = json(&mut sweep(&["--json", "--force", "--series", "anew"]));
    assert!((time(&anew) - time(&again)).abs() > f64::EPSILON, "it was measured again");
    let said = refused(&mut sweep(&["--jobs", "2"]), 2);
    assert!(said.contains("--jobs: rows that run elsewhere have none"), "{said}");
}

fn said_of(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("results.json")).unwrap()).unwrap()
}

#[tokio::test]
async fn what_is_no_farm_is_named() {
    let at = Farm::new().await;
    let (_, out) = (at.folder(1), at.dir.path().join("proofs"));
    let said = refused(submit(&at, &out).args(["--address", "no address"]), 2);
    assert!(said.contains("--address"), "{said}");
    let said = refused(submit(&at, &out).args(["--tree", "1"]), 2);
    assert!(said.contains("2..=1024"), "{said}");
    let key = at.dir.path().join("store/keys");
    let pinned = fs::read_dir(key).unwrap().next().unwrap().unwrap().path();
    fs::write(&pinned, "{}").unwrap();
    let said = refused(&mut submit(&at, &out), 1);
    assert!(said.contains("bad input: store: keys/"), "{said}");
}
