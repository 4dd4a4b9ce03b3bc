//! Signatures: what comes of them, and who is named.

use muster_schemes::curve::edwards::Scalar;
use serde_json::{json, Value};

use super::{Ceremony, MESSAGE};
use crate::support::{edit_hex, run_in, write};

/// Adds a number to a share of a signature over Baby Jubjub. Flipping a bit would add or take away, and
/// which of them is chance: two flips may cancel.
fn add(share: &mut Value, number: i64) {
    edit_hex(&mut share["signature_share"], |bytes| {
        let scalar = Scalar::from_bytes(bytes.as_slice().try_into().unwrap()).unwrap();
        let number = if number < 0 {
            -Scalar::from(number.unsigned_abs())
        } else {
            Scalar::from(number.unsigned_abs())
        };
        bytes.copy_from_slice(&(scalar + number).to_bytes());
    });
}

#[test]
fn a_group_signs_as_a_member_of_a_committee() {
    let ceremony = Ceremony::new("frost-member", "babyjubjub");
    ceremony.sign_all();
    let run = ceremony.aggregate("--json").expect(0, &[]).json();
    assert_eq!(run["accepted"], true);
    let again = ceremony.aggregate("--out signature.json").expect(0, &["2 members signed"]);
    assert!(!again.stdout.contains("share"));
    assert_eq!(ceremony.json("signature.json")["signature"], run["signature"]);
    ceremony.aggregate("--out signature.json").expect(2, &["already exists"]);
    ceremony.aggregate("--out signature.json --force").expect(0, &[]);

    // Its key is a committee's member, and its signature the member's.
    let sample = "sample --scheme schnorr-babyjubjub --signers 3 --signing 1 --out sample";
    run_in(&ceremony.dir, &format!("{sample} --message {MESSAGE}")).expect(0, &[]);
    ceremony.edit("sample/committee.json", |committee| {
        committee["members"][1]["public_key"] = run["public_key"].clone();
    });
    ceremony.edit("sample/signatures.json", |signatures| {
        let signature = json!({ "member": 1, "signature": run["signature"] });
        signatures["signatures"] = json!([signature]);
    });
    let check = "check --committee sample/committee.json --signatures sample/signatures.json \
                 --threshold 1";
    run_in(&ceremony.dir, check).expect(0, &["every constraint holds"]);
    ceremony.edit("sample/signatures.json", |signatures| {
        edit_hex(&mut signatures["signatures"][0]["signature"], |bytes| bytes[40] ^= 1);
    });
    run_in(&ceremony.dir, check).expect(1, &["equation"]);
}

#[test]
fn every_suite_signs() {
    for suite in ["ed25519", "ristretto255", "ed448", "p256", "secp256k1", "secp256k1-tr"] {
        let mut ceremony = Ceremony::new(&format!("frost-{suite}"), suite);
        ceremony.message = "0x68656c6c6f";
        ceremony.sign_all();
        ceremony.aggregate("").expect(0, &["accepted"]);
        ceremony
            .edit("signed-3.json", |share| edit_hex(&mut share["signature_share"], |b| b[9] ^= 1));
        ceremony.aggregate("").expect(1, &["rejected: bad signature shares from participant 3"]);
    }
}

