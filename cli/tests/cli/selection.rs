//! More signatures than slots, and what is checked first.

use std::path::Path;

use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, write};

/// Six members of the weights 1 to 6, of whom five sign: files in `dir`, and the signatures.
fn sample(dir: &Path, scheme: &str) -> Value {
    let line = format!("sample --scheme {scheme} --signers 6 --signing 5 --seed slots --out all");
    run_in(dir, &line).expect(0, &[]);
    let read = |name: &str| {
        let bytes = std::fs::read(dir.join("all").join(name)).unwrap();
        serde_json::from_slice::<Value>(&bytes).unwrap()
    };
    let mut committee = read("committee.json");
    for (i, member) in committee["members"].as_array_mut().unwrap().iter_mut().enumerate() {
        member["weight"] = json!(i + 1);
    }
    write(dir, "c.json", &committee);
    let signatures = read("signatures.json");
    write(dir, "s.json", &signatures);
    signatures
}

/// The signers, the heaviest first: the weight of a member is its number and one.
fn heaviest_first(signatures: &Value) -> Vec<u64> {
    let list = signatures["signatures"].as_array().unwrap();
    let mut members: Vec<_> = list.iter().map(|s| s["member"].as_u64().unwrap()).collect();
    members.sort_unstable_by(|a, b| b.cmp(a));
    members
}

fn sorted(members: &[u64]) -> Vec<u64> {
    let mut members = members.to_vec();
    members.sort_unstable();
    members
}

#[test]
fn the_heaviest_signers_are_checked_and_proven() {
    let dir = fixture().scratch("selection");
    let signatures = sample(&dir, "schnorr-babyjubjub");
    let signers = heaviest_first(&signatures);
    let weight: u64 = signers[..2].iter().map(|member| member + 1).sum();
    let files = format!("--committee c.json --signatures s.json --threshold {weight}");
    let (taken, left_out) = (sorted(&signers[..2]), sorted(&signers[2..]));
    let list = |members: &[u64]| members.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let said = format!("the heaviest, those of members {}, are used", list(&taken));
    let left = format!("left out: {}", list(&left_out));
    let check = format!("check {files} --slots 2");
    run_in(&dir, &check).expect(0, &["accepted", "more signatures than", &said, &left]);
    let report = run_in(&dir, &format!("{check} --json")).expect(0, &[]).json();
    assert_eq!((&report["taken"], &report["left_out"]), (&json!(taken), &json!(left_out)));
    let keygen = "keygen --scheme schnorr-babyjubjub --signers 6 --slots 2 --insecure-srs --out k";
    run_in(&dir, keygen).expect(0, &[]);
    let prove = format!("prove --keys k {files} --out p.json");
    run_in(&dir, &prove).expect(0, &[&said, &left]);
    let report = run_in(&dir, &format!("{prove} --force --json")).expect(0, &[]).json();
    assert_eq!((&report["taken"], &report["left_out"]), (&json!(taken), &json!(left_out)));
    run_in(&dir, &format!("verify --unchecked --keys k p.json --threshold {weight}"))
        .expect(0, &["accepted"]);
    // Enough of them as they are: all are taken, and nothing is said.
    let all: u64 = signers.iter().map(|member| member + 1).sum();
    let line = format!("check --committee c.json --signatures s.json --threshold {all} --json");
    let report = run_in(&dir, &line).expect(0, &[]).json();
    assert_eq!((&report["taken"], &report["left_out"]), (&json!(sorted(&signers)), &json!([])));
    // More than two of them weigh is no lie of the signers', but too much for the circuit.
    let line = format!("--committee c.json --signatures s.json --threshold {all}");
    let reason = ["the 2 heaviest of 5 signers weigh", "too few slots"];
    run_in(&dir, &format!("check {line} --slots 2")).expect(2, &reason);
    run_in(&dir, &format!("prove --keys k {line} --out q.json")).expect(2, &reason);
    assert!(!dir.join("q.json").exists());
}

/// A degree that no circuit fits: who looks for a layout first says so, and names nobody.
#[test]
fn signers_are_named_before_a_layout_is_searched_for() {
    let dir = fixture().scratch("before-layout");
    for scheme in ["schnorr-babyjubjub", "ecdsa-secp256k1", "ecdsa-p256", "schnorr-secp256k1"] {
        let dir = dir.join(scheme);
        std::fs::create_dir_all(&dir).unwrap();
        let signatures = sample(&dir, scheme);
        let check = |name: &str, edit: &dyn Fn(&mut Value), threshold: u64| {
            let mut signatures = signatures.clone();
            edit(&mut signatures);
            write(&dir, name, &signatures);
            let line = format!("check --committee c.json --signatures {name} --degree 4 --strict");
            run_in(&dir, &format!("{line} --threshold {threshold}"))
        };
        let signer = format!("member {}", signatures["signatures"][0]["member"]);
        check("good.json", &|_| (), 1).expect(2, &["does not fit 2^4 rows"]);
        let twice = |s: &mut Value| s["signatures"][1] = s["signatures"][0].clone();
        check("twice.json", &twice, 1).expect(1, &[&signer, "signs twice"]);
        let flip = |s: &mut Value| edit_hex(&mut s["signatures"][0]["signature"], |b| b[40] ^= 1);
        check("flip.json", &flip, 1).expect(1, &["rejected", &signer, "equation"]);
        check("weak.json", &|_| (), 22).expect(1, &["below the threshold 22"]);
        check("zero.json", &|_| (), 0).expect(1, &["threshold 0"]);
    }
}

#[test]
fn nobody_can_be_left_out_of_an_aggregate() {
    let dir = fixture().scratch("selection-aggregate");
    let line = "sample --scheme musig-babyjubjub --signers 6 --signing 5 --seed slots --out all";
    run_in(&dir, line).expect(0, &[]);
    let line = "check --committee all/committee.json --signatures all/signatures.json";
    run_in(&dir, &format!("{line} --threshold 2 --slots 2")).expect(2, &["5 signers", "2 slots"]);
    run_in(&dir, &format!("{line} --threshold 2")).expect(0, &["accepted"]);
}

/// Who signed together is named, though not who of them is at fault.
#[test]
fn a_bad_aggregate_names_its_signers() {
    let mut signatures = fixture().json("musig/signatures.json");
    let members = signatures["aggregate"]["members"].as_array().unwrap();
    let members: Vec<_> = members.iter().map(Value::to_string).collect();
    edit_hex(&mut signatures["message"], |bytes| bytes[31] ^= 1);
    let file = write(&fixture().scratch("aggregate"), "s.json", &signatures);
    let line = format!("check --committee musig/committee.json --signatures {file} --threshold 2");
    let said = format!("aggregate signature of members {}", members.join(", "));
    fixture().run(&line).expect(1, &["rejected", &said, "equation"]);
}
