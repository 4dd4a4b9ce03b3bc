//! Ed25519: bytes that all sign, and precommits with a time of each signer's own.

use muster_schemes::hash::sha256::sha256;
use muster_testing::sampled;
use serde_json::{json, Value};

use crate::support::{edit_hex, fixture, run_in, write, Run};

/// An approval of NEAR: a zero, a hash, and a height.
const APPROVAL: &str =
    "0x0011111111111111111111111111111111111111111111111111111111111111112a00000000000000";

fn read(dir: &std::path::Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

/// The key of case 3 of "Taming the many EdDSAs" (ePrint 2020/1244): not in the subgroup, nor of small order.
const MIXED_ORDER: &str = "0xf7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43";
/// y = 3 + p.
const NON_CANONICAL: &str = "0xf0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f";

#[test]
fn bytes_that_all_sign() {
    let dir = fixture().scratch("ed25519");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme ed25519 --signers 3";
    run(&format!("sample {scheme} --signing 2 --message {APPROVAL} --seed cli --out ."))
        .expect(0, &["3 members", APPROVAL]);
    let files = "--committee committee.json --signatures signatures.json --threshold 2";
    for rule in sampled(["zip215", "rfc8032", "strict"], 3) {
        let check = format!("check {files} --rule {rule} --message-form sha256:41");
        run(&check).expect(0, &["accepted", rule, "sha256:41"]);
    }
    run(&format!("check {files} --message-form sha256:40")).expect(2, &["41 bytes", "at most 40"]);
    run(&format!("check {files} --message-form public")).expect(2, &["--message-form", "ed25519"]);
    run(&format!("check {files} --message-form sha256:041")).expect(2, &["sha256:N"]);
    run(&format!("check {files} --rule low-s")).expect(2, &["--rule", "low-s"]);
    run(&format!("check {files} --message-form cometbft-precommit")).expect(2, &["160"]);
    let keys = format!("{scheme} --slots 2 --message-form sha256:41 --insecure-srs --out keys");
    run(&format!("keygen {keys}")).expect(0, &[]);
    run(&format!("prove --keys keys {files} --out proof.json")).expect(0, &[]);
    let verify = "verify --unchecked --keys keys proof.json --threshold 2 --message";
    run(&format!("{verify} {APPROVAL}")).expect(0, &[]);
    run(&format!("{verify} {APPROVAL}00")).expect(1, &["message"]);
    what_is_public_is_enough(&run);
    no_light_client(&run);
}

/// The same bytes as public inputs: they are what a verifier compares, with their number.
#[test]
fn bytes_that_are_public_themselves() {
    let dir = fixture().scratch("ed25519-plain");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme ed25519 --signers 3";
    run(&format!("sample {scheme} --signing 1 --message {APPROVAL} --seed cli --out ."))
        .expect(0, &[APPROVAL]);
    let files = "--committee committee.json --signatures signatures.json --threshold 1";
    let check = |form: &str| run(&format!("check {files} --message-form {form}"));
    check("bytes:41").expect(0, &["accepted", "bytes:41", APPROVAL]);
    check("bytes:40").expect(2, &["41 bytes", "at most 40"]);
    for form in ["bytes:65", "bytes:0", "bytes:041", "bytes"] {
        check(form).expect(2, &["bytes:N"]);
    }
    let random = format!("sample {scheme} --signing 1 --message-form bytes:64 --out random");
    run(&random).expect(0, &[]);
    let long = read(&dir, "random/signatures.json")["message"].as_str().unwrap().len();
    assert_eq!(long, 2 + 2 * 64);
    let longer = format!("--message 0x{} --out longer", "00".repeat(65));
    run(&format!("sample {scheme} --signing 1 --message-form bytes:64 {longer}"))
        .expect(2, &["65 bytes", "at most 64"]);
    run("schemes").expect(0, &["bytes:N"]);

    let keys = format!("{scheme} --slots 1 --message-form bytes:41 --insecure-srs --out keys");
    run(&format!("keygen {keys}")).expect(0, &["bytes:41"]);
    run(&format!("prove --keys keys {files} --out proof.json")).expect(0, &[APPROVAL]);
    let proof = read(&dir, "proof.json");
    assert_eq!(proof["shape"]["message"], "bytes:41");
    // Key-set root, threshold, and 24, 24 and 17 bytes: the message, zeros, and its length.
    let padded = format!("{}{}29", &APPROVAL[2..], "00".repeat(64 - 41));
    let words =
        [&padded[..48], &padded[48..96], &padded[96..]].map(|word| format!("0x{word:0>64}"));
    assert_eq!(proof["public_inputs"].as_array().unwrap()[2..], words.map(Value::from));
    plain_verdicts(&dir, &proof);
}

/// What a proof of bytes is accepted for.
fn plain_verdicts(dir: &std::path::Path, proof: &Value) {
    let run = |line: &str| run_in(dir, line);
    let verify = "verify --unchecked --keys keys proof.json --threshold 1 --message";
    run(&format!("{verify} {APPROVAL}")).expect(0, &["accepted", APPROVAL]);
    // Other bytes, a zero more, and one less: an approval ends with zeros.
    let other = APPROVAL.replace("2a", "2b");
    let shorter = &APPROVAL[..APPROVAL.len() - 2];
    for message in [&other[..], &format!("{APPROVAL}00"), shorter, "0x"] {
        run(&format!("{verify} {message}")).expect(1, &["about the message", APPROVAL]);
    }
    run(&format!("{verify} 0x{}", "00".repeat(65))).expect(2, &["65 bytes", "at most 64"]);
    let edited = |place: usize, edit: fn(&mut Vec<u8>)| {
        let mut bad = proof.clone();
        edit_hex(&mut bad["public_inputs"][place], edit);
        write(dir, "bad.json", &bad);
        run("verify --unchecked --keys keys bad.json --threshold 1")
    };
    // A length that is none, bytes behind the message, and above a word; then another message, which nobody proved.
    let none = ["do not encode a message of at most 64 bytes"];
    edited(4, |word| word[31] = 65).expect(1, &none);
    edited(4, |word| word[31] = 32).expect(1, &none);
    edited(3, |word| word[31] = 1).expect(1, &none);
    edited(2, |word| word[7] = 1).expect(1, &none);
    edited(2, |word| word[31] ^= 1).expect(1, &["does not hold"]);
    edited(4, |word| word[31] += 1).expect(1, &["does not hold"]);
    let mut four = proof.clone();
    four["public_inputs"].as_array_mut().unwrap().pop();
    write(dir, "bad.json", &four);
    run("verify --unchecked --keys keys bad.json")
        .expect(2, &["public_inputs", "expected 5, found 4"]);
}

/// A verifier may know the SHA-256 alone.
fn what_is_public_is_enough(run: &dyn Fn(&str) -> Run) {
    let digest = sha256(&hex::decode(&APPROVAL[2..]).unwrap());
    let mut other = digest;
    other[31] ^= 1;
    let [digest, other] = [digest, other].map(|digest| format!("0x{}", hex::encode(digest)));
    let verify = "verify --unchecked --keys keys proof.json";
    let compared = run(&format!("{verify} --digest {digest}")).expect(0, &[&digest]);
    assert!(!compared.stderr.contains("--message"), "{compared:?}");
    run(&format!("{verify} --digest {other}")).expect(1, &["message", &digest, &other]);
    // The bytes of a digest are bytes as well, but others were signed.
    run(&format!("{verify} --message {digest}")).expect(1, &["message", &digest]);
    run(&format!("{verify} --digest {digest}00")).expect(2, &["--digest", "32 bytes"]);
    run(&format!("{verify} --digest {digest} --message {APPROVAL}"))
        .expect(2, &["cannot be used with"]);
    run(&format!("{verify} --precommit message.json")).expect(2, &["--precommit", "not for"]);
}

/// A light client would wait for ever for a preimage of its digest.
fn no_light_client(run: &dyn Fn(&str) -> Run) {
    let scope = format!("--source-chain 1 --chain 10 --epoch 1 --client 0x{}", "11".repeat(20));
    let message = format!("message {scope} --valid-until 0 --nonce 1 --payload 0x");
    run(&format!("{message} --key 0x{} --current committee.json", "01".repeat(32)))
        .expect(2, &["committee.json", "scheme", "digest"]);
}

/// A key with a part of small order, which `strict` alone has no place for: whose it is, and why.
#[test]
fn members_whom_a_rule_refuses_are_named() {
    let dir = fixture().scratch("ed25519-rules");
    let run = |line: &str| run_in(&dir, line);
    run("sample --scheme ed25519 --signers 3 --signing 3 --seed cli --out .").expect(0, &[]);
    let committee = read(&dir, "committee.json");
    let with = |name: &str, key: &str| {
        let mut bad = committee.clone();
        bad["members"][1]["public_key"] = json!(key);
        write(&dir, name, &bad);
    };
    with("mixed.json", MIXED_ORDER);
    with("other.json", NON_CANONICAL);
    let at = "members[1].public_key";
    run("root mixed.json").expect(0, &[]);
    run("root mixed.json --rule rfc8032").expect(0, &[]);
    run("root mixed.json --rule strict").expect(2, &["mixed.json", at, "strict", "subgroup"]);
    run("root other.json --rule zip215").expect(0, &[]);
    for rule in ["rfc8032", "strict"] {
        let reason = ["other.json", at, rule, "not canonical"];
        run(&format!("root other.json --rule {rule}")).expect(2, &reason);
        let check = "check --signatures signatures.json --threshold 2 --committee other.json";
        run(&format!("{check} --rule {rule}")).expect(2, &reason);
    }
    // Left-out members count in the places of a file.
    let mut wide = read(&dir, "mixed.json");
    (wide["members"][1]["weight"], wide["members"][2]["weight"]) = (json!(8), json!(8));
    write(&dir, "wide.json", &wide);
    run("root wide.json --weight-shift 2 --rule strict").expect(2, &["wide.json", at, "subgroup"]);
    run("root committee.json --rule low-s").expect(2, &["--rule", "low-s"]);
    run("root committee.json --rule strict").expect(0, &[]);
    let small = format!("0x{}", "00".repeat(32));
    with("small.json", &small);
    run("root small.json").expect(2, &["small.json", at, "small order"]);
}

#[test]
fn bad_signatures_of_ed25519_are_named() {
    let dir = fixture().scratch("ed25519-bad");
    let run = |line: &str| run_in(&dir, line);
    run("sample --scheme ed25519 --signers 3 --signing 2 --seed cli --out .").expect(0, &[]);
    let honest = read(&dir, "signatures.json");
    let member = format!("member {}", honest["signatures"][1]["member"]);
    let mut bad = honest.clone();
    edit_hex(&mut bad["signatures"][1]["signature"], |bytes| bytes[40] ^= 1);
    let check = "check --committee committee.json --threshold 2 --signatures bad.json";
    write(&dir, "bad.json", &bad);
    run(check).expect(1, &[&member, "equation"]);
    bad["signatures"][1]["signature"] = json!(format!("0x{}", "ff".repeat(64)));
    write(&dir, "bad.json", &bad);
    run(check).expect(1, &["signatures[1]: "]);
    let mut other = honest;
    edit_hex(&mut other["message"], |bytes| bytes[0] ^= 1);
    write(&dir, "bad.json", &other);
    run(check).expect(1, &["equation"]);
}

#[test]
fn precommits_with_times() {
    let dir = fixture().scratch("precommits");
    let run = |line: &str| run_in(&dir, line);
    let form = "--message-form cometbft-precommit";
    run(&format!("sample --scheme ed25519 {form} --signers 4 --signing 3 --seed cli --out ."))
        .expect(0, &["3 of them signed"]);
    let check = format!("check --committee committee.json {form} --threshold >2/3 --signatures");
    run(&format!("{check} signatures.json")).expect(0, &["accepted", "cometbft-precommit"]);
    let honest = read(&dir, "signatures.json");
    let member = format!("member {}", honest["signatures"][0]["member"]);
    // The time of a signature is signed, and so is all that they share: here the height.
    let mut bad = honest.clone();
    edit_hex(&mut bad["signatures"][0]["signature"], |bytes| bytes[75] ^= 1);
    write(&dir, "bad.json", &bad);
    run(&format!("{check} bad.json")).expect(1, &[&member, "equation"]);
    let mut bad = honest.clone();
    edit_hex(&mut bad["message"], |bytes| bytes[0] ^= 1);
    write(&dir, "bad.json", &bad);
    run(&format!("{check} bad.json")).expect(1, &["equation"]);
    // No encoding of a precommit, and signatures without times.
    let mut bad = honest.clone();
    edit_hex(&mut bad["message"], |bytes| bytes[80] ^= 1);
    write(&dir, "bad.json", &bad);
    run(&format!("{check} bad.json")).expect(2, &[]);
    let mut bad = honest.clone();
    edit_hex(&mut bad["signatures"][0]["signature"], |bytes| bytes.truncate(64));
    write(&dir, "bad.json", &bad);
    let lengths = ["ed25519", &member, "64 bytes", "have 76"];
    run(&format!("{check} bad.json")).expect(1, &lengths);
    // With a time where none is signed, and with one that is none.
    let plain =
        "check --committee committee.json --message-form sha256:160 --threshold 1 --signatures";
    run(&format!("{plain} signatures.json")).expect(1, &[&member, "76 bytes", "have 64"]);
    let mut bad = honest;
    edit_hex(&mut bad["signatures"][0]["signature"], |bytes| {
        bytes[72..].copy_from_slice(&1_000_000_000u32.to_be_bytes());
    });
    write(&dir, "bad.json", &bad);
    let late = ["signatures[0]: ", &member, "nanos: 1000000000"];
    run(&format!("{check} bad.json")).expect(1, &late);
}
