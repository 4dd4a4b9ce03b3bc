//! Hash functions, each with its native twin beside the chip.

pub mod keccak;
#[cfg(feature = "circuit")]
pub mod padding;
pub mod poseidon;
pub mod sha256;
#[cfg(feature = "circuit")]
pub mod text;
