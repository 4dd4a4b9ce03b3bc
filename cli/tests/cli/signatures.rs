//! Bad signatures: exit status 1 names the signer and the rule, 2 the field.

use muster_schemes::curve::edwards::{torsion_point, AffinePoint};
use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, write, write_sparse, write_text, Run};

/// The group order l, little-endian.
const ORDER: &str = "f1262139dc9772670aee2039b8ed3eab0b2b30d0b6080a370534265cce890c06";

fn check_file(scheme: &str, signatures: &str, options: &str) -> Run {
    let line =
        format!("check --committee {scheme}/committee.json --signatures {signatures} {options}");
    fixture().run(&line)
}

fn check(scheme: &str, name: &str, edit: impl FnOnce(&mut Value)) -> Run {
    let dir = fixture().scratch(name);
    let mut signatures = fixture().json(&format!("{scheme}/signatures.json"));
    edit(&mut signatures);
    check_file(scheme, &write(&dir, "signatures.json", &signatures), "--threshold 2 --json")
}

/// The index of the first signer of the sample.
fn first() -> u64 {
    fixture().json("schnorr/signatures.json")["signatures"][0]["member"].as_u64().unwrap()
}

#[test]
fn files_that_are_no_signatures() {
    let dir = fixture().scratch("no-signatures");
    let options = "--threshold 2";
    check_file("schnorr", "nowhere.json", options).expect(2, &["nowhere.json"]);
    let huge = write_sparse(&dir, "huge.json", 1 << 40);
    check_file("schnorr", &huge, options).expect(2, &["huge.json", "bytes"]);
    for bad in ["", "{}", "[1]", r#"{"message": "0x00", "signatures": []}"#] {
        let file = write_text(&dir, "bad.json", bad);
        check_file("schnorr", &file, options).expect(2, &["bad.json"]);
    }
}

#[test]
fn fields_that_are_wrong() {
    let modulus = "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";
    check("schnorr", "f", |s| s["message"] = json!(modulus)).expect(2, &["message", "modulus"]);
    check("schnorr", "f", |s| s["message"] = json!("0x01")).expect(2, &["message", "32 bytes"]);
    check("schnorr", "f", |s| s["message"] = json!("hello")).expect(2, &["message", "0x"]);
    check("schnorr", "f", |s| s["scheme"] = json!("musig-babyjubjub")).expect(2, &["scheme"]);
    check("schnorr", "f", |s| s["extra"] = json!(1)).expect(2, &["extra"]);
    check("schnorr", "f", |s| s["aggregate"] = json!({ "members": [0], "signature": "0x" }))
        .expect(2, &["signatures"]);
    check("schnorr", "f", |s| s["signatures"][0]["member"] = json!(-1))
        .expect(2, &["signatures[0].member"]);
    check("schnorr", "f", |s| s["signatures"][1]["signature"] = json!("0x0g"))
        .expect(2, &["signatures[1].signature"]);
    check("schnorr", "f", |s| edit_hex(&mut s["signatures"][1]["signature"], |b| b.push(0)))
        .expect(1, &["signatures[1]: member", "expected 64 bytes, found 65"]);
    check("musig", "f", |s| edit_hex(&mut s["aggregate"]["signature"], |b| b.truncate(63)))
        .expect(2, &["aggregate.signature", "found 63"]);
    let swapped = "--signatures musig/signatures.json --threshold 2";
    fixture()
        .run(&format!("check --committee schnorr/committee.json {swapped}"))
        .expect(2, &["scheme"]);
}

