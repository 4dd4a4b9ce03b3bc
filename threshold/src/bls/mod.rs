//! (t, n) threshold BLS signatures: any t of n signers make a signature of one key, which ordinary
//! verification accepts. The README argues security and has the measured times.

mod aggregate;
mod error;
mod group;
pub mod lagrange;
mod share;
mod signers;
mod suite;
mod synthetic;
#[cfg(test)]
mod tests;

pub use aggregate::{Aggregate, Timing};
pub use error::Error;
pub(crate) use group::random;
pub use group::{deal, Group};
pub use muster_schemes::signature::bls::{
    BlsError, Ciphersuite, MinPkBasicBls12381, MinSigBasicBls12381, MinSigBasicBn254, PublicKey,
    Sign, Signature,
};
pub use share::{SecretShare, SignatureShare};
pub use signers::{Identities, Signers, MOST_SIGNERS};
pub use suite::{SuiteName, Task};
pub use synthetic::Synthetic;
