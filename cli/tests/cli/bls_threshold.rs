//! `muster bls-threshold`: a ceremony by files, cheaters, and files that are none.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{json, Value};

use crate::support::{edit_hex, names, run_in, write, write_text, Run};

/// A place of its own for a test, empty.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bls-threshold").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn run(dir: &Path, line: &str) -> Run {
    run_in(dir, &format!("bls-threshold {line}"))
}

fn read(dir: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(dir.join(name)).unwrap()).unwrap()
}

fn sign(dir: &Path, signers: impl IntoIterator<Item = usize>, message: &str) {
    for i in signers {
        let line =
            format!("sign --secret g/secret-{i}.json --message {message} --out s{i}.json --force");
        run(dir, &line).expect(0, &[&format!("signer {i}")]);
    }
}

/// 3 of 5, all of whom signed.
fn group(name: &str, options: &str) -> PathBuf {
    let dir = scratch(name);
    run(&dir, &format!("keygen --threshold 3 --signers 5 --out g {options}"))
        .expect(0, &["3 of 5"]);
    sign(&dir, 1..=5, "0x6869");
    dir
}

#[test]
fn a_threshold_signs() {
    for options in [
        "",
        "--identities roots-of-unity",
        "--suite bls12-381-min-pk",
        "--suite bn254 --identities roots-of-unity",
    ] {
        let dir = group("signs", options);
        let line = "aggregate --group g/group.json s5.json s1.json s3.json --out sig.json --json";
        let made = run(&dir, line).expect(0, &[]).json();
        assert_eq!(made["signers"], json!([1, 3, 5]));
        assert_eq!((&made["pairing_checks"], &made["bad"]), (&json!(1), &json!([])));
        let verify = "verify sig.json --group g/group.json";
        run(&dir, verify).expect(0, &["accepted", "0x6869"]);
        run(&dir, &format!("{verify} --message 0x6869")).expect(0, &[]);
        run(&dir, &format!("{verify} --message 0x00")).expect(1, &["sig.json", "message"]);
        run(&dir, "verify s2.json --share --group g/group.json").expect(0, &["signer 2"]);
    }
}

#[test]
fn secrets_are_for_their_owners() {
    let dir = group("owners", "");
    let expected = ["group.json", "secret-1.json", "secret-2.json", "secret-3.json"];
    assert_eq!(names(&dir.join("g"))[..4], expected);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name| fs::metadata(dir.join("g").join(name)).unwrap().permissions().mode();
        assert_eq!(mode("secret-1.json") & 0o777, 0o600);
        assert_ne!(mode("group.json") & 0o777, 0o600);
    }
    let again = "keygen --threshold 1 --signers 1 --out g";
    run(&dir, again).expect(2, &["group.json", "--force"]);
    let again = "sign --secret g/secret-1.json --message 0x --out s1.json";
    run(&dir, again).expect(2, &["s1.json", "--force"]);
    run(&dir, &format!("{again} --force --group g/group.json")).expect(0, &[]);
    // Another group's secret.
    run(&dir, "keygen --threshold 3 --signers 5 --out h").expect(0, &[]);
    let other = "sign --secret h/secret-1.json --group g/group.json --message 0x --out o.json";
    run(&dir, other).expect(2, &["h/secret-1.json", "signer 1"]);
}

