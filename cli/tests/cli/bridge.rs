//! The commands about the light client: message, batch, handover and calldata.

use std::fs;

use alloy_primitives::U256;
use alloy_sol_types::{sol, SolCall};
use muster_evm::verifier::KeyName;
use muster_prover::VerifierKey;
use serde_json::{json, Value};

use crate::support::{compact, fixture, names, write, write_sparse, write_text, Run};

const SCOPE: &str = "--source-chain 1 --chain 10 --epoch 1 --valid-until 0 --client \
                     0x00000000000000000000000000000000000a11ce";
const ONE: &str = "0x0000000000000000000000000000000000000000000000000000000000000001";
const MODULUS: &str = "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";

/// The first of the contracts' vectors: a message without payload, alone in its batch.
const KEY: &str = "0xfe79f3e7d681226ae21aa3617a5aad91150576e284948b28d3364434e97867d3";
const ID: &str = "0x1b21f0f096b86cd63bc783e74bec36b75c66b084e6250d475ecdc3b2e78d0c31";
const DIGEST: &str = "0x03ecb6b7d07e262034477bdcf5f9913420145a005c8f91c41aff2959463974dd";
const BATCH_ROOT: &str = "0x5df9c7bb9aaea545175913e4dc9ec2bff618071932abf327432e7326bff20359";
const BATCH_DIGEST: &str = "0x13d7b122f68ee46fd8cc019a88d6e5ad223294f62400301d7c7abc2e2a839d48";

fn message(options: &str) -> Run {
    fixture().run(&format!("message {SCOPE} {options}"))
}

/// Of the committee of four, two of whom sign, to itself.
fn handover(options: &str) -> Run {
    let line = format!("handover {SCOPE} --committee schnorr/committee.json {options}");
    fixture().run(&format!("{line} --keys {}/keys", compact().display()))
}

fn calldata(options: &str) -> Run {
    let dir = compact().display();
    fixture().run(&format!("calldata {dir}/proof.json --keys {dir}/keys {options}"))
}

fn key_name() -> KeyName {
    let key = VerifierKey::load(&compact().join("keys")).unwrap();
    KeyName(key.key().as_compact().unwrap().evm_key().name())
}

fn hex_of(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap().strip_prefix("0x").unwrap()).unwrap()
}

/// The same scope with another value of an option.
fn scope_with(option: &str, value: &str) -> String {
    let mut words: Vec<_> = SCOPE.split_whitespace().collect();
    let at = words.iter().position(|word| *word == option).unwrap();
    words[at + 1] = value;
    words.join(" ")
}

#[test]
fn a_message_has_an_identity_and_a_digest() {
    let under = format!("--root {ONE} --key {KEY} --nonce 0");
    message(&format!("{under} --payload 0x")).expect(0, &[ID, DIGEST]);
    let empty = write_text(&fixture().scratch("payload"), "empty", "");
    let line = format!("{under} --payload-file {empty} --json");
    let run = message(&line).expect(0, &[]).json();
    assert_eq!((&run["message_id"], &run["digest"]), (&json!(ID), &json!(DIGEST)));
    assert_eq!(run["scope"]["client"], "0x00000000000000000000000000000000000A11cE");
    // Whatever is signed is for one key and one time.
    let key = KEY.replace("0xf", "0xe");
    let other =
        message(&format!("--root {ONE} --key {key} --nonce 0 --payload 0x")).expect(0, &[ID]);
    assert!(!other.stdout.contains(DIGEST));
    // What no JavaScript reads as a number is a string.
    let line = format!("--root {ONE} --key {KEY} --nonce 9007199254740992 --payload 0x --json");
    assert_eq!(message(&line).expect(0, &[]).json()["nonce"], "9007199254740992");
    let scope = scope_with("--valid-until", "1800000000");
    let other = fixture().run(&format!("message {scope} {under} --payload 0x")).expect(0, &[ID]);
    assert!(!other.stdout.contains(DIGEST));
}

