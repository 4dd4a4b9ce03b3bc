//! Committees that are no sets: members whom no set can hold are left out, and members with the same key become one.

use std::path::Path;

use serde_json::{json, Value};

use crate::support::{fixture, run_in, write, Run};

/// Keys of ed25519: of small order, off the curve, of TEST 2 of RFC 8032 (section 7.1), and too short.
const UNUSABLE: [(&str, &str); 4] = [
    ("0x0000000000000000000000000000000000000000000000000000000000000000", "small order"),
    ("0x0505050505050505050505050505050505050505050505050505050505050505", "curve"),
    ("0x3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "anyone can sign"),
    ("0x0102", "expected 32 bytes"),
];
/// Not in the subgroup, nor of small order: case 3 of "Taming the many EdDSAs" (ePrint 2020/1244).
const MIXED_ORDER: &str = "0xf7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43";
const CHANGED: &str = "--out out.json --force";

fn read(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

/// Four members of whom two sign, with weights 10, 20, 30 and 40.
fn sample(name: &str) -> std::path::PathBuf {
    let dir = fixture().scratch(name);
    run_in(&dir, "sample --scheme ed25519 --signers 4 --signing 2 --seed cli --out .")
        .expect(0, &[]);
    let mut committee = read(&dir, "committee.json");
    for (i, member) in committee["members"].as_array_mut().unwrap().iter_mut().enumerate() {
        member["weight"] = json!(10 * (i + 1));
    }
    write(&dir, "committee.json", &committee);
    dir
}

fn root(dir: &Path, line: &str) -> Run {
    run_in(dir, &format!("root bad.json {line}"))
}

#[test]
fn members_whom_no_set_can_hold_are_left_out_and_named() {
    let dir = sample("left-out");
    let committee = read(&dir, "committee.json");
    let own = run_in(&dir, "root committee.json --json").expect(0, &[]).json();
    for (key, reason) in UNUSABLE {
        let mut bad = committee.clone();
        let member = json!({ "public_key": key, "weight": 7 });
        bad["members"].as_array_mut().unwrap().insert(1, member);
        write(&dir, "bad.json", &bad);
        root(&dir, "").expect(2, &["members[1].public_key", reason, "--leave-out-unusable"]);
        let named = "member 1 is left out: ";
        root(&dir, "--leave-out-unusable --threshold >2/3").expect(
            0,
            &[
                "threshold 72 of 100",
                named,
                reason,
                "its weight 7 still counts towards the total weight 107",
            ],
        );
        let run = root(&dir, &format!("--leave-out-unusable {CHANGED} --json")).expect(0, &[]);
        let run = run.json();
        assert_eq!(run["key_set_root"], own["key_set_root"]);
        assert_eq!((&run["left_out"], &run["total_weight"]), (&json!([1]), &json!(107)));
        assert_eq!(run["unusable"][0]["member"], 1);
        let out = read(&dir, "out.json");
        assert_eq!(out["members"], committee["members"]);
        let kept = &out["left_out"][0];
        assert_eq!((&kept["public_key"], &kept["weight"]), (&json!(key), &json!(7)));
        assert!(kept["reason"].as_str().unwrap().contains(reason));
        // It is read as it was written, and nothing more is left out.
        let again = run_in(&dir, "root out.json --leave-out-unusable --out again.json --force");
        again.expect(0, &[own["key_set_root"].as_str().unwrap()]);
        assert_eq!(read(&dir, "again.json"), out);
    }
}

/// All commands that take a part of the total weight count them.
#[test]
fn their_weights_stay_part_of_the_total() {
    let dir = sample("left-out-total");
    let mut committee = read(&dir, "committee.json");
    let signed = read(&dir, "signatures.json");
    for member in committee["members"].as_array_mut().unwrap() {
        member["weight"] = json!(10);
    }
    for signature in signed["signatures"].as_array().unwrap() {
        let member = signature["member"].as_u64().unwrap() as usize;
        committee["members"][member]["weight"] = json!(40);
    }
    // With 60 more the signers have just half of all.
    let (weight, other) = (80u64, 60);
    let member = json!({ "public_key": UNUSABLE[0].0, "weight": other });
    committee["members"].as_array_mut().unwrap().push(member);
    write(&dir, "bad.json", &committee);
    root(&dir, &format!("--leave-out-unusable {CHANGED}")).expect(0, &[]);
    let files = "--committee out.json --signatures signatures.json --threshold";
    let check = |t: &str| run_in(&dir, &format!("check {files} {t} --message-form sha256:41"));
    check(">=1/2").expect(0, &[&format!("a weight of at least {weight}")]);
    let below = format!("weigh {weight}, below the threshold {}", weight + 1);
    check(">1/2").expect(1, &[&below]);
    // A shift before or after: the part is one of all.
    let shifted = "--weight-shift 1 --threshold >1/2";
    let at_once = root(&dir, &format!("--leave-out-unusable {shifted} --json")).expect(0, &[]);
    let later =
        run_in(&dir, &format!("root out.json {shifted} --out n.json --json")).expect(0, &[]);
    assert_eq!(at_once.json()["threshold"], later.json()["threshold"]);
    assert_eq!(later.json()["threshold"], (weight + 1).div_ceil(2));
    assert_eq!(read(&dir, "n.json")["narrowed"]["total_weight"], 2 * weight);
    run_in(&dir, "root n.json --leave-out-unusable").expect(2, &["narrowed", "already"]);
    let mut less = read(&dir, "n.json");
    less["left_out"][0]["weight"] = json!(other + 2);
    write(&dir, "less.json", &less);
    run_in(&dir, "root less.json").expect(2, &["less.json", "narrowed.total_weight"]);
}

/// What a set can hold depends on the rule.
#[test]
fn the_rule_says_whom_a_set_can_hold() {
    let dir = sample("left-out-rule");
    let mut committee = read(&dir, "committee.json");
    committee["members"][2]["public_key"] = json!(MIXED_ORDER);
    write(&dir, "bad.json", &committee);
    root(&dir, "--leave-out-unusable --json").expect(0, &["\"left_out\":[]"]);
    root(&dir, "--rule strict").expect(2, &["members[2].public_key", "--leave-out-unusable"]);
    root(&dir, "--rule strict --leave-out-unusable").expect(0, &["member 2 is left out", "strict"]);
    root(&dir, "--rule low-s --leave-out-unusable").expect(2, &["no rule low-s"]);
    let keys = "--scheme ed25519 --signers 4 --slots 2 --rule strict --message-form sha256:41";
    run_in(&dir, &format!("keygen {keys} --insecure-srs --out keys")).expect(0, &[]);
    root(&dir, "--keys keys").expect(2, &["members[2].public_key"]);
    root(&dir, "--keys keys --leave-out-unusable").expect(0, &["member 2 is left out"]);
}

/// Who is left out has a weight; what is no text of a key is refused.
#[test]
fn what_is_no_member_is_refused() {
    let dir = sample("left-out-refused");
    let committee = read(&dir, "committee.json");
    for (place, to, at) in [
        ("public_key", json!("0xgg"), "members[1].public_key"),
        ("public_key", json!(7), "members[1].public_key"),
        ("weight", json!(0), "members[1].weight"),
        ("weight", json!(-1), "members[1].weight"),
    ] {
        let mut bad = committee.clone();
        bad["members"][1]["public_key"] = json!(UNUSABLE[0].0);
        bad["members"][1][place] = to;
        write(&dir, "bad.json", &bad);
        root(&dir, "--leave-out-unusable").expect(2, &["bad.json", at]);
    }
    let entry = |weight: Value| json!({ "public_key": "0x", "weight": weight, "reason": "" });
    for (left_out, at) in [
        (json!([{ "public_key": "0x", "weight": 1 }]), "`reason`"),
        (json!([{ "weight": 1, "reason": "" }]), "left_out[0]"),
        (json!([{ "address": "0x", "weight": 1, "reason": "" }]), "left_out[0]"),
        (json!([entry(json!(-1))]), "left_out[0].weight"),
        (json!([entry(json!(1)), entry(json!(u128::MAX.to_string()))]), "left_out[1].weight"),
        (json!({}), "left_out"),
    ] {
        let mut bad = committee.clone();
        bad["left_out"] = left_out;
        write(&dir, "bad.json", &bad);
        root(&dir, "").expect(2, &["bad.json", at]);
    }
    let mut none = committee.clone();
    none["members"] = json!([{ "public_key": UNUSABLE[1].0 }]);
    write(&dir, "bad.json", &none);
    root(&dir, "--leave-out-unusable").expect(2, &["bad.json", "at least one member"]);
}

/// As occur on NEAR: two stakes with one key.
#[test]
fn members_with_the_same_key_are_merged() {
    let dir = sample("merged");
    let mut committee = read(&dir, "committee.json");
    let twice = committee["members"][1].clone();
    committee["members"].as_array_mut().unwrap().push(twice);
    write(&dir, "bad.json", &committee);
    root(&dir, "").expect(2, &["members[4].public_key", "members 1 and 4", "--merge-same-keys"]);
    let line = format!("--merge-same-keys {CHANGED}");
    root(&dir, &line).expect(0, &["member 4 has the same key as member 1"]);
    let run = root(&dir, &format!("{line} --json")).expect(0, &[]).json();
    assert_eq!(run["merged"], json!([{ "member": 4, "into": 1 }]));
    assert_eq!((&run["weight"], &run["members"]), (&json!(120), &json!(4)));
    committee["members"].as_array_mut().unwrap().pop();
    committee["members"][1]["weight"] = json!(40);
    assert_eq!(read(&dir, "out.json")["members"], committee["members"]);
    // Places stay what they are for those before, and nobody signs twice.
    let files = "--committee out.json --signatures signatures.json --message-form sha256:41";
    run_in(&dir, &format!("check {files} --threshold 1")).expect(0, &["accepted: 2 signers of 4"]);
    root(&dir, "--merge-same-keys --seats").expect(2, &["--merge-same-keys", "--seats"]);
}

#[test]
fn weights_that_are_merged_have_their_bounds() {
    let dir = sample("merged-bounds");
    let mut committee = read(&dir, "committee.json");
    let most = (1u64 << 60) - 1;
    committee["members"] = json!([committee["members"][0], committee["members"][0]]);
    let mut merge = |weights: [String; 2], line: &str| {
        for (i, weight) in weights.iter().enumerate() {
            committee["members"][i]["weight"] = json!(weight);
        }
        write(&dir, "bad.json", &committee);
        root(&dir, &format!("--merge-same-keys {line}"))
    };
    merge([(most - 1).to_string(), "1".into()], "--threshold >=1/1")
        .expect(0, &[&most.to_string()]);
    merge([most.to_string(), "1".into()], "")
        .expect(2, &["members[1].weight", "members 0 to 1", "2^60"]);
    merge(["1".into(), "0".into()], "").expect(2, &["members[1].weight", "weight 0"]);
    // They are added before they are shifted, so that nothing more is lost.
    let odd = || ["3".to_owned(), "3".to_owned()];
    merge(odd(), "--weight-shift 1 --threshold >=1/1").expect(0, &["threshold 3 of 3"]);
    let wide = [(u128::MAX - 1).to_string(), "2".into()];
    merge(wide, "--weight-shift 80").expect(2, &["members[1].weight", "2^128"]);
}

/// Of BLS a key may also have several seats, and both ways are named.
#[test]
fn of_keys_that_add_up_both_ways_are_named() {
    let dir = fixture().scratch("merged-bls");
    let sample = "--scheme bls-bn254-min-sig --signers 4 --owners 3 --signing 4 --seed cli";
    run_in(&dir, &format!("sample {sample} --out .")).expect(0, &[]);
    run_in(&dir, "root committee.json").expect(2, &["--seats", "--merge-same-keys"]);
    run_in(&dir, "root committee.json --merge-same-keys --threshold >1/2")
        .expect(0, &["threshold 3 of 4", "member 3 has the same key as member 0"]);
}
