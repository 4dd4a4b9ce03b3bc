//! Files that are wrong, secret, or in the way.

use std::fs;

use muster_schemes::curve::edwards::{torsion_point, AffinePoint};
use serde_json::{json, Value};

#[cfg(unix)]
use super::mode;
use super::{Ceremony, MESSAGE};
use crate::support::write;

#[cfg(unix)]
#[test]
fn secrets_are_their_owners_alone() {
    let ceremony = Ceremony::new("frost-modes", "ed25519");
    ceremony.commit(1);
    ceremony.commit(3);
    for (name, secret) in [
        ("group.json", false),
        ("share-1.json", true),
        ("nonces-1.json", true),
        ("commitment-1.json", false),
    ] {
        assert_eq!(mode(&ceremony.dir.join(name)) == 0o600, secret, "{name}");
    }
    let shown = ceremony.run("commit --share share-2.json --out . --json").expect(0, &[]);
    let secret = ceremony.json("nonces-2.json")["hiding_nonce"].as_str().unwrap().to_owned();
    assert!(!shown.stdout.contains(&secret) && !shown.stderr.contains(&secret));
}

#[test]
fn files_that_are_wrong_name_the_field() {
    let ceremony = Ceremony::new("frost-files", "babyjubjub");
    ceremony.sign_all();
    ceremony.aggregate("").expect(0, &[]);
    let bad = |name: &str, edit: &dyn Fn(&mut Value), parts: &[&str]| {
        let good = ceremony.json(name);
        ceremony.edit(name, edit);
        ceremony.aggregate("").expect(2, &[&[name], parts].concat());
        write(&ceremony.dir, name, &good);
    };
    let hex = |bytes: [u8; 32]| json!(format!("0x{}", hex::encode(bytes)));
    let identity = hex(AffinePoint::identity().to_bytes());
    let torsion = hex(torsion_point().to_bytes());
    for (point, rule) in [
        (identity, "identity"),
        (torsion, "prime order"),
        (hex([0xff; 32]), "malformed"),
        (json!("0x00"), "malformed"),
        (json!("00"), "0x"),
        (json!(7), "expected"),
    ] {
        bad("commitment-1.json", &|c| c["hiding"] = point.clone(), &["hiding", rule]);
        bad("commitment-3.json", &|c| c["binding"] = point.clone(), &["binding", rule]);
        bad("group.json", &|g| g["public_key"] = point.clone(), &["public_key", rule]);
        bad(
            "group.json",
            &|g| g["members"][1]["public_share"] = point.clone(),
            &["members[1].public_share", rule],
        );
    }
    bad("group.json", &|g| g["members"][1]["member"] = json!(0), &["members[1].member"]);
    bad("group.json", &|g| g["members"][1]["member"] = json!(1), &["participant 1 occurs twice"]);
    bad("group.json", &|g| g["threshold"] = json!(4), &["threshold", "4 of 3"]);
    bad("group.json", &|g| g["threshold"] = json!(1), &["threshold"]);
    bad("group.json", &|g| g["suite"] = json!("ed25518"), &["suite"]);
    bad("group.json", &|g| g["extra"] = json!(1), &["extra"]);
    bad("commitment-1.json", &|c| c["suite"] = json!("ed25519"), &["suite", "not babyjubjub"]);
    bad("signed-1.json", &|s| s["signature_share"] = hex([0xff; 32]), &["signature_share"]);
    bad("signed-1.json", &|s| drop(s.as_object_mut().unwrap().remove("member")), &["member"]);
    bad("signed-1.json", &|s| *s = json!([]), &[]);
    ceremony.run("commit --share nowhere.json --out .").expect(2, &["nowhere.json"]);
    ceremony.run("commit --share group.json --out .").expect(2, &["group.json", "members"]);
    for line in [
        "keygen --suite babyjubjub --threshold 1 --signers 3 --out x",
        "keygen --suite babyjubjub --threshold 4 --signers 3 --out x",
        "keygen --suite nothing --threshold 2 --signers 3 --out x",
        "keygen --suite babyjubjub --threshold 2 --signers 3 --out .",
    ] {
        ceremony.run(line).expect(2, &[]);
    }
}

