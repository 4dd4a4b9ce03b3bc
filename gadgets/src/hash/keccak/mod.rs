//! Keccak-256 and Ethereum addresses.

#[cfg(feature = "circuit")]
pub mod chip;
pub mod native;

#[cfg(all(test, feature = "circuit"))]
mod tests;

pub use native::{address, keccak256};
