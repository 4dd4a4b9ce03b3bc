//! Calldata, against words that are put together here.

use alloy_primitives::keccak256;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use crate::{
    bridge::{
        accept, propose, submit, submit_batch, submit_from_batch, BatchRoot, Committee, Epoch,
        Form, Message, Sequence, ValidUntil,
    },
    verifier::{register, verify, verify_proof, KeyName},
};

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

#[test]
fn the_clients_functions() {
    let (epoch, until) = (Epoch::new(7).unwrap(), ValidUntil::from_seconds(1_800_000_000));
    let message = Message { nonce: u64::MAX, payload: b"muster".to_vec() };
    let tuple = [&number(u64::MAX)[..], &number(64), &bytes(b"muster")].concat();
    let root = BatchRoot(HASH);
    let times = [number(7), number(1_800_000_000)];

    let heads = [number(0x80), times[0], times[1], number(0x80 + tuple.len() as u64)];
    let call = submit(&message, epoch, until, &PROOF);
    let tail = [&tuple[..], &bytes(&PROOF)].concat();
    check(&call, "submit((uint64,bytes),uint64,uint64,bytes)", &heads, &tail);

    let heads = [HASH, times[0], times[1], number(0x80)];
    let call = submit_batch(&root, epoch, until, &PROOF);
    check(&call, "submitBatch(bytes32,uint64,uint64,bytes)", &heads, &bytes(&PROOF));

    let heads = [number(0x60), HASH, number(0x60 + tuple.len() as u64)];
    let call = submit_from_batch(&message, &root, &[[1; 32], [2; 32]]);
    let tail = [&tuple[..], &number(2), &[1; 32], &[2; 32]].concat();
    check(&call, "submitFromBatch((uint64,bytes),bytes32,bytes32[])", &heads, &tail);

    let next = Committee::new(KeyName(HASH), Fr::from(5), 11, Form::Digest).unwrap();
    let sequence = Sequence::new(4).unwrap();
    let committee = [HASH, number(5), number(11), number(1)];
    let heads = [&committee[..], &[number(4), times[1], number(7 * 32)]].concat();
    let call = propose(&next, sequence, until, &PROOF);
    let signature = "propose((bytes32,uint256,uint64,uint8),uint64,uint64,bytes)";
    check(&call, signature, &heads, &bytes(&PROOF));

    let call = accept(until, &PROOF);
    check(&call, "accept(uint64,bytes)", &[times[1], number(64)], &bytes(&PROOF));
}
