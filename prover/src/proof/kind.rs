//! The formats of proofs, and what makes them.

use serde::{Deserialize, Serialize};

/// The format of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProofKind {
    /// Muster's own, with one sum for all lookups: the fastest, for everything off a chain. `verifier/SPEC.md` says what it is.
    #[default]
    Fast,
    /// Muster's own, short: about a kilobyte, for contracts. It takes keys of its own.
    Compact,
    /// halo2's, with the Keccak transcript: what the generated contracts verify.
    Halo2,
}

impl ProofKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Compact, Self::Halo2];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Compact => "compact",
            Self::Halo2 => "halo2",
        }
    }
}

/// What makes a proof in halo2's format. For the same randomness both make the same bytes; halo2 draws some of it from
/// generators of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProverKind {
    /// Muster's own prover, which computes on many numbers at a time where the processor can.
    #[default]
    Engine,
    /// halo2's prover, which makes [`ProofKind::Halo2`] alone.
    Reference,
}
