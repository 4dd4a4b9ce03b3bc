//! A chain's commits, as the RPC of CometBFT answers.

mod block;
mod import;
mod left_out;
mod malformed;
mod proven;
mod published;
mod together;

use muster_schemes::{
    hash::sha256::sha256,
    signature::{
        cometbft::{
            validators_hash, BlockId, ChainId, Header, Height, KeyType, PartSet, Precommit, Round,
            SimpleValidator, Timestamp,
        },
        ed25519::{native::sign, SecretKey},
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

/// What a node says of a validator.
#[derive(Clone)]
struct Seat {
    key_type: &'static str,
    key: Vec<u8>,
    power: u64,
}

const ED25519: &str = "tendermint/PubKeyEd25519";

/// Validators with these powers and keys that hold.
fn seats(powers: &[u64]) -> Vec<Seat> {
    let key = |number| secret_key(number).public_key().to_bytes().to_vec();
    let seat = |(number, power): (usize, &u64)| Seat {
        key_type: ED25519,
        key: key(number),
        power: *power,
    };
    powers.iter().enumerate().map(seat).collect()
}

/// What the validators share who sign the block of this header.
fn precommit_for(header: &Value) -> Precommit {
    let hash = serde_json::from_value::<Header>(header.clone()).unwrap().hash();
    Precommit {
        height: Height::new(HEIGHT).unwrap(),
        round: Round::new(0).unwrap(),
        block_id: BlockId { hash, parts: PartSet::new(1, [0x22; 32]).unwrap() },
        chain_id: ChainId::new(CHAIN).unwrap(),
    }
}

fn precommit(powers: &[u64]) -> Precommit {
    precommit_for(&header(&seats(powers)))
}

/// Each by a clock of its own: as text, and as it is.
fn time(validator: usize) -> (String, Timestamp) {
    let (digits, nanos) = FRACTIONS[validator % FRACTIONS.len()];
    (format!("{}{digits}Z", SECOND.0), Timestamp::new(SECOND.1, nanos).unwrap())
}

/// What a validator signs who saw no block: `CanonicalVote` without the field of the block, at a time since 1970.
fn nil_vote(time: &Timestamp) -> Vec<u8> {
    let varint = |mut number: u64| {
        let mut bytes = vec![];
        while number > 0x7f {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        [bytes, vec![number as u8]].concat()
    };
    let mut times = [&[0x08][..], &varint(time.seconds() as u64)].concat();
    if time.nanos() > 0 {
        times.extend([&[0x10][..], &varint(time.nanos().into())].concat());
    }
    let mut vote = vec![0x08, 2, 0x11];
    vote.extend(HEIGHT.to_le_bytes());
    vote.extend([&[0x2a, times.len() as u8], &times[..]].concat());
    vote.extend([0x32, CHAIN.len() as u8]);
    vote.extend(CHAIN.bytes());
    [&[vote.len() as u8], &vote[..]].concat()
}

fn address(key: &[u8]) -> String {
    hex::encode_upper(&sha256(key)[..20])
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
    validators_of(&seats(powers))
}

fn validators_of(seats: &[Seat]) -> Value {
    let validator = |Seat { key_type, key, power }: &Seat| {
        json!({
            "address": address(key),
            "pub_key": { "type": key_type, "value": base64(key) },
            "voting_power": power.to_string(),
            "proposer_priority": "-7",
        })
    };
    let list: Vec<_> = seats.iter().map(validator).collect();
    let count = seats.len().to_string();
    answer(json!({
        "block_height": HEIGHT.to_string(), "validators": list, "count": count, "total": count,
    }))
}

/// A header of a block that these validators sign.
fn header(seats: &[Seat]) -> Value {
    let hashed = |Seat { key_type, key, power }: &Seat| {
        let key_type = KeyType::named(key_type).unwrap();
        SimpleValidator { key_type, key: key.clone(), power: *power }
    };
    let validators = validators_hash(&seats.iter().map(hashed).collect::<Vec<_>>());
    let hash = |byte: &str| byte.repeat(32);
    json!({
        "version": { "block": "11" },
        "chain_id": CHAIN,
        "height": HEIGHT.to_string(),
        "time": "2025-11-22T08:26:35.25Z",
        "last_block_id": { "hash": hash("33"), "parts": { "total": 1, "hash": hash("44") } },
        "last_commit_hash": hash("55"),
        "data_hash": hash("66"),
        "validators_hash": hex::encode_upper(validators),
        "next_validators_hash": hash("77"),
        "consensus_hash": hash("88"),
        "app_hash": hash("99"),
        "last_results_hash": hash("AA"),
        "evidence_hash": hash("BB"),
        "proposer_address": "CC".repeat(20),
    })
}

/// An entry of `/commit`.
fn entry(validator: usize, flag: u8, precommit: &Precommit) -> Value {
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
        FOR_THE_BLOCK => precommit.signed_bytes(&time),
        _ => nil_vote(&time),
    };
    json!({
        "block_id_flag": flag,
        "validator_address": address(&key.public_key().to_bytes()),
        "timestamp": text,
        "signature": base64(&sign(&key, &signed).to_bytes()),
    })
}

/// `/commit` in which validators with these powers did what the flags say.
fn commit(flags: &[u8], powers: &[u64]) -> Value {
    commit_of(flags, &seats(powers))
}

/// The same of any validators, who sign with the keys that they would have if theirs held.
fn commit_of(flags: &[u8], seats: &[Seat]) -> Value {
    let header = header(seats);
    let precommit = precommit_for(&header);
    let entry = |(i, (flag, seat)): (usize, (&u8, &Seat))| {
        let mut entry = entry(i, *flag, &precommit);
        if *flag != ABSENT {
            entry["validator_address"] = json!(address(&seat.key));
        }
        entry
    };
    let signatures: Vec<_> = flags.iter().zip(seats).enumerate().map(entry).collect();
    let hash = hex::encode_upper(precommit.block_id.hash);
    let block_id = json!({ "hash": hash, "parts": { "total": 1, "hash": "22".repeat(32) } });
    let commit = json!({
        "height": HEIGHT.to_string(), "round": 0, "block_id": block_id, "signatures": signatures,
    });
    answer(json!({ "signed_header": { "header": header, "commit": commit }, "canonical": true }))
}

fn answer(result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": -1, "result": result })
}
