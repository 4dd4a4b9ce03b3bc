//! Malformed answers: the file and the field are said, and nothing is written.

use std::path::Path;

use serde_json::{json, Value};

use super::{
    commit,
    import::{name, FLAGS, LINE, POWERS},
    validators, CHAIN,
};
use crate::support::{fixture, run_in, write, write_text};

/// Imports answers of which one is changed.
fn refused(dir: &Path, file: &str, edit: &dyn Fn(&mut Value), at: &str, reason: &str) {
    let mut answers = [commit(&FLAGS, &POWERS), validators(&POWERS)];
    edit(&mut answers[usize::from(file == "validators.json")]["result"]);
    write(dir, "commit.json", &answers[0]);
    write(dir, "validators.json", &answers[1]);
    let at = format!("{file}: result.{at}");
    run_in(dir, LINE).expect(2, &[&at, reason]);
    assert!(!dir.join("out/committee.json").exists());
}

/// A place in JSON as a pointer.
fn pointer(place: &str) -> String {
    format!("/{}", place.replace(['.', '['], "/").replace(']', ""))
}

#[test]
fn commits() {
    let dir = fixture().scratch("import-commits");
    let refused = |place: &str, at: &str, to: Value, reason: &str| {
        let commit = "signed_header.commit";
        let place = pointer(&format!("{commit}.{place}"));
        let edit = |result: &mut Value| *result.pointer_mut(&place).unwrap() = to.clone();
        refused(&dir, "commit.json", &edit, &format!("{commit}{at}"), reason);
    };
    refused("height", ": height", json!("0"), "0 is not between 1 and 2^63 - 1");
    refused("height", ".height", json!("x"), "a number");
    refused("round", ".round", json!(-1), "a number");
    refused("block_id", ".block_id", json!(null), "");
    refused("block_id.hash", ": block_id.hash", json!(""), "not 32 bytes in hex");
    refused("block_id.parts.total", ": block_id.parts.total", json!(0), "2^32 - 1");
    refused("signatures", ".signatures", json!(null), "invalid type");
    refused("signatures", ".signatures", json!([]), "0 entries for 6 validators");
}

#[test]
fn entries_of_commits() {
    let dir = fixture().scratch("import-entries");
    let refused = |place: &str, to: Value, reason: &str| {
        let at = format!("signed_header.commit.signatures{place}");
        let edit = |result: &mut Value| *result.pointer_mut(&pointer(&at)).unwrap() = to.clone();
        refused(&dir, "commit.json", &edit, &at, reason);
    };
    for bad in [0, 8, 255] {
        refused("[0].block_id_flag", json!(bad), "is not 1, 2 or 3");
    }
    refused("[0].block_id_flag", json!([2]), "expected");
    refused("[2].validator_address", json!(""), "but the validator is");
    refused("[3].validator_address", json!(name(2)), "but the validator is");
    for bad in ["2025-11-22 08:26:40Z", "2025-11-22T08:26:40+01:00", ""] {
        refused("[0].timestamp", json!(bad), "not a time in UTC");
    }
    refused("[0].signature", json!(null), "signature: missing");
    refused("[0].signature", json!("0x+0="), "not base64");
    refused("[0].signature", json!("AAAA"), "expected 64 bytes in base64, found 3");
    // Votes for no block are read as well.
    refused("[3].timestamp", json!(""), "not a time in UTC");
    refused("[3].signature", json!(null), "signature: missing");
}

#[test]
fn pages_of_keys_and_powers() {
    let dir = fixture().scratch("import-validators");
    let refused = |at: &str, to: Value, reason: &str| {
        let edit = |result: &mut Value| *result.pointer_mut(&pointer(at)).unwrap() = to.clone();
        refused(&dir, "validators.json", &edit, at, reason);
    };
    refused("total", json!("7"), "7, but the files have 6 validators");
    refused("block_height", json!("20082942"), "but the commit is for 20082941");
    refused("validators", json!({}), "invalid type");
    refused("validators[1].address", json!(name(0)), "but that of the key is");
    let other = "tendermint/PubKeySr25519";
    refused("validators[1].pub_key.type", json!(other), "how a header hashes keys of this type");
    refused("validators[1].pub_key.value", json!("AAAA"), "expected 32 bytes in base64, found 3");
    refused("validators[1].pub_key.value", json!("?"), "not base64");
    refused("validators[1].voting_power", json!("-1"), "decimal digits");
    refused("validators[1].voting_power", json!("0"), "weight 0");
    refused("validators[1].voting_power", json!((1u64 << 59).to_string()), "add up to 2^60");
    refused("validators[1].voting_power", json!((1u128 << 64).to_string()), "not below 2^64");
}

#[test]
fn a_key_twice() {
    let dir = fixture().scratch("import-keys");
    let at = "validators[1].pub_key.value";
    let twice = |result: &mut Value| {
        for field in ["address", "pub_key"] {
            result["validators"][1][field] = result["validators"][0][field].clone();
        }
    };
    refused(&dir, "validators.json", &twice, at, "the same key");
}

#[test]
fn another_chain_and_files_that_are_no_answers() {
    let dir = fixture().scratch("import-answers");
    write(&dir, "commit.json", &commit(&FLAGS, &POWERS));
    write(&dir, "validators.json", &validators(&POWERS));
    let chain = "commit.json: result.signed_header.header.chain_id";
    run_in(&dir, &format!("{LINE} --chain-id other")).expect(2, &[chain, CHAIN, "other"]);
    run_in(&dir, "import cometbft --commit commit.json --out out").expect(2, &["--validators"]);
    let refused = |file: &str, text: &str, parts: &[&str]| {
        write_text(&dir, file, text);
        run_in(&dir, LINE).expect(2, parts);
    };
    refused("validators.json", "", &["validators.json", "empty"]);
    refused("validators.json", r#"{"error": {"code": -32603}}"#, &["validators.json", "`result`"]);
    refused("commit.json", r#"{"result": {}}"#, &["commit.json", "result", "`signed_header`"]);
    refused("commit.json", "{", &["commit.json"]);
    assert!(!dir.join("out/committee.json").exists());
}
