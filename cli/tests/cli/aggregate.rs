//! Signatures of BLS that members made one by one, added up.

use std::{
    fs,
    path::{Path, PathBuf},
};

use blst::min_pk::SecretKey;
use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, write, Run};

const TAG: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// Four members, of whom 0 and 3 are seats of one key, and a signature by each in two files.
fn sample(name: &str) -> PathBuf {
    let dir = fixture().scratch(name);
    let line = "sample --scheme bls-bls12-381 --signers 4 --owners 3 --signing 4 --seed cli --with-secrets --out .";
    run_in(&dir, line).expect(0, &[]);
    write(&dir, "first.json", &signed(&dir, &[1, 0]));
    write(&dir, "second.json", &signed(&dir, &[2, 3]));
    dir
}

fn json_of(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(&value.as_str().unwrap()[2..]).unwrap()
}

/// The signatures of these members, by blst.
fn signed(dir: &Path, members: &[usize]) -> Value {
    let secrets = json_of(dir, "secrets.json")["secret_keys"].take();
    let message = json_of(dir, "signatures.json")["message"].take();
    let sign = |member: &usize| {
        let secret = SecretKey::from_bytes(&bytes(&secrets[member])).unwrap();
        let signature = hex::encode(secret.sign(&bytes(&message), TAG, &[]).compress());
        json!({ "member": member, "signature": format!("0x{signature}") })
    };
    let signatures: Vec<_> = members.iter().map(sign).collect();
    json!({ "message": message, "signatures": signatures })
}

fn aggregate(dir: &Path, options: &str) -> Run {
    run_in(dir, &format!("aggregate --committee committee.json --seats {options}"))
}

#[test]
fn single_signatures_add_up() {
    let dir = sample("aggregate");
    let bare = "aggregate --committee committee.json first.json --out all.json";
    run_in(&dir, bare).expect(2, &["members 0 and 3 have the same key", "--seats"]);
    let all = "first.json second.json --out all.json";
    let report = aggregate(&dir, &format!("{all} --json")).expect(0, &[]).json();
    assert_eq!(report["members"], json!([0, 1, 2, 3]));
    assert_eq!(json_of(&dir, "all.json"), json_of(&dir, "signatures.json"));
    aggregate(&dir, all).expect(2, &["all.json: already exists", "--force"]);
    // One of two seats, in the place of all.
    write(&dir, "first.json", &signed(&dir, &[1, 3]));
    aggregate(&dir, "first.json --out all.json --force").expect(0, &["members 1, 3 signed 0x"]);
    // It is good, but by too few.
    let check = "check --committee committee.json --seats --signatures all.json --threshold 3";
    run_in(&dir, check).expect(1, &["weigh 2, below the threshold 3"]);
}

/// A sample's signatures, made apart and in one.
#[test]
fn samples_add_up() {
    let dir = fixture().scratch("apart");
    let line = |more: &str| {
        run_in(&dir, &format!("sample --seed cli --signers 4 --signing 3 {more} --out ."))
    };
    for form in ["", "--message-form sha256:9"] {
        let scheme = format!("--scheme bls-bls12-381-min-sig {form} --force");
        line(&format!("{scheme} --apart")).expect(0, &["3 of them signed"]);
        let all = "aggregate --committee committee.json signatures.json --out all.json --force";
        run_in(&dir, all).expect(0, &[]);
        line(&scheme).expect(0, &[]);
        assert_eq!(json_of(&dir, "all.json"), json_of(&dir, "signatures.json"));
    }
    let wrong = "--scheme musig-babyjubjub --apart --force";
    line(wrong).expect(2, &["--apart: signatures of musig-babyjubjub do not add up"]);
}

