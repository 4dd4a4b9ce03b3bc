//! Schemes over secp256k1 and P-256: files, choices, and what is refused by name.

use std::{fs, sync::OnceLock};

use muster_testing::sampled;
use num_bigint::BigUint;
use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, write, Run};

/// Names of directories, and the options that make them.
const KINDS: [(&str, &str); 4] = [
    ("ecdsa", "ecdsa-secp256k1"),
    ("address", "ecdsa-secp256k1 --keys address"),
    ("p256", "ecdsa-p256"),
    ("bip340", "schnorr-secp256k1"),
];
/// Orders of the groups.
const SECP256K1: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
const P256: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

/// Samples of all kinds with 4 members of which 2 sign.
fn samples() {
    static SAMPLES: OnceLock<()> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        for (name, scheme) in KINDS {
            let line = format!(
                "sample --scheme {scheme} --signers 4 --signing 2 --seed cli --with-secrets --out {name}"
            );
            fixture().run(&line).expect(0, &["4 members"]);
        }
    });
}

fn check_files(committee: &str, signatures: &str, options: &str) -> Run {
    let line = format!(
        "check --committee {committee} --signatures {signatures} --threshold 2 --json {options}"
    );
    fixture().run(&line)
}

/// Checks a sample whose file of signatures was edited.
fn check(kind: &str, test: &str, options: &str, edit: impl FnOnce(&mut Value)) -> Run {
    samples();
    let mut signatures = fixture().json(&format!("{kind}/signatures.json"));
    edit(&mut signatures);
    let file = write(&fixture().scratch(&format!("foreign-{test}")), "s.json", &signatures);
    check_files(&format!("{kind}/committee.json"), &file, options)
}

/// Checks a sample whose committee was edited.
fn check_committee(kind: &str, test: &str, edit: impl FnOnce(&mut Value)) -> Run {
    samples();
    let mut committee = fixture().json(&format!("{kind}/committee.json"));
    edit(&mut committee);
    let file = write(&fixture().scratch(&format!("foreign-{test}")), "c.json", &committee);
    check_files(&file, &format!("{kind}/signatures.json"), "")
}

/// The member who signed first.
fn first(kind: &str) -> String {
    samples();
    format!(
        "member {}",
        fixture().json(&format!("{kind}/signatures.json"))["signatures"][0]["member"]
    )
}

/// (r, s) becomes (r, n - s), and the recovery byte that of the other point.
fn negate(order: &'static str) -> impl Fn(&mut Vec<u8>) {
    move |bytes| {
        let order = BigUint::parse_bytes(order.as_bytes(), 16).unwrap();
        let s = (order - BigUint::from_bytes_be(&bytes[32..64])).to_bytes_be();
        bytes[32..64].fill(0);
        bytes[64 - s.len()..64].copy_from_slice(&s);
        bytes.get_mut(64).into_iter().for_each(|v| *v = 55 - *v);
    }
}

#[test]
fn samples_of_all_kinds_are_accepted() {
    for (kind, scheme) in sampled(KINDS, 2) {
        let report = check(kind, "accepted", "", |_| {}).expect(0, &[]).json();
        let name = scheme.split(' ').next().unwrap();
        assert_eq!(report["shape"]["scheme"], name);
        assert_eq!(report["shape"]["mode"], "path");
        assert_eq!(
            report["message"],
            fixture().json(&format!("{kind}/signatures.json"))["message"]
        );
        let secrets = fixture().json(&format!("{kind}/secrets.json"));
        assert_eq!(secrets["secret_keys"].as_array().unwrap().len(), 4);
        // The same again, and the committee again without what may be left out.
        let out = fixture().scratch("foreign-again");
        let line = format!(
            "sample --scheme {scheme} --signers 4 --signing 2 --seed cli --out {}",
            out.display()
        );
        fixture().run(&line).expect(0, &[]);
        for file in ["committee.json", "signatures.json"] {
            let both = [out.join(file), fixture().dir.join(kind).join(file)];
            let [again, before] = both.map(|path| fs::read(path).unwrap());
            assert_eq!(again, before, "{kind}/{file}");
        }
    }
    let report = check("address", "accepted", "", |_| {}).json();
    assert_eq!(
        (&report["shape"]["keys"], &report["shape"]["rule"]),
        (&json!("address"), &json!("low-s"))
    );
    let report = check("p256", "accepted", "--rule low-s", |_| {}).expect(0, &[]).json();
    assert_eq!(report["shape"]["rule"], "low-s");
    assert!(report["shape"].get("keys").is_none());
}

