//! The signing side: committees that sign together before they prove.
//!
//! [`frost`] makes one Schnorr signature from t shares (RFC 9591), [`bls`] one BLS signature.
//! [`pvss`] shares a secret by weights so that anyone can check it, on the points of
//! [`pairing_curve`], and [`dkg`] makes a key from many such secrets that nobody ever holds.

pub mod bls;
pub mod dkg;
pub mod frost;
mod missing;
mod polynomial;
pub mod pvss;
mod search;

/// The curve that secrets are shared on.
pub use muster_pairing_curve as pairing_curve;

#[cfg(test)]
mod tests;

/// Its examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
