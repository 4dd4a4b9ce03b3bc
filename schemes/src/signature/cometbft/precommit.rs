//! What the precommits for a block share.

use std::{fmt, num::NonZeroU32};

use rand_core::RngCore;

use super::{
    error::{PrecommitError, MAX_CHAIN_ID},
    time::Timestamp,
    wire,
};

/// A precommit for a block, without what each validator adds: the time, and the signature. Votes for no block (`nil`)
/// share all of it but the block, and have no encoding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Precommit {
    /// Height of the block.
    pub height: Height,
    /// Round of the consensus.
    pub round: Round,
    /// The block.
    pub block_id: BlockId,
    /// The chain.
    pub chain_id: ChainId,
}

/// The name of a block: its hash, and its parts as they were gossiped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    /// Hash of the block's header.
    pub hash: [u8; 32],
    /// The parts.
    pub parts: PartSet,
}

/// The parts of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartSet {
    /// How many there are.
    pub total: NonZeroU32,
    /// Root of their Merkle tree.
    pub hash: [u8; 32],
}

/// A height, from 1 to `2^63 - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Height(u64);

/// A round, from 0 to `2^31 - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round(u32);

/// The name of a chain: a text of 1 to [`MAX_CHAIN_ID`] bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChainId(String);

impl Precommit {
    /// A random one, of a chain named `test`.
    pub fn random(rng: &mut impl RngCore) -> Self {
        let mut hash = || {
            let mut bytes = [0; 32];
            rng.fill_bytes(&mut bytes);
            bytes
        };
        let (hash, parts_hash) = (hash(), hash());
        let parts = PartSet { total: NonZeroU32::MIN, hash: parts_hash };
        Self {
            height: Height(1 + u64::from(rng.next_u32())),
            round: Round(0),
            block_id: BlockId { hash, parts },
            chain_id: ChainId("test".to_owned()),
        }
    }

    /// What a validator that saw the block at `time` signs: the `CanonicalVote` of CometBFT's `types/canonical.go`,
    /// with its length before it. At most 171 bytes.
    pub fn signed_bytes(&self, time: &Timestamp) -> Vec<u8> {
        self.vote(&self.block(), Some(time))
    }

    /// What a validator that saw no block in the same round signs: the same without the block.
    pub fn signed_bytes_for_none(&self, time: &Timestamp) -> Vec<u8> {
        self.vote(&[], Some(time))
    }

    /// What all validators sign whose signatures a commit adds up (`BlockIDFlagAggCommit`): the vote for the block
    /// without a time. At most 158 bytes.
    pub fn signed_bytes_together(&self) -> Vec<u8> {
        self.vote(&self.block(), None)
    }

    /// The same of those that saw no block (`BlockIDFlagAggNil`).
    pub fn signed_bytes_together_for_none(&self) -> Vec<u8> {
        self.vote(&[], None)
    }

    /// The field of the block.
    fn block(&self) -> Vec<u8> {
        let BlockId { hash, parts } = &self.block_id;
        let parts = [
            wire::number(wire::TOTAL, parts.total.get().into()),
            wire::bytes(wire::PARTS_HASH, &parts.hash),
        ];
        let block_id = [wire::bytes(wire::HASH, hash), wire::bytes(wire::PARTS, &parts.concat())];
        wire::bytes(wire::BLOCK_ID, &block_id.concat())
    }

    /// A vote, with the field of the block.
    fn vote(&self, block_id: &[u8], time: Option<&Timestamp>) -> Vec<u8> {
        let vote = [
            wire::number(wire::TYPE, wire::PRECOMMIT.into()),
            wire::fixed(wire::HEIGHT, self.height.0),
            wire::fixed(wire::ROUND, self.round.0.into()),
            block_id.to_vec(),
            time.map_or_else(Vec::new, |time| wire::bytes(wire::TIMESTAMP, &time.encoded())),
            wire::bytes(wire::CHAIN_ID, self.chain_id.0.as_bytes()),
        ];
        wire::delimited(&vote.concat())
    }
}

impl Height {
    /// This height.
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Height`].
    pub fn new(height: u64) -> Result<Self, PrecommitError> {
        let is_height = (1..1 << 63).contains(&height);
        is_height.then_some(Self(height)).ok_or(PrecommitError::Height(height))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl Round {
    /// This round.
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Round`].
    pub fn new(round: u64) -> Result<Self, PrecommitError> {
        let small = u32::try_from(round).ok().filter(|round| round >> 31 == 0);
        small.map(Self).ok_or(PrecommitError::Round(round))
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl ChainId {
    /// This name.
    ///
    /// # Errors
    ///
    /// [`PrecommitError::ChainIdLength`].
    pub fn new(name: impl Into<String>) -> Result<Self, PrecommitError> {
        let name = name.into();
        let is_name = (1..=MAX_CHAIN_ID).contains(&name.len());
        is_name.then_some(()).ok_or(PrecommitError::ChainIdLength(name.len()))?;
        Ok(Self(name))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartSet {
    /// `total` parts with this root.
    ///
    /// # Errors
    ///
    /// [`PrecommitError::Total`].
    pub fn new(total: u64, hash: [u8; 32]) -> Result<Self, PrecommitError> {
        let number = u32::try_from(total).ok().and_then(NonZeroU32::new);
        Ok(Self { total: number.ok_or(PrecommitError::Total(total))?, hash })
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
