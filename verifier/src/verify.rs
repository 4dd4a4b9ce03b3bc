//! One proof of either format.

use crate::{
    claim::Claim,
    compact,
    error::VerifyError,
    fast,
    inputs::Inputs,
    key::{Key, Kind},
};

impl Key {
    /// Checks a proof that somebody knows columns which meet the key's circuit for these inputs. It is of the key's
    /// format; one of the format `compact` may have its points in either encoding.
    ///
    /// Inputs are 32 bytes each, big-endian. Derive them from what you expect, and never from where
    /// the proof is from.
    ///
    /// # Errors
    ///
    /// If the proof is refused, whatever the reason.
    pub fn verify(&self, inputs: &[[u8; 32]], proof: &[u8]) -> Result<(), VerifyError> {
        claim(self, inputs, proof)?.check()
    }
}

/// Does everything for a proof but to sum points and to pair them.
pub(crate) fn claim<'a>(
    key: &'a Key,
    inputs: &[[u8; 32]],
    bytes: &[u8],
) -> Result<Claim<'a>, VerifyError> {
    let inputs = Inputs::read(key.protocol().inputs(), inputs)?;
    match &key.kind {
        Kind::Fast(fast) => fast::claim(key, fast, &inputs, bytes),
        Kind::Compact(compact) => compact::claim(key, compact, &inputs, bytes),
    }
}
