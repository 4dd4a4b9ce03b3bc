//! What can go wrong in a ceremony, and who is to blame.

use std::fmt;

use frost_core::{Ciphersuite, Error, GroupError, Identifier};

use super::small;

/// A participant, named by the number that is its identifier, or by its bytes if that is not a
/// number below 2^16.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signer {
    /// A number from 1.
    Number(u16),
    /// The encoding of any other identifier.
    Bytes(Vec<u8>),
}

impl Signer {
    /// The name of this identifier.
    pub fn of<C: Ciphersuite>(identifier: &Identifier<C>) -> Self {
        match small::<C>(&identifier.to_scalar()).map(u16::try_from) {
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
    /// The number is not an identifier.
    #[error("participants are numbered from 1, so there is no participant {0}")]
    Identifier(u16),
    /// A participant whose identifier is not a number: documents need numbers.
    #[error("participant {0} has no number")]
    NoNumber(Signer),
    /// The same participant twice.
    #[error("participant {0} occurs twice")]
    Duplicate(Signer),
    /// Participants that are not members of the group.
    #[error("not in the group: {}", list(.0))]
    Unknown(Vec<Signer>),
    /// Participants that committed, or were supposed to help, but sent no share.
    #[error("no share from {}", list(.0))]
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
    /// A threshold that no group has.
    #[error("a threshold of {threshold} of {signers}: it must be at least 2, and at most the number of members")]
    Threshold {
        /// The threshold.
        threshold: u16,
        /// Members of the group.
        signers: usize,
    },
    /// A commitment, or a secret, belongs to a polynomial of another degree.
    #[error("{} polynomial has {found} coefficients, not {expected}", owner(.whose))]
    Degree {
        /// Whose it is; `None` if it is a dealer's.
        whose: Option<Signer>,
        /// How many coefficients it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Public shares that are not those of one polynomial through the group's key.
    #[error(
        "the public shares do not lie on one polynomial of the threshold's degree through the public \
         key: whoever made the group cheated, or it mixes parts of several groups"
    )]
    NoPolynomial,
    /// More or fewer participants have published something than take part in the step.
    #[error("commitments of {expected} other participants are needed, found {}", those(.found))]
    Incomplete {
        /// Who has published.
        found: Vec<Signer>,
        /// How many it takes.
        expected: usize,
    },
    /// A share that is used with another group, key or threshold than its own.
    #[error("the share belongs to another group: the public key or the threshold differs")]
    OtherGroup,
    /// A secret share that does not belong to the participant's public share.
    #[error("the secret share of participant {0} does not match its public share")]
    OtherShare(Signer),
    /// A participant that is supposed to help in a repair, and is not listed.
    #[error("participant {0} is not among the helpers")]
    NotAHelper(Signer),
    /// The commitment under a participant's name in a package is not the one to its nonces.
    #[error("the commitment of participant {0} does not belong to its nonces")]
    OtherNonces(Signer),
    /// Participants that signed something other than what the coordinator asks for.
    #[error(
        "{} signed another package: the public key, the message or the list of commitments \
         differs; signers take the list from the coordinator", list(.0)
    )]
    OtherPackage(Vec<Signer>),
    /// Signature shares that do not verify.
    #[error("bad signature shares from {}", list(.0))]
    BadShares(Vec<Signer>),
    /// The public shares of the signers do not belong to the group's key, so no share can be judged
    /// by them.
    #[error(
        "the signers' public shares do not make the group's public key: the group's file is wrong, \
         or there are too few shares"
    )]
    GroupKey,
    /// A measurement has found that frost-core gives a different result.
    #[error("frost-core gives a different result")]
    Differ,
    /// The signature does not verify.
    #[error("the signature does not verify")]
    Signature,
    /// Secret shares, or proofs of knowledge, that do not fit the commitments of the participants
    /// that sent them.
    #[error("what {} sent does not match their commitments", list(.0))]
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
            // The text of these two says only which of the two it is.
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

/// Another crate's sentence in our style: no capital, no full stop.
fn in_house(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn owner(whose: &Option<Signer>) -> String {
    whose.as_ref().map_or("the dealer's".into(), |signer| format!("participant {signer}'s"))
}

fn those(signers: &[Signer]) -> String {
    if signers.is_empty() {
        "none".to_owned()
    } else {
        format!("those of {}", list(signers))
    }
}

fn list(signers: &[Signer]) -> String {
    let names: Vec<_> = signers.iter().map(Signer::to_string).collect();
    match &names[..] {
        [] => "anybody".to_owned(),
        [name] => format!("participant {name}"),
        _ => format!("participants {}", names.join(", ")),
    }
}
