//! `muster import near`: a block of testnet of July 2020, and blocks of two epochs whose producers are made up.

use std::path::Path;

use muster_schemes::{
    hash::sha256::sha256,
    signature::ed25519::{native::sign, SecretKey},
};
use serde_json::{json, Value};

use super::{hostile, import, next, words};
use crate::support::{fixture, write, write_text};

const LINE: &str = "near --block block.json --producers producers.json";

/// TEST 2 of RFC 8032, section 7.1.
const KNOWN: &str = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

/// Producers with their stakes in yoctoNEAR, and what they signed for the block of height 9,580,503 (near/rainbow-bridge,
/// `contracts/near/eth-client` tests; the RPC's `next_light_client_block`).
type Producer = (&'static str, &'static str, &'static str, Option<&'static str>);
const PRODUCERS: [Producer; 10] = [
    (
        "cryptium.stakingpool",
        "ed25519:2usUkjmKWxQw7QUeFfELHCEqS2UxjwsRqnCkA5oQ6A2B",
        "246989949545775389853291832324",
        Some("ed25519:3YBsbQbyBP6qLSUUcbb9hVUHco4b5ct8sBBDn33wMhCcrnoyzE8dnNBDNmiNqsZbtcKRaXsBLp2Jwwa7ZhAXqDUv"),
    ),
    (
        "certusone.stakingpool",
        "ed25519:CT3tSyZiTFfwZG19EHpczt7ryf5TFYiyWff2KwJvwXfa",
        "157064279180485406179261928890",
        Some("ed25519:QNEGmTGA1k5nRMMr5Si7KKuc91spzSNjSPRDkYCe87ENCAXw2B851pdhbSF5DWq8bG288Mq1Khv5kZyo22P72WU"),
    ),
    (
        "buildlinks_pool.stakingpool",
        "ed25519:DfvSCqHNLgKt9sBqtVPWLmV2FaLJ4PThnuhMLzZJ6F4i",
        "67986479089994422407940242197",
        Some("ed25519:4o4w272YCTt3oWdp1m5XNFg6peVKB11QwxP7MtcXApY7bUfn28pLnPhQ85dvPJV3eiz1vaT5XMMo8D5zXtf75S18"),
    ),
    (
        "top.stakingpool",
        "ed25519:5WAjZjuaQsTKgoBqMKThJzNKhFVDa8Dbz1wkvpNVQR9D",
        "57967993268663432215064009132",
        Some("ed25519:2kca8f4NiYjayJUQXDduRMs9Sbh1LeUjZMCi9tdfS9xQEsv5rkNSr6t9yofD1vwEXcYB5fQT5xAuDSdNSY3cUy6W"),
    ),
    (
        "staking.dsrvlabs.testnet",
        "ed25519:FAsTZQPbcwWPm9waNvx9UJfH4XvHYT7zHnzdbV5T9h3x",
        "58048938002945776617187673015",
        None,
    ),
    (
        "staked.stakingpool",
        "ed25519:5VmCXxWepj22uFoKmrxk6DTiFa3fuTzDcwGxM8uUErpr",
        "90362440378687413364684444930",
        Some("ed25519:4Q2J94ZaZhFhcUuyHyiCjiZq7xdstg96gYJ1axTS14pQQbuNbTJZjdhNWZUMPnw7sWmCmYshgo97Ud4TfgsLmWDg"),
    ),
    (
        "pool_dokiacapital.stakingpool",
        "ed25519:935JMz1vLcJxFApG3TY4MA4RHhvResvoGwCrQoJxHPn9",
        "86326256528349182454404494074",
        Some("ed25519:52qpBDpHJYgTJxXvZtbqtYZSxMJoqiZer6dSKTpdidtxGrHrAw2RDJQZME2jD3AXpNqeKRnBms8U24CQZmSHWHam"),
    ),
    (
        "stakepool.hashquark.testnet",
        "ed25519:8wx5SnuTkD5Rfu5mesiW7zxbXYFb5nQgAMp31TcS4cpg",
        "89779811582870365303768646043",
        Some("ed25519:4NgTQGjVxyJ5XfnerCyr9eQoczV37VvZoNYyznD5TGidkMWQdT85tzJVvE25mcqRDyWHLq82mKuyMvzXgciicmyy"),
    ),
    (
        "inotel.stakingpool",
        "ed25519:5sdeSUfnJtjDzfEhTrDSkoJJF1HAhNcCikxG9FMDD2dj",
        "67986479089981927220232604365",
        Some("ed25519:3NFK87F46HmNCQomV2TrRSrhnM3Q6sa5JniLsjairAk9MqJ8HuT4hV9VN82RoLhjfBTCsm1jKFUuPY4jq3sxpdww"),
    ),
    (
        "baziliksub.stakingpool",
        "ed25519:3pDJwDQ6Y5B9QeW1jz8KunhZH4D4GQG86reTmrRfdD7c",
        "57852357933987326394184233957",
        Some("ed25519:4Gdd9567u6Cp4JuaPpK8mZm2NLFL11kv6FiG6QkYsbqqEuNDA5PvNtqmer6f2hxNUygRKPHoXmcQtPSVVPHEkNEV"),
    ),
];

