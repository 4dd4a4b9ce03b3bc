//! Headers of blocks, whose hash names the block that validators sign.

use serde::Deserialize;

use super::{json, merkle::root, precommit::Height, time::Timestamp, wire};

/// A header as CometBFT's JSON has it. Its hash depends on all of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Header {
    version: Version,
    /// Name of the chain.
    pub chain_id: String,
    /// Height of the block.
    #[serde(deserialize_with = "json::height")]
    pub height: Height,
    #[serde(deserialize_with = "json::time")]
    time: Timestamp,
    last_block_id: LastBlock,
    last_commit_hash: Bytes,
    data_hash: Bytes,
    validators_hash: Bytes,
    next_validators_hash: Bytes,
    consensus_hash: Bytes,
    app_hash: Bytes,
    last_results_hash: Bytes,
    evidence_hash: Bytes,
    proposer_address: Bytes,
}

/// Versions of the block's format and of the application; those that are 0 may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Version {
    #[serde(default, deserialize_with = "json::number")]
    block: u64,
    #[serde(default, deserialize_with = "json::number")]
    app: u64,
}

/// The previous block; its hash and parts are empty for the first block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct LastBlock {
    hash: Bytes,
    parts: LastParts,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct LastParts {
    total: u32,
    hash: Bytes,
}

/// Any number of bytes, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Bytes(#[serde(deserialize_with = "json::hex_bytes")] Vec<u8>);

impl Header {
    /// The hash of the validators that sign the block.
    pub fn validators_hash(&self) -> &[u8] {
        &self.validators_hash.0
    }

    /// `Header.Hash` of CometBFT's `types/block.go`: the root over all fields, each in an encoding of its own.
    pub fn hash(&self) -> [u8; 32] {
        let hashes = [
            &self.last_commit_hash,
            &self.data_hash,
            &self.validators_hash,
            &self.next_validators_hash,
            &self.consensus_hash,
            &self.app_hash,
            &self.last_results_hash,
            &self.evidence_hash,
            &self.proposer_address,
        ];
        let mut fields = vec![
            self.version.encoded(),
            value(self.chain_id.as_bytes()),
            wire::number(wire::VALUE, self.height.get()),
            self.time.encoded(),
            self.last_block_id.encoded(),
        ];
        fields.extend(hashes.map(|Bytes(hash)| value(hash)));
        root(&fields)
    }
}

impl Version {
    /// `Consensus` of `proto/tendermint/version/types.proto`.
    fn encoded(&self) -> Vec<u8> {
        [wire::number(wire::BLOCK, self.block), wire::number(wire::APP, self.app)].concat()
    }
}

impl LastBlock {
    /// `BlockID` of `proto/tendermint/types/types.proto`, in which the parts are never left out.
    fn encoded(&self) -> Vec<u8> {
        let LastParts { total, hash } = &self.parts;
        let total = wire::number(wire::TOTAL, (*total).into());
        let parts = [total, wire::given(wire::PARTS_HASH, &hash.0)].concat();
        [wire::given(wire::HASH, &self.hash.0), wire::bytes(wire::PARTS, &parts)].concat()
    }
}

/// `google.protobuf.BytesValue` or `StringValue`.
fn value(bytes: &[u8]) -> Vec<u8> {
    wire::given(wire::VALUE_OF_BYTES, bytes)
}
