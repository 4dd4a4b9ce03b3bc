//! Validators whose keys no set can hold: they do not halt a bridge, and nobody needs less weight without them.

use std::path::Path;

use serde_json::{json, Value};

use super::{
    address, commit_of,
    import::{FLAGS, LINE},
    seats, validators_of, Seat, ABSENT, ED25519, FOR_THE_BLOCK,
};
use crate::support::{fixture, run_in, write, write_text};

/// TEST 2 of RFC 8032, section 7.1.
const KNOWN: &str = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const BLS: &str = "cometbft/PubKeyBls12_381";
const SECP256K1: &str = "tendermint/PubKeySecp256k1";
const POWERS: [u64; 6] = [50, 30, 20, 10, 5, 1];

fn read(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

/// Validators of whom one has this key instead of its own; all sign.
fn import(dir: &Path, flags: &[u8], place: usize, key_type: &'static str, key: &[u8]) -> Vec<Seat> {
    let mut seats = seats(&POWERS);
    seats[place] = Seat { key_type, key: key.to_vec(), power: POWERS[place] };
    write(dir, "commit.json", &commit_of(flags, &seats));
    write(dir, "validators.json", &validators_of(&seats));
    seats
}

/// Nobody signs for an empty place, and everybody else keeps theirs.
#[test]
fn validators_whom_no_set_can_hold_have_empty_places() {
    let dir = fixture().scratch("import-empty");
    let known = hex::decode(KNOWN).unwrap();
    for (key_type, name, key, reason) in [
        (ED25519, "ed25519", &[0; 32][..], "small order"),
        (ED25519, "ed25519", &[5; 32][..], "curve"),
        (ED25519, "ed25519", &known[..], "anyone can sign with it"),
        (SECP256K1, "secp256k1", &[2; 33][..], SECP256K1),
        (BLS, "bls12381", &[3; 96][..], BLS),
    ] {
        import(&dir, &FLAGS, 2, key_type, key);
        let run = run_in(&dir, &format!("{LINE} --force --json")).expect(0, &[]).json();
        assert_eq!(run["left_out"], json!([]));
        let empty = &run["empty"][0];
        assert_eq!((&empty["validator"], &empty["member"]), (&json!(2), &json!(2)));
        assert_eq!((&empty["power"], &empty["address"]), (&json!(20), &json!(address(key))));
        assert!(empty["reason"].as_str().unwrap().contains(reason), "{empty}");
        assert_eq!((&run["signing"], &run["weight"]), (&json!([0, 4]), &json!(55)));
        assert_eq!((&run["total_weight"], &run["validators"]), (&json!(116), &json!(6)));
        let committee = read(&dir, "out/committee.json");
        let place =
            json!({ "public_key": format!("0x{}", hex::encode(key)), "weight": 20, "empty": name });
        assert_eq!((&committee["members"][2], &committee["left_out"]), (&place, &Value::Null));
        // Whoever reads the file looks at the key again.
        let mut good = committee.clone();
        good["members"][3]["empty"] = json!("ed25519");
        write(&dir, "good.json", &good);
        run_in(&dir, "root good.json")
            .expect(2, &["members[3].public_key", "a set holds such a key"]);
    }
    let named = format!("empty places        validator 2 ({}, power 20)", address(&[3; 96]));
    run_in(&dir, &format!("{LINE} --force")).expect(0, &[&named, BLS]);
    let mut bad = read(&dir, "out/committee.json");
    for (of, reason) in [
        ("x", "the type of the key"),
        ("secp256k1", "96 bytes, but keys of secp256k1 have 33"),
        ("ed25519", "96 bytes, but keys of ed25519 have 32"),
    ] {
        bad["members"][2]["empty"] = json!(of);
        write(&dir, "bad.json", &bad);
        run_in(&dir, "root bad.json").expect(2, &["members[2]", reason]);
    }
    bad["scheme"] = json!("eddsa-babyjubjub");
    write(&dir, "bad.json", &bad);
    run_in(&dir, "root bad.json").expect(2, &["members[2].empty", "no empty places"]);
}

/// A signature for an empty place counts for nobody, whatever it is.
#[test]
fn nobody_signs_for_an_empty_place() {
    let dir = fixture().scratch("import-empty-signed");
    let flags = [FOR_THE_BLOCK, FOR_THE_BLOCK, FOR_THE_BLOCK, ABSENT, ABSENT, ABSENT];
    import(&dir, &flags, 2, ED25519, &[0; 32]);
    run_in(&dir, LINE).expect(0, &["with weight 80 of 116"]);
    let mut signatures = read(&dir, "out/signatures.json");
    let list = signatures["signatures"].as_array_mut().unwrap();
    let mut one = list[0].clone();
    one["member"] = json!(2);
    list.push(one);
    write(&dir, "signatures.json", &signatures);
    let check = |threshold: &str| {
        let files = "--committee out/committee.json --signatures signatures.json --message-form cometbft-precommit";
        run_in(&dir, &format!("check {files} --threshold {threshold}"))
    };
    check("80").expect(0, &["accepted: 2 signers of 6", "member 2", "the place is empty"]);
    check(">2/3").expect(0, &["weight of at least 78"]);
    check("81").expect(1, &["below the threshold 81"]);
}

#[test]
fn validators_without_a_place_are_left_out_and_named() {
    let dir = fixture().scratch("import-left-out");
    // Compressed, as no release of CometBFT has it.
    let key = [3; 48];
    import(&dir, &FLAGS, 2, BLS, &key);
    let name = address(&key);
    let run = run_in(&dir, &format!("{LINE} --force --json")).expect(0, &[]).json();
    let left_out = &run["left_out"][0];
    assert_eq!((&left_out["validator"], &left_out["power"]), (&json!(2), &json!(20)));
    assert_eq!(left_out["address"], json!(name));
    assert!(left_out["reason"].as_str().unwrap().contains(BLS), "{left_out}");
    // Those behind move up. Of 116 the two who sign have 55.
    assert_eq!((&run["signing"], &run["weight"]), (&json!([0, 3]), &json!(55)));
    assert_eq!((&run["total_weight"], &run["validators"]), (&json!(116), &json!(6)));
    assert_eq!((&run["nil"][0]["member"], &run["empty"]), (&json!(2), &json!([])));
    let committee = read(&dir, "out/committee.json");
    assert_eq!(committee["members"].as_array().unwrap().len(), 5);
    let kept = &committee["left_out"][0];
    assert_eq!(kept["public_key"], format!("0x{}", hex::encode(key)));
    assert_eq!((&kept["weight"], &kept["reason"]), (&json!(20), &left_out["reason"]));
    let named = format!("left out            validator 2 ({name}, power 20)");
    run_in(&dir, &format!("{LINE} --force")).expect(0, &[&named, BLS]);
}

/// The total weight of which a quorum is a part has theirs: 47 is more than two fifths of 116, 39 of 96.
#[test]
fn their_weight_counts_in_the_total() {
    let dir = fixture().scratch("import-total");
    let flags = [ABSENT, FOR_THE_BLOCK, FOR_THE_BLOCK, FOR_THE_BLOCK, ABSENT, ABSENT];
    for (key_type, key, weight) in [(ED25519, &[0; 32][..], 116), (BLS, &[3; 48][..], 96)] {
        let count = if weight == 116 { 6 } else { 5 };
        import(&dir, &flags, 2, key_type, key);
        run_in(&dir, &format!("{LINE} --force")).expect(0, &["with weight 40 of 116"]);
        let root = "root out/committee.json";
        let threshold = format!("threshold 47 of {weight}");
        run_in(&dir, &format!("{root} --threshold >2/5")).expect(0, &[&threshold]);
        let check = |threshold: &str| {
            let files = "--committee out/committee.json --signatures out/signatures.json";
            run_in(
                &dir,
                &format!("check {files} --message-form cometbft-precommit --threshold {threshold}"),
            )
        };
        check("40").expect(0, &[&format!("accepted: 2 signers of {count}")]);
        check(">2/5").expect(1, &["weigh 40, below the threshold 47"]);
        check(">1/3").expect(0, &["weight of at least 39"]);
        let whole = run_in(&dir, &format!("{root} --json")).expect(0, &[]).json();
        assert_eq!((&whole["weight"], &whole["total_weight"]), (&json!(weight), &json!(116)));
    }
    // Without an empty place, the root is that of the others alone.
    let root_of = |line: &str| run_in(&dir, &format!("{line} --json")).expect(0, &[]).json();
    let whole = root_of("root out/committee.json");
    let mut bare = read(&dir, "out/committee.json");
    bare.as_object_mut().unwrap().remove("left_out");
    write(&dir, "bare.json", &bare);
    assert_eq!(root_of("root bare.json")["key_set_root"], whole["key_set_root"]);
}

/// Whatever such a validator sent is not looked at: a signature of another type has another length.
#[test]
fn their_signatures_are_not_read() {
    let dir = fixture().scratch("import-unread");
    let seats = import(&dir, &FLAGS, 2, BLS, &[3; 96]);
    let mut commit = commit_of(&FLAGS, &seats);
    let entry = &mut commit["result"]["signed_header"]["commit"]["signatures"][2];
    entry["signature"] = json!(super::base64(&[7; 96]));
    write(&dir, "commit.json", &commit);
    run_in(&dir, LINE).expect(0, &["validator 2"]);
    // But it says whose it is.
    let entry = &mut commit["result"]["signed_header"]["commit"]["signatures"][2];
    entry["validator_address"] = json!(address(&[4; 96]));
    write(&dir, "commit.json", &commit);
    run_in(&dir, &format!("{LINE} --force")).expect(2, &["signatures[2].validator_address"]);
}

#[test]
fn nobody_is_left() {
    let dir = fixture().scratch("import-nobody");
    let seats = [Seat { key_type: SECP256K1, key: vec![2; 33], power: 7 }];
    write(&dir, "commit.json", &commit_of(&[FOR_THE_BLOCK], &seats));
    let mut validators = validators_of(&seats);
    write(&dir, "validators.json", &validators);
    run_in(&dir, LINE).expect(2, &["validators.json", "at least one member"]);
    // An address of another type of keys is that of the node, but still one.
    validators["result"]["validators"][0]["address"] = json!("\u{1b}[2J");
    write_text(&dir, "validators.json", &validators.to_string());
    run_in(&dir, LINE).expect(2, &["result.validators[0].address", "20 bytes in hex"]);
}
