//! Why nothing was brought.

/// Why a relayer does not go on, or not now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// It cannot begin.
    #[error("{0}")]
    Config(String),
    /// The network that is followed has said nothing, or something that is not so. It may say something else later.
    #[error("{0}")]
    Source(String),
    /// The chain with the client does not answer, or a program did not do its work. That may pass.
    #[error("{0}")]
    Chain(String),
    /// A contract refuses what it was asked.
    #[error("{0}")]
    Refused(String),
    /// The client takes nothing any more.
    #[error("{0}")]
    Over(String),
}

impl Fault {
    /// Whether another attempt may end differently.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self, Self::Source(_) | Self::Chain(_) | Self::Refused(_))
    }
}
