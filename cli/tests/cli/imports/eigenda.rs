//! `muster import eigenda`: a batch of two quorums that made-up operators sign, and an operator of EigenDA's tests who does not.

use std::path::Path;

use muster_circuits::PointHash;
use muster_schemes::{
    hash::keccak::keccak256,
    signature::bls::{
        member::{MinPkBn254, Possession},
        MinSigPopBn254, PublicKey, SecretKey, Signature,
    },
};
use serde_json::{json, Value};

use super::{hex, hostile, import, next, words};
use crate::support::{fixture, run_in, write, write_text};

const LINE: &str = "eigenda --batch batch.json --operators operators.txt --keys keys.json";
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The keys of an operator in `core/thegraph/state_test.go` of Layr-Labs/eigenda, as its registration has them.
const PUBLISHED: &str = "076037c4c784f3b82054b42b02cb82eec83e690f06e5b6909515eed2d02803f421982a0dd07bbaf490830811ed8cf8b119152cb99468cc1b21fc2b9cb8a673902fbf7b7169eb586c49ec9c7c7b427f9963f08f45253c957f4c3be950edb53a9c1937255caf9c6f9d2a3d860aa5abb40c93b20e8970450b11bf9a32a514547ea714d1d3b831deb39f8c205f2b6c76409f5878d19c2468ce981be5ab8bcd019a3a1e182766f9b14b989299423896e43e205ef36009345f8ceffb18c82e295be857";
/// The published operator, among numbers of others.
const ABSENT: u8 = 9;
/// Operators of the quorums 0 and 1, with their stakes in wei and shares: the last one's is dust.
const QUORUMS: [&[(u8, u128)]; 2] = [
    &[(1, 40 * ETHER), (2, 30 * ETHER), (ABSENT, 30 * ETHER), (4, 7)],
    &[(2, 500), (3, 300), (ABSENT, 200)],
];
const ETHER: u128 = 1_000_000_000_000_000_000;

fn secret(number: u8) -> SecretKey<MinSigPopBn254> {
    let mut bytes = keccak256(&[number]);
    bytes[0] &= 0x1f;
    SecretKey::from_bytes(bytes).expect("a scalar")
}

/// What an operator registered: keys in G1 and in G2.
fn registered(number: u8) -> Vec<u8> {
    if number == ABSENT {
        return hex::decode(PUBLISHED).expect("hex");
    }
    let first = SecretKey::<MinPkBn254>::from_bytes(*secret(number).to_bytes()).expect("a scalar");
    [first.public_key().to_bytes(), secret(number).public_key().to_bytes()].concat()
}

fn first(number: u8) -> Vec<u8> {
    registered(number)[..64].to_vec()
}

fn word(number: u128) -> String {
    format!("{number:064x}")
}

/// What `getOperatorState` returns, written out: places of lists, then each with its length.
fn state(quorums: &[&[(u8, u128)]]) -> String {
    let mut place = 32 * quorums.len();
    let (mut places, mut lists) = (String::new(), String::new());
    for quorum in quorums {
        places += &word(place as u128);
        lists += &word(quorum.len() as u128);
        for (number, stake) in *quorum {
            let id = hex::encode(keccak256(&first(*number)));
            lists += &[word((*number).into()), id, word(*stake)].concat();
        }
        place += 32 + 96 * quorum.len();
    }
    format!("0x{}{}{places}{lists}", word(32), word(quorums.len() as u128))
}

fn logs() -> Value {
    let event = "0xe3fb6613af2e8930cf85d47fcf6db10192224a64c6cbe8023e0eee1ba3828041";
    let log = |number: u8| {
        let operator = format!("0x{}", word(number.into()));
        json!({ "topics": [event, operator], "data": hex(&registered(number)), "logIndex": "0x1" })
    };
    let mut logs = vec![json!({ "topics": [hex(&[7; 32])], "data": "0x" })];
    logs.extend([1, 2, 3, 4, ABSENT].map(log));
    json!({ "jsonrpc": "2.0", "id": 1, "result": logs })
}

