//! What can go wrong in a command, beside what the library says.

use std::{fmt, io, path::PathBuf};

use muster_params::ParamsError;
use muster_prover::{BAD_INPUT, REJECTED};
use muster_schemes::signature::{AggregateError, SignatureError};
use muster_threshold::frost::FrostError;

use crate::fault::{Missing, ProofFault};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What the library says of keys, proofs, files and arguments.
    #[error(transparent)]
    Prover(#[from] muster_prover::Error),
    /// Something panicked while a row or a proof was made.
    #[error(transparent)]
    Sweep(muster_sweep::Error),
    /// Proofs are bad; each with the reason.
    #[error("rejected: {}", list(.0))]
    BadProofs(Vec<(PathBuf, ProofFault)>),
    /// There is too little to compare proofs with, and nobody has said that this will do.
    #[error("no proof is verified without the expected {}", Missing::names(.0))]
    Uncompared(Vec<Missing>),
    /// Some of several proofs could not be made; each with the reason.
    #[error("{}:\n{}", not_made(.failed.len(), *count), failures(.failed))]
    Batch {
        /// How many there were to be.
        count: usize,
        /// The path that stands for each one not made, and why.
        failed: Vec<(PathBuf, Error)>,
        /// The report on the others.
        made: serde_json::Value,
    },
    /// A threshold signature, or a share of one, is bad.
    #[error("rejected: {path}: {reason}")]
    BadThresholdSignature {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A verifying key is not that of its circuit.
    #[error("rejected: {path}: {reason}")]
    BadKey {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The available SRS is insecure, and nobody has allowed that.
    #[error("the SRS for k = {0} is insecure: it was made on one machine, not by a ceremony")]
    InsecureSrs(u32),
    /// A threshold signature cannot be made; says whose fault it is.
    #[error("{}", verdict(.0))]
    Frost(#[from] FrostError),
    /// A contract cannot be deployed, or does not do what it should.
    #[error(transparent)]
    Evm(#[from] muster_evm::evm::EvmError),
}

impl Error {
    /// The exit status: 1 for a false statement or a bad proof, 2 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Prover(error) => error.exit_code(),
            Self::BadThresholdSignature { .. } | Self::BadProofs(_) | Self::BadKey { .. } => {
                REJECTED
            }
            Self::Batch { failed, .. } => {
                failed.iter().map(|(_, error)| error.exit_code()).max().unwrap_or(BAD_INPUT)
            }
            Self::Frost(error) if rejects(error) => REJECTED,
            _ => BAD_INPUT,
        }
    }

    pub(crate) fn usage(reason: String) -> Self {
        Self::Prover(muster_prover::Error::Usage(reason))
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let located = muster_prover::Error::io(path);
        move |source| Self::Prover(located(source))
    }

    pub(crate) fn file(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Prover(muster_prover::Error::file(path, reason))
    }

    /// A bad threshold signature, share or dealing.
    pub(crate) fn rejected(path: impl Into<PathBuf>, reason: impl fmt::Display) -> Self {
        Self::BadThresholdSignature { path: path.into(), reason: reason.to_string() }
    }

    pub(crate) fn field(
        path: impl Into<PathBuf>,
        at: impl Into<String>,
        reason: impl fmt::Display,
    ) -> Self {
        Self::Prover(muster_prover::Error::field(path, at, reason))
    }
}

/// What a sweep says of files is said by the library.
impl From<muster_sweep::Error> for Error {
    fn from(error: muster_sweep::Error) -> Self {
        match error {
            muster_sweep::Error::Prover(error) => Self::Prover(error),
            muster_sweep::Error::Frost(error) => Self::Frost(error),
            other => Self::Sweep(other),
        }
    }
}

impl From<muster_circuits::Error> for Error {
    fn from(error: muster_circuits::Error) -> Self {
        Self::Prover(error.into())
    }
}

impl From<ParamsError> for Error {
    fn from(error: ParamsError) -> Self {
        Self::Prover(error.into())
    }
}

impl From<AggregateError> for Error {
    fn from(error: AggregateError) -> Self {
        Self::Prover(error.into())
    }
}

impl From<SignatureError> for Error {
    fn from(error: SignatureError) -> Self {
        Self::Prover(error.into())
    }
}

/// Whether participants lied or are too few, as opposed to a file being wrong.
fn rejects(error: &FrostError) -> bool {
    matches!(
        error,
        FrostError::BadShares(_)
            | FrostError::BadDealing(_)
            | FrostError::Degree { .. }
            | FrostError::GroupKey
            | FrostError::Incomplete { .. }
            | FrostError::Missing(_)
            | FrostError::NoPolynomial
            | FrostError::OtherShare(_)
            | FrostError::Signature
            | FrostError::TooFew { .. }
    )
}

fn verdict(error: &FrostError) -> String {
    if rejects(error) {
        format!("rejected: {error}")
    } else {
        error.to_string()
    }
}

fn not_made(failed: usize, count: usize) -> String {
    let proofs = if count == 1 { "proof" } else { "proofs" };
    let were = if failed == 1 { "was" } else { "were" };
    format!("{failed} of {count} {proofs} {were} not made")
}

fn failures(failed: &[(PathBuf, Error)]) -> String {
    let line = |(path, error): &(PathBuf, Error)| format!("  {}: {error}", path.display());
    failed.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn list(proofs: &[(PathBuf, ProofFault)]) -> String {
    let line = |(path, fault): &(PathBuf, ProofFault)| format!("{}: {fault}", path.display());
    proofs.iter().map(line).collect::<Vec<_>>().join("\n          ")
}
