//! What can be wrong with a precommit.

use thiserror::Error;

/// The most bytes of a chain's name, `MaxChainIDLen` of CometBFT's `types/genesis.go`.
pub const MAX_CHAIN_ID: usize = 50;

/// What is wrong with a precommit, a time or a signature.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrecommitError {
    /// The bytes are too few or too many.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Bytes in the encoding.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The height is out of range.
    #[error("height: {0} is not between 1 and 2^63 - 1")]
    Height(u64),
    /// The round is out of range.
    #[error("round: {0} is not between 0 and 2^31 - 1")]
    Round(u64),
    /// The number of parts is out of range.
    #[error("block_id.parts.total: {0} is not between 1 and 2^32 - 1")]
    Total(u64),
    /// The field is not a hash of 32 bytes in hex.
    #[error("{0}: not 32 bytes in hex")]
    Hash(&'static str),
    /// The encoding is of something else.
    #[error("the encoding does not have the tag of precommits")]
    Tag,
    /// The chain's name is too short or too long.
    #[error("chain_id: {0} bytes, not 1 to {MAX_CHAIN_ID}")]
    ChainIdLength(usize),
    /// Something follows the chain's name.
    #[error("chain_id: it is followed by bytes other than 0")]
    ChainIdPadding,
    /// The chain's name is not UTF-8.
    #[error("chain_id: not UTF-8")]
    ChainIdText,
    /// The text is not a time.
    #[error("{0:?} is not a time in UTC such as 2023-11-02T13:14:15.123456789Z")]
    Time(String),
    /// The nanoseconds make up a second or more.
    #[error("nanos: {0} is not below 1,000,000,000")]
    Nanos(u32),
}
