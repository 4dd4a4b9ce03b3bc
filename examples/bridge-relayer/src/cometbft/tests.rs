//! Reading what a node answers, whose signatures two sets have in common, and what a watcher does not report.

use std::path::Path;

use alloy_primitives::{Bytes, B256};
use alloy_sol_types::{SolCall, SolEvent};
use serde_json::{json, Value};

use super::{abi, abi::Checkpoint, block::Block, update::common, Watch};
use crate::{
    config::Config,
    fault::Fault,
    source::write,
    step::Follower,
    tests::{config, node},
};

/// Of mocha-4 at height 10500: circuits/fixtures of succinctlabs/tendermintx.
const HEADER: &str = r#"{
    "version": { "block": "11", "app": "1" }, "chain_id": "mocha-4", "height": "10500",
    "time": "2023-09-07T14:22:16.806647536Z",
    "last_block_id": { "hash": "BAB8C3684A3D6F3FBE96E3E2500DF50AFC41CFF95ECABFBDBFDD6E0E2DDC51E6",
        "parts": { "total": 1, "hash": "B19BBD3E8F69EFB74B4734FEA9C245DCD98D939FA97656C69C5A98E845BE8B4B" } },
    "last_commit_hash": "18AFB28E61D66841F61EB5968E510E2BFFADAE9E6A07E4659651AA49B4F83401",
    "data_hash": "3D96B7D238E7E0456F6AF8E7CDF0A67BD6CF9C2089ECB559C659DCAA1F880353",
    "validators_hash": "10EF7E029575A3B9D6653D3A3F9C9732A9F7646E13DF3A380A2D026B61A24ACF",
    "next_validators_hash": "10EF7E029575A3B9D6653D3A3F9C9732A9F7646E13DF3A380A2D026B61A24ACF",
    "consensus_hash": "C0B6A634B72AE9687EA53B6D277A73ABA1386BA3CFC6D0F26963602F7F6FFCD6",
    "app_hash": "575D309F3F67851FDEC5D92CEE46A93F630CBB79D0E0E50F7CEAAEB8EAB9BF19",
    "last_results_hash": "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
    "evidence_hash": "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
    "proposer_address": "597944BC0AEDFA1D9DA7C2098FB05D7B6A2D4946" }"#;
const HASH: &str = "E2BA1B86926925A69C2FCC32E5178E7E6653D386C956BB975142FA73211A9444";

fn answer() -> Value {
    let header: Value = serde_json::from_str(HEADER).expect("JSON");
    let id = json!({ "hash": HASH, "parts": { "total": 1, "hash": HASH } });
    let commit = json!({ "height": "10500", "round": 2, "block_id": id, "signatures": [] });
    json!({ "result": { "signed_header": { "header": header, "commit": commit } } })
}

fn read(answer: &Value) -> Result<Block, Fault> {
    Block::read(&answer.to_string(), Path::new("blocks"))
}

#[test]
fn an_answer_that_is_odd_may_be_another_one_later() {
    let refused = |text: &str| Block::read(text, Path::new("blocks")).err();
    let text = answer().to_string();
    for text in ["", "{}", &text[..text.len() / 2], r#"{"error": {"code": -32603}}"#] {
        assert!(refused(text).expect("refused").may_pass(), "{text}");
    }
    for (field, value) in [
        ("height", json!("-1")),
        ("time", json!("yesterday")),
        ("app_hash", json!("5")),
        ("validators_hash", json!("57")),
        ("last_block_id", json!(null)),
    ] {
        let mut odd = answer();
        odd["result"]["signed_header"]["header"][field] = value;
        assert!(matches!(read(&odd), Err(Fault::Source(_))), "{field}");
    }
}

#[test]
fn a_header_is_read_as_a_client_hashes_it() {
    let block = read(&answer()).expect("a block");
    let header = &block.header;
    assert_eq!((header.height, header.versionBlock, header.versionApp), (10_500, 11, 1));
    assert_eq!((header.time.secs, header.time.nanos), (1_694_096_536, 806_647_536));
    assert_eq!((header.lastBlockId.partsTotal, block.round, block.parts_total), (1, 2, 1));
    assert_eq!(header.hashes[8].len(), 20);
    assert_eq!(hex::encode_upper(block.checkpoint().blockHash), HASH);
    assert_eq!(block.validators(), block.checkpoint().nextValidatorsHash);
    assert_eq!(block.dir, Path::new("blocks/10500-e2ba1b86926925a6"));
    // Versions that are 0 are left out.
    let mut odd = answer();
    odd["result"]["signed_header"]["header"]["version"] = json!({ "block": "11" });
    assert_eq!(read(&odd).expect("a block").header.versionApp, 0);
}

/// A block in this folder, with validators of these keys and weights, of whom these signed.
fn block(dir: &Path, members: &[(&str, u64)], signed: &[usize]) -> Block {
    let mut block = read(&answer()).expect("a block");
    dir.clone_into(&mut block.dir);
    let member = |(key, weight): &(&str, u64)| json!({ "public_key": key, "weight": weight });
    let members: Vec<_> = members.iter().map(member).collect();
    write(&block.committee(), &json!({ "members": members }).to_string()).expect("written");
    let one = |member: &usize| json!({ "member": member, "signature": format!("by {member}") });
    let list: Vec<_> = signed.iter().map(one).collect();
    let signatures = json!({ "message": "0x00", "signatures": list });
    write(&block.signatures(), &signatures.to_string()).expect("written");
    block
}

