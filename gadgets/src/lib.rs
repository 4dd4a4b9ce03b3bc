//! Signature, hash, curve and membership gadgets for Halo2, each with its native twin.
//!
//! Without the feature `circuit` only the native schemes are built: plain Rust, no proving system.

pub mod curve;
pub mod field;
#[cfg(feature = "circuit")]
pub mod gate;
#[cfg(all(test, feature = "circuit"))]
mod golden;
pub mod hash;
pub mod membership;
pub mod signature;
