//! Ed25519 (RFC 8032, section 5.1, without prehashing), under one of three rules.

#[cfg(feature = "circuit")]
pub mod chip;
#[cfg(feature = "circuit")]
mod instructions;
mod key;
#[cfg(feature = "circuit")]
mod message;
pub mod native;
pub(crate) mod point;
mod rule;
mod scheme;
mod seeds;
mod signature;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod vectors;

#[cfg(feature = "circuit")]
pub use instructions::RawSigned;
pub use key::{PublicKey, SecretKey, NAME_DOMAIN};
#[cfg(feature = "circuit")]
pub use message::AssignedMessage;
pub use native::challenge;
pub use point::{EncodedPoint, PointError};
pub use scheme::Ed25519;
pub(crate) use seeds::published_seeds;
pub use signature::Signature;
