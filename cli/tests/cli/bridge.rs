//! The commands about the light client: message, batch, handover and calldata.

use std::fs;

use serde_json::{json, Value};

use crate::support::{fixture, names, write, write_sparse, write_text, Run};

const SCOPE: &str = "--source-chain 1 --chain 10 --epoch 1 --client \
                     0x00000000000000000000000000000000000a11ce";
const ONE: &str = "0x0000000000000000000000000000000000000000000000000000000000000001";
const MODULUS: &str = "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";

/// The first of the contracts' vectors: a message without payload, alone in its batch.
const ID: &str = "0xf139e25ece8b8ef3d443b68b2e027021c3f1bf41d2d0afe3e38bbf0e74d8293a";
const DIGEST: &str = "0x1ccd7ed165752d450947b60eeaea80664997a70dc7206bf9b5698f58695031dc";
const BATCH_ROOT: &str = "0xdb46843d9af3e7c7b2310a22b0e8625986bbd7eaa1ae217ecb81687208aae4fe";
const BATCH_DIGEST: &str = "0x09e6ac640c9800cf221857be3b74226bd76c651a4850574aaa7be55d5d3f774e";

fn message(options: &str) -> Run {
    fixture().run(&format!("message {SCOPE} {options}"))
}

fn handover(options: &str) -> Run {
    let line = format!("handover {SCOPE} --committee schnorr/committee.json --keys keys {options}");
    fixture().run(&line)
}

fn calldata(options: &str) -> Run {
    fixture().run(&format!("calldata halo2.json {options}"))
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
    message(&format!("--root {ONE} --nonce 0 --payload 0x")).expect(0, &[ID, DIGEST]);
    let empty = write_text(&fixture().scratch("payload"), "empty", "");
    let line = format!("--root {ONE} --nonce 0 --payload-file {empty} --json");
    let run = message(&line).expect(0, &[]).json();
    assert_eq!((&run["message_id"], &run["digest"]), (&json!(ID), &json!(DIGEST)));
    assert_eq!(run["scope"]["client"], "0x00000000000000000000000000000000000A11cE");
}

#[test]
fn a_committee_stands_for_its_root() {
    let root = fixture().run("root schnorr/committee.json --keys keys").expect(0, &[]).stdout;
    let payload = "--nonce 7 --payload 0x6d7573746572";
    let by_root = message(&format!("{payload} --root {root}")).expect(0, &[]).stdout;
    let of_file = format!("{payload} --current schnorr/committee.json --keys keys");
    assert_eq!(message(&of_file).expect(0, &[]).stdout, by_root);
    let other = format!("{payload} --current schnorr/committee.json --arity 2");
    assert_ne!(message(&other).expect(0, &[]).stdout, by_root);
    let wrong = format!("{payload} --current eddsa/committee.json --keys keys");
    message(&wrong).expect(2, &["eddsa/committee.json", "scheme"]);
}

