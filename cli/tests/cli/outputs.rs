//! What commands leave on disk, above all when they fail.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{copy_keys, fixture, names, run_args, run_in, write_text};

const SAMPLE: &str = "sample --scheme schnorr-babyjubjub --signers 4 --signing 2";
const KEYGEN: &str = "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --insecure-srs";
const PROVE: &str = "prove --keys keys --committee schnorr/committee.json --signatures \
                     schnorr/signatures.json --threshold 2";

#[test]
fn nothing_is_overwritten_without_force() {
    let dir = fixture().scratch("overwrite");
    let out = dir.display();
    fixture().run(&format!("{SAMPLE} --out {out}")).expect(0, &[]);
    let before = fs::read(dir.join("committee.json")).unwrap();
    fs::remove_file(dir.join("signatures.json")).unwrap();
    fixture().run(&format!("{SAMPLE} --out {out}")).expect(2, &["committee.json", "--force"]);
    assert_eq!(fs::read(dir.join("committee.json")).unwrap(), before);
    assert_eq!(names(&dir), ["committee.json"]);
    fixture().run(&format!("{SAMPLE} --out {out} --force")).expect(0, &[]);
    assert_ne!(fs::read(dir.join("committee.json")).unwrap(), before);
    assert_eq!(names(&dir), ["committee.json", "signatures.json"]);

    let proof = write_text(&dir, "proof.json", "mine");
    fixture().run(&format!("{PROVE} --out {proof}")).expect(2, &["proof.json", "--force"]);
    assert_eq!(fs::read(&proof).unwrap(), b"mine");
    fixture().run(&format!("{PROVE} --out {proof} --force")).expect(0, &[]);
    fixture().run(&format!("verify --unchecked --keys keys {proof}")).expect(0, &[]);

    write_text(&dir, "verifying.key", "mine");
    fixture().run(&format!("{KEYGEN} --out {out}")).expect(2, &["verifying.key"]);
    assert_eq!(fs::read(dir.join("verifying.key")).unwrap(), b"mine");
    assert!(!dir.join("proving.key").exists());
    fixture().run(&format!("{KEYGEN} --out {out} --force")).expect(0, &[]);
    fixture().run(&format!("verify --unchecked --keys {out} {proof}")).expect(0, &[]);
}

#[test]
fn output_that_cannot_be_written() {
    let dir = fixture().scratch("unwritable");
    let file = write_text(&dir, "file", "a file");
    for line in [SAMPLE, KEYGEN] {
        fixture().run(&format!("{line} --out {file}")).expect(2, &["file"]);
        fixture().run(&format!("{line} --out {file}/below")).expect(2, &["file"]);
        fixture().run(&format!("{line} --out /proc/muster/below")).expect(2, &["/proc/muster"]);
    }
    for out in [format!("{file}/p.json"), format!("{0}/none/p.json", dir.display()), "/".into()] {
        fixture().run(&format!("{PROVE} --out {out}")).expect(2, &[]);
    }
    fixture().run(&format!("{PROVE} --out {}", dir.display())).expect(2, &["unwritable"]);
    assert_eq!(names(&dir), ["file"]);
    assert_eq!(fs::read(&file).unwrap(), b"a file");
}

#[test]
fn directories_made_for_nothing_go_again() {
    let dir = fixture().scratch("made");
    let out = dir.join("a/b/c");
    let sample = format!("sample --scheme schnorr-babyjubjub --signers 4 --out {}", out.display());
    fixture().run(&format!("{sample} --signing 5")).expect(2, &["5 of 4"]);
    fixture().run(&format!("{sample} --signing 0")).expect(2, &["0 of 4"]);
    fixture().run(&format!("{KEYGEN} --degree 3 --out {}", out.display())).expect(2, &["smallest"]);
    fixture().run(&format!("{KEYGEN} --srs nowhere --out {}", out.display())).expect(2, &[]);
    assert!(names(&dir).is_empty());
    fixture().run(&format!("{sample} --signing 2")).expect(0, &[]);
    assert_eq!(names(&out), ["committee.json", "signatures.json"]);
}

#[test]
fn samples_of_a_seed_are_equal_and_others_differ() {
    let dir = fixture().scratch("seeds");
    for scheme in ["schnorr", "eddsa", "musig"] {
        let sample = |out: &str, options: &str| {
            let out = dir.join(scheme).join(out);
            let line = format!(
                "sample --scheme {scheme}-babyjubjub --signers 9 --signing 4 {options} --out {}",
                out.display()
            );
            fixture().run(&line).expect(0, &[]);
            ["committee.json", "signatures.json"].map(|name| fs::read(out.join(name)).unwrap())
        };
        let one = sample("1", "--seed one");
        assert_eq!(one, sample("2", "--seed one"));
        assert_ne!(one, sample("3", "--seed two"));
        assert_ne!(sample("4", ""), sample("5", ""));
    }
}

