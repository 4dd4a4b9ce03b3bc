//! Hash functions: the native twin of each stands beside its chip.

pub mod keccak;
pub mod poseidon;
pub mod sha256;
