//! Fields that several files have.

use std::path::Path;

use muster_prover::encoding::from_hex;
use muster_threshold::bls::{BlsError, Ciphersuite, PublicKey, Signature, SuiteName};

use crate::Error;

/// The bytes of a field in hex.
pub(super) fn bytes(path: &Path, at: &str, text: &str) -> Result<Vec<u8>, Error> {
    from_hex(text).map_err(|reason| Error::field(path, at, reason))
}

/// A public key.
pub(super) fn public_key<S: Ciphersuite<Signed = [u8]>>(
    path: &Path,
    at: &str,
    text: &str,
) -> Result<PublicKey<S>, Error> {
    let bytes = bytes(path, at, text)?;
    PublicKey::from_bytes(&bytes).map_err(|fault| Error::field(path, at, fault))
}

/// Bad hex and a wrong length are bad input; bytes that break a rule are a signature to be rejected.
pub(super) fn signature<S: Ciphersuite<Signed = [u8]>>(
    path: &Path,
    at: &str,
    text: &str,
) -> Result<Signature<S>, Error> {
    let bytes = bytes(path, at, text)?;
    Signature::from_bytes(&bytes).map_err(|fault| match fault {
        BlsError::Length { .. } => Error::field(path, at, fault),
        _ => Error::rejected(path, format!("{at}: {fault}")),
    })
}

/// Refuses a file of another suite.
pub(super) fn same_suite<S: Ciphersuite<Signed = [u8]>>(
    path: &Path,
    found: SuiteName,
) -> Result<(), Error> {
    if found.name() == S::NAME {
        return Ok(());
    }
    Err(Error::field(path, "suite", format!("{found}, not {}", S::NAME)))
}
