//! Hash functions.

pub mod keccak;
pub mod poseidon;
pub mod sha256;
pub mod sha512;
pub mod to_curve;
