//! What can go wrong.

use muster_schemes::signature::bls::BlsError;

/// An error of threshold signing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A committee without signers, or with too many.
    #[error("{signers} signers: must be from 1 to 16777216")]
    CommitteeSize {
        /// How many.
        signers: usize,
    },
    /// A threshold of zero, or one that cannot be reached.
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
    #[error("signer {index}: the committee has only {signers}")]
    UnknownIndex {
        /// The index.
        index: u32,
        /// Size of the committee.
        signers: usize,
    },
    /// An index that occurs twice.
    #[error("signer {index} occurs twice")]
    DuplicateIndex {
        /// The index.
        index: u32,
    },
    /// Signers of a committee of another size.
    #[error("the signers belong to a committee of another size")]
    OtherCommittee,
    /// A method that does not work for the committee's identities.
    #[error("the method {method} does not work for these identities")]
    Method {
        /// Name of the method.
        method: &'static str,
    },
    /// Too few shares.
    #[error("{found} good shares, but the threshold is {threshold}")]
    TooFewShares {
        /// Good shares, or all shares if none was checked.
        found: usize,
        /// How many it takes.
        threshold: usize,
        /// Signers whose shares are bad.
        bad: Vec<u32>,
    },
    /// Public keys that do not belong together.
    #[error(
        "these are not the keys of a group: there is no secret that any {threshold} of its signers share"
    )]
    WrongKeys {
        /// The threshold.
        threshold: usize,
    },
    /// A key or a signature that breaks a rule of the scheme.
    #[error(transparent)]
    Scheme(#[from] BlsError),
    /// A secret that does not belong to its signer.
    #[error("signer {index}: the secret does not belong to the signer's public key")]
    OtherSecret {
        /// The signer.
        index: u32,
    },
    /// An unknown name.
    #[error("{name:?} is not one of {known}")]
    UnknownName {
        /// The name.
        name: String,
        /// The known names.
        known: &'static str,
    },
}
