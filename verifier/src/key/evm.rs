//! What a contract stores of a key of kind `compact`. Section 9 of the specification.

use super::parts::CompactKeyParts;
use crate::{packing::Round, transcript::hash};

const MAGIC: &[u8; 16] = b"muster-evm-key-1";

/// The EVM key: all that verifying a proof of the format `compact` needs of a key, for a contract to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvmKey {
    bytes: Vec<u8>,
    name: [u8; 32],
}

impl EvmKey {
    /// The EVM key of the key with these parts, which has this digest and a decider of `2^k` rows.
    pub(super) fn new(parts: &CompactKeyParts, k: u32, digest: &[u8; 32]) -> Self {
        let packing = &parts.packing;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(k.to_be_bytes());
        let counts = [
            packing.protocol().inputs(),
            packing.count(Round::First),
            packing.count(Round::Second),
        ];
        for count in counts {
            // A packing has checked that it fits.
            bytes.extend((count as u32).to_be_bytes());
        }
        bytes.extend(digest);
        bytes.extend(parts.tau_g2);
        bytes.extend(parts.decider);
        bytes.extend(parts.packs.as_flattened());
        Self { name: hash(&[&bytes]), bytes }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The Keccak-256 of the bytes, which is the name of the key. Who knows it needs no other check of an EVM key.
    pub fn name(&self) -> [u8; 32] {
        self.name
    }
}
