//! The schemes `bls-…`: members sign under their own keys, and all signatures are added up to one.

#[cfg(feature = "circuit")]
mod complement;
#[cfg(feature = "circuit")]
mod instructions;
mod key;
#[cfg(feature = "circuit")]
mod message;
mod point;
mod scheme;
mod suite;
#[cfg(test)]
mod tests;

use super::{ProvenBn254, ProvenPublicKey, ProvenSignature};

#[cfg(feature = "circuit")]
pub use instructions::{AssignedKey, AssignedMessage};
pub use key::OwnedKey;
#[cfg(feature = "circuit")]
pub use message::{HashedMessages, InCircuit, MemberInstructions};
pub use point::Bn254PublicKey;
pub use scheme::Bls;
pub use suite::{MemberSuite, Named, Proven, Search, Words};

/// The scheme `bls-bls12-381`.
pub type Bls12381 = Bls<ProvenPublicKey>;
/// The scheme `bls-bls12-381-min-sig`.
pub type Bls12381MinSig = Bls<ProvenSignature>;
/// The scheme `bls-bn254`.
pub type Bn254MinPk = Bls<Bn254PublicKey>;
/// The scheme `bls-bn254-min-sig`.
pub type Bn254MinSig = Bls<ProvenBn254>;
