//! What can go wrong, and whose fault it is.

use std::path::PathBuf;

/// An error that names the culprit: a case, a file or the muster binary.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PeerError {
    /// The child process that measures a case did not come back with a measurement.
    #[error("case {case}: {reason}")]
    Case {
        /// The case as `piece x signatures`.
        case: String,
        /// What the child said, or how it ended.
        reason: String,
    },
    /// A proof could not be made, was refused, or a false one was accepted.
    #[error("{step}: {reason}")]
    Proof {
        /// Key generation, proving or verification.
        step: &'static str,
        /// The library's own words.
        reason: String,
    },
    /// The muster binary could not be started.
    #[error("{path}: cannot start the muster binary: {source}")]
    MusterMissing {
        /// The path given with `--muster`.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// `muster sweep` ended badly.
    #[error("{path} sweep failed ({status}); its last output: {stderr}")]
    MusterFailed {
        /// The path given with `--muster`.
        path: PathBuf,
        /// The exit status.
        status: std::process::ExitStatus,
        /// The end of its standard error.
        stderr: String,
    },
    /// `results.json` of the sweep is missing or is not what a sweep writes.
    #[error("{path}: {reason}")]
    Results {
        /// The file.
        path: PathBuf,
        /// The field, or the reason.
        reason: String,
    },
    /// Anything the operating system refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A row that does not encode or decode.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl PeerError {
    /// Wraps a library's error with the step that met it.
    pub(crate) fn at<E: std::fmt::Debug>(step: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::Proof { step, reason: format!("{error:?}") }
    }
}
