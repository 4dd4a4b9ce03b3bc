//! CometBFT's precommits: what a validator signs; and the hashes that a block is named by.

mod encoding;
mod error;
mod header;
mod json;
mod merkle;
mod precommit;
mod rfc3339;
mod time;
pub mod wire;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use encoding::{ENCODED, TAG};
pub use error::{PrecommitError, MAX_CHAIN_ID};
pub use header::Header;
pub use merkle::{validators_hash, KeyType, SimpleValidator};
pub use precommit::{BlockId, ChainId, Height, PartSet, Precommit, Round};
pub use time::{TimedSignature, Timestamp, SECOND, SIGNATURE, TIMED_SIGNATURE};
