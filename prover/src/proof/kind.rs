//! The formats of proofs.

use serde::{Deserialize, Serialize};

/// The format of a proof. Each has keys of its own. `verifier/SPEC.md` says what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProofKind {
    /// The fastest to make, for everything off a chain.
    #[default]
    Fast,
    /// Short: about a kilobyte, for contracts.
    Compact,
}

impl ProofKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Fast, Self::Compact];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Compact => "compact",
        }
    }
}
