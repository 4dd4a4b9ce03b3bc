//! Keys and proofs of the format compact, on the smallest circuit.

use std::fs;

use muster_evm::verifier::register;
use muster_verifier::Key;

use crate::support::{compact, edit_hex, fixture, names, write, SIGNED};

fn hex_of(value: &serde_json::Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap().strip_prefix("0x").unwrap()).unwrap()
}

#[test]
fn a_proof_is_made_and_verified() {
    let dir = compact().display();
    let verify = format!("verify --unchecked --keys {dir}/keys {dir}/proof.json --threshold 2");
    fixture().run(&verify).expect(0, &["accepted"]);
    fixture().run(&verify.replace("--threshold 2", "--threshold 1")).expect(1, &["threshold"]);
    fixture()
        .run(&format!("verify-key --keys {dir}/keys"))
        .expect(0, &["accepted", "name in contracts"]);
    // A proof is for the keys that it was made with, and they say the format.
    let refused = fixture().run(&format!("verify --unchecked --keys keys {dir}/proof.json"));
    refused.expect(1, &["verifying key"]);
    let line = format!("prove --keys keys {SIGNED} --kind compact --out other.json");
    fixture().run(&line).expect(2, &["--kind"]);
}

/// Bases of packs are made once on a machine, and this is said.
#[test]
fn bases_are_made_once() {
    let (dir, out) = (compact().display(), fixture().scratch("compact-again"));
    let line = format!("prove --keys {dir}/keys {SIGNED} --out {}/proof.json", out.display());
    let again = fixture().run(&line).expect(0, &["proving in about"]);
    assert!(!again.stderr.contains("making bases"), "{again:?}");
}

#[test]
fn many_are_proven() {
    let (dir, many) = (compact().display(), fixture().scratch("compact-many"));
    for folder in ["a", "b"] {
        let folder = many.join("signed").join(folder);
        fs::create_dir_all(&folder).unwrap();
        let from = fixture().dir.join("schnorr/signatures.json");
        fs::copy(from, folder.join("signatures.json")).unwrap();
    }
    let line = format!(
        "prove --keys {dir}/keys --batch {0}/signed --committee schnorr/committee.json --threshold 2 --out {0}/proofs",
        many.display()
    );
    fixture().run(&line).expect(0, &["2 proofs in", "compact"]);
    assert_eq!(names(&many.join("proofs")), ["a.json", "b.json"]);
    fixture().run(&format!("{line} --resume")).expect(0, &["2 already existed"]);
    let line = format!(
        "verify --unchecked --keys {dir}/keys --threshold 2 {0}/a.json {0}/b.json",
        many.join("proofs").display()
    );
    fixture().run(&line).expect(0, &["accepted"]);
}

#[test]
fn the_demo_takes_a_proof_to_a_chain() {
    let line = "demo --kind compact --signers 3 --signing 2";
    fixture().run(line).expect(0, &["accepted by an EVM", "a proof of 1440 B"]);
}

