//! From the answers of a node to the files of a committee.

use std::path::Path;

use muster_schemes::signature::cometbft::{Precommit, TimedSignature, Timestamp};
use serde_json::{json, Value};

use super::{
    address, commit, entry, precommit, precommit_for, secret_key, validators, ABSENT, CHAIN,
    FOR_NONE, FOR_THE_BLOCK,
};
use crate::support::{fixture, names, run_in, write};

pub(super) const POWERS: [u64; 6] = [1 << 59, 30, 20, 10, 5, 1];
pub(super) const FLAGS: [u8; 6] =
    [FOR_THE_BLOCK, ABSENT, FOR_THE_BLOCK, FOR_NONE, FOR_THE_BLOCK, ABSENT];
pub(super) const LINE: &str =
    "import cometbft --commit commit.json --validators validators.json --out out";

fn read(dir: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap()
}

pub(super) fn name(validator: usize) -> String {
    address(&secret_key(validator).public_key().to_bytes())
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

#[test]
fn a_commit_becomes_a_committee_and_signatures() {
    let dir = fixture().scratch("import");
    write(&dir, "commit.json", &commit(&FLAGS, &POWERS));
    write(&dir, "validators.json", &validators(&POWERS));
    let digest = hex(&precommit(&POWERS).digest());
    let run = run_in(&dir, &format!("{LINE} --chain-id {CHAIN} --json")).expect(0, &[]).json();
    assert_eq!(run["signing"], json!([0, 2, 4]));
    assert_eq!(run["nil"], json!([{ "member": 3, "address": name(3) }]));
    let absent = [1, 5].map(|member| json!({ "member": member, "address": name(member) }));
    assert_eq!(run["absent"], json!(absent));
    assert_eq!((&run["digest"], &run["height"]), (&json!(digest), &json!(20_082_941)));
    assert_eq!(run["weight"], json!(((1u64 << 59) + 25).to_string()));
    assert_eq!(names(&dir.join("out")), ["committee.json", "message.json", "signatures.json"]);
    let [committee, signatures, message] =
        ["committee", "signatures", "message"].map(|file| read(&dir, &format!("out/{file}.json")));
    assert_eq!(committee["scheme"], "ed25519");
    for (i, (member, power)) in
        committee["members"].as_array().unwrap().iter().zip(POWERS).enumerate()
    {
        assert_eq!(member["public_key"], hex(&secret_key(i).public_key().to_bytes()));
        let weight = if i == 0 { json!(power.to_string()) } else { json!(power) };
        assert_eq!(member["weight"], weight);
    }
    assert_eq!(signatures["message"], hex(&precommit(&POWERS).encode()));
    assert_eq!(message, serde_json::to_value(precommit(&POWERS)).unwrap());
    // As text, and not over what is there.
    run_in(&dir, LINE).expect(2, &["committee.json", "--force"]);
    let run = run_in(&dir, &format!("{LINE} --force")).expect(0, &[&digest, CHAIN, "20082941"]);
    let nil = format!("voted for no block  member 3 ({})", name(3));
    let absent = format!("absent              member 1 ({}), member 5 ({})", name(1), name(5));
    assert!(run.stdout.contains(&nil) && run.stdout.contains(&absent), "{run:?}");
    // The other commands take the files.
    run_in(&dir, "root out/committee.json --threshold >2/3")
        .expect(0, &["threshold 384307168202282370"]);
    let files = "--committee out/committee.json --signatures out/signatures.json";
    let check = format!("check {files} --message-form cometbft-precommit --threshold");
    run_in(&dir, &format!("{check} >2/3")).expect(0, &["accepted: 3 signers of 6"]);
    run_in(&dir, &format!("{check} {}", (1u64 << 59) + 26)).expect(1, &["the signers weigh"]);
}

/// Oraichain's block 20,082,941 with the precommit of one of its validators, whose power is made up. There is no header of
/// it here, so that it is checked without an import.
#[test]
fn a_precommit_of_a_live_chain() {
    let dir = fixture().scratch("oraichain");
    let precommit = json!({
        "height": 20_082_941,
        "round": 0,
        "block_id": {
            "hash": "6954B64B90D0A8B177DA1A9B14648D3DE6F706114EB9C9E1AF3BA52B6F8E3C4B",
            "parts": { "total": 1, "hash": "E07E8511743101AA131DE4E24C9C8D412ABD69F6AEE583C8E80DBF23689B6019" },
        },
        "chain_id": "Oraichain",
    });
    let key = "0x10b8dfde73aeda38f81c5ce9c181ccaf2e25d0c66b8d4bfb41732f0ae61ee566";
    let signature = "2f042189d233b9113b91177184c699dcb140439f73cf0c7fb0c640d5edc46d76\
                     f95470bb54d0322bb0cdabeb7c848226a2d7e318a2d5d741961f8eeccefa3304";
    let committee = json!({ "scheme": "ed25519", "members": [{ "public_key": key, "weight": 7 }] });
    write(&dir, "committee.json", &committee);
    let message = serde_json::from_value::<Precommit>(precommit).unwrap().encode();
    let check = |time: &str| {
        let time: Timestamp = time.parse().unwrap();
        let signature = hex::decode(signature).unwrap().try_into().unwrap();
        let signature = hex(&TimedSignature { signature, time }.to_bytes());
        let signed = json!([{ "member": 0, "signature": signature }]);
        write(&dir, "signatures.json", &json!({ "message": hex(&message), "signatures": signed }));
        let files = "--committee committee.json --signatures signatures.json --threshold 7";
        run_in(&dir, &format!("check {files} --message-form cometbft-precommit"))
    };
    check("2024-05-06T07:34:41.870738786Z").expect(0, &["accepted"]);
    // A nanosecond later nobody signed.
    check("2024-05-06T07:34:41.870738787Z").expect(1, &["rejected", "member 0", "equation"]);
}

#[test]
fn pages_of_validators() {
    let dir = fixture().scratch("import-pages");
    write(&dir, "commit.json", &commit(&FLAGS, &POWERS));
    let all = validators(&POWERS);
    let list = all["result"]["validators"].as_array().unwrap();
    let page = |name: &str, part: &[Value]| {
        let mut page = all.clone();
        (page["result"]["validators"], page["result"]["count"]) = (json!(part), json!(part.len()));
        write(&dir, name, &page)
    };
    page("1.json", &list[..4]);
    page("2.json", &list[4..]);
    let import = |pages: &str| {
        let line = "import cometbft --commit commit.json --force --out out --validators";
        run_in(&dir, &format!("{line} {pages}"))
    };
    import("1.json 2.json").expect(0, &["3 of 6 members"]);
    import("1.json").expect(2, &["1.json", "result.total", "6, but the files have 4"]);
    import("2.json 1.json").expect(2, &["commit.json", "signatures[0].validator_address"]);
    import("1.json 2.json 2.json").expect(2, &["2.json", "result.total", "the files have 8"]);
}

/// As many as public chains have, the larger ones on two pages, as a node gives them out. Three quarters signed, and each signature is verified.
#[test]
fn sets_of_every_size() {
    for size in [4, 40, 100, 101, 150] {
        let dir = fixture().scratch(&format!("import-{size}"));
        let powers: Vec<_> = (0..size).map(|i| 1_000_000 - i as u64).collect();
        let flag = |i: usize| if i % 4 == 3 { ABSENT } else { FOR_THE_BLOCK };
        let flags: Vec<_> = (0..size).map(flag).collect();
        write(&dir, "commit.json", &commit(&flags, &powers));
        let all = validators(&powers);
        let list = all["result"]["validators"].as_array().unwrap();
        let page = |(number, part): (usize, &[Value])| {
            let mut page = all.clone();
            page["result"]["validators"] = json!(part);
            page["result"]["count"] = json!(part.len().to_string());
            let name = format!("{number}.json");
            write(&dir, &name, &page);
            name
        };
        let pages: Vec<_> = list.chunks(100).enumerate().map(page).collect();
        let line = format!(
            "import cometbft --commit commit.json --out out --validators {}",
            pages.join(" ")
        );
        let signed = size - size / 4;
        run_in(&dir, &line).expect(0, &[&format!("{signed} of {size} members")]);
        let message = read(&dir, "out/signatures.json")["message"].clone();
        assert_eq!(message, json!(hex(&precommit(&powers).encode())), "{size}");
    }
}

/// A block of another chain, with votes for a block of that hash that name the chain of the tests.
fn of_another_chain(signed: &Value) -> Value {
    let mut signed = signed.clone();
    signed["header"]["chain_id"] = json!("muster-test-2");
    let voted = precommit_for(&signed["header"]);
    signed["commit"]["block_id"]["hash"] = json!(hex::encode_upper(voted.block_id.hash));
    let entries = FLAGS.iter().enumerate().map(|(i, flag)| entry(i, *flag, &voted));
    signed["commit"]["signatures"] = entries.collect();
    signed
}

/// Validators whose signatures do not hold are named, all of them: nothing is written.
#[test]
fn bad_signatures_are_named_by_address() {
    let dir = fixture().scratch("import-bad");
    write(&dir, "validators.json", &validators(&POWERS));
    let refused = |flags: &[u8], edit: &dyn Fn(&mut Value), parts: &[&str]| {
        let mut bad = commit(flags, &POWERS);
        edit(&mut bad["result"]["signed_header"]);
        write(&dir, "commit.json", &bad);
        run_in(&dir, LINE).expect(1, &[&["rejected", "commit.json"], parts].concat());
        assert!(!dir.join("out/committee.json").exists());
    };
    let (first, third) = (name(0), name(2));
    let all = [0, 2, 4].map(|member| format!("validator {}", name(member))).join(", ");
    refused(&FLAGS, &|signed| signed["commit"]["round"] = json!(1), &[&all, "equation"]);
    // The same votes, for a block of another chain.
    refused(&FLAGS, &|signed| *signed = of_another_chain(signed), &[&first]);
    // A vote for none, passed off as one for the block.
    refused(
        &FLAGS,
        &|signed| signed["commit"]["signatures"][3]["block_id_flag"] = json!(FOR_THE_BLOCK),
        &["signatures[3].signature", &name(3)],
    );
    // Another's signature, and one with s above the order.
    refused(
        &FLAGS,
        &|signed| {
            signed["commit"]["signatures"][2]["signature"] =
                entry(0, FOR_THE_BLOCK, &precommit(&POWERS))["signature"].clone();
        },
        &["signatures[2].signature", &third],
    );
    refused(
        &FLAGS,
        &|signed| {
            signed["commit"]["signatures"][0]["signature"] =
                json!(format!("{}==", "/".repeat(85) + "w"));
        },
        &["signatures[0].signature", &first],
    );
}
