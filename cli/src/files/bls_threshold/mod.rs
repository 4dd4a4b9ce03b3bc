//! The files of `muster bls-threshold`: the group, a signer's secret, a share, a signature. There
//! is one file for each signer and step, so that signers on different machines can pass files.

mod group;
mod signed;

use std::path::Path;

use muster_prover::encoding::from_hex;
use muster_threshold::bls::{BlsError, Ciphersuite, PublicKey, Signature, SuiteName};

use crate::Error;

pub use group::{GroupFile, SecretFile};
pub use signed::{ShareFile, SignatureFile, Signed};

/// Name of the group's file.
pub const GROUP_FILE: &str = "group.json";

/// Greatest length of a group's file: more than the most signers that a dealer makes files for.
const GROUP_LIMIT: u64 = 1 << 30;
/// Greatest length of the other files: a message, a few points, indices of signers.
const STEP_LIMIT: u64 = 1 << 28;

/// Name of a signer's file of secrets.
pub fn secret_name(index: u32) -> String {
    format!("secret-{index}.json")
}

/// The bytes of a field in hex.
fn bytes(path: &Path, at: &str, text: &str) -> Result<Vec<u8>, Error> {
    from_hex(text).map_err(|reason| Error::field(path, at, reason))
}

/// A public key.
fn public_key<S: Ciphersuite<Signed = [u8]>>(
    path: &Path,
    at: &str,
    text: &str,
) -> Result<PublicKey<S>, Error> {
    let bytes = bytes(path, at, text)?;
    PublicKey::from_bytes(&bytes).map_err(|fault| Error::field(path, at, fault))
}

/// Bad hex and a wrong length are bad input; bytes that break a rule are a signature to be rejected.
fn signature<S: Ciphersuite<Signed = [u8]>>(
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
fn same_suite<S: Ciphersuite<Signed = [u8]>>(path: &Path, found: SuiteName) -> Result<(), Error> {
    if found.name() == S::NAME {
        return Ok(());
    }
    Err(Error::field(path, "suite", format!("{found}, not {}", S::NAME)))
}
