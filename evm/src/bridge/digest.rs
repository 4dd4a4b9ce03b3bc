//! Identities and digests.

use alloy_primitives::{keccak256, B256};
use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};
use muster_circuits::encoding::to_hex;

use super::{
    committee::Form,
    types::{BatchRoot, ChainId, Client, Epoch, MessageId, ValidUntil},
};
use crate::{
    verifier::KeyName,
    words::{number, word},
};

const MESSAGE_ID_TAG: &str = "muster/message-id/v2";
const MESSAGE_TAG: &str = "muster/message/v2";
const BATCH_TAG: &str = "muster/batch/v2";

/// The bits kept of a hash's first byte: 2^253 is below the order of the scalar field, so that every
/// digest is a canonical element.
const LOW_253_BITS: u8 = 0x1f;

/// Who signs for whom: everything that a signature is bound to besides its content and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Chain that the messages come from.
    pub source_chain: ChainId,
    /// Chain of the light client.
    pub destination_chain: ChainId,
    /// The light client.
    pub client: Client,
    /// Epoch of the committee that signs.
    pub epoch: Epoch,
    /// Key that proofs of the committee that signs are verified under.
    pub key: KeyName,
    /// Key-set root of the committee that signs.
    pub root: Fr,
}

/// A message from the source chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Number that the source chain gives the message.
    pub nonce: u64,
    /// Its content.
    pub payload: Vec<u8>,
}

/// What is signed: 32 bytes that are a field element, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// In `0x` hex, as signers of either form are given it.
    pub fn to_hex(&self) -> String {
        to_hex(&self.0)
    }

    /// The message of a statement about it.
    pub fn message(&self, form: Form) -> muster_circuits::Message {
        match form {
            Form::Element => {
                let mut bytes = self.0;
                bytes.reverse();
                let element: Option<Fr> = Fr::from_repr(bytes).into();
                element.expect("2^253 is below the modulus").into()
            }
            Form::Digest => self.0.into(),
        }
    }
}

impl Scope {
    /// The identity of a message. It does not depend on the committee.
    pub fn message_id(&self, message: &Message) -> MessageId {
        let words = [
            keccak256(MESSAGE_ID_TAG),
            self.source_chain.word(),
            self.destination_chain.word(),
            self.client.word(),
            number(message.nonce),
            keccak256(&message.payload),
        ];
        MessageId(keccak256(words.concat()).0)
    }

    /// What is signed for one message.
    pub fn message_digest(&self, message: &Message, valid_until: ValidUntil) -> Digest {
        self.signed(MESSAGE_TAG, valid_until, self.message_id(message).0)
    }

    /// What is signed for a batch.
    pub fn batch_digest(&self, root: &BatchRoot, valid_until: ValidUntil) -> Digest {
        self.signed(BATCH_TAG, valid_until, root.0)
    }

    pub(super) fn signed(&self, tag: &str, valid_until: ValidUntil, body: [u8; 32]) -> Digest {
        let words = [
            keccak256(tag),
            self.source_chain.word(),
            self.destination_chain.word(),
            self.client.word(),
            number(self.epoch.number()),
            self.key.word(),
            word(&self.root),
            number(valid_until.seconds()),
            B256::from(body),
        ];
        let mut digest = keccak256(words.concat()).0;
        digest[0] &= LOW_253_BITS;
        Digest(digest)
    }
}
