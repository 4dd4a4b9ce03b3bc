//! Why several signers have no signature together.

use thiserror::Error;

use super::{bls::BlsError, musig::MusigError};

/// Why there is no signature, or no key, of several signers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AggregateError {
    /// Of MuSig.
    #[error(transparent)]
    Musig(#[from] MusigError),
    /// Of BLS.
    #[error(transparent)]
    Bls(#[from] BlsError),
}
