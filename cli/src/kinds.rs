//! The library's transcripts and provers on the command line.

use clap::ValueEnum;
use muster_prover::{ProverKind, TranscriptKind};

/// The hash for the challenges of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TranscriptArg {
    /// Blake2b-512: the fastest, and halo2's own.
    #[default]
    Blake2b,
    /// Keccak-256, as snark-verifier's contracts compute it.
    Keccak,
    /// Poseidon with snark-verifier's parameters, for verification inside a circuit.
    Poseidon,
}

impl TranscriptArg {
    /// The library's name for it.
    pub fn kind(self) -> TranscriptKind {
        match self {
            Self::Blake2b => TranscriptKind::Blake2b,
            Self::Keccak => TranscriptKind::Keccak,
            Self::Poseidon => TranscriptKind::Poseidon,
        }
    }
}

/// What makes a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProverArg {
    /// Muster's own prover, vectorized where the processor allows it.
    #[default]
    Engine,
    /// halo2's prover.
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
