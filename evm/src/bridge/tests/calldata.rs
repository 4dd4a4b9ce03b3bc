//! Calldata: the contracts' vectors, which `cast calldata` computed and solc confirms.

use alloy_primitives::keccak256;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    encoding::{field_from_hex, from_hex, from_hex_exact},
    MessageForm, PlainBytes, Request, Scheme, Shape, SignedBytes, SignerMask, Statement,
};
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

/// The shape of the vectors' proofs, and of others of that scheme.
fn shape(request: Request) -> Shape {
    Shape::fit(&request).unwrap()
}

/// Calldata of the public inputs and the proof of the vectors.
fn brought(vector: &Value) -> Calldata {
    let inputs: Vec<_> = vector["publicInputs"].as_array().unwrap().iter().map(field).collect();
    let shape = shape(Request::new(Scheme::Schnorr, 3, 2));
    Calldata::claimed(&shape, &inputs, &bytes(&vector["proof"])).unwrap()
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

/// Of a message that is public itself wrappers take the words that generated verifiers take, or the bytes.
#[test]
fn bytes_are_three_words_or_themselves() {
    let message: Vec<u8> = (0..41).map(|i| 0xff - i).collect();
    let plain = PlainBytes::new(&SignedBytes::new(&message)).unwrap();
    let mut inputs = vec![Fr::from(7), Fr::from(3)];
    inputs.extend(plain.public_inputs());
    let proof = [0xab; 64];
    let message_form = Some(MessageForm::Bytes { most: 41 });
    let request = Request { message: message_form, ..Request::new(Scheme::Ed25519, 3, 2) };
    let shape = shape(request);
    let calldata = Calldata::claimed(&shape, &inputs, &proof).unwrap();
    let word = |bytes: &[u8]| [vec![0; 32 - bytes.len()], bytes.to_vec()].concat();
    let second = [&message[24..], &[0; 7]].concat();
    let words = [word(&[7]), word(&[3]), word(&message[..24]), word(&second), word(&[41])].concat();
    assert_eq!(calldata.verifier(), [&words[..], &proof].concat());
    let contains = |call: &[u8], part: &[u8]| call.windows(part.len()).any(|found| found == part);
    let five = [word(&[5]), words.clone()].concat();
    assert!(contains(&calldata.verify(), &five));
    let values = [word(&[160]), words].concat();
    assert!(contains(&calldata.verify_proof([1; 32]), &values));
    // Selector, places of proof and message, the proof, and the message with zeros behind it.
    let selector = keccak256("verifyMessage(bytes,uint256,uint256,bytes)");
    let expected = [
        selector[..4].to_vec(),
        word(&[0x80]),
        word(&[7]),
        word(&[3]),
        word(&[0xe0]),
        word(&[64]),
        proof.to_vec(),
        word(&[41]),
        message.clone(),
        vec![0; 23],
    ];
    assert_eq!(calldata.verify_message(), Some(expected.concat()));
    // Bytes behind the message, and a message of another kind.
    inputs[3] += Fr::one();
    assert_eq!(Calldata::claimed(&shape, &inputs, &proof).err(), Some(BridgeFault::NoMessage));
    assert_eq!(Calldata::of(&inputs[..3], &proof).verify_message(), None);
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
    let shape = shape(Request::new(Scheme::EcdsaSecp256k1, 3, 2));
    let claimed = |inputs: &[Fr]| Calldata::claimed(&shape, inputs, &proof).err();
    assert_eq!(claimed(&inputs), Some(BridgeFault::NoMessage));
    assert_eq!(claimed(&inputs[..1]), Some(BridgeFault::NoMessage));
}

/// Who signed stands behind the message, which is one word all the same if it is a digest.
#[test]
fn words_of_a_mask_stand_behind_the_message() {
    let digest = [0xf0; 32];
    let signers = SignerMask::new(500, [0, 247, 248, 499]).unwrap();
    let (key_set_root, threshold) = (Fr::from(7), 3);
    let message = muster_circuits::Message::from(digest);
    let statement = Statement { key_set_root, threshold, message, signers: Some(signers) };
    let proof = [0xab; 64];
    let calldata = Calldata::new(&statement, &proof);
    let number = |number: u8| [vec![0; 31], vec![number]].concat();
    // Bits 0 and 247 of the first word, 0 of the second, and 3 of the third.
    let first = [&[0, 0x80][..], &[0; 29], &[1]].concat();
    let mask = [first, number(1), number(8)].concat();
    let values = [number(7), number(3), digest.to_vec(), mask.clone()].concat();
    let contains = |call: Vec<u8>| call.windows(values.len()).any(|part| part == values);
    assert!(contains(calldata.verify()) && contains(calldata.verify_proof([1; 32])));
    let halves = [[0; 16], [0xf0; 16], [0; 16], [0xf0; 16]].concat();
    let inputs = [number(7), number(3), halves, mask].concat();
    assert_eq!(calldata.verifier(), [&inputs[..], &proof].concat());
    // The same by what somebody claims, but not with a word more or fewer.
    let request = Request { mask: true, ..Request::new(Scheme::EcdsaSecp256k1, 500, 2) };
    let shape = shape(request);
    let inputs = statement.public_inputs();
    let claimed = |inputs: &[Fr]| Calldata::claimed(&shape, inputs, &proof);
    assert_eq!(claimed(&inputs).unwrap().verify(), calldata.verify());
    let more = [&inputs[..], &[Fr::zero()]].concat();
    for inputs in [&inputs[..6], &more] {
        assert_eq!(claimed(inputs).err(), Some(BridgeFault::NoMessage));
    }
}
