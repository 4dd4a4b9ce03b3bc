//! Proofs that say who signed.

use std::path::{Path, PathBuf};

use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, told, verdict, write, Run};

const SAMPLE: &str =
    "sample --scheme schnorr-babyjubjub --signers 6 --signing 3 --seed mask --out .";
const FILES: &str = "--committee committee.json --signatures signatures.json --threshold 3";

const KEYGEN: &str =
    "keygen --scheme schnorr-babyjubjub --signers 6 --slots 4 --mask --insecure-srs --out keys";

/// Six members of whom three have signed, keys that say who did, and a proof.
fn proven(name: &str) -> PathBuf {
    let dir = fixture().scratch(name);
    run_in(&dir, SAMPLE).expect(0, &[]);
    run_in(&dir, KEYGEN).expect(0, &["says who signed"]);
    run_in(&dir, &format!("prove --keys keys {FILES} --out proof.json")).expect(0, &["signers"]);
    dir
}

/// Who signed, as the file of signatures has it.
fn signers(dir: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(dir.join("signatures.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let list = file["signatures"].as_array().unwrap().clone();
    let mut list: Vec<_> = list.iter().map(|s| s["member"].as_u64().unwrap()).collect();
    list.sort_unstable();
    list
}

fn list(signers: &[u64], by: &str) -> String {
    signers.iter().map(u64::to_string).collect::<Vec<_>>().join(by)
}

fn proof(dir: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join("proof.json")).unwrap()).unwrap()
}

fn verify(dir: &Path, options: &str) -> Run {
    run_in(dir, &format!("verify --unchecked --keys keys proof.json {options}"))
}

#[test]
fn those_who_signed_are_named() {
    let dir = proven("mask");
    let signers = signers(&dir);
    let accepted = verify(&dir, "").expect(0, &[&list(&signers, ", "), "--signers"]);
    assert!(accepted.stdout.contains("signers"), "{accepted:?}");
    let run = verify(&dir, "--json").expect(0, &[]).json();
    assert_eq!(run["proofs"][0]["named"], json!(signers));
    assert!(run["not_compared"].to_string().contains("--signers"));
    let expected = format!("--signers {}", list(&signers, ","));
    let run = verify(&dir, &format!("{expected} --json")).expect(0, &[]).json();
    assert!(!run["not_compared"].to_string().contains("--signers"));
    // One fewer, one more, and another in the place of one.
    let stranger = (0..6).find(|member| !signers.contains(member)).unwrap();
    let more = [&signers[..], &[stranger]].concat();
    let moved = [&signers[1..], &[stranger]].concat();
    for other in [&signers[1..], &more, &moved] {
        let found = format!("about the signers {}, not ", list(&signers, ", "));
        verify(&dir, &format!("--signers {}", list(other, ","))).expect(1, &[&found]);
    }
    let all = told(&dir, ".", "keys", 3);
    let compared =
        |options: &str| run_in(&dir, &format!("verify --keys keys proof.json {all} {options}"));
    let (code, said) = verdict("is under keys with a mask, and the signers are not given");
    compared("").expect(code, &[&said]);
    compared(&expected).expect(0, &["accepted"]);
    verify(&dir, "--signers 6").expect(2, &["--signers", "room for 6 members"]);
    verify(&dir, "--signers x").expect(2, &["--signers"]);
    // The words of the file are a claim like all others.
    let mut file = proof(&dir);
    assert_eq!(file["public_inputs"].as_array().unwrap().len(), 4);
    edit_hex(&mut file["public_inputs"][3], |bytes| bytes[31] ^= 1 << stranger);
    write(&dir, "proof.json", &file);
    verify(&dir, "").expect(1, &["does not hold"]);
}

