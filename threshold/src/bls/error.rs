//! What can go wrong.

use muster_gadgets::signature::bls::BlsError;

/// An error of threshold signing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A committee without signers, or with too many.
    #[error("{signers} signers, from 1 to 16777216 are possible")]
    CommitteeSize {
        /// How many.
        signers: usize,
    },
    /// A threshold that cannot be reached, or that nobody need reach.
    #[error("a threshold of {threshold} of {signers}")]
    Threshold {
        /// The threshold.
        threshold: usize,
        /// Size of the committee.
        signers: usize,
    },
    /// A set of signers is empty.
    #[error("no signers")]
    NoSigners,
    /// The index 0, which is the point of the secret.
    #[error("signer 0: signers are counted from 1")]
    ZeroIndex,
    /// An index that the committee does not have.
    #[error("signer {index}: the committee has {signers}")]
    UnknownIndex {
        /// The index.
        index: u32,
        /// Size of the committee.
        signers: usize,
    },
    /// An index that is there twice.
    #[error("signer {index} is there twice")]
    DuplicateIndex {
        /// The index.
        index: u32,
    },
    /// Signers of a committee of another size.
    #[error("signers of a committee of another size")]
    OtherCommittee,
    /// A method that does not know the committee's identities.
    #[error("the method {method} is not for these identities")]
    Method {
        /// Name of the method.
        method: &'static str,
    },
    /// Too few shares.
    #[error("{found} good shares, the threshold is {threshold}")]
    TooFewShares {
        /// Shares that are good, as far as they were checked: all of them if some are bad.
        found: usize,
        /// How many it takes.
        threshold: usize,
        /// Signers whose shares are bad.
        bad: Vec<u32>,
    },
    /// Public keys that do not belong together.
    #[error(
        "these are not the keys of a group: no secret that any {threshold} of its signers hold"
    )]
    WrongKeys {
        /// The threshold.
        threshold: usize,
    },
    /// A key or a signature that breaks a rule of the scheme.
    #[error(transparent)]
    Scheme(#[from] BlsError),
    /// A secret that is not that of its signer.
    #[error("signer {index}: the secret does not belong to the signer's public key")]
    OtherSecret {
        /// The signer.
        index: u32,
    },
    /// A name that is none.
    #[error("{name:?} is none of {known}")]
    UnknownName {
        /// The name.
        name: String,
        /// The names that there are.
        known: &'static str,
    },
}
