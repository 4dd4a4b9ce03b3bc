//! Calldata of the verifier, against words that are put together here. That of the client is taken by the contract, in `client.rs`.

use alloy_primitives::keccak256;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use crate::verifier::{register, verify, verify_proof, KeyName};

const PROOF: [u8; 64] = [0xab; 64];
const HASH: [u8; 32] = [0xc0; 32];

fn number(number: u64) -> [u8; 32] {
    let mut word = [0; 32];
    word[24..].copy_from_slice(&number.to_be_bytes());
    word
}

/// Bytes behind their length, with zeros up to a whole word.
fn bytes(bytes: &[u8]) -> Vec<u8> {
    let padding = bytes.len().next_multiple_of(32) - bytes.len();
    [&number(bytes.len() as u64)[..], bytes, &vec![0; padding]].concat()
}

fn check(calldata: &[u8], signature: &str, words: &[[u8; 32]], tail: &[u8]) {
    let expected = [&keccak256(signature)[..4], words.as_flattened(), tail].concat();
    assert_eq!(calldata, expected, "{signature}");
}

#[test]
fn the_verifiers_functions() {
    let inputs = [Fr::from(7), Fr::from(3)];
    let (name, words) = (KeyName(HASH), [number(7), number(3)]);
    check(&register(&PROOF), "register(bytes)", &[number(32)], &bytes(&PROOF));
    let tail = [&bytes(words.as_flattened())[..], &bytes(&PROOF)].concat();
    let call = verify_proof(name, &inputs, &PROOF);
    let heads = [HASH, number(0x60), number(0xc0)];
    check(&call, "verifyProof(bytes32,bytes,bytes)", &heads, &tail);
    let tail = [number(2).as_slice(), words.as_flattened(), &bytes(&PROOF)].concat();
    let call = verify(name, &inputs, &PROOF);
    check(&call, "verify(bytes32,uint256[],bytes)", &heads, &tail);
}
