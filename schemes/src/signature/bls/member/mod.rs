//! The schemes `bls-…`: members sign under their own keys, and all signatures are added up to one.

pub mod key;
mod point;
mod scheme;
mod suite;
#[cfg(test)]
mod tests;

use super::{ProvenBn254, ProvenPublicKey, ProvenSignature};

pub use super::bn254::Bn254PublicKey;
pub use key::OwnedKey;
pub use scheme::Bls;
pub use suite::{Possession, Words};

/// The scheme `bls-bls12-381`.
pub type Bls12381 = Bls<ProvenPublicKey>;
/// The scheme `bls-bls12-381-min-sig`.
pub type Bls12381MinSig = Bls<ProvenSignature>;
/// The scheme `bls-bn254`.
pub type Bn254MinPk = Bls<Bn254PublicKey>;
/// The scheme `bls-bn254-min-sig`.
pub type Bn254MinSig = Bls<ProvenBn254>;