#[test]
fn a_committee_stands_for_its_root() {
    let (keys, key) = (format!("{}/keys", compact().display()), key_name());
    let root = format!("root schnorr/committee.json --keys {keys}");
    let root = fixture().run(&root).expect(0, &[]).stdout;
    let payload = "--nonce 7 --payload 0x6d7573746572";
    let by_root = format!("{payload} --key {key} --root {root}");
    let by_root = message(&by_root).expect(0, &[]).stdout;
    let of_file = format!("{payload} --current schnorr/committee.json --keys {keys}");
    assert_eq!(message(&of_file).expect(0, &[]).stdout, by_root);
    let other = format!("{payload} --key {key} --current schnorr/committee.json --arity 2");
    assert_ne!(message(&other).expect(0, &[]).stdout, by_root);
    let wrong = format!("{payload} --current eddsa/committee.json --keys {keys}");
    message(&wrong).expect(2, &["eddsa/committee.json", "scheme"]);
    let fast = format!("{payload} --current schnorr/committee.json --keys keys");
    message(&fast).expect(2, &["--keys keys", "muster keygen --kind compact"]);
}

#[test]
fn arguments_that_no_committee_should_sign_for() {
    let rest = format!("--root {ONE} --key {KEY} --nonce 0 --payload 0x");
    for (option, value) in [
        ("--epoch", "0"),
        ("--epoch", "18446744073709551616"),
        ("--epoch", "one"),
        ("--valid-until", "18446744073709551616"),
        ("--valid-until", "2030-01-01"),
        ("--client", "0x00"),
        ("--client", "0x00000000000000000000000000000000000a11cE"),
        ("--client", "00000000000000000000000000000000000a11ce"),
        ("--chain", ""),
        ("--chain", "1_0"),
        ("--source-chain", "0x10000000000000000000000000000000000000000000000000000000000000000"),
    ] {
        let scope = scope_with(option, value);
        fixture().run(&format!("message {scope} {rest}")).expect(2, &[option]);
    }
    let none = ONE.replace('1', "0");
    let line = format!("message {SCOPE} --root {none} --key {KEY} --nonce 0 --payload 0x");
    fixture().run(&line).expect(2, &["--root", "zero"]);
    let with = |root: &str, key: &str, rest: &str| message(&format!("{root} {key} --nonce {rest}"));
    let (root, key) = (format!("--root {ONE}"), format!("--key {KEY}"));
    with("", &key, "0 --payload 0x").expect(2, &["--root", "--current"]);
    with(&root, "", "0 --payload 0x").expect(2, &["--key", "--keys"]);
    with(&root, "--key 0x00", "0 --payload 0x").expect(2, &["--key", "32 bytes"]);
    with(&root, &key, "0").expect(2, &["--payload", "--payload-file"]);
    let modulus = format!("--root {MODULUS}");
    with(&modulus, &key, "0 --payload 0x").expect(2, &["--root", "modulus"]);
    with(&root, &key, "0 --payload 00").expect(2, &["--payload", "0x"]);
    with(&root, &key, "-1 --payload 0x").expect(2, &["-1"]);
    let huge = write_sparse(&fixture().scratch("huge-payload"), "huge", (1 << 20) + 1);
    let line = format!("0 --payload-file {huge}");
    with(&root, &key, &line).expect(2, &["huge", "1048577 bytes"]);
    let timeless = SCOPE.replace("--valid-until 0 ", "");
    fixture().run(&format!("message {timeless} {rest}")).expect(2, &["--valid-until"]);
}

