//! Hash functions, each with its native twin beside the chip.

pub mod keccak;
#[cfg(feature = "circuit")]
pub mod padding;
pub mod poseidon;
#[cfg(feature = "circuit")]
mod sha2;
pub mod sha256;
pub mod sha512;
#[cfg(feature = "circuit")]
pub mod text;
pub mod to_curve;
