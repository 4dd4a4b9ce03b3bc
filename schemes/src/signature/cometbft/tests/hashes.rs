//! Hashes of headers and of validators, with another encoder and other trees.

use prost::Message;
use serde_json::{json, Value};

use super::{
    super::{validators_hash, Header, KeyType, SimpleValidator},
    encoder::{
        hash_of_leaves, BlockId, CanonicalPartSetHeader, Consensus, PublicKey, Sum, Time, Validator,
    },
};
use crate::hash::sha256::sha256;

const HASHES: [&str; 8] = [
    "last_commit_hash",
    "data_hash",
    "validators_hash",
    "next_validators_hash",
    "consensus_hash",
    "app_hash",
    "last_results_hash",
    "evidence_hash",
];

fn header(json: &Value) -> Header {
    serde_json::from_value(json.clone()).unwrap()
}

/// The header of CometBFT's `types/block_test.go`, `TestHeaderHash`.
fn published() -> Value {
    let sum = |name: &str| hex::encode_upper(sha256(name.as_bytes()));
    let zeros = "00".repeat(32);
    let mut header = json!({
        "version": { "block": "1", "app": "2" },
        "chain_id": "chainId",
        "height": "3",
        "time": "2019-10-13T16:14:44Z",
        "last_block_id": { "hash": zeros, "parts": { "total": 6, "hash": zeros } },
        "proposer_address": sum("proposer_address")[..40],
    });
    for name in HASHES {
        header[name] = json!(sum(name));
    }
    header
}

#[test]
fn the_published_header_has_its_hash() {
    let header = header(&published());
    let expected = "f740121f553b5418c3efbd343c2dbfe9e007bb67b0d020a0741374bab65242a4";
    assert_eq!(hex::encode(header.hash()), expected);
    assert_eq!(header.validators_hash(), sha256(b"validators_hash"));
}

/// The same by the other encoder, of a first block with all that may be empty or 0.
#[test]
fn what_is_empty_is_left_out() {
    let mut json = published();
    json["version"] = json!({ "block": "11" });
    json["last_block_id"] = json!({ "hash": "", "parts": { "total": 0, "hash": "" } });
    json["time"] = json!("1970-01-01T00:00:00Z");
    for name in ["last_commit_hash", "app_hash"] {
        json[name] = json!("");
    }
    let parts = CanonicalPartSetHeader::default();
    let block_id = BlockId { hash: vec![], part_set_header: Some(parts) };
    let mut leaves = vec![
        Consensus { block: 11, app: 0 }.encode_to_vec(),
        "chainId".to_owned().encode_to_vec(),
        3i64.encode_to_vec(),
        Time::default().encode_to_vec(),
        block_id.encode_to_vec(),
    ];
    for name in HASHES.iter().chain(&["proposer_address"]) {
        leaves.push(hex::decode(json[name].as_str().unwrap()).unwrap().encode_to_vec());
    }
    assert_eq!(header(&json).hash(), hash_of_leaves(&leaves));
}

#[test]
fn every_field_of_a_header_counts() {
    let whole = header(&published()).hash();
    let places = ["/version/block", "/version/app", "/height", "/chain_id"];
    let numbers = places.map(|place| (place.to_owned(), json!("9")));
    let hashes = HASHES.map(|name| (format!("/{name}"), json!("11")));
    let others = [
        ("/time", json!("2019-10-13T16:14:44.1Z")),
        ("/last_block_id/hash", json!("11")),
        ("/last_block_id/parts/total", json!(7)),
        ("/last_block_id/parts/hash", json!("11")),
        ("/proposer_address", json!("11")),
    ];
    let others = others.map(|(place, to)| (place.to_owned(), to));
    for (place, to) in numbers.into_iter().chain(hashes).chain(others) {
        let mut changed = published();
        *changed.pointer_mut(&place).unwrap() = to;
        assert_ne!(header(&changed).hash(), whole, "{place}");
    }
}

