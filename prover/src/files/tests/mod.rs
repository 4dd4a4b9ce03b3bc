//! What is refused before any point is looked at.

mod encodings;
mod hostile;

use std::{fs, path::PathBuf, sync::Mutex};

use muster_circuits::{KeyKind, PointHash, Rejection, Scheme};
use muster_schemes::membership::{KeySetError, Seats};
use serde_json::{json, Value};
use tempfile::TempDir;

use super::{
    list::{each, List},
    CommitteeFile, Preparation, ProofFile, SignaturesFile, MAX_MEMBERS,
};
use crate::{
    encoding::to_hex,
    sample::{Plan, Sample, Source},
    tests::{fixture, Fixture},
    Error, Proof, ProofKind,
};

/// What an error says, and the change of a file that brings it about.
type Edit = (&'static str, fn(&mut Value));

/// A committee of 4 and signatures by 3 of them.
struct Case {
    dir: TempDir,
    committee: Value,
    signatures: Value,
}

impl Case {
    fn new(scheme: Scheme) -> Self {
        let (keys, hash) = (KeyKind::Coordinates, PointHash::default());
        let (form, message, tree) = (None, None, (scheme.default_arity(), 2));
        let (signers, signing) = (4, 3);
        let plan = Plan { scheme, keys, form, hash, signers, signing, message, tree };
        let sample = Sample::new(&plan, Source::from_text("passes")).unwrap();
        let (committee, mut text) = (sample.committee, vec![]);
        let file = CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] };
        file.write(&mut text).unwrap();
        let Sample { message, signatures, .. } = sample;
        Self {
            dir: tempfile::tempdir().unwrap(),
            committee: serde_json::from_slice(&text).unwrap(),
            signatures: SignaturesFile { scheme, message, signatures }.to_json(),
        }
    }

    fn write(&self, value: &Value) -> PathBuf {
        let path = self.dir.path().join("file.json");
        fs::write(&path, value.to_string()).unwrap();
        path
    }

    fn read(&self) -> Result<CommitteeFile, Error> {
        CommitteeFile::read(&self.write(&self.committee), Seats::One)
    }

    fn read_signatures(&self) -> Result<SignaturesFile, Error> {
        let committee = self.read().unwrap();
        SignaturesFile::read(&self.write(&self.signatures), &committee)
    }
}

/// Changes the last digit of a hex string.
fn spoil(text: &mut Value) {
    let mut digits = text.as_str().unwrap().to_owned();
    let last = digits.pop().unwrap();
    digits.push(if last == '0' { '1' } else { '0' });
    *text = digits.into();
}

/// Puts bytes of the same length in the place of a text, which `is_taken` does not take.
fn replace(text: &mut Value, is_taken: impl Fn(&[u8]) -> bool) {
    let length = text.as_str().unwrap().len() / 2 - 1;
    let bad = (0..=u8::MAX).rev().map(|byte| vec![byte; length]).find(|bytes| !is_taken(bytes));
    *text = to_hex(&bad.unwrap()).into();
}

/// The first member's key is no point; what is wrong with the last shows without looking at points, and is said.
#[test]
fn what_shows_without_points_is_said_first() {
    let edits: [Edit; 5] = [
        ("members[3].public_key", |all| {
            let key = all[3]["public_key"].as_str().unwrap().to_owned();
            all[3]["public_key"] = (key + "00").into();
        }),
        ("members[3].public_key", |all| all[3]["public_key"] = "0xgg".into()),
        ("members[3].public_key", |all| all[3] = all[1].clone()),
        ("members[3].weight", |all| all[3]["weight"] = 0.into()),
        ("members[3].weight", |all| all[3]["weight"] = json!((1u64 << 60) - 1)),
    ];
    for &scheme in Scheme::ALL {
        for (place, edit) in edits {
            let mut case = Case::new(scheme);
            let is_key = |bytes: &[u8]| scheme.suite().decode_key(bytes).is_ok();
            replace(&mut case.committee["members"][0]["public_key"], is_key);
            let error = case.read().unwrap_err().to_string();
            assert!(error.contains("members[0].public_key"), "{scheme}: {error}");
            edit(&mut case.committee["members"]);
            let error = case.read().unwrap_err().to_string();
            assert!(error.contains(place), "{scheme}: {error}");
        }
    }
}

/// Nor is a key looked at before that if members are to be left out or merged.
#[test]
fn what_shows_without_points_is_said_before_anybody_is_left_out() {
    let edits: [Edit; 4] = [
        ("members[3].public_key", |all| all["members"][3]["public_key"] = "0xgg".into()),
        ("members[3].weight", |all| all["members"][3]["weight"] = 0.into()),
        ("left_out[0]", |all| all["left_out"] = json!([{ "weight": 1, "reason": "" }])),
        ("left_out[0].weight", |all| {
            let weight = u128::MAX.to_string();
            all["left_out"] = json!([{ "public_key": "0x", "weight": weight, "reason": "" }]);
        }),
    ];
    let leaves = Preparation { leaves_out_unusable: true, ..Preparation::default() };
    let merges = Preparation { merges_same_keys: true, ..Preparation::default() };
    for &scheme in Scheme::ALL {
        for (place, edit) in edits {
            let mut case = Case::new(scheme);
            let is_key = |bytes: &[u8]| scheme.suite().decode_key(bytes).is_ok();
            replace(&mut case.committee["members"][0]["public_key"], is_key);
            let path = case.write(&case.committee);
            let prepared = leaves.read(&path).unwrap();
            assert_eq!((prepared.unusable, prepared.places), (vec![0], vec![1, 2, 3]), "{scheme}");
            let error = merges.read(&path).unwrap_err().to_string();
            assert!(error.contains("members[0].public_key"), "{scheme}: {error}");
            edit(&mut case.committee);
            let path = case.write(&case.committee);
            for asked in [leaves, merges] {
                let error = asked.read(&path).unwrap_err().to_string();
                assert!(error.contains(place), "{scheme}: {error}");
            }
        }
    }
}

