//! What can go wrong on a farm, besides a job's own faults.

use std::{io, path::PathBuf};

use crate::digest::Digest;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store does not answer, or refuses a request.
    #[error("store: {0}")]
    Store(#[from] object_store::Error),
    /// What the store has under a digest does not have that digest.
    #[error("store: {name}: its SHA-256 is {found}")]
    Corrupt {
        /// Where it is.
        name: String,
        /// The digest of what is there.
        found: Digest,
    },
    /// The store lacks something.
    #[error("store: {0} is missing")]
    Missing(String),
    /// Something in the store is not what it should be.
    #[error("store: {name}: {reason}")]
    Malformed {
        /// Where it is.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// An input that cannot be decrypted here.
    #[error("store: {name}: {reason}")]
    Sealed {
        /// Where it is.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A file or directory on this machine.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A store without the mark of a farm.
    #[error("no farm here: is it mounted? `muster-farm init` makes a new one")]
    NoFarm,
    /// What the prover says about keys and files.
    #[error(transparent)]
    Prover(#[from] muster_prover::Error),
    /// What `muster` says of arguments and of ceremonies.
    #[error(transparent)]
    Muster(muster_cli::Error),
    /// The process that proves failed.
    #[error("the proving process: {0}")]
    Child(String),
    /// An argument makes no sense.
    #[error("{0}")]
    Usage(String),
    /// Temporal's server, or the connection to it.
    #[error("Temporal: {0}")]
    Engine(String),
    /// Why a worker should not go on.
    #[error("this worker stops: {0}")]
    Unfit(String),
    /// Some jobs failed, each with the reason.
    #[error("{}", .0.join("\n"))]
    Failed(Vec<String>),
}

impl From<muster_cli::Error> for Error {
    fn from(error: muster_cli::Error) -> Self {
        match error {
            muster_cli::Error::Prover(error) => Self::Prover(error),
            other => Self::Muster(other),
        }
    }
}

impl From<muster_sweep::Error> for Error {
    fn from(error: muster_sweep::Error) -> Self {
        muster_cli::Error::from(error).into()
    }
}

impl Error {
    /// An error of Temporal's server or SDK.
    pub(crate) fn engine(error: impl std::fmt::Display) -> Self {
        Self::Engine(error.to_string())
    }

    /// An error about a file.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
