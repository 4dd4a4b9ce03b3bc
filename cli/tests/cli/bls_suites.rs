//! The other suites of BLS, from a sample to a verdict.

use std::path::{Path, PathBuf};

use muster_schemes::hash::sha256::sha256;
use serde_json::Value;

use crate::support::{edit_hex, fixture, run_in, write, Run};

/// A number that no point of BN254's curve has, nor have the two behind it.
const FAR: u64 = 65;

/// A scheme, and the bytes of its keys with proofs and without.
struct Suite {
    scheme: &'static str,
    proven: usize,
    bare: usize,
}

impl Suite {
    /// Samples two members of whom one signs, makes keys for them, and proves it.
    fn proven(&self) -> PathBuf {
        let Self { scheme, proven, bare } = self;
        let dir = fixture().scratch(scheme);
        let run = |line: &str| run_in(&dir, line);
        let sample = format!("sample --scheme {scheme} --signers 2 --signing 1");
        run(&format!("{sample} --seed cli --out .")).expect(0, &["1 of them signed"]);
        run(&format!("{sample} --seed other --out other")).expect(0, &[]);
        let keys = format!("--scheme {scheme} --signers 2 --slots 1 --mode path");
        run(&format!("keygen {keys} --insecure-srs --out keys")).expect(0, &[scheme]);
        let lengths = [&format!("{proven} bytes: "), &format!("{bare} bytes will do")[..]];
        run("schemes").expect(0, &lengths);
        let mut committee = json(&dir, "committee.json");
        for member in committee["members"].as_array_mut().unwrap() {
            edit_hex(&mut member["public_key"], |bytes| {
                assert_eq!(bytes.len(), *proven);
                bytes.truncate(*bare);
            });
        }
        write(&dir, "bare.json", &committee);
        let prove = |committee: &str| {
            let files = format!("--committee {committee} --signatures signatures.json");
            let out = "--out proof.json";
            run(&format!("prove --keys keys {files} --threshold 1 {out}"))
        };
        prove("bare.json").expect(2, &["bare.json", "without a proof of possession"]);
        prove("committee.json").expect(0, &[]);
        dir
    }
}

