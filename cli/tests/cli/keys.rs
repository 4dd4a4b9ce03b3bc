//! Damaged keys and wrong SRS: exit status 2.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_circuits::Shape;
use muster_verifier::Key;
use serde_json::{json, Value};

use crate::support::{compact, copy_keys, fixture, names, run_in_with, write_text, Run};

/// Where a verifying key says whether its SRS is a ceremony's, and how long its description is.
const IS_CEREMONY: usize = 18;
const DESCRIPTION: usize = 147;

/// A copy of the keys, damaged.
fn damaged(name: &str, damage: impl FnOnce(&PathBuf)) -> (PathBuf, Run, Run) {
    let dir = fixture().scratch(name);
    let keys = dir.join("keys");
    fs::create_dir(&keys).unwrap();
    for file in ["shape.json", "verifying.key", "proving.key"] {
        fs::copy(fixture().dir.join("keys").join(file), keys.join(file)).unwrap();
    }
    damage(&keys);
    let verify = fixture().run(&format!("verify --unchecked --keys {} fast.json", keys.display()));
    let prove = fixture().run(&format!(
        "prove --keys {} --committee schnorr/committee.json --signatures schnorr/signatures.json \
         --threshold 2 --out {}/proof.json",
        keys.display(),
        dir.display()
    ));
    (dir, verify, prove)
}