#[test]
fn a_digest_is_any_32_bytes() {
    let digest = format!("0x{}", "ff".repeat(32));
    let dir = fixture().scratch("foreign-digest");
    let out = dir.join("sample");
    let line = "sample --scheme ecdsa-p256 --signers 2 --signing 1";
    fixture()
        .run(&format!("{line} --message {digest} --out {}", out.display()))
        .expect(0, &[&digest]);
    let out = out.display();
    fixture()
        .run(&format!(
            "check --committee {out}/committee.json --signatures {out}/signatures.json --threshold 1"
        ))
        .expect(0, &[&digest]);
    for bad in ["0xff", "hello", &format!("{digest}00")] {
        let line = format!("{line} --message {bad} --out {}", dir.join("bad").display());
        fixture().run(&line).expect(2, &["--message"]);
    }
    // Where a field element is signed it is one as before.
    let line = "sample --scheme schnorr-babyjubjub --signers 2 --signing 1";
    let line = format!("{line} --message {digest} --out {}", dir.join("bad").display());
    fixture().run(&line).expect(2, &["--message", "modulus"]);
    check("ecdsa", "digest", "", |s| s["message"] = json!("0xff"))
        .expect(2, &["message", "32 bytes"]);
}

#[test]
fn committees_that_break_a_rule() {
    let key = |place: usize, value: &str| {
        let value = value.to_owned();
        move |c: &mut Value| c["members"][place]["public_key"] = json!(value)
    };
    let zeros = "00".repeat(32);
    for (kind, bytes, rule) in [
        ("ecdsa", format!("0x02{}", "ff".repeat(32)), "not below the prime"),
        ("ecdsa", format!("0x02{}05", "00".repeat(31)), "not on the curve"),
        ("ecdsa", format!("0x04{zeros}{zeros}"), "identity"),
        ("ecdsa", format!("0x05{zeros}"), "starts with the byte 0x05"),
        ("ecdsa", format!("0x{zeros}"), "33 or 65 bytes"),
        ("p256", "0x00".to_owned(), "identity"),
        ("bip340", format!("0x{}05", "00".repeat(31)), "not on the curve"),
        ("bip340", format!("0x{}", "ff".repeat(32)), "not below the prime"),
        ("bip340", format!("0x02{zeros}"), "expected 32 bytes, found 33"),
    ] {
        check_committee(kind, "keys", key(2, &bytes)).expect(2, &["members[2].public_key", rule]);
    }
    check_committee("ecdsa", "keys", |c| c["members"][3] = c["members"][0].clone())
        .expect(2, &["members[3].public_key", "same key"]);
    check_committee("ecdsa", "keys", |c| c["members"][1] = json!({ "address": "0x00" }))
        .expect(2, &["members[1]", "unknown field `address`"]);
    check_committee("ecdsa", "keys", |c| c["members"][1]["address"] = json!("0x00"))
        .expect(2, &["members[1]", "address"]);
    check_committee("p256", "keys", |c| c["keys"] = json!("address"))
        .expect(2, &["keys", "address"]);
    check_committee("ecdsa", "keys", |c| c["keys"] = json!("names")).expect(2, &["keys"]);
    // Keys of one scheme as those of another.
    check_committee("ecdsa", "keys", |c| c["scheme"] = json!("schnorr-babyjubjub"))
        .expect(2, &["members[0].public_key"]);
}

