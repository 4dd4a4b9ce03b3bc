//! Digests: the vectors of the contracts, and what cannot be signed.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::encoding::{field_from_hex, from_hex, from_hex_exact};
use serde_json::Value;

use crate::bridge::{Batch, BatchRoot, BridgeFault, ChainId, Epoch, KeySet, Message, Scope};

const VECTORS: &str = include_str!("../../../../contracts/test/vectors/digests.json");

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A number, or `0x` hex for what JSON's numbers do not hold.
fn number(value: &Value) -> u64 {
    let hex = |text: &str| u64::from_str_radix(&text[2..], 16).unwrap();
    value.as_u64().unwrap_or_else(|| hex(text(value)))
}

fn chain(value: &Value) -> ChainId {
    value.as_u64().map_or_else(|| text(value).parse().unwrap(), ChainId::from)
}

fn field(value: &Value) -> Fr {
    field_from_hex(text(value)).unwrap()
}

fn hash(value: &Value) -> [u8; 32] {
    from_hex_exact(text(value)).unwrap()
}

fn scope(value: &Value) -> Scope {
    Scope {
        source_chain: chain(&value["sourceChainId"]),
        destination_chain: chain(&value["destinationChainId"]),
        client: text(&value["client"]).parse().unwrap(),
        epoch: Epoch::new(number(&value["epoch"])).unwrap(),
        key_set_root: field(&value["keySetRoot"]),
    }
}

fn key_set(value: &Value) -> KeySet {
    let epoch = Epoch::new(number(&value["epoch"])).unwrap();
    let (threshold, weight) = (number(&value["threshold"]), number(&value["totalWeight"]));
    KeySet::new(field(&value["root"]), threshold, weight, epoch).unwrap()
}

fn check(vector: &Value) {
    let scope = scope(&vector["scope"]);
    let root = BatchRoot(hash(&vector["batch"]["root"]));
    let mut ids = vec![];
    for entry in vector["messages"].as_array().unwrap() {
        let payload = from_hex(text(&entry["payload"])).unwrap();
        let message = Message { nonce: number(&entry["nonce"]), payload };
        let id = scope.message_id(&message);
        assert_eq!(id.0, hash(&entry["id"]));
        assert_eq!(scope.message_digest(&message), field(&entry["digest"]));
        ids.push(id);
    }
    let batch = Batch::new(&ids).unwrap();
    assert_eq!(batch.root(), root);
    for (i, entry) in vector["messages"].as_array().unwrap().iter().enumerate() {
        let path: Vec<_> = entry["path"].as_array().unwrap().iter().map(hash).collect();
        assert_eq!(batch.path(i), Some(path));
    }
    assert_eq!(batch.path(ids.len()), None);
    assert_eq!(scope.batch_digest(&root), field(&vector["batch"]["digest"]));
    let handover = scope.handover_digest(&key_set(&vector["handover"]));
    assert_eq!(handover, Ok(field(&vector["handover"]["digest"])));
}

#[test]
fn the_contracts_vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let vectors = file["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 3);
    vectors.iter().for_each(check);
}

#[test]
fn a_set_that_cannot_sign_is_none() {
    let (root, epoch) = (Fr::from(5), Epoch::new(2).unwrap());
    let most = (1 << 60) - 1;
    for (threshold, weight) in [(1, 1), (8, 8), (1, most), (most, most)] {
        assert!(KeySet::new(root, threshold, weight, epoch).is_ok());
    }
    for (threshold, total_weight) in [(0, 8), (9, 8), (1, 0), (0, 0), (u64::MAX, most)] {
        let fault = BridgeFault::Threshold { threshold, total_weight };
        assert_eq!(KeySet::new(root, threshold, total_weight, epoch), Err(fault));
    }
    assert_eq!(KeySet::new(root, 1, 1 << 60, epoch), Err(BridgeFault::TotalWeight(1 << 60)));
    assert_eq!(KeySet::new(Fr::zero(), 1, 1, epoch), Err(BridgeFault::ZeroRoot));
}

#[test]
fn a_handover_is_to_the_next_epoch() {
    let mut scope = Scope {
        source_chain: 1.into(),
        destination_chain: 2.into(),
        client: "0x00000000000000000000000000000000000a11ce".parse().unwrap(),
        epoch: Epoch::new(7).unwrap(),
        key_set_root: Fr::one(),
    };
    let next = |epoch| KeySet::new(Fr::from(5), 1, 1, Epoch::new(epoch).unwrap()).unwrap();
    assert!(scope.handover_digest(&next(8)).is_ok());
    for found in [1, 6, 7, 9, u64::MAX] {
        let fault = BridgeFault::NotNextEpoch { expected: 8, found };
        assert_eq!(scope.handover_digest(&next(found)), Err(fault));
    }
    scope.epoch = Epoch::new(u64::MAX).unwrap();
    assert_eq!(scope.handover_digest(&next(1)), Err(BridgeFault::LastEpoch));
}
