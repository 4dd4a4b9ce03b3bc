//! `secret-3.json`: `{"suite", "signer": 3, "secret": "0x…"}`, for its owner's eyes only.

use std::path::Path;

use muster_prover::{
    encoding::{from_hex_exact, to_hex},
    input,
};
use muster_threshold::bls::{Ciphersuite, Error as Fault, SecretShare, SuiteName};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::{fields::same_suite, STEP_LIMIT};
use crate::Error;

/// A signer's secret as in its file. It is wiped from memory when dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretFile {
    /// The suite.
    pub suite: SuiteName,
    signer: u32,
    secret: String,
}

impl SecretFile {
    /// Reads a secret's file.
    ///
    /// # Errors
    ///
    /// Those of reading and parsing a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = Zeroizing::new(input::read(path, STEP_LIMIT)?);
        Ok(input::parse(path, &bytes)?)
    }

    /// The content of a secret's file.
    pub fn new<S: Ciphersuite<Signed = [u8]>>(secret: &SecretShare<S>) -> Self {
        let suite = SuiteName::of::<S>();
        Self { suite, signer: secret.index(), secret: to_hex(secret.to_bytes().as_slice()) }
    }

    /// The secret.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`] naming the field.
    pub fn decode<S: Ciphersuite<Signed = [u8]>>(
        &self,
        path: &Path,
    ) -> Result<SecretShare<S>, Error> {
        same_suite::<S>(path, self.suite)?;
        let bytes = from_hex_exact(&self.secret);
        let bytes = bytes.map_err(|reason| Error::field(path, "secret", reason))?;
        let bytes = Zeroizing::new(bytes);
        SecretShare::from_bytes(self.signer, *bytes).map_err(|fault| {
            let field = if fault == Fault::ZeroIndex { "signer" } else { "secret" };
            Error::field(path, field, fault)
        })
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        self.secret.zeroize();
    }
}
