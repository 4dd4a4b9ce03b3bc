//! Keccak-256 and Ethereum addresses.

pub mod native;

pub use native::{address, keccak256};