#[test]
fn arguments_that_no_committee_should_sign_for() {
    let rest = format!("--root {ONE} --nonce 0 --payload 0x");
    for (option, value) in [
        ("--epoch", "0"),
        ("--epoch", "18446744073709551616"),
        ("--epoch", "one"),
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
    message("--nonce 0 --payload 0x").expect(2, &["--root", "--current"]);
    message(&format!("--root {ONE} --nonce 0")).expect(2, &["--payload", "--payload-file"]);
    message(&format!("--root {MODULUS} --nonce 0 --payload 0x")).expect(2, &["--root", "modulus"]);
    message(&format!("--root {ONE} --nonce 0 --payload 00")).expect(2, &["--payload", "0x"]);
    message(&format!("--root {ONE} --nonce -1 --payload 0x")).expect(2, &["-1"]);
    let huge = write_sparse(&fixture().scratch("huge-payload"), "huge", (1 << 20) + 1);
    let line = format!("--root {ONE} --nonce 0 --payload-file {huge}");
    message(&line).expect(2, &["huge", "1048577 bytes"]);
}

#[test]
fn a_batch_has_a_path_for_each_message() {
    let dir = fixture().scratch("messages");
    let batch = |messages: &Value, options: &str| {
        let file = write(&dir, "messages.json", messages);
        fixture().run(&format!("batch {file} {SCOPE} --root {ONE} {options}"))
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
        let line = format!("batch {file} {SCOPE} --root {ONE} --out {}", out.display());
        fixture().run(&line).expect(2, &["m.json", place]);
    }
    assert_eq!(names(&dir), ["m.json"]);
}

#[test]
fn a_handover_names_the_next_committee() {
    let line = format!("--threshold 2 --root {ONE}");
    handover(&line).expect(0, &["digest", "newRoot", "newEpoch"]);
    let run = handover(&format!("{line} --json")).expect(0, &[]).json();
    let root =
        fixture().run("root schnorr/committee.json --keys keys --json").expect(0, &[]).json();
    let rotate = &run["rotate"];
    assert_eq!(rotate["new_root"], root["key_set_root"]);
    assert_eq!(rotate["new_threshold"], 2);
    assert_eq!(rotate["new_total_weight"], 4);
    assert_eq!(rotate["new_epoch"], 2);
    // Ready to be signed.
    let out = fixture().scratch("handover");
    let sample = format!(
        "sample --scheme schnorr-babyjubjub --signers 4 --signing 2 --message {} --out {}",
        run["digest"].as_str().unwrap(),
        out.display()
    );
    fixture().run(&sample).expect(0, &[]);
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
    let line = format!("handover {SCOPE} --committee {file} --keys keys --root {ONE} --threshold");
    let run = fixture().run(&format!("{line} >2/3 --json")).expect(0, &[]).json();
    let [threshold, weight] =
        ["new_threshold", "new_total_weight"].map(|name| &run["rotate"][name]);
    assert_eq!((threshold, weight), (&json!("768614336404564651"), &json!("1152921504606846975")));
    let [threshold, weight] = [threshold, weight].map(|text| text.as_str().unwrap());
    let sets = format!("--new-threshold {threshold} --new-total-weight {weight} --new-epoch 2");
    calldata(&format!("--for rotate --new-root {ONE} {sets}")).expect(0, &["0x"]);
    // Two slots.
    fixture().run(&format!("{line} >=1/1")).expect(2, &["--threshold", "2 slots"]);
}

#[test]
fn a_handover_that_would_stop_the_light_client() {
    handover(&format!("--threshold 0 --root {ONE}")).expect(2, &["--threshold", "weight of 4"]);
    handover(&format!("--threshold 5 --root {ONE}")).expect(2, &["--threshold", "weight of 4"]);
    handover(&format!("--threshold -1 --root {ONE}")).expect(2, &["-1"]);
    let last = scope_with("--epoch", "18446744073709551615");
    let line =
        format!("handover {last} --committee schnorr/committee.json --threshold 1 --keys keys");
    fixture().run(&format!("{line} --root {ONE}")).expect(2, &["--epoch", "none after it"]);
    handover("--threshold 1").expect(2, &["--root", "--current"]);

    // What only the keys tell: the depth of the tree, scheme, capacity of 4 and 2 slots.
    let bare = format!("handover {SCOPE} --root {ONE} --threshold 1");
    let without = format!("{bare} --committee schnorr/committee.json");
    for tree in ["", "--depth 2", "--arity 2"] {
        fixture().run(&format!("{without} {tree}")).expect(2, &["--keys"]);
    }
    let keys = format!("--root {ONE} --keys keys");
    let other = format!("{bare} --keys keys --committee eddsa/committee.json");
    fixture().run(&other).expect(2, &["eddsa/committee.json", "scheme"]);
    let next = |signers: usize, threshold: usize| {
        let out = fixture().scratch("next");
        let line = format!(
            "sample --scheme schnorr-babyjubjub --signers {signers} --signing 1 --out {}",
            out.display()
        );
        fixture().run(&line).expect(0, &[]);
        let file = out.join("committee.json");
        let line = format!(
            "handover {SCOPE} {keys} --threshold {threshold} --committee {}",
            file.display()
        );
        fixture().run(&line)
    };
    next(4, 2).expect(0, &[]);
    next(4, 3).expect(2, &["--threshold", "2 slots"]);
    next(5, 2).expect(2, &["5 members"]);
}

#[test]
fn calldata_for_each_contract() {
    let proof = fixture().json("halo2.json");
    let hex = |value: &Value| value.as_str().unwrap()[2..].to_owned();
    let inputs: String = proof["public_inputs"].as_array().unwrap().iter().map(hex).collect();
    let proof = hex(&proof["proof"]);
    let bare = calldata("").expect(0, &["INSECURE"]).stdout;
    assert_eq!(bare.trim(), format!("0x{inputs}{proof}"));
    for (options, selector) in [
        ("verify".to_owned(), "0x9649daae"),
        (format!("verify-proof --verifier-hash {ONE}"), "0x41493c60"),
        ("submit --nonce 7 --payload 0x00".to_owned(), "0xedf7eb20"),
        (format!("submit-batch --batch-root {ONE}"), "0xdb6bbab9"),
        (
            format!("rotate --new-root {ONE} --new-threshold 1 --new-total-weight 2 --new-epoch 2"),
            "0x3b55b4f2",
        ),
    ] {
        let run = calldata(&format!("--json --for {options}")).expect(0, &[]).json();
        let calldata = run["calldata"].as_str().unwrap();
        assert!(calldata.starts_with(selector), "{options}");
        assert!(calldata.contains(&proof), "{options}");
        assert_eq!(run["bytes"], calldata.len() / 2 - 1);
        assert_eq!(run["for"], options.split(' ').next().unwrap());
    }
}

#[test]
fn calldata_that_no_contract_would_take() {
    let run = fixture().run("calldata fast.json");
    run.expect(2, &["fast.json: kind: fast", "prove again with --kind halo2"]);
    fixture().run("calldata nowhere.json").expect(2, &["nowhere.json"]);
    for (options, flag) in [
        ("verify-proof", "--verifier-hash"),
        ("verify-proof --verifier-hash 0x00", "--verifier-hash"),
        ("submit --nonce 7", "--payload"),
        ("submit --payload 0x", "--nonce"),
        ("submit-batch", "--batch-root"),
        ("rotate --new-threshold 1 --new-total-weight 2 --new-epoch 2", "--new-root"),
        ("verify --nonce 7", "--nonce: only for --for submit"),
        ("rotate --payload 0x", "--payload: only for --for submit"),
        ("nobody", "--for"),
    ] {
        calldata(&format!("--for {options}")).expect(2, &[flag]);
    }
    let rotate = |root: &str, threshold: &str, weight: &str, epoch: &str| {
        calldata(&format!(
            "--for rotate --new-root {root} --new-threshold {threshold} --new-total-weight \
             {weight} --new-epoch {epoch}"
        ))
    };
    let zero = ONE.replace('1', "0");
    rotate(&zero, "1", "2", "2").expect(2, &["--new-root"]);
    rotate(MODULUS, "1", "2", "2").expect(2, &["--new-root"]);
    rotate(ONE, "0", "2", "2").expect(2, &["--new-threshold"]);
    rotate(ONE, "3", "2", "2").expect(2, &["--new-threshold"]);
    rotate(ONE, "1", "1152921504606846976", "2").expect(2, &["--new-total-weight"]);
    rotate(ONE, "1", "2", "0").expect(2, &["--new-epoch"]);
}