#[test]
fn signatures_whose_bytes_break_a_rule_are_rejected() {
    let signer = format!("member {}", first());
    let order = hex::decode(ORDER).unwrap();
    let identity = AffinePoint::identity().to_bytes();
    let torsion = torsion_point().to_bytes();
    for (at, bytes, rule) in [
        (32, order.as_slice(), "s is not below"),
        (32, [0xff; 32].as_slice(), "s is not below"),
        (0, identity.as_slice(), "identity"),
        (0, torsion.as_slice(), "subgroup"),
        (0, [0xff; 32].as_slice(), "canonical"),
    ] {
        check("schnorr", "rules", |s| {
            edit_hex(&mut s["signatures"][0]["signature"], |b| {
                b[at..at + 32].copy_from_slice(bytes);
            });
        })
        .expect(1, &["rejected", "signatures[0]: ", &signer, rule]);
    }
    // s + l, the other representative of the same residue.
    check("eddsa", "rules", |s| {
        edit_hex(&mut s["signatures"][0]["signature"], |b| {
            let mut carry = 0;
            for (byte, add) in b[32..].iter_mut().zip(&order) {
                let sum = u16::from(*byte) + u16::from(*add) + carry;
                (*byte, carry) = (sum as u8, sum >> 8);
            }
        });
    })
    .expect(1, &["s is not below"]);
}

#[test]
fn signatures_that_do_not_verify_are_rejected() {
    let signer = format!("member {}", first());
    let flip = |b: &mut Vec<u8>| b[32] ^= 1;
    check("schnorr", "flip", |s| edit_hex(&mut s["signatures"][0]["signature"], flip))
        .expect(1, &["rejected", &signer, "equation"]);
    check("musig", "flip", |s| edit_hex(&mut s["aggregate"]["signature"], flip))
        .expect(1, &["rejected", "aggregate signature", "equation"]);
    for scheme in ["schnorr", "eddsa", "musig"] {
        check(scheme, "message", |s| edit_hex(&mut s["message"], |b| b[31] ^= 1))
            .expect(1, &["rejected", "equation"]);
    }
    // Each signature under the other's key.
    check("schnorr", "swap", |s| {
        let other = s["signatures"][1]["member"].clone();
        s["signatures"][1]["member"] = s["signatures"][0]["member"].clone();
        s["signatures"][0]["member"] = other;
    })
    .expect(1, &["rejected", "equation"]);
    let run = "check --committee eddsa/committee.json --threshold 2 --signatures";
    let mut crossed = fixture().json("schnorr/signatures.json");
    crossed["scheme"] = json!("eddsa-babyjubjub");
    let file = write(&fixture().scratch("crossed"), "s.json", &crossed);
    fixture().run(&format!("{run} {file}")).expect(1, &["equation"]);
}

#[test]
fn signers_that_do_not_count_are_rejected() {
    let twice = |list: &mut Value| list[1] = list[0].clone();
    check("schnorr", "twice", |s| twice(&mut s["signatures"])).expect(1, &["signs twice"]);
    check("musig", "twice", |s| twice(&mut s["aggregate"]["members"])).expect(1, &["signs twice"]);
    check("schnorr", "range", |s| s["signatures"][1]["member"] = json!(4))
        .expect(1, &["signer 4 is not in the set of 4 members"]);
    check("schnorr", "range", |s| s["signatures"][1]["member"] = json!(u64::MAX))
        .expect(1, &["is not in the set"]);
    check("schnorr", "fewer", |s| drop(s["signatures"].as_array_mut().unwrap().pop()))
        .expect(1, &["weigh 1, below the threshold 2"]);
    check("schnorr", "none", |s| s["signatures"] = json!([])).expect(1, &["weigh 0"]);
    check("musig", "fewer", |s| drop(s["aggregate"]["members"].as_array_mut().unwrap().pop()))
        .expect(1, &["rejected"]);
    check("musig", "none", |s| s["aggregate"]["members"] = json!([])).expect(1, &["rejected"]);
    let sample = "schnorr/signatures.json";
    check_file("schnorr", sample, "--threshold 0").expect(1, &["threshold 0"]);
    check_file("schnorr", sample, "--threshold 3").expect(1, &["below the threshold 3"]);
    check_file("schnorr", sample, "--threshold 18446744073709551615").expect(1, &["threshold"]);
}

#[test]
fn a_rejection_in_json_is_one_object() {
    let run = check("schnorr", "json", |s| edit_hex(&mut s["message"], |b| b[31] ^= 1));
    let run = run.expect(1, &[]).json();
    assert_eq!(run["accepted"], false);
    assert_eq!(run["exit_status"], 1);
}
