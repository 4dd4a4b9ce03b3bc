//! Ed25519 (RFC 8032, section 5.1, without prehashing), under one of three rules.

pub mod chip;
mod instructions;
mod message;
#[cfg(test)]
mod tests;

pub use instructions::RawSigned;
pub use message::AssignedMessage;
