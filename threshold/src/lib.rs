//! The signing side: committees that sign together before they prove.
//!
//! [`frost`] makes one Schnorr signature of t shares (RFC 9591), [`bls`] one BLS signature.

pub mod bls;
pub mod frost;

mod polynomial;

/// Its examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