#[test]
fn a_batch_has_a_path_for_each_message() {
    let dir = fixture().scratch("messages");
    let batch = |messages: &Value, options: &str| {
        let file = write(&dir, "messages.json", messages);
        fixture().run(&format!("batch {file} {SCOPE} --root {ONE} --key {KEY} {options}"))
    };
    let one = json!({ "messages": [{ "nonce": 0, "payload": "0x" }] });
    batch(&one, "").expect(0, &[ID, BATCH_ROOT, BATCH_DIGEST]);
    let run = batch(&one, "--json").expect(0, &[]).json();
    assert_eq!(run["messages"][0]["path"], json!([]));
    assert_eq!(run["messages"][0]["message_id"], ID);

    let many: Vec<_> = (0..5).map(|i| json!({ "nonce": i, "payload": "0xff" })).collect();
    let many = json!({ "messages": many });
    let out = dir.join("batch.json");
    batch(&many, &format!("--out {}", out.display())).expect(0, &["batch.json"]);
    let mut shown = batch(&many, "--json").expect(0, &[]).json();
    let written: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(written, shown);
    let paths = shown["messages"].as_array_mut().unwrap();
    let lengths: Vec<_> = paths.iter().map(|leaf| leaf["path"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, [3, 3, 3, 3, 1]);
    // submitFromBatch((uint64,bytes),bytes32,bytes32[])
    assert!(paths[0]["calldata"].as_str().unwrap().starts_with("0x82316097"));

    batch(&one, &format!("--out {}", out.display())).expect(2, &["batch.json", "--force"]);
    batch(&one, &format!("--out {} --force", out.display())).expect(0, &[]);
    assert_eq!(names(&dir), ["batch.json", "messages.json"]);
}

#[test]
fn files_that_are_no_batch() {
    let dir = fixture().scratch("no-messages");
    for (messages, place) in [
        (json!([]), "messages: no messages"),
        (json!([{ "nonce": 1, "payload": "00" }]), "messages[0].payload"),
        (json!([{ "nonce": -1, "payload": "0x" }]), "messages[0].nonce"),
        (json!([{ "nonce": 1 }]), "messages[0]"),
        (json!([{ "nonce": 1, "payload": "0x", "to": 1 }]), "messages[0]"),
        (
            json!([
                { "nonce": 1, "payload": "0x00" },
                { "nonce": 1, "payload": "0x" },
                { "nonce": 1, "payload": "0x00" }
            ]),
            "messages[2]: the same nonce and payload as messages[0]",
        ),
    ] {
        let file = write(&dir, "m.json", &json!({ "messages": messages }));
        let out = dir.join("out.json");
        let options = format!("--root {ONE} --key {KEY} --out {}", out.display());
        let line = format!("batch {file} {SCOPE} {options}");
        fixture().run(&line).expect(2, &["m.json", place]);
    }
    assert_eq!(names(&dir), ["m.json"]);
}

#[test]
fn a_handover_is_proposed_and_accepted() {
    let line = format!("--threshold 2 --sequence 3 --root {ONE}");
    handover(&line).expect(0, &["proposal", "digest", "acceptance digest", "next key"]);
    let run = handover(&format!("{line} --json")).expect(0, &[]).json();
    let keys = format!("{}/keys", compact().display());
    let root = format!("root schnorr/committee.json --keys {keys} --json");
    let root = fixture().run(&root).expect(0, &[]).json();
    let key = key_name().to_string();
    let next = json!({
        "key": key, "root": root["key_set_root"], "threshold": 2, "form": "element", "epoch": 2
    });
    assert_eq!((&run["next"], &run["sequence"]), (&next, &json!(3)));
    // Both digests are of the proposal, and each is for those who sign it.
    let digests = ["proposal", "digest", "acceptance_digest"].map(|name| run[name].clone());
    assert!(digests[0] != digests[1] && digests[1] != digests[2]);
    let later = handover(&format!("{} --json", line.replace("3", "4"))).expect(0, &[]).json();
    for (name, digest) in ["proposal", "digest", "acceptance_digest"].iter().zip(&digests) {
        assert_ne!(&later[*name], digest);
    }
    // The keys of the next committee may be others, and the committee in office be known by name.
    let by_name = format!(
        "handover {SCOPE} --committee schnorr/committee.json {line} --key {key} --next-keys {keys} --json"
    );
    assert_eq!(fixture().run(&by_name).expect(0, &[]).json(), run);
    // Ready to be signed.
    let out = fixture().scratch("handover");
    for digest in &digests[1..] {
        let sample = format!(
            "sample --scheme schnorr-babyjubjub --signers 4 --signing 2 --message {} --out {} --force",
            digest.as_str().unwrap(),
            out.display()
        );
        fixture().run(&sample).expect(0, &[]);
    }
}

/// Numbers that other readers of JSON would round are strings, and go into the calldata as they are.
#[test]
fn a_handover_with_large_weights() {
    let dir = fixture().scratch("large-weights");
    let mut committee = fixture().json("schnorr/committee.json");
    for (member, weight) in [(1u64 << 60) - 4, 1, 1, 1].into_iter().enumerate() {
        committee["members"][member]["weight"] = json!(weight);
    }
    let file = write(&dir, "c.json", &committee);
    let keys = format!("{}/keys", compact().display());
    let line =
        format!("handover {SCOPE} --committee {file} --keys {keys} --root {ONE} --sequence 1");
    let run = fixture().run(&format!("{line} --threshold >2/3 --json")).expect(0, &[]).json();
    let threshold = run["next"]["threshold"].as_str().unwrap();
    assert_eq!(threshold, "768614336404564651");
    let next = format!("--next-key {KEY} --next-root {ONE} --next-form digest");
    let options = format!("{next} --next-threshold {threshold} --sequence 1 --valid-until 0");
    calldata(&format!("--for propose {options}")).expect(0, &["0x"]);
    // Two slots.
    fixture().run(&format!("{line} --threshold >=1/1")).expect(2, &["--threshold", "2 slots"]);
}

#[test]
fn a_handover_that_would_stop_the_light_client() {
    let with = |options: &str| handover(&format!("{options} --root {ONE}"));
    with("--sequence 1 --threshold 0").expect(2, &["--threshold", "from 1"]);
    with("--sequence 1 --threshold 5").expect(2, &["--threshold", "2 slots"]);
    with("--sequence 1 --threshold -1").expect(2, &["-1"]);
    with("--sequence 0 --threshold 1").expect(2, &["--sequence", "1 or more"]);
    with("--threshold 1").expect(2, &["--sequence"]);
    handover("--sequence 1 --threshold 1").expect(2, &["--root", "--current"]);
    let keys = format!("--keys {}/keys", compact().display());
    let last = scope_with("--epoch", "18446744073709551615");
    let next = "--committee schnorr/committee.json --threshold 1 --sequence 1";
    let line = format!("handover {last} {next} --root {ONE} {keys}");
    fixture().run(&line).expect(2, &["--epoch", "none after it"]);

    // What only the keys tell: the depth of the tree, scheme, capacity of 4 and 2 slots.
    let bare = format!("handover {SCOPE} --root {ONE} --threshold 1 --sequence 1");
    let without = format!("{bare} --committee schnorr/committee.json --key {KEY}");
    for tree in ["", "--depth 2", "--arity 2"] {
        fixture().run(&format!("{without} {tree}")).expect(2, &["--next-keys"]);
    }
    let fast = format!("{without} --next-keys keys");
    fixture().run(&fast).expect(2, &["--next-keys keys", "--kind compact"]);
    let other = format!("{bare} {keys} --committee eddsa/committee.json");
    fixture().run(&other).expect(2, &["eddsa/committee.json", "scheme"]);
    let next = |signers: usize, threshold: usize| {
        let out = fixture().scratch("next");
        let line = format!(
            "sample --scheme schnorr-babyjubjub --signers {signers} --signing 1 --out {}",
            out.display()
        );
        fixture().run(&line).expect(0, &[]);
        let committee = format!("--committee {}/committee.json", out.display());
        let line = format!("handover {SCOPE} --root {ONE} {keys} --sequence 1 {committee}");
        fixture().run(&format!("{line} --threshold {threshold}"))
    };
    next(4, 2).expect(0, &[]);
    next(4, 3).expect(2, &["--threshold", "2 slots"]);
    next(5, 2).expect(2, &["5 members"]);
}

sol! {
    struct Message { uint64 nonce; bytes payload; }
    struct Committee { bytes32 key; uint256 root; uint64 threshold; uint8 form; }

    function verify(bytes32 name, uint256[] inputs, bytes proof);
    function verifyProof(bytes32 name, bytes publicValues, bytes proofBytes);
    function submit(Message message, uint64 epoch, uint64 validUntil, bytes proof);
    function submitBatch(bytes32 batchRoot, uint64 epoch, uint64 validUntil, bytes proof);
    function propose(Committee next, uint64 sequence, uint64 validUntil, bytes proof);
    function accept(uint64 validUntil, bytes proof);
}

/// Decoded as the contracts declare their functions.
#[test]
fn calldata_for_each_function() {
    let dir = compact();
    let out = fixture().scratch("bridge-evm");
    let line = format!("export-key --keys {0}/keys --evm --proof {0}/proof.json", dir.display());
    let line = format!("{line} --out {} --json", out.display());
    let exported = fixture().run(&line).expect(0, &[]).json();
    let proof = hex_of(&exported["proof"]["proof"]);
    let inputs = exported["proof"]["public_inputs"].as_array().unwrap();
    let inputs: Vec<_> = inputs.iter().map(hex_of).collect();
    let name = key_name().0;
    let encoded = |options: &str| {
        let run = calldata(&format!("--json {options}")).expect(0, &["INSECURE"]).json();
        assert_eq!(hex_of(&run["key"]), name);
        let bytes = hex_of(&run["calldata"]);
        assert_eq!((&run["bytes"], &run["srs"]["claimed"]), (&json!(bytes.len()), &json!(true)));
        bytes
    };
    let one = U256::ONE.to_be_bytes::<32>();

    let call = verifyProofCall::abi_decode(&encoded("")).unwrap();
    assert_eq!((call.name.0, &call.publicValues[..]), (name, &inputs.concat()[..]));
    assert_eq!(call.proofBytes[..], proof);
    assert_eq!(encoded("--for verify-proof"), call.abi_encode());
    let call = verifyCall::abi_decode(&encoded("--for verify")).unwrap();
    let words: Vec<_> = call.inputs.iter().map(|it| it.to_be_bytes::<32>().to_vec()).collect();
    assert_eq!((call.name.0, words, &call.proof[..]), (name, inputs, &proof[..]));

    let options = "--for submit --nonce 7 --payload 0x00ff --epoch 3 --valid-until 1800000000";
    let call = submitCall::abi_decode(&encoded(options)).unwrap();
    assert_eq!((call.message.nonce, &call.message.payload[..]), (7, &[0, 0xff][..]));
    assert_eq!((call.epoch, call.validUntil, &call.proof[..]), (3, 1_800_000_000, &proof[..]));
    let options = format!("--for submit-batch --batch-root {ONE} --epoch 3 --valid-until 0");
    let call = submitBatchCall::abi_decode(&encoded(&options)).unwrap();
    assert_eq!((call.batchRoot.0, call.epoch, call.validUntil), (one, 3, 0));
    assert_eq!(call.proof[..], proof);
    let next = format!("--next-key {KEY} --next-root {ONE} --next-threshold 11 --next-form digest");
    let options = format!("--for propose {next} --sequence 4 --valid-until 5");
    let call = proposeCall::abi_decode(&encoded(&options)).unwrap();
    assert_eq!(call.next.key.to_vec(), hex_of(&json!(KEY)));
    assert_eq!((call.next.root, call.next.threshold, call.next.form), (U256::ONE, 11, 1));
    assert_eq!((call.sequence, call.validUntil, &call.proof[..]), (4, 5, &proof[..]));
    let call = acceptCall::abi_decode(&encoded("--for accept --valid-until 6")).unwrap();
    assert_eq!((call.validUntil, &call.proof[..]), (6, &proof[..]));
}

#[test]
fn calldata_that_no_contract_would_take() {
    let keys = format!("{}/keys", compact().display());
    let run = fixture().run(&format!("calldata fast.json --keys {keys}"));
    run.expect(2, &["fast.json: kind: fast", "muster keygen --kind compact, and prove again"]);
    fixture().run(&format!("calldata nowhere.json --keys {keys}")).expect(2, &["nowhere.json"]);
    fixture().run("calldata fast.json").expect(2, &["--keys"]);
    fixture().run("calldata fast.json --keys keys").expect(2, &["--keys keys", "--kind compact"]);
    for (options, flag) in [
        ("submit --nonce 7 --epoch 1 --valid-until 0", "--payload"),
        ("submit --payload 0x --epoch 1 --valid-until 0", "--nonce"),
        ("submit --nonce 7 --payload 0x --valid-until 0", "--epoch"),
        ("submit --nonce 7 --payload 0x --epoch 1", "--valid-until"),
        ("submit-batch --epoch 1 --valid-until 0", "--batch-root"),
        ("propose --sequence 1 --valid-until 0", "--next-key"),
        ("accept", "--valid-until"),
        ("verify --nonce 7", "--nonce: only for --for submit"),
        ("accept --payload 0x", "--payload: only for --for submit"),
        ("accept --epoch 1", "--epoch: only for --for submit, submit-batch"),
        ("verify-proof --valid-until 1", "--valid-until: only for"),
        ("nobody", "--for"),
    ] {
        calldata(&format!("--for {options}")).expect(2, &[flag]);
    }
    let next = [
        ("--next-key", KEY),
        ("--next-root", ONE),
        ("--next-threshold", "2"),
        ("--next-form", "element"),
        ("--sequence", "1"),
    ];
    let zero = ONE.replace('1', "0");
    for (flag, bad) in [
        ("--next-key", "0x00"),
        ("--next-root", &zero),
        ("--next-root", MODULUS),
        ("--next-threshold", "0"),
        ("--next-threshold", "1152921504606846976"),
        ("--next-form", "point"),
        ("--sequence", "0"),
    ] {
        let value = |(name, good): &(&str, &str)| match *name == flag {
            true => format!("{name} {bad}"),
            false => format!("{name} {good}"),
        };
        let options = next.iter().map(value).collect::<Vec<_>>().join(" ");
        calldata(&format!("--for propose --valid-until 0 {options}")).expect(2, &[flag]);
    }
    let missing = next[1..].iter().map(|(name, good)| format!("{name} {good}"));
    let options = missing.collect::<Vec<_>>().join(" ");
    calldata(&format!("--for propose --valid-until 0 {options}")).expect(2, &["--next-key"]);
}
