//! `muster import beacon`: a light client's update and its committee, of the minimal preset, whose committees have 32
//! seats.

use std::path::Path;

use blst::min_pk::{AggregateSignature, SecretKey};
use serde_json::{json, Value};
use sha2::{Digest, Sha256};

use crate::{
    support::{fixture, line, lines, run_in, write, write_text, Run},
    sync_committee::{
        chunk, genesis, merkleize, secret_key, signing_root, BeaconBlockHeader, Root, TAG,
    },
};

const SEATS: usize = 32;
/// Slots of a period.
const PERIOD: u64 = 64;
const LINE: &str =
    "import beacon --update update.json --committee bootstrap.json --out out --force";

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// Two seats have one key.
fn secrets() -> Vec<SecretKey> {
    (0..SEATS).map(|seat| secret_key(seat.max(1))).collect()
}

/// A branch of this depth, and the root that it leads to from a leaf in this place.
fn branch(leaf: Root, depth: usize, place: usize) -> (Vec<String>, Root) {
    let siblings: Vec<Root> = (0..depth).map(|level| [level as u8 + 1; 32]).collect();
    let root = siblings.iter().enumerate().fold(leaf, |node, (level, sibling)| {
        let pair = if place >> level & 1 == 0 { [node, *sibling] } else { [*sibling, node] };
        Sha256::digest(pair.concat()).into()
    });
    (siblings.iter().map(|word| hex(word)).collect(), root)
}

fn header(header: &BeaconBlockHeader) -> Value {
    json!({ "beacon": {
        "slot": header.slot.to_string(),
        "proposer_index": header.proposer_index.to_string(),
        "parent_root": hex(&header.parent_root),
        "state_root": hex(&header.state_root),
        "body_root": hex(&header.body_root),
    } })
}

/// A bootstrap and a finality update of the same period, with branches of Deneb or, one level deeper, of Electra.
fn files(dir: &Path, deeper: usize) -> (Value, Value) {
    let keys: Vec<_> = secrets().iter().map(|secret| secret.sk_to_pk().compress()).collect();
    let key_root = |key: &[u8; 48]| merkleize(&[chunk(&key[..32]), chunk(&key[32..])]);
    let roots: Vec<_> = keys.iter().map(key_root).collect();
    let committee = merkleize(&[merkleize(&roots), key_root(&keys[3])]);
    let (current, state_root) = branch(committee, 5 + deeper, 22);
    let first = BeaconBlockHeader { slot: 5 * PERIOD, state_root, ..genesis() };
    let bootstrap = json!({ "version": "deneb", "data": {
        "header": header(&first),
        "current_sync_committee": {
            "pubkeys": keys.iter().map(|key| hex(key)).collect::<Vec<_>>(),
            "aggregate_pubkey": hex(&keys[3]),
        },
        "current_sync_committee_branch": current,
    } });
    let finalized = BeaconBlockHeader { slot: 5 * PERIOD + 8, ..genesis() };
    let (finality, state_root) = branch(finalized.hash_tree_root(), 6 + deeper, 41);
    let attested = BeaconBlockHeader { slot: 5 * PERIOD + 24, state_root, ..genesis() };
    let signed = signing_root(&attested);
    let signatures: Vec<_> =
        secrets()[..30].iter().map(|secret| secret.sign(&signed, TAG, &[])).collect();
    let all: Vec<_> = signatures.iter().collect();
    let sum = AggregateSignature::aggregate(&all, false).unwrap().to_signature().compress();
    let update = json!({ "version": "deneb", "data": {
        "attested_header": header(&attested),
        "finalized_header": header(&finalized),
        "finality_branch": finality,
        "sync_aggregate": {
            "sync_committee_bits": "0xffffff3f",
            "sync_committee_signature": hex(&sum),
        },
        "signature_slot": (5 * PERIOD + 25).to_string(),
    } });
    write(dir, "bootstrap.json", &bootstrap);
    write(dir, "update.json", &update);
    (bootstrap, update)
}

