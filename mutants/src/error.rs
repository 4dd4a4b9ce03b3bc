//! What can go wrong beside survivors.

use std::path::PathBuf;

/// An error of the run itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// No folder for lists.
    #[error("no temporary folder: {0}")]
    Folder(#[source] std::io::Error),
    /// A file that cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that is not what it should be.
    #[error("{path}: {source}", path = path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// A command that cannot be run.
    #[error("{command}: {source}")]
    Command {
        /// The command.
        command: String,
        /// Why.
        source: std::io::Error,
    },
    /// A command that fails.
    #[error("{command} failed")]
    Failed {
        /// The command.
        command: String,
    },
    /// A test that fails though nothing is dropped.
    #[error("{test} fails even without a dropped constraint")]
    Red {
        /// The test.
        test: String,
    },
    /// No place records anything.
    #[error("no test records a constraint: only builds with debug assertions do")]
    NoPlaces,
}
