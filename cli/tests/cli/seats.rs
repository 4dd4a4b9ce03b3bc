//! Committees in which a key has several seats.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{json, Value};

use crate::support::{fixture, run_in, write, Run};

const FILES: &str = "--committee committee.json --signatures signatures.json";
const SCOPE: &str =
    "--valid-until 0 --epoch 1 --source-chain 1 --chain 2 --client 0x00000000000000000000000000000000000a11ce";
/// Members 0 and 3 have the same key.
const SAMPLE: &str = "--signers 4 --owners 3 --signing 4 --seed cli --out .";
const SAME: [&str; 2] =
    ["committee.json: members[3].public_key: members 0 and 3 have the same key", "--seats"];

fn sample(name: &str, scheme: &str) -> PathBuf {
    let dir = fixture().scratch(name);
    let made = ["4 members of", "with 3 keys, to be read with --seats", "4 of them signed"];
    run_in(&dir, &format!("sample --scheme {scheme} {SAMPLE}")).expect(0, &made);
    dir
}

fn json_of(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

/// All four seats sign. A proof of one that did not sign, or of one that signed once too often, is not made.
#[test]
fn seats_sign() {
    let dir = sample("seats", "bls-bn254-min-sig");
    let run = |line: &str| run_in(&dir, line);
    let keys = "--scheme bls-bn254-min-sig --signers 4 --absent 1 --mode complement";
    run(&format!("keygen {keys} --insecure-srs --out keys")).expect(0, &["complement"]);
    let prove = format!("prove --keys keys {FILES} --threshold 4 --out proof.json");
    run(&prove).expect(2, &SAME);
    run(&format!("{prove} --seats")).expect(0, &[]);
    let root = run("root committee.json --keys keys --seats").expect(0, &[]).stdout;
    let root = root.trim();
    run(&format!("verify --unchecked --keys keys proof.json --threshold 4 --root {root}"))
        .expect(0, &["accepted"]);

    let check = |members: Value, threshold: usize| -> Run {
        let mut signed = json_of(&dir, "signatures.json");
        signed["aggregate"]["members"] = members;
        write(&dir, "other.json", &signed);
        let files = "--committee committee.json --signatures other.json";
        run(&format!("check {files} --threshold {threshold} --seats --native"))
    };
    check(json!([0, 1, 2, 3]), 4).expect(0, &["accepted: 4 signers of 4"]);
    check(json!([0, 1, 2]), 3).expect(1, &["aggregate signature of members", "equation"]);
    check(json!([0, 0, 1, 2]), 4).expect(1, &["member 0 signs twice"]);
}

#[test]
fn a_key_has_one_seat_unless_it_is_said_otherwise() {
    let dir = sample("seats-refused", "bls-bls12-381");
    let run = |line: &str| run_in(&dir, line);
    let key = format!("--key 0x{}", "07".repeat(32));
    let message =
        format!("message --nonce 7 --payload 0x00 {SCOPE} {key} --current committee.json");
    for line in ["root committee.json", "root committee.json --weight-shift 0", &message] {
        run(line).expect(2, &SAME);
        run(&format!("{line} --seats")).expect(0, &[]);
    }
    run(&format!("check {FILES} --threshold 4")).expect(2, &SAME);
    // A file with shifted weights is like any other.
    run("root committee.json --weight-shift 0 --seats --out narrow.json").expect(0, &[]);
    run("root narrow.json").expect(2, &["members 0 and 3 have the same key", "--seats"]);
    let [own, narrow] = ["committee", "narrow"]
        .map(|name| run(&format!("root {name}.json --seats")).expect(0, &[]).stdout);
    assert_eq!(own, narrow);
    // As a committee of its own, and as one of all folders.
    let batch = dir.join("batch/one");
    fs::create_dir_all(&batch).unwrap();
    for name in ["committee.json", "signatures.json"] {
        fs::copy(dir.join(name), batch.join(name)).unwrap();
    }
    let keys = fixture().dir.join("keys");
    let prove = format!("prove --keys {} --batch batch --threshold 4 --out out", keys.display());
    for line in [prove.clone(), format!("{prove} --committee committee.json")] {
        run(&line).expect(2, &SAME);
        run(&format!("{line} --seats")).expect(2, &["committee.json: scheme", "the keys are for"]);
    }
}

#[test]
fn only_keys_that_add_up_have_seats() {
    let run = |line: &str| fixture().run(line);
    let refused =
        ["schnorr/committee.json: scheme", "a key may have several seats only where keys add up"];
    run("root schnorr/committee.json --seats").expect(2, &refused);
    let files = "--committee schnorr/committee.json --signatures schnorr/signatures.json";
    run(&format!("check {files} --threshold 2 --seats")).expect(2, &refused);
    let sample = "sample --signers 4 --signing 2 --out seats-of-none --scheme";
    run(&format!("{sample} schnorr-babyjubjub --owners 3"))
        .expect(2, &["--owners", "schnorr-babyjubjub do not add up"]);
    run(&format!("{sample} bls-bn254 --owners 5"))
        .expect(2, &["--owners: 5, but there are only 4 members"]);
    run(&format!("{sample} bls-bn254 --owners 0")).expect(2, &["--owners"]);
    // Nothing is said of seats that there are none of.
    let mut committee = fixture().json("schnorr/committee.json");
    committee["members"][1] = committee["members"][0].clone();
    let path = write(&fixture().scratch("seats-schnorr"), "twice.json", &committee);
    let twice = run(&format!("root {path}")).expect(2, &["members 0 and 1 have the same key"]);
    assert!(!twice.stderr.contains("--seats"), "{twice:?}");
}
