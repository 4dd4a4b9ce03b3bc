//! BLS: keys that come with proofs of possession, and one signature by all signers.

use std::path::{Path, PathBuf};

use muster_testing::sampled;
use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, write, Run};

const SAMPLE: &str = "sample --scheme bls-bls12-381 --signers 4 --signing 2 --seed cli --out .";
/// Bytes of a key, without the proof behind it.
const KEY: usize = 48;

/// Four members, of whom two have signed.
fn sample(name: &str) -> PathBuf {
    let dir = fixture().scratch(name);
    run_in(&dir, SAMPLE).expect(0, &["2 of them signed"]);
    let committee = edited(&dir, "committee.json", |committee| {
        for member in committee["members"].as_array_mut().unwrap() {
            edit_hex(&mut member["public_key"], |bytes| bytes.truncate(KEY));
        }
    });
    write(&dir, "bare.json", &committee);
    dir
}

fn edited(dir: &Path, name: &str, edit: impl FnOnce(&mut Value)) -> Value {
    let mut value = serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap());
    edit(value.as_mut().unwrap());
    value.unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn root(dir: &Path, options: &str) -> String {
    run_in(dir, &format!("root {options}")).expect(0, &[]).stdout.trim().to_owned()
}

/// By paths with all slots used, and from the whole set with one that is not.
#[test]
fn two_of_four_are_proven() {
    let dir = sample("bls");
    let cases = [
        ("path", 2, "trusted-keys", "bare.json", "committee.json"),
        ("whole-set", 3, "proven-keys", "committee.json", "bare.json"),
    ];
    for (mode, slots, rule, own, other) in sampled(cases, 2) {
        let run = |line: &str| run_in(&dir, line);
        let keys = format!("--scheme bls-bls12-381 --signers 4 --slots {slots} --rule {rule}");
        run(&format!("keygen {keys} --mode {mode} --insecure-srs --out {mode}"))
            .expect(0, &[rule, mode]);
        let shape = edited(&dir, &format!("{mode}/shape.json"), |_| {});
        assert_eq!(shape["shape"]["rule"], rule);
        let proof = format!("{mode}.json");
        let prove = |committee: &str| {
            let files = format!("--committee {committee} --signatures signatures.json");
            run(&format!("prove --keys {mode} {files} --threshold 2 --out {proof}"))
        };
        // Both hold the same keys, but one of them without proofs.
        let (is_trusted, named) = (rule == "trusted-keys", ["bare.json", "proof of possession"]);
        if !is_trusted {
            prove(other).expect(2, &named);
        }
        prove(own).expect(0, &[]);
        assert_eq!(root(&dir, &format!("{own} --keys {mode}")), root(&dir, "committee.json"));
        verdicts(&dir, mode, &proof);
    }
}

/// What a proof is accepted for.
fn verdicts(dir: &Path, keys: &str, proof: &str) {
    let run = |expected: &str| run_in(dir, &format!("verify --keys {keys} {proof} {expected}"));
    let root = root(dir, "committee.json");
    let mut message = edited(dir, "signatures.json", |_| {})["message"].take();
    let signed = format!("--message {} --root {root}", text(&message));
    let compared = run(&format!("{signed} --threshold 2")).expect(0, &["accepted", &root]);
    assert!(!compared.stderr.contains("compare"), "{compared:?}");
    run(&format!("{signed} --threshold 1")).expect(1, &["threshold"]);
    edit_hex(&mut message, |bytes| bytes[31] ^= 1);
    let other = format!("--message {} --root {root} --threshold 2", text(&message));
    run(&other).expect(1, &["message"]);
}

