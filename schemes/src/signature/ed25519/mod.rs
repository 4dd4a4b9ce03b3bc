//! Ed25519 (RFC 8032, section 5.1, without prehashing), under one of three rules.

mod key;
pub mod native;
pub(crate) mod point;
mod rule;
mod scheme;
mod signature;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod vectors;

pub(crate) use key::published_seeds;
pub use key::{PublicKey, SecretKey, NAME_DOMAIN};
pub use native::challenge;
pub use point::{EncodedPoint, PointError};
pub use scheme::Ed25519;
pub use signature::{Signature, SIGNATURE_LENGTH};