#[test]
fn what_is_no_header_is_refused_by_its_field() {
    for (place, to, reason) in [
        ("/height", json!("0"), "height"),
        ("/height", json!(-3), "a number"),
        ("/time", json!("yesterday"), "not a time"),
        ("/app_hash", json!("1"), "not bytes in hex"),
        ("/app_hash", json!(null), "invalid type"),
        ("/last_block_id/parts/total", json!(1u64 << 32), "u32"),
    ] {
        let mut changed = published();
        *changed.pointer_mut(place).unwrap() = to;
        let error = serde_json::from_value::<Header>(changed).unwrap_err().to_string();
        assert!(error.contains(reason), "{place}: {error}");
    }
}

/// Sets of every size up to two whole levels more, with keys of every type.
#[test]
fn validators_are_hashed_as_the_other_encoder_has_them() {
    let types = [KeyType::Ed25519, KeyType::Secp256k1, KeyType::Bls12381];
    let validator = |i: usize| {
        let key_type = types[i % 3];
        SimpleValidator { key_type, key: vec![i as u8; [32, 33, 96][i % 3]], power: 1 << (2 * i) }
    };
    let encoded = |validator: &SimpleValidator| {
        let key = validator.key.clone();
        let sum = match validator.key_type {
            KeyType::Ed25519 => Sum::Ed25519(key),
            KeyType::Secp256k1 => Sum::Secp256k1(key),
            KeyType::Bls12381 => Sum::Bls12381(key),
        };
        let pub_key = Some(PublicKey { sum: Some(sum) });
        Validator { pub_key, voting_power: validator.power as i64 }.encode_to_vec()
    };
    for size in 0..18 {
        let validators: Vec<_> = (0..size).map(validator).collect();
        let leaves: Vec<_> = validators.iter().map(encoded).collect();
        assert_eq!(validators_hash(&validators), hash_of_leaves(&leaves), "{size}");
    }
    assert_eq!(KeyType::named("tendermint/PubKeySecp256k1"), Some(KeyType::Secp256k1));
    assert_eq!(KeyType::named("tendermint/PubKeySr25519"), None);
}

/// The validators of a testnet, as many as a page of a node's answer has, and the header of their block.
#[test]
fn the_validators_of_a_public_testnet_have_the_hash_of_their_header() {
    let header = header(&json!({
        "version": { "block": "11", "app": "1" }, "chain_id": "mocha-4", "height": "157001",
        "time": "2023-09-27T20:25:50.592129809Z",
        "last_block_id": {
            "hash": "DA1C195D8A0E74E50A8C6ABE24B63024F9865624609726C9954D713E21509E27",
            "parts": {
                "total": 1,
                "hash": "14C5199EBD5E66F76B0C2CBCB5843DAEEAD53EF221B3B3C627DB975BAE0C5533",
            },
        },
        "last_commit_hash": "9F9F6BA59F7E05ED70214BA5377D273094CC7270DE7F22DB58FDF2BB6636FF1F",
        "data_hash": "3D96B7D238E7E0456F6AF8E7CDF0A67BD6CF9C2089ECB559C659DCAA1F880353",
        "validators_hash": "E0B759134DBD6AC23568EEE696F319322704545F3F14B51B44AE1D630ACFE59B",
        "next_validators_hash": "E0B759134DBD6AC23568EEE696F319322704545F3F14B51B44AE1D630ACFE59B",
        "consensus_hash": "C0B6A634B72AE9687EA53B6D277A73ABA1386BA3CFC6D0F26963602F7F6FFCD6",
        "app_hash": "531BF6E0CCC4F3B77FD3E08703F0D1787E82101C3AE1CAE2BFADDBD3A79A0058",
        "last_results_hash": "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
        "evidence_hash": "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
        "proposer_address": "9141BB6C41EF0D4A6B6F861C9348CA13A71495E8",
    }));
    let lines = include_str!("mocha-4-157001.txt").lines().filter(|line| !line.starts_with('#'));
    let validator = |line: &str| {
        let (key, power) = line.split_once(' ').unwrap();
        let (key, power) = (hex::decode(key).unwrap(), power.parse().unwrap());
        SimpleValidator { key_type: KeyType::Ed25519, key, power }
    };
    let validators: Vec<_> = lines.map(validator).collect();
    assert_eq!(validators.len(), 100);
    assert_eq!(validators_hash(&validators), header.validators_hash());
    let block = "e2bd88293b1fe26a6b4b76630ef568d319222ca7e1e3c978a6233ab70a0274a1";
    assert_eq!(hex::encode(header.hash()), block);
}
