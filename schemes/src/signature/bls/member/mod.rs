//! The schemes `bls-…`: members sign under their own keys, and all signatures are added up to one.

pub mod key;
mod point;
mod scheme;
mod suite;
#[cfg(test)]
mod tests;

use super::{MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254};

pub use super::bn254::MinPkBn254;
pub use key::OwnedKey;
pub use scheme::Bls;
pub use suite::{Possession, Words};

/// The scheme `bls-bls12-381`.
pub type Bls12381 = Bls<MinPkPopBls12381>;
/// The scheme `bls-bls12-381-min-sig`.
pub type Bls12381MinSig = Bls<MinSigPopBls12381>;
/// The scheme `bls-bn254`.
pub type Bn254MinPk = Bls<MinPkBn254>;
/// The scheme `bls-bn254-min-sig`.
pub type Bn254MinSig = Bls<MinSigPopBn254>;
