//! What is accepted, and what the output says of it.

use std::fs;

use muster_testing::sampled;

use crate::support::{fixture, keys_and_proof, write, KINDS};

#[test]
fn every_scheme_passes_the_check() {
    for scheme in ["schnorr", "eddsa", "musig"] {
        let all = ["", "--slots 3", "--mode path --arity 2", "--mode whole-set"];
        for options in sampled(all, 2) {
            // The signature of musig is bound to the root, hence to the arity.
            if scheme == "musig" && options.contains("arity") {
                continue;
            }
            let line = format!(
                "check --committee {scheme}/committee.json --signatures {scheme}/signatures.json \
                 --threshold 2 {options} --json"
            );
            let run = fixture().run(&line).expect(0, &[]);
            assert_eq!(run.json()["accepted"], true, "{line}");
        }
    }
}

#[test]
fn signatures_are_checked_without_a_circuit() {
    for scheme in ["schnorr", "eddsa", "musig"] {
        let files =
            format!("--committee {scheme}/committee.json --signatures {scheme}/signatures.json");
        let check = |options: &str| fixture().run(&format!("check --native {files} {options}"));
        let run = check("--threshold 2");
        let run = run.expect(0, &["accepted: 2 signers of 4", "no circuit was filled"]);
        assert!(!run.stdout.contains("every constraint holds"), "{run:?}");
        let report = check("--threshold 2 --json").expect(0, &[]).json();
        assert_eq!((&report["accepted"], &report["native"]), (&true.into(), &true.into()));
        assert!(report.get("shape").is_none(), "{report}");
        let filled = fixture().run(&format!("check {files} --threshold 2 --json")).json();
        assert_eq!(filled["native"], false);
        assert_eq!(report["key_set_root"], filled["key_set_root"]);
        // The same verdicts, and no choice that only a circuit has.
        check("--threshold 3").expect(1, &["the signers weigh 2, below the threshold 3"]);
        for option in ["--slots 2", "--absent 2", "--mode path", "--degree 14"] {
            check(&format!("--threshold 2 {option}")).expect(2, &["cannot be used with"]);
        }
    }
}

#[test]
fn weights_count() {
    let dir = fixture().scratch("weights");
    let mut committee = fixture().json("schnorr/committee.json");
    let members = committee["members"].as_array_mut().unwrap();
    members.iter_mut().for_each(|member| member["weight"] = 7.into());
    let committee = write(&dir, "c.json", &committee);
    let line = format!("check --committee {committee} --signatures schnorr/signatures.json");
    fixture().run(&format!("{line} --threshold 14")).expect(0, &["accepted"]);
    fixture().run(&format!("{line} --threshold 15")).expect(1, &["the signers weigh 14"]);
}

#[test]
fn proofs_of_every_kind_are_accepted() {
    let root = fixture().run("root schnorr/committee.json --keys keys --json").expect(0, &[]);
    let root = root.json()["key_set_root"].as_str().unwrap().to_owned();
    let message = fixture().json("schnorr/signatures.json")["message"].clone();
    let message = message.as_str().unwrap();
    for kind in KINDS {
        let (keys, proof) = keys_and_proof(kind);
        let line =
            format!("verify --keys {keys} {proof} --threshold 2 --root {root} --message {message}");
        let run = fixture().run(&line).expect(0, &["accepted", &root, message, "INSECURE"]);
        assert!(!run.stderr.contains("compare what"), "everything was: {run:?}");
    }
    let again = write(&fixture().scratch("again"), "proof.json", &fixture().json("fast.json"));
    let run = fixture().run(&format!("verify --unchecked --json --keys keys fast.json {again}"));
    let run = run.expect(0, &[]).json();
    assert_eq!(run["proofs"].as_array().unwrap().len(), 2);
    assert_eq!(run["proofs"][0]["kind"], "fast");
    assert_eq!(run["proofs"][1]["threshold"], 2);
    assert_eq!(run["not_compared"], serde_json::json!(["--root", "--threshold", "--message"]));
    assert_eq!(run["srs"]["insecure"], true);
    assert_eq!(fixture().json("fast.json")["srs"]["insecure"], true);
}

#[test]
fn verifiers_need_neither_srs_nor_proving_key() {
    let dir = fixture().scratch("verifier");
    for name in ["shape.json", "verifying.key"] {
        fs::copy(fixture().dir.join("keys").join(name), dir.join(name)).unwrap();
    }
    fixture().run(&format!("verify --unchecked --keys {} fast.json", dir.display())).expect(0, &[]);
}

