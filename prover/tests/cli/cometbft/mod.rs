//! A chain's commits, as the RPC of CometBFT answers.

mod import;
mod malformed;
mod proven;

use muster_gadgets::{
    hash::sha256::sha256,
    signature::{
        cometbft::{BlockId, ChainId, Height, PartSet, Precommit, Round, Timestamp},
        ed25519::{native::sign, PublicKey, SecretKey},
    },
};
use serde_json::{json, Value};

const CHAIN: &str = "muster-test-1";
const HEIGHT: u64 = 20_082_941;
/// Second of the day in the texts of times, and what it is since 1970.
const SECOND: (&str, i64) = ("2025-11-22T08:26:40", 1_763_800_000);
/// Digits behind the point, and the nanoseconds that they are.
const FRACTIONS: [(&str, u32); 6] = [
    ("", 0),
    (".000000001", 1),
    (".000000127", 127),
    (".000000128", 128),
    (".999999999", 999_999_999),
    (".5", 500_000_000),
];
const ABSENT: u8 = 1;
const FOR_THE_BLOCK: u8 = 2;
const FOR_NONE: u8 = 3;

/// A seed that nobody else would take.
fn secret_key(validator: usize) -> SecretKey {
    SecretKey::from_seed(&std::array::from_fn(|i| (7 * validator + 11 * i + 1) as u8))
}

fn precommit() -> Precommit {
    Precommit {
        height: Height::new(HEIGHT).unwrap(),
        round: Round::new(0).unwrap(),
        block_id: BlockId { hash: [0x11; 32], parts: PartSet::new(1, [0x22; 32]).unwrap() },
        chain_id: ChainId::new(CHAIN).unwrap(),
    }
}

/// Each by a clock of its own: as text, and as it is.
fn time(validator: usize) -> (String, Timestamp) {
    let (digits, nanos) = FRACTIONS[validator % FRACTIONS.len()];
    (format!("{}{digits}Z", SECOND.0), Timestamp::new(SECOND.1, nanos).unwrap())
}

/// What a validator signs who saw no block: `CanonicalVote` without the field of the block, at the time 0.
fn nil_vote() -> Vec<u8> {
    let mut vote = vec![0x08, 2, 0x11];
    vote.extend(HEIGHT.to_le_bytes());
    vote.extend([0x2a, 0, 0x32, CHAIN.len() as u8]);
    vote.extend(CHAIN.bytes());
    [&[vote.len() as u8], &vote[..]].concat()
}

fn address(key: &PublicKey) -> String {
    hex::encode_upper(&sha256(&key.to_bytes())[..20])
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let digit = |start: usize| {
        let bits = format!("{:0<6}", &bits[start..bits.len().min(start + 6)]);
        let number = usize::from_str_radix(&bits, 2).unwrap();
        alphabet.as_bytes()[number] as char
    };
    let digits: String = (0..bits.len()).step_by(6).map(digit).collect();
    format!("{digits:=<0$}", digits.len().next_multiple_of(4))
}

/// `/validators` of validators with these powers.
fn validators(powers: &[u64]) -> Value {
    let validator = |(number, power): (usize, &u64)| {
        let key = secret_key(number).public_key();
        json!({
            "address": address(&key),
            "pub_key": { "type": "tendermint/PubKeyEd25519", "value": base64(&key.to_bytes()) },
            "voting_power": power.to_string(),
            "proposer_priority": "-7",
        })
    };
    let list: Vec<_> = powers.iter().enumerate().map(validator).collect();
    let count = powers.len().to_string();
    answer(json!({
        "block_height": HEIGHT.to_string(), "validators": list, "count": count, "total": count,
    }))
}

/// An entry of `/commit`.
fn entry(validator: usize, flag: u8) -> Value {
    let (key, (text, time)) = (secret_key(validator), time(validator));
    let signed = match flag {
        ABSENT => {
            return json!({
                "block_id_flag": ABSENT,
                "validator_address": "",
                "timestamp": "0001-01-01T00:00:00Z",
                "signature": null,
            })
        }
        FOR_THE_BLOCK => precommit().signed_bytes(&time),
        _ => nil_vote(),
    };
    json!({
        "block_id_flag": flag,
        "validator_address": address(&key.public_key()),
        "timestamp": text,
        "signature": base64(&sign(&key, &signed).to_bytes()),
    })
}

/// `/commit` in which validators did what the flags say.
fn commit(flags: &[u8]) -> Value {
    let signatures: Vec<_> = flags.iter().enumerate().map(|(i, flag)| entry(i, *flag)).collect();
    let hash = "11".repeat(32);
    let block_id = json!({ "hash": hash, "parts": { "total": 1, "hash": "22".repeat(32) } });
    let header =
        json!({ "chain_id": CHAIN, "height": HEIGHT.to_string(), "version": { "block": "11" } });
    let commit = json!({
        "height": HEIGHT.to_string(), "round": 0, "block_id": block_id, "signatures": signatures,
    });
    answer(json!({ "signed_header": { "header": header, "commit": commit }, "canonical": true }))
}

fn answer(result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": -1, "result": result })
}
