//! A scheme that tests alone have, and that nothing here or below knows by name, goes the way of all others.

use serde_json::json;

use crate::support::{edit_hex, fixture, write};

#[test]
fn a_new_scheme_goes_all_the_way() {
    let dir = fixture().scratch("toy");
    let run = |line: &str| crate::support::run_in(&dir, line);
    let scheme = "--scheme toy-preimage --signers 4";
    run(&format!("sample {scheme} --signing 2 --seed cli --out .")).expect(0, &["4 members"]);
    run("schemes").expect(0, &["toy-preimage", "muster.toy.preimage.v1"]);
    let root = run("root committee.json --json").expect(0, &[]).json();
    let files = "--committee committee.json --signatures signatures.json";
    for mode in ["path", "whole-set"] {
        let options = format!("--slots 3 --mode {mode}");
        let report = run(&format!("check {files} --threshold 2 --json {options}"));
        assert_eq!(report.expect(0, &[]).json()["shape"]["mode"], mode);
        run(&format!("keygen {scheme} {options} --insecure-srs --out {mode}")).expect(0, &[]);
        let proof = format!("{mode}.json");
        run(&format!("prove --keys {mode} {files} --threshold 2 --out {proof}")).expect(0, &[]);
        let expected = format!("--root {} --threshold 2", root["key_set_root"].as_str().unwrap());
        run(&format!("verify --keys {mode} {expected} {proof}")).expect(0, &[]);
        let expected = expected.replace("--threshold 2", "--threshold 3");
        run(&format!("verify --keys {mode} {expected} {proof}")).expect(1, &["threshold"]);
    }
    run(&format!("check {files} --threshold 3")).expect(1, &["weigh 2"]);
}

#[test]
fn its_bad_signatures_are_named() {
    let dir = fixture().scratch("toy-bad");
    let run = |line: &str| crate::support::run_in(&dir, line);
    run("sample --scheme toy-preimage --signers 4 --signing 2 --seed cli --out .").expect(0, &[]);
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let honest: serde_json::Value = serde_json::from_str(&read("signatures.json")).unwrap();
    let mut bad = honest.clone();
    edit_hex(&mut bad["signatures"][0]["signature"], |bytes| bytes[31] ^= 1);
    let file = write(&dir, "bad.json", &bad);
    let check = format!("check --committee committee.json --threshold 2 --signatures {file}");
    let member = format!("member {}", honest["signatures"][0]["member"]);
    run(&check).expect(1, &[&member, "equation"]);
    bad["signatures"][0]["signature"] = json!(format!("0x{}", "ff".repeat(32)));
    write(&dir, "bad.json", &bad);
    run(&check).expect(1, &["signatures[0].signature", "below the group order"]);
}
