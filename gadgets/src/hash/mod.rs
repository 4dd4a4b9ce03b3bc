//! Hash functions: the native twin of each stands beside its chip.

pub mod keccak;
#[cfg(feature = "circuit")]
pub mod padding;
pub mod poseidon;
pub mod sha256;
