//! Hash functions, each with its native twin beside the chip.

pub mod keccak;
pub mod padding;
pub mod poseidon;
mod sha2;
pub mod sha256;
pub mod sha512;
pub mod text;
pub mod to_curve;
