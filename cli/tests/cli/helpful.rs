//! What helps, at the end of errors: the command, or the option.

use std::{fs, path::Path};

use serde_json::{json, Value};

use crate::support::{fixture, run_in_with, write, write_text, Run};

/// A line that fails, and what its error says last.
type Row<'a> = (&'a str, &'a str);

fn run(dir: &Path, line: &str) -> Run {
    let cache = dir.join("cache");
    run_in_with(dir, line, &[("MUSTER_PARAMS", cache.to_str().expect("text"))])
}

/// The error of each line ends with what helps.
#[track_caller]
fn ends(dir: &Path, rows: &[Row<'_>]) {
    for (line, help) in rows {
        let failed = run(dir, line).expect(2, &[]);
        let said = failed.stderr.trim_end();
        assert!(said.ends_with(help), "{line}: {help}: {said}");
        let json = run(dir, &format!("{line} --json")).json();
        assert!(json["error"].as_str().is_some_and(|error| error.ends_with(help)), "{json}");
    }
}

/// A file, edited.
fn edited(dir: &Path, (from, to): (&str, &str), edit: impl FnOnce(&mut Value)) {
    let mut value: Value =
        serde_json::from_slice(&fs::read(dir.join(from)).expect("a file")).expect("JSON");
    edit(&mut value);
    write(dir, to, &value);
}

#[test]
fn aggregate_says_what_helps() {
    let dir = fixture().scratch("help-aggregate");
    let sample = "sample --scheme bls-bls12-381 --signers 4 --signing 2 --seed cli";
    run(&dir, &format!("{sample} --owners 3 --apart --out s")).expect(0, &[]);
    run(&dir, &format!("{sample} --out all")).expect(0, &[]);
    run(&dir, "sample --scheme ed25519 --signers 2 --signing 1 --out e").expect(0, &[]);
    edited(&dir, ("s/signatures.json", "other.json"), |file| {
        file["message"] = json!(format!("0x{}", "11".repeat(32)));
    });
    let committee = "--committee s/committee.json";
    let seats = format!("{committee} --seats");
    write_text(&dir, "made.json", "{}");
    ends(
        &dir,
        &[
            (
                "aggregate --committee e/committee.json e/signatures.json --out a.json",
                "`muster prove --signatures FILE` takes all of them, in one file",
            ),
            (
                &format!("aggregate {committee} s/signatures.json --out a.json"),
                "--seats lets a key have several seats, `muster root --merge-same-keys` adds up its weights",
            ),
            (
                &format!("aggregate {seats} s/signatures.json other.json --out a.json"),
                "run `muster aggregate` once for each message",
            ),
            (
                &format!("aggregate {seats} all/signatures.json --out a.json"),
                "what `muster aggregate` made is for `muster prove --signatures`",
            ),
            (
                &format!("aggregate {seats} s/signatures.json --out made.json"),
                "--force replaces it",
            ),
            (
                &format!("check {seats} --signatures s/signatures.json --threshold 1"),
                "`muster aggregate` makes one signature of them",
            ),
        ],
    );
    assert!(!dir.join("a.json").exists());
}

#[test]
fn root_says_what_helps() {
    let dir = fixture().scratch("help-root");
    run(&dir, "sample --scheme ed25519 --signers 3 --signing 1 --seed cli --out s").expect(0, &[]);
    let of = |name: &str, edit: &dyn Fn(&mut Value)| {
        edited(&dir, ("s/committee.json", name), |file| edit(&mut file["members"]));
    };
    of("twice.json", &|members| members[1] = members[0].clone());
    of("wide.json", &|members| members[2]["weight"] = json!("1180591620717411303424"));
    of("sum.json", &|members| {
        members[1]["weight"] = json!("1152921504606846975");
        members[2]["weight"] = json!("1152921504606846975");
    });
    of("widest.json", &|members| {
        members[1]["weight"] = json!(u128::MAX.to_string());
        members[2]["weight"] = json!(u128::MAX.to_string());
    });
    of("identity.json", &|members| {
        members[1]["public_key"] = json!(format!("0x01{}", "00".repeat(31)));
    });
    let keys: Vec<_> = (1..4).map(|place| format!("0x{place:064x}")).collect();
    write(&dir, "list.json", &json!(keys));
    ends(
        &dir,
        &[
            ("root list.json", "`muster root FILE --scheme S --out committee.json` makes a committee of it"),
            ("root twice.json", "`muster root --merge-same-keys` adds up the weights of a key"),
            ("root identity.json", "`muster root --leave-out-unusable` leaves such members out"),
            (
                "root wide.json",
                "`muster root wide.json --weight-shift 11 --out committee.json` makes a committee of it",
            ),
            (
                "root wide.json --weight-shift 2",
                "`muster root wide.json --weight-shift 11 --out committee.json` makes a committee of it",
            ),
            (
                "root sum.json",
                "`muster root sum.json --weight-shift 1 --out committee.json` makes a committee of it",
            ),
            ("root widest.json", "too large for any `muster root --weight-shift`: divide them by a common factor first"),
            (
                "check --committee wide.json --signatures s/signatures.json --threshold 1",
                "`muster root wide.json --weight-shift 11 --out committee.json` makes a committee of it",
            ),
        ],
    );
    // What is said helps.
    for line in [
        "root wide.json --weight-shift 11 --out a.json",
        "root sum.json --weight-shift 1 --out b.json",
        "root twice.json --merge-same-keys --out c.json",
        "root identity.json --leave-out-unusable --out d.json",
    ] {
        run(&dir, line).expect(0, &[]);
    }
    run(&dir, "root s/committee.json --weight-shift 0 --out a.json")
        .expect(2, &["--force replaces it"]);
}

#[test]
fn srs_says_what_helps() {
    let dir = fixture().scratch("help-srs");
    let made = muster_params::Srs::insecure(3).expect("a degree");
    let mut raw = vec![];
    made.write_raw(&mut raw).expect("memory");
    let of = |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).expect("room");
    of("raw", &raw);
    of("short", &raw[..raw.len() - 1]);
    of("long", &[&raw[..], b"!"].concat());
    of("none", b"no SRS at all, whatever it is");
    let mut point = [0; 64];
    (point[0], point[31]) = (0x80, 1);
    of("g1.point", &point);
    let mut bad = raw.clone();
    bad[100] ^= 1;
    of("bad", &bad);
    run(&dir, "srs import raw").expect(0, &[]);
    let others = "`muster srs list` has files of ceremonies, `muster srs fetch` gets them";
    ends(
        &dir,
        &[
            ("srs import raw", "--force replaces it"),
            ("srs import raw --degree 5", "`muster srs list --degree 5` has larger files, and this one serves --degree 3 at most"),
            ("srs import g1.point", "--g2 FILE, or --srs-g2 FILE beside --srs"),
            ("srs import short", others),
            ("srs import long", others),
            ("srs import none", others),
            ("srs import bad", others),
            ("srs import raw --degree 99", "--degree K"),
            ("srs make --degree 4", "pass a ceremony's with --srs FILE, or --insecure-srs for a test"),
            (
                "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --out keys",
                "`muster srs fetch NAME` (`muster srs list --degree 10` has the names), `muster srs import FILE`, or \
                 --insecure-srs for a test",
            ),
        ],
    );
    assert!(!dir.join("keys").exists());
}
