//! CometBFT's precommits: what a validator signs; and the hashes that a block is named by.
//!
//! ```
//! use muster_schemes::signature::cometbft::{
//!     BlockId, ChainId, Height, PartSet, Precommit, Round, Timestamp,
//! };
//! # use muster_schemes::signature::cometbft::PrecommitError;
//!
//! let precommit = Precommit {
//!     height: Height::new(20_082_941)?,
//!     round: Round::new(0)?,
//!     block_id: BlockId { hash: [1; 32], parts: PartSet::new(1, [2; 32])? },
//!     chain_id: ChainId::new("cosmoshub-4")?,
//! };
//! // Each validator signs it with a time of its own.
//! let early: Timestamp = "2024-05-06T07:34:41Z".parse()?;
//! let late: Timestamp = "2024-05-06T07:34:41.5Z".parse()?;
//! assert_ne!(precommit.signed_bytes(&early), precommit.signed_bytes(&late));
//!
//! // What is public is the SHA-256 of an encoding without times.
//! assert_eq!(Precommit::decode(&precommit.encode())?, precommit);
//! # Ok::<(), PrecommitError>(())
//! ```

mod encoding;
mod error;
mod header;
mod json;
mod merkle;
mod precommit;
mod time;
pub mod wire;

#[cfg(test)]
#[path = "tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use encoding::{ENCODED, TAG};
pub use error::{PrecommitError, MAX_CHAIN_ID};
pub use header::Header;
pub use merkle::{validators_hash, validators_root, KeyType, SimpleValidator};
pub use precommit::{BlockId, ChainId, Height, PartSet, Precommit, Round};
pub use time::{TimedSignature, Timestamp, SECOND, SIGNATURE, TIMED_SIGNATURE};
