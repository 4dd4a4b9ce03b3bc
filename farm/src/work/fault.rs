//! Why a job came to nothing, and whose fault that is.

use std::fmt;

use muster_prover::{Error, ParamsError};
use serde::{Deserialize, Serialize};

/// Whose fault it is decides what happens next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "fault", content = "reason")]
pub enum Fault {
    /// The statement is false: no worker could prove it. Not tried again.
    Rejected(String),
    /// The job is not what it should be. Not tried again.
    BadInput(String),
    /// This worker cannot do it, and shows that without the job, by its disk, its program or its key: tried elsewhere, and not counted.
    Worker(String),
    /// The store does not answer: tried again, and not counted.
    Outage(String),
    /// Something broke: tried again, and counted.
    Crash(String),
    /// It was tried too often.
    Dead(String),
    /// Somebody said that it is not to be done. Not tried again.
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

    /// The same for logs, without what is wrong with a statement or its inputs: that names members, and is told to those who asked.
    pub(crate) fn unnamed(&self) -> String {
        match self {
            Self::Rejected(_) | Self::BadInput(_) => self.name().to_owned(),
            fault => fault.to_string(),
        }
    }

    /// Whether nobody is to try again.
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

/// What a file of this machine has to do with it is the worker's fault at first sight. Its workshop then looks at itself.
impl From<&Error> for Fault {
    fn from(error: &Error) -> Self {
        let reason = error.to_string();
        match error {
            Error::Rejected(_) | Error::BadSignature { .. } => Self::Rejected(reason),
            Error::Io { .. } | Error::Params(ParamsError::Io { .. }) => Self::Worker(reason),
            Error::Panic(_) | Error::Unsatisfied(_) | Error::Unproven(_) => Self::Crash(reason),
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
            crate::Error::Store(_) => Self::Outage(reason),
            // No other worker would find more in the store that all of them share.
            crate::Error::Missing(_)
            | crate::Error::Malformed { .. }
            | crate::Error::Sealed { .. } => Self::BadInput(reason),
            crate::Error::Child(_) | crate::Error::Corrupt { .. } => Self::Crash(reason),
            crate::Error::Unfit(reason) => Self::Worker(reason.clone()),
            _ => Self::Worker(reason),
        }
    }
}
