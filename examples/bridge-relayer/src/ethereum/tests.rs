//! Reading what a beacon node answers.

use serde_json::{json, Value};

use super::{update::Update, Network};

fn header(slot: &str) -> Value {
    let word = format!("0x{}", "ab".repeat(32));
    json!({ "beacon": {
        "slot": slot, "proposer_index": "7", "parent_root": word, "state_root": word, "body_root": word,
    } })
}

fn update() -> Value {
    let word = format!("0x{}", "cd".repeat(32));
    json!({ "version": "fulu", "data": {
        "attested_header": header("12"), "finalized_header": header("10"), "finality_branch": [word, word],
        "next_sync_committee": { "pubkeys": ["0x01", "0x02"], "aggregate_pubkey": "0x03" },
        "next_sync_committee_branch": [word], "signature_slot": "13",
    } })
}

#[test]
fn an_update_that_is_odd_may_be_another_one_later() {
    let whole = update().to_string();
    for text in ["", "[]", "{}", &whole[..whole.len() / 2]] {
        assert!(Update::read(text).expect_err("refused").may_pass(), "{text}");
    }
    for field in ["attested_header", "finalized_header", "finality_branch", "signature_slot"] {
        for value in [json!(null), json!("1x"), json!({ "beacon": {} })] {
            let mut odd = update();
            odd["data"][field] = value;
            assert!(Update::read(&odd.to_string()).is_err(), "{field}");
        }
    }
    let mut odd = update();
    odd["data"]["next_sync_committee_branch"] = json!(["0x12"]);
    assert!(Update::read(&odd.to_string()).is_err());
}

#[test]
fn an_update_is_one_object_or_a_list_of_one() {
    for text in [update().to_string(), json!([update()]).to_string()] {
        let read = Update::read(&text).expect("an update");
        assert_eq!((read.attested.slot, read.finalized.slot, read.signature_slot), (12, 10, 13));
        let next = read.next.expect("a committee");
        assert_eq!((next.keys.len(), next.branch.len(), read.finality_branch.len()), (2, 1, 2));
    }
    let mut finality = update();
    finality["data"].as_object_mut().expect("an object").remove("next_sync_committee");
    assert!(Update::read(&finality.to_string()).expect("an update").next.is_none());
}

#[test]
fn a_quorum_is_two_thirds_rounded_up() {
    let quorum =
        |seats| Network { genesis: Default::default(), epoch: 8, period: 64, seats }.quorum();
    assert_eq!([512, 32, 4, 3, 1].map(quorum), [342, 22, 3, 2, 1]);
}