#[test]
fn cheaters_are_named() {
    let dir = group("cheaters", "");
    // Signers 2 and 4 signed something else, and say that it is this.
    for i in [2, 4] {
        sign(&dir, [i], "0x00");
        let name = format!("s{i}.json");
        let mut share = read(&dir, &name);
        share["message"] = json!("0x6869");
        write(&dir, &name, &share);
    }
    let all = "aggregate --group g/group.json --force --out sig.json";
    let run_all = run(&dir, &format!("{all} s1.json s2.json s3.json s4.json s5.json --json"));
    let run_all = run_all.expect(0, &["warning: left out the bad shares of signers 2, 4"]);
    assert_eq!(run_all.json()["bad"], json!([2, 4]));
    assert_eq!(run_all.json()["signers"], json!([1, 3, 5]));
    run(&dir, "verify sig.json --group g/group.json").expect(0, &[]);
    let few = run(&dir, &format!("{all} s1.json s2.json s3.json s4.json"));
    few.expect(
        1,
        &["rejected", "bad shares of signers 2, 4", "2 good shares, but the threshold is 3"],
    );
    let share = "verify s4.json --share --group g/group.json";
    run(&dir, share).expect(1, &["rejected", "s4.json", "signer 4"]);
    // A share that is no point of the group, and one of another message than the one given.
    let mut share = read(&dir, "s2.json");
    share["signature"] = json!(format!("0xc0{}", "00".repeat(47)));
    write(&dir, "s2.json", &share);
    let mut share = read(&dir, "s4.json");
    share["message"] = json!("0x00");
    write(&dir, "s4.json", &share);
    let given = format!("{all} --message 0x6869");
    let left = run(&dir, &format!("{given} s2.json s1.json s3.json s4.json s5.json --json"));
    let left = left.expect(0, &["warning: left out the bad shares of signers 2, 4"]);
    assert_eq!(left.json()["bad"], json!([2, 4]));
    let few = run(&dir, &format!("{given} s1.json s2.json s3.json"));
    few.expect(
        1,
        &["rejected", "bad shares of signers 2", "2 good shares, but the threshold is 3"],
    );
}

#[test]
fn files_of_different_messages_blame_nobody() {
    let dir = group("messages", "");
    let all = "aggregate --group g/group.json --force --out sig.json";
    // One forged file, in each place that it may have.
    sign(&dir, [1], "0x00");
    for files in ["s1.json s2.json s3.json s4.json", "s2.json s3.json s1.json s4.json"] {
        let refused = run(&dir, &format!("{all} {files}"));
        let refused = refused.expect(2, &["different messages", "--message"]);
        assert!(!refused.stderr.contains("bad share"), "{refused:?}");
        // No majority decides, not even with the shares of a threshold.
        assert!(!dir.join("sig.json").exists());
    }
    let files = "s1.json s2.json s3.json s4.json";
    run(&dir, &format!("{all} {files} --message 0x6869"))
        .expect(0, &["warning: left out the bad shares of signers 1"]);
    // A file's message counts even if its signature is none.
    let mut share = read(&dir, "s1.json");
    share["signature"] = json!(format!("0xc0{}", "00".repeat(47)));
    write(&dir, "s1.json", &share);
    run(&dir, &format!("{all} {files}")).expect(2, &["different messages"]);
    share["message"] = json!("0x6869");
    write(&dir, "s1.json", &share);
    run(&dir, &format!("{all} {files}"))
        .expect(0, &["warning: left out the bad shares of signers 1"]);
}

#[test]
fn shares_that_do_not_go_together() {
    let dir = group("together", "");
    let aggregate =
        |rest: &str| run(&dir, &format!("aggregate --group g/group.json --out sig.json {rest}"));
    aggregate("s1.json s2.json").expect(1, &["rejected", "2 good shares, but the threshold is 3"]);
    aggregate("s1.json s2.json s1.json").expect(2, &["s1.json", "signer", "the same"]);
    let other = aggregate("s1.json s2.json s3.json --message 0x00");
    other.expect(1, &["rejected", "bad shares of signers 1, 2, 3"]);
    aggregate("").expect(2, &["SHARE"]);
    for (signer, reason) in [(0, "counted from 1"), (6, "the committee has only 5")] {
        let mut share = read(&dir, "s3.json");
        share["signer"] = json!(signer);
        let file = write(&dir, "odd.json", &share);
        let line = format!("s1.json s2.json {file}");
        aggregate(&line).expect(2, &["odd.json: signer", reason]);
    }
    sign(&dir, [3], "0x6a6a");
    aggregate("s1.json s2.json s3.json").expect(2, &["s1.json and s3.json", "--message"]);
    assert!(!dir.join("sig.json").exists());

    let other = group("other-suite", "--suite bn254");
    let share = other.join("s1.json");
    aggregate(&format!("s1.json s2.json {}", share.display())).expect(2, &["suite", "bn254"]);
}

