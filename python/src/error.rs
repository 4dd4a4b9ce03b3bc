//! What can go wrong, as Python's exceptions.

use muster_params::ParamsError;
use muster_prover::{files::DroppedList, proof::VerifyError, REJECTED};
use pyo3::PyErr;

/// The exceptions themselves are Python: one of them is a `ValueError` too.
mod raised {
    pyo3::import_exception!(muster_zk._errors, BadInput);
    pyo3::import_exception!(muster_zk._errors, Bug);
    pyo3::import_exception!(muster_zk._errors, FalseStatement);
}

/// Why a call raises.
#[derive(Debug)]
pub(crate) enum Fault {
    /// An argument or a file is not what it should be.
    BadInput(String),
    /// The statement is false, or the proof is bad.
    False(String),
    /// Muster is at fault.
    Bug(String),
    /// What Python itself raised, `KeyboardInterrupt` above all.
    Raised(PyErr),
}

impl Fault {
    /// An argument that is not what it should be.
    pub(crate) fn argument(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::BadInput(format!("{name}: {reason}"))
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::BadInput(reason) => raised::BadInput::new_err(reason),
            Fault::False(reason) => raised::FalseStatement::new_err(reason),
            Fault::Bug(reason) => raised::Bug::new_err(reason),
            Fault::Raised(error) => error,
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<muster_prover::Error> for Fault {
    fn from(error: muster_prover::Error) -> Self {
        use muster_prover::Error;
        let text = error.to_string();
        match error {
            Error::Unsatisfied(_)
            | Error::Unproven(_)
            | Error::Protocol(_)
            | Error::Key(_)
            | Error::Prover(_) => Self::Bug(text),
            // The exception's name says that already.
            _ if error.exit_code() == REJECTED => {
                Self::False(text.strip_prefix("rejected: ").unwrap_or(&text).to_owned())
            }
            _ => Self::BadInput(text),
        }
    }
}

impl From<muster_circuits::Error> for Fault {
    fn from(error: muster_circuits::Error) -> Self {
        muster_prover::Error::from(error).into()
    }
}

impl From<ParamsError> for Fault {
    fn from(error: ParamsError) -> Self {
        muster_prover::Error::from(error).into()
    }
}

impl From<muster_sweep::Error> for Fault {
    fn from(error: muster_sweep::Error) -> Self {
        match error {
            muster_sweep::Error::Prover(error) => error.into(),
            muster_sweep::Error::Panic(_) => Self::Bug(error.to_string()),
            other => Self::BadInput(other.to_string()),
        }
    }
}

impl From<VerifyError> for Fault {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Invalid | VerifyError::Unreadable(_) => Self::False(error.to_string()),
            // What was asked for is nothing that the key can say.
            _ => Self::BadInput(error.to_string()),
        }
    }
}

/// What is raised if a strict caller's signatures do not all count.
pub(crate) fn refuse(dropped: &DroppedList) -> Result<(), Fault> {
    Ok(dropped.refuse()?)
}