#[test]
fn a_smaller_threshold_and_fewer_signatures_go_with_the_same_keys() {
    let dir = fixture().scratch("fewer");
    let mut signatures = fixture().json("schnorr/signatures.json");
    signatures["signatures"].as_array_mut().unwrap().remove(0);
    let signatures = write(&dir, "s.json", &signatures);
    let line = format!(
        "prove --keys keys --committee schnorr/committee.json --signatures {signatures} \
         --threshold 1 --out {0}/p.json",
        dir.display()
    );
    fixture().run(&line).expect(0, &[]);
    fixture()
        .run(&format!("verify --unchecked --keys keys {0}/p.json --threshold 1", dir.display()))
        .expect(0, &[]);
}

#[test]
fn the_demo_tells_what_it_proved() {
    let line = "demo --signers 4 --signing 2";
    fixture().run(line).expect(0, &["at least 2 of the 4 members", "prove", "INSECURE"]);
    let run = fixture().run(&format!("--json {line}")).expect(0, &[]).json();
    assert_eq!(run["accepted"], true);
    assert!(run["proof_bytes"].as_u64().unwrap() > 0);
}

#[test]
fn schemes_and_help() {
    let run = fixture().run("schemes --json").expect(0, &[]).json();
    let schemes = run["schemes"].as_array().unwrap();
    assert_eq!(schemes.len(), 11);
    // What the schemes say of themselves; that it is what they do is tested beside them.
    for (name, key, said) in [
        ("musig-babyjubjub", "equation", "muster.keylist.v1"),
        ("musig-babyjubjub", "equation", "muster.keyagg.v1"),
        ("ecdsa-secp256k1", "signature", "0 to 3 or 27 to 30"),
        ("eddsa-babyjubjub", "signatures_made_elsewhere", "no tag"),
        ("bls-bls12-381", "equation", "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"),
        ("bls-bls12-381-min-sig", "equation", "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_"),
        ("bls-bn254", "message", "verifies hash the message"),
        ("bls-bn254-min-sig", "equation", "BLS_SIG_BN254G1_XMD:SHA-256_SVDW_RO_POP_"),
    ] {
        let scheme = schemes.iter().find(|scheme| scheme["name"] == name).unwrap();
        assert!(scheme[key].as_str().unwrap().contains(said), "{name}: {scheme}");
    }
    fixture().run("schemes").expect(0, &["0 to 3 or 27 to 30", "between -255 and 255"]);
    fixture().run("--help").expect(0, &["Exit status"]);
    for command in [
        "demo",
        "schemes",
        "sample",
        "root",
        "check",
        "keygen",
        "prove",
        "verify",
        "verify-key",
        "srs",
        "message",
        "batch",
        "handover",
        "calldata",
    ] {
        fixture().run(&format!("{command} --help")).expect(0, &["Usage", "Example"]);
    }
    fixture().run("srs import --help").expect(0, &["Usage"]);
    fixture().run("import cometbft --help").expect(0, &["Usage", "Example"]);
}

#[test]
fn wrong_usage_is_exit_status_2() {
    let check = "check --committee schnorr/committee.json --signatures schnorr/signatures.json";
    let keygen = "keygen --scheme schnorr-babyjubjub --insecure-srs --out x";
    for line in [
        "".to_owned(),
        "nonsense".to_owned(),
        "verify --keys keys".to_owned(),
        "sample --scheme rsa --signers 4 --signing 2 --out x".to_owned(),
        "sample --scheme schnorr-babyjubjub --signers 99999999999 --signing 2 --out x".to_owned(),
        format!("{keygen} --signers 0 --slots 2"),
        format!("{keygen} --signers 18446744073709551615 --slots 2"),
        format!("{keygen} --signers 4294967296 --slots 2 --mode whole-set"),
        format!("{keygen} --signers 4 --slots 18446744073709551615"),
        format!("{keygen} --signers 4 --slots 2 --degree 4294967295"),
        format!("{check} --threshold x"),
        format!("{check} --threshold -1"),
        format!("{check} --threshold 2 --arity 3"),
        format!("{check} --threshold 2 --depth 33"),
        format!("{check} --threshold 2 --degree 4"),
        format!("{check} --threshold 2 --slots 0"),
        format!("{check} --threshold 2 --mode best"),
    ] {
        fixture().run(&line).expect(2, &[]);
    }
}