#[test]
fn more_than_a_third_of_the_trusted_weight_has_to_sign() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("common.json");
    let named = block(&dir.path().join("named"), &[("a", 2), ("b", 1), ("c", 3)], &[]);
    let verdict = |members: &[(&str, u64)], signed: &[usize]| {
        let later = block(&dir.path().join("later"), members, signed);
        common(&named, &later, &file).expect("files")
    };
    // Weights are those of the trusted set, whatever the later one has.
    assert!(!verdict(&[("x", 9), ("a", 9)], &[0, 1]), "two of six are not more than a third");
    assert!(!verdict(&[("b", 9), ("c", 9)], &[0]));
    assert!(!verdict(&[("c", 9), ("x", 9)], &[1]), "c did not sign");
    assert!(verdict(&[("b", 1), ("x", 1), ("a", 1)], &[0, 1, 2]));
    let kept = Block::read_file(&file).expect("written");
    let signatures = [("b", "by 0"), ("a", "by 2")];
    let signatures = signatures.map(|(key, by)| json!({ "member": key, "signature": by }));
    assert_eq!(kept, json!({ "message": "0x00", "signatures": signatures }));
}

fn word(bytes: &[u8]) -> Value {
    json!({ "result": format!("0x{}", hex::encode(bytes)) })
}

/// What the chain of the client answers a watcher of one node: once, and then each time.
fn told(status: u8, known: &[Checkpoint], times: usize) -> Vec<Value> {
    let name = abi::chainIdCall::abi_encode_returns(&Bytes::from("mocha-4"));
    let time = abi::Time { secs: 1, nanos: 0 };
    let latest = abi::latestCall::abi_encode_returns(&abi::latestReturn { height: 10_500, time });
    let log = |checkpoint: &Checkpoint| {
        let log = abi::HeaderVerified {
            height: checkpoint.height,
            blockHash: checkpoint.blockHash,
            checkpoint: checkpoint.clone(),
            appHash: B256::ZERO,
        };
        let log = log.encode_log_data();
        let topics: Vec<_> = log.topics().iter().map(ToString::to_string).collect();
        json!({ "topics": topics, "data": log.data.to_string() })
    };
    let logs: Vec<_> = known.iter().map(log).collect();
    let status = abi::statusCall::abi_encode_returns(&status);
    let each = [word(&status), word(&latest), json!({ "result": logs })];
    let all = (0..times).flat_map(|_| each.clone());
    [word(&name)].into_iter().chain(all).collect()
}

/// A watcher over a node that gives these answers.
fn watch(dir: &Path, chain: Vec<Value>, answers: Vec<Value>) -> Watch {
    let config = Config { source: node(answers), ..config(dir, chain) };
    Watch::new(&config).expect("a client")
}

#[test]
fn a_node_that_has_the_clients_headers_is_asked_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let known = [read(&answer()).expect("a block").checkpoint()];
    let mut watch = watch(dir.path(), told(0, &known, 2), vec![answer()]);
    for _ in 0..2 {
        assert_eq!(watch.next().expect("an answer"), None);
    }
}

#[test]
fn a_watcher_reports_nothing_that_it_cannot_show_and_says_which_node_it_was() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut other = read(&answer()).expect("a block").checkpoint();
    other.blockHash = B256::repeat_byte(1);
    let below = Checkpoint { height: 10_499, ..other.clone() };
    let mut above = answer();
    above["result"]["signed_header"]["header"]["height"] = json!("10501");
    // Silence, half an answer, another height; a block of its own, and nothing in common; and the same with one below, that is not
    // the client's either.
    let mut lower = answer();
    lower["result"]["signed_header"]["header"]["height"] = json!("10499");
    for (known, answers, expected) in [
        (vec![other.clone()], vec![], "commit"),
        (vec![other.clone()], vec![json!({ "result": {} })], "commit"),
        (vec![other.clone()], vec![above], "block 10501 in place of 10500"),
        (vec![other.clone()], vec![answer()], "none below"),
        (vec![other.clone(), below], vec![answer(), lower], "none below"),
    ] {
        let mut watch = watch(dir.path(), told(0, &known, 1), answers);
        let Err(Fault::Source(said)) = watch.next() else { panic!("believed") };
        assert!(said.starts_with("http://127.0.0.1:") && said.contains(expected), "{said}");
    }
}

#[test]
fn a_watcher_ends_with_the_client() {
    let dir = tempfile::tempdir().expect("a folder");
    for (status, state) in [(1, "expired"), (2, "frozen")] {
        let mut watch = watch(dir.path(), told(status, &[], 1), vec![]);
        let Err(Fault::Over(said)) = watch.next() else { panic!("goes on") };
        assert!(said.contains(state), "{said}");
    }
}