/// --force is for files that one can make again.
#[test]
fn a_secret_is_replaced_by_its_like_only() {
    let ceremony = Ceremony::new("frost-secrets", "babyjubjub");
    ceremony.commit(1);
    ceremony.commit(3);
    let share = ceremony.json("share-1.json");
    let nonces = ceremony.json("nonces-1.json");
    let sign = |out: &str| {
        ceremony.run(&format!(
            "sign --share share-1.json --nonces nonces-1.json --commitments commitment-1.json \
             commitment-3.json --message {MESSAGE} --out {out} --force"
        ))
    };
    sign("share-1.json").expect(2, &["share-1.json: holds a secret (key share)"]);
    sign("share-3.json").expect(2, &["share-3.json: holds a secret"]);
    sign("nonces-3.json").expect(2, &["nonces-3.json: holds a secret (nonces)"]);
    assert_eq!(ceremony.json("share-1.json"), share);
    assert_eq!(ceremony.json("nonces-1.json"), nonces);
    sign("signed-1.json").expect(0, &[]);
    sign("share-1.json").expect(2, &["holds a secret"]);
    ceremony.sign(3, "").expect(0, &[]);
    ceremony.aggregate("--out share-1.json --force").expect(2, &["holds a secret (key share)"]);
    assert_eq!(ceremony.json("share-1.json"), share);
    // A directory's files one by one; and nonces that have been used are no secret.
    ceremony.run("refresh deal --group group.json --out new").expect(0, &[]);
    fs::rename(ceremony.dir.join("new/refresh-1.json"), ceremony.dir.join("new/commitment-2.json"))
        .unwrap();
    ceremony
        .run("commit --share share-2.json --out new --force")
        .expect(2, &["commitment-2.json: holds a secret (refresh)"]);
    ceremony.aggregate("--out nonces-1.json --force").expect(0, &[]);
    // New shares take the place of old ones.
    ceremony
        .run("keygen --suite babyjubjub --threshold 2 --signers 3 --out . --force")
        .expect(0, &[]);
}

#[test]
fn a_sweep_writes_its_results() {
    let ceremony = Ceremony::empty("frost-sweep");
    let line = "sweep --suite babyjubjub ed25519 --case 2/3 --repeat 3 --out .";
    ceremony.run(line).expect(0, &["| babyjubjub | 2/3 |", "| ed25519 | 2/3 |"]);
    let csv = fs::read_to_string(ceremony.dir.join("frost.csv")).unwrap();
    let rows: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.split(',').count() == 13));
    let rows = &ceremony.json("frost.json")["rows"];
    assert_eq!(rows[0]["suite"], "babyjubjub");
    assert!(rows[1]["aggregate_ms"].as_f64().unwrap() > 0.0);
    let svg = fs::read_to_string(ceremony.dir.join("frost.svg")).unwrap();
    for words in ["babyjubjub", "ed25519", "frost-core", "one by one"] {
        assert!(svg.contains(words), "{words}");
    }
    ceremony.run(line).expect(2, &["frost.json", "--resume"]);
    // A resumed sweep runs what is missing, and its rows stay.
    let before = ceremony.json("frost.json")["rows"].clone();
    let more = "sweep --suite babyjubjub p256 --case 2/3 --repeat 3 --out . --resume";
    ceremony.run(more).expect(0, &["1 rows are finished, 1 are to be run", "| p256 | 2/3 |"]);
    let rows = ceremony.json("frost.json")["rows"].clone();
    assert_eq!(rows.as_array().map(Vec::len), Some(3));
    assert_eq!((&rows[0], &rows[1]), (&before[0], &before[1]));
    let other = "sweep --suite babyjubjub --case 2/3 --repeat 4 --out . --resume";
    ceremony.run(other).expect(2, &["frost.json", "medians of 3"]);
    ceremony.run("sweep --case 1/3 --out x").expect(2, &["1 of 3"]);
    ceremony.run("sweep --case 3 --out x").expect(2, &["threshold/members"]);
}
