//! Calldata for the light client. Points of a proof are in the long encoding.

use alloy_sol_types::SolCall;

use super::{BatchRoot, KeySet, Message};
use crate::words::word;

/// The functions, as the contract declares them.
#[allow(missing_docs)]
mod abi {
    alloy_sol_types::sol! {
        struct Message {
            uint64 nonce;
            bytes payload;
        }

        function submit(Message message, bytes proof);
        function submitBatch(bytes32 batchRoot, bytes proof);
        function submitFromBatch(Message message, bytes32 batchRoot, bytes32[] path);
        function rotate(
            uint256 newRoot,
            uint64 newThreshold,
            uint64 newTotalWeight,
            uint64 newEpoch,
            bytes proof
        );
    }
}

/// `submit((uint64,bytes),bytes)`.
pub fn submit(message: &Message, proof: &[u8]) -> Vec<u8> {
    abi::submitCall { message: message.into(), proof: proof.to_vec().into() }.abi_encode()
}

/// `submitBatch(bytes32,bytes)`.
pub fn submit_batch(root: &BatchRoot, proof: &[u8]) -> Vec<u8> {
    abi::submitBatchCall { batchRoot: root.0.into(), proof: proof.to_vec().into() }.abi_encode()
}

/// `submitFromBatch((uint64,bytes),bytes32,bytes32[])`. It needs no proof: the batch was accepted
/// with one.
pub fn submit_from_batch(message: &Message, root: &BatchRoot, path: &[[u8; 32]]) -> Vec<u8> {
    let path = path.iter().map(|&sibling| sibling.into()).collect();
    abi::submitFromBatchCall { message: message.into(), batchRoot: root.0.into(), path }
        .abi_encode()
}

/// `rotate(uint256,uint64,uint64,uint64,bytes)`.
pub fn rotate(next: &KeySet, proof: &[u8]) -> Vec<u8> {
    abi::rotateCall {
        newRoot: word(next.root()).into(),
        newThreshold: next.threshold(),
        newTotalWeight: next.total_weight(),
        newEpoch: next.epoch().number(),
        proof: proof.to_vec().into(),
    }
    .abi_encode()
}

impl From<&Message> for abi::Message {
    fn from(message: &Message) -> Self {
        Self { nonce: message.nonce, payload: message.payload.clone().into() }
    }
}
