//! `muster import`: here of what networks sign with secp256k1: Safe, Wormhole, Hyperlane, CCTP.

mod axelar;
mod beacon;
mod drand;
mod eigenda;
mod near;
mod sui;

use std::{fs, path::Path};

use muster_schemes::{
    hash::keccak::keccak256,
    signature::{
        ecdsa::{encode_recoverable, EcdsaSecp256k1},
        SignatureScheme,
    },
};
use serde_json::{json, Value};

use crate::support::{fixture, run_in, write, write_text, Run};

/// The VAA that installed Wormhole's guardian set 1, signed by the one guardian of set 0 (guardianset/mainnetv2 of
/// wormhole-foundation/wormhole; it is on all chains that Wormhole serves).
const UPGRADE: &str = include_str!("guardian-set-1.hex");
/// The guardian of set 0.
const FIRST: &str = "0x58CC3AE5C097b213cE3c81979e1B9f9570746AA5";
const ETH_SIGN: &[u8] = b"\x19Ethereum Signed Message:\n32";

fn secret(number: u32) -> <EcdsaSecp256k1 as SignatureScheme>::SecretKey {
    EcdsaSecp256k1::secret_key_from_seed(&keccak256(&number.to_be_bytes())).unwrap()
}

fn address(number: u32) -> String {
    secret(number).public_key().address().to_string()
}

