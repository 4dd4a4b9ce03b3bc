//! `muster prove --batch`: one key, a folder a proof.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::support::{edit_hex, fixture, names, write, Run};

/// A directory with three folders, of which each has signatures of the fixture's committee.
fn signed(name: &str) -> PathBuf {
    let dir = fixture().scratch(name);
    for folder in ["a", "b", "c"] {
        sign(&dir.join("signed").join(folder));
    }
    // It is no folder.
    fs::write(dir.join("signed/notes.txt"), "").unwrap();
    dir
}

/// Makes a folder with good signatures.
fn sign(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let from = fixture().dir.join("schnorr/signatures.json");
    fs::copy(from, folder.join("signatures.json")).unwrap();
}

/// Spoils the signatures in a folder.
fn forge(folder: &Path) {
    let mut bad = fixture().json("schnorr/signatures.json");
    edit_hex(&mut bad["signatures"][0]["signature"], |bytes| bytes[32] ^= 1);
    write(folder, "signatures.json", &bad);
}

fn prove(dir: &Path, options: &str) -> Run {
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
    for options in ["", "--memory low --threads 1", "--memory fast --threads 3"] {
        let run = prove(&dir, &format!("{SAME} --force --json {options}")).expect(0, &[]);
        let json = run.json();
        let proofs = json["proofs"].as_array().unwrap();
        assert_eq!(proofs.len(), 3);
        assert!(proofs.iter().all(|proof| proof["elapsed_s"].as_f64().unwrap() > 0.0));
        assert!(json["proofs_per_s"].as_f64().unwrap() > 0.0);
        let expected = if options.contains("low") { "low" } else { "fast" };
        assert_eq!(json["memory"], expected, "{options}");
        assert_eq!(json["at_once"] == 1, options.contains("--threads 1"), "{options}");
        assert_eq!(names(&dir.join("proofs")), ["a.json", "b.json", "c.json"]);
        let proofs = dir.join("proofs");
        let line = format!(
            "verify --unchecked --keys keys --threshold 2 {0}/a.json {0}/b.json {0}/c.json",
            proofs.display()
        );
        fixture().run(&line).expect(0, &["accepted"]);
    }
}

#[test]
fn each_folder_may_have_a_committee() {
    let dir = signed("many-committees");
    prove(&dir, "").expect(2, &["3 of 3 proofs", "signed/a/committee.json"]);
    for folder in ["a", "b", "c"] {
        let from = fixture().dir.join("schnorr/committee.json");
        fs::copy(from, dir.join("signed").join(folder).join("committee.json")).unwrap();
    }
    prove(&dir, "--profile").expect(0, &["3 proofs in", "commitments"]);
}

/// The one committee of all is read before anything else is done, and once.
#[test]
fn a_bad_committee_for_all() {
    let dir = signed("many-one-committee");
    let mut bad = fixture().json("schnorr/committee.json");
    edit_hex(&mut bad["members"][0]["public_key"], |bytes| bytes.truncate(7));
    let bad = write(&dir, "bad.json", &bad);
    for (path, at) in [
        (bad.as_str(), "members[0].public_key"),
        ("eddsa/committee.json", "scheme"),
        ("none.json", "none.json"),
    ] {
        let run = prove(&dir, &format!("--committee {path}")).expect(2, &[path, at]);
        assert_eq!(run.stderr.matches(path).count(), 1, "{run:?}");
        assert!(!run.stderr.contains("of 3 proofs"), "{run:?}");
    }
    assert!(!dir.join("proofs").exists());
}

