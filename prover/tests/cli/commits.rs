//! A commit of CometBFT, from its validators' keys to a contract.

use muster_gadgets::signature::{
    cometbft::{BlockId, ChainId, Height, PartSet, Precommit, Round, TimedSignature, Timestamp},
    ed25519::{native::sign, SecretKey},
};
use serde_json::{json, Value};

use crate::support::{fixture, run_in, write};

const CHAIN: &str = "muster-test-1";
const HEIGHT: u64 = 20_082_941;
/// Validators, and those of them who sign the block; the next one votes for none, the others are absent.
const VALIDATORS: usize = 20;
const SIGNING: usize = 14;

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn secret_key(validator: usize) -> SecretKey {
    SecretKey::from_seed(&[validator as u8 + 1; 32])
}

/// Each by a clock of its own.
fn time(validator: usize) -> Timestamp {
    let nanos = [0, 1, 127, 128, 999_999_999][validator % 5];
    Timestamp::new(1_763_800_000 + validator as i64, nanos).unwrap()
}

fn precommit() -> Precommit {
    let parts = PartSet::new(1, [0x22; 32]).unwrap();
    Precommit {
        height: Height::new(HEIGHT).unwrap(),
        round: Round::new(0).unwrap(),
        block_id: BlockId { hash: [0x11; 32], parts },
        chain_id: ChainId::new(CHAIN).unwrap(),
    }
}

/// What a validator signs who saw no block: `CanonicalVote` without the field of the block.
fn nil_vote() -> Vec<u8> {
    let mut vote = vec![0x08, 2, 0x11];
    vote.extend(HEIGHT.to_le_bytes());
    vote.extend([0x2a, 0, 0x32, CHAIN.len() as u8]);
    vote.extend(CHAIN.bytes());
    [&[vote.len() as u8], &vote[..]].concat()
}

fn entry(validator: usize, signed: &[u8]) -> Value {
    let signature = sign(&secret_key(validator), signed).to_bytes();
    let timed = TimedSignature { signature, time: time(validator) };
    json!({ "member": validator, "signature": hex(&timed.to_bytes()) })
}

#[test]
#[ignore = "slow: a proof of 14 precommits"]
fn a_commit_is_proven_to_a_contract() {
    let dir = fixture().scratch("commit");
    let run = |line: &str| run_in(&dir, line);
    let power =
        |validator: usize| if validator < SIGNING { 1_000_000 + validator } else { 900_000 };
    let members: Vec<_> = (0..VALIDATORS)
        .map(|i| json!({ "public_key": hex(&secret_key(i).public_key().to_bytes()), "weight": power(i) }))
        .collect();
    write(&dir, "committee.json", &json!({ "scheme": "ed25519", "members": members }));
    let shared = precommit();
    let mut signatures: Vec<_> =
        (0..SIGNING).map(|i| entry(i, &shared.signed_bytes(&time(i)))).collect();
    let file = |signatures: &[Value]| json!({ "message": hex(&shared.encode()), "signatures": signatures });
    write(&dir, "commit.json", &file(&signatures));
    signatures.push(entry(SIGNING, &nil_vote()));
    write(&dir, "nil.json", &file(&signatures));

    let form = "--message-form cometbft-precommit --on-chain";
    let of = "--committee committee.json --threshold >2/3 --signatures";
    let nil = format!("member {SIGNING}");
    run(&format!("check {of} nil.json {form} --slots 14")).expect(1, &[&nil, "equation"]);
    let keys = "keygen --scheme ed25519 --signers 20 --slots 14 --insecure-srs --out keys";
    run(&format!("{keys} {form}")).expect(0, &["cometbft-precommit"]);
    run(&format!("prove --keys keys {of} commit.json --transcript keccak --out proof.json"))
        .expect(0, &[]);
    let encoded = hex(&shared.encode());
    run(&format!("verify --keys keys proof.json --message {encoded}")).expect(0, &[]);
    // Fails unless the contract takes the proof, where there is a compiler.
    let export = run("export-verifier --keys keys --proof proof.json --out out --json");
    let report = export.expect(0, &[]).json();
    eprintln!("gas: {}", report["gas"]);
}