/// Nothing is written, and the member or the file is named.
#[test]
fn what_does_not_add_up_is_named() {
    let dir = sample("aggregate-bad");
    let bad = |code: i32, parts: &[&str], edit: &dyn Fn(&mut Value)| {
        let mut other = signed(&dir, &[2, 3]);
        edit(&mut other);
        write(&dir, "bad.json", &other);
        aggregate(&dir, "first.json bad.json --strict --out all.json").expect(code, parts);
        assert!(!dir.join("all.json").exists());
    };
    // By another member, and by nobody: the sum with the opposite one would be the same.
    let theirs = signed(&dir, &[1])["signatures"][0]["signature"].take();
    bad(1, &["bad.json: signatures[0]: member 2: ", "equation"], &|file| {
        file["signatures"][0]["signature"] = theirs.clone();
    });
    bad(1, &["bad.json: signatures[1]: member 3: ", "equation"], &|file| {
        edit_hex(&mut file["signatures"][1]["signature"], |bytes| bytes[0] ^= 0x20);
    });
    bad(1, &["bad.json: signatures[1]: member 3", "encoding of a point"], &|file| {
        edit_hex(&mut file["signatures"][1]["signature"], |bytes| bytes.fill(0));
    });
    bad(1, &["bad.json: signatures[0]: member 1 signs twice"], &|file| {
        file["signatures"][0] = signed(&dir, &[1])["signatures"][0].take();
    });
    bad(1, &["signer 4 is not in the set of 4 members"], &|file| {
        file["signatures"][0]["member"] = json!(4);
    });
    bad(2, &["bad.json: message: not the message in first.json"], &|file| {
        edit_hex(&mut file["message"], |bytes| bytes[31] ^= 1);
    });
    bad(2, &["bad.json: scheme", "bls-bn254"], &|file| file["scheme"] = json!("bls-bn254"));
    bad(2, &["bad.json", "single field \"signatures\""], &|file| {
        *file = json_of(&dir, "signatures.json");
    });
    bad(1, &["first.json: signatures[0]: member 0: "], &|file| {
        write(
            &dir,
            "first.json",
            &json!({ "message": file["message"], "signatures": [
            { "member": 0, "signature": theirs }
        ] }),
        );
    });
}

/// What does not count is left out of the sum, in whichever file it stands.
#[test]
fn bad_signatures_are_left_out_of_the_sum() {
    let dir = sample("aggregate-dropped");
    let mut bad = signed(&dir, &[2, 1, 3]);
    bad["signatures"][0]["signature"] = bad["signatures"][1]["signature"].clone();
    write(&dir, "bad.json", &bad);
    let line = "first.json bad.json --out all.json";
    let named = [
        "bad.json: signatures[0]: member 2: ",
        "bad.json: signatures[1]: member 1 signs twice",
        "members 0, 1, 3 signed",
    ];
    aggregate(&dir, line).expect(0, &named);
    let report = aggregate(&dir, &format!("{line} --force --json")).expect(0, &[]).json();
    assert_eq!(
        (report["dropped"][0]["member"].as_u64(), &report["members"]),
        (Some(2), &json!([0, 1, 3]))
    );
    // Good alone, they have the same sum.
    write(&dir, "good.json", &signed(&dir, &[3]));
    aggregate(&dir, "first.json good.json --out good-sum.json").expect(0, &[]);
    assert_eq!(json_of(&dir, "all.json"), json_of(&dir, "good-sum.json"));
    // None is left.
    bad["signatures"].as_array_mut().unwrap().truncate(1);
    write(&dir, "bad.json", &bad);
    let named = ["no signatures to add up", "bad.json: signatures[0]: member 2: "];
    aggregate(&dir, "bad.json --out none.json").expect(1, &named);
    assert!(!dir.join("none.json").exists());
}

/// By nobody at all: too few have signed, which says nothing of keys.
#[test]
fn signatures_of_nobody_are_too_few() {
    let dir = sample("aggregate-nobody");
    let mut nobody = signed(&dir, &[1]);
    nobody["signatures"] = json!([]);
    write(&dir, "nobody.json", &nobody);
    let lines = ["nobody.json --out all.json", "nobody.json nobody.json --out all.json"];
    for line in lines {
        aggregate(&dir, line).expect(1, &["rejected: there are no signatures to add up"]);
    }
    assert!(!dir.join("all.json").exists());
    let mut none = json_of(&dir, "signatures.json");
    none["aggregate"]["members"] = json!([]);
    write(&dir, "none.json", &none);
    let check = "check --committee committee.json --seats --signatures none.json --threshold 2";
    run_in(&dir, check).expect(1, &["weigh 0, below the threshold 2"]);
}

#[test]
fn only_signatures_of_bls_add_up() {
    let dir = fixture().scratch("aggregate-schnorr");
    for scheme in ["schnorr", "musig"] {
        let line = format!(
            "aggregate --committee {scheme}/committee.json {scheme}/signatures.json --out {}",
            dir.join("all.json").display()
        );
        let refused = ["committee.json: scheme", "-babyjubjub do not add up"];
        fixture().run(&line).expect(2, &refused);
    }
    run_in(&dir, "aggregate --committee committee.json --out all.json").expect(2, &["SIGNATURES"]);
}
