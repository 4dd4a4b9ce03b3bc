//! Calldata: the contracts' vectors, which `cast calldata` computed and solc confirms.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::encoding::{field_from_hex, from_hex, from_hex_exact};
use serde_json::Value;

use crate::bridge::{submit_from_batch, BatchRoot, BridgeFault, Calldata, Epoch, KeySet, Message};

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

/// Calldata of the public inputs and the proof of the vectors.
fn brought(vector: &Value) -> Calldata {
    let inputs: Vec<_> = vector["publicInputs"].as_array().unwrap().iter().map(field).collect();
    Calldata::claimed(&inputs, &bytes(&vector["proof"])).unwrap()
}

#[test]
fn the_contracts_vectors() {
    let vector: Value = serde_json::from_str(VECTORS).unwrap();
    let expected = |function: &str| bytes(&vector["calldata"][function]);
    let calldata = brought(&vector);
    let root = BatchRoot(hash(&vector["hash"]));
    let message = Message { nonce: u64::MAX, payload: bytes(&vector["message"]["payload"]) };
    let path: Vec<_> = vector["path"].as_array().unwrap().iter().map(hash).collect();
    let next = &vector["next"];
    let number = |field: &str| next[field].as_u64().unwrap();
    let epoch = Epoch::new(number("epoch")).unwrap();
    let set = KeySet::new(field(&next["root"]), number("threshold"), number("totalWeight"), epoch);

    assert_eq!(calldata.verify(), expected("verify"));
    assert_eq!(calldata.verify_proof(root.0), expected("verifyProof"));
    assert_eq!(calldata.submit(&message), expected("submit"));
    assert_eq!(calldata.submit_batch(&root), expected("submitBatch"));
    assert_eq!(calldata.rotate(&set.unwrap()), expected("rotate"));
    assert_eq!(submit_from_batch(&message, &root, &path), expected("submitFromBatch"));
}

#[test]
fn a_verifier_takes_public_inputs_and_proof_bare() {
    let vector: Value = serde_json::from_str(VECTORS).unwrap();
    let calldata = brought(&vector);
    let inputs = vector["publicInputs"].as_array().unwrap().iter().flat_map(hash);
    let expected: Vec<_> = inputs.chain(bytes(&vector["proof"])).collect();
    assert_eq!(calldata.verifier(), expected);
}

/// A generated verifier takes a digest in halves, everything else as one word.
#[test]
fn a_digest_is_one_word_to_wrappers() {
    let digest: [u8; 32] = std::array::from_fn(|i| 0xf0 | i as u8);
    let mut inputs = vec![Fr::from(7), Fr::from(3)];
    inputs.extend(muster_circuits::Message::from(digest).public_inputs());
    let proof = [0xab; 64];
    let calldata = Calldata::of(&inputs, &proof);
    let number = |number: u8| [vec![0; 31], vec![number]].concat();
    let half = |half: &[u8]| [vec![0; 16], half.to_vec()].concat();
    let statement = [number(7), number(3)].concat();
    let halves = [half(&digest[..16]), half(&digest[16..])].concat();
    assert_eq!(calldata.verifier(), [&statement[..], &halves, &proof].concat());
    let values = [&statement[..], &digest].concat();
    let contains = |call: Vec<u8>| call.windows(values.len()).any(|part| part == values);
    assert!(contains(calldata.verify()) && contains(calldata.verify_proof([1; 32])));
    // Halves of more than 16 bytes are no digest.
    inputs[2] = -Fr::one();
    let claimed = |inputs: &[Fr]| Calldata::claimed(inputs, &proof).err();
    assert_eq!(claimed(&inputs), Some(BridgeFault::NoMessage));
    assert_eq!(claimed(&inputs[..1]), Some(BridgeFault::NoMessage));
}
