//! Calldata: the contracts' vectors, which `cast calldata` computed and solc confirms.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::encoding::{field_from_hex, from_hex, from_hex_exact};
use serde_json::Value;

use crate::bridge::{
    rotate, submit, submit_batch, submit_from_batch, BatchRoot, Epoch, KeySet, Message,
};

const VECTORS: &str = include_str!("../../../../contracts/test/vectors/calldata.json");

fn bytes(value: &Value) -> Vec<u8> {
    from_hex(value.as_str().unwrap()).unwrap()
}

fn hash(value: &Value) -> [u8; 32] {
    from_hex_exact(value.as_str().unwrap()).unwrap()
}

fn field(value: &Value) -> Fr {
    field_from_hex(value.as_str().unwrap()).unwrap()
}

#[test]
fn the_contracts_vectors() {
    let vector: Value = serde_json::from_str(VECTORS).unwrap();
    let expected = |function: &str| bytes(&vector["calldata"][function]);
    let proof = bytes(&vector["proof"]);
    let root = BatchRoot(hash(&vector["hash"]));
    let message = Message { nonce: u64::MAX, payload: bytes(&vector["message"]["payload"]) };
    let path: Vec<_> = vector["path"].as_array().unwrap().iter().map(hash).collect();
    let next = &vector["next"];
    let number = |field: &str| next[field].as_u64().unwrap();
    let epoch = Epoch::new(number("epoch")).unwrap();
    let set = KeySet::new(field(&next["root"]), number("threshold"), number("totalWeight"), epoch);

    assert_eq!(submit(&message, &proof), expected("submit"));
    assert_eq!(submit_batch(&root, &proof), expected("submitBatch"));
    assert_eq!(rotate(&set.unwrap(), &proof), expected("rotate"));
    assert_eq!(submit_from_batch(&message, &root, &path), expected("submitFromBatch"));
}