/// Base64, as Go writes bytes.
fn base64(bytes: &[u8]) -> String {
    let digits = |chunk: &[u8]| {
        let bytes: Vec<u32> = (0..3).map(|i| u32::from(*chunk.get(i).unwrap_or(&0))).collect();
        let number = bytes[0] << 16 | bytes[1] << 8 | bytes[2];
        let digit = |i: usize| {
            let sextet = (number >> (18 - 6 * i)) as usize & 63;
            if i <= chunk.len() {
                char::from(ALPHABET[sextet])
            } else {
                '='
            }
        };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

fn sum(numbers: &[u8]) -> Vec<u8> {
    let keys: Vec<_> = numbers
        .iter()
        .map(|number| PublicKey::<MinPkBn254>::from_bytes(&first(*number)).expect("a key"))
        .collect();
    PublicKey::sum(&keys).expect("not the identity").to_bytes()
}

/// Signed by these, each as often as it is named.
fn batch(numbers: &[u8]) -> Value {
    let (root, block) = ([0x11; 32], 19_000_000u32);
    let digest = keccak256(&[&root[..], &[0; 28], &block.to_be_bytes()].concat());
    let hash = PointHash::Search { most: 64 };
    let signed: Vec<Signature<MinSigPopBn254>> = numbers
        .iter()
        .map(|number| MinSigPopBn254::sign_message(&secret(*number), &digest.into(), hash))
        .collect();
    let ones = vec![1u64.into(); signed.len()];
    let sigma = Signature::combine(&signed, &ones).expect("not the identity").to_bytes();
    let apks = QUORUMS.map(|quorum| {
        let numbers: Vec<_> = quorum.iter().map(|(number, _)| *number).collect();
        base64(&sum(&numbers))
    });
    json!({
        "status": "COMPLETE",
        "signedBatch": {
            "header": { "batchRoot": base64(&root), "referenceBlockNumber": block.to_string() },
            "attestation": {
                "nonSignerPubkeys": [base64(&first(ABSENT))], "apkG2": base64(&[0; 128]),
                "quorumApks": apks, "sigma": base64(&sigma), "quorumNumbers": [0, 1],
                "quorumSignedPercentages": base64(&[70, 80]),
            },
        },
        "blobInclusionInfo": { "blobIndex": 3 },
    })
}

/// All but the published one: operator 2 for both quorums.
const SIGNED: [u8; 5] = [1, 2, 4, 2, 3];

fn files(dir: &Path) -> Value {
    let batch = batch(&SIGNED);
    write(dir, "batch.json", &batch);
    write_text(dir, "operators.txt", &state(&QUORUMS));
    write(dir, "keys.json", &logs());
    batch
}

#[test]
fn batches_of_eigenda() {
    let dir = fixture().scratch("import-eigenda");
    files(&dir);
    let run = import(&dir, &format!("{LINE} --quorum 0 --json")).expect(0, &[]);
    let report = run.json();
    assert_eq!(report["signed_stake"], json!((70 * ETHER + 7).to_string()));
    assert_eq!((&report["other_seats"], &report["absent"]), (&json!(4), &json!(1)));
    // The stakes that are left after the shift, 55 % of them, and 4 seats.
    let shift = report["weight_shift"].as_u64().unwrap();
    let least = (55 * ETHER + 4).div_ceil(1 << shift) + 4;
    assert_eq!(report["threshold"], json!(least.to_string()));
    let line = words(&report, "next");
    let options = "--rule trusted-keys --seats --hash try-and-increment:64";
    assert!(line.contains(options), "{line}");
    next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
    let parts = ["5 of 7 members", "70 %", "compared: ", "believed: that these are the operators"];
    import(&dir, &format!("{LINE} --quorum 0")).expect(0, &parts);
    // Less than that percentage of the stake signed: the dust does not reach it.
    let run = import(&dir, &format!("{LINE} --quorum 0 --confirmation 71 --json")).expect(0, &[]);
    next(&dir, &run).expect(1, &["below the threshold"]);
    // The other quorum, whose stakes need no shift.
    let run = import(&dir, &format!("{LINE} --quorum 1 --confirmation 79 --json")).expect(0, &[]);
    assert_eq!(run.json()["threshold"], json!("794"));
    next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
    for confirmation in ["0", "101"] {
        let line = format!("{LINE} --quorum 1 --confirmation {confirmation}");
        import(&dir, &line).expect(2, &["--confirmation"]);
    }
    for quorum in ["", " --quorum 2"] {
        import(&dir, &format!("{LINE}{quorum}")).expect(2, &["--quorum: one of 0, 1"]);
    }
}

/// The statement is what it says: a circuit's worth of native checks, with the committee's seats.
#[test]
fn batches_hold_natively() {
    let dir = fixture().scratch("import-eigenda-native");
    files(&dir);
    let run = import(&dir, &format!("{LINE} --quorum 1 --confirmation 79 --json")).expect(0, &[]);
    let line = words(&run.json(), "next").replace(['\'', '"'], "");
    let line = format!("{} --native", line.strip_prefix("muster ").unwrap());
    run_in(&dir, &line).expect(0, &["5 signers of 7", "at least 794"]);
    // 800 of 1000, and three of the four seats of the other quorum: 80 percent and all four take one more.
    let more = line.replace("--threshold 794", "--threshold 804");
    run_in(&dir, &more).expect(1, &["the signers weigh 803"]);
}

#[test]
fn files_that_are_no_batch() {
    let dir = fixture().scratch("import-eigenda-bad");
    let good = files(&dir);
    let line = format!("{LINE} --quorum 0");
    let point = base64(&first(1));
    let at = |field: &str| format!("/signedBatch/attestation/{field}");
    hostile(
        &dir,
        &line,
        "batch.json",
        &good,
        &[
            ("/signedBatch", json!(null), "signedBatch: missing"),
            ("/signedBatch/header/batchRoot", json!("AAAA"), "batchRoot"),
            ("/signedBatch/header/referenceBlockNumber", json!(1u64 << 32), "2^32"),
            (&at("quorumNumbers"), json!([]), "0 quorums"),
            (&at("quorumNumbers"), json!([0, 0]), "a quorum twice"),
            (&at("quorumNumbers"), json!([0, 256]), "quorumNumbers[1]"),
            (&at("quorumNumbers"), json!([0, 1, 2]), "quorumApks: 2 for 3 quorums"),
            (&at("quorumApks/1"), json!(point), "quorumApks[1]: not the sum of the keys"),
            (&at("quorumApks/1"), json!(base64(&[7; 64])), "quorumApks[1]"),
            (&at("nonSignerPubkeys/0"), json!(base64(&first(7))), "not the key of an operator"),
            (&at("nonSignerPubkeys"), json!([point, point]), "nonSignerPubkeys[1]: named before"),
            (&at("sigma"), json!(base64(&[7; 64])), "sigma"),
            (&at("sigma"), json!("!"), "sigma: not base64"),
        ],
    );
    let logs = logs();
    hostile(
        &dir,
        &line,
        "keys.json",
        &logs,
        &[
            ("/result/1/data", json!("0x00"), "[1].data"),
            ("/result/1/data", json!(hex(&[7; 192])), "no registration of a key with the hash"),
            ("/result/1/topics/1", json!(hex(&[7; 32])), "[1].topics[1]: not an address"),
            ("/result/1/topics", json!([]), "no registration of a key with the hash"),
            ("/result/1", json!(7), "result[1]"),
        ],
    );
}

#[test]
fn batches_that_others_signed() {
    let dir = fixture().scratch("import-eigenda-false");
    files(&dir);
    let line = format!("{LINE} --quorum 0");
    // Once for both quorums, or somebody else.
    for signed in [&[1, 2, 4, 3][..], &[1, 1, 4, 2, 3]] {
        write(&dir, "batch.json", &batch(signed));
        import(&dir, &line).expect(1, &["rejected: batch.json: signedBatch.attestation.sigma"]);
    }
    write(&dir, "batch.json", &batch(&SIGNED));
    // Keys of an operator that do not belong together.
    let mut mixed = logs();
    let data = [first(1), registered(2)[64..].to_vec()].concat();
    mixed["result"][1]["data"] = json!(hex(&data));
    write(&dir, "keys.json", &mixed);
    import(&dir, &line).expect(2, &["operators.txt", "in G1 and G2 have not one secret"]);
    write(&dir, "keys.json", &logs());
    // Other operators, or other quorums.
    let swapped = state(&[QUORUMS[1], QUORUMS[0]]);
    let twice = state(&[&[(1, 7), (1, 7)], QUORUMS[1]]);
    let nothing = state(&[&[(1, 0), (2, 0), (ABSENT, 0), (4, 0)], QUORUMS[1]]);
    for (text, part) in [
        (&swapped[..], "quorumApks[0]: not the sum of the keys"),
        (&state(&QUORUMS[..1]), "the operators of 1 quorums, but the batch has 2"),
        (&twice, "[0][1]: operator 0x"),
        (&nothing, "[0]: a quorum without any stake"),
        ("0x", "operators.txt"),
        ("0x00", "not lists of operators"),
        (&swapped[..swapped.len() - 64], "not lists of operators"),
        ("{\"error\": {}}", "operators.txt"),
    ] {
        write_text(&dir, "operators.txt", text);
        import(&dir, &line).expect(2, &[part]);
    }
    // An answer of eth_call.
    write(&dir, "operators.txt", &json!({ "result": state(&QUORUMS) }));
    import(&dir, &line).expect(0, &["5 of 7 members"]);
}