fn producers() -> Value {
    let one = |(account, key, stake, _): &Producer| json!({ "account_id": account, "public_key": key, "stake": stake });
    PRODUCERS.iter().map(one).collect()
}

/// The block of testnet, which names the same producers for the epoch that follows.
fn block() -> Value {
    json!({
        "prev_block_hash": "7EhppurRVTagQXpWr6CeZGCyu9ZEmgdw7qSSBdowxsxr",
        "next_block_inner_hash": "AQeCbPa4pLSpBLZDcXQPxdtPoSyfN1CwDoCGvZV8kGtG",
        "inner_rest_hash": "B8aUGQi6tSQ8DtEwRoBA6Xo4fodTNd6H2Y3tfFSoKP9s",
        "inner_lite": {
            "height": 9_580_503,
            "epoch_id": "11111111111111111111111111111111",
            "next_epoch_id": "7bRffWHtH2pZ6X9vXQ3ZnDCkdpTutCt2Ns4Kv6vhh27t",
            "prev_state_root": "BVJ3UPLFvh6e6qKoQqXzNwGg3arJfE7xRrNoXxKqfVLa",
            "outcome_root": "7tkzFg8RHBmMw1ncRJZCCZAizgq4rwCftTKYLce8RU8t",
            "timestamp_nanosec": "1594720658110013803",
            "next_bp_hash": "F3vj7s1FhrsysAVuDuebJzYKh1dycUxAm8D1ibDSz3hf",
            "block_merkle_root": "4T7t6nTTorQnrSszz7NpQur2EuURNukNyoyVKehrwag1",
        },
        "next_bps": producers(),
        "approvals_after_next": PRODUCERS.map(|(.., approval)| approval),
    })
}

#[test]
fn a_block_of_testnet() {
    let dir = fixture().scratch("import-near");
    write(&dir, "block.json", &block());
    write(&dir, "producers.json", &producers());
    let run = import(&dir, &format!("{LINE} --json")).expect(0, &[]);
    let report = run.json();
    assert_eq!(report["not_taken"], json!([]));
    // Of 2^99.6 yoctoNEAR 2^60 are left.
    assert_eq!(report["weight_shift"], 40);
    assert_eq!(report["message"].as_str().unwrap().len(), 2 + 2 * 41);
    assert!(words(&report, "believed").contains("the producers of the epoch of height 9580503"));
    next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
    import(&dir, LINE)
        .expect(0, &["9 of 10 members", "of 891636759298981489", "next: muster check"]);
    // As the RPC answers.
    write(&dir, "block.json", &json!({ "jsonrpc": "2.0", "result": block(), "id": 1 }));
    write(&dir, "producers.json", &json!({ "jsonrpc": "2.0", "result": producers(), "id": 1 }));
    import(&dir, LINE).expect(0, &["9 of 10 members"]);
    // Another height is another block, which nobody approved.
    let mut other = block();
    other["inner_lite"]["height"] = json!("9580504");
    write(&dir, "block.json", &other);
    import(&dir, LINE).expect(0, &["0 of 10 members", "not taken: producer cryptium.stakingpool"]);
    // In another order they are others.
    write(&dir, "block.json", &block());
    let mut list = producers();
    list.as_array_mut().unwrap().swap(0, 1);
    write(&dir, "producers.json", &list);
    import(&dir, LINE).expect(0, &["7 of 10 members"]);
}

fn secret(number: u8) -> SecretKey {
    SecretKey::from_seed(&sha256(&[b'n', number]))
}

