//! Files that somebody has tampered with: they are refused or read, and nothing panics. What a refusal
//! costs is measured by `cargo run --release --example refusals`; `fuzz/` looks further.

// A test that cannot go on may panic.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::OnceLock,
};

use muster_circuits::{
    KeyKind, MessageForm, PointHash, Request, Scheme, Shape, Statement, Witness,
};
use muster_params::{import, Overwrite, Srs, SrsCache};
use muster_prover::{
    files::{CommitteeFile, ProofFile, SignaturesFile},
    keys::SrsReference,
    prove,
    sample::{Plan, Sample, Source},
    Error, Keys, Proof, Seats, VerifierKey,
};
use muster_verifier::Key;
use proptest::{collection::vec, prelude::*};
use serde_json::{json, Value};
use tempfile::TempDir;

mod directory;
mod json;
mod schemes;

use directory::Directory;
use json::Edit;

struct Fixture {
    srs: Srs,
    keys: Keys,
    sample: Sample,
    statement: Statement,
    witness: Witness,
    proof: Proof,
    directory: Directory,
}

fn fixture() -> &'static Fixture {
    static FIXTURE: OnceLock<Fixture> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let scheme = Scheme::Schnorr;
        let shape = Shape::fit(&Request::new(scheme, 4, 2)).unwrap();
        let srs = Srs::insecure(shape.degree()).unwrap();
        let keys = Keys::make(&srs, &shape).unwrap();
        let (named_by, tree) = (KeyKind::Coordinates, (shape.arity, shape.depth));
        let plan = Plan {
            scheme,
            keys: named_by,
            form: None,
            hash: PointHash::default(),
            signers: 4,
            signing: 2,
            message: None,
            tree,
        };
        let sample = Sample::new(&plan, Source::from_text("hostile")).unwrap();
        let key_set_root = shape.tree(&sample.committee).unwrap().root();
        let statement = Statement {
            key_set_root,
            threshold: 2,
            message: sample.message.clone(),
            signers: None,
        };
        let (committee, signatures) = (&sample.committee, &sample.signatures);
        let terms = shape.terms().unwrap();
        let witness = terms.verify(&statement, committee, signatures).unwrap();
        let proof = prove(&srs, &keys, &witness).unwrap();
        let dir = tempfile::tempdir().unwrap();
        keys.save(dir.path(), false).unwrap();
        let directory = Directory::read(dir.path());
        Fixture { srs, keys, sample, statement, witness, proof, directory }
    })
}

/// The committee of the fixture.
fn committee() -> CommitteeFile {
    let Fixture { keys, sample, .. } = fixture();
    let (scheme, named_by) = (keys.shape().scheme, keys.shape().keys);
    let committee = sample.committee.clone();
    CommitteeFile { scheme, keys: named_by, committee, narrowed: None, left_out: vec![] }
}

fn prove_with(keys: &Keys) -> Result<Proof, Error> {
    let Fixture { srs, witness, .. } = fixture();
    prove(srs, keys, witness)
}

/// Writes everything that `muster prove` needs into `dir`, and runs it.
fn muster_prove(directory: &Directory, dir: &Path) -> Output {
    let Fixture { srs, sample, .. } = fixture();
    directory.write(dir);
    let (file, message, mut text) = (committee(), sample.message.clone(), vec![]);
    let scheme = file.scheme;
    file.write(&mut text).unwrap();
    fs::write(dir.join("committee.json"), text).unwrap();
    let signatures = sample.signatures.clone();
    let text = SignaturesFile { scheme, message, signatures }.to_json().to_string();
    fs::write(dir.join("signatures.json"), text).unwrap();
    let _ = SrsCache::new(dir).store(srs, Overwrite::Yes).unwrap();
    let files = "--keys . --committee committee.json --signatures signatures.json";
    Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(format!("prove {files} --threshold 2 --out proof.json").split(' '))
        .env("MUSTER_PARAMS", dir)
        .current_dir(dir)
        .output()
        .unwrap()
}

/// Writes a JSON file of the fixture, tampered with.
fn tampered(dir: &tempfile::TempDir, mut value: Value, edits: &[Edit]) -> PathBuf {
    edits.iter().for_each(|edit| json::change(&mut value, *edit));
    let path = dir.path().join("file.json");
    fs::write(&path, value.to_string()).unwrap();
    path
}

#[test]
fn an_untouched_directory_is_sealed_as_it_was() {
    let mut sealed = fixture().directory.clone();
    sealed.seal().unwrap();
    assert_eq!(sealed.manifest, fixture().directory.manifest);
    let dir = tempfile::tempdir().unwrap();
    sealed.write(dir.path());
    let keys = Keys::load(dir.path()).unwrap();
    assert_eq!(keys.vk_digest(), fixture().keys.vk_digest());
    prove_with(&keys).unwrap();
}

