//! Making proofs and checking them: proofs, their formats, and why they are refused.

mod create;
mod verify;

use muster_circuits::{OtherStatement, Scheme};
use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use create::{check, run};
pub use create::{check_constraints, prove, prove_profiled};

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

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

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

/// Why a proof does not prove the statement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The bytes do not prove the statement.
    #[error("the proof does not hold")]
    Invalid,
    /// The bytes end early or late, or hold something that is not a point or not a scalar.
    #[error("the proof cannot be read: {0}")]
    Unreadable(String),
    /// The keys are for proofs of another format.
    #[error("the keys are not for proofs of the format {}", .0.name())]
    Kind(ProofKind),
    /// The statement is about a message of a kind that the keys' scheme does not sign.
    #[error("the expected message is not of the kind that {0} signs")]
    Message(Scheme),
    /// The statement says who signed and the keys do not, or the other way round, or it does so of another set.
    #[error("the expected statement does not say who signed in the way the keys require")]
    Signers,
}

impl From<muster_verifier::VerifyError> for VerifyError {
    fn from(error: muster_verifier::VerifyError) -> Self {
        use muster_verifier::VerifyError as Fault;
        match error {
            Fault::Equation | Fault::Challenge => Self::Invalid,
            unreadable => Self::Unreadable(unreadable.to_string()),
        }
    }
}

impl From<OtherStatement> for VerifyError {
    fn from(other: OtherStatement) -> Self {
        match other {
            OtherStatement::Message(scheme) => Self::Message(scheme),
            OtherStatement::Signers => Self::Signers,
        }
    }
}

/// Some proofs in a batch are bad: the place of each in the batch, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(|(place, error)| format!("proof {place}: {error}")).collect::<Vec<_>>().join("; "))]
pub struct BatchError(pub Vec<(usize, VerifyError)>);
