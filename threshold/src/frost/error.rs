//! What can go wrong in a ceremony, with who is to blame.

use std::fmt;

use frost_core::{Ciphersuite, Error, GroupError, Identifier};

/// A participant, named by the number that is its identifier, or by its bytes if that is none below
/// 2^16.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signer {
    /// A number from 1 on.
    Number(u16),
    /// The encoding of any other identifier.
    Bytes(Vec<u8>),
}

impl Signer {
    /// The name of this identifier.
    pub fn of<C: Ciphersuite>(identifier: &Identifier<C>) -> Self {
        match super::lagrange::small::<C>(&identifier.to_scalar()).map(u16::try_from) {
            Some(Ok(number)) => Self::Number(number),
            _ => Self::Bytes(identifier.serialize()),
        }
    }
}

impl fmt::Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Bytes(bytes) => write!(f, "0x{}", hex::encode(bytes)),
        }
    }
}

/// An error of a ceremony.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrostError {
    /// The number is no identifier.
    #[error("participants are numbered from 1 on, none is {0}")]
    Identifier(u16),
    /// The same participant twice.
    #[error("participant {0} occurs twice")]
    Duplicate(Signer),
    /// Participants that are no members of the group.
    #[error("not in the group: {}", list(.0))]
    Unknown(Vec<Signer>),
    /// Participants that committed but sent no share.
    #[error("no signature share from {}", list(.0))]
    Missing(Vec<Signer>),
    /// Participants that sent a share but no commitment.
    #[error("no commitment from {}", list(.0))]
    Uncommitted(Vec<Signer>),
    /// Fewer participants than the threshold.
    #[error("{found} participants, below the threshold {threshold}")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many it takes.
        threshold: u16,
    },
    /// Signature shares that do not verify.
    #[error("bad signature shares from {}", list(.0))]
    BadShares(Vec<Signer>),
    /// Each share verifies, and their sum does not: the public shares are not those of the group's
    /// key.
    #[error(
        "every signature share verifies, but not their sum: the group's public key is not that \
             of its public shares"
    )]
    GroupKey,
    /// The signature does not verify.
    #[error("the signature does not verify")]
    Signature,
    /// Secret shares, or proofs of knowledge, that do not fit the commitments of the participants
    /// that sent them.
    #[error("what {} sent does not fit their commitments", list(.0))]
    BadDealing(Vec<Signer>),
    /// A rule of the protocol, in the words of frost-core.
    #[error("{0}")]
    Protocol(String),
}

impl<C: Ciphersuite> From<Error<C>> for FrostError {
    fn from(error: Error<C>) -> Self {
        let culprits: Vec<_> = error.culprits().iter().map(Signer::of).collect();
        match error {
            Error::InvalidSignatureShare { .. } => Self::BadShares(culprits),
            Error::InvalidProofOfKnowledge { .. } | Error::InvalidSecretShare { .. }
                if !culprits.is_empty() =>
            {
                Self::BadDealing(culprits)
            }
            Error::InvalidSignature => Self::Signature,
            // These two say no more than which of the two they are.
            Error::GroupError(rule) => rule.into(),
            Error::FieldError(rule) => Self::Protocol(in_house(&rule.to_string())),
            other => Self::Protocol(in_house(&other.to_string())),
        }
    }
}

impl From<GroupError> for FrostError {
    fn from(error: GroupError) -> Self {
        Self::Protocol(in_house(&error.to_string()))
    }
}

/// A sentence of another crate as ours begin and end: no capital, no full stop.
fn in_house(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn list(signers: &[Signer]) -> String {
    let names: Vec<_> = signers.iter().map(Signer::to_string).collect();
    let word = if names.len() == 1 { "participant" } else { "participants" };
    format!("{word} {}", names.join(", "))
}