#[test]
fn keys_that_a_set_refuses_are_named() {
    let dir = sample("bls-keys");
    let refused = |file: &str, member: usize, edit: &dyn Fn(&mut Vec<u8>), reason: &str| {
        let committee = edited(&dir, file, |committee| {
            edit_hex(&mut committee["members"][member]["public_key"], edit);
        });
        write(&dir, "bad.json", &committee);
        let at = format!("members[{member}].public_key");
        let rule = if file == "bare.json" { "trusted-keys" } else { "proven-keys" };
        for command in ["root bad.json", "check --signatures signatures.json --threshold 2"] {
            let committee = if command == "root bad.json" { "" } else { "--committee bad.json" };
            let line = format!("{command} {committee} --rule {rule}");
            run_in(&dir, &line).expect(2, &["bad.json", &at, reason]);
        }
    };
    let members = edited(&dir, "committee.json", |_| {})["members"].take();
    let other = hex::decode(&text(&members[2]["public_key"])[2..]).unwrap();
    // No proof, that of another member, one in which a byte is other, and no signature at all.
    let proven = "committee.json";
    refused(proven, 1, &|key| key.truncate(KEY), "without a proof of possession");
    let not_its = "the proof of possession is not for this key";
    refused(proven, 1, &|key| key[KEY..].copy_from_slice(&other[KEY..]), not_its);
    refused(proven, 3, &|key| key[KEY + 95] ^= 1, not_its);
    refused(proven, 3, &|key| key[KEY..].fill(0), not_its);
    refused(proven, 0, &|key| key.truncate(143), "expected 144 bytes, found 143");
    // A proof that is there has to be good under the other rule, too.
    let append = |key: &mut Vec<u8>| key.extend(&other[KEY..]);
    refused("bare.json", 1, &append, not_its);
    for file in [proven, "bare.json"] {
        refused(file, 1, &|key| point(key, 0x80, 0), "not in the subgroup");
        refused(file, 2, &|key| point(key, 0x80, 1), "not the encoding of a point");
        refused(file, 2, &|key| point(key, 0xc0, 0), "the point is the identity");
    }
    let twice = "members 0 and 1 have the same key";
    let first = hex::decode(&text(&members[0]["public_key"])[2..]).unwrap();
    refused(proven, 1, &|key| key.copy_from_slice(&first), twice);
    refused("bare.json", 1, &|key| key.copy_from_slice(&first[..KEY]), twice);
    // Once without its proof.
    refused("bare.json", 1, &|key| key.clone_from(&first), twice);
}

/// A compressed point with a small x: that with x = 0 has order 3.
fn point(key: &mut [u8], flags: u8, x: u8) {
    key[..KEY].fill(0);
    (key[0], key[KEY - 1]) = (flags, x);
}

#[test]
#[ignore = "slow: proofs of BLS"]
fn keys_without_proofs_are_for_those_who_trust_them() {
    let dir = sample("bls-trusted");
    let run = |line: &str| run_in(&dir, line);
    let check = "check --signatures signatures.json --threshold 2 --json --committee";
    let named = ["bare.json: members[0].public_key", "proven-keys", "proof of possession"];
    for command in ["root".to_owned(), check.to_owned()] {
        // The default, and by its name.
        run(&format!("{command} bare.json --rule proven-keys")).expect(2, &named);
    }
    run(&format!("{check} bare.json")).expect(2, &named);
    for committee in ["bare.json", "committee.json"] {
        let report = run(&format!("{check} {committee} --rule trusted-keys")).expect(0, &[]).json();
        assert_eq!(report["shape"]["rule"], "trusted-keys");
        assert_eq!(
            root(&dir, &format!("{committee} --rule trusted-keys")),
            root(&dir, "committee.json")
        );
    }
    // What is taken on trust is said where a set is committed to, and beside what is printed for programs.
    let risk = "warning: keys are accepted without proofs of possession";
    let said = run("root bare.json --rule trusted-keys --json").expect(0, &[risk]);
    assert!(said.stderr.contains(risk) && said.json()["key_set_root"].is_string());
    assert!(!run("root committee.json").expect(0, &[]).stderr.contains(risk));
    run("schemes").expect(0, &["144 bytes", "--rule trusted-keys", "--rule proven-keys, the def"]);
    run("root committee.json --rule strict").expect(2, &["--rule", "strict"]);
    run(&format!("{check} committee.json --rule zip215")).expect(2, &["--rule", "zip215"]);
}

fn check(dir: &Path, options: &str, edit: impl FnOnce(&mut Value)) -> Run {
    write(dir, "bad.json", &edited(dir, "signatures.json", edit));
    let files = "--committee committee.json --signatures bad.json";
    run_in(dir, &format!("check {files} {options}"))
}

