//! Making proofs and checking them.

mod create;
mod fault;
mod halo2;
mod verify;

#[cfg(test)]
pub(crate) use create::Job;
pub use create::{prove, prove_profiled, prove_with, ProverKind};
pub use fault::{BatchError, VerifyError};
#[cfg(test)]
pub(crate) use halo2::Keccak;
use serde::{Deserialize, Serialize};

/// The format of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProofKind {
    /// Muster's own, with one sum for all lookups: the fastest, for everything off a chain. `verifier/SPEC.md` says what it is.
    #[default]
    Fast,
    /// halo2's, with the Keccak transcript: what the generated contracts verify.
    Halo2,
}

impl ProofKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Fast, Self::Halo2];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Halo2 => "halo2",
        }
    }
}

/// A proof: its bytes, and the format that they are in.
///
/// It does not say what it proves. Whoever verifies it says what they expect; see
/// [`VerifierKey::verify`](crate::VerifierKey::verify).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    kind: ProofKind,
    bytes: Vec<u8>,
}

impl Proof {
    /// A proof from bytes that anyone may have written.
    pub fn new(kind: ProofKind, bytes: impl Into<Vec<u8>>) -> Self {
        Self { kind, bytes: bytes.into() }
    }

    /// The format.
    pub fn kind(&self) -> ProofKind {
        self.kind
    }

    /// The bytes, if contracts can read them.
    pub fn contract_bytes(&self) -> Option<&[u8]> {
        (self.kind == ProofKind::Halo2).then_some(self.bytes())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
