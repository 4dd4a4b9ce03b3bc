//! What can go wrong in a ceremony, with who is to blame.

use std::fmt;

use frost_core::{Ciphersuite, Error, GroupError, Identifier};

use super::types::small;

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
    /// The number is no identifier.
    #[error("participants are numbered from 1 on, none is {0}")]
    Identifier(u16),
    /// A participant whose identifier is no number: documents have numbers.
    #[error("participant {0} has no number")]
    NoNumber(Signer),
    /// The same participant twice.
    #[error("participant {0} occurs twice")]
    Duplicate(Signer),
    /// Participants that are no members of the group.
    #[error("not in the group: {}", list(.0))]
    Unknown(Vec<Signer>),
    /// Participants that committed, or were to help, but sent no share.
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
    #[error("a threshold of {threshold} of {signers}: at least 2 sign, of as many or more")]
    Threshold {
        /// The threshold.
        threshold: u16,
        /// Members of the group.
        signers: usize,
    },
    /// A commitment, or a secret, is of a polynomial of another degree.
    #[error("{} polynomial has {found} coefficients, not {expected}", owner(.whose))]
    Degree {
        /// Whose it is; a dealer's if nobody's.
        whose: Option<Signer>,
        /// How many coefficients it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Public shares that are not those of one polynomial through the group's key.
    #[error(
        "the public shares do not lie on one polynomial of the threshold's degree through the public \
         key: who made the group has cheated, or parts of several groups are in it"
    )]
    NoPolynomial,
    /// What participants of a step have published is there for more or fewer than the step has.
    #[error("{found} others have committed, not {expected}")]
    Incomplete {
        /// How many there are.
        found: usize,
        /// How many it takes.
        expected: usize,
    },
    /// A share of another group, key or threshold than it is used with.
    #[error("the share is one of another group: the public key or the threshold is another")]
    OtherGroup,
    /// A secret share that is not the one of the participant's public share.
    #[error("the secret share of participant {0} does not belong to its public share")]
    OtherShare(Signer),
    /// A participant that is to help in a repair and is not listed.
    #[error("participant {0} is not among the helpers")]
    NotAHelper(Signer),
    /// A package has another commitment under a participant's name than that to its nonces.
    #[error("the commitment of participant {0} is not the one to its nonces")]
    OtherNonces(Signer),
    /// Participants that signed something else than the coordinator asks for.
    #[error(
        "{} signed another package: the public key, the message or the list of commitments is \
         another; signers take the list from the coordinator", list(.0)
    )]
    OtherPackage(Vec<Signer>),
    /// Signature shares that do not verify.
    #[error("bad signature shares from {}", list(.0))]
    BadShares(Vec<Signer>),
    /// The public shares of the signers are not those of the group's key: no share can be judged by
    /// them.
    #[error(
        "the signers' public shares do not make the group's public key: the group's file is wrong, \
         or they are too few"
    )]
    GroupKey,
    /// A measurement has found that frost-core comes to another result.
    #[error("frost-core comes to another result")]
    Differ,
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

fn owner(whose: &Option<Signer>) -> String {
    whose.as_ref().map_or("the dealer's".into(), |signer| format!("participant {signer}'s"))
}

fn list(signers: &[Signer]) -> String {
    let names: Vec<_> = signers.iter().map(Signer::to_string).collect();
    match &names[..] {
        [] => "anybody".to_owned(),
        [name] => format!("participant {name}"),
        _ => format!("participants {}", names.join(", ")),
    }
}
