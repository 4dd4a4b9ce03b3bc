//! `share-3.json`: `{"suite", "message": "0x…", "signer": 3, "signature": "0x…"}`, and the signature that
//! shares make: `{"suite", "message", "public_key", "signature", "signers": [1, 3, …]}`.

use std::path::Path;

use muster_threshold::bls::{Aggregate, Group, PublicKey, Signature, SignatureShare, Suite};
use serde::{Deserialize, Serialize};

use super::{bytes, public_key, same_suite, signature, SuiteName, STEP_LIMIT};
use crate::{encoding::to_hex, input, Error};

/// A share of a signature as its file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareFile {
    /// The suite.
    pub suite: SuiteName,
    message: String,
    /// Whose it is, from 1 on; nobody has looked yet.
    pub signer: u32,
    signature: String,
}

impl ShareFile {
    /// Reads a share's file.
    ///
    /// # Errors
    ///
    /// What reading and parsing a file may give.
    pub fn read(path: &Path) -> Result<Self, Error> {
        input::parse(path, &input::read(path, STEP_LIMIT)?)
    }

    /// What is to be written for a share.
    pub fn new<S: Suite>(message: &[u8], share: &SignatureShare<S>) -> Self {
        Self {
            suite: SuiteName::of::<S>(),
            message: to_hex(message),
            signer: share.index,
            signature: to_hex(&share.signature.to_bytes()),
        }
    }

    /// The message, whatever the share is.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] if it is no hex.
    pub fn message(&self, path: &Path) -> Result<Vec<u8>, Error> {
        bytes(path, "message", &self.message)
    }

    /// The message and the share.
    ///
    /// # Errors
    ///
    /// [`Error::BadThresholdSignature`] for a signature that breaks a rule, [`Error::Field`] for all
    /// else.
    pub fn decode<S: Suite>(&self, path: &Path) -> Result<(Vec<u8>, SignatureShare<S>), Error> {
        same_suite::<S>(path, self.suite)?;
        let message = self.message(path)?;
        let signature = signature(path, "signature", &self.signature)?;
        Ok((message, SignatureShare { index: self.signer, signature }))
    }
}

/// A group's signature as its file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureFile {
    /// The suite.
    pub suite: SuiteName,
    message: String,
    public_key: String,
    signature: String,
    signers: Vec<u32>,
}

impl SignatureFile {
    /// Reads a signature's file.
    ///
    /// # Errors
    ///
    /// What reading and parsing a file may give.
    pub fn read(path: &Path) -> Result<Self, Error> {
        input::parse(path, &input::read(path, STEP_LIMIT)?)
    }

    /// What is to be written for a signature.
    pub fn new<S: Suite>(message: &[u8], group: &Group<S>, made: &Aggregate<S>) -> Self {
        Self {
            suite: SuiteName::of::<S>(),
            message: to_hex(message),
            public_key: to_hex(&group.public_key().to_bytes()),
            signature: to_hex(&made.signature.to_bytes()),
            signers: made.signers.indices().to_vec(),
        }
    }

    /// The message, the key that the file names, and the signature.
    ///
    /// # Errors
    ///
    /// As [`ShareFile::decode`].
    pub fn decode<S: Suite>(&self, path: &Path) -> Result<Signed<S>, Error> {
        same_suite::<S>(path, self.suite)?;
        Ok(Signed {
            message: bytes(path, "message", &self.message)?,
            key: public_key(path, "public_key", &self.public_key)?,
            signature: signature(path, "signature", &self.signature)?,
        })
    }
}

/// A signature, and what it is said to be one of.
#[derive(Clone, Debug)]
pub struct Signed<S: Suite> {
    /// What is signed.
    pub message: Vec<u8>,
    /// The key that the file names: nobody has compared it yet.
    pub key: PublicKey<S>,
    /// The signature, not verified yet.
    pub signature: Signature<S>,
}
