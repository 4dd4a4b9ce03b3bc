//! How jobs end: why one failed, and whose fault that is.

use muster_prover::{Error, ParamsError};
use serde::{Deserialize, Serialize};

/// The final outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The store has its result, which was verified.
    Done,
    /// There is no result.
    Failed(Fault),
}

/// Whose fault it is that a job failed; this decides what happens next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault", content = "reason")]
pub enum Fault {
    /// The statement is false: no worker could prove it. Not tried again. The prover's words begin with the verdict.
    #[error("{0}")]
    Rejected(String),
    /// The job or its inputs are wrong. Not tried again.
    #[error("bad input: {0}")]
    BadInput(String),
    /// This worker cannot do it, as its disk, program or key shows without the job: tried elsewhere, and not counted.
    #[error("the worker's fault: {0}")]
    Worker(String),
    /// The store does not answer: tried again, and not counted.
    #[error("an outage: {0}")]
    Outage(String),
    /// Something broke: tried again, and counted.
    #[error("crashed: {0}")]
    Crash(String),
    /// It was tried too often.
    #[error("given up: {0}")]
    Dead(String),
    /// Somebody cancelled it. Not tried again.
    #[error("cancelled: {0}")]
    Cancelled(String),
}

impl Fault {
    /// Its name, for metrics.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Rejected(_) => "rejected",
            Self::BadInput(_) => "bad-input",
            Self::Worker(_) => "worker",
            Self::Outage(_) => "outage",
            Self::Crash(_) => "crash",
            Self::Dead(_) => "dead",
            Self::Cancelled(_) => "cancelled",
        }
    }

    /// A text for logs that omits what is wrong with a statement or its inputs: that names members, and only those
    /// who asked are told.
    pub(crate) fn unnamed(&self) -> String {
        match self {
            Self::Rejected(_) | Self::BadInput(_) => self.name().to_owned(),
            fault => fault.to_string(),
        }
    }

    /// Whether it must not be tried again.
    pub fn is_final(&self) -> bool {
        !matches!(self, Self::Worker(_) | Self::Outage(_) | Self::Crash(_))
    }
}

/// An error about a file on this machine is the worker's fault at first sight. Its workshop then checks itself.
impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        let reason = error.to_string();
        match error {
            Error::Rejected(_) | Error::BadSignature { .. } | Error::Dropped { .. } => {
                Self::Rejected(reason)
            }
            Error::Io { .. } | Error::Params(ParamsError::Io { .. }) => Self::Worker(reason),
            Error::Unsatisfied(_) | Error::Unproven(_) => Self::Crash(reason),
            _ => Self::BadInput(reason),
        }
    }
}

/// The same of what `muster` says beside the library.
impl From<&muster_cli::Error> for Fault {
    fn from(error: &muster_cli::Error) -> Self {
        let reason = error.to_string();
        match error {
            muster_cli::Error::Prover(error) => error.into(),
            muster_cli::Error::Sweep(muster_sweep::Error::Panic(_)) => Self::Crash(reason),
            _ => Self::BadInput(reason),
        }
    }
}

impl From<crate::Error> for Fault {
    fn from(error: crate::Error) -> Self {
        (&error).into()
    }
}

impl From<&crate::Error> for Fault {
    fn from(error: &crate::Error) -> Self {
        let reason = error.to_string();
        match error {
            crate::Error::Prover(prover) => prover.into(),
            crate::Error::Muster(error) => error.into(),
            crate::Error::Store(_) => Self::Outage(reason),
            // All workers share the store: no other would find more in it.
            crate::Error::Missing(_)
            | crate::Error::Malformed { .. }
            | crate::Error::Sealed { .. } => Self::BadInput(reason),
            crate::Error::Child(_) | crate::Error::Corrupt { .. } => Self::Crash(reason),
            crate::Error::Unfit(reason) => Self::Worker(reason.clone()),
            _ => Self::Worker(reason),
        }
    }
}
