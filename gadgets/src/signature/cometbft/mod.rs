//! CometBFT's precommits: what a validator signs, natively and in circuit.

#[cfg(feature = "circuit")]
pub mod chip;
mod encoding;
mod error;
mod json;
mod precommit;
mod rfc3339;
mod time;
mod wire;

#[cfg(test)]
mod tests;

pub use encoding::{ENCODED, TAG};
pub use error::{PrecommitError, MAX_CHAIN_ID};
pub use precommit::{BlockId, ChainId, Height, PartSet, Precommit, Round};
pub use time::{TimedSignature, Timestamp, SIGNATURE, TIMED_SIGNATURE};
