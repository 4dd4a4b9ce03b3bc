//! The inputs of a proof.

use crate::{encoding::scalar_from_bytes, error::VerifyError, Scalar};

/// Inputs that are as many as the key says, each of them below `r`.
pub(crate) struct Inputs<'a> {
    pub(crate) bytes: &'a [[u8; 32]],
    pub(crate) scalars: Vec<Scalar>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn read(expected: usize, bytes: &'a [[u8; 32]]) -> Result<Self, VerifyError> {
        if bytes.len() != expected {
            return Err(VerifyError::InputCount { found: bytes.len(), expected });
        }
        let scalars = bytes
            .iter()
            .enumerate()
            .map(|(number, bytes)| scalar_from_bytes(bytes).ok_or(VerifyError::Input(number)));
        Ok(Self { bytes, scalars: scalars.collect::<Result<_, _>>()? })
    }
}
