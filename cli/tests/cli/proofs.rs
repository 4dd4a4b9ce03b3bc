//! Bad proofs: exit status 1 for what is wrong, 2 for what is malformed.

use std::fs;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fq, ff::PrimeField};
use num_bigint::BigUint;
use serde_json::{json, Value};

use crate::support::{
    edit_hex, fixture, keys_and_proof, write, write_sparse, write_text, Run, KINDS,
};

/// What an error must name, and the edit that leads to it.
type Edit = (&'static str, fn(&mut Value));

fn verify(kind: &str, name: &str, edit: impl FnOnce(&mut Value)) -> Run {
    let (keys, proof) = keys_and_proof(kind);
    let (dir, mut proof) = (fixture().scratch(name), fixture().json(&proof));
    edit(&mut proof);
    let file = write(&dir, "proof.json", &proof);
    fixture().run(&format!("verify --unchecked --keys {keys} {file}"))
}

fn edit_proof(kind: &str, edit: impl FnOnce(&mut Vec<u8>)) -> Run {
    verify(kind, "edit", |p| edit_hex(&mut p["proof"], edit))
}

#[test]
fn proofs_whose_bytes_were_changed() {
    for kind in KINDS {
        let bytes = fixture().json(&keys_and_proof(kind).1);
        let len = bytes["proof"].as_str().unwrap().len() / 2 - 1;
        for at in [0, 1, 31, len / 2, len - 40, len - 1] {
            edit_proof(kind, |p| p[at] ^= 1).expect(1, &["rejected", "proof.json"]);
        }
        let too_long = "bytes, and proofs of this key have";
        edit_proof(kind, |p| p.push(0)).expect(1, &[too_long]);
        edit_proof(kind, |p| p.extend([0; 32])).expect(1, &[too_long]);
        edit_proof(kind, |p| p.truncate(p.len() - 1)).expect(1, &["rejected"]);
        edit_proof(kind, Vec::clear).expect(1, &["cannot be read"]);
        edit_proof(kind, |p| p.fill(0)).expect(1, &["rejected"]);
        edit_proof(kind, |p| p.fill(0xff)).expect(1, &["rejected"]);
    }
}

/// Both formats begin with the coordinates of a point, which are below the modulus.
#[test]
fn a_proof_has_one_encoding() {
    let modulus =
        BigUint::parse_bytes(Fq::MODULUS.trim_start_matches("0x").as_bytes(), 16).unwrap();
    for kind in KINDS {
        let again = |proof: &mut Vec<u8>| {
            let more = BigUint::from_bytes_be(&proof[..32]) + &modulus;
            proof[..32].copy_from_slice(&more.to_bytes_be());
        };
        edit_proof(kind, again).expect(1, &["rejected", "cannot be read"]);
    }
}

#[test]
fn proofs_of_something_else() {
    for place in 0..3 {
        verify("fast", "inputs", |p| edit_hex(&mut p["public_inputs"][place], |b| b[31] ^= 1))
            .expect(1, &["rejected", "proof.json"]);
    }
    for (kind, other) in [("fast", "compact"), ("compact", "fast")] {
        verify(kind, "kind", |p| p["kind"] = json!(other)).expect(1, &["format", other]);
    }
    verify("fast", "digest", |p| edit_hex(&mut p["vk_digest"], |b| b[0] ^= 1))
        .expect(1, &["verifying key"]);
    verify("fast", "shape", |p| p["shape"]["slots"] = json!(3)).expect(1, &["shape"]);
    verify("fast", "mark", |p| p["srs"]["insecure"] = json!(false)).expect(1, &["SRS"]);
    let other = "0x0000000000000000000000000000000000000000000000000000000000000001";
    for (option, what) in [
        ("--threshold 1".to_owned(), "threshold 2, not 1"),
        (format!("--root {other}"), "key-set root"),
        (format!("--message {other}"), "message"),
    ] {
        fixture()
            .run(&format!("verify --unchecked --keys keys fast.json {option}"))
            .expect(1, &[what]);
    }
}

#[test]
fn files_that_are_no_proof() {
    let dir = fixture().scratch("no-proof");
    let verify_file = |file: &str| fixture().run(&format!("verify --unchecked --keys keys {file}"));
    verify_file("nowhere.json").expect(2, &["nowhere.json"]);
    verify_file(&write_sparse(&dir, "huge.json", (1 << 23) + 1)).expect(2, &["huge.json"]);
    for bad in ["", "{}", "[]", "{\"scheme\": 1}"] {
        verify_file(&write_text(&dir, "bad.json", bad)).expect(2, &["bad.json"]);
    }
    let edits: [Edit; 9] = [
        ("scheme", |p| p["scheme"] = json!("eddsa-babyjubjub")),
        ("shape", |p| p["shape"] = json!("wide")),
        ("kind", |p| p["kind"] = json!("sha256")),
        ("public_inputs", |p| drop(p["public_inputs"].as_array_mut().unwrap().pop())),
        ("public_inputs", |p| p["public_inputs"].as_array_mut().unwrap().push(json!("0x00"))),
        ("public_inputs[1]", |p| p["public_inputs"][1] = json!("0x02")),
        ("proof", |p| p["proof"] = json!("0xabc")),
        ("vk_digest", |p| p["vk_digest"] = json!("0x00")),
        ("extra", |p| p["extra"] = json!(true)),
    ];
    for (place, edit) in edits {
        verify("fast", "fields", edit).expect(2, &["proof.json", place]);
    }
    let modulus = "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";
    verify("fast", "modulus", |p| p["public_inputs"][0] = json!(modulus))
        .expect(2, &["public_inputs[0]", "modulus"]);
}

#[test]
fn fields_stand_once_and_have_names() {
    let dir = fixture().scratch("names");
    let text = fixture().json("fast.json").to_string();
    let verify_text = |text: &str| {
        let file = write_text(&dir, "proof.json", text);
        fixture().run(&format!("verify --unchecked --keys keys {file}"))
    };
    verify_text(&text).expect(0, &[]);
    let threshold = "0x0000000000000000000000000000000000000000000000000000000000000001";
    for (field, twice) in [
        ("\"public_inputs\":", format!("\"public_inputs\":[\"{threshold}\"],")),
        ("\"proof\":", "\"proof\":\"0x\",".to_owned()),
        ("\"kind\":", "\"kind\":\"compact\",".to_owned()),
        ("\"slots\":", "\"slots\":2,".to_owned()),
        ("\"k\":", "\"k\":11,".to_owned()),
    ] {
        assert_eq!(text.matches(field).count(), 1, "{field}");
        verify_text(&text.replace(field, &(twice + field))).expect(2, &["duplicate field"]);
    }
    for place in ["/shape", "/shape/layout", "/shape/layout/poseidon/0", "/srs"] {
        let mut proof = fixture().json("fast.json");
        proof.pointer_mut(place).unwrap()["surplus"] = json!(1);
        verify_text(&proof.to_string()).expect(2, &["unknown field", "surplus"]);
    }
    verify_text(&format!("{text}{text}")).expect(2, &["trailing"]);
    verify_text(&text[..text.len() - 1]).expect(2, &["proof.json"]);
}

/// A proof of one's own committee is good, and not what a verifier who says what they expect takes.
#[test]
fn a_good_proof_of_another_committee() {
    let dir = fixture().scratch("another");
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (other, proof) = (path("other"), path("proof.json"));
    let line = "sample --scheme schnorr-babyjubjub --signers 4 --signing 2 --out";
    fixture().run(&format!("{line} {other}")).expect(0, &[]);
    let line = format!(
        "prove --keys keys --committee {other}/committee.json --signatures {other}/signatures.json \
         --threshold 2 --out {proof}"
    );
    fixture().run(&line).expect(0, &[]);
    let root = fixture().json("fast.json")["public_inputs"][0].as_str().unwrap().to_owned();
    let verify = format!("verify --unchecked --keys keys {proof}");
    fixture().run(&format!("{verify} --root {root}")).expect(1, &["key-set root"]);
    // Without a word on what is expected the proof's own is taken, and the reader told so.
    let run = fixture().run(&verify).expect(0, &["--root, --threshold, --message"]);
    assert!(!run.stdout.contains(&root));
    // Its bytes under the statement that is expected are no proof.
    let mut swapped = fixture().json("fast.json");
    let made: Value = serde_json::from_slice(&fs::read(&proof).unwrap()).unwrap();
    swapped["proof"] = made["proof"].clone();
    let swapped = write(&dir, "swapped.json", &swapped);
    fixture()
        .run(&format!("verify --unchecked --keys keys {swapped} --root {root}"))
        .expect(1, &["not hold"]);
}

#[test]
fn a_batch_names_the_bad_ones() {
    let dir = fixture().scratch("batch");
    let good = write(&dir, "good.json", &fixture().json("fast.json"));
    let mut bad = fixture().json("fast.json");
    edit_hex(&mut bad["proof"], |bytes| bytes[40] ^= 1);
    let bad = write(&dir, "bad.json", &bad);
    let mut worse = fixture().json("fast.json");
    edit_hex(&mut worse["public_inputs"][1], |bytes| bytes[31] = 1);
    let worse = write(&dir, "worse.json", &worse);
    let line = format!("verify --unchecked --keys keys fast.json {bad} {good} {worse}");
    let run = fixture().run(&line).expect(1, &["bad.json", "worse.json"]);
    assert!(!run.stderr.contains("fast.json") && !run.stderr.contains("good.json"));
}

#[test]
fn a_proof_for_another_key() {
    let dir = fixture().scratch("other-key");
    let keys = dir.join("keys");
    let line = format!(
        "keygen --scheme schnorr-babyjubjub --signers 5 --slots 2 --insecure-srs --out {}",
        keys.display()
    );
    fixture().run(&line).expect(0, &[]);
    let line = format!("verify --unchecked --keys {} fast.json", keys.display());
    fixture().run(&line).expect(1, &["rejected", "verifying key"]);
    // And not when the file names the other key either.
    let mut proof = fixture().json("fast.json");
    let shape: Value = serde_json::from_slice(&fs::read(keys.join("shape.json")).unwrap()).unwrap();
    proof["shape"] = shape["shape"].clone();
    proof["vk_digest"] = shape["vk_digest"].clone();
    let file = write(&dir, "proof.json", &proof);
    fixture()
        .run(&format!("verify --unchecked --keys {} {file}", keys.display()))
        .expect(1, &["rejected"]);
}

#[test]
fn a_false_statement_is_not_proven() {
    let dir = fixture().scratch("false");
    let mut signatures = fixture().json("schnorr/signatures.json");
    edit_hex(&mut signatures["signatures"][0]["signature"], |b| b[32] ^= 1);
    let bad = write(&dir, "s.json", &signatures);
    let out = dir.join("proof.json");
    let prove = |committee: &str, signatures: &str, threshold| {
        fixture().run(&format!(
            "prove --keys keys --committee {committee} --signatures {signatures} --threshold \
             {threshold} --out {}",
            out.display()
        ))
    };
    let good = "schnorr/committee.json";
    prove(good, &bad, 2).expect(1, &["rejected", "equation"]);
    prove(good, "schnorr/signatures.json", 3).expect(1, &["below the threshold"]);
    prove(good, "schnorr/signatures.json", 0).expect(1, &["threshold 0"]);
    prove("eddsa/committee.json", "eddsa/signatures.json", 2).expect(2, &["scheme"]);
    let line = "sample --scheme schnorr-babyjubjub --signers 6 --signing 2 --out";
    let large = dir.join("large");
    fixture().run(&format!("{line} {}", large.display())).expect(0, &[]);
    let large = |name| large.join(name).to_str().unwrap().to_owned();
    prove(&large("committee.json"), &large("signatures.json"), 2).expect(2, &["6 members"]);
    let line = "sample --scheme schnorr-babyjubjub --signers 4 --signing 3 --out";
    let many = dir.join("many");
    fixture().run(&format!("{line} {}", many.display())).expect(0, &[]);
    let many = |name| many.join(name).to_str().unwrap().to_owned();
    prove(&many("committee.json"), &many("signatures.json"), 3)
        .expect(2, &["the 2 heaviest of 3 signers weigh 2", "too few slots"]);
    assert!(!out.exists());
    assert_eq!(crate::support::names(&dir), ["large", "many", "s.json"]);
}
