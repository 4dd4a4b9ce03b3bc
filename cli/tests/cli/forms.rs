//! The forms in which committees and signatures come: lists, texts, tables; signers by number, by key, by address, or
//! unnamed.

use std::{fs, path::Path};

use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, write, write_text, Run};

fn read(dir: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(dir.join(name)).unwrap()).unwrap()
}

/// The root of a committee in a file of this text.
fn root(dir: &Path, text: &str, options: &str) -> Run {
    write_text(dir, "list", text);
    run_in(dir, &format!("root list {options}"))
}

/// Keys or addresses of a sample of three.
fn sample(dir: &Path, options: &str) -> Vec<String> {
    let line = format!("sample --signers 3 --signing 2 --seed forms --out . --force {options}");
    run_in(dir, &line).expect(0, &[]);
    let committee = read(dir, "committee.json");
    let members = committee["members"].as_array().unwrap().iter();
    let name = |member: &Value| member.get("address").unwrap_or(&member["public_key"]).clone();
    members.map(|member| name(member).as_str().unwrap().to_owned()).collect()
}

#[test]
fn committees_are_lists_too() {
    let dir = fixture().scratch("forms-lists");
    for (scheme, options) in
        [("ecdsa-secp256k1 --keys address", ""), ("ed25519", "--scheme ed25519")]
    {
        let names = sample(&dir, &format!("--scheme {scheme}"));
        let expected = run_in(&dir, "root committee.json").expect(0, &[]).stdout;
        let lines = names.join("\n");
        let quoted = format!(
            "\u{feff}public_key,weight\r\n\"{}\",1\r\n{},\"1\"\n\n{}\n",
            names[0], names[1], names[2]
        );
        let fields = json!([names[0], names[1], names[2]]).to_string();
        for text in [&lines, &quoted, &fields, &format!(" {lines}\n\n")] {
            let run = root(&dir, text, options).expect(0, &[]);
            assert_eq!(run.stdout, expected, "{text}");
        }
        let weighted: Vec<_> =
            names.iter().zip(2..).map(|(name, w)| format!("{name}, {w}")).collect();
        let run = root(&dir, &weighted.join("\n"), &format!("{options} --json")).expect(0, &[]);
        assert_eq!(run.json()["weight"], 9);
        // Members of an object, too.
        let mut committee = read(&dir, "committee.json");
        committee["members"] = json!(names);
        let run = root(&dir, &committee.to_string(), "").expect(0, &[]);
        assert_eq!(run.stdout, expected);
    }
    // What is written is a committee like any other.
    run_in(&dir, "root list --scheme ed25519 --out out.json").expect(0, &[]);
    run_in(&dir, "root out.json").expect(0, &[]);
}

#[test]
fn lists_that_are_none() {
    let dir = fixture().scratch("forms-bad");
    let names = sample(&dir, "--scheme ed25519");
    let key = &names[0];
    root(&dir, &names.join("\n"), "")
        .expect(2, &["list", "does not say", "muster root", "--scheme"]);
    let weigh = |weight: &str| format!("{key}\n{},{weight}", names[1]);
    let (huge, negative) = (weigh("340282366920938463463374607431768211456"), weigh("-1"));
    for (text, parts) in [
        ("hello", &["line 1", "neither JSON nor", "0x"][..]),
        ("\u{0}", &["line 1"]),
        (&format!("{key}\n0xgg"), &["line 2", "invalid character"]),
        (&format!("{key}\nkey,weight"), &["line 2"]),
        (&weigh("one"), &["line 2", "integer"]),
        (&weigh(""), &["line 2", "integer"]),
        (&weigh("1,1"), &["line 2", "integer"]),
        (&negative, &["line 2", "integer"]),
        (&huge, &["line 2", "2^128"]),
        (&weigh("0"), &["members[1].weight"]),
        (&format!("{key}\n{key}"), &["members[1].public_key", "same key"]),
        (&format!("{key}\n0x00"), &["members[1].public_key", "expected 32 bytes, found 1"]),
        ("[]", &["member"]),
        ("address,weight", &["member"]),
        ("[1]", &["[0]", "an object, or a key or an address in hex"]),
        ("[[1]]", &["[0]", "an object, or a key or an address in hex"]),
    ] {
        root(&dir, text, "--scheme ed25519").expect(2, &[&["list"], parts].concat());
    }
    fs::write(dir.join("list"), b"0x\xff").unwrap();
    run_in(&dir, "root list").expect(2, &["list", "not UTF-8"]);
}

/// Keys say of which scheme they are, so that a list is enough to prove.
#[test]
fn keys_know_the_scheme_of_a_list() {
    let dir = fixture().scratch("forms-keys");
    let names = sample(&dir, "--scheme schnorr-babyjubjub");
    write_text(&dir, "keys.txt", &names.join("\n"));
    let line = "keygen --scheme schnorr-babyjubjub --signers 3 --slots 2 --insecure-srs --out keys";
    run_in(&dir, line).expect(0, &[]);
    let prove = "prove --keys keys --committee keys.txt --signatures signatures.json --threshold 2";
    run_in(&dir, &format!("{prove} --out p.json")).expect(0, &[]);
    let root = run_in(&dir, "root --keys keys keys.txt").expect(0, &[]).stdout;
    assert_eq!(root, run_in(&dir, "root committee.json").stdout);
}

