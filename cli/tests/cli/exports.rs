//! `muster export-verifier`.

use std::fs;

use muster_prover::{encoding::to_hex, VerifierKey};
use serde_json::json;

use crate::support::{edit_hex, fixture, names, write};

const SOURCES: [&str; 4] =
    ["Halo2Verifier.sol", "IMusterVerifier.sol", "MusterVerifier.sol", "manifest.json"];
const CODE: [&str; 2] = ["Halo2Verifier.bin", "Halo2Verifier.runtime.bin"];
const FIXTURES: [&str; 3] = ["ProofFixture.sol", "fixture.json", "fixture.ts"];

#[test]
fn writes_a_contract_and_what_belongs_to_it() {
    let fixture = fixture();
    let out = fixture.scratch("export").join("new");
    let line =
        format!("export-verifier --keys keys --proof halo2.json --out {} --json", out.display());
    let run = fixture.run(&line).expect(0, &["INSECURE"]);
    let report = run.json();
    let found = names(&out);
    // Whether there is a compiler here is not ours to say.
    let code: &[&str] = if report["bytecode"].is_null() { &[] } else { &CODE };
    let mut expected = [&SOURCES[..], code, &FIXTURES].concat();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(report["bytecode"].is_null(), run.stderr.contains("no solc 0.8.19"));
    assert_eq!(report["bytecode"].is_null(), report["gas"].is_null());
    assert_eq!(report["srs"]["insecure"], true);
    let proof = fixture.json("halo2.json");
    // Contracts have a name of their own for the key.
    let key = VerifierKey::load(&fixture.dir.join("keys")).unwrap();
    let digest = to_hex(&key.contract_digest());
    assert_eq!(report["vk_digest"], digest);
    assert_ne!(report["vk_digest"], proof["vk_digest"]);
    let written: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("fixture.json")).unwrap()).unwrap();
    assert_eq!(written["public_inputs"], proof["public_inputs"]);
    assert_eq!(written["proof"], proof["proof"]);
    let source = fs::read_to_string(out.join("Halo2Verifier.sol")).unwrap();
    assert!(source.contains("INSECURE") && source.contains(&digest));
    let wrapper = fs::read_to_string(out.join("MusterVerifier.sol")).unwrap();
    assert!(wrapper.contains("\"./IMusterVerifier.sol\""));
}

#[test]
fn replaces_nothing_unless_told() {
    let fixture = fixture();
    let out = fixture.scratch("export-twice");
    let line = format!("export-verifier --keys keys --out {}", out.display());
    fixture.run(&line).expect(0, &["proof"]);
    let found = names(&out);
    assert!(FIXTURES.iter().all(|name| !found.contains(&(*name).to_owned())));
    fixture.run(&line).expect(2, &["Halo2Verifier.sol", "--force"]);
    fixture.run(&format!("{line} --force")).expect(0, &[]);
    assert_eq!(names(&out), found);
}

#[test]
fn names_what_is_wrong_with_a_proof() {
    let fixture = fixture();
    let dir = fixture.scratch("export-bad");
    let attempt = |proof: &str| {
        let out = dir.join("out");
        let run = fixture
            .run(&format!("export-verifier --keys keys --proof {proof} --out {}", out.display()));
        assert!(!out.exists());
        run
    };
    attempt("fast.json").expect(2, &["fast.json: kind: fast", "prove again with --kind halo2"]);
    attempt("nowhere.json").expect(2, &["nowhere.json"]);
    let mut other = fixture.json("halo2.json");
    edit_hex(&mut other["vk_digest"], |bytes| bytes[0] ^= 1);
    attempt(&write(&dir, "other.json", &other)).expect(2, &["other.json", "vk_digest"]);
    let mut bad = fixture.json("halo2.json");
    edit_hex(&mut bad["proof"], |bytes| bytes[3] ^= 1);
    attempt(&write(&dir, "bad.json", &bad)).expect(1, &["rejected", "bad.json"]);
}

#[test]
fn takes_one_compiler_alone() {
    let fixture = fixture();
    let dir = fixture.scratch("export-solc");
    let attempt = |solc: &str| {
        let out = dir.join("out");
        fixture.run(&format!("export-verifier --keys keys --solc {solc} --out {}", out.display()))
    };
    attempt("/nowhere/solc").expect(2, &["solc: /nowhere/solc"]);
    let no_compiler = write(&dir, "solc", &json!({}));
    attempt(&no_compiler).expect(2, &["solc:", &no_compiler]);
}