#[test]
fn files_that_are_none() {
    let dir = group("malformed", "");
    run(&dir, "aggregate --group g/group.json --out sig.json s1.json s2.json s3.json")
        .expect(0, &[]);
    let share = |edit: &dyn Fn(&mut Value)| {
        let mut value = read(&dir, "s1.json");
        edit(&mut value);
        write(&dir, "bad.json", &value);
        run(&dir, "verify bad.json --share --group g/group.json")
    };
    share(&|v| v["signature"] = json!("0x00")).expect(2, &["bad.json: signature", "1 bytes"]);
    share(&|v| v["signature"] = json!("00")).expect(2, &["bad.json: signature", "0x"]);
    share(&|v| v["message"] = json!("0xz")).expect(2, &["bad.json: message"]);
    share(&|v| v["more"] = json!(1)).expect(2, &["bad.json", "more"]);
    share(&|v| v["signer"] = json!(-1)).expect(2, &["bad.json: signer"]);
    share(&|v| v["suite"] = json!("bls")).expect(2, &["bad.json: suite"]);
    let infinity = format!("0xc0{}", "00".repeat(47));
    share(&|v| v["signature"] = json!(infinity)).expect(1, &["bad.json", "identity"]);
    // x = 4 is on the curve and not in the subgroup.
    let outside = format!("0x80{}04", "00".repeat(46));
    share(&|v| v["signature"] = json!(outside)).expect(1, &["bad.json", "subgroup"]);
    share(&|v| edit_hex(&mut v["signature"], |bytes| bytes[47] ^= 1)).expect(1, &["bad.json"]);

    let group = |edit: &dyn Fn(&mut Value)| {
        let mut value = read(&dir, "g/group.json");
        edit(&mut value);
        write(&dir, "bad-group.json", &value);
        run(&dir, "verify sig.json --group bad-group.json")
    };
    group(&|v| v["threshold"] = json!(0)).expect(2, &["bad-group.json: threshold", "0 of 5"]);
    group(&|v| v["threshold"] = json!(6)).expect(2, &["bad-group.json: threshold", "6 of 5"]);
    group(&|v| v["signers"] = json!([])).expect(2, &["bad-group.json: signers"]);
    group(&|v| v["signers"][2] = json!("0x")).expect(2, &["bad-group.json: signers[2]"]);
    let infinity = format!("0xc0{}", "00".repeat(95));
    group(&|v| v["public_key"] = json!(infinity))
        .expect(2, &["bad-group.json: public_key", "identity"]);
    // Keys that do not belong together, and a whole group that is another one.
    let other = read(&dir, "g/group.json")["signers"][0].clone();
    let wrong = |edit: &dyn Fn(&mut Value)| {
        group(edit).expect(2, &["bad-group.json: these are not the keys of a group"]);
    };
    wrong(&|v| v["public_key"] = other.clone());
    wrong(&|v| v["signers"][4] = other.clone());
    wrong(&|v| v["threshold"] = json!(2));
    run(&dir, "keygen --threshold 3 --signers 5 --out h").expect(0, &[]);
    let whole = read(&dir, "h/group.json");
    wrong(&|v| v["signers"][3] = whole["signers"][3].clone());
    wrong(&|v| v["identities"] = json!("roots-of-unity"));
    group(&|v| *v = whole.clone()).expect(1, &["sig.json", "not the group's"]);

    let secret = |edit: &dyn Fn(&mut Value)| {
        let mut value = read(&dir, "g/secret-1.json");
        edit(&mut value);
        write(&dir, "bad-secret.json", &value);
        run(&dir, "sign --secret bad-secret.json --message 0x --out never.json")
    };
    let zero = format!("0x{}", "00".repeat(32));
    secret(&|v| v["secret"] = json!(zero)).expect(2, &["bad-secret.json: secret", "zero"]);
    let large = format!("0x{}", "ff".repeat(32));
    secret(&|v| v["secret"] = json!(large)).expect(2, &["bad-secret.json: secret"]);
    secret(&|v| v["signer"] = json!(0)).expect(2, &["bad-secret.json: signer"]);
    assert!(!dir.join("never.json").exists());

    write_text(&dir, "empty.json", "");
    for line in ["verify empty.json --group g/group.json", "verify sig.json --group empty.json"] {
        run(&dir, line).expect(2, &["empty.json", "empty"]);
    }
    run(&dir, "verify nowhere.json --group g/group.json").expect(2, &["nowhere.json"]);
}