#[test]
fn addresses_that_break_a_rule() {
    let set = |text: String| move |c: &mut Value| c["members"][2]["address"] = json!(text);
    samples();
    let good = fixture().json("address/committee.json")["members"][2]["address"].clone();
    let good = good.as_str().unwrap().to_owned();
    let swapped =
        |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let swapped: String = good[2..].chars().map(swapped).collect();
    for (text, rule) in [
        (format!("0x{}", "00".repeat(20)), "zero"),
        (format!("0x{swapped}"), "checksum"),
        (good[..40].to_owned(), "40 hexadecimal digits"),
        (good[2..].to_owned(), "40 hexadecimal digits"),
    ] {
        check_committee("address", "addresses", set(text)).expect(2, &["members[2].address", rule]);
    }
    check_committee("address", "addresses", set(good.to_lowercase())).expect(0, &[]);
    check_committee("address", "addresses", |c| c["members"][3] = c["members"][0].clone())
        .expect(2, &["members[3].address", "same key"]);
    check_committee("address", "addresses", |c| drop(c.as_object_mut().unwrap().remove("keys")))
        .expect(2, &["members[0]", "unknown field `address`"]);
    // Somebody else's address.
    let signer = first("address");
    let index: usize = signer.split(' ').nth(1).unwrap().parse().unwrap();
    let other = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    let edit = |c: &mut Value| c["members"][index]["address"] = json!(other);
    check_committee("address", "addresses", edit)
        .expect(1, &["rejected", &signer, "the signature is by 0x", other]);
}

#[test]
fn signatures_whose_bytes_break_a_rule() {
    let signature = |edit: fn(&mut Vec<u8>)| {
        move |s: &mut Value| edit_hex(&mut s["signatures"][0]["signature"], edit)
    };
    for (kind, expected) in [("ecdsa", 64), ("address", 65), ("p256", 64), ("bip340", 64)] {
        let (field, place) = ("signatures[0].signature", "signatures[0]: ");
        let longer = format!("expected {expected} bytes, found {}", expected + 1);
        if kind != "ecdsa" {
            // There, one byte more is v.
            check(kind, "bytes", "", signature(|b| b.push(0))).expect(1, &[place, &longer]);
        }
        let shorter = format!("expected {expected} bytes, found {}", expected - 1);
        check(kind, "bytes", "", signature(|b| b.truncate(b.len() - 1)))
            .expect(1, &[place, &shorter]);
        check(kind, "bytes", "", |s| s["signatures"][0]["signature"] = json!("0x0g"))
            .expect(2, &[field]);
        let signer = first(kind);
        let parts = ["rejected", place, &signer];
        let rule = if kind == "bip340" { "s is not below" } else { "s is not between" };
        check(kind, "bytes", "", signature(|b| b[32..64].fill(0xff)))
            .expect(1, &[&parts[..], &[rule]].concat());
        let rule = if kind == "bip340" { "nonce commitment R" } else { "r is not between" };
        check(kind, "bytes", "", signature(|b| b[..32].fill(0xff)))
            .expect(1, &[&parts[..], &[rule]].concat());
    }
    check("ecdsa", "bytes", "", signature(|b| b[32..64].fill(0))).expect(1, &["s is not between"]);
    check("address", "bytes", "", signature(|b| b[64] = 4)).expect(1, &["recovery byte is 4"]);
    check("ecdsa", "bytes", "", signature(|b| b.push(4))).expect(1, &["recovery byte is 4"]);
    // Both ways to write v.
    check("address", "bytes", "", signature(|b| b[64] -= 27)).expect(0, &[]);
}

#[test]
fn the_rule_on_s() {
    for (kind, order) in [("ecdsa", SECP256K1), ("address", SECP256K1), ("p256", P256)] {
        let high = |s: &mut Value| edit_hex(&mut s["signatures"][0]["signature"], negate(order));
        let signer = first(kind);
        check(kind, "rule", "--rule low-s", high)
            .expect(1, &["rejected", &signer, "s is above n/2"]);
        check(kind, "rule", "--rule any-s", high).expect(0, &[]);
    }
    let high = |s: &mut Value| edit_hex(&mut s["signatures"][0]["signature"], negate(SECP256K1));
    check("ecdsa", "rule", "", high).expect(1, &["s is above n/2"]);
    let high = |s: &mut Value| edit_hex(&mut s["signatures"][0]["signature"], negate(P256));
    check("p256", "rule", "", high).expect(0, &[]);
}

#[test]
fn signatures_that_do_not_verify_and_signers_that_do_not_count() {
    for (kind, _) in KINDS {
        let signer = first(kind);
        let rule = if kind == "address" { "the signature is by 0x" } else { "equation" };
        check(kind, "verdict", "", |s| edit_hex(&mut s["message"], |b| b[31] ^= 1))
            .expect(1, &["rejected", &signer, rule]);
        check(kind, "verdict", "", |s| s["signatures"][1] = s["signatures"][0].clone())
            .expect(1, &["rejected", "signs twice"]);
        check(kind, "verdict", "", |s| s["signatures"][1]["member"] = json!(4))
            .expect(1, &["signer 4 is not in the set of 4 members"]);
        check(kind, "verdict", "", |s| drop(s["signatures"].as_array_mut().unwrap().pop()))
            .expect(1, &["weigh 1, below the threshold 2"]);
        let files =
            format!("--committee {kind}/committee.json --signatures {kind}/signatures.json");
        fixture().run(&format!("check {files} --threshold 0")).expect(1, &["threshold 0"]);
    }
}