#[test]
fn secrets_are_written_only_when_asked_for() {
    let dir = fixture().scratch("secrets");
    fixture().run(&format!("{SAMPLE} --with-secrets --out {}", dir.display())).expect(0, &[]);
    assert_eq!(names(&dir), ["committee.json", "secrets.json", "signatures.json"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name| fs::metadata(dir.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("secrets.json"), 0o600);
        assert_ne!(mode("committee.json"), 0o600);
    }
}

/// Reports name files as text.
#[cfg(unix)]
#[test]
fn arguments_are_utf8() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let dir = fixture().scratch("text");
    let line = "sample --json --signers 1 --signing 1 --out";
    let args = line.split_whitespace().map(OsStr::new);
    let run = run_args(&dir, args.chain([OsStr::from_bytes(b"\xff")]), &[]);
    run.expect(2, &["is not UTF-8"]);
    assert!(names(&dir).is_empty());
}

#[test]
fn an_insecure_srs_is_made_only_when_asked_for() {
    let dir = fixture().scratch("srs");
    let muster = |args: &[&str]| {
        let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_muster"))
            .args(args)
            .env("MUSTER_PARAMS", &dir)
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(muster(&["srs", "make", "--degree", "4"]).0, 2);
    let keygen = ["keygen", "--scheme", "schnorr-babyjubjub", "--signers", "4", "--slots", "2"];
    let out = dir.join("keys");
    let (code, stderr) = muster(&[&keygen[..], &["--out", out.to_str().unwrap()]].concat());
    assert!(code == 2 && stderr.contains("no SRS"), "{stderr}");
    assert!(names(&dir).is_empty());
    let make = ["srs", "make", "--degree", "4", "--insecure-srs"];
    let (code, stderr) = muster(&make);
    assert!(code == 0 && stderr.contains("INSECURE"), "{stderr}");
    assert_eq!(muster(&make).0, 2, "one is there already");
    assert_eq!(muster(&[&make[..], &["--force"]].concat()).0, 0);
    assert_eq!(muster(&["srs", "make", "--degree", "29", "--insecure-srs"]).0, 2);
    assert_eq!(muster(&["srs", "import", "nowhere"]).0, 2);
    let [made] = &names(&dir)[..] else { panic!("one file") };
    assert_eq!(muster(&["srs", "check", dir.join(made).to_str().unwrap()]).0, 0);
    // A larger one is not cut down, and does not stand in the way of one that is made.
    assert_eq!(muster(&["srs", "make", "--degree", "12", "--insecure-srs"]).0, 0);
    let insecure = ["--degree", "10", "--insecure-srs", "--out", out.to_str().unwrap()];
    let (code, stderr) = muster(&[&keygen[..], &insecure].concat());
    assert!(code == 0, "{stderr}");
}

#[test]
fn force_replaces_no_secret_of_another_kind() {
    let dir = fixture().scratch("kinds");
    let frost = |line: &str| run_in(&dir, &format!("frost {line}"));
    frost("keygen --suite ed25519 --threshold 2 --signers 2 --out .").expect(0, &[]);
    for i in 1..=2 {
        frost(&format!("commit --share share-{i}.json --out .")).expect(0, &[]);
    }
    let before = ["share-1.json", "nonces-1.json"].map(|name| fs::read(dir.join(name)).unwrap());
    let sign = "sign --share share-1.json --nonces nonces-1.json --message 0x00 --commitments \
                commitment-1.json commitment-2.json --force";
    for name in ["share-1.json", "nonces-2.json"] {
        frost(&format!("{sign} --out {name}")).expect(2, &[name, "secret"]);
    }
    // Refused before the nonces are used up.
    let after = ["share-1.json", "nonces-1.json"].map(|name| fs::read(dir.join(name)).unwrap());
    assert_eq!(before, after);
    frost(&format!("{sign} --out signed.json")).expect(0, &[]);
    frost("keygen --suite ed25519 --threshold 2 --signers 3 --out . --force").expect(0, &[]);

    let bls = |line: &str| run_in(&dir, &format!("bls-threshold {line}"));
    bls("keygen --threshold 1 --signers 1 --out b").expect(0, &[]);
    let sign = "sign --secret b/secret-1.json --message 0x00 --force";
    bls(&format!("{sign} --out b/secret-1.json")).expect(2, &["b/secret-1.json", "secret"]);
    bls(&format!("{sign} --out share-1.json")).expect(2, &["share-1.json", "secret"]);
    bls(&format!("{sign} --out b/share-1.json")).expect(0, &[]);
}

#[test]
fn a_killed_run_leaves_nothing_to_the_next() {
    let keygen = "bls-threshold keygen --suite bls12-381-min-pk --threshold 1";
    // On a busy machine a run may be done before it is killed: a longer one is not.
    let mut killed = (10..16).map(|log_signers| {
        let dir = fixture().scratch(&format!("killed-{log_signers}"));
        kill_while_it_writes(&dir, &format!("{keygen} --signers {} --out .", 1 << log_signers));
        dir
    });
    let is_half_written =
        |dir: &PathBuf| matches!(&names(dir)[..], [only] if only.starts_with(".muster-"));
    let dir = killed.find(is_half_written).expect("a run is killed in time");
    run_in(&dir, &format!("{keygen} --signers 1 --out .")).expect(0, &[]);
    assert_eq!(names(&dir), ["group.json", "secret-1.json"]);
}

/// Runs `muster` in `dir` and kills it as soon as something stands there.
fn kill_while_it_writes(dir: &Path, line: &str) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .spawn()
        .unwrap();
    while names(dir).is_empty() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A file that a command reads is not replaced by it, whichever way it is named.
#[test]
fn no_input_is_replaced() {
    let dir = fixture().scratch("inputs");
    let keys = copy_keys(&dir);
    let out = dir.display();
    for (from, to) in [("committee.json", "c.json"), ("signatures.json", "s.json")] {
        fs::copy(fixture().dir.join("schnorr").join(from), dir.join(to)).unwrap();
    }
    let before = |name: &str| fs::read(dir.join(name)).unwrap();
    let files = ["c.json", "s.json", "keys/proving.key", "keys/verifying.key", "keys/shape.json"];
    let contents = files.map(before);
    let prove = format!(
        "prove --keys {keys} --committee {out}/c.json --signatures {out}/s.json --threshold 2 --force"
    );
    for name in files.into_iter().chain(["keys/../c.json", "./s.json"]) {
        let run = fixture().run(&format!("{prove} --out {out}/{name}"));
        run.expect(2, &["would read and replace it"]);
    }
    let root = format!("root {out}/c.json --weight-shift 0 --force --out {out}/c.json");
    fixture().run(&root).expect(2, &["c.json", "would read and replace it"]);
    assert_eq!(files.map(before), contents);
    // Another file beside them may be.
    write_text(&dir, "keys/other.json", "{}");
    fixture().run(&format!("{prove} --out {out}/keys/other.json")).expect(0, &[]);
}

/// Nor is a proof of a batch put in the place of what it is made from.
#[test]
fn no_input_of_a_batch_is_replaced() {
    let dir = fixture().scratch("batch-inputs");
    let folder = dir.join("signatures");
    fs::create_dir(&folder).unwrap();
    for name in ["committee.json", "signatures.json"] {
        fs::copy(fixture().dir.join("schnorr").join(name), folder.join(name)).unwrap();
    }
    let signatures = fs::read(folder.join("signatures.json")).unwrap();
    let (batch, out) = (dir.display(), folder.display());
    let line = format!("prove --keys keys --batch {batch} --threshold 2 --force --out {out}");
    fixture().run(&line).expect(2, &["signatures.json", "would read and replace it"]);
    assert_eq!(fs::read(folder.join("signatures.json")).unwrap(), signatures);
}

/// Links, sockets and the like stay what they are.
#[cfg(unix)]
#[test]
fn force_replaces_regular_files_alone() {
    let dir = fixture().scratch("irregular");
    let target = write_text(&dir, "target", "mine");
    std::os::unix::fs::symlink(&target, dir.join("link")).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(dir.join("socket")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap();
    assert!(pipe.success());
    for name in ["link", "socket", "pipe"] {
        let out = dir.join(name);
        let root = "root schnorr/committee.json --weight-shift 0 --force";
        let run = fixture().run(&format!("{root} --out {}", out.display()));
        run.expect(2, &[name, "not a regular file"]);
        assert!(!out.symlink_metadata().unwrap().is_file(), "{name}");
    }
    assert_eq!(fs::read(&target).unwrap(), b"mine");
}

/// What cannot be said was not said. That nobody listens any more is no error.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_an_error() {
    let run = |line: &str, out: std::process::Stdio| {
        std::process::Command::new(env!("CARGO_BIN_EXE_muster"))
            .args(line.split_whitespace())
            .current_dir(&fixture().dir)
            .stdout(out)
            .output()
            .unwrap()
    };
    let lines = [
        "root schnorr/committee.json",
        "root schnorr/committee.json --json",
        "schemes",
        "--help",
        "root --help",
        "--version",
        "root nowhere.json --json",
    ];
    for line in lines {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let failed = run(line, full.into());
        let said = String::from_utf8(failed.stderr).unwrap();
        assert_eq!(failed.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("standard output") && !said.contains("panicked"), "{line}: {said}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let expected = if line.contains("nowhere") { 2 } else { 0 };
        let unread = run(line, writer.into());
        assert_eq!(unread.status.code(), Some(expected), "{line}: {unread:?}");
    }
}
