//! Blocks of mocha-4, Celestia's testnet, with a hundred validators: what a node answered, unchanged but for its form.

use std::path::Path;

use serde_json::{json, Value};

use super::{address, answer, import::LINE, validators_of, Seat, ED25519};
use crate::support::{fixture, line, run_in, write};

const FIRST: &str = include_str!("mocha-4-2279100.txt");
/// Thirty blocks later, by the same validators.
const SECOND: &str = include_str!("mocha-4-2279130.txt");
/// Who voted for no block, both times.
const NIL: usize = 72;

/// The lines of a block behind this one, up to the next list.
fn list<'a>(block: &'a str, name: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
    let lines = block.lines().skip_while(move |line| *line != name).skip(1);
    lines.map(|line| line.split(' ').collect()).take_while(|parts: &Vec<_>| parts.len() > 1)
}

fn field(block: &str, name: &str) -> Value {
    json!(line(block, name))
}

fn block_id(block: &str, name: &str) -> Value {
    let part = |part: &str| field(block, &format!("{name}.{part}"));
    let total: u64 = part("parts.total").as_str().unwrap().parse().unwrap();
    json!({ "hash": part("hash"), "parts": { "total": total, "hash": part("parts.hash") } })
}

/// The answers for a block.
fn answers(dir: &Path, block: &str) -> [Value; 2] {
    let seat = |parts: Vec<&str>| Seat {
        key_type: ED25519,
        key: hex::decode(parts[0]).unwrap(),
        power: parts[1].parse().unwrap(),
    };
    let seats: Vec<_> = list(FIRST, "validators").map(seat).collect();
    let mut validators = validators_of(&seats);
    validators["result"]["block_height"] = field(block, "height");
    let mut header = json!({
        "version": { "block": field(block, "version.block"), "app": field(block, "version.app") },
        "last_block_id": block_id(block, "last_block_id"),
    });
    for name in [
        "chain_id",
        "height",
        "time",
        "last_commit_hash",
        "data_hash",
        "validators_hash",
        "next_validators_hash",
        "consensus_hash",
        "app_hash",
        "last_results_hash",
        "evidence_hash",
        "proposer_address",
    ] {
        header[name] = field(block, name);
    }
    let signature = |(seat, parts): (&Seat, Vec<&str>)| {
        json!({
            "block_id_flag": parts[0].parse::<u8>().unwrap(),
            "validator_address": address(&seat.key),
            "timestamp": parts[1],
            "signature": parts[2],
        })
    };
    let signatures: Vec<_> = seats.iter().zip(list(block, "signatures")).map(signature).collect();
    let commit =
        answer(json!({ "canonical": true, "signed_header": { "header": header, "commit": {
        "height": field(block, "commit.height"),
        "round": 0,
        "block_id": block_id(block, "commit.block_id"),
        "signatures": signatures,
    } } }));
    write(dir, "validators.json", &validators);
    write(dir, "commit.json", &commit);
    [validators, commit]
}

/// All signatures hold, that for no block as well.
#[test]
fn a_hundred_validators_signed_two_blocks() {
    let dir = fixture().scratch("import-published");
    for (block, height, digest) in [
        (FIRST, 2_279_100, "0x799c86d05192d980d393323cda5725a43622d24848fdf114e2ee91632639d497"),
        (SECOND, 2_279_130, "0xdebe2107d6cab6691fdb78155af1bbb35c53b185010fe768151333c55f449697"),
    ] {
        answers(&dir, block);
        let run = run_in(&dir, &format!("{LINE} --chain-id mocha-4 --force --json"));
        let run = run.expect(0, &[]).json();
        assert_eq!((&run["height"], &run["digest"]), (&json!(height), &json!(digest)));
        let signing: Vec<_> = (0..100).filter(|member| *member != NIL).collect();
        assert_eq!((&run["signing"], &run["nil"][0]["member"]), (&json!(signing), &json!(NIL)));
        assert_eq!((&run["absent"], &run["empty"]), (&json!([]), &json!([])));
        let weights = [&run["weight"], &run["total_weight"]];
        assert_eq!(weights, [&json!(511_366_245), &json!(511_862_423)]);
        run_in(&dir, "root out/committee.json").expect(0, &[ROOT]);
    }
}

/// The root of the set of both, which `contracts/test/vectors/cometbft.json` has, too.
const ROOT: &str = "0x2148c99dd505da25d7e866fe25b45b9e670d2de7367aef8d96389ded403e5adb";

/// A signature of another time, another power, and a vote for no block that is said to be one for it.
#[test]
fn a_published_block_that_was_changed() {
    let dir = fixture().scratch("import-published-changed");
    let [validators, commit] = answers(&dir, SECOND);
    let entry = "/result/signed_header/commit/signatures";
    for (place, name, value) in [
        (3, "timestamp", json!("2024-07-16T21:27:42.638326722Z")),
        (NIL, "block_id_flag", json!(2)),
        (5, "block_id_flag", json!(3)),
    ] {
        let mut lie = commit.clone();
        lie.pointer_mut(&format!("{entry}/{place}")).unwrap()[name] = value;
        write(&dir, "commit.json", &lie);
        let named = format!("signatures[{place}].signature");
        run_in(&dir, &format!("{LINE} --force")).expect(1, &[&named, "equation"]);
    }
    write(&dir, "commit.json", &commit);
    let mut lie = validators;
    lie.pointer_mut("/result/validators/99").unwrap()["voting_power"] = json!("100011");
    write(&dir, "validators.json", &lie);
    run_in(&dir, &format!("{LINE} --force")).expect(2, &["validators_hash"]);
}
