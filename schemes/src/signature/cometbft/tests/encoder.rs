//! The canonical votes of CometBFT, `proto/tendermint/types/canonical.proto`, and what it hashes, by another encoder.

// The tests of the schemes and those of the gadgets each take a part of it.
#![allow(dead_code)]

use prost::Message;

use muster_schemes::hash::sha256::sha256;
use muster_schemes::signature::cometbft::{Precommit, Timestamp};

#[derive(Clone, PartialEq, Message)]
pub(super) struct CanonicalVote {
    #[prost(int32, tag = "1")]
    pub(super) kind: i32,
    #[prost(sfixed64, tag = "2")]
    pub(super) height: i64,
    #[prost(sfixed64, tag = "3")]
    pub(super) round: i64,
    #[prost(message, optional, tag = "4")]
    pub(super) block_id: Option<CanonicalBlockId>,
    #[prost(message, optional, tag = "5")]
    pub(super) timestamp: Option<Time>,
    #[prost(string, tag = "6")]
    pub(super) chain_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CanonicalBlockId {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) hash: Vec<u8>,
    #[prost(message, optional, tag = "2")]
    pub(super) part_set_header: Option<CanonicalPartSetHeader>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CanonicalPartSetHeader {
    #[prost(uint32, tag = "1")]
    pub(super) total: u32,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) hash: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Time {
    #[prost(int64, tag = "1")]
    pub(super) seconds: i64,
    #[prost(int32, tag = "2")]
    pub(super) nanos: i32,
}

/// `CanonicalProposal`: what a proposer signs.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CanonicalProposal {
    #[prost(int32, tag = "1")]
    pub(super) kind: i32,
    #[prost(sfixed64, tag = "2")]
    pub(super) height: i64,
    #[prost(sfixed64, tag = "3")]
    pub(super) round: i64,
    #[prost(int64, tag = "4")]
    pub(super) pol_round: i64,
    #[prost(message, optional, tag = "5")]
    pub(super) block_id: Option<CanonicalBlockId>,
    #[prost(message, optional, tag = "6")]
    pub(super) timestamp: Option<Time>,
    #[prost(string, tag = "7")]
    pub(super) chain_id: String,
}

/// `version.Consensus`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Consensus {
    #[prost(uint64, tag = "1")]
    pub(super) block: u64,
    #[prost(uint64, tag = "2")]
    pub(super) app: u64,
}

/// `types.BlockID`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct BlockId {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) hash: Vec<u8>,
    #[prost(message, optional, tag = "2")]
    pub(super) part_set_header: Option<CanonicalPartSetHeader>,
}

/// `types.SimpleValidator`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Validator {
    #[prost(message, optional, tag = "1")]
    pub(super) pub_key: Option<PublicKey>,
    #[prost(int64, tag = "2")]
    pub(super) voting_power: i64,
}

/// `crypto.PublicKey`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct PublicKey {
    #[prost(oneof = "Sum", tags = "1, 2, 3")]
    pub(super) sum: Option<Sum>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum Sum {
    #[prost(bytes = "vec", tag = "1")]
    Ed25519(Vec<u8>),
    #[prost(bytes = "vec", tag = "2")]
    Secp256k1(Vec<u8>),
    #[prost(bytes = "vec", tag = "3")]
    Bls12381(Vec<u8>),
}

pub(super) const PREVOTE: i32 = 1;
pub(super) const PRECOMMIT: i32 = 2;
pub(super) const PROPOSAL: i32 = 32;

/// The canonical vote of a precommit.
pub(super) fn vote(precommit: &Precommit, time: &Timestamp) -> CanonicalVote {
    let parts = &precommit.block_id.parts;
    let part_set_header =
        CanonicalPartSetHeader { total: parts.total.get(), hash: parts.hash.to_vec() };
    let hash = precommit.block_id.hash.to_vec();
    CanonicalVote {
        kind: PRECOMMIT,
        height: precommit.height.get() as i64,
        round: precommit.round.get().into(),
        block_id: Some(CanonicalBlockId { hash, part_set_header: Some(part_set_header) }),
        timestamp: Some(Time { seconds: time.seconds(), nanos: time.nanos() as i32 }),
        chain_id: precommit.chain_id.to_string(),
    }
}

/// The proposal of what a vote is for.
pub(super) fn proposal(vote: CanonicalVote) -> CanonicalProposal {
    let CanonicalVote { height, round, block_id, timestamp, chain_id, .. } = vote;
    CanonicalProposal {
        kind: PROPOSAL,
        height,
        round,
        pol_round: -1,
        block_id,
        timestamp,
        chain_id,
    }
}

/// The Merkle root of RFC 6962, section 2.1, level by level: a node without a neighbour rises as it is.
pub(super) fn hash_of_leaves(leaves: &[Vec<u8>]) -> [u8; 32] {
    let leaf = |leaf: &Vec<u8>| sha256(&[&[0], &leaf[..]].concat());
    let mut level: Vec<_> = leaves.iter().map(leaf).collect();
    while level.len() > 1 {
        let node = |pair: &[[u8; 32]]| match pair {
            [left, right] => sha256(&[&[1], &left[..], right].concat()),
            _ => pair[0],
        };
        level = level.chunks(2).map(node).collect();
    }
    level.first().copied().unwrap_or_else(|| sha256(&[]))
}