/// A player with several shares: a directory of its secrets, and one file of all it signs.
#[test]
fn several_shares_in_one_file() {
    let dir = group("several", "");
    let player = |name: &str, signers: &[usize]| {
        fs::create_dir(dir.join(name)).unwrap();
        fs::copy(dir.join("g/group.json"), dir.join(name).join("group.json")).unwrap();
        for i in signers {
            let file = format!("secret-{i}.json");
            fs::copy(dir.join("g").join(&file), dir.join(name).join(&file)).unwrap();
        }
    };
    player("p", &[4, 2]);
    let sign = "sign --message 0x6869 --shares";
    let made = run(&dir, &format!("{sign} p --out p.json --json")).expect(0, &[]).json();
    assert_eq!(made["signers"], json!([2, 4]));
    let verify = "verify p.json --share --group g/group.json";
    run(&dir, verify).expect(0, &["accepted", "signers 2, 4"]);
    let aggregate = "aggregate --group g/group.json --force --out sig.json --json";
    let all = run(&dir, &format!("{aggregate} s1.json p.json")).expect(0, &[]).json();
    assert_eq!((&all["signers"], &all["pairing_checks"]), (&json!([1, 2, 4]), &json!(1)));
    // The list of one share is written as a share is.
    player("single", &[3]);
    run(&dir, &format!("{sign} single --out single.json")).expect(0, &["share of signer 3"]);
    assert_eq!(read(&dir, "single.json"), read(&dir, "s3.json"));

    // One of two is bad: it is named, and the other one counts.
    let mut bad = read(&dir, "p.json");
    bad["shares"][1]["signature"] = bad["shares"][0]["signature"].clone();
    write(&dir, "bad.json", &bad);
    run(&dir, "verify bad.json --share --group g/group.json")
        .expect(1, &["bad.json", "not that of signer 4"]);
    let left = run(&dir, &format!("{aggregate} bad.json s1.json s3.json"));
    let left = left.expect(0, &["left out the bad shares of signers 4"]).json();
    assert_eq!((&left["signers"], &left["bad"]), (&json!([1, 2, 3]), &json!([4])));
    bad["shares"][1]["signature"] = json!(format!("0xc0{}", "00".repeat(47)));
    write(&dir, "bad.json", &bad);
    run(&dir, "verify bad.json --share --group g/group.json")
        .expect(1, &["bad.json", "shares[1].signature"]);
    run(&dir, &format!("{aggregate} bad.json s1.json s3.json")).expect(0, &["of signers 4"]);
    run(&dir, &format!("{aggregate} p.json s2.json s1.json")).expect(2, &["s2.json", "the same"]);
    bad["shares"][1] = bad["shares"][0].clone();
    write(&dir, "bad.json", &bad);
    for line in
        [format!("{aggregate} bad.json"), verify.replace("verify p.json", "verify bad.json")]
    {
        run(&dir, &line).expect(2, &["bad.json: shares[1].signer"]);
    }
    for (field, value) in [("shares", json!([])), ("signer", json!(1))] {
        let mut odd = read(&dir, "p.json");
        odd[field] = value;
        write(&dir, "odd.json", &odd);
        run(&dir, &verify.replace("verify p.json", "verify odd.json"))
            .expect(2, &["odd.json", "`shares`"]);
    }

    // Secrets that are not the group's, or of nobody.
    run(&dir, "keygen --threshold 3 --signers 5 --out h").expect(0, &[]);
    fs::copy(dir.join("h/secret-2.json"), dir.join("p/secret-2.json")).unwrap();
    run(&dir, &format!("{sign} p --out never.json")).expect(2, &["p/secret-2.json", "signer 2"]);
    fs::copy(dir.join("g/secret-4.json"), dir.join("p/secret-2.json")).unwrap();
    run(&dir, &format!("{sign} p --out never.json")).expect(2, &["secret-4.json", "the same"]);
    player("empty", &[]);
    run(&dir, &format!("{sign} empty --out never.json")).expect(2, &["empty", "no secrets"]);
    run(&dir, "sign --message 0x --out never.json").expect(2, &["--secret"]);
    assert!(!dir.join("never.json").exists());
}

