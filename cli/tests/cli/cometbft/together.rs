//! Commits that add up the signatures of validators with BLS keys.

use std::path::Path;

use blst::min_pk::{AggregateSignature, SecretKey};
use muster_schemes::hash::sha256::sha256;
use serde_json::{json, Value};

use super::{
    address, answer, base64, header, import::LINE, precommit_for, validators_of, Seat, ABSENT,
};
use crate::support::{fixture, run_in, write};

const BLS: &str = "cometbft/PubKeyBls12_381";
const TAG: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";
const POWERS: [u64; 6] = [50, 30, 20, 10, 5, 1];
/// The first for the block and for nil bring the sums.
const FLAGS: [u8; 6] = [4, 5, ABSENT, 6, 7, 5];

fn secret(validator: usize) -> SecretKey {
    SecretKey::key_gen(&[validator as u8; 32], b"cometbft").expect("32 bytes")
}

/// Keys as a node gives them: both coordinates.
fn seats() -> Vec<Seat> {
    let seat = |(number, power): (usize, &u64)| Seat {
        key_type: BLS,
        key: secret(number).sk_to_pk().serialize().to_vec(),
        power: *power,
    };
    POWERS.iter().enumerate().map(seat).collect()
}

/// The sum of the signatures of the validators with these flags.
fn sum(flags: &[u8], of: [u8; 2], signed: &[u8]) -> String {
    let signers = flags.iter().enumerate().filter(|(_, flag)| of.contains(flag));
    let all: Vec<_> = signers.map(|(number, _)| secret(number).sign(signed, TAG, &[])).collect();
    let all: Vec<_> = all.iter().collect();
    let sum = AggregateSignature::aggregate(&all, false).expect("signatures").to_signature();
    base64(&sum.compress())
}

/// `/commit` of these validators.
fn commit(flags: &[u8], seats: &[Seat]) -> Value {
    let header = header(seats);
    let precommit = precommit_for(&header);
    let entry = |(flag, seat): (&u8, &Seat)| {
        let signature = match flag {
            4 => json!(sum(flags, [4, 5], &precommit.signed_bytes_together())),
            6 => json!(sum(flags, [6, 7], &precommit.signed_bytes_together_for_none())),
            _ => json!(null),
        };
        let address = if *flag == ABSENT { String::new() } else { address(&seat.key) };
        json!({
            "block_id_flag": flag, "validator_address": address,
            "timestamp": "0001-01-01T00:00:00Z", "signature": signature,
        })
    };
    let signatures: Vec<_> = flags.iter().zip(seats).map(entry).collect();
    let hash = hex::encode_upper(precommit.block_id.hash);
    answer(json!({ "signed_header": {
        "header": header,
        "commit": {
            "height": header["height"], "round": 0,
            "block_id": { "hash": hash, "parts": { "total": 1, "hash": "22".repeat(32) } },
            "signatures": signatures,
        },
    } }))
}

fn files(dir: &Path) -> (Value, Value) {
    let (commit, validators) = (commit(&FLAGS, &seats()), validators_of(&seats()));
    write(dir, "commit.json", &commit);
    write(dir, "validators.json", &validators);
    (commit, validators)
}

#[test]
fn a_commit_that_adds_signatures_up() {
    let dir = fixture().scratch("import-together");
    let (commit, validators) = files(&dir);
    let run = run_in(&dir, &format!("{LINE} --json")).expect(0, &[]);
    let report = run.json();
    let signed = precommit_for(&header(&seats())).signed_bytes_together();
    assert_eq!(report["digest"], format!("0x{}", hex::encode(sha256(&signed))));
    assert_eq!((&report["signing"], &report["weight"]), (&json!([0, 1, 5]), &json!(81)));
    assert_eq!(report["nil"].as_array().unwrap().len(), 2);
    assert_eq!(report["absent"][0]["member"], 2);
    let line = report["next"][0].as_str().unwrap().replace('\'', "");
    let form = format!("--rule trusted-keys --hash nul --message-form sha256:{}", signed.len());
    assert!(line.contains(&form), "{line}");
    // In a circuit that there is no room for: whether it is signed is said before that.
    let line = line.strip_prefix("muster ").unwrap();
    run_in(&dir, &format!("{line} --degree 4")).expect(2, &["does not fit 2^4 rows"]);
    // Addresses in other forms.
    let mut small = validators.clone();
    let name = small["result"]["validators"][0]["address"].as_str().unwrap().to_lowercase();
    small["result"]["validators"][0]["address"] = json!(name);
    write(&dir, "validators.json", &small);
    let mut prefixed = commit;
    prefixed["result"]["signed_header"]["commit"]["signatures"][0]["validator_address"] =
        json!(format!("0x{name}"));
    write(&dir, "commit.json", &prefixed);
    run_in(&dir, &format!("{LINE} --force"))
        .expect(0, &["3 of 6 members", "the sum of the signatures"]);
}

