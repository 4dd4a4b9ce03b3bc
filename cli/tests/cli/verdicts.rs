//! What `verify` says of a proof, by the table in the documents.

use std::{fs, path::Path};

use muster_params::Srs;

use crate::support::{edit_hex, fixture, told, verdict, verdicts, write, write_text};

/// A row of the table, and a line that leads to it.
#[track_caller]
fn holds(row: &str, line: &str) {
    let (code, said) = verdict(row);
    let run = fixture().run(line).expect(code, &[&said]);
    assert_eq!(run.stdout.contains("accepted"), code == 0, "{run:?}");
    let json = fixture().run(&format!("{line} --json")).json();
    let accepted = [Some(true), Some(false), None][usize::try_from(code).expect("0 to 2")];
    assert_eq!(json["accepted"].as_bool(), accepted, "{json}");
    if code == 0 {
        assert_eq!(json["verdict"], said, "{json}");
        assert_eq!(json["compared"], !said.contains("compared"), "{json}");
        assert_eq!(json["insecure"], said.contains("INSECURE"), "{json}");
    }
}

/// Keys on an SRS that no machine here is said to have made, and a proof under them.
fn of_a_ceremony(dir: &Path) -> (String, String) {
    let srs = dir.join("srs");
    let mut file = fs::File::create(&srs).expect("a file");
    Srs::insecure(12).expect("a degree").write_raw(&mut file).expect("room for it");
    let path = |name: &str| dir.join(name).to_str().expect("text").to_owned();
    let (srs, keys, proof) = (path("srs"), path("keys"), path("proof.json"));
    let keygen = "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2";
    fixture().run(&format!("{keygen} --srs {srs} --out {keys}")).expect(0, &[]);
    let files = crate::support::SIGNED;
    fixture().run(&format!("prove --keys {keys} {files} --srs {srs} --out {proof}")).expect(0, &[]);
    (keys, proof)
}

#[test]
fn verdicts_are_those_of_the_table() {
    let dir = fixture().scratch("verdicts");
    let (keys, proof) = of_a_ceremony(&dir);
    let good = format!("verify --keys {keys} {proof}");
    let all = told(&fixture().dir, "schnorr", "keys", 2);
    holds("is of all that is expected", &format!("{good} {all}"));
    holds("holds, with `--unchecked` alone", &format!("{good} --unchecked"));
    let part = "holds, with `--unchecked` and a part of what is expected";
    holds(part, &format!("{good} --unchecked --threshold 2"));
    let line = format!("verify --keys keys fast.json {all}");
    holds("is of all that is expected, on an insecure SRS", &line);

    let other = "is of something else than expected";
    holds(other, &format!("{good} {}", all.replace("--threshold 2", "--threshold 1")));
    holds(other, &format!("{good} --unchecked --threshold 1"));
    let mut bad = fixture().json(&proof);
    edit_hex(&mut bad["proof"], |bytes| bytes[40] ^= 1);
    let bad = write(&dir, "bad.json", &bad);
    for options in [&all, "--unchecked"] {
        let line = format!("verify --keys {keys} {bad} {options}");
        holds("does not hold, with or without `--unchecked`", &line);
    }
    holds("was made under other keys", &format!("verify --keys {keys} fast.json {all}"));

    holds("has nothing to be compared with", &good);
    // It is not verified at all.
    holds("has nothing to be compared with", &format!("verify --keys {keys} {bad}"));
    let needless = "has nothing like what an option is about, such as `--signers` without a mask";
    holds(needless, &format!("{good} {all} --signers 0,1"));
    let empty = write_text(&dir, "empty.json", "");
    holds("cannot be read, or the keys cannot", &format!("verify --keys {keys} {empty} {all}"));
    // All others are here.
    verdict("is under keys with a mask, and the signers are not given");
    assert_eq!(verdicts().len(), 11);
}

/// Each option that is missing is named, and no other.
#[test]
fn what_is_missing_is_named() {
    let all = told(&fixture().dir, "schnorr", "keys", 2);
    let words: Vec<_> = all.split(' ').collect();
    let options: Vec<_> = words.chunks(2).map(|pair| pair.join(" ")).collect();
    let names: Vec<_> = words.iter().copied().step_by(2).collect();
    for given in 0..1 << options.len() {
        let is_given = |place: &usize| given >> place & 1 == 1;
        let (there, missing): (Vec<_>, Vec<_>) = (0..options.len()).partition(is_given);
        let there: Vec<_> = there.into_iter().map(|place| &options[place][..]).collect();
        let missing: Vec<_> = missing.into_iter().map(|place| names[place]).collect();
        let line = format!("verify --keys keys fast.json --json {}", there.join(" "));
        let run = fixture().run(&line).json();
        if missing.is_empty() {
            assert_eq!(run["accepted"], true, "{line}: {run}");
            continue;
        }
        assert_eq!(run["exit_status"], 2, "{line}: {run}");
        assert_eq!(run["missing"], serde_json::json!(missing), "{line}: {run}");
        let error = run["error"].as_str().unwrap_or_default();
        for name in &names {
            assert_eq!(error.contains(name), missing.contains(name), "{line}: {run}");
        }
        let run = fixture().run(&format!("{line} --unchecked")).json();
        assert_eq!(run["not_compared"], serde_json::json!(missing), "{line}: {run}");
        assert_eq!(run["compared"], false, "{line}: {run}");
    }
}
