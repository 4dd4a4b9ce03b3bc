//! (t, n) threshold BLS signatures: any t of n signers make a signature of one key, which ordinary
//! verification accepts. The README argues security and has the measured times.

mod aggregate;
mod error;
mod group;
pub mod lagrange;
mod signers;
mod synthetic;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use aggregate::{Aggregate, Timing};
pub use error::Error;
pub(crate) use group::random;
pub use group::{deal, Group};
pub use muster_schemes::signature::bls::{
    BlsError, Ciphersuite, MinPkBasicBls12381, MinSigBasicBls12381, MinSigBasicBn254, PublicKey,
    Sign, Signature,
};
pub use signers::{Identities, SecretShare, SignatureShare, Signers, MOST_SIGNERS};
pub use synthetic::Synthetic;

/// A BLS suite, as files and the command line name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SuiteName {
    /// BLS12-381, signatures of 48 bytes in G1: the faster aggregation.
    #[default]
    #[serde(rename = "bls12-381-min-sig")]
    MinSignature,
    /// BLS12-381, public keys of 48 bytes in G1, as in Ethereum.
    #[serde(rename = "bls12-381-min-pk")]
    MinPublicKey,
    /// BN254, signatures in G1.
    #[serde(rename = "bn254")]
    Bn254,
}

/// Work that is the same for all suites.
pub trait Task {
    /// What it returns.
    type Output;

    /// Does it with one suite.
    fn run<S: Ciphersuite<Signed = [u8]>>(self) -> Self::Output;
}

impl SuiteName {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinSignature => MinSigBasicBls12381::NAME,
            Self::MinPublicKey => MinPkBasicBls12381::NAME,
            Self::Bn254 => MinSigBasicBn254::NAME,
        }
    }

    /// The name of a suite of the library.
    pub fn of<S: Ciphersuite<Signed = [u8]>>() -> Self {
        let all = [Self::MinSignature, Self::MinPublicKey, Self::Bn254];
        all.into_iter().find(|suite| suite.name() == S::NAME).unwrap_or_default()
    }

    /// Does some work with this suite.
    pub fn with<T: Task>(self, task: T) -> T::Output {
        match self {
            Self::MinSignature => task.run::<MinSigBasicBls12381>(),
            Self::MinPublicKey => task.run::<MinPkBasicBls12381>(),
            Self::Bn254 => task.run::<MinSigBasicBn254>(),
        }
    }
}

impl fmt::Display for SuiteName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