#[test]
fn sums_that_do_not_hold() {
    let dir = fixture().scratch("import-together-bad");
    let (commit, _) = files(&dir);
    let at = "/result/signed_header/commit/signatures";
    let edited = |edits: &[(&str, Value)]| {
        let mut commit = commit.clone();
        for (place, value) in edits {
            *commit.pointer_mut(&format!("{at}{place}")).unwrap() = value.clone();
        }
        write(&dir, "commit.json", &commit);
        run_in(&dir, LINE)
    };
    let of = |number: usize| commit.pointer(&format!("{at}/{number}/signature")).unwrap().clone();
    let rejected = |edits: &[(&str, Value)], place: usize| {
        let at = format!("signatures[{place}].signature: the validators in the sum");
        edited(edits).expect(1, &["rejected: commit.json", &at]);
    };
    rejected(&[("/0/signature", of(3))], 0);
    rejected(&[("/3/signature", of(0))], 3);
    // Somebody more, or less, than who is in it.
    let address = address(&seats()[2].key);
    rejected(&[("/2/block_id_flag", json!(5)), ("/2/validator_address", json!(address))], 0);
    rejected(&[("/5/block_id_flag", json!(1))], 0);
    for (edits, part) in [
        (&[("/0/block_id_flag", json!(5))][..], "signatures[0].signature: there"),
        (&[("/1/block_id_flag", json!(4))], "signatures[1].signature: missing"),
        (&[("/1/block_id_flag", json!(4)), ("/1/signature", of(0))], "[1].block_id_flag: 4 for"),
        (&[("/1/block_id_flag", json!(2))], "[1].block_id_flag: 2 is not 1 nor from 4 to 7"),
        (&[("/0/signature", json!("AAAA"))], "expected 96 bytes in base64, found 3"),
        (&[("/0/signature", json!(base64(&[0; 96])))], "signatures[0].signature"),
        (&[("/0/block_id_flag", json!(1)), ("/0/signature", json!(null))], "has the sum"),
        (&[("/1/validator_address", json!("00"))], "signatures[1].validator_address"),
    ] {
        edited(edits).expect(2, &["commit.json: result.signed_header.commit.signatures", part]);
    }
    assert!(!dir.join("out/committee.json").exists());
}

/// Keys that are no points: whoever is in a sum with one cannot be told from others.
#[test]
fn keys_in_a_sum() {
    let dir = fixture().scratch("import-together-keys");
    let good = seats();
    let import = |place: usize, key: Vec<u8>| {
        let mut seats = good.clone();
        seats[place].key = key;
        write(&dir, "commit.json", &commit(&FLAGS, &seats));
        write(&dir, "validators.json", &validators_of(&seats));
        run_in(&dir, &format!("{LINE} --force"))
    };
    let mut negative = good[2].key.clone();
    negative[48..].copy_from_slice(&good[1].key[48..]);
    let short = good[2].key[..48].to_vec();
    let compressed = [&[0x80][..], &good[2].key[1..]].concat();
    for (key, part) in [
        (negative, "not a point of the curve"),
        (short, "48 bytes, not 96"),
        (compressed, "without compression"),
        (vec![0; 96], "not in the subgroup"),
    ] {
        // The third did not sign.
        import(2, key.clone()).expect(0, &["3 of 5 members", "left out", part]);
        import(1, key).expect(2, &["signatures[1].block_id_flag", "it is in a sum", part]);
    }
}
