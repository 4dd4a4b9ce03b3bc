//! Identities and digests.

use alloy_primitives::{keccak256, B256};
use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};

use super::{BatchRoot, BridgeFault, ChainId, Client, Epoch, MessageId, TOTAL_WEIGHT_BITS};
use crate::words::{number, word};

const MESSAGE_ID_TAG: &str = "muster/message-id/v1";
const MESSAGE_TAG: &str = "muster/message/v1";
const BATCH_TAG: &str = "muster/batch/v1";
const HANDOVER_TAG: &str = "muster/handover/v1";

/// The bits kept of a hash's first byte: 2^253 is below the order of the scalar field, so that every
/// digest is a canonical element.
const LOW_253_BITS: u8 = 0x1f;

/// Who signs for whom: everything that a signature is bound to besides its content.
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
    /// Key-set root of the committee that signs.
    pub key_set_root: Fr,
}

/// A message from the source chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Number that the source chain gives the message.
    pub nonce: u64,
    /// Its content.
    pub payload: Vec<u8>,
}

/// A committee and the epoch that it serves; one that the light client would install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySet {
    root: Fr,
    threshold: u64,
    total_weight: u64,
    epoch: Epoch,
}

impl KeySet {
    /// A committee by its root, threshold, sum of weights and epoch.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::ZeroRoot`], [`BridgeFault::TotalWeight`] and [`BridgeFault::Threshold`]: sets
    /// that could never sign.
    pub fn new(
        root: Fr,
        threshold: u64,
        total_weight: u64,
        epoch: Epoch,
    ) -> Result<Self, BridgeFault> {
        if bool::from(root.is_zero()) {
            return Err(BridgeFault::ZeroRoot);
        }
        if total_weight >> TOTAL_WEIGHT_BITS != 0 {
            return Err(BridgeFault::TotalWeight(total_weight));
        }
        if threshold == 0 || threshold > total_weight {
            return Err(BridgeFault::Threshold { threshold, total_weight });
        }
        Ok(Self { root, threshold, total_weight, epoch })
    }

    /// Root of the tree over its keys and weights.
    pub fn root(&self) -> &Fr {
        &self.root
    }

    /// Least sum of weights that signs.
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// Sum of all weights.
    pub fn total_weight(&self) -> u64 {
        self.total_weight
    }

    /// Epoch that it serves.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }
}

impl Scope {
    /// The identity of a message. It does not depend on epoch or root.
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
    pub fn message_digest(&self, message: &Message) -> Fr {
        self.signed(MESSAGE_TAG, self.message_id(message).0)
    }

    /// What is signed for a batch.
    pub fn batch_digest(&self, root: &BatchRoot) -> Fr {
        self.signed(BATCH_TAG, root.0)
    }

    /// What is signed to hand over to `next`.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::LastEpoch`] and [`BridgeFault::NotNextEpoch`]: the light client would refuse
    /// what was signed.
    pub fn handover_digest(&self, next: &KeySet) -> Result<Fr, BridgeFault> {
        let (expected, found) = (self.epoch.next()?.number(), next.epoch.number());
        if expected != found {
            return Err(BridgeFault::NotNextEpoch { expected, found });
        }
        let words =
            [number(found), word(&next.root), number(next.threshold), number(next.total_weight)];
        Ok(self.signed(HANDOVER_TAG, keccak256(words.concat()).0))
    }

    fn signed(&self, tag: &str, body: [u8; 32]) -> Fr {
        let words = [
            keccak256(tag),
            self.source_chain.word(),
            self.destination_chain.word(),
            self.client.word(),
            number(self.epoch.number()),
            word(&self.key_set_root),
            body.into(),
        ];
        low_253_bits(keccak256(words.concat()))
    }
}

/// A hash as a field element.
fn low_253_bits(hash: B256) -> Fr {
    let mut bytes = hash.0;
    bytes[0] &= LOW_253_BITS;
    bytes.reverse();
    Option::from(Fr::from_repr(bytes)).expect("2^253 is below the modulus")
}
