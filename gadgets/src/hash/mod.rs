//! Hash functions in circuit; their native twins are in [`muster_schemes::hash`].

pub mod keccak;
pub mod padding;
pub mod poseidon;
mod sha2;
pub mod sha256;
pub mod sha512;
pub mod text;
pub mod to_curve;
