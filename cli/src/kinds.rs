//! The library's formats of proofs on the command line.

use clap::ValueEnum;
use muster_prover::ProofKind;

/// The format of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// For everything off a chain.
    #[default]
    Fast,
    /// Short, for contracts.
    Compact,
}

impl KindArg {
    /// The library's name for it.
    pub(crate) fn kind(self) -> ProofKind {
        match self {
            Self::Fast => ProofKind::Fast,
            Self::Compact => ProofKind::Compact,
        }
    }
}
