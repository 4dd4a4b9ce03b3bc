//! What signers of a message sign, natively and in circuit.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context, QuantumCell::Existing,
};

use crate::{
    gate::{vertical, Chips},
    hash::{
        padding::{Message, HALF},
        sha256::{self, Midstate},
    },
    signature::{
        cometbft::{
            chip::{SharedVote, HALVES},
            Precommit, Timestamp,
        },
        MessageForm, SignedBytes,
    },
};

/// The bytes that a signer signs.
pub(super) struct Signed;

impl Signed {
    /// Of bytes that are no encoding of a precommit nothing is signed: they are refused before.
    pub(super) fn of(form: MessageForm, message: &SignedBytes, time: &Timestamp) -> Vec<u8> {
        match form {
            MessageForm::Public | MessageForm::Sha256 { .. } => message.bytes().to_vec(),
            MessageForm::CometbftPrecommit => Precommit::decode(message.bytes())
                .map_or_else(|_| vec![], |precommit| precommit.signed_bytes(time)),
        }
    }
}

/// A message whose SHA-256 is public.
#[derive(Clone, Debug)]
pub enum AssignedMessage {
    /// All signers sign these bytes.
    Bytes {
        /// 16 bytes each.
        halves: Vec<AssignedValue<Fr>>,
        /// In bytes.
        length: AssignedValue<Fr>,
        /// The most bytes.
        most: usize,
    },
    /// Each signs a precommit with a time of its own.
    Precommit(SharedVote),
}
