//! `group.json`: `{"suite", "identities", "threshold", "public_key": "0x…", "signers": ["0x…", …]}`, where signer i has the
//! i-th key; and `secret-3.json`: `{"suite", "signer": 3, "secret": "0x…"}`, for its owner's eyes only.

use std::path::Path;

use muster_prover::{
    encoding::{from_hex_exact, to_hex},
    input,
};
use muster_threshold::bls::{
    Ciphersuite, Error as Fault, Group, Identities, PublicKey, SecretShare, SuiteName,
};
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::{
    fields::{public_key, same_suite},
    GROUP_LIMIT, STEP_LIMIT,
};
use crate::Error;

/// A group as in its file: of any suite, with keys not yet decoded.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    /// The suite.
    pub suite: SuiteName,
    identities: Identities,
    threshold: usize,
    public_key: String,
    signers: Vec<String>,
}

impl GroupFile {
    /// Reads a group's file.
    ///
    /// # Errors
    ///
    /// Those of reading and parsing a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(input::parse(path, &input::read(path, GROUP_LIMIT)?)?)
    }

    /// The content of a group's file.
    pub fn new<S: Ciphersuite<Signed = [u8]>>(group: &Group<S>) -> Self {
        let hex = |key: &PublicKey<S>| to_hex(&key.to_bytes());
        Self {
            suite: SuiteName::of::<S>(),
            identities: group.domain().identities(),
            threshold: group.threshold(),
            public_key: hex(group.public_key()),
            signers: group.signers().iter().map(hex).collect(),
        }
    }

    /// The group. Checks every key, and that the keys belong together.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`] naming the key or the field, [`muster_prover::Error::File`] for keys that do not
    /// belong together.
    pub fn decode<S: Ciphersuite<Signed = [u8]>>(&self, path: &Path) -> Result<Group<S>, Error> {
        same_suite::<S>(path, self.suite)?;
        let key = public_key(path, "public_key", &self.public_key)?;
        let signer =
            |(i, text): (usize, &String)| public_key::<S>(path, &format!("signers[{i}]"), text);
        let signers: Vec<_> =
            self.signers.iter().enumerate().map(signer).collect::<Result<_, Error>>()?;
        let group = Group::new(self.identities, self.threshold, key, signers, &mut OsRng);
        group.map_err(|fault| match fault {
            Fault::CommitteeSize { .. } => Error::field(path, "signers", fault),
            Fault::Threshold { .. } => Error::field(path, "threshold", fault),
            _ => Error::file(path, fault.to_string()),
        })
    }
}

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
