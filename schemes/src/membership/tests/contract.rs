//! The roots that a contract computes of lists of addresses: the file that its tests read, from here.

use std::{fs, path::Path};

use ff::PrimeField;
use serde_json::{json, Value};

use super::super::*;
use crate::curve::weierstrass::Address;

const FILE: &str = "../contracts/test/vectors/key-sets.json";
const SOURCE: &str = "What `muster root --depth DEPTH` prints for lists of addresses; \
                      a test of schemes/ compares and, with MUSTER_UPDATE_GOLDEN=1, writes it";
/// Children of a node of sets by name, by default.
const ARITY: usize = 5;

fn members(set: &Value) -> Vec<Member> {
    let list = |field: &str| set[field].as_array().expect("a list").iter();
    let mut weights =
        list("weights").map(|weight| weight.as_str().expect("text").parse().expect("a weight"));
    let member = |address: &Value| {
        let address: Address = address.as_str().expect("text").parse().expect("an address");
        Member { public_key: address.into(), weight: weights.next().unwrap_or(1) }
    };
    list("members").map(member).collect()
}

/// The set again, with the root and the weight as they are computed.
fn computed(set: &Value) -> Value {
    let depth = usize::try_from(set["depth"].as_u64().expect("a depth")).expect("small");
    let keys = KeySet::new(members(set)).expect("a set");
    let root = keys.tree(ARITY, depth).expect("a tree").root().to_repr();
    let digits: String = root.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    let mut set = set.clone();
    set["total_weight"] = json!(keys.total_weight().to_string());
    set["root"] = json!(format!("0x{digits}"));
    set
}

#[test]
fn the_roots_of_the_contract_are_those_of_sets() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let found: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let sets: Vec<_> = found["sets"].as_array().unwrap().iter().map(computed).collect();
    assert_eq!(sets.len(), 15);
    let expected = json!({ "source": SOURCE, "sets": sets });
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(path, serde_json::to_string_pretty(&expected).unwrap() + "\n").unwrap();
    } else {
        assert_eq!(found, expected, "MUSTER_UPDATE_GOLDEN=1 writes it anew");
    }
}
