//! Why proofs are refused.

use std::fmt;

use muster_circuits::{OtherStatement, Scheme};

use super::ProofKind;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchError(pub Vec<(usize, VerifyError)>);

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |(place, error): &(usize, VerifyError)| format!("proof {place}: {error}");
        f.write_str(&self.0.iter().map(line).collect::<Vec<_>>().join("; "))
    }
}

impl std::error::Error for BatchError {}