/// Verifies signatures, in a circuit that there is no room for: whoever does not count is named before that.
fn check(dir: &Path, signatures: &Value) -> Run {
    write(dir, "s.json", signatures);
    let files = "--committee committee.json --signatures s.json";
    run_in(dir, &format!("check {files} --threshold 2 --degree 4 --json"))
}

/// All of them count.
fn accepted(dir: &Path, signatures: &Value) {
    let run = check(dir, signatures).expect(2, &["does not fit 2^4 rows"]);
    assert!(run.json().get("dropped").is_none(), "{run:?}");
}

#[test]
fn signers_are_named_by_key() {
    let dir = fixture().scratch("forms-signers");
    for scheme in ["schnorr-babyjubjub", "ed25519", "ecdsa-secp256k1", "musig-babyjubjub"] {
        let names = sample(&dir, &format!("--scheme {scheme}"));
        let mut signatures = read(&dir, "signatures.json");
        if scheme == "musig-babyjubjub" {
            for member in signatures["aggregate"]["members"].as_array_mut().unwrap() {
                *member = names[member.as_u64().unwrap() as usize].clone().into();
            }
            accepted(&dir, &signatures);
            continue;
        }
        let list = signatures["signatures"].as_array_mut().unwrap();
        let member = list[0]["member"].as_u64().unwrap();
        list[0]["member"] = names[member as usize].clone().into();
        list[1]["member"] = list[1]["member"].to_string().into();
        accepted(&dir, &signatures);
        for stranger in ["0x", "0x00", &format!("0x{}", "11".repeat(500))] {
            signatures["signatures"][0]["member"] = json!(stranger);
            let run = check(&dir, &signatures).expect(1, &["is not in the set of 3 members"]);
            assert_eq!(run.json()["dropped"][0]["member"], Value::Null);
            assert!(run.stderr.len() < 500, "{run:?}");
        }
        for bad in [json!("alice"), json!("0xgg"), json!("-1"), json!("01"), json!(null)] {
            signatures["signatures"][0]["member"] = bad.clone();
            let code = if bad.is_null() && scheme == "ecdsa-secp256k1" { 1 } else { 2 };
            check(&dir, &signatures).expect(code, &["signatures[0]"]);
        }
    }
}

/// A signature with `v` tells whose it is, whether members are named by addresses or by keys.
#[test]
fn signers_of_ecdsa_need_no_name() {
    let dir = fixture().scratch("forms-recovered");
    let options = "--scheme ecdsa-secp256k1";
    let addresses = sample(&dir, &format!("{options} --keys address"));
    let by_address = read(&dir, "signatures.json");
    accepted(&dir, &by_address);
    let unnamed = |edit: &dyn Fn(&mut Value)| {
        let mut signatures = by_address.clone();
        for one in signatures["signatures"].as_array_mut().unwrap() {
            edit(one);
        }
        signatures
    };
    let nameless = unnamed(&|one| drop(one.as_object_mut().unwrap().remove("member")));
    let addressed = unnamed(&|one| {
        let member = one["member"].as_u64().unwrap() as usize;
        one["member"] = addresses[member].to_lowercase().into();
    });
    for signatures in [&nameless, &addressed] {
        accepted(&dir, signatures);
    }
    // The same keys, named by themselves.
    sample(&dir, options);
    for signatures in [&nameless, &addressed, &by_address] {
        accepted(&dir, signatures);
    }
    // On another message, they tell other keys; without v none.
    let mut other = nameless.clone();
    edit_hex(&mut other["message"], |bytes| bytes[0] ^= 1);
    check(&dir, &other).expect(1, &["signatures[0]: signer 0x", "is not in the set of 3 members"]);
    let mut short = nameless.clone();
    edit_hex(&mut short["signatures"][1]["signature"], |bytes| bytes.truncate(64));
    check(&dir, &short).expect(1, &["signatures[1]: it cannot be told", "found 64"]);
}

/// No struct of the code is named, and none can be written as a list.
#[test]
fn objects_are_objects() {
    let dir = fixture().scratch("forms-objects");
    let names = sample(&dir, "--scheme schnorr-babyjubjub");
    let (committee, signatures) = (read(&dir, "committee.json"), read(&dir, "signatures.json"));
    let line = "check --committee c.json --signatures s.json --threshold 2";
    for (edited, value) in [
        ("/signatures/0", json!([0, signatures["signatures"][0]["signature"]])),
        ("/signatures/0", json!(7)),
        ("", json!([null, signatures["message"], signatures["signatures"], null])),
        ("/signatures", json!({})),
    ] {
        let mut changed = signatures.clone();
        *changed.pointer_mut(edited).unwrap() = value;
        write(&dir, "c.json", &committee);
        write(&dir, "s.json", &changed);
        let run = run_in(&dir, line).expect(2, &["s.json", "expected a"]);
        assert!(!run.stderr.contains("Raw") && !run.stderr.contains("struct"), "{run:?}");
    }
    let mut changed = committee;
    changed["members"][0] = json!([names[0], null, 1]);
    write(&dir, "c.json", &changed);
    run_in(&dir, line).expect(2, &["c.json", "members[0]", "expected an object"]);
    write_text(&dir, "stakes.json", r#"["3", 1, "2"]"#);
    run_in(&dir, "dkg weights --stakes stakes.json").expect(0, &[]);
    write_text(&dir, "stakes.json", r#"["3", 1, -2]"#);
    run_in(&dir, "dkg weights --stakes stakes.json").expect(2, &["[2]", "an integer below 2^64"]);
}
