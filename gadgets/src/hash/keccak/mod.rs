//! Keccak-256 and Ethereum addresses.

pub mod chip;
#[cfg(test)]
mod tests;

pub use muster_schemes::hash::keccak::*;
