//! Short messages that are public themselves, not by a digest.

#[cfg(feature = "circuit")]
pub mod chip;
mod native;

#[cfg(all(test, feature = "circuit"))]
mod tests;

pub use native::{PlainBytes, MAX_PLAIN_BYTES, PLAIN_INPUTS};
