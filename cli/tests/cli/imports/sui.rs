//! `muster import sui` and `iota`: a checkpoint of an IOTA network, and checkpoints that made-up validators sign.

use std::{fs, path::Path};

use blst::min_sig::{AggregateSignature, SecretKey};
use serde_json::{json, Value};

use super::{hostile, import, next, words};
use crate::support::{fixture, run_in, write, write_text};

const LINE: &str = "--checkpoint checkpoint.chk --committee committee.json";
const TAG: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// Keys and their weights.
type Members = Vec<(Vec<u8>, u64)>;

/// What a checkpoint's summary says, of either network.
#[derive(Clone)]
struct Summary {
    is_iota: bool,
    epoch: u64,
    number: u64,
    transactions: u64,
    content: [u8; 32],
    previous: [u8; 32],
    time: u64,
    /// The committee of the next epoch, and whatever else the last checkpoint has.
    last: Option<(Members, [u8; 32], u64)>,
    version: Vec<u8>,
}

/// A length in BCS: seven bits a byte, the lowest first.
fn length(length: usize) -> Vec<u8> {
    match length {
        0..128 => vec![length as u8],
        _ => vec![length as u8 | 0x80, u8::try_from(length >> 7).expect("two bytes are enough")],
    }
}

/// BCS, written out: lists and bytes have their length before them.
fn bytes(list: &[u8]) -> Vec<u8> {
    assert!(list.len() < 128);
    [&[list.len() as u8][..], list].concat()
}

impl Summary {
    fn encoded(&self) -> Vec<u8> {
        let mut all = vec![];
        for number in [self.epoch, self.number, self.transactions] {
            all.extend(number.to_le_bytes());
        }
        all.extend(bytes(&self.content));
        all.push(1);
        all.extend(bytes(&self.previous));
        all.extend(vec![0; 8 * if self.is_iota { 5 } else { 4 }]);
        all.extend(self.time.to_le_bytes());
        all.push(0);
        match &self.last {
            None => all.push(0),
            Some((committee, commitment, supply)) => {
                all.push(1);
                all.extend(length(committee.len()));
                for (key, weight) in committee {
                    all.extend(bytes(key));
                    all.extend(weight.to_le_bytes());
                }
                all.extend(1u64.to_le_bytes());
                all.extend([1, 0]);
                all.extend(bytes(commitment));
                if self.is_iota {
                    all.extend(supply.to_le_bytes());
                }
            }
        }
        all.extend(bytes(&self.version));
        all
    }

    /// With the signature and the signers of it.
    fn certified(&self, signature: &[u8], signers: &[u8]) -> Vec<u8> {
        [&self.encoded()[..], &self.epoch.to_le_bytes(), signature, &bytes(signers)].concat()
    }

    /// What is signed.
    fn signed(&self) -> Vec<u8> {
        [&[2, 0, 0][..], &self.encoded(), &self.epoch.to_le_bytes()].concat()
    }
}

fn decode(text: &str) -> Vec<u8> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: String = text
        .chars()
        .map(|digit| format!("{:06b}", alphabet.find(digit).expect("base64 without padding")))
        .collect();
    (0..bits.len() / 8)
        .map(|i| u8::from_str_radix(&bits[8 * i..8 * i + 8], 2).expect("bits"))
        .collect()
}

/// Checkpoint 788 of a test network of IOTA, the last of epoch 2, and its validators (iotaledger/iota, light client
/// example: `788.chk`, `788.json`).
const VALIDATORS: [&str; 4] = [
    "jc/20VUECmVvSBmxMRG1LFdGqGunLzlfuv4uw4R9HoFA5iSnUf32tfIFC8cgXPnTAATJCwx0Cv/TJs5nPMKyOi0k1T4q/rKG38Zo/UBgCJ1tKxe3md02+Q0zLlSnozjU",
    "mfJe9h+AMrkUY2RgmCxcxvE07x3a52ZX8sv+wev8jQlzdAgN9vzw3Li8Sw2OCvXYDrv/K0xZn1T0LWMS38MUJ2B4wcw0fru+xRmL4lhRPzhrkw0CwnSagD4jMJVevRoQ",
    "rd7vlNiYyI5A297/kcXxBfnPLHR/tvK8N+wD1ske2y4aV4z1RL6LCTHiXyQ9WbDDDZihbOO6HWzx1/UEJpkusK2zE0sFW+gUDS218l+wDYP45CIr8B/WrJOh/0152ljy",
    "s/1e+1yHJAOkrRPxGZUTYG0jNUqEUkmuoVdWTCP/PBXGyeZSty10DoysuTy8wGhrDsDMDBx2C/tCtDZRn8WoBUt2UzqXqfI5h9CX75ax8lJrsgc/oQp3GZQXcjR+8nT0",
];

