//! Calldata for the light client. Points of a proof are in the long encoding.

use alloy_sol_types::SolCall;

use super::{
    committee::Committee,
    digest::Message,
    types::{BatchRoot, Epoch, Sequence, ValidUntil},
};
use crate::words::word;

/// The functions, as the contract declares them.
#[allow(missing_docs)]
mod abi {
    alloy_sol_types::sol! {
        struct Message {
            uint64 nonce;
            bytes payload;
        }

        struct Committee {
            bytes32 key;
            uint256 root;
            uint64 threshold;
            uint8 form;
        }

        function submit(Message message, uint64 epoch, uint64 validUntil, bytes proof);
        function submitBatch(bytes32 batchRoot, uint64 epoch, uint64 validUntil, bytes proof);
        function submitFromBatch(Message message, bytes32 batchRoot, bytes32[] path);
        function propose(Committee next, uint64 sequence, uint64 validUntil, bytes proof);
        function accept(uint64 validUntil, bytes proof);
    }
}

/// `submit((uint64,bytes),uint64,uint64,bytes)`, with the epoch of the committee that signed.
pub fn submit(message: &Message, epoch: Epoch, valid_until: ValidUntil, proof: &[u8]) -> Vec<u8> {
    let (epoch, valid_until) = (epoch.number(), valid_until.seconds());
    let (message, proof) = (message.into(), proof.to_vec().into());
    abi::submitCall { message, epoch, validUntil: valid_until, proof }.abi_encode()
}

/// `submitBatch(bytes32,uint64,uint64,bytes)`, with the epoch of the committee that signed.
pub fn submit_batch(
    root: &BatchRoot,
    epoch: Epoch,
    valid_until: ValidUntil,
    proof: &[u8],
) -> Vec<u8> {
    abi::submitBatchCall {
        batchRoot: root.0.into(),
        epoch: epoch.number(),
        validUntil: valid_until.seconds(),
        proof: proof.to_vec().into(),
    }
    .abi_encode()
}

/// `submitFromBatch((uint64,bytes),bytes32,bytes32[])`. It needs no proof: the batch was accepted with one.
pub fn submit_from_batch(message: &Message, root: &BatchRoot, path: &[[u8; 32]]) -> Vec<u8> {
    let path = path.iter().map(|&sibling| sibling.into()).collect();
    abi::submitFromBatchCall { message: message.into(), batchRoot: root.0.into(), path }
        .abi_encode()
}

/// `propose((bytes32,uint256,uint64,uint8),uint64,uint64,bytes)`, with a proof of the committee in office.
pub fn propose(
    next: &Committee,
    sequence: Sequence,
    valid_until: ValidUntil,
    proof: &[u8],
) -> Vec<u8> {
    abi::proposeCall {
        next: next.into(),
        sequence: sequence.number(),
        validUntil: valid_until.seconds(),
        proof: proof.to_vec().into(),
    }
    .abi_encode()
}

/// `accept(uint64,bytes)`, with a proof of the next committee.
pub fn accept(valid_until: ValidUntil, proof: &[u8]) -> Vec<u8> {
    abi::acceptCall { validUntil: valid_until.seconds(), proof: proof.to_vec().into() }.abi_encode()
}

impl From<&Message> for abi::Message {
    fn from(message: &Message) -> Self {
        Self { nonce: message.nonce, payload: message.payload.clone().into() }
    }
}

impl From<&Committee> for abi::Committee {
    fn from(committee: &Committee) -> Self {
        Self {
            key: committee.key().word(),
            root: word(committee.root()).into(),
            threshold: committee.threshold(),
            form: committee.form().number(),
        }
    }
}