#[test]
fn words_that_are_no_mask() {
    let dir = proven("mask-words");
    let honest = proof(&dir);
    for (byte, bit) in [(31, 6), (31, 7), (30, 0), (1, 0), (0, 1)] {
        let mut file = honest.clone();
        edit_hex(&mut file["public_inputs"][3], |bytes| bytes[byte] |= 1 << bit);
        write(&dir, "proof.json", &file);
        verify(&dir, "").expect(2, &["proof.json", "public_inputs", "word 0"]);
    }
    for (what, change) in [
        ("public_inputs", json!({ "mask": false })),
        ("public_inputs", json!({ "capacity": 20_000 })),
        ("public_inputs", json!({ "capacity": u64::MAX })),
        ("verifying key", json!({ "capacity": 7 })),
    ] {
        let mut file = honest.clone();
        for (field, value) in change.as_object().unwrap() {
            file["shape"][field] = value.clone();
        }
        write(&dir, "proof.json", &file);
        let status = if what == "public_inputs" { 2 } else { 1 };
        verify(&dir, "").expect(status, &["proof.json"]);
    }
    // Keys whose shape says that they have no mask.
    write(&dir, "proof.json", &honest);
    let path = dir.join("keys/shape.json");
    let mut keys: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(keys["shape"]["mask"], json!(true));
    keys["shape"]["mask"] = json!(false);
    write(&dir.join("keys"), "shape.json", &keys);
    verify(&dir, "").expect(2, &["keys"]);
}

/// The contract takes the words; a light client has none to give.
#[test]
fn contracts_take_a_mask() {
    let dir = fixture().scratch("mask-contract");
    run_in(&dir, SAMPLE).expect(0, &[]);
    let keygen = format!("{KEYGEN} --kind compact");
    run_in(&dir, &keygen).expect(0, &["says who signed"]);
    run_in(&dir, &format!("prove --keys keys {FILES} --out proof.json")).expect(0, &[]);
    let export = "export-key --keys keys --evm --proof proof.json --out evm --json";
    let exported = run_in(&dir, export).expect(0, &[]).json();
    let inputs = proof(&dir)["public_inputs"].clone();
    assert_eq!(exported["proof"]["public_inputs"], inputs);
    let words: Vec<_> =
        inputs.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(words.len(), 4);
    let words: String = words.iter().map(|word| word.trim_start_matches("0x")).collect();
    let calldata =
        |target: &str| run_in(&dir, &format!("calldata proof.json --keys keys --for {target}"));
    for target in ["verify", "verify-proof"] {
        assert!(calldata(target).expect(0, &[]).stdout.contains(&words), "{target}");
    }
    let submit = "submit --nonce 7 --payload 0x01 --epoch 1 --valid-until 0";
    calldata(submit).expect(2, &["--keys", "say who signed"]);
    let client = format!("--source-chain 1 --chain 10 --client 0x{}", "0a".repeat(20));
    let message = "message --nonce 7 --payload 0x01 --epoch 1 --valid-until 0";
    let message = format!("{message} --current committee.json --keys keys {client}");
    run_in(&dir, &message).expect(2, &["--keys", "say who signed"]);
}

#[test]
fn where_there_is_no_mask() {
    let dir = fixture().scratch("mask-none");
    let keygen =
        |options: &str| run_in(&dir, &format!("keygen --mask --insecure-srs --out keys {options}"));
    let many = "--scheme schnorr-babyjubjub --signers 16385 --slots 2";
    keygen(many).expect(2, &["1 to 16384 members, not 16385"]);
    let verify = fixture().run("verify --unchecked --keys keys fast.json --signers 0,1");
    verify.expect(2, &["--signers", "without --mask"]);
}

/// Without keys, and on keys of the demo's own.
#[test]
fn checks_and_demos_say_who_signed() {
    let dir = fixture().scratch("mask-check");
    run_in(&dir, SAMPLE).expect(0, &[]);
    run_in(&dir, &format!("check {FILES} --mask")).expect(0, &["says who signed"]);
    let run = run_in(&dir, &format!("check {FILES} --mask --slots 2"));
    run.expect(2, &["the 2 heaviest of 3 signers weigh 2"]);
    let demo = "demo --scheme schnorr-babyjubjub --signers 4 --signing 2";
    let run = run_in(&dir, &format!("{demo} --mask --json")).expect(0, &[]).json();
    assert_eq!(run["named"].as_array().unwrap().len(), 2);
    assert_eq!(run["shape"]["mask"], json!(true));
    let run = run_in(&dir, &format!("{demo} --json")).expect(0, &[]).json();
    assert_eq!((&run["named"], run["shape"].get("mask")), (&Value::Null, None));
    assert!(run["plan_s"].is_f64() && run["keygen_s"].is_f64(), "{run}");
}