/// Base58, digit by digit.
fn base58(bytes: &[u8]) -> String {
    let alphabet = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut number = num_bigint::BigUint::from_bytes_be(bytes);
    let mut digits = vec![];
    while number > num_bigint::BigUint::ZERO {
        let digit: u8 = (&number % 58u8).try_into().expect("below 58");
        digits.push(alphabet[usize::from(digit)]);
        number /= 58u8;
    }
    digits.extend(bytes.iter().take_while(|byte| **byte == 0).map(|_| b'1'));
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// Stakes in NEAR: `ValidatorStake` in the version that nodes have now.
fn made_up(stakes: &[u64]) -> (Value, [u8; 32]) {
    let mut bytes = (stakes.len() as u32).to_le_bytes().to_vec();
    let list = stakes.iter().enumerate().map(|(number, stake)| {
        let (name, stake) = (format!("node{number}.near"), u128::from(*stake) * 10u128.pow(24));
        let key = secret(number as u8).public_key().to_bytes();
        bytes.push(0);
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.bytes());
        bytes.push(0);
        bytes.extend(key);
        bytes.extend(stake.to_le_bytes());
        json!({
            "validator_stake_struct_version": "V1", "account_id": name,
            "public_key": format!("ed25519:{}", base58(&key)), "stake": stake.to_string(),
        })
    });
    (list.collect(), sha256(&bytes))
}

/// A block in an epoch, by its number, that names these producers for the next; and the message of its approvals.
fn block_in(epoch: u8, height: u64, (list, hash): &(Value, [u8; 32])) -> (Value, Vec<u8>) {
    let [before, now] = [epoch, epoch + 1].map(|number| sha256(&[number]));
    let words = [[3; 32], [4; 32]].concat();
    let lite =
        [&height.to_le_bytes()[..], &before, &now, &words, &7u64.to_le_bytes(), hash, &[5; 32]];
    let inner = sha256(&[sha256(&lite.concat()), [6; 32]].concat());
    let block = sha256(&[inner, [1; 32]].concat());
    let next = sha256(&[[2; 32], block].concat());
    let json = json!({
        "prev_block_hash": base58(&[1; 32]), "next_block_inner_hash": base58(&[2; 32]),
        "inner_rest_hash": base58(&[6; 32]),
        "inner_lite": {
            "height": height, "epoch_id": base58(&before), "next_epoch_id": base58(&now),
            "prev_state_root": base58(&[3; 32]), "outcome_root": base58(&[4; 32]),
            "timestamp": 7, "timestamp_nanosec": "7", "next_bp_hash": base58(hash),
            "block_merkle_root": base58(&[5; 32]),
        },
        "next_bps": list,
    });
    let message = [&[0][..], &next, &(height + 2).to_le_bytes()].concat();
    (json, message)
}

/// A block that three of four producers approve, whom a block of the epoch before names.
fn two_epochs(dir: &Path) -> (Value, Value) {
    let named = made_up(&[40, 30, 20, 10]);
    let (before, _) = block_in(1, 100, &named);
    let (mut block, message) = block_in(2, 200, &named);
    let approval = |number: u8| {
        let signature = sign(&secret(number), &message).to_bytes();
        json!(format!("ed25519:{}", base58(&signature)))
    };
    // The last one is of the epoch that follows.
    block["approvals_after_next"] =
        json!([approval(0), null, approval(2), approval(3), approval(3)]);
    write(dir, "producers.json", &before);
    write(dir, "block.json", &block);
    (before, block)
}

#[test]
fn producers_whom_the_epoch_before_names() {
    let dir = fixture().scratch("import-near-epochs");
    two_epochs(&dir);
    let run = import(&dir, &format!("{LINE} --json")).expect(0, &[]);
    let report = run.json();
    assert!(words(&report, "not_taken").contains("a producer of the next epoch"), "{report}");
    assert!(words(&report, "compared").contains("with the block that names them"), "{report}");
    assert!(words(&report, "believed").contains("at height 100"), "{report}");
    next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
    import(&dir, LINE).expect(0, &["3 of 4 members"]);
}