fn json(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

/// What a proof is accepted for.
fn verdict(dir: &Path, message: &str) -> Run {
    run_in(
        dir,
        &format!("verify --unchecked --keys keys proof.json --threshold 1 --message {message}"),
    )
}

/// Of its own message, and of that of another sample.
fn verdicts(dir: &Path) {
    let [own, other] = ["signatures.json", "other/signatures.json"]
        .map(|name| json(dir, name)["message"].as_str().unwrap().to_owned());
    verdict(dir, &own).expect(0, &["accepted", &own]);
    verdict(dir, &other).expect(1, &["message"]);
}

#[test]
#[ignore = "slow: proofs of BLS"]
fn min_sig_over_bls12_381() {
    let suite = Suite { scheme: "bls-bls12-381-min-sig", proven: 144, bare: 96 };
    verdicts(&suite.proven());
}

#[test]
#[ignore = "slow: proofs of BLS"]
fn min_sig_over_bn254() {
    let suite = Suite { scheme: "bls-bn254-min-sig", proven: 192, bare: 128 };
    verdicts(&suite.proven());
}

/// Bytes of any number, which are public by their SHA-256.
#[test]
fn bytes_by_their_digest() {
    let dir = fixture().scratch("bls-bytes");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme bls-bn254-min-sig --signers 2";
    let [message, word] = [41, 32].map(|length| format!("0x{}", "a5".repeat(length)));
    let sample = |form: &str, message: &str, out: &str| {
        run(&format!(
            "sample {scheme} --signing 1 {form} --message {message} --seed cli --out {out}"
        ))
    };
    let form = "--message-form sha256:41";
    sample(form, &message, ".").expect(0, &[&message]);
    sample("", &message, "none").expect(2, &["41 bytes", "have 32"]);
    let reason = "bls-bn254-min-sig has no messages of the form bytes:41";
    sample("--message-form bytes:41", &message, "none").expect(2, &[reason]);
    let check = |dir: &str, form: &str| {
        let files = ["committee", "signatures"].map(|name| format!("--{name} {dir}/{name}.json"));
        run(&format!("check {} --threshold 1 --mode path {form}", files.join(" ")))
    };
    check(".", "").expect(2, &["41 bytes", "have 32"]);
    check(".", "--message-form sha256:40").expect(2, &["41 bytes", "at most 40"]);
    check(".", "--message-form bytes:41").expect(2, &["--message-form", "bls-bn254-min-sig"]);
    // 32 bytes are read alike for both forms.
    sample(form, &word, "word").expect(0, &[&word]);
    check("word", form).expect(0, &["accepted", "sha256:41", &word]);
    run("schemes").expect(0, &["32 bytes: the digest of what is signed", "sha256:N"]);
}

/// The same, with a proof.
#[test]
#[ignore = "slow: proofs of BLS"]
fn bytes_by_their_digest_are_proven() {
    let dir = fixture().scratch("bls-bytes-proven");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme bls-bn254-min-sig --signers 2";
    let (form, message) = ("--message-form sha256:41", format!("0x{}", "a5".repeat(41)));
    let sample = format!("sample {scheme} --signing 1 {form} --message {message} --seed cli");
    run(&format!("{sample} --out .")).expect(0, &[&message]);
    let keys = format!("{scheme} --slots 1 --mode path {form} --insecure-srs --out keys");
    run(&format!("keygen {keys}")).expect(0, &["sha256:41"]);
    let files = "--committee committee.json --signatures signatures.json --threshold 1";
    run(&format!("prove --keys keys {files} --out proof.json")).expect(0, &[]);
    assert_eq!(json(&dir, "proof.json")["shape"]["message"], "sha256:41");
    verdict(&dir, &message).expect(0, &["accepted"]);
    verdict(&dir, &format!("{message}00")).expect(1, &["message"]);
    let digest = hex::encode(sha256(&[0xa5; 41]));
    let verify = "verify --unchecked --keys keys proof.json --threshold 1 --digest";
    run(&format!("{verify} 0x{digest}")).expect(0, &["accepted"]);
    let swapped = format!("{}{}", &digest[32..], &digest[..32]);
    run(&format!("{verify} 0x{swapped}")).expect(1, &["message"]);
}

/// The point that is signed in place of what is hashed to it.
#[test]
#[ignore = "slow: proofs of BLS"]
fn points_that_others_hash_to() {
    let dir = fixture().scratch("bls-points");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme bls-bn254-min-sig --signers 2";
    let sample = |form: &str, out: &str| {
        run(&format!("sample {scheme} --signing 1 {form} --seed cli --out {out}"))
    };
    sample("--message-point", ".").expect(0, &["1 of them signed"]);
    sample("--message-form point", "same").expect(0, &[]);
    assert_eq!(json(&dir, "same/signatures.json"), json(&dir, "signatures.json"));
    sample("--message-point --message-form point", "none").expect(2, &["cannot be used with"]);
    let point = json(&dir, "signatures.json")["message"].as_str().unwrap().to_owned();
    assert_eq!(point.len(), 2 + 2 * 64);
    // Bytes are read alike for all forms.
    sample(&format!("--message-point --message {point}"), "given").expect(0, &[&point]);
    for bad in [&point[..point.len() - 2], &format!("{}00", &point[..point.len() - 2])] {
        let reason = "the message is not a point of G1 of BN254";
        sample(&format!("--message-point --message {bad}"), "none").expect(2, &[reason]);
    }
    let files = "--committee committee.json --signatures signatures.json --threshold 1";
    run(&format!("check {files} --mode path")).expect(2, &["64 bytes", "have 32"]);
    run(&format!("check {files} --message-form sha256:64 --mode path")).expect(1, &["equation"]);
    run(&format!("check {files} --message-point --mode path")).expect(0, &["accepted", &point]);
    let other = "sample --scheme bls-bn254 --signers 2 --signing 1 --message-point --out none";
    run(other).expect(2, &["bls-bn254 has no messages of the form point"]);
    sample("--message-point --apart --force", ".").expect(0, &[]);
    let apart =
        "aggregate --committee committee.json signatures.json --out all.json --message-point";
    run(apart).expect(0, &[&point]);
    assert_eq!(json(&dir, "all.json"), json(&dir, "same/signatures.json"));

    let keys = format!("{scheme} --slots 1 --mode path --message-point --insecure-srs --out keys");
    run(&format!("keygen {keys}")).expect(0, &["point"]);
    assert_eq!(json(&dir, "keys/shape.json")["shape"]["message"], "point");
    let files = files.replace("signatures.json", "all.json");
    run(&format!("prove --keys keys {files} --out proof.json")).expect(0, &[]);
    verdict(&dir, &point).expect(0, &["accepted", &point]);
    verdict(&dir, &format!("0x{}{:064x}", "0".repeat(63) + "1", 2)).expect(1, &["message"]);
    verdict(&dir, &format!("0x{}", "a5".repeat(32))).expect(2, &["G1 of BN254", "32 bytes"]);
    let digest = format!("--threshold 1 --digest 0x{}", "a5".repeat(32));
    run(&format!("verify --unchecked --keys keys proof.json {digest}"))
        .expect(2, &["has no digest"]);
    let mut proof = json(&dir, "proof.json");
    assert_eq!(proof["public_inputs"].as_array().unwrap().len(), 6);
    edit_hex(&mut proof["public_inputs"][5], |bytes| bytes[31] ^= 1);
    write(&dir, "bad.json", &proof);
    run("verify --unchecked --keys keys bad.json")
        .expect(1, &["words of the message", "G1 of BN254"]);
    run("schemes").expect(0, &["--message-form point"]);
}

/// The tag of signers without proofs of possession, from a sample to a verdict.
#[test]
#[ignore = "slow: proofs of BLS"]
fn the_tag_of_the_basic_scheme() {
    let dir = fixture().scratch("bls-nul");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme bls-bn254-min-sig --signers 2";
    let sample = |hash: &str, out: &str| {
        run(&format!("sample {scheme} --signing 1 {hash} --seed cli --out {out}"))
    };
    sample("--hash nul", ".").expect(0, &["1 of them signed"]);
    sample("", "pop").expect(0, &[]);
    sample("--hash pop", "same").expect(0, &[]);
    assert_eq!(json(&dir, "same/signatures.json"), json(&dir, "pop/signatures.json"));
    let [nul, pop] = ["signatures.json", "pop/signatures.json"].map(|name| json(&dir, name));
    assert_eq!(nul["message"], pop["message"]);
    assert_ne!(nul["aggregate"], pop["aggregate"]);
    sample("--hash NUL", "none").expect(2, &["pop", "nul"]);
    let reason = "bls-bn254-min-sig has no hash nul for messages of this form";
    sample("--hash nul --message-point", "none").expect(2, &[reason]);
    let files = "--committee committee.json --signatures signatures.json --threshold 1";
    let theirs = files.replace("signatures.json", "pop/signatures.json");
    run(&format!("check {files} --mode path")).expect(1, &["equation", "that of the hash nul"]);
    run(&format!("check {theirs} --mode path --hash nul")).expect(1, &["that of the hash pop"]);
    run(&format!("check {files} --mode path --hash nul")).expect(0, &["accepted", "nul"]);
    let apart = "aggregate --committee committee.json apart/signatures.json --out all.json";
    sample("--hash nul --apart", "apart").expect(0, &[]);
    run(apart).expect(1, &["equation"]);
    run(&format!("{apart} --hash nul")).expect(0, &[]);
    assert_eq!(json(&dir, "all.json"), nul);

    let keys = format!("{scheme} --slots 1 --mode path --hash nul --insecure-srs --out keys");
    run(&format!("keygen {keys}")).expect(0, &["nul"]);
    assert_eq!(json(&dir, "keys/shape.json")["shape"]["hash"], "nul");
    let prove = |files: &str| run(&format!("prove --keys keys {files} --out proof.json"));
    prove(&theirs).expect(1, &["equation"]);
    prove(files).expect(0, &[]);
    let message = nul["message"].as_str().unwrap();
    verdict(&dir, message).expect(0, &["accepted", "nul", message]);
    run("schemes").expect(0, &["_NUL_ (--hash nul)", "_POP_ (--hash pop, the default)"]);
}

/// Whoever takes another hash than the signers is told theirs.
#[test]
fn a_signature_with_another_tag_says_which() {
    let dir = fixture().scratch("bls-tags");
    let run = |line: &str| run_in(&dir, line);
    let apart = "aggregate --committee committee.json signatures.json --out all.json";
    for (scheme, group) in [
        ("bls-bls12-381", "BLS12381G2_XMD:SHA-256_SSWU_RO"),
        ("bls-bls12-381-min-sig", "BLS12381G1_XMD:SHA-256_SSWU_RO"),
        ("bls-bn254-min-sig", "BN254G1_XMD:SHA-256_SVDW_RO"),
    ] {
        let sample = format!("sample --scheme {scheme} --signers 2 --signing 1 --hash nul --apart");
        run(&format!("{sample} --out . --force")).expect(0, &[]);
        let tag = format!("with the tag BLS_SIG_{group}_NUL_, that of the hash nul it does");
        run(apart).expect(1, &["the verification equation does not hold", &tag]);
    }
}

/// The hash of EigenLayer's contracts, among so many numbers.
#[test]
#[ignore = "slow: proofs of BLS"]
fn points_that_contracts_find() {
    let dir = fixture().scratch("bls-search");
    let run = |line: &str| run_in(&dir, line);
    let scheme = "--scheme bls-bn254-min-sig --signers 2";
    // Three numbers from this one on have no point.
    let far = format!("0x{:064x}", FAR);
    let sample = |hash: &str, out: &str| {
        run(&format!("sample {scheme} --signing 1 {hash} --seed cli --message {far} --out {out}"))
    };
    sample("--hash try-and-increment:4", ".").expect(0, &["1 of them signed"]);
    let bad = "--hash try-and-increment:0";
    sample(bad, "none").expect(2, &["try-and-increment:N for N candidates, N from 1 to 256"]);
    let reason = "has no hash try-and-increment:4 for messages of this form";
    sample("--hash try-and-increment:4 --message-form sha256:41", "none").expect(2, &[reason]);
    let files = "--committee committee.json --signatures signatures.json --threshold 1";
    let check =
        |most: usize| run(&format!("check {files} --mode path --hash try-and-increment:{most}"));
    check(3).expect(2, &["comes after 3 others, but the circuit tries only 3"]);
    check(4).expect(0, &["accepted", "try-and-increment:4"]);
    run(&format!("check {files} --mode path")).expect(1, &["with the hash try-and-increment it"]);

    let hash = "--hash try-and-increment:4";
    let keys = format!("{scheme} --slots 1 --mode path {hash} --insecure-srs --out keys");
    run(&format!("keygen {keys}")).expect(0, &["try-and-increment:4"]);
    assert_eq!(json(&dir, "keys/shape.json")["shape"]["hash"], "try-and-increment:4");
    run(&format!("prove --keys keys {files} --out proof.json")).expect(0, &[]);
    verdict(&dir, &far).expect(0, &["accepted", &far]);
    verdict(&dir, &format!("0x{:064x}", FAR + 1)).expect(1, &["message"]);
    run("schemes").expect(0, &["--hash try-and-increment:N", "BN254.hashToG1"]);
}

/// The message is a point, in eight words.
#[test]
fn keys_in_g1_of_bn254() {
    let suite = Suite { scheme: "bls-bn254", proven: 256, bare: 64 };
    let dir = suite.proven();
    verdicts(&dir);
    verdict(&dir, &format!("0x{}", "00".repeat(127))).expect(2, &["expected 128 bytes, found 127"]);
    for bad in ["00", "01", "ff"] {
        verdict(&dir, &format!("0x{}", bad.repeat(128))).expect(2, &["not a point of G2 of BN254"]);
    }
    // Words that are those of no point.
    let mut proof = json(&dir, "proof.json");
    assert_eq!(proof["public_inputs"].as_array().unwrap().len(), 10);
    edit_hex(&mut proof["public_inputs"][9], |bytes| bytes[31] ^= 1);
    write(&dir, "bad.json", &proof);
    run_in(&dir, "verify --unchecked --keys keys bad.json")
        .expect(1, &["words of the message", "point of G2"]);
    // A light client has a digest.
    let client = format!("--source-chain 1 --chain 10 --client 0x{}", "0a".repeat(20));
    let office = format!("--key 0x{} --current committee.json", "07".repeat(32));
    let message = "message --nonce 7 --payload 0x01 --epoch 1 --valid-until 0";
    run_in(&dir, &format!("{message} {office} {client}")).expect(2, &["the message is a point"]);
}
