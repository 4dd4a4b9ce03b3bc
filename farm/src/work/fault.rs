//! Why a job failed, and whose fault that is.

use std::fmt;

use muster_prover::{Error, ParamsError};
use serde::{Deserialize, Serialize};

/// Whose fault it is that a job failed; this decides what happens next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault", content = "reason")]
pub enum Fault {
    /// The statement is false: no worker could prove it. Not tried again.
    Rejected(String),
    /// The job or its inputs are wrong. Not tried again.
    BadInput(String),
    /// This worker cannot do it, and its disk, its program or its key shows so without the job: tried elsewhere,
    /// and not counted.
    Worker(String),
    /// The store does not answer: tried again, and not counted.
    Outage(String),
    /// Something broke: tried again, and counted.
    Crash(String),
    /// It was tried too often.
    Dead(String),
    /// Somebody cancelled it. Not tried again.
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whose, reason) = match self {
            // The prover's words begin with the verdict.
            Self::Rejected(reason) => return f.write_str(reason),
            Self::BadInput(reason) => ("bad input", reason),
            Self::Worker(reason) => ("the worker's fault", reason),
            Self::Outage(reason) => ("an outage", reason),
            Self::Crash(reason) => ("crashed", reason),
            Self::Dead(reason) => ("given up", reason),
            Self::Cancelled(reason) => ("cancelled", reason),
        };
        write!(f, "{whose}: {reason}")
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