#[test]
fn signatures_are_by_all_who_are_named_and_no_others() {
    let dir = sample("bls-signers");
    let signed = edited(&dir, "signatures.json", |_| {});
    let members = &signed["aggregate"]["members"];
    let signers: Vec<_> = [0, 1].map(|i| members[i].as_u64().unwrap()).into();
    let idle = (0..4).find(|member| !signers.contains(member)).unwrap();
    let check = |members: &[u64], threshold: usize| {
        let options = format!("--native --threshold {threshold}");
        check(&dir, &options, |signed| signed["aggregate"]["members"] = json!(members))
    };
    check(&signers, 2).expect(0, &["accepted: 2 signers of 4"]);
    let broken = ["rejected", "aggregate signature of members", "equation"];
    // One is named who did not sign, one who signed is not named, and one is named for another.
    check(&[signers[0], signers[1], idle], 3).expect(1, &broken);
    check(&signers[..1], 1).expect(1, &broken);
    check(&[signers[0], idle], 2).expect(1, &broken);
    check(&[signers[0], signers[0]], 2).expect(1, &["signs twice"]);
    check(&[signers[0], 4], 2).expect(1, &["signer 4 is not in the set of 4 members"]);
    check(&[], 1).expect(1, &["rejected", "weigh 0, below the threshold 1"]);
    check(&signers, 3).expect(1, &["weigh 2, below the threshold 3"]);
}

#[test]
fn bad_signatures_of_bls() {
    let dir = sample("bls-signatures");
    let signature = |edit: &dyn Fn(&mut Vec<u8>)| {
        check(&dir, "--threshold 2", |signed| edit_hex(&mut signed["aggregate"]["signature"], edit))
    };
    let at = "aggregate.signature: all signers";
    signature(&|bytes| bytes[0] ^= 0x20).expect(1, &["rejected", "equation"]);
    signature(&|bytes| bytes.fill(0)).expect(1, &[at, "not the encoding of a point"]);
    let of_small_x = |flags: u8, x: u8| {
        signature(&|bytes| {
            bytes.fill(0);
            (bytes[0], bytes[95]) = (flags, x);
        })
    };
    of_small_x(0xc0, 0).expect(1, &[at, "the point is the identity"]);
    of_small_x(0x80, 2).expect(1, &[at, "not in the subgroup"]);
    let length = "aggregate.signature: expected 96 bytes, found 95";
    signature(&|bytes| bytes.truncate(95)).expect(2, &[length]);
    let change = |options: &str, edit: fn(&mut Value)| check(&dir, options, edit);
    change("--threshold 2", |signed| edit_hex(&mut signed["message"], |bytes| bytes[0] ^= 1))
        .expect(1, &["rejected", "equation"]);
    change("--threshold 2", |signed| edit_hex(&mut signed["message"], |bytes| bytes.push(0)))
        .expect(2, &["a message of 33 bytes", "have 32"]);
    // A sum has no parts that could be left out.
    change("--threshold 1 --slots 1", |_| {}).expect(2, &["2 signers", "only 1 slot"]);
    // The file of another scheme, with its name and without it, and one with a signature of each.
    let mut musig = fixture().json("musig/signatures.json");
    let mut crossed = |scheme: &Value| {
        musig["scheme"] = scheme.clone();
        write(&dir, "musig.json", &musig);
        run_in(&dir, "check --committee committee.json --signatures musig.json --threshold 2")
    };
    crossed(&json!("musig-babyjubjub")).expect(2, &["musig.json", "scheme", "bls-bls12-381"]);
    crossed(&json!(null)).expect(2, &["musig.json", "expected 96 bytes, found 64"]);
    change("--threshold 2", |signed| {
        let aggregate = signed.as_object_mut().unwrap().remove("aggregate").unwrap();
        let entry = json!({ "member": 0, "signature": aggregate["signature"] });
        signed["signatures"] = json!([entry]);
    })
    .expect(2, &["bad.json", "aggregate"]);
}

/// Two members whose keys are opposite add nothing to a sum, so nobody signs with them alone.
#[test]
fn keys_that_cancel_sign_nothing() {
    let dir = sample("bls-opposite");
    let committee = edited(&dir, "bare.json", |committee| {
        committee["members"][1] = committee["members"][0].clone();
        edit_hex(&mut committee["members"][1]["public_key"], |key| key[0] ^= 0x20);
    });
    write(&dir, "opposite.json", &committee);
    let signed =
        edited(&dir, "signatures.json", |signed| signed["aggregate"]["members"] = json!([0, 1]));
    write(&dir, "signed.json", &signed);
    let files = "--committee opposite.json --signatures signed.json";
    run_in(&dir, &format!("check {files} --threshold 2 --rule trusted-keys"))
        .expect(1, &["rejected: aggregate key", "identity"]);
}
