//! Protobuf as CometBFT writes it: the tags of `proto/tendermint/types/canonical.proto` and of what is hashed, and varints.
//!
//! A tag is a field's number times 8, plus 0 for a varint, 1 for eight bytes and 2 for bytes with their length. A field that
//! is 0 is left out.

const VARINT: u8 = 0;
const EIGHT_BYTES: u8 = 1;
const DELIMITED: u8 = 2;

/// `CanonicalVote.type`.
pub const TYPE: u8 = 1 << 3 | VARINT;
/// The value of [`TYPE`] for a precommit.
pub const PRECOMMIT: u8 = 2;
/// `CanonicalVote.height`.
pub const HEIGHT: u8 = 2 << 3 | EIGHT_BYTES;
/// `CanonicalVote.round`.
pub const ROUND: u8 = 3 << 3 | EIGHT_BYTES;
/// `CanonicalVote.block_id`.
pub const BLOCK_ID: u8 = 4 << 3 | DELIMITED;
/// `CanonicalVote.timestamp`.
pub const TIMESTAMP: u8 = 5 << 3 | DELIMITED;
/// `CanonicalVote.chain_id`.
pub const CHAIN_ID: u8 = 6 << 3 | DELIMITED;
/// `CanonicalBlockID.hash`.
pub const HASH: u8 = 1 << 3 | DELIMITED;
/// `CanonicalBlockID.part_set_header`.
pub const PARTS: u8 = 2 << 3 | DELIMITED;
/// `CanonicalPartSetHeader.total`.
pub const TOTAL: u8 = 1 << 3 | VARINT;
/// `CanonicalPartSetHeader.hash`.
pub const PARTS_HASH: u8 = 2 << 3 | DELIMITED;
/// `Timestamp.seconds`.
pub const SECONDS: u8 = 1 << 3 | VARINT;
/// `Timestamp.nanos`.
pub const NANOS: u8 = 2 << 3 | VARINT;
/// `Consensus.block` and `Consensus.app`.
pub(super) const BLOCK: u8 = 1 << 3 | VARINT;
pub(super) const APP: u8 = 2 << 3 | VARINT;
/// `Int64Value.value`.
pub(super) const VALUE: u8 = 1 << 3 | VARINT;
/// `StringValue.value` and `BytesValue.value`.
pub(super) const VALUE_OF_BYTES: u8 = 1 << 3 | DELIMITED;
/// `SimpleValidator.pub_key` and `SimpleValidator.voting_power`.
pub(super) const PUB_KEY: u8 = 1 << 3 | DELIMITED;
pub(super) const POWER: u8 = 2 << 3 | VARINT;
/// `PublicKey.ed25519`, `PublicKey.secp256k1` and `PublicKey.bls12381`.
pub(super) const ED25519: u8 = 1 << 3 | DELIMITED;
pub(super) const SECP256K1: u8 = 2 << 3 | DELIMITED;
pub(super) const BLS12_381: u8 = 3 << 3 | DELIMITED;

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = vec![];
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A field of an integer, which is left out if it is 0.
pub(super) fn number(tag: u8, value: u64) -> Vec<u8> {
    match value {
        0 => vec![],
        _ => [vec![tag], varint(value)].concat(),
    }
}

/// A field of eight bytes, little-endian, which is left out if it is 0.
pub(super) fn fixed(tag: u8, value: u64) -> Vec<u8> {
    match value {
        0 => vec![],
        _ => [&[tag][..], &value.to_le_bytes()].concat(),
    }
}

/// A field of bytes with their length.
pub(super) fn bytes(tag: u8, bytes: &[u8]) -> Vec<u8> {
    [&[tag], &delimited(bytes)[..]].concat()
}

/// The same, left out if there are none.
pub(super) fn given(tag: u8, given: &[u8]) -> Vec<u8> {
    match given {
        [] => vec![],
        _ => bytes(tag, given),
    }
}

/// Bytes with their length before them.
pub(super) fn delimited(bytes: &[u8]) -> Vec<u8> {
    [varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// The next bytes of an encoding in which each field has its place.
pub(super) fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (next, after) = rest.split_first_chunk().expect("an encoding has room for its fields");
    *rest = after;
    *next
}
