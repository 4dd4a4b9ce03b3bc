//! Bad committees: exit status 2, and the member is named.

use muster_schemes::curve::edwards::{AffinePoint, PointError};
use serde_json::{json, Value};

use crate::support::{copy_keys, fixture, write, write_sparse, write_text, Run};

/// What an error must name, and the edit that leads to it.
type Edit = (&'static str, fn(&mut Value));

fn check(committee: &str) -> Run {
    let line = format!(
        "check --committee {committee} --signatures schnorr/signatures.json --threshold 2 --json"
    );
    fixture().run(&line)
}

fn check_edited(name: &str, edit: impl FnOnce(&mut Value)) -> Run {
    let dir = fixture().scratch(name);
    let mut committee = fixture().json("schnorr/committee.json");
    edit(&mut committee);
    check(&write(&dir, "committee.json", &committee))
}

#[test]
fn files_that_are_no_committee() {
    let dir = fixture().scratch("no-committee");
    check("nowhere.json").expect(2, &["nowhere.json", "No such file"]);
    check(dir.to_str().unwrap()).expect(2, &["not a regular file"]);
    let huge = write_sparse(&dir, "huge.json", (1 << 30) + 1);
    check(&huge).expect(2, &["huge.json", "1073741825 bytes"]);
    let text = fixture().json("schnorr/committee.json").to_string();
    for (bad, reason) in [
        ("", "empty"),
        ("{", "EOF"),
        ("[]", "at least one member"),
        ("null", "neither JSON"),
        ("\u{0}", "neither JSON"),
        (&text[..text.len() - 1], "EOF"),
        (&format!("{text}{text}"), "trailing"),
        (&text.replace("\"members\"", "\"signers\""), "signers"),
        (r#"{"scheme": "schnorr-babyjubjub"}"#, "members"),
        (r#"{"scheme": "schnorr-babyjubjub", "members": []}"#, "members"),
        (r#"{"scheme": "schnorr-babyjubjub", "members": {}}"#, "members"),
    ] {
        check(&write_text(&dir, "bad.json", bad)).expect(2, &["bad.json", reason]);
    }
    std::fs::write(dir.join("latin.json"), b"{\"scheme\": \"\xff\"}").unwrap();
    check(dir.join("latin.json").to_str().unwrap()).expect(2, &["latin.json"]);
}

#[test]
fn fields_that_are_wrong() {
    let edits: [Edit; 14] = [
        ("scheme", |c| c["scheme"] = json!("rsa")),
        ("scheme", |c| c["scheme"] = json!("eddsa-babyjubjub")),
        ("members[1]", |c| c["members"][1]["power"] = json!(1)),
        ("members[1]", |c| c["members"][1] = json!({ "weight": 1 })),
        ("members[2].weight", |c| c["members"][2]["weight"] = json!(0)),
        ("members[2].weight", |c| c["members"][2]["weight"] = json!(1u64 << 60)),
        ("members[2].weight", |c| c["members"][2]["weight"] = json!(-1)),
        ("members[2].weight", |c| c["members"][2]["weight"] = json!(1.5)),
        ("members[0].public_key", |c| c["members"][0]["public_key"] = json!(7)),
        ("members[0].public_key", |c| c["members"][0]["public_key"] = json!("00")),
        ("members[0].public_key", |c| c["members"][0]["public_key"] = json!("0x0")),
        ("members[0].public_key", |c| c["members"][0]["public_key"] = json!("0xgg")),
        ("members[0].public_key", |c| {
            let key = c["members"][0]["public_key"].as_str().unwrap().to_owned();
            c["members"][0]["public_key"] = json!(key + "00");
        }),
        ("members[3].public_key", |c| c["members"][3] = c["members"][0].clone()),
    ];
    for (place, edit) in edits {
        check_edited("fields", edit).expect(2, &[place]);
    }
}

#[test]
fn keys_that_break_a_rule() {
    let mut off_curve = [0; 32];
    off_curve[0] = 2;
    while AffinePoint::from_bytes(&off_curve) != Err(PointError::OffCurve) {
        off_curve[0] += 1;
    }
    let torsion = muster_schemes::curve::edwards::torsion_point();
    for (bytes, rule) in [
        (AffinePoint::identity().to_bytes(), "identity"),
        (off_curve, "not on the curve"),
        (torsion.to_bytes(), "outside the prime-order subgroup"),
        ([0xff; 32], "not canonical"),
    ] {
        let key = format!("0x{}", hex::encode(bytes));
        let run = check_edited("rules", |c| c["members"][2]["public_key"] = json!(key));
        run.expect(2, &["members[2].public_key", rule]);
    }
}

/// Keys have room for so many members, whatever the members' keys are.
#[test]
fn too_many_members_are_refused_before_their_keys_are_looked_at() {
    let dir = fixture().scratch("room");
    let mut committee = fixture().json("schnorr/committee.json");
    committee["members"][0]["public_key"] = json!(format!("0x{}", "ff".repeat(32)));
    let more = fixture().json("eddsa/committee.json")["members"][0].clone();
    committee["members"].as_array_mut().unwrap().push(more);
    let file = write(&dir, "large.json", &committee);
    std::fs::create_dir(dir.join("item")).unwrap();
    let out = dir.join("proof.json");
    let prove =
        format!("prove --keys keys --threshold 2 --out {} --committee {file}", out.display());
    for line in [
        format!("{prove} --signatures schnorr/signatures.json"),
        format!("{prove} --batch {}", dir.display()),
        format!("root --keys keys {file}"),
    ] {
        fixture().run(&line).expect(2, &["large.json: members", "5 members", "room for 4"]);
    }
}

/// What a proof takes in memory is known before anything long is read: the keys are none, and neither are the signatures.
#[test]
fn memory_is_asked_for_before_keys_are_read() {
    let dir = fixture().scratch("plan");
    let keys = copy_keys(&dir);
    let proving = dir.join("keys/proving.key");
    let length = std::fs::metadata(&proving).unwrap().len();
    std::fs::remove_file(&proving).unwrap();
    let _ = write_sparse(&dir.join("keys"), "proving.key", length);
    let out = dir.join("proof.json");
    let prove = format!(
        "prove --keys {keys} --committee schnorr/committee.json --threshold 2 --out {}",
        out.display()
    );
    let one = "--signatures schnorr/signatures.json";
    fixture().run(&format!("{prove} {one}")).expect(2, &["proving.key"]);
    for of in [one, "--signatures nowhere.json", &format!("--batch {}", dir.display())] {
        let line = format!("{prove} {of} --max-memory 1MiB");
        fixture().run(&line).expect(2, &["--max-memory", "is estimated to take"]);
    }
    // Nor are keys read for a statement that is false.
    let false_one = prove.replace("--threshold 2", "--threshold 3");
    fixture().run(&format!("{false_one} {one}")).expect(1, &["weigh 2, below"]);
}