#[test]
fn arguments_that_make_no_sense() {
    let dir = scratch("arguments");
    for (line, part) in [
        ("keygen --threshold 0 --signers 3 --out g", "threshold"),
        ("keygen --threshold 4 --signers 3 --out g", "4 of 3"),
        ("keygen --threshold 1 --signers 0 --out g", "--signers"),
        ("keygen --threshold 1 --signers 65537 --out g", "--signers"),
        ("keygen --threshold 1 --signers 1 --identities random --out g", "roots-of-unity"),
        ("keygen --threshold 1 --signers 1 --suite ed25519 --out g", "bn254"),
        ("sweep --t 3 --out g", "not a power of two"),
        ("sweep --t 2^1 --threads x --out g", "--threads"),
    ] {
        run(&dir, line).expect(2, &[part]);
    }
    assert_eq!(names(&dir), [""; 0]);
}

#[test]
fn a_sweep_goes_on_where_it_ended() {
    let dir = scratch("sweep");
    let sweep = "sweep --repeat 1 --out r";
    run(&dir, &format!("{sweep} --t 2^1..2^3 --naive-limit 0.0000009")).expect(0, &["2^3"]);
    assert_eq!(
        names(&dir.join("r")),
        ["results.csv", "results.html", "results.json", "results.svg"]
    );
    let before = read(&dir, "r/results.json");
    assert_eq!(before["rows"].as_array().unwrap().len(), 6);
    assert!(before["rows"][0]["naive_aggregate_s"].is_number());
    assert!(before["rows"][2]["naive_aggregate_s"].is_null());
    run(&dir, &format!("{sweep} --t 2^1")).expect(2, &["results.json", "--resume"]);
    let more = format!("{sweep} --t 2^3..2^4 --identities consecutive --resume --json");
    let run_more = run(&dir, &more).expect(0, &["1 rows are finished, 1 are to be run"]);
    let rows = run_more.json()["rows"].as_array().unwrap().len();
    assert_eq!(rows, 7);
    let csv = fs::read_to_string(dir.join("r/results.csv")).unwrap();
    let lines: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 8);
    assert!(lines.iter().all(|line| line.split(',').count() == 15), "{lines:?}");
    let svg = fs::read_to_string(dir.join("r/results.svg")).unwrap();
    for words in ["naive", "roots-of-unity", "consecutive", "Lagrange", "2^3"] {
        assert!(svg.contains(words), "{words}");
    }
}

/// A signature that was made with another tag says so.
#[test]
fn another_tag_is_named() {
    let dir = scratch("tag");
    let keygen = "keygen --threshold 1 --signers 1 --suite bls12-381-min-pk --out g";
    run(&dir, keygen).expect(0, &[]);
    let secret = read(&dir, "g/secret-1.json");
    let secret = hex::decode(&secret["secret"].as_str().unwrap()[2..]).unwrap();
    let secret = blst::min_pk::SecretKey::from_bytes(&secret).unwrap();
    let signed = secret.sign(b"hi", b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_", &[]);
    let signature = format!("0x{}", hex::encode(signed.to_bytes()));
    let key = read(&dir, "g/group.json")["public_key"].clone();
    let suite = "bls12-381-min-pk";
    let file = json!({ "suite": suite, "message": "0x6869", "public_key": key,
        "signature": signature, "signers": [1] });
    write(&dir, "s.json", &file);
    let named = "POP_, that of the hash pop it is";
    run(&dir, "verify s.json --group g/group.json").expect(1, &["not that of the group", named]);
    let share = json!({ "suite": suite, "message": "0x6869", "signer": 1, "signature": signature });
    write(&dir, "share.json", &share);
    let line = "verify share.json --share --group g/group.json";
    run(&dir, line).expect(1, &["not that of signer 1", named]);
}