/// Numbers of the proving key are not bound to the verifying key by anything but the proof.
#[test]
fn a_proving_key_of_other_numbers_gives_no_proof() {
    let mut forged = fixture().directory.clone();
    forged.proving[0] ^= 1;
    let dir = tempfile::tempdir().unwrap();
    forged.write(dir.path());
    assert!(matches!(Keys::load(dir.path()), Err(Error::File { .. })), "its digest is another");
    forged.seal().unwrap();
    forged.write(dir.path());
    let error = prove_with(&Keys::load(dir.path()).unwrap()).unwrap_err();
    assert!(matches!(error, Error::Unproven(_)), "{error}");
    let out = muster_prove(&forged, dir.path());
    assert_eq!(out.status.code(), Some(2));
    let text = String::from_utf8(out.stderr).unwrap();
    assert!(text.contains("was discarded"), "{text}");
    assert!(!dir.path().join("proof.json").exists());
    assert!(muster_prove(&fixture().directory, dir.path()).status.success());
    assert!(dir.path().join("proof.json").exists());
    // A number that is none.
    forged.proving[..32].fill(0xff);
    forged.seal().unwrap();
    forged.write(dir.path());
    let error = Keys::load(dir.path()).unwrap_err();
    assert!(error.to_string().contains("modulus"), "{error}");
}

/// What the digest of a verifying key covers, sealed again, and what it does not cover at all.
#[test]
fn what_keys_say_of_their_srs_is_held_to_it() {
    type Edit<'a> = (&'a str, &'a dyn Fn(&mut Value));
    let other = Srs::insecure(fixture().srs.k()).unwrap();
    let other = serde_json::to_value(SrsReference::new(&other)).unwrap();
    let file = json!({ "name": "hermez-raw-11", "sha256": format!("0x{}", "c8".repeat(32)) });
    let ceremony = json!({ "kind": "ceremony", "format": "halo2-raw", "file": file });
    let edits: [Edit; 2] = [
        ("insecure", &|srs| {
            srs["insecure"] = false.into();
            srs["origin"] = ceremony.clone();
        }),
        ("tau_g2", &|srs| srs["tau_g2"] = other["tau_g2"].clone()),
    ];
    for (field, edit) in edits {
        let mut forged = fixture().directory.clone();
        edit(&mut forged.manifest["srs"]);
        forged.seal().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let out = muster_prove(&forged, dir.path());
        let text = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{text}");
        assert!(text.contains(&format!("shape.json: srs.{field}")), "{text}");
        assert!(!dir.path().join("proof.json").exists());
    }
}

/// The largest that the bounds let through: a shape of `2^24` rows and of as many columns as there may
/// be, with keys of the right length. Its tables would fill the memory.
#[test]
fn a_huge_key_for_verifiers_takes_no_tables() {
    let mut huge = fixture().directory.clone();
    huge.manifest["shape"]["layout"]["k"] = 24.into();
    huge.fit();
    huge.seal().unwrap();
    let dir = tempfile::tempdir().unwrap();
    huge.write(dir.path());
    let key = VerifierKey::load(dir.path()).unwrap();
    assert!(key.verify(&fixture().statement, &fixture().proof).is_err());
    let error = Keys::load(dir.path()).unwrap_err();
    assert!(error.to_string().contains("proving.key"), "{error}");
}

/// Changes a directory, then fits it to its shape and seals it if asked to, and writes it to a new place.
fn changed(directory: &mut Directory, edits: &[Edit], (fit, seal): (bool, bool)) -> TempDir {
    edits.iter().for_each(|edit| directory.change(*edit));
    if fit {
        directory.fit();
    }
    if seal {
        // A shape that is none has no seal.
        let _ = directory.seal();
    }
    let dir = tempfile::tempdir().unwrap();
    directory.write(dir.path());
    dir
}

proptest! {
    // A quarter of them give keys, and a proof is made of those.
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn key_directories(edits in vec(any::<Edit>(), 1..5), fit: bool, seal: bool) {
        let mut directory = fixture().directory.clone();
        let dir = changed(&mut directory, &edits, (fit, seal));
        let verifier = VerifierKey::load(dir.path());
        if let Ok(key) = &verifier {
            let verdict = key.verify(&fixture().statement, &fixture().proof);
            // A shape may lie about what columns do not show, its capacity for one. The key says so, and is another.
            let is_same = directory.verifying == fixture().directory.verifying;
            prop_assert!(verdict.is_err() || is_same);
        }
        let keys = Keys::load(dir.path());
        prop_assert!(keys.is_err() || verifier.is_ok());
        // Small ones alone, for time: where there is a proof, it is one.
        if let Some(keys) = keys.ok().filter(|keys| keys.shape().degree() < 12)
            && let Ok(proof) = prove_with(&keys) {
                let verdict = keys.verifier().verify(&fixture().statement, &proof);
                prop_assert_eq!(verdict, Ok(()));
            }
    }

}

