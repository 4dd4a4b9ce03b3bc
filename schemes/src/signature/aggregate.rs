//! Why several signers cannot sign together.

use thiserror::Error;

use super::{bls::BlsError, musig::MusigError};

/// Why several signers have no common signature or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AggregateError {
    /// From MuSig.
    #[error(transparent)]
    Musig(#[from] MusigError),
    /// From BLS.
    #[error(transparent)]
    Bls(#[from] BlsError),
}
