//! Nonces are used once, whatever happens.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

use serde_json::json;

#[cfg(unix)]
use super::mode;
use super::{Ceremony, MESSAGE};
use crate::support::names;

#[test]
fn nonces_are_used_once() {
    let mut ceremony = Ceremony::new("frost-nonces", "babyjubjub");
    ceremony.commit(1);
    ceremony.commit(3);
    // What is refused leaves the nonces as they are.
    let before = fs::read(ceremony.dir.join("nonces-1.json")).unwrap();
    let usage = "sign --share share-1.json --nonces nonces-1.json --message 0x2a --out x.json \
                 --commitments commitment-1.json commitment-3.json";
    ceremony.run(usage).expect(2, &["--message", "expected 32 bytes, found 1"]);
    let few = format!(
        "sign --share share-1.json --nonces nonces-1.json --message {MESSAGE} --out x.json \
         --commitments commitment-1.json"
    );
    ceremony.run(&few).expect(1, &["rejected: 1 participants, below the threshold 2"]);
    let others = few.replace("commitment-1.json", "commitment-3.json");
    ceremony.run(&others).expect(1, &["below the threshold"]);
    let crossed = few.replace("nonces-1", "nonces-3");
    ceremony.run(&crossed).expect(2, &["nonces-3.json: member", "member 3's nonces"]);
    assert_eq!(fs::read(ceremony.dir.join("nonces-1.json")).unwrap(), before);

    ceremony.sign(1, "").expect(0, &[]);
    let used = ceremony.json("nonces-1.json");
    assert_eq!(used, json!({ "suite": "babyjubjub", "member": 1, "used": true }));
    ceremony.sign(1, "--force").expect(2, &["nonces-1.json: used already"]);
    ceremony.message = "0x000000000000000000000000000000000000000000000000000000000000002b";
    ceremony.sign(1, "--force").expect(2, &["nonces-1.json: used already"]);
    // New ones go into the place of the old ones only if they are asked to.
    ceremony.run("commit --share share-1.json --out .").expect(2, &["already exists"]);
    ceremony.run("commit --share share-1.json --out . --force").expect(0, &[]);
    ceremony.sign(1, "--force").expect(0, &[]);
    assert!(names(&ceremony.dir).iter().all(|name| !name.starts_with('.')));
}

/// Nonces under a second name would be there for a second signature.
#[cfg(unix)]
#[test]
fn nonces_have_one_name() {
    use std::io::Read;
    let ceremony = Ceremony::new("frost-links", "babyjubjub");
    ceremony.commit(1);
    ceremony.commit(3);
    let nonces = ceremony.dir.join("nonces-1.json");
    let vault = ceremony.dir.join("vault.json");
    fs::hard_link(&nonces, &vault).unwrap();
    ceremony.sign(1, "").expect(2, &["nonces-1.json: a link"]);
    fs::remove_file(&nonces).unwrap();
    std::os::unix::fs::symlink("vault.json", &nonces).unwrap();
    ceremony.sign(1, "").expect(2, &["nonces-1.json: a link"]);
    assert!(nonces.symlink_metadata().unwrap().is_symlink());
    assert!(names(&ceremony.dir).iter().all(|name| !name.starts_with('.')));
    fs::rename(&vault, &nonces).unwrap();
    // Whoever has the file open finds it overwritten, not another one in its place.
    let mut open = fs::File::open(&nonces).unwrap();
    ceremony.sign(1, "").expect(0, &["used up"]);
    let mut text = String::new();
    open.read_to_string(&mut text).unwrap();
    assert!(text.contains("used") && !text.contains("nonce"), "{text}");
    assert_eq!(mode(&nonces), 0o600);
}

/// The arguments of a signature by the first member.
fn line(message: &str, out: &str) -> String {
    format!(
        "frost sign --share share-1.json --nonces nonces-1.json --commitments commitment-1.json \
         commitment-3.json --message {message} --out {out}"
    )
}

fn spawn(ceremony: &Ceremony, line: &str) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(line.split_whitespace())
        .current_dir(&ceremony.dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn of_many_processes_one_uses_the_nonces() {
    let ceremony = Ceremony::new("frost-race", "ed25519");
    ceremony.commit(3);
    for round in 0..4 {
        ceremony.run("commit --share share-1.json --out . --force").expect(0, &[]);
        let out = |i: usize| format!("signed-{round}-{i}.json");
        let children: Vec<_> =
            (0..8).map(|i| spawn(&ceremony, &line(&format!("0x0{i}"), &out(i)))).collect();
        let codes: Vec<_> =
            children.into_iter().map(|mut child| child.wait().unwrap().code().unwrap()).collect();
        let signed: Vec<_> = (0..8).filter(|i| ceremony.dir.join(out(*i)).exists()).collect();
        assert!(signed.len() == 1 && codes[signed[0]] == 0, "{codes:?} {signed:?}");
        assert!(codes.iter().all(|code| [0, 2].contains(code)), "{codes:?}");
        assert_eq!(ceremony.json("nonces-1.json")["used"], true);
        assert!(names(&ceremony.dir).iter().all(|name| !name.starts_with('.')));
    }
}

#[test]
fn a_process_that_is_killed_uses_the_nonces_once_at_most() {
    let ceremony = Ceremony::new("frost-killed", "ed25519");
    ceremony.commit(3);
    let fresh = || ceremony.run("commit --share share-1.json --out . --force").expect(0, &[]);
    fresh();
    let start = Instant::now();
    assert!(spawn(&ceremony, &line(MESSAGE, "first.json")).wait().unwrap().success());
    let whole = start.elapsed();
    // Where a kill falls is chance; what is asked for holds wherever it falls.
    for i in 0..40 {
        let _ = fs::remove_file(ceremony.dir.join("first.json"));
        fresh();
        let mut child = spawn(&ceremony, &line(MESSAGE, "first.json"));
        thread::sleep(whole * i / 32);
        let _ = child.kill();
        child.wait().unwrap();
        let again = spawn(&ceremony, &line("0x2b", "second.json")).wait().unwrap().success();
        let signed = ceremony.dir.join("first.json").exists();
        assert!(!(signed && again), "both after {:?}", whole * i / 32);
        assert_eq!(again, ceremony.dir.join("second.json").exists());
        // Hidden files, and a folder of a share that was to be put in its place, are all that may be left.
        for name in names(&ceremony.dir).iter().filter(|name| name.starts_with(".muster-")) {
            let left = ceremony.dir.join(name);
            if left.is_dir() {
                fs::remove_dir_all(left).unwrap()
            } else {
                fs::remove_file(left).unwrap()
            }
        }
        let _ = fs::remove_file(ceremony.dir.join("second.json"));
    }
}