/// A key is there twice, whatever stands behind it: no proof of possession is checked to see that.
#[test]
fn copies_of_a_key_are_found_before_their_proofs_are_checked() {
    for &scheme in Scheme::ALL.iter().filter(|scheme| scheme.adds_keys()) {
        let mut case = Case::new(scheme);
        let members = &mut case.committee["members"];
        members[2] = members[1].clone();
        spoil(&mut members[2]["public_key"]);
        let fault = KeySetError::DuplicateKey { first: 1, second: 2 };
        let found = case.read();
        assert!(matches!(found, Err(Error::SameKey { fault: f, .. }) if f == fault), "{found:?}");
        let path = case.write(&case.committee);
        let error = CommitteeFile::read(&path, Seats::Several).unwrap_err().to_string();
        assert!(error.contains("members[2]") && error.contains("possession"), "{error}");
    }
}

/// Where all signatures have to count, each that shows by its bytes that it does not is named.
#[test]
fn all_signatures_that_break_a_rule_are_named() {
    for &scheme in Scheme::ALL.iter().filter(|scheme| !scheme.is_aggregate()) {
        let mut case = Case::new(scheme);
        let is_signature = |bytes: &[u8]| scheme.suite().decode_signature(bytes).is_ok();
        let last = case.signatures["signatures"][2].clone();

        case.signatures["signatures"][2]["member"] =
            case.signatures["signatures"][1]["member"].clone();
        let refused = case.read_signatures().unwrap_err();
        let twice = matches!(refused, Error::Rejected(Rejection::DuplicateSigner(_)));
        assert!(twice && refused.exit_code() == 1, "{scheme}: {refused}");

        case.signatures["signatures"][2]["member"] = 4.into();
        let refused = case.read_signatures().unwrap_err();
        let nobody = matches!(refused, Error::Rejected(Rejection::NotAMember { member: 4, .. }));
        assert!(nobody && refused.exit_code() == 1, "{scheme}: {refused}");

        replace(&mut case.signatures["signatures"][0]["signature"], is_signature);
        let text = last["signature"].as_str().unwrap();
        case.signatures["signatures"][2]["signature"] = format!("{text}00112233").into();
        let refused = case.read_signatures().unwrap_err();
        assert!(matches!(refused, Error::Dropped { .. }), "{scheme}: {refused}");
        assert_eq!(refused.exit_code(), 1);
        let text = refused.to_string();
        let named = ["signatures[0]: member", "signatures[2]: member 4: expected"];
        assert!(named.iter().all(|named| text.contains(named)), "{scheme}: {refused}");
        assert!(!text.contains("signatures[1]"), "{scheme}: {refused}");
    }
}

/// Whatever is behind the first bad entry is not looked at, up to what the other threads do meanwhile.
#[test]
fn the_first_bad_entry_ends_the_work() {
    let seen = Mutex::new(0);
    let verdict = |number| if number == 5 || number == 7 { Err(number) } else { Ok(()) };
    let done = each(1 << 20, |range| {
        *seen.lock().unwrap() += range.len();
        range.map(verdict).collect()
    });
    assert_eq!(done, Err(5));
    assert!(*seen.lock().unwrap() < 1 << 16, "{seen:?}");
    assert_eq!(each(1000, |range| range.map(Ok::<_, ()>).collect()), Ok((0..1000).collect()));
}

/// An entry of two bytes takes far more in memory.
#[test]
fn lists_have_a_bound() {
    let list = |entries: usize| {
        let text = format!("[{}0]", "0,".repeat(entries - 1));
        serde_json::from_str::<List<u8>>(&text).map(|list| list.0.len())
    };
    assert_eq!(list(MAX_MEMBERS).unwrap(), MAX_MEMBERS);
    let error = list(MAX_MEMBERS + 1).unwrap_err().to_string();
    assert!(error.contains("more than 8388608 entries"), "{error}");
}

/// A file names the format of its proof, by one of the names there are; files of earlier versions named a transcript.
#[test]
fn proof_files_name_their_kind() {
    let Fixture { keys, statement, .. } = fixture();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proof.json");
    let read = |value: &Value| {
        fs::write(&path, value.to_string()).unwrap();
        ProofFile::read(&path)
    };
    for kind in ProofKind::ALL {
        let file = ProofFile::new(keys, statement, Proof::new(kind, [1, 2, 3]));
        let good: Value = serde_json::from_str(&file.to_json()).unwrap();
        assert_eq!(good["kind"], kind.name());
        assert_eq!(read(&good).unwrap(), file);
        assert!(file.is_of(&keys.verifier(), statement));
        for other in [json!("keccak"), json!("Fast"), json!(null)] {
            let mut file = good.clone();
            file["kind"] = other;
            assert!(read(&file).unwrap_err().to_string().contains("kind"));
        }
        let mut older = good.clone();
        let fields = older.as_object_mut().unwrap();
        fields.remove("kind");
        fields.insert("transcript".into(), "blake2b".into());
        assert!(read(&older).unwrap_err().to_string().contains("transcript"));
    }
}
