//! The canonical votes of CometBFT, `proto/tendermint/types/canonical.proto`, by another encoder.

use prost::Message;

use super::super::{Precommit, Timestamp};

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
