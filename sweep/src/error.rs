//! What can go wrong in a sweep.

use std::{fmt, io, path::PathBuf};

use muster_params::ParamsError;
use muster_threshold::frost::FrostError;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What the library says of files, and of what is measured.
    #[error(transparent)]
    Prover(#[from] muster_prover::Error),
    /// Something panicked while a row or a proof was made; holds the panic's message.
    #[error("a bug in Muster: {0}; please report it, with the files")]
    Panic(String),
    /// A ceremony of FROST failed.
    #[error(transparent)]
    Frost(#[from] FrostError),
}

impl Error {
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

    pub(crate) fn field(
        path: impl Into<PathBuf>,
        at: impl Into<String>,
        reason: impl fmt::Display,
    ) -> Self {
        Self::Prover(muster_prover::Error::field(path, at, reason))
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