/// The SHA-256 of keys and powers in its list, by hashlib.
const IOTA_HASH: &str = "0x64dd1c12f97dfc82581cdb285b2a93fe9ccdc33abcb23143d11024f0e4d486dd";

fn published() -> Vec<u8> {
    let word = |text: &str| hex::decode(text).expect("hex").try_into().expect("32 bytes");
    let summary = Summary {
        is_iota: true,
        epoch: 2,
        number: 788,
        transactions: 3455,
        content: word("506daee6337f3e7deee7b2072822c0b94deba3cf39d26a77bd8f15084713acd1"),
        previous: word("4fce0a5e22900085b624707a273298d1f202585678e065a45899a507d288cdf7"),
        time: 1_731_087_214_937,
        last: Some((
            VALIDATORS.iter().map(|key| (decode(key), 2500)).collect(),
            word("8c9c5b5f13e2dadc3f595fc5696325dcaa177906bac2ca182be0dbc2905d30e8"),
            767_000_000_000_000,
        )),
        version: vec![0, 0],
    };
    let signature = decode("iLCTx09dJtXuYa5USgQebPw5Lk6EOI4PmCo7wG35YWND8LC2tj0HPnenTvWHH6Ih");
    let signers = hex::decode("3a300000010000000000020010000000000001000200").expect("hex");
    summary.certified(&signature, &signers)
}

fn committee(epoch: u64, keys: &[(String, u64)]) -> Value {
    let validators: Vec<_> =
        keys.iter().map(|(key, weight)| json!([key, weight.to_string()])).collect();
    json!({ "jsonrpc": "2.0", "id": 1, "result": { "epoch": epoch.to_string(), "validators": validators } })
}

fn of_iota(epoch: u64) -> Value {
    // In another order than that of the keys, which numbers them.
    let keys = VALIDATORS.iter().rev().map(|key| ((*key).to_owned(), 2500));
    committee(epoch, &keys.collect::<Vec<_>>())
}

#[test]
fn a_checkpoint_of_iota() {
    let dir = fixture().scratch("import-iota");
    let line = format!("iota {LINE}");
    fs::write(dir.join("checkpoint.chk"), published()).unwrap();
    write(&dir, "committee.json", &of_iota(2));
    let run = import(&dir, &format!("{line} --json")).expect(0, &[]);
    let report = run.json();
    assert_eq!((&report["checkpoint"], &report["signed_bytes"]), (&json!(788), &json!(627)));
    assert_eq!(report["content_digest"], "6QxcyMHUfp1xjCohXncwvZh8MMTtbay2ALSV7jAkTtDE");
    assert!(words(&report, "next").contains("--hash nul --message-form sha256:627"), "{report}");
    next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
    let parts = ["3 of 4 members, with weight 7500 of 10000", "compared: ", "believed: that these"];
    import(&dir, &line).expect(0, &parts);
    // The result alone, hex and base64, and a blob as in the bucket.
    write(&dir, "committee.json", &of_iota(2)["result"]);
    write_text(&dir, "checkpoint.chk", &hex::encode(published()));
    import(&dir, &line).expect(0, &["3 of 4"]);
    fs::write(dir.join("checkpoint.chk"), [&[1][..], &published(), &[9; 99]].concat()).unwrap();
    import(&dir, &line).expect(0, &["3 of 4"]);
    // As one of Sui it has other fields.
    import(&dir, &format!("sui {LINE}")).expect(2, &["checkpoint.chk: "]);
    write(&dir, "committee.json", &of_iota(3));
    import(&dir, &line).expect(2, &["epoch: 2, but the committee is that of epoch 3"]);
    // It names the committee of the next epoch, and none of its own.
    let line = "iota --checkpoint checkpoint.chk --committee checkpoint.chk";
    import(&dir, line).expect(2, &["epoch: 2, but the committee is that of epoch 3"]);
}

