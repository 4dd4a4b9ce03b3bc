//! Ed25519 (RFC 8032, section 5.1, without prehashing), under one of three rules.

pub mod chip;
mod instructions;
mod message;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "../../../../schemes/src/signature/ed25519/vectors.rs"]
pub(crate) mod vectors;

pub use instructions::RawSigned;
pub use message::AssignedMessage;
