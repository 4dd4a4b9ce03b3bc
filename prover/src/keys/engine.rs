//! What computes proofs, and what it keeps.

use muster_engine::Backend;

use crate::Error;

/// What is kept between the proofs of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The key, constraints and bases.
    #[default]
    Low,
    /// Also the values of the key's own columns wherever constraints are evaluated: for each column, four times as
    /// many numbers as the circuit has rows. Proofs then need not compute them.
    Fast,
}

/// The backend that the environment names.
///
/// # Errors
///
/// [`Error::Usage`] if it names nothing that this machine has.
pub fn backend() -> Result<Backend, Error> {
    Backend::from_env().map_err(|error| Error::Usage(error.to_string()))
}