/// The validators of a checkpoint are those that it names for the next epoch: the hash is the SHA-256 of keys and powers in its list.
#[test]
fn validators_of_iota_are_translated() {
    let dir = fixture().scratch("translate-iota");
    fs::write(dir.join("checkpoint.chk"), published()).unwrap();
    write(&dir, "committee.json", &of_iota(2));
    import(&dir, &format!("iota {LINE}")).expect(0, &[]);
    let keygen = "translate keygen --commitment sui-validators --signers 5 --insecure-srs";
    run_in(&dir, &format!("{keygen} --out keys")).expect(0, &["sui-validators: capacity 5"]);
    let prove = "translate prove --keys keys --committee out/committee.json --out proof.json";
    run_in(&dir, &format!("{prove} --hash {IOTA_HASH}")).expect(0, &[IOTA_HASH, "INSECURE"]);
    let verify = "translate verify --keys keys proof.json";
    let all = format!("{verify} --hash {IOTA_HASH} --members 4 --total-weight 10000");
    run_in(&dir, &all).expect(0, &["accepted"]);
    run_in(&dir, &format!("{verify} --hash 0x{}", "11".repeat(32))).expect(1, &["about the hash"]);
}

fn secret(number: u8) -> SecretKey {
    SecretKey::key_gen(&[number; 32], b"sui").expect("32 bytes")
}

fn keys() -> Vec<(Vec<u8>, u64)> {
    let key = |number: u8| secret(number).sk_to_pk().compress().to_vec();
    (1..5).map(|number| (key(number), [4000, 3000, 2000, 1000][usize::from(number - 1)])).collect()
}

/// The places of these validators in the order of the keys, as a bitmap.
fn bitmap(numbers: &[u8]) -> Vec<u8> {
    let mut sorted = keys();
    sorted.sort();
    let place = |number: &u8| {
        let key = secret(*number).sk_to_pk().compress();
        sorted.iter().position(|(other, _)| other[..] == key).expect("a validator") as u16
    };
    let mut places: Vec<_> = numbers.iter().map(place).collect();
    places.sort_unstable();
    let head =
        [&[0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0][..], &(numbers.len() as u16 - 1).to_le_bytes()];
    let list: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
    [&head.concat()[..], &[16, 0, 0, 0], &list].concat()
}

fn summary() -> Summary {
    Summary {
        is_iota: false,
        epoch: 500,
        number: 1_000_000,
        transactions: 7,
        content: [1; 32],
        previous: [2; 32],
        time: 3,
        last: None,
        version: vec![],
    }
}

/// The guide to translations says where lists begin in what is signed: with the number of validators, behind the 1 that says that there are some.
#[test]
fn lists_begin_where_the_guide_says() {
    for (is_iota, start) in [(false, 136), (true, 144)] {
        let last = Summary { is_iota, last: Some((keys(), [5; 32], 0)), ..summary() };
        let signed = last.signed();
        assert_eq!(signed[start - 2..start + 2], [0, 1, 4, 96]);
        assert_eq!(signed[start + 2..][..96], keys()[0].0);
    }
}

/// Signed by these validators.
fn checkpoint(summary: &Summary, numbers: &[u8]) -> Vec<u8> {
    let signed: Vec<_> =
        numbers.iter().map(|number| secret(*number).sign(&summary.signed(), TAG, &[])).collect();
    let all: Vec<_> = signed.iter().collect();
    let sum = AggregateSignature::aggregate(&all, false).expect("signatures").to_signature();
    summary.certified(&sum.compress(), &bitmap(numbers))
}

/// Files of the last checkpoint of epoch 499, which names the committee, and of one of epoch 500.
fn chain(dir: &Path) -> (Vec<u8>, Vec<u8>) {
    let last = Summary { epoch: 499, last: Some((keys(), [5; 32], 0)), ..summary() };
    let before = [&[1][..], &checkpoint(&last, &[1, 2, 3])].concat();
    let now = checkpoint(&summary(), &[1, 3, 4]);
    fs::write(dir.join("before.chk"), &before).unwrap();
    fs::write(dir.join("checkpoint.chk"), &now).unwrap();
    (before, now)
}

#[test]
fn checkpoints_of_sui() {
    let dir = fixture().scratch("import-sui");
    let (before, _) = chain(&dir);
    let line = "sui --checkpoint checkpoint.chk --committee before.chk";
    let run = import(&dir, &format!("{line} --json")).expect(0, &[]);
    assert!(words(&run.json(), "believed").contains("that checkpoint 1000000"), "{run:?}");
    import(&dir, line).expect(0, &["3 of 4 members, with weight 7000 of 10000"]);
    // A checkpoint that names nobody.
    let line = "sui --checkpoint checkpoint.chk --committee checkpoint.chk";
    import(&dir, line).expect(2, &["checkpoint.chk: end_of_epoch_data: not there"]);
    // Other signers than those whose keys signed, or another checkpoint.
    let signature = [&[1, 2, 3][..], &[1, 2, 3, 4], &[4]];
    let line = "sui --checkpoint checkpoint.chk --committee before.chk";
    let good = checkpoint(&summary(), &[1, 3, 4]);
    for numbers in signature {
        let place = good.len() - 22;
        let forged = [&good[..place - 1], &bytes(&bitmap(numbers))].concat();
        fs::write(dir.join("checkpoint.chk"), forged).unwrap();
        let part = "rejected: checkpoint.chk: signature: the signers of the checkpoint";
        import(&dir, line).expect(1, &[part]);
    }
    let forged = Summary { time: 4, ..summary() }
        .certified(&good[good.len() - 71..][..48], &bitmap(&[1, 3, 4]));
    fs::write(dir.join("checkpoint.chk"), forged).unwrap();
    import(&dir, line).expect(1, &["rejected: checkpoint.chk: signature"]);
    fs::write(dir.join("before.chk"), before).unwrap();
}

