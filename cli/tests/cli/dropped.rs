//! Signatures that do not count are dropped and named, and stop no others.

use std::{fs, path::Path};

use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, names, run_in, write, Run};

/// Four of six members sign, and then come signatures that do not count: `s.json` in `dir`. Gives the numbers of the
/// members of the good ones.
fn gathered(dir: &Path, scheme: &str) -> Vec<u64> {
    let line = format!("sample --scheme {scheme} --signers 6 --signing 4 --seed dropped --out .");
    run_in(dir, &line).expect(0, &[]);
    let text = fs::read(dir.join("signatures.json")).unwrap();
    let mut signatures: Value = serde_json::from_slice(&text).unwrap();
    let list = signatures["signatures"].as_array_mut().unwrap();
    let members: Vec<_> = list.iter().map(|one| one["member"].as_u64().unwrap()).collect();
    let good = list.clone();
    let bad = |member: Option<u64>, edit: &dyn Fn(&mut Vec<u8>)| {
        let mut one = good[0].clone();
        one["member"] = json!(member.unwrap_or(members[0]));
        edit_hex(&mut one["signature"], edit);
        one
    };
    let [unlike, absent, short] = [
        bad(None, &|bytes| bytes[40] ^= 1),
        bad((0..6).find(|member| !members.contains(member)), &|_| ()),
        bad(Some(members[1]), &|bytes| bytes.truncate(63)),
    ];
    let [nobody, again] = [bad(Some(6), &|_| ()), good[2].clone()];
    // In a member's name, before the member's own.
    list.insert(0, unlike);
    list.extend([absent, short, nobody, again]);
    write(dir, "s.json", &signatures);
    members
}

fn check(dir: &Path, options: &str) -> Run {
    run_in(dir, &format!("check --committee committee.json --signatures s.json {options}"))
}

/// What is said of each of them.
const NAMED: [&str; 5] = [
    "s.json: signatures[0]: member",
    "s.json: signatures[5]: member",
    "s.json: signatures[6]: member",
    "s.json: signatures[7]: signer 6 is not in the set of 6 members",
    "s.json: signatures[8]: member",
];

#[test]
fn the_others_count() {
    for scheme in ["schnorr-babyjubjub", "ecdsa-secp256k1"] {
        let dir = fixture().scratch(&format!("dropped-{scheme}"));
        let members = gathered(&dir, scheme);
        let reasons = ["found 63", "signs twice"];
        let parts = [&NAMED[..], &reasons, &["accepted: 4 signers of 6"]].concat();
        check(&dir, "--threshold 4").expect(0, &parts);
        check(&dir, "--threshold 4 --native").expect(0, &parts);
        check(&dir, "--threshold 5 --native").expect(1, &NAMED);
        let report = check(&dir, "--threshold 4 --json").expect(0, &[]).json();
        let numbers: Vec<_> = report["dropped"].as_array().unwrap().iter().collect();
        let of = |field: &str| numbers.iter().map(|one| one[field].clone()).collect::<Vec<_>>();
        assert_eq!(of("signature"), [0, 5, 6, 7, 8]);
        assert_eq!(of("file"), ["s.json"; 5]);
        assert_eq!(
            (of("member")[0].as_u64(), of("member")[3].as_u64()),
            (Some(members[0]), Some(6))
        );
        let mut sorted = members.clone();
        sorted.sort_unstable();
        assert_eq!((&report["taken"], &report["signers"]), (&json!(sorted), &json!(4)));

        // Too little is left, or nothing may be dropped: all are named.
        for (options, reason) in [
            ("--threshold 5", "rejected: the signers weigh 4, below the threshold 5"),
            ("--threshold 4 --strict", "rejected: not all signatures count"),
        ] {
            check(&dir, options).expect(1, &[&NAMED[..], &reasons, &[reason]].concat());
            let report = check(&dir, &format!("{options} --json")).expect(1, &[]).json();
            assert_eq!(report["accepted"], false);
            assert_eq!(report["dropped"].as_array().unwrap().len(), 5);
        }
    }
}

/// Nobody is named by a statement for a signature that does not hold.
#[test]
fn proofs_are_by_the_others() {
    let dir = fixture().scratch("dropped-proofs");
    let members = gathered(&dir, "schnorr-babyjubjub");
    let keygen =
        "keygen --scheme schnorr-babyjubjub --signers 6 --slots 4 --mask --insecure-srs --out keys";
    run_in(&dir, keygen).expect(0, &[]);
    let files = "--keys keys --committee committee.json --signatures s.json";
    let prove = |options: &str| run_in(&dir, &format!("prove {files} {options}"));
    prove("--threshold 4 --out p.json").expect(0, &NAMED);
    let report = prove("--threshold 4 --out p.json --force --json").expect(0, &[]).json();
    let mut sorted = members;
    sorted.sort_unstable();
    assert_eq!(report["named"], json!(sorted));
    assert_eq!(report["dropped"].as_array().unwrap().len(), 5);
    run_in(&dir, "verify --unchecked --keys keys p.json --threshold 4").expect(0, &["accepted"]);
    prove("--threshold 5 --out q.json").expect(1, &NAMED);
    prove("--threshold 4 --strict --out q.json").expect(1, &NAMED);

    // In a batch, too.
    for folder in ["a", "b"] {
        fs::create_dir_all(dir.join("signed").join(folder)).unwrap();
    }
    fs::copy(dir.join("s.json"), dir.join("signed/a/signatures.json")).unwrap();
    fs::copy(dir.join("signatures.json"), dir.join("signed/b/signatures.json")).unwrap();
    let batch = "prove --keys keys --committee committee.json --batch signed --threshold 4";
    let named = ["2 proofs in", "signed/a/signatures.json: signatures[7]: signer 6 is not in"];
    run_in(&dir, &format!("{batch} --out proofs")).expect(0, &named);
    assert_eq!(names(&dir.join("proofs")), ["a.json", "b.json"]);
    let line = format!("{batch} --out proofs --force --json");
    let report = run_in(&dir, &line).expect(0, &[]).json();
    let dropped = |at: usize| report["proofs"][at]["dropped"].as_array().unwrap().len();
    assert_eq!((dropped(0), dropped(1)), (5, 0));
    let named = ["1 of 2 proofs was not made", "signed/a/signatures.json: signatures[0]: member"];
    run_in(&dir, &format!("{batch} --strict --force --out proofs")).expect(1, &named);
    assert_eq!(names(&dir.join("proofs")), ["b.json"]);
}