#[test]
fn cheaters_and_strangers_are_named() {
    let ceremony = Ceremony::new("frost-cheaters", "babyjubjub");
    ceremony.sign_all();
    let good = [ceremony.json("signed-1.json"), ceremony.json("signed-3.json")];
    ceremony.edit("signed-1.json", |share| add(share, 1));
    ceremony.aggregate("").expect(1, &["bad signature shares from participant 1"]);
    ceremony.edit("signed-3.json", |share| add(share, 1));
    ceremony.aggregate("").expect(1, &["bad signature shares from participants 1, 3"]);
    // Errors that cancel: neither share is good, but the signature is, and that is what was asked for.
    ceremony.edit("signed-3.json", |share| add(share, -2));
    ceremony.aggregate("").expect(0, &["accepted"]);
    write(&ceremony.dir, "signed-1.json", &good[0]);
    write(&ceremony.dir, "signed-3.json", &good[1]);

    ceremony.edit("signed-3.json", |share| share["member"] = json!(1));
    ceremony.aggregate("").expect(2, &["participant 1 occurs twice"]);
    ceremony.edit("signed-3.json", |share| share["member"] = json!(2));
    ceremony.aggregate("").expect(1, &["rejected: no share from participant 3"]);
    ceremony.edit("signed-3.json", |share| share["member"] = json!(9));
    ceremony.aggregate("").expect(2, &["not in the group: participant 9"]);
    ceremony.edit("signed-3.json", |share| share["member"] = json!(0));
    ceremony.aggregate("").expect(2, &["signed-3.json: member", "numbered from 1"]);
    write(&ceremony.dir, "signed-3.json", &good[1]);

    // The coordinator's own faults are nobody else's: another message, another group, a public share
    // that is wrong.
    let other = Ceremony {
        message: "0x000000000000000000000000000000000000000000000000000000000000002b",
        dir: ceremony.dir.clone(),
    };
    other.aggregate("").expect(2, &["participants 1, 3 signed another package"]);
    let group = ceremony.json("group.json");
    ceremony.edit("group.json", |group| {
        group["members"][0]["public_share"] = group["members"][1]["public_share"].clone();
    });
    ceremony.edit("signed-3.json", |share| add(share, 1));
    ceremony.aggregate("").expect(1, &["rejected", "group's file is wrong"]);
    ceremony.run("check --group group.json").expect(1, &["one polynomial"]);
    write(&ceremony.dir, "group.json", &group);
    ceremony.aggregate("").expect(1, &["bad signature shares from participant 3"]);
    let stranger = Ceremony::new("frost-stranger", "babyjubjub");
    write(&ceremony.dir, "group.json", &stranger.json("group.json"));
    ceremony.aggregate("").expect(2, &["commitment-1.json: public_key", "another group"]);
}

/// A member that shows the coordinator one commitment and another signer another one.
#[test]
fn who_signed_another_list_is_no_cheater() {
    let ceremony = Ceremony::new("frost-lists", "babyjubjub");
    ceremony.commit(1);
    ceremony.commit(3);
    let shown = ceremony.json("commitment-1.json");
    ceremony.sign(1, "").expect(0, &[]);
    ceremony.run("commit --share share-1.json --out . --force").expect(0, &[]);
    ceremony.sign(3, "").expect(0, &[]);
    write(&ceremony.dir, "commitment-1.json", &shown);
    ceremony.aggregate("").expect(2, &["participant 3 signed another package"]);
}

#[test]
fn signatures_are_verified() {
    let ceremony = Ceremony::new("frost-verify", "secp256k1-tr");
    ceremony.sign_all();
    ceremony.aggregate("--out signature.json").expect(0, &["accepted"]);
    let verify = |group: &str, message: &str| {
        ceremony.run(&format!("verify signature.json --group {group} --message {message}"))
    };
    verify("group.json", MESSAGE).expect(0, &["signature.json: accepted"]);
    verify("group.json", "0x2a").expect(1, &["rejected: signature.json: message"]);
    let stranger = Ceremony::new("frost-verify-stranger", "secp256k1-tr");
    write(&ceremony.dir, "other.json", &stranger.json("group.json"));
    verify("other.json", MESSAGE).expect(1, &["rejected: signature.json: public_key"]);
    ceremony.edit("signature.json", |signature| {
        edit_hex(&mut signature["signature"], |bytes| bytes[40] ^= 1);
    });
    verify("group.json", MESSAGE).expect(1, &["rejected: signature.json", "does not verify"]);
    verify("nowhere.json", MESSAGE).expect(2, &["nowhere.json"]);
}