#[test]
fn choices_that_a_scheme_does_not_have() {
    samples();
    let keygen = "keygen --signers 4 --slots 2 --insecure-srs --out never";
    for (options, reason) in [
        ("--scheme ecdsa-p256 --keys address", "--keys"),
        ("--scheme schnorr-secp256k1 --rule low-s", "--rule"),
        ("--scheme schnorr-babyjubjub --rule any-s", "--rule"),
        ("--scheme eddsa-babyjubjub --keys address", "--keys"),
        ("--scheme ecdsa-secp256k1 --rule best", "--rule"),
    ] {
        fixture().run(&format!("{keygen} {options}")).expect(2, &[reason]);
    }
    assert!(!fixture().dir.join("never").exists());
    let sample = "sample --scheme ecdsa-p256 --keys address --signers 4 --signing 2 --out never";
    fixture().run(sample).expect(2, &["--keys"]);
    let sweep = "sweep --scheme ecdsa-p256 --keys address --case 1/2 --out never";
    fixture().run(sweep).expect(2, &["--keys"]);
}

/// From keys to a verdict, with four public inputs.
#[test]
fn a_proof_with_a_digest() {
    samples();
    let keygen = "keygen --scheme ecdsa-secp256k1 --keys address --signers 4 --slots 2";
    fixture()
        .run(&format!("{keygen} --insecure-srs --out address-keys"))
        .expect(0, &["by address, low-s"]);
    let prove = "prove --keys address-keys --threshold 2 --out address-proof.json";
    let files = |kind: &str| {
        format!("--committee {kind}/committee.json --signatures {kind}/signatures.json")
    };
    fixture().run(&format!("{prove} {}", files("ecdsa"))).expect(2, &["keys", "coordinates"]);
    fixture().run(&format!("{prove} {}", files("p256"))).expect(2, &["scheme"]);
    let root = "root --keys address-keys";
    fixture().run(&format!("{root} ecdsa/committee.json")).expect(2, &["keys", "coordinates"]);
    fixture().run(&format!("{prove} {}", files("address"))).expect(0, &[]);
    let proof = fixture().json("address-proof.json");
    let message = fixture().json("address/signatures.json")["message"].as_str().unwrap().to_owned();
    let halves =
        [&message[2..34], &message[34..]].map(|half| format!("0x{}{half}", "0".repeat(32)));
    let inputs = proof["public_inputs"].as_array().unwrap();
    assert_eq!(inputs.len(), 4);
    assert_eq!(inputs[2..], halves.map(Value::from));
    let verify = "verify --unchecked --keys address-keys";
    fixture()
        .run(&format!("{verify} address-proof.json --threshold 2 --message {message}"))
        .expect(0, &["accepted", &message, "by address, low-s"]);
    let other = format!("0x{}", "11".repeat(32));
    fixture()
        .run(&format!("{verify} address-proof.json --message {other}"))
        .expect(1, &["rejected", "about the message", &message, &other]);
    let dir = fixture().scratch("foreign-proof");
    let edited = |name: &str, edit: fn(&mut Value)| {
        let mut proof = proof.clone();
        edit(&mut proof);
        fixture().run(&format!("{verify} {}", write(&dir, name, &proof)))
    };
    edited("three.json", |p| drop(p["public_inputs"].as_array_mut().unwrap().pop()))
        .expect(2, &["public_inputs", "expected 4, found 3"]);
    edited("half.json", |p| edit_hex(&mut p["public_inputs"][3], |b| b[15] = 1))
        .expect(1, &["not below 2^128"]);
    edited("low.json", |p| edit_hex(&mut p["public_inputs"][3], |b| b[31] ^= 1))
        .expect(1, &["does not hold"]);
    edited("rule.json", |p| p["shape"]["rule"] = json!("any-s")).expect(1, &["shape"]);
}
