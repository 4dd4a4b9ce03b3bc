//! (t, n) threshold signatures by BLS: any t of n signers make the signature of one key, which plain
//! verification accepts. The README argues security and has the measured times.

mod aggregate;
mod bisect;
mod bls12381;
mod bn254;
mod dealer;
mod error;
mod group;
mod identities;
pub mod lagrange;
mod point;
mod share;
mod signers;
mod suite;
mod synthetic;
#[cfg(test)]
mod tests;

pub use aggregate::{Aggregate, Timing};
pub use bls12381::{MinPublicKey, MinSignature};
pub use bn254::Bn254;
pub use dealer::deal;
pub use error::Error;
pub use group::Group;
pub use identities::Identities;
pub use point::{PublicKey, Signature};
pub use share::{SecretShare, SignatureShare};
pub use signers::{Signers, MOST_SIGNERS};
pub use suite::{Sign, Suite};
pub use synthetic::Synthetic;