fn sign(number: u32, digest: &[u8; 32]) -> Vec<u8> {
    let (signature, id) = EcdsaSecp256k1::sign_recoverable(&secret(number), digest);
    encode_recoverable(&signature, id).to_vec()
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

fn import(dir: &Path, line: &str) -> Run {
    run_in(dir, &format!("import {line} --out out --force"))
}

/// Runs the command that an import names next.
fn next(dir: &Path, imported: &Run) -> Run {
    let line = imported.json()["next"][0].as_str().unwrap().replace('\'', "");
    // In a circuit that there is no room for: too little weight is said before that.
    run_in(dir, &format!("{} --degree 4", line.strip_prefix("muster ").unwrap()))
}

/// So many of the members signed, and they reach the threshold.
fn holds(dir: &Path, imported: &Run, signed: &str) {
    let read = |name: &str| {
        let text = fs::read(dir.join("out").join(name)).unwrap();
        serde_json::from_slice::<Value>(&text).unwrap()
    };
    let (signatures, committee) = (read("signatures.json"), read("committee.json"));
    let count = |list: &Value| list.as_array().unwrap().len();
    let counts = [count(&signatures["signatures"]), count(&committee["members"])];
    assert_eq!(format!("{} of {}", counts[0], counts[1]), signed);
    next(dir, imported).expect(2, &["does not fit 2^4 rows"]);
}

fn words(file: &Value, field: &str) -> String {
    file[field].as_array().unwrap().iter().map(Value::to_string).collect()
}

/// Changes of files, each with what an error has to say.
fn hostile(dir: &Path, line: &str, name: &str, good: &Value, edits: &[(&str, Value, &str)]) {
    for (pointer, value, part) in edits {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value.clone();
        write(dir, name, &bad);
        import(dir, line).expect(2, &[name, part]);
    }
    let text = good.to_string();
    for length in [0, 1, text.len() / 2, text.len() - 1] {
        write_text(dir, name, &text[..length]);
        import(dir, line).expect(2, &[name]);
    }
    write(dir, name, good);
}

/// A Safe of four owners, and a transaction that they confirmed in different ways.
fn safe(dir: &Path) -> (Value, Value) {
    let account = "0x5afe000000000000000000000000000000005afe";
    let safe = json!({
        "address": account, "nonce": "8", "threshold": 2, "version": "1.3.0+L2",
        "owners": [address(1), address(2), address(3), address(4)],
    });
    let word = |bytes: &[u8]| [&vec![0; 32 - bytes.len()], bytes].concat();
    let of = |text: &str| word(&hex::decode(&text[2..]).unwrap());
    // `encodeTransactionData` of Safe.sol, with the hashes of its types written out.
    let types = [
        "bb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8",
        "47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218",
    ];
    let [transaction, domain] = types.map(|name| hex::decode(name).unwrap());
    let to = "0x00000000219ab540356cbb839cbe05303d7705fa";
    let zeros = word(&[]);
    let fields = [
        transaction,
        of(to),
        word(&1_000_000u64.to_be_bytes()),
        keccak256(&[1, 2]).to_vec(),
        word(&[1]),
        zeros.clone(),
        zeros.clone(),
        zeros.clone(),
        zeros.clone(),
        zeros,
        word(&[7]),
    ];
    let domain = keccak256(&[domain, word(&[100]), of(account)].concat());
    let hash = keccak256(&[&[0x19, 1], &domain[..], &keccak256(&fields.concat())].concat());
    let prefixed = keccak256(&[ETH_SIGN, &hash].concat());
    let mut by_eth_sign = sign(2, &prefixed);
    by_eth_sign[64] += 4;
    let contract = [&word(&[9])[..], &word(&[65]), &[0], &word(&[1]), &[7]].concat();
    let confirmation = |owner: u32, signature: &[u8]| json!({ "owner": address(owner), "signature": hex(signature) });
    let transaction = json!({
        "safe": account, "to": to, "value": "1000000", "data": "0x0102", "operation": 1,
        "gasToken": "0x0000000000000000000000000000000000000000", "safeTxGas": 0, "baseGas": "0",
        "gasPrice": "0", "refundReceiver": null, "nonce": "7", "safeTxHash": hex(&hash),
        "confirmations": [
            confirmation(1, &sign(1, &hash)),
            confirmation(2, &by_eth_sign),
            confirmation(3, &contract),
            confirmation(4, &sign(4, &hash)),
            confirmation(5, &sign(5, &hash)),
            confirmation(3, &sign(3, &prefixed)),
        ],
    });
    write(dir, "safe.json", &safe);
    write(dir, "transaction.json", &transaction);
    (safe, transaction)
}

const SAFE: &str = "safe --safe safe.json --transaction transaction.json";

#[test]
fn confirmations_of_a_safe() {
    let dir = fixture().scratch("import-safe");
    let (_, transaction) = safe(&dir);
    let run = import(&dir, &format!("{SAFE} --chain-id 100 --json")).expect(0, &[]);
    let report = run.json();
    assert_eq!(report["transaction"], transaction["safeTxHash"]);
    let set_aside = words(&report, "not_taken");
    for part in ["eth_sign", "EIP-1271", "not one of the owners", "the signature is by"] {
        assert!(set_aside.contains(part), "{set_aside}");
    }
    assert!(words(&report, "compared").contains("on chain 100"), "{report}");
    holds(&dir, &run, "2 of 4");
    // The others signed the hash behind a prefix.
    let run = import(&dir, &format!("{SAFE} --eth-sign --json")).expect(0, &[]);
    assert!(words(&run.json(), "believed").contains("--chain-id compares it"));
    next(&dir, &run).expect(1, &["the signers weigh 1, below the threshold 2"]);
    import(&dir, SAFE)
        .expect(0, &["compared: ", "believed: ", "next: muster check", "not taken: owner 0x"]);
}

#[test]
fn files_that_are_no_safe() {
    let dir = fixture().scratch("import-safe-bad");
    let (safe, transaction) = safe(&dir);
    import(&dir, &format!("{SAFE} --chain-id 1")).expect(2, &["safeTxHash", "on chain 1"]);
    let line = format!("{SAFE} --chain-id 100");
    let huge = "340282366920938463463374607431768211456";
    hostile(
        &dir,
        &line,
        "transaction.json",
        &transaction,
        &[
            ("/safe", json!(address(9)), "the owners are those of"),
            ("/safe", json!(7), "safe"),
            ("/value", json!(huge), "value"),
            ("/value", json!("1000001"), "safeTxHash"),
            ("/nonce", json!(-1), "nonce"),
            ("/operation", json!(256), "operation"),
            ("/data", json!("0x1"), "data"),
            ("/to", json!("0x00"), "to"),
            ("/safeTxHash", json!("0x00"), "safeTxHash"),
            ("/confirmations", json!({}), "confirmations"),
            ("/confirmations/0", json!([1, 2]), "confirmations[0]"),
            ("/confirmations/0/owner", json!("me"), "confirmations[0].owner"),
            ("/confirmations/0/signature", json!("zz"), "confirmations[0].signature"),
        ],
    );
    hostile(
        &dir,
        &line,
        "safe.json",
        &safe,
        &[
            ("/address", json!(null), "address"),
            ("/owners", json!([]), "owners"),
            ("/owners/1", json!(address(1)), "owners"),
            ("/owners/1", json!("0x00"), "owners[1]"),
            ("/threshold", json!("two"), "threshold"),
            ("/threshold", json!(0), "threshold: 0, but at least one"),
        ],
    );
    // A cut signature is one that does not count.
    let mut cut = transaction;
    cut["confirmations"][0]["signature"] = json!("0x0102");
    write(&dir, "transaction.json", &cut);
    import(&dir, &line).expect(0, &["not taken: owner", "found 2"]);
}

/// A VAA on a payload by these guardians of a set.
fn vaa(set: u32, guardians: &[(u8, u32)], payload: &[u8]) -> Vec<u8> {
    let emitter = [&[0; 31][..], &[4]].concat();
    let body = [&[0; 8][..], &[0, 1], &emitter, &77u64.to_be_bytes(), &[32], payload].concat();
    let digest = keccak256(&keccak256(&body));
    let one = |(index, number): &(u8, u32)| {
        let mut signature = sign(*number, &digest);
        signature[64] -= 27;
        [&[*index][..], &signature].concat()
    };
    let signatures: Vec<u8> = guardians.iter().flat_map(one).collect();
    [&[1][..], &set.to_be_bytes(), &[guardians.len() as u8], &signatures, &body].concat()
}

#[test]
fn a_vaa_of_mainnet() {
    let dir = fixture().scratch("import-vaa-mainnet");
    write_text(&dir, "vaa.hex", UPGRADE);
    write_text(&dir, "guardians.txt", FIRST);
    let run = import(&dir, "vaa --vaa vaa.hex --guardians guardians.txt --json").expect(0, &[]);
    assert_eq!(run.json()["not_taken"], json!([]));
    holds(&dir, &run, "1 of 1");
    // What it installs signs others.
    fs::write(dir.join("other.bin"), vaa(1, &[(3, 3)], b"hello")).unwrap();
    let run = import(&dir, "vaa --vaa other.bin --upgrade vaa.hex --json").expect(0, &[]);
    assert!(words(&run.json(), "not_taken").contains("guardian 3"));
    let run = import(&dir, "vaa --vaa other.bin --upgrade vaa.hex");
    run.expect(0, &["0 of 19 members", "the signature is by", "compared: the index"]);
}

#[test]
fn vaas_in_all_forms() {
    let dir = fixture().scratch("import-vaa");
    let bytes = vaa(4, &[(0, 10), (1, 11), (2, 12), (5, 12)], b"hello");
    let addresses: Vec<_> = (10..14).map(address).collect();
    let set = json!({ "guardianSet": { "index": 4, "addresses": addresses } });
    write(&dir, "set.json", &set);
    write(&dir, "list.json", &json!(addresses));
    write_text(&dir, "vaa", &hex(&bytes));
    for guardians in ["set.json", "list.json"] {
        let run = import(&dir, &format!("vaa --vaa vaa --guardians {guardians} --json"));
        let run = run.expect(0, &[]);
        assert!(words(&run.json(), "not_taken").contains("guardian 5"), "{run:?}");
        holds(&dir, &run, "3 of 4");
    }
    let line = "vaa --vaa vaa --guardians set.json";
    hostile(
        &dir,
        line,
        "set.json",
        &set,
        &[
            ("/guardianSet/index", json!("4294967296"), "2^32"),
            ("/guardianSet/addresses/0", json!("0x00"), "guardianSet.addresses[0]"),
            ("/guardianSet/addresses/0", json!(address(11)), "guardianSet.addresses"),
            ("/guardianSet", json!([4, []]), "guardianSet"),
        ],
    );
    let mut other = set;
    other["guardianSet"]["index"] = json!(3);
    write(&dir, "other.json", &other);
    import(&dir, "vaa --vaa vaa --guardians other.json")
        .expect(2, &["guardian set: 4, but the guardians are those of set 3"]);
    for length in [1, 5, 6, 60, 6 + 4 * 66, 6 + 4 * 66 + 50] {
        write_text(&dir, "vaa", &hex(&bytes[..length]));
        import(&dir, line).expect(2, &["vaa: ", "the VAA ends before it"]);
    }
    let out_of_order = vaa(4, &[(1, 11), (0, 10)], b"hello");
    for (bytes, part) in [
        (&[2, 0, 0, 0, 4, 0][..], "version: 2, not 1"),
        (&out_of_order, "signatures[1]: guardian 0 does not follow"),
    ] {
        write_text(&dir, "vaa", &hex(bytes));
        import(&dir, line).expect(2, &["vaa", part]);
    }
    for text in ["", "{}", "hello!", "{\"vaaBytes\": 7}"] {
        write_text(&dir, "vaa", text);
        import(&dir, line).expect(2, &["vaa"]);
    }
    // It installs nothing.
    write_text(&dir, "vaa", &hex(&vaa(4, &[], b"hello")));
    import(&dir, "vaa --vaa vaa --upgrade vaa").expect(2, &["payload: module"]);
}

/// The digest of `CheckpointLib.sol`, written out.
fn checkpoint(number: u32) -> Value {
    let (hook, root, id) = ([0x11; 32], [0x22; 32], [0x33; 32]);
    let domain = keccak256(&[&1u32.to_be_bytes()[..], &hook, b"HYPERLANE"].concat());
    let inner = keccak256(&[&domain[..], &root, &5u32.to_be_bytes(), &id].concat());
    let digest = keccak256(&[ETH_SIGN, &inner].concat());
    json!({
        "value": {
            "checkpoint": {
                "merkle_tree_hook_address": hex(&hook), "mailbox_domain": 1,
                "root": hex(&root), "index": 5,
            },
            "message_id": hex(&id),
        },
        "signature": {},
        "serialized_signature": hex(&sign(number, &digest)),
    })
}

#[test]
fn checkpoints_of_hyperlane() {
    let dir = fixture().scratch("import-hyperlane");
    for number in [20, 21, 25] {
        write(&dir, &format!("{number}.json"), &checkpoint(number));
    }
    let list = [20, 21, 22].map(address).join("\n");
    write_text(&dir, "validators.txt", &list);
    let line =
        "hyperlane --checkpoints 20.json 21.json 25.json --validators validators.txt --threshold 2";
    let run = import(&dir, &format!("{line} --json")).expect(0, &[]);
    assert!(words(&run.json(), "not_taken").contains("25.json"), "{run:?}");
    holds(&dir, &run, "2 of 3");
    hostile(
        &dir,
        line,
        "21.json",
        &checkpoint(21),
        &[
            ("/value/checkpoint/index", json!(6), "another checkpoint than in 20.json"),
            ("/value/checkpoint/index", json!(-6), "value.checkpoint.index"),
            ("/value/checkpoint/mailbox_domain", json!(1u64 << 32), "mailbox_domain"),
            ("/value/checkpoint/root", json!("0x22"), "value.checkpoint.root"),
            ("/value/message_id", json!(null), "value.message_id"),
            ("/serialized_signature", json!("22"), "serialized_signature"),
        ],
    );
}

#[test]
fn quorums_of_nobody() {
    let dir = fixture().scratch("import-quorum");
    for line in [
        "hyperlane --checkpoints 20.json --validators validators.txt --threshold 0",
        "cctp --message message.json --attesters attesters.json --threshold 0",
    ] {
        import(&dir, line).expect(2, &["--threshold: 0, but at least one has to sign"]);
        assert!(!dir.join("out").exists());
    }
}

#[test]
fn attestations_of_cctp() {
    let dir = fixture().scratch("import-cctp");
    let message =
        [&1u32.to_be_bytes()[..], &0u32.to_be_bytes(), &6u32.to_be_bytes(), &[7; 200]].concat();
    let digest = keccak256(&message);
    let attestation = [sign(30, &digest), sign(31, &digest), sign(39, &digest)].concat();
    let answer = json!({ "messages": [{
        "message": hex(&message), "attestation": hex(&attestation), "status": "complete",
    }] });
    write(&dir, "message.json", &answer);
    write(&dir, "attesters.json", &json!([address(30), address(31)]));
    let line = "cctp --message message.json --attesters attesters.json --threshold 2";
    let run = import(&dir, &format!("{line} --json")).expect(0, &[]);
    assert_eq!(
        (&run.json()["source_domain"], &run.json()["destination_domain"]),
        (&json!(0), &json!(6))
    );
    assert!(words(&run.json(), "not_taken").contains("signature 2"), "{run:?}");
    holds(&dir, &run, "2 of 2");
    hostile(
        &dir,
        line,
        "message.json",
        &answer,
        &[
            ("/messages", json!([]), "messages"),
            ("/messages/0/message", json!("0x00"), "too few"),
            ("/messages/0/attestation", json!("PENDING"), "status"),
            ("/messages/0/attestation", json!("0x00"), "not a multiple of 65"),
            ("/messages/0", json!([1]), "messages[0]"),
        ],
    );
    write(&dir, "attesters.json", &json!({ "scheme": "ed25519", "members": [] }));
    import(&dir, line).expect(2, &["attesters.json"]);
}
