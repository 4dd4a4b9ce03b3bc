//! Ed25519 (RFC 8032, section 5.1, without prehashing), under one of three rules.

#[cfg(feature = "circuit")]
pub mod chip;
