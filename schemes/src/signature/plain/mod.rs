//! Short messages that are public themselves, not by a digest.

mod native;

pub use native::{PlainBytes, MAX_PLAIN_BYTES, PLAIN_INPUTS};