fn edit(path: PathBuf, edit: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(&path).unwrap();
    edit(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn edit_shape(keys: &Path, edit: impl FnOnce(&mut Value)) {
    let mut shape = json_of(keys);
    edit(&mut shape);
    write_text(keys, "shape.json", &shape.to_string());
}

/// Changes a verifying key, and writes the digest of what came of it into the file beside it.
fn reseal(keys: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    edit(keys.join("verifying.key"), change);
    let digest = Key::read(&fs::read(keys.join("verifying.key")).unwrap()).unwrap().digest();
    edit_shape(keys, |s| s["vk_digest"] = json!(format!("0x{}", hex::encode(digest))));
}

#[test]
fn a_damaged_proving_key_is_refused() {
    let damages: [fn(&mut Vec<u8>); 5] = [
        |b| b[0] ^= 1,
        |b| b[100_000] ^= 1,
        |b| b.truncate(b.len() / 2),
        |b| b.push(0),
        Vec::clear,
    ];
    for damage in damages {
        let (dir, verify, prove) = damaged("proving-key", |k| edit(k.join("proving.key"), damage));
        verify.expect(0, &[]);
        prove.expect(2, &["proving.key"]);
        assert_eq!(names(&dir), ["keys"]);
    }
    let (_, verify, prove) =
        damaged("proving-key", |k| fs::remove_file(k.join("proving.key")).unwrap());
    verify.expect(0, &[]);
    prove.expect(2, &["proving.key"]);
}

#[test]
fn a_damaged_verifying_key_is_refused() {
    let damages: [fn(&mut Vec<u8>); 9] = [
        |b| b[0] ^= 1,
        |b| b[16] ^= 1,
        |b| b[18] ^= 1,
        |b| b[20] ^= 1,
        |b| b[DESCRIPTION] = 0xff,
        |b| b[DESCRIPTION + 20] ^= 1,
        |b| b.truncate(60),
        |b| b.push(0),
        Vec::clear,
    ];
    for damage in damages {
        let (_, verify, prove) = damaged("vk", |k| edit(k.join("verifying.key"), damage));
        verify.expect(2, &["verifying.key"]);
        prove.expect(2, &["verifying.key"]);
    }
}

#[test]
fn a_damaged_shape_is_refused() {
    let edits: [fn(&mut Value); 9] = [
        |s| s["format"] = json!("muster-keys/0"),
        |s| s["shape"]["slots"] = json!(3),
        |s| s["shape"]["layout"]["k"] = json!(40),
        |s| s["shape"]["layout"]["k"] = json!(11),
        |s| s["shape"]["layout"]["vertical_columns"] = json!(1u64 << 40),
        |s| s["shape"]["layout"]["range_bits"] = json!(0),
        |s| s["shape"]["layout"]["poseidon"] = json!([]),
        |s| s["srs"]["insecure"] = json!(false),
        |s| s["srs"]["tau_g2"] = s["srs"]["g2"].clone(),
    ];
    for edit in edits {
        let (_, verify, prove) = damaged("shape", |k| edit_shape(k, edit));
        verify.expect(2, &[]);
        prove.expect(2, &[]);
    }
    let (_, verify, prove) =
        damaged("shape", |k| edit_shape(k, |s| s["break_points"] = json!([5])));
    verify.expect(0, &[]);
    prove.expect(2, &["shape.json", "break_points"]);
    let (_, verify, prove) =
        damaged("shape", |k| edit_shape(k, |s| s["constants"][0] = s["constants"][1].clone()));
    verify.expect(0, &[]);
    prove.expect(2, &["proving.key"]);
    let (_, verify, _) = damaged("shape", |k| drop(write_text(k, "shape.json", "{")));
    verify.expect(2, &["shape.json"]);
    let (_, verify, _) = damaged("shape", |k| fs::remove_file(k.join("shape.json")).unwrap());
    verify.expect(2, &["shape.json"]);
}

/// Layouts that the issue of hostile key directories names: refused at once, by name.
#[test]
fn a_hostile_shape_is_refused() {
    let edits: [fn(&mut Value); 7] = [
        |layout| layout["k"] = json!(24),
        |layout| layout["k"] = json!(27),
        |layout| layout["k"] = json!(28),
        |layout| layout["poseidon"][0]["columns"] = json!(24),
        |layout| layout["poseidon"] = json!(vec![layout["poseidon"][0].clone(); 1000]),
        |layout| layout["poseidon"][0]["lanes"] = json!(0),
        |layout| layout["surplus"] = json!(0),
    ];
    for layout in edits {
        let (_, verify, prove) = damaged("hostile", |k| {
            edit_shape(k, |s| layout(&mut s["shape"]["layout"]));
        });
        verify.expect(2, &[]);
        prove.expect(2, &[]);
    }
}

/// Nothing shows what a digest says of the SRS, but the SRS: commands that have none say that it is a claim, and repeat no hash.
#[test]
fn what_keys_say_of_their_srs_is_a_claim() {
    let sha256 = format!("0x{}", "c8".repeat(32));
    let claim = |keys: &PathBuf| {
        let file = json!({ "name": "hermez-raw-11", "sha256": sha256 });
        edit_shape(keys, |s| {
            s["srs"]["insecure"] = json!(false);
            s["srs"]["origin"] = json!({ "kind": "ceremony", "format": "halo2-raw", "file": file });
        });
        reseal(keys, |key| key[IS_CEREMONY] = 1);
    };
    let (dir, verify, prove) = damaged("claim", claim);
    verify.expect(1, &["verifying key"]);
    prove.expect(2, &["shape.json: srs.insecure: false"]);
    assert_eq!(names(&dir), ["keys"]);

    let keys = fixture().scratch("claim-compact");
    for file in ["shape.json", "verifying.key"] {
        fs::copy(compact().join("keys").join(file), keys.join(file)).unwrap();
    }
    claim(&keys);
    let line = format!("export-key --keys {0} --evm --out {0}/evm", keys.display());
    let run = fixture().run(&line).expect(0, &["claimed to be from halo2-raw \"hermez-raw-11\""]);
    assert!(!run.stdout.contains(&sha256), "{run:?}");
    let said = fixture().run(&format!("{line} --force --json")).expect(0, &[]).json();
    assert_eq!(said["key"]["srs"]["claimed"], true);
}

#[test]
fn files_of_two_directories_do_not_mix() {
    let dir = fixture().scratch("two-directories");
    let other = dir.join("other");
    let line =
        "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --insecure-srs --mode path";
    fixture().run(&format!("{line} --out {}", other.display())).expect(0, &[]);
    for (file, verifies) in [("shape.json", 2), ("verifying.key", 2), ("proving.key", 0)] {
        let (_, verify, prove) = damaged("mixed", |keys| {
            fs::copy(other.join(file), keys.join(file)).unwrap();
        });
        verify.expect(verifies, &[]);
        prove.expect(2, &[]);
    }
}

#[test]
fn another_srs_is_refused() {
    let dir = fixture().scratch("other-srs");
    let line = format!(
        "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --out {}/keys",
        dir.display()
    );
    fixture().run(&line).expect(2, &["insecure", "--insecure-srs"]);
    assert!(names(&dir).is_empty());
    let garbage = write_text(&dir, "garbage.srs", "not an SRS");
    fixture().run(&format!("{line} --srs {garbage}")).expect(2, &["garbage.srs"]);
    fixture().run(&format!("{line} --srs nowhere")).expect(2, &["nowhere"]);
    assert_eq!(names(&dir), ["garbage.srs"]);

    let degree = fixture().json("keys/shape.json")["shape"]["layout"]["k"].clone();
    let other = dir.join("cache");
    let made = assert_cmd::Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(["srs", "make", "--insecure-srs", "--json", "--degree", &degree.to_string()])
        .env("MUSTER_PARAMS", &other)
        .output()
        .unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!(made["insecure"], true);
    let prove = format!(
        "prove --keys keys --committee schnorr/committee.json --signatures \
         schnorr/signatures.json --threshold 2 --out {}/proof.json --srs {}",
        dir.display(),
        made["file"].as_str().unwrap()
    );
    fixture().run(&prove).expect(2, &["digest"]);
    assert!(!dir.join("proof.json").exists());
}

/// Whoever was given keys asks whether they are those of the circuit.
#[test]
fn a_verifying_key_is_held_to_its_circuit() {
    let line = "verify-key --keys keys";
    let run = fixture().run(line).expect(0, &["accepted", "schnorr-babyjubjub", "INSECURE"]);
    let json = fixture().run(&format!("{line} --json")).expect(0, &[]).json();
    assert_eq!(json["accepted"], true);
    assert!(run.stdout.contains(json["vk_digest"].as_str().unwrap()), "{run:?}");

    let check = |name: &str, change: &dyn Fn(&Path)| {
        let keys = PathBuf::from(copy_keys(&fixture().scratch(name)));
        fs::remove_file(keys.join("proving.key")).unwrap();
        change(&keys);
        fixture().run(&format!("verify-key --keys {} --json", keys.display()))
    };
    check("verify-key", &|_| ()).expect(0, &[]);
    // A commitment in the place of another.
    let run = check("verify-key", &|keys| {
        reseal(keys, |key| {
            let end = key.len();
            key.copy_within(end - 128..end - 64, end - 64);
        });
    });
    let run = run.expect(1, &["another circuit", "shape.json", "muster keygen"]);
    assert_eq!(run.json()["accepted"], false);
    // The key of one circuit that says of itself that it is of another.
    for (slots, reason) in [(4, "another circuit"), (8, "no room")] {
        let run = check("verify-key", &|keys| {
            edit_shape(keys, |s| s["shape"]["slots"] = json!(slots));
            let shape: Shape = serde_json::from_value(json_of(keys)["shape"].clone()).unwrap();
            let description = serde_json::to_vec(&shape).unwrap();
            reseal(keys, |key| {
                let length =
                    u32::from_be_bytes(key[DESCRIPTION..DESCRIPTION + 4].try_into().unwrap());
                let new = [&(description.len() as u32).to_be_bytes()[..], &description].concat();
                key.splice(DESCRIPTION..DESCRIPTION + 4 + length as usize, new);
            });
        });
        run.expect(1, &["shape.json", reason]);
    }
    check("verify-key", &|keys| edit(keys.join("verifying.key"), |key| key[0] ^= 1))
        .expect(2, &["verifying.key"]);

    // Another SRS decides nothing.
    let dir = fixture().scratch("verify-key-srs");
    let line = "srs make --insecure-srs --json --degree";
    let degree = fixture().json("keys/shape.json")["shape"]["layout"]["k"].to_string();
    let cache = dir.join("cache").display().to_string();
    let made = run_in_with(&dir, &format!("{line} {degree}"), &[("MUSTER_PARAMS", &cache)]);
    let made = made.expect(0, &[]).json();
    let line = format!("verify-key --keys keys --srs {}", made["file"].as_str().unwrap());
    fixture().run(&line).expect(2, &["SRS", "digest"]);
    let none =
        run_in_with(&fixture().dir, "verify-key --keys keys", &[("MUSTER_PARAMS", "nowhere")]);
    none.expect(2, &["SRS: none at"]);
}

/// What stands in `shape.json`.
fn json_of(keys: &Path) -> Value {
    serde_json::from_slice(&fs::read(keys.join("shape.json")).unwrap()).unwrap()
}
