//! `muster prove --batch`: one key, a folder a proof.

use std::{fs, path::PathBuf};

use serde_json::Value;

use crate::support::{edit_hex, fixture, names, write, Run};

/// A directory with three folders, of which each has signatures of the fixture's committee.
fn signed(name: &str) -> PathBuf {
    let dir = fixture().scratch(name);
    for folder in ["a", "b", "c"] {
        let folder = dir.join("signed").join(folder);
        fs::create_dir_all(&folder).unwrap();
        let from = fixture().dir.join("schnorr/signatures.json");
        fs::copy(from, folder.join("signatures.json")).unwrap();
    }
    // Neither is to be proven.
    fs::create_dir(dir.join("signed/empty")).unwrap();
    fs::write(dir.join("signed/notes.txt"), "").unwrap();
    dir
}

fn prove(dir: &std::path::Path, options: &str) -> Run {
    let (signed, out) = (dir.join("signed"), dir.join("proofs"));
    fixture().run(&format!(
        "prove --keys keys --batch {} --threshold 2 --out {} {options}",
        signed.display(),
        out.display()
    ))
}

const SAME: &str = "--committee schnorr/committee.json";

#[test]
fn all_are_proven() {
    let dir = signed("many");
    for options in ["", "--memory low --threads 1", "--memory fast --threads 3 --prover engine"] {
        let run = prove(&dir, &format!("{SAME} --force --json {options}")).expect(0, &[]);
        let json = run.json();
        assert_eq!(json["proofs"].as_array().unwrap().len(), 3);
        assert!(json["proofs_per_s"].as_f64().unwrap() > 0.0);
        let expected = if options.contains("low") { "low" } else { "fast" };
        assert_eq!(json["memory"], expected, "{options}");
        assert_eq!(json["at_once"] == 1, options.contains("--threads 1"), "{options}");
        assert_eq!(names(&dir.join("proofs")), ["a.json", "b.json", "c.json"]);
        let proofs = dir.join("proofs");
        let line = format!(
            "verify --keys keys --threshold 2 {0}/a.json {0}/b.json {0}/c.json",
            proofs.display()
        );
        fixture().run(&line).expect(0, &["accepted"]);
    }
    prove(&dir, &format!("{SAME} --force --profile --prover reference"))
        .expect(0, &["3 proofs in", "proofs a second", "reference"]);
}

#[test]
fn each_folder_may_have_a_committee() {
    let dir = signed("many-committees");
    prove(&dir, "").expect(2, &["committee.json"]);
    for folder in ["a", "b", "c"] {
        let from = fixture().dir.join("schnorr/committee.json");
        fs::copy(from, dir.join("signed").join(folder).join("committee.json")).unwrap();
    }
    prove(&dir, "--profile").expect(0, &["3 proofs in", "commitments"]);
}

#[test]
fn one_failure_does_not_lose_the_others() {
    let dir = signed("many-failures");
    let mut bad = fixture().json("schnorr/signatures.json");
    edit_hex(&mut bad["signatures"][0]["signature"], |bytes| bytes[32] ^= 1);
    write(&dir.join("signed/b"), "signatures.json", &bad);
    let run = prove(&dir, SAME).expect(1, &["1 of 3 proofs", "signed/b: rejected", "2 proofs in"]);
    assert!(!run.stderr.contains("signed/a") && !run.stderr.contains("signed/c"));
    assert_eq!(names(&dir.join("proofs")), ["a.json", "c.json"]);

    // Bad input outweighs a rejection, and what is there stays.
    fs::write(dir.join("signed/c/signatures.json"), "{").unwrap();
    let before = fs::read(dir.join("proofs/a.json")).unwrap();
    let run = prove(&dir, &format!("{SAME} --json")).expect(2, &["--force"]);
    let json: Value = run.json();
    assert_eq!(json["exit_status"], 2);
    assert!(json["made"]["proofs"].as_array().unwrap().is_empty());
    assert_eq!(fs::read(dir.join("proofs/a.json")).unwrap(), before);
    prove(&dir, &format!("{SAME} --force")).expect(2, &["signed/c/signatures.json"]);
    assert!(fs::read(dir.join("proofs/a.json")).unwrap() != before);
    assert_eq!(names(&dir.join("proofs")), ["a.json", "c.json"]);
}

#[test]
fn batches_that_cannot_be() {
    let dir = fixture().scratch("many-none");
    fs::create_dir(dir.join("signed")).unwrap();
    prove(&dir, SAME).expect(2, &["no folder in it has a signatures.json"]);
    assert_eq!(names(&dir), ["signed"]);
    prove(&dir, "--signatures schnorr/signatures.json").expect(2, &["--signatures", "--batch"]);
    let line = "prove --keys keys --threshold 2 --out never";
    fixture().run(line).expect(2, &["--committee", "--signatures"]);
    let one = "--committee schnorr/committee.json --signatures schnorr/signatures.json";
    fixture().run(&format!("{line} {one} --max-memory 1MiB")).expect(2, &["--max-memory"]);
    assert!(!fixture().dir.join("never").exists());
}