/// The root of the committee of a bootstrap, which the branch leads from.
fn committee_root(bootstrap: &Value) -> Root {
    let committee = &bootstrap["data"]["current_sync_committee"];
    let key_root = |key: &Value| {
        let key = hex::decode(&key.as_str().expect("hex")[2..]).expect("hex");
        merkleize(&[chunk(&key[..32]), chunk(&key[32..])])
    };
    let keys = committee["pubkeys"].as_array().expect("a list");
    let roots: Vec<_> = keys.iter().map(key_root).collect();
    merkleize(&[merkleize(&roots), key_root(&committee["aggregate_pubkey"])])
}

/// Runs the command that an import names next.
fn next(dir: &Path, imported: &Run) -> Run {
    let line = imported.json()["next"][0].as_str().unwrap().replace('\'', "");
    // In a circuit that there is no room for: a signature that does not hold is named before that.
    run_in(dir, &format!("{} --degree 4", line.strip_prefix("muster ").unwrap()))
}

#[test]
fn an_update_is_signed_by_its_committee() {
    let dir = fixture().scratch("import-beacon");
    for deeper in [0, 1] {
        let (bootstrap, update) = files(&dir, deeper);
        let run = run_in(&dir, &format!("{LINE} --json")).expect(0, &[]);
        let report = run.json();
        assert_eq!((&report["period"], &report["slot"]), (&json!(5), &json!(5 * PERIOD + 24)));
        assert_eq!(report["finalized"]["slot"], 5 * PERIOD + 8);
        assert_eq!(report["commitment"], json!(hex(&committee_root(&bootstrap))));
        let parts = ["30 of 32 members", "believed: that the block 0x", "compared: the finalized"];
        run_in(&dir, LINE).expect(0, &parts);
        if deeper == 0 {
            next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
        }
        // As `updates` answers it.
        write(&dir, "update.json", &json!([update]));
        run_in(&dir, LINE).expect(0, &[]);
        write(&dir, "update.json", &json!([update, update]));
        run_in(&dir, LINE).expect(2, &["2 updates", "count=1"]);
    }
    // Another network's signature is none on mainnet.
    files(&dir, 0);
    let run = run_in(&dir, &format!("{LINE} --fork-version 0x90000073 --json")).expect(0, &[]);
    next(&dir, &run).expect(1, &["rejected: aggregate signature"]);
}

#[test]
fn updates_that_do_not_belong_to_the_committee() {
    let dir = fixture().scratch("import-beacon-bad");
    let (bootstrap, update) = files(&dir, 0);
    let refused = |name: &str, good: &Value, edits: &[(&str, Value, &str)]| {
        for (pointer, value, part) in edits {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).unwrap() = value.clone();
            write(&dir, name, &bad);
            run_in(&dir, LINE).expect(2, &[name, part]);
        }
        let text = good.to_string();
        write_text(&dir, name, &text[..text.len() / 2]);
        run_in(&dir, LINE).expect(2, &[name, "EOF"]);
        write(&dir, name, good);
    };
    let other = json!(hex(&[7; 32]));
    refused(
        "update.json",
        &update,
        &[
            ("/version", json!("homestead"), "--fork-version"),
            ("/data/signature_slot", json!((6 * PERIOD).to_string()), "in period 6"),
            ("/data/signature_slot", json!("18446744073709551616"), "2^64"),
            ("/data/signature_slot", json!((5 * PERIOD + 24).to_string()), "not after the slot"),
            ("/data/finality_branch/0", other.clone(), "finality_branch"),
            ("/data/finalized_header/beacon/slot", json!("1"), "finality_branch"),
            ("/data/attested_header/beacon/state_root", other.clone(), "finality_branch"),
            ("/data/attested_header/beacon/state_root", json!("0x07"), "state_root"),
            ("/data/attested_header", json!([]), "attested_header"),
            ("/data/sync_aggregate/sync_committee_bits", json!("0xffff"), "16 bits for 32 seats"),
            ("/data/sync_aggregate/sync_committee_bits", json!(3), "sync_committee_bits"),
            ("/data/sync_aggregate/sync_committee_signature", json!("0xff"), "found 1"),
        ],
    );
    refused(
        "bootstrap.json",
        &bootstrap,
        &[
            (
                "/data/current_sync_committee/pubkeys/0",
                bootstrap["data"]["current_sync_committee"]["pubkeys"][9].clone(),
                "current_sync_committee_branch",
            ),
            ("/data/current_sync_committee/pubkeys/0", json!("0x00"), "pubkeys[0]"),
            ("/data/current_sync_committee/pubkeys", json!([]), "0 keys"),
            ("/data/current_sync_committee", json!(null), "neither a bootstrap"),
            ("/data/current_sync_committee_branch/4", other, "current_sync_committee_branch"),
            ("/data/header/beacon/slot", json!(-1), "data.header.beacon.slot"),
        ],
    );
}