/// Shapes with a gate of SHA-512, in both forms of messages.
fn ed25519() -> &'static [Value; 2] {
    static SHAPES: OnceLock<[Value; 2]> = OnceLock::new();
    SHAPES.get_or_init(|| {
        [MessageForm::Sha256 { most: 47 }, MessageForm::CometbftPrecommit].map(|form| {
            let request = Request::new(Scheme::Ed25519, 4, 2);
            let shape = Shape::fit(&Request { message: Some(form), ..request }).unwrap();
            serde_json::to_value(shape).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Keys that have the sizes that such a shape asks for, and then are changed: what is read, verifies nothing.
    #[test]
    fn key_directories_with_a_gate_of_sha512(
        edits in vec(any::<Edit>(), 0..5),
        precommits: bool,
        fit: bool,
        seal: bool,
    ) {
        let mut directory = fixture().directory.clone();
        directory.manifest["shape"] = ed25519()[usize::from(precommits)].clone();
        directory.fit();
        let dir = changed(&mut directory, &edits, (fit, seal));
        let verifier = VerifierKey::load(dir.path());
        if let Ok(key) = &verifier {
            prop_assert!(key.verify(&fixture().statement, &fixture().proof).is_err());
        } else {
            // Nothing else is wrong with a directory that nobody has changed.
            prop_assert!(!(edits.is_empty() && seal), "{:?}", verifier.err());
        }
        prop_assert!(Keys::load(dir.path()).is_err() || verifier.is_ok());
    }
}

proptest! {
    #[test]
    fn verifying_keys_of_any_bytes(bytes in vec(any::<u8>(), 0..2000), header: bool) {
        let start = if header { &fixture().directory.verifying[..147] } else { &[][..] };
        prop_assert!(Key::read(&[start, &bytes].concat()).is_err());
    }

    #[test]
    fn proof_files(edits in vec(any::<Edit>(), 1..5)) {
        let Fixture { keys, statement, proof, .. } = fixture();
        let file = ProofFile::new(keys, statement, proof.clone());
        let value = serde_json::from_str(&file.to_json()).unwrap();
        let dir = tempfile::tempdir().unwrap();
        if let Ok(read) = ProofFile::read(&tampered(&dir, value, &edits)) {
            let same = read.proof == *proof;
            prop_assert_eq!(keys.verifier().verify(statement, &read.proof).is_ok(), same);
        }
    }

    #[test]
    fn committees_and_signatures(edits in vec(any::<Edit>(), 1..5)) {
        let Fixture { keys, sample, .. } = fixture();
        let dir = tempfile::tempdir().unwrap();
        let (file, mut text) = (committee(), vec![]);
        file.write(&mut text).unwrap();
        let value = serde_json::from_slice(&text).unwrap();
        if let Ok(read) = CommitteeFile::read(&tampered(&dir, value, &edits), Seats::One) {
            let _ = keys.shape().tree(&read.committee);
        }
        let (message, signatures) = (sample.message.clone(), sample.signatures.clone());
        let value = SignaturesFile { scheme: file.scheme, message, signatures }.to_json();
        let path = tampered(&dir, value, &edits);
        if let Ok(SignaturesFile { message, signatures, .. }) =
            SignaturesFile::read(&path, &file)
        {
            let statement = Statement { message, ..fixture().statement.clone() };
            let terms = keys.shape().terms().unwrap();
            let _ = terms.verify(&statement, &sample.committee, &signatures);
        }
    }

    #[test]
    fn srs_files(edits in vec(any::<(u32, u8)>(), 1..4), length in any::<Option<u32>>(), k in 0u32..32) {
        let mut bytes = srs_file().clone();
        for (place, to) in edits {
            // The header more often than its share.
            let length = if to % 2 == 0 { 64 } else { bytes.len() };
            bytes[place as usize % length] = to;
        }
        if let Some(length) = length {
            bytes.resize(length as usize % (2 * bytes.len()), 0);
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file.srs");
        fs::write(&path, &bytes).unwrap();
        let _ = import::auto(&path, None, Some(k));
        let _ = import::auto(&path, None, None);
    }
}

/// An SRS of 16 powers in halo2's format, which has no digest.
fn srs_file() -> &'static Vec<u8> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let mut bytes = vec![];
        Srs::insecure(4).unwrap().write_raw(&mut bytes).unwrap();
        bytes
    })
}