/// A summary that no circuit hashes: the message is its point.
#[test]
fn summaries_that_are_too_long() {
    let dir = fixture().scratch("import-sui-long");
    chain(&dir);
    let many = (0..160u8).map(|number| (vec![number; 96], 100)).collect();
    let long = Summary { last: Some((many, [5; 32], 0)), ..summary() };
    fs::write(dir.join("checkpoint.chk"), checkpoint(&long, &[1, 2])).unwrap();
    let line = "sui --checkpoint checkpoint.chk --committee before.chk";
    let run = import(&dir, &format!("{line} --json")).expect(0, &[]);
    assert!(words(&run.json(), "next").contains("--message-point"), "{run:?}");
    assert!(words(&run.json(), "believed").contains("compares the point"), "{run:?}");
    next(&dir, &run).expect(2, &["does not fit 2^4 rows"]);
}

#[test]
fn files_that_are_no_checkpoints() {
    let dir = fixture().scratch("import-sui-bad");
    let (before, now) = chain(&dir);
    let line = "sui --checkpoint checkpoint.chk --committee before.chk";
    // Cut in every field.
    for length in (0..now.len()).step_by(7).chain([now.len() - 1]) {
        fs::write(dir.join("checkpoint.chk"), &now[..length]).unwrap();
        import(&dir, line).expect(2, &["checkpoint.chk"]);
    }
    fs::write(dir.join("checkpoint.chk"), &now).unwrap();
    for length in [0, 1, 2, 300, 500] {
        fs::write(dir.join("before.chk"), &before[..length]).unwrap();
        import(&dir, line).expect(2, &["before.chk"]);
    }
    fs::write(dir.join("before.chk"), &before).unwrap();
    for (place, value, part) in [
        (24, 31, "content_digest: 31 bytes, not 32"),
        (24, 0xff, "content_digest"),
        (57, 2, "previous_digest: 2, where 0 or 1"),
        (131, 0x7f, "checkpoint_commitments"),
        (132, 7, "end_of_epoch_data"),
    ] {
        let mut bad = now.clone();
        bad[place] = value;
        fs::write(dir.join("checkpoint.chk"), &bad).unwrap();
        import(&dir, line).expect(2, &["checkpoint.chk", part]);
    }
    for text in ["not a checkpoint", "zz", "{}", "\u{fc}\u{fc}\u{fc}"] {
        write_text(&dir, "checkpoint.chk", text);
        import(&dir, line).expect(2, &["checkpoint.chk"]);
    }
    fs::write(dir.join("checkpoint.chk"), published()).unwrap();
    let line = format!("iota {LINE}");
    let good = of_iota(2);
    hostile(
        &dir,
        &line,
        "committee.json",
        &good,
        &[
            ("/result/epoch", json!("18446744073709551616"), "2^64"),
            ("/result/validators", json!([]), "weights of 0 in all, not 10000"),
            ("/result/validators/0/1", json!("2501"), "weights of 10001"),
            ("/result/validators/0/1", json!("18446744073709551615"), "2^64 or more"),
            ("/result/validators/0/0", json!("AAAA"), "result.validators[0][0]"),
            ("/result/validators/0/0", json!("A".repeat(128)), "validator 0x00"),
            ("/result/validators/0", json!([1, 2, 3]), "result.validators[0]"),
            ("/result/validators/1/0", json!(VALIDATORS[3]), "same key"),
            ("/result", json!(null), "not a committee"),
        ],
    );
    let mut none = good;
    none["result"]["validators"][0][1] = json!("0");
    none["result"]["validators"][1][1] = json!("5000");
    write(&dir, "committee.json", &none);
    import(&dir, &line).expect(2, &["a validator with the weight 0"]);
}