#[test]
fn one_failure_does_not_lose_the_others() {
    let dir = signed("many-failures");
    forge(&dir.join("signed/b"));
    let parts = ["1 of 3 proofs was not made", "signed/b: rejected", "2 proofs in"];
    let run = prove(&dir, SAME).expect(1, &parts);
    assert!(!run.stderr.contains("signed/a") && !run.stderr.contains("signed/c"));
    assert_eq!(names(&dir.join("proofs")), ["a.json", "c.json"]);

    // Bad input outweighs a rejection, and what is there stays.
    fs::write(dir.join("signed/c/signatures.json"), "{").unwrap();
    let before = fs::read(dir.join("proofs/a.json")).unwrap();
    let run = prove(&dir, &format!("{SAME} --json")).expect(2, &["--force"]);
    let json: Value = run.json();
    assert_eq!(json["exit_status"], 2);
    assert!(json.get("accepted").is_none());
    assert!(json["made"]["proofs"].as_array().unwrap().is_empty());
    let failed = json["failed"].as_array().unwrap();
    let found = failed.iter().map(|one| {
        let error = one["error"].as_str().unwrap();
        let kind =
            ["already exists", "rejected", "EOF"].into_iter().find(|kind| error.contains(kind));
        let folder = one["folder"].as_str().unwrap();
        (folder.rsplit('/').next().unwrap(), kind, one["exit_status"].as_u64())
    });
    let expected = [
        ("a", Some("already exists"), Some(2)),
        ("b", Some("rejected"), Some(1)),
        ("c", Some("already exists"), Some(2)),
    ];
    assert!(found.clone().eq(expected), "{:?}", found.collect::<Vec<_>>());
    assert_eq!(names(&dir.join("proofs")), ["a.json", "c.json"]);
    assert_eq!(fs::read(dir.join("proofs/a.json")).unwrap(), before);
}

/// With `--force` there is no old proof where a new one failed.
#[test]
fn what_failed_is_not_there() {
    let dir = signed("many-forced");
    prove(&dir, SAME).expect(0, &["3 proofs in"]);
    let before = fs::read(dir.join("proofs/a.json")).unwrap();
    forge(&dir.join("signed/b"));
    fs::write(dir.join("signed/c/signatures.json"), "{").unwrap();
    let removed = ["b.json: removed", "c.json: removed", "signed/c/signatures.json", "1 proof in"];
    let run = prove(&dir, &format!("{SAME} --force")).expect(2, &removed);
    assert!(!run.stderr.contains("a.json"), "{run:?}");
    assert_eq!(names(&dir.join("proofs")), ["a.json"]);
    assert!(fs::read(dir.join("proofs/a.json")).unwrap() != before);

    // Only proofs go: a secret of that name is what the item fails for.
    let secret = r#"{"suite":"x","member":1,"secret_share":"0x01"}"#;
    fs::write(dir.join("proofs/b.json"), secret).unwrap();
    let run = prove(&dir, &format!("{SAME} --force --json")).expect(2, &["holds a secret"]);
    assert_eq!(run.json()["failed"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_to_string(dir.join("proofs/b.json")).unwrap(), secret);
}

/// What is proven already is not proven again, and nothing else is taken for it.
#[test]
fn resumed() {
    let dir = signed("many-resumed");
    let resume = format!("{SAME} --resume");
    prove(&dir, &resume).expect(0, &["3 proofs in"]);
    let read = |name: &str| fs::read(dir.join("proofs").join(name)).unwrap();
    let before = ["a.json", "c.json"].map(read);
    fs::remove_file(dir.join("proofs/b.json")).unwrap();
    prove(&dir, &resume).expect(0, &["1 proof in", "2 already existed"]);
    let json = prove(&dir, &format!("{resume} --json")).expect(0, &[]).json();
    assert_eq!(json["there"].as_array().unwrap().len(), 3);
    assert!(json["proofs"].as_array().unwrap().is_empty());
    assert_eq!(["a.json", "c.json"].map(read), before);

    // Of another statement, or no proof at all.
    let line = "prove --keys keys --signatures schnorr/signatures.json --threshold 1 --force --out";
    let path = dir.join("proofs/c.json");
    fixture().run(&format!("{line} {} {SAME}", path.display())).expect(0, &[]);
    let parts = ["1 of 3 proofs was not made", "proofs/c.json", "the threshold 1, not 2"];
    prove(&dir, &resume).expect(2, &[&parts[..], &["2 already existed"]].concat());
    let mut proof: Value = serde_json::from_slice(&before[0]).unwrap();
    edit_hex(&mut proof["proof"], |bytes| bytes[40] ^= 1);
    write(&dir.join("proofs"), "a.json", &proof);
    fs::write(dir.join("proofs/b.json"), "{}").unwrap();
    fs::write(&path, &before[1]).unwrap();
    let parts =
        ["2 of 3 proofs were not made", "proofs/a.json", "proofs/b.json", "1 already existed"];
    prove(&dir, &resume).expect(2, &parts);
    prove(&dir, &format!("{resume} --force")).expect(2, &["--resume", "--force"]);
}

/// Whatever keeps a folder from being proven is said.
#[test]
fn no_folder_is_passed_over() {
    let dir = signed("many-folders");
    let folder = |name: &str| dir.join("signed").join(name);
    fs::create_dir(folder("empty")).unwrap();
    sign(&folder("misspelled"));
    let right = folder("misspelled/signatures.json");
    fs::rename(right, folder("misspelled/signature.json")).unwrap();
    let parts = ["signed/empty", "signed/misspelled", "3 proofs in"];
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder("link")).unwrap();
    let bad: &[_] = if cfg!(unix) {
        &["3 of 6 proofs were not made", "signed/link"]
    } else {
        &["2 of 5 proofs were not made"]
    };
    prove(&dir, SAME).expect(2, &[&parts[..], bad].concat());
    assert_eq!(names(&dir.join("proofs")), ["a.json", "b.json", "c.json"]);
}

