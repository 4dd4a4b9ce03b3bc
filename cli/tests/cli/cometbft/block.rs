//! What is signed: the header has the hash that was, the validators have the hash that the header has, and votes for no block
//! are verified, too.

use serde_json::{json, Value};

use super::{
    commit, header,
    import::{name, FLAGS, LINE, POWERS},
    precommit_for, seats, validators, FOR_NONE,
};
use crate::support::{fixture, run_in, write, write_text, Run};

/// Imports answers that belong together but for one change in the header and the commit.
fn import(name: &str, edit: impl FnOnce(&mut Value)) -> Run {
    let dir = fixture().scratch(name);
    let mut commit = commit(&FLAGS, &POWERS);
    edit(&mut commit["result"]["signed_header"]);
    write(&dir, "commit.json", &commit);
    write(&dir, "validators.json", &validators(&POWERS));
    run_in(&dir, LINE)
}

#[test]
fn the_header_has_the_hash_that_was_signed() {
    let at = "commit.json: result.signed_header.commit.block_id.hash";
    for (field, to) in [
        ("chain_id", json!("muster-test-2")),
        ("time", json!("2025-11-22T08:26:35.26Z")),
        ("app_hash", json!("98".repeat(32))),
        ("validators_hash", json!("98".repeat(32))),
        ("version", json!({ "block": "11", "app": "1" })),
    ] {
        import("header", |signed| signed["header"][field] = to)
            .expect(2, &[at, "but the header has the hash"]);
    }
    let height = |signed: &mut Value| signed["header"]["height"] = json!("20082942");
    let other = "result.signed_header.header.height: 20082942, but the commit is for 20082941";
    import("header", height).expect(2, &[other]);
    let missing = |signed: &mut Value| {
        signed["header"].as_object_mut().unwrap().remove("data_hash");
    };
    import("header", missing).expect(2, &["result.signed_header.header", "`data_hash`"]);
    let broken = |signed: &mut Value| signed["header"]["data_hash"] = json!("0");
    import("header", broken).expect(2, &["header.data_hash", "not bytes in hex"]);
}

/// A node that gives out other validators than the block's, or other powers.
#[test]
fn the_validators_have_the_hash_of_the_header() {
    let dir = fixture().scratch("import-others");
    let at = "commit.json: result.signed_header.header.validators_hash";
    let mut powers = POWERS;
    powers[4] += 1;
    write(&dir, "commit.json", &commit(&FLAGS, &POWERS));
    write(&dir, "validators.json", &validators(&powers));
    run_in(&dir, LINE).expect(2, &[at, "but the validators"]);
    // An absent validator has no address in the commit, so that only the hash tells who it is.
    let mut swapped = validators(&POWERS);
    let list = swapped["result"]["validators"].as_array_mut().unwrap();
    list[1]["voting_power"] = json!(POWERS[5].to_string());
    list[5]["voting_power"] = json!(POWERS[1].to_string());
    list.swap(1, 5);
    write(&dir, "validators.json", &swapped);
    run_in(&dir, LINE).expect(2, &[at, "in the order of the files"]);
    assert!(!dir.join("out/committee.json").exists());
}

#[test]
fn pages_out_of_order_are_named() {
    let dir = fixture().scratch("import-order");
    write(&dir, "commit.json", &commit(&FLAGS, &POWERS));
    let all = validators(&POWERS);
    for (name, part) in [("1.json", 0..4), ("2.json", 4..6)] {
        let mut page = all.clone();
        page["result"]["validators"] = json!(all["result"]["validators"].as_array().unwrap()[part]);
        write(&dir, name, &page);
    }
    let line = "import cometbft --commit commit.json --out out --validators 2.json 1.json";
    let reason =
        format!("{} is result.validators[0] in 1.json: the pages are out of order", name(0));
    run_in(&dir, line).expect(2, &["signatures[0].validator_address", &reason]);
}

#[test]
fn what_a_node_says_instead_of_an_answer() {
    let dir = fixture().scratch("import-errors");
    let error = r#"{"jsonrpc": "2.0", "id": -1, "error": {"code": -32603, "message": "Internal error", "data": "height 9 is not available"}}"#;
    write(&dir, "commit.json", &commit(&FLAGS, &POWERS));
    write_text(&dir, "validators.json", error);
    let says = ["validators.json: error", "the node answered with an error", "-32603", "height 9"];
    run_in(&dir, LINE).expect(2, &says);
    write_text(&dir, "commit.json", error);
    run_in(&dir, LINE).expect(2, &["commit.json: error", "height 9"]);
    write_text(&dir, "commit.json", r#"{"result": null}"#);
    run_in(&dir, LINE).expect(2, &["commit.json", "missing field `result`"]);
}

/// A vote for no block counts for nothing, but whose it is said to be has cast it.
#[test]
fn votes_for_no_block_are_verified() {
    let refused = |edit: &dyn Fn(&mut Value), signer: usize| {
        let at = format!("signatures[{signer}].signature");
        import("nil", edit).expect(1, &["rejected", &at, &name(signer), "equation"]);
    };
    refused(
        &|signed| signed["commit"]["signatures"][3]["timestamp"] = json!("2025-11-22T08:26:40Z"),
        3,
    );
    // A vote for the block, passed off as one for none.
    refused(&|signed| signed["commit"]["signatures"][2]["block_id_flag"] = json!(FOR_NONE), 2);
    let taken = |signed: &mut Value| {
        let signatures = &mut signed["commit"]["signatures"];
        signatures[3]["signature"] = signatures[4]["signature"].clone();
    };
    refused(&taken, 3);
    let honest = precommit_for(&header(&seats(&POWERS)));
    let hash = hex::encode_upper(honest.block_id.hash);
    import("nil", |signed| assert_eq!(signed["commit"]["block_id"]["hash"], hash)).expect(0, &[]);
}