/// Whose keys no set can hold, and whose stakes are too small: they stop nobody, and their stakes count in the total.
#[test]
fn producers_who_are_left_out() {
    let dir = fixture().scratch("import-near-left-out");
    let (_, block) = two_epochs(&dir);
    let secp256k1 = format!("secp256k1:{}", base58(&[9; 64]));
    let known = base58(&hex::decode(KNOWN).unwrap());
    let list = |edits: &[(usize, &str, Value)]| {
        let mut list = made_up(&[40, 30, 20, 10]).0;
        for (number, field, value) in edits {
            list[*number][*field] = value.clone();
        }
        write(&dir, "producers.json", &list);
    };
    for (key, part) in [
        (json!(secp256k1), "its key is not one of Ed25519"),
        (json!(format!("ed25519:{}", base58(&[0; 32]))), "small order"),
        (json!(format!("ed25519:{known}")), "anyone can sign with it"),
    ] {
        list(&[(3, "public_key", key)]);
        let run = import(&dir, &format!("{LINE} --json")).expect(0, &[]);
        assert!(words(&run.json(), "not_taken").contains(part), "{run:?}");
        // 60 of 100 are too few.
        next(&dir, &run).expect(1, &["below the threshold"]);
    }
    list(&[(3, "stake", json!("1"))]);
    import(&dir, LINE).expect(0, &["2 of 3 members", "its stake is nothing"]);
    let same = made_up(&[1]).0[0]["public_key"].clone();
    list(&[(2, "public_key", same.clone())]);
    import(&dir, LINE).expect(0, &["2 of 3 members", "its key is that of producer 0"]);
    // The second that has it is in nobody's place: all name the first.
    list(&[(2, "public_key", same.clone()), (3, "public_key", same)]);
    let run = import(&dir, &format!("{LINE} --json")).expect(0, &[]);
    let left_out = words(&run.json(), "not_taken");
    assert_eq!(left_out.matches("that of producer 0").count(), 2, "{left_out}");
    list(&[(0, "public_key", json!(secp256k1)), (1, "stake", json!(0))]);
    write(&dir, "block.json", &block);
    import(&dir, LINE).expect(0, &["2 of 2 members"]);
}

#[test]
fn files_that_are_no_blocks() {
    let dir = fixture().scratch("import-near-bad");
    let (before, block) = two_epochs(&dir);
    let mut text = block.to_string();
    text.truncate(text.len() - 2);
    write_text(&dir, "block.json", &text);
    import(&dir, LINE).expect(2, &["block.json", "EOF"]);
    let huge = "340282366920938463463374607431768211456";
    hostile(
        &dir,
        LINE,
        "block.json",
        &block,
        &[
            ("/prev_block_hash", json!("11"), "prev_block_hash"),
            ("/prev_block_hash", json!("0".repeat(43)), "not base58"),
            ("/prev_block_hash", json!("z".repeat(44)), "more than 32 bytes"),
            ("/prev_block_hash", json!("1".repeat(1 << 20)), "too many for 32 bytes"),
            ("/inner_lite/height", json!(-1), "inner_lite.height"),
            ("/inner_lite/height", json!("18446744073709551615"), "inner_lite.height"),
            ("/inner_lite/timestamp_nanosec", json!(huge), "timestamp_nanosec"),
            ("/inner_lite/next_bp_hash", json!(base58(&[9; 32])), "inner_lite.next_bp_hash"),
            ("/inner_lite", json!([]), "inner_lite"),
            ("/next_bps/0/stake", json!("1"), "inner_lite.next_bp_hash"),
            ("/next_bps/0/validator_stake_struct_version", json!("V9"), "\"V9\" is not known"),
            ("/approvals_after_next", json!([]), "0 for 4 producers"),
            ("/approvals_after_next", json!(null), "0 for 4 producers"),
            ("/approvals_after_next/0", json!("ed25519:0"), "approvals_after_next[0]"),
            ("/approvals_after_next/0", json!(7), "approvals_after_next[0]"),
        ],
    );
    let mut other = block.clone();
    other["inner_lite"]["epoch_id"] = json!(base58(&[9; 32]));
    write(&dir, "block.json", &other);
    import(&dir, LINE).expect(2, &["producers.json: inner_lite.next_epoch_id", "is in epoch"]);
    write(&dir, "block.json", &block);
    hostile(
        &dir,
        LINE,
        "producers.json",
        &before,
        &[
            ("/next_bps", json!(null), "next_bps: missing"),
            ("/next_bps", json!([]), "inner_lite.next_bp_hash"),
            ("/next_bps/1/account_id", json!("\u{1b}[2J"), "next_bps[1].account_id"),
            ("/next_bps/1/public_key", json!("rsa:1"), "next_bps[1].public_key"),
            ("/next_bps/1/stake", json!(huge), "next_bps[1].stake"),
            ("/inner_lite/next_epoch_id", json!(base58(&[9; 32])), "next_epoch_id"),
        ],
    );
    let list = producers();
    hostile(
        &dir,
        LINE,
        "producers.json",
        &list,
        &[
            ("/0/stake", json!("170141183460469231731687303715884105728"), "2^127 or more"),
            ("/0/stake", json!(-1), "[0].stake"),
            ("/0/public_key", json!("ed25519:zz"), "[0].public_key"),
            ("/0", json!({}), "[0]"),
        ],
    );
    write(&dir, "producers.json", &json!([]));
    import(&dir, LINE).expect(2, &["producers.json", "at least one member"]);
}
