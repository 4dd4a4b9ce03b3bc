//! The signing side: committees that sign together before they prove.
//!
//! [`frost`] makes one Schnorr signature of t shares (RFC 9591), [`bls`] one BLS signature. [`pvss`] shares
//! a secret so that anybody can check it, by weights, on the points of [`pairing_curve`].

pub mod bls;
pub mod frost;
pub mod pairing_curve;
