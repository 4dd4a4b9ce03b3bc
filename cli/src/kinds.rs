//! The library's formats of proofs and its provers on the command line.

use clap::ValueEnum;
use muster_prover::{ProofKind, ProverKind};

/// The format of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum KindArg {
    /// Muster's own format, for everything off a chain.
    #[default]
    Fast,
    /// Muster's own short format, for contracts. It takes keys of its own.
    Compact,
    /// What the generated contracts verify.
    Halo2,
}

impl KindArg {
    /// The library's name for it.
    pub fn kind(self) -> ProofKind {
        match self {
            Self::Fast => ProofKind::Fast,
            Self::Compact => ProofKind::Compact,
            Self::Halo2 => ProofKind::Halo2,
        }
    }
}

/// What makes a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProverArg {
    /// Muster's own prover, vectorized where the processor allows it.
    #[default]
    Engine,
    /// halo2's prover, which makes proofs of the format halo2 alone.
    Reference,
}

impl ProverArg {
    /// The library's name for it.
    pub(crate) fn kind(self) -> ProverKind {
        match self {
            Self::Engine => ProverKind::Engine,
            Self::Reference => ProverKind::Reference,
        }
    }
}
