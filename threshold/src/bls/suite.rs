//! The suites by name.

use std::fmt;

use muster_schemes::signature::bls::{
    Ciphersuite, MinPkBasicBls12381, MinSigBasicBls12381, MinSigBasicBn254,
};
use serde::{Deserialize, Serialize};

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