#[test]
fn contracts_are_given_a_key_and_a_proof() {
    let (dir, out) = (compact().display(), fixture().scratch("compact-evm"));
    let line = format!("export-key --keys {dir}/keys --evm --out {0}", out.display());
    fixture().run(&line).expect(0, &["INSECURE", "name in contracts"]);
    assert_eq!(names(&out), ["evm-key.json"]);
    let line = format!("{line} --proof {dir}/proof.json");
    fixture().run(&line).expect(2, &["already exists"]);
    let json = fixture().run(&format!("{line} --force --json")).expect(0, &[]).json();
    assert_eq!(names(&out), ["evm-key.json", "evm-proof.json"]);
    let key = Key::read(&fs::read(compact().join("keys/verifying.key")).unwrap()).unwrap();
    let evm_key = key.as_compact().unwrap().evm_key();
    assert_eq!(hex_of(&json["key"]["key"]), evm_key.as_bytes());
    assert_eq!(hex_of(&json["key"]["name"]), evm_key.name());
    assert_eq!(hex_of(&json["key"]["register"]), register(evm_key.as_bytes()));
    let proof = hex_of(&json["proof"]["proof"]);
    let inputs = json["proof"]["public_inputs"].as_array().unwrap();
    let inputs: Vec<[u8; 32]> = inputs.iter().map(|it| hex_of(it).try_into().unwrap()).collect();
    assert_eq!(key.verify(&inputs, &proof), Ok(()));
    let calldata = hex_of(&json["proof"]["calldata"]);
    assert_eq!(
        (&calldata[..4], &calldata[4..36]),
        (&[0x41, 0x49, 0x3c, 0x60][..], &evm_key.name()[..])
    );
    assert!(calldata.windows(proof.len()).any(|part| part == proof));
    assert!(json["proof"]["gas"].as_u64().unwrap() < 245_000);

    fixture().run("export-key --keys keys --evm --out none").expect(2, &["--kind compact"]);
    fixture().run(&format!("export-key --keys {dir}/keys --out none")).expect(2, &["--evm"]);
    let line = format!("export-key --keys {dir}/keys --evm --proof fast.json --out none");
    fixture().run(&line).expect(2, &["fast.json: kind: fast", "prove again"]);
    let bad = write(&out, "bad.json", &{
        let mut proof = fixture().json("scratch/compact/proof.json");
        edit_hex(&mut proof["proof"], |bytes| bytes[40] ^= 1);
        proof
    });
    let line = format!("export-key --keys {dir}/keys --evm --proof {bad} --out none");
    fixture().run(&line).expect(1, &["rejected", "bad.json"]);
}

#[test]
fn the_stride_may_be_chosen() {
    let out = fixture().scratch("compact-stride");
    let keygen = "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --insecure-srs";
    let line = format!("{keygen} --kind compact --stride 7 --json --out {}/keys", out.display());
    let json = fixture().run(&line).expect(0, &[]).json();
    assert_eq!((&json["packs"]["stride"], &json["kind"]), (&7.into(), &"compact".into()));
    assert!(json["plan_s"].is_f64() && json["keygen_s"].is_f64(), "{json}");
    fixture().run(&format!("{keygen} --stride 7 --out none")).expect(2, &["--stride"]);
    fixture()
        .run(&format!("{keygen} --kind compact --stride 0 --out none"))
        .expect(2, &["--stride"]);
}

/// Circuits that differ in what is public, how it is hashed and where members stand: the contract takes a proof of each.
#[test]
#[ignore = "slow: proofs of twenty circuits"]
fn the_contract_takes_unusual_shapes() {
    let small = [
        "--signers 1 --signing 1 --depth 20",
        "--signers 3 --signing 2 --mask",
        "--signers 300 --signing 2 --mask --mode path",
        "--signers 5 --signing 5 --arity 2 --mode whole-set",
        "--signers 40 --signing 1 --arity 16 --depth 5 --mode path",
        "--signers 3 --signing 2 --frost 2/3",
        "--signers 3 --signing 2 --degree 13",
        "--scheme musig-babyjubjub --signers 3 --signing 3",
        "--scheme eddsa-babyjubjub --signers 3 --signing 2 --mask",
        "--scheme ecdsa-secp256k1 --signers 2 --signing 1 --rule any-s",
        "--scheme ecdsa-secp256k1 --signers 2 --signing 1 --keys address --mask",
        "--scheme ecdsa-p256 --signers 2 --signing 1 --mask",
        "--scheme schnorr-secp256k1 --signers 2 --signing 1",
        "--scheme ed25519 --signers 2 --signing 1 --message-form bytes:64",
        "--scheme ed25519 --signers 2 --signing 1 --message-form sha256:200 --rule strict",
        "--scheme ed25519 --signers 2 --signing 1 --message-form cometbft-precommit --mask",
        "--scheme bls-bls12-381 --signers 3 --signing 2 --message-point",
        "--scheme bls-bls12-381-min-sig --signers 3 --signing 2 --message-form sha256:100 --hash nul",
        "--scheme bls-bn254 --signers 3 --signing 3 --mask",
        "--scheme bls-bn254-min-sig --signers 3 --signing 2 --hash try-and-increment:8",
    ];
    for line in small {
        let run = fixture().run(&format!("demo --kind compact --json {line}"));
        let demo = run.expect(0, &[]).json();
        assert_eq!(demo["contract"]["accepted"], true, "{line}: {demo}");
        let gas = demo["contract"]["gas"].as_u64().unwrap();
        println!("{gas} gas: {line}");
    }
}