const SEPOLIA: &str = include_str!("sepolia-3588160.txt");
const DEVNET: &str = include_str!("devnet-1360.txt");

/// The update of a file, the update that names its committee, and the arguments that say which network it is.
fn published(dir: &Path, file: &str) -> (Value, String) {
    let word = |name: &str| json!(format!("0x{}", line(file, name)));
    let words = |name: &'static str| -> Value {
        lines(file, name).map(|word| format!("0x{word}")).collect()
    };
    let header = |name: &str| {
        let number = |field: &str| json!(line(file, &format!("{name}.{field}")));
        let word = |field: &str| word(&format!("{name}.{field}"));
        json!({ "beacon": {
            "slot": number("slot"),
            "proposer_index": number("proposer_index"),
            "parent_root": word("parent_root"),
            "state_root": word("state_root"),
            "body_root": word("body_root"),
        } })
    };
    let names = json!([{ "version": "capella", "data": {
        "attested_header": header("source"),
        "next_sync_committee": {
            "pubkeys": words("pubkey"),
            "aggregate_pubkey": word("aggregate_pubkey"),
        },
        "next_sync_committee_branch": words("next_sync_committee_branch"),
    } }]);
    let update = json!([{ "version": "capella", "data": {
        "attested_header": header("attested"),
        "finalized_header": header("finalized"),
        "finality_branch": words("finality_branch"),
        "sync_aggregate": {
            "sync_committee_bits": word("sync_committee_bits"),
            "sync_committee_signature": word("sync_committee_signature"),
        },
        "signature_slot": line(file, "signature_slot"),
    } }]);
    write(dir, "bootstrap.json", &names);
    write(dir, "update.json", &update);
    let network = format!(
        "--genesis-validators-root 0x{} --fork-version 0x{}",
        line(file, "genesis_validators_root"),
        line(file, "fork_version"),
    );
    (update, network)
}

/// Committees of two networks, and what they signed: of Sepolia, and of a network so small that each key has four seats.
#[test]
fn updates_of_test_networks_hold() {
    let dir = fixture().scratch("import-beacon-published");
    for (file, period, finalized, signed) in
        [(SEPOLIA, 438, 3_588_096, "494 of 512 members"), (DEVNET, 21, 1344, "32 of 32 members")]
    {
        let (update, network) = published(&dir, file);
        let run = run_in(&dir, &format!("{LINE} {network} --json")).expect(0, &[]);
        let report = run.json();
        assert_eq!(report["period"], json!(period));
        assert_eq!(report["finalized"]["slot"], json!(finalized));
        run_in(&dir, &format!("{LINE} {network}")).expect(0, &[signed, "compared: the finalized"]);
        next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
        // One seat less, and another fork.
        let mut lie = update;
        let bits = line(file, "sync_committee_bits");
        let first = u8::from_str_radix(&bits[..2], 16).unwrap();
        let less = format!("0x{:02x}{}", first & 0xfe, &bits[2..]);
        lie[0]["data"]["sync_aggregate"]["sync_committee_bits"] = json!(less);
        write(&dir, "update.json", &lie);
        let run = run_in(&dir, &format!("{LINE} {network} --json")).expect(0, &[]);
        next(&dir, &run).expect(1, &["rejected: aggregate signature"]);
        published(&dir, file);
        let network = network.replace("--fork-version 0x9", "--fork-version 0x8");
        let network = network.replace("--fork-version 0x03", "--fork-version 0x02");
        let run = run_in(&dir, &format!("{LINE} {network} --json")).expect(0, &[]);
        next(&dir, &run).expect(1, &["rejected: aggregate signature"]);
    }
}
