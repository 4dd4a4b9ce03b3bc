//! Calldata for the contracts.

use alloy_primitives::{Bytes, B256};
use alloy_sol_types::SolCall;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{Message, PlainBytes, Shape, Statement, KEY_SET_ROOT, MESSAGE, THRESHOLD};

use super::{digest::word, BatchRoot, BridgeFault, KeySet};

/// The functions, as `contracts/src` declares them.
#[allow(missing_docs)]
mod abi {
    alloy_sol_types::sol! {
        struct Message {
            uint64 nonce;
            bytes payload;
        }

        function verify(bytes proof, uint256[] publicInputs);
        function verifyProof(bytes32 verifierHash, bytes publicValues, bytes proofBytes);
        function verifyMessage(bytes proof, uint256 keySetRoot, uint256 threshold, bytes message);
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

/// A proof on its way to a contract.
#[derive(Clone, Debug)]
pub struct Calldata {
    /// As generated verifiers take them.
    public_inputs: Vec<B256>,
    /// As wrappers take them: a digest is one word.
    public_values: Vec<B256>,
    /// The message, if its bytes are public and no public input follows them.
    plain: Option<PlainBytes>,
    proof: Vec<u8>,
}

impl Calldata {
    /// Calldata that brings the bytes of a proof of `statement`, which must be in halo2's format:
    /// contracts verify no other.
    pub fn new(statement: &Statement, proof: &[u8]) -> Self {
        let inputs = statement.public_inputs();
        Self::with_message(&inputs, statement.message.public_inputs().len(), proof)
    }

    /// The same for public inputs that somebody claims, under a key of this shape. Contracts compare them with what they
    /// expect.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::NoMessage`] for public inputs that belong to no statement of the shape.
    pub fn claimed(shape: &Shape, public_inputs: &[Fr], proof: &[u8]) -> Result<Self, BridgeFault> {
        let inputs = shape.public_message().inputs();
        let has_message = message(public_inputs, inputs).is_some();
        if !has_message || public_inputs.len() != shape.public_inputs() {
            return Err(BridgeFault::NoMessage);
        }
        Ok(Self::with_message(public_inputs, inputs, proof))
    }

    /// The same for any public inputs that do not say who signed: those of no statement are passed on as they are.
    #[cfg(test)]
    pub(crate) fn of(public_inputs: &[Fr], proof: &[u8]) -> Self {
        Self::with_message(public_inputs, public_inputs.len().saturating_sub(MESSAGE), proof)
    }

    /// The same, where `inputs` of the public inputs are the message.
    fn with_message(public_inputs: &[Fr], inputs: usize, proof: &[u8]) -> Self {
        let words: Vec<_> = public_inputs.iter().map(word).collect();
        let end = MESSAGE + inputs;
        let (digest, plain) = match message(public_inputs, inputs) {
            Some(Message::Digest(digest)) => (Some(digest.into()), None),
            Some(Message::Plain(plain)) => (None, Some(plain).filter(|_| end == words.len())),
            Some(Message::Field(_) | Message::Bytes(_) | Message::Point(_)) | None => (None, None),
        };
        let one_word = |digest| [&words[..MESSAGE], &[digest], &words[end..]].concat();
        let public_values = digest.map_or_else(|| words.clone(), one_word);
        Self { public_inputs: words, public_values, plain, proof: proof.to_vec() }
    }

    /// What a generated verifier takes: the public inputs as words, then the proof. No selector.
    pub fn verifier(&self) -> Vec<u8> {
        [self.public_inputs.concat(), self.proof.clone()].concat()
    }

    /// `MusterVerifier.verify(bytes,uint256[])`.
    pub fn verify(&self) -> Vec<u8> {
        let inputs = self.public_values.iter().map(|&input| input.into()).collect();
        abi::verifyCall { proof: self.bytes(), publicInputs: inputs }.abi_encode()
    }

    /// `MusterVerifier.verifyProof(bytes32,bytes,bytes)`, with the intended `VERIFIER_HASH`.
    pub fn verify_proof(&self, verifier_hash: [u8; 32]) -> Vec<u8> {
        abi::verifyProofCall {
            verifierHash: verifier_hash.into(),
            publicValues: self.public_values.concat().into(),
            proofBytes: self.bytes(),
        }
        .abi_encode()
    }

    /// The same function of the one contract for all keys of the format `compact`: with the name of the EVM key, the public inputs as they are, and a
    /// proof with its points in the long encoding.
    pub fn verify_compact(name: [u8; 32], public_inputs: &[Fr], proof: Vec<u8>) -> Vec<u8> {
        let words: Vec<_> = public_inputs.iter().map(word).collect();
        let (public, proof) = (words.concat().into(), proof.into());
        abi::verifyProofCall { verifierHash: name.into(), publicValues: public, proofBytes: proof }
            .abi_encode()
    }

    /// `MusterBytesVerifier.verifyMessage(bytes,uint256,uint256,bytes)`; `None` if the message itself is not public, or
    /// if who signed is public, too.
    pub fn verify_message(&self) -> Option<Vec<u8>> {
        let message = self.plain.as_ref()?.bytes().to_vec().into();
        let call = abi::verifyMessageCall {
            proof: self.bytes(),
            keySetRoot: self.public_inputs[KEY_SET_ROOT].into(),
            threshold: self.public_inputs[THRESHOLD].into(),
            message,
        };
        Some(call.abi_encode())
    }

    /// `MultisigLightClient.submit((uint64,bytes),bytes)`.
    pub fn submit(&self, message: &super::Message) -> Vec<u8> {
        abi::submitCall { message: message.into(), proof: self.bytes() }.abi_encode()
    }

    /// `MultisigLightClient.submitBatch(bytes32,bytes)`.
    pub fn submit_batch(&self, root: &BatchRoot) -> Vec<u8> {
        abi::submitBatchCall { batchRoot: root.0.into(), proof: self.bytes() }.abi_encode()
    }

    /// `MultisigLightClient.rotate(uint256,uint64,uint64,uint64,bytes)`.
    pub fn rotate(&self, next: &KeySet) -> Vec<u8> {
        abi::rotateCall {
            newRoot: word(next.root()).into(),
            newThreshold: next.threshold(),
            newTotalWeight: next.total_weight(),
            newEpoch: next.epoch().number(),
            proof: self.bytes(),
        }
        .abi_encode()
    }

    fn bytes(&self) -> Bytes {
        self.proof.clone().into()
    }
}

/// The message among public inputs, which takes `inputs` of them.
fn message(public_inputs: &[Fr], inputs: usize) -> Option<Message> {
    public_inputs.get(MESSAGE..MESSAGE + inputs).and_then(Message::from_public_inputs)
}

/// `MultisigLightClient.submitFromBatch((uint64,bytes),bytes32,bytes32[])`. It needs no proof: the
/// batch was accepted with one.
pub fn submit_from_batch(message: &super::Message, root: &BatchRoot, path: &[[u8; 32]]) -> Vec<u8> {
    let path = path.iter().map(|&sibling| sibling.into()).collect();
    abi::submitFromBatchCall { message: message.into(), batchRoot: root.0.into(), path }
        .abi_encode()
}

impl From<&super::Message> for abi::Message {
    fn from(message: &super::Message) -> Self {
        Self { nonce: message.nonce, payload: message.payload.clone().into() }
    }
}
