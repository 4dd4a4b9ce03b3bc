//! Proofs by the members who did not sign: three of four did, whose keys of BLS add up.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_testing::sampled;
use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, write, Run};

/// Four members, of whom so many have signed.
fn sample(name: &str, signing: usize) -> PathBuf {
    let dir = fixture().scratch(name);
    let line = "sample --scheme bls-bn254 --signers 4 --seed cli --out .";
    run_in(&dir, &format!("{line} --signing {signing}")).expect(0, &[]);
    dir
}

fn json_of(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

fn keygen(dir: &Path, options: &str) -> Run {
    let line = "keygen --scheme bls-bn254 --signers 4 --insecure-srs --out keys";
    run_in(dir, &format!("{line} {options}"))
}

fn prove(dir: &Path, threshold: usize) -> Run {
    let files = "--committee committee.json --signatures signatures.json";
    run_in(dir, &format!("prove --keys keys {files} --threshold {threshold} --out proof.json"))
}

#[test]
fn all_others_signed() {
    let dir = sample("absent", 3);
    keygen(&dir, "--absent 1").expect(0, &["1 slots for the absent", "complement"]);
    let shape = json_of(&dir, "keys/shape.json");
    assert_eq!(
        (&shape["shape"]["mode"], &shape["shape"]["slots"]),
        (&json!("complement"), &json!(1))
    );
    prove(&dir, 4).expect(1, &["weigh 3, below the threshold 4"]);
    prove(&dir, 3).expect(0, &[]);
    // A committee has one root, whatever the mode.
    let root = |options: &str| {
        let run = run_in(&dir, &format!("root committee.json {options}")).expect(0, &[]);
        run.stdout.trim().to_owned()
    };
    assert_eq!(root(""), root("--keys keys"));
    let verify = |expected: &str| {
        run_in(&dir, &format!("verify --unchecked --keys keys proof.json {expected}"))
    };
    verify(&format!("--threshold 3 --root {}", root(""))).expect(0, &["accepted"]);
    verify("--threshold 4").expect(1, &["threshold"]);
    verify(&format!("--threshold 3 --root 0x{}", "0".repeat(64))).expect(1, &["root"]);
    // Another mode for the same key.
    for (mode, slots) in [("path", 1), ("whole-set", 1), ("complement", 2)] {
        let mut shape = shape.clone();
        (shape["shape"]["mode"], shape["shape"]["slots"]) = (json!(mode), json!(slots));
        write(&dir.join("keys"), "shape.json", &shape);
        verify("--threshold 3").expect(2, &[]);
    }
}

/// All but the absent are named.
#[test]
fn those_who_signed_are_named() {
    let dir = sample("absent-mask", 3);
    let says = ["complement", "says who signed"];
    keygen(&dir, "--absent 1 --mask").expect(0, &says);
    prove(&dir, 3).expect(0, &["signers"]);
    let members = json_of(&dir, "signatures.json")["aggregate"]["members"].take();
    let signers: Vec<_> = members.as_array().unwrap().iter().map(|m| m.as_u64().unwrap()).collect();
    let verify = |signers: &[u64]| {
        let list: Vec<_> = signers.iter().map(u64::to_string).collect();
        run_in(
            &dir,
            &format!(
                "verify --unchecked --keys keys proof.json --json --signers {}",
                list.join(",")
            ),
        )
    };
    let run = verify(&signers).expect(0, &[]).json();
    assert_eq!(run["proofs"][0]["named"], members);
    verify(&[0, 1, 2, 3]).expect(1, &["about the signers"]);
    verify(&signers[1..]).expect(1, &["about the signers"]);
    // The words of the file are a claim like all others.
    let mut file = json_of(&dir, "proof.json");
    let last = file["public_inputs"].as_array().unwrap().len() - 1;
    edit_hex(&mut file["public_inputs"][last], |bytes| bytes[31] = 0b1111);
    write(&dir, "proof.json", &file);
    run_in(&dir, "verify --unchecked --keys keys proof.json").expect(1, &["does not hold"]);
}

#[test]
fn more_are_absent_than_the_keys_have_slots_for() {
    let dir = sample("absent-two", 2);
    keygen(&dir, "--absent 0").expect(0, &["1 slots for the absent"]);
    prove(&dir, 2).expect(2, &["2 members did not sign", "only 1 slots for the absent"]);
}

/// As many slots as there are signatures, or absent members, unless it is said otherwise.
#[test]
fn the_cheapest_way_is_taken() {
    let dir = sample("absent-check", 3);
    let check = |options: &str| {
        let files = "--committee committee.json --signatures signatures.json";
        let run = run_in(&dir, &format!("check {files} --threshold 3 --json {options}"));
        let shape = run.expect(0, &[]).json()["shape"].take();
        (shape["mode"].as_str().unwrap().to_owned(), shape["slots"].as_u64().unwrap())
    };
    let cases = [("", 1), ("--mode complement --absent 2", 2), ("--mask", 1), ("--slots 3", 3)];
    for (options, expected) in sampled(cases, 2) {
        let (mode, slots) = check(options);
        assert_eq!(slots, expected, "{options}");
        assert_eq!(mode == "complement", options != "--slots 3", "{options}: {mode}");
    }
}

#[test]
fn who_is_absent_is_said_in_numbers_and_only_of_keys_that_add_up() {
    let dir = fixture().scratch("absent-options");
    let other = |options: &str| {
        let line = "keygen --scheme schnorr-babyjubjub --signers 4 --insecure-srs --out keys";
        run_in(&dir, &format!("{line} {options}"))
    };
    other("--absent 1").expect(2, &["--absent", "schnorr-babyjubjub", "do not add up"]);
    let refused = ["schnorr-babyjubjub has no complement mode", "do not add up"];
    let files = "--committee schnorr/committee.json --signatures schnorr/signatures.json";
    let check = format!("check {files} --threshold 2 --absent 2");
    fixture().run(&check).expect(2, &["--absent", "do not add up"]);
    other("--slots 2 --mode complement").expect(2, &refused);
    keygen(&dir, "--slots 2 --mode complement").expect(2, &["may be absent", "--absent A"]);
    keygen(&dir, "").expect(2, &["--slots"]);
    keygen(&dir, "--absent 16385").expect(2, &["16385 members who do not sign", "from 0 to 16384"]);
    keygen(&dir, "--absent x").expect(2, &["--absent"]);
    let mut keys = fixture().json("keys/shape.json");
    keys["shape"]["mode"] = json!("complement");
    fs::create_dir(dir.join("keys")).unwrap();
    fs::copy(fixture().dir.join("keys/verifying.key"), dir.join("keys/verifying.key")).unwrap();
    write(&dir.join("keys"), "shape.json", &keys);
    run_in(&dir, "verify --unchecked --keys keys proof.json --threshold 2")
        .expect(2, &["shape.json", "has no complement mode"]);
}
