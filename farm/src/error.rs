//! What can go wrong on a farm, beside what a job itself is at fault for.

use std::{io, path::PathBuf};

use crate::digest::Digest;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store does not answer, or refuses.
    #[error("store: {0}")]
    Store(#[from] object_store::Error),
    /// What the store has under a digest is something else.
    #[error("store: {name}: its SHA-256 is {found}")]
    Corrupt {
        /// Where it is.
        name: String,
        /// The digest of what is there.
        found: Digest,
    },
    /// The store lacks something.
    #[error("store: {0} is not there")]
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
    /// A file or directory of this machine.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A place without the mark of a farm.
    #[error("no farm here: is it mounted? `muster-farm init` makes a new one")]
    NoFarm,
    /// What the prover says of keys and files.
    #[error(transparent)]
    Prover(#[from] muster_prover::Error),
    /// The process that proves.
    #[error("the proving process: {0}")]
    Child(String),
    /// An argument makes no sense.
    #[error("{0}")]
    Usage(String),
    /// Temporal's server, or the way to it.
    #[error("Temporal: {0}")]
    Engine(String),
    /// A worker that should not go on, and why.
    #[error("this worker stops: {0}")]
    Unfit(String),
    /// Some jobs came to nothing; each with the reason.
    #[error("{}", .0.join("\n"))]
    Failed(Vec<String>),
}

impl Error {
    /// An error about a file.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
