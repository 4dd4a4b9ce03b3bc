//! A commit, from the answers of a node to a contract.

use muster_schemes::signature::{cometbft::TimedSignature, ed25519::native::sign};
use serde_json::json;

use super::{
    commit, nil_vote, precommit, secret_key, time, validators, ABSENT, FOR_NONE, FOR_THE_BLOCK,
};
use crate::support::{fixture, run_in, write};

/// Validators, and those of them who sign the block; the next one votes for none, the others are absent.
const VALIDATORS: usize = 20;
const SIGNING: usize = 14;

#[test]
#[ignore = "slow: a proof of 14 precommits"]
fn a_commit_is_proven_to_a_contract() {
    let dir = fixture().scratch("commit");
    let run = |line: &str| run_in(&dir, line);
    let power = |i: usize| if i < SIGNING { 1_000_000 + i as u64 } else { 900_000 };
    let powers: Vec<_> = (0..VALIDATORS).map(power).collect();
    let flag = |i: usize| match i {
        SIGNING => FOR_NONE,
        _ if i < SIGNING => FOR_THE_BLOCK,
        _ => ABSENT,
    };
    let flags: Vec<_> = (0..VALIDATORS).map(flag).collect();
    write(&dir, "commit.json", &commit(&flags, &powers));
    write(&dir, "validators.json", &validators(&powers));
    run("import cometbft --commit commit.json --validators validators.json --out .")
        .expect(0, &[&format!("member {SIGNING} (")]);
    // A vote for none is no signature, whoever brings it.
    let signatures = std::fs::read_to_string(dir.join("signatures.json")).unwrap();
    let mut signatures: serde_json::Value = serde_json::from_str(&signatures).unwrap();
    let signature = sign(&secret_key(SIGNING), &nil_vote(&time(SIGNING).1)).to_bytes();
    let timed = TimedSignature { signature, time: time(SIGNING).1 }.to_bytes();
    let entry = json!({ "member": SIGNING, "signature": format!("0x{}", hex::encode(timed)) });
    signatures["signatures"].as_array_mut().unwrap().push(entry);
    write(&dir, "nil.json", &signatures);

    let form = "--message-form cometbft-precommit";
    let of = "--committee committee.json --threshold >2/3 --signatures";
    let nil = format!("member {SIGNING}");
    run(&format!("check {of} nil.json {form} --slots 14"))
        .expect(0, &["accepted: 14 signers", "dropped: nil.json", &nil, "equation"]);
    let keys =
        "keygen --scheme ed25519 --signers 20 --slots 14 --kind compact --insecure-srs --out keys";
    run(&format!("{keys} {form}")).expect(0, &["cometbft-precommit"]);
    run(&format!("prove --keys keys {of} signatures.json --out proof.json")).expect(0, &[]);
    run("verify --unchecked --keys keys proof.json --precommit message.json").expect(0, &[]);
    let digest = hex::encode(precommit(&powers).digest());
    run(&format!("verify --unchecked --keys keys proof.json --digest 0x{digest}")).expect(0, &[]);
    // Fails unless the contract takes the proof.
    let export = run("export-key --keys keys --evm --proof proof.json --out out --json");
    let report = export.expect(0, &[]).json();
    eprintln!("gas: {}", report["proof"]["gas"]);
}