/// Such a folder names no proof, and two of them would name the same.
#[cfg(unix)]
#[test]
fn names_that_are_no_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let dir = signed("many-names");
    let name = |bytes| OsStr::from_bytes(bytes);
    for bytes in [b"x\xfe", b"x\xff"] {
        sign(&dir.join("signed").join(name(bytes)));
    }
    let run = prove(&dir, SAME).expect(2, &["2 of 5 proofs were not made", "UTF-8"]);
    assert_eq!(run.stderr.matches("UTF-8").count(), 2);
    assert_eq!(names(&dir.join("proofs")), ["a.json", "b.json", "c.json"]);
    let json = prove(&dir, &format!("{SAME} --force --json")).expect(2, &[]).json();
    assert_eq!(json["failed"].as_array().unwrap().len(), 2);
}

#[test]
fn batches_that_cannot_be() {
    let dir = fixture().scratch("many-none");
    fs::create_dir(dir.join("signed")).unwrap();
    fs::write(dir.join("signed/signatures.json"), "").unwrap();
    prove(&dir, SAME).expect(2, &["it contains no folders"]);
    assert_eq!(names(&dir), ["signed"]);
    prove(&dir, "--signatures schnorr/signatures.json").expect(2, &["--signatures", "--batch"]);
    let line = "prove --keys keys --threshold 2 --out never";
    fixture().run(line).expect(2, &["--committee", "--signatures"]);
    let one = "--committee schnorr/committee.json --signatures schnorr/signatures.json";
    fixture().run(&format!("{line} {one} --max-memory 1MiB")).expect(2, &["--max-memory"]);
    fixture().run(&format!("{line} {one} --resume")).expect(2, &["--resume", "--signatures"]);
    fixture().run(&format!("{line} {SAME} --resume")).expect(2, &["--batch"]);
    assert!(!fixture().dir.join("never").exists());
}

#[test]
fn a_batch_of_one() {
    let dir = fixture().scratch("many-single");
    sign(&dir.join("signed/only"));
    let run = prove(&dir, SAME).expect(0, &["making 1 proof, "]);
    assert!(run.stdout.starts_with("1 proof in "), "{run:?}");
    prove(&dir, SAME).expect(2, &["1 of 1 proof was not made"]);
}
