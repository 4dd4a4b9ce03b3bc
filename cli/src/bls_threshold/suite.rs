//! The suites on the command line.

use clap::ValueEnum;
use muster_threshold::bls::SuiteName;

/// A BLS suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum SuiteArg {
    /// BLS12-381, signatures of 48 bytes in G1: faster to aggregate.
    #[default]
    #[value(name = "bls12-381-min-sig")]
    MinSignature,
    /// BLS12-381, public keys of 48 bytes in G1, as in Ethereum.
    #[value(name = "bls12-381-min-pk")]
    MinPublicKey,
    /// BN254, signatures in G1.
    #[value(name = "bn254")]
    Bn254,
}

impl From<SuiteArg> for SuiteName {
    fn from(suite: SuiteArg) -> Self {
        match suite {
            SuiteArg::MinSignature => Self::MinSignature,
            SuiteArg::MinPublicKey => Self::MinPublicKey,
            SuiteArg::Bn254 => Self::Bn254,
        }
    }
}
