//! CometBFT's precommits: what a validator signs, natively and in circuit; and the hashes that a block is named by.

#[cfg(feature = "circuit")]
pub mod chip;
mod encoding;
mod error;
mod header;
mod json;
mod merkle;
mod precommit;
mod rfc3339;
mod time;
mod wire;

#[cfg(test)]
mod tests;

pub use encoding::{ENCODED, TAG};
pub use error::{PrecommitError, MAX_CHAIN_ID};
pub use header::Header;
pub use merkle::{validators_hash, KeyType, SimpleValidator};
pub use precommit::{BlockId, ChainId, Height, PartSet, Precommit, Round};
pub use time::{TimedSignature, Timestamp, SIGNATURE, TIMED_SIGNATURE};
