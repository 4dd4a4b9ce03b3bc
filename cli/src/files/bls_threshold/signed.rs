//! `share-3.json`: `{"suite", "message": "0x…", "signer": 3, "signature": "0x…"}`, or for a player with several shares
//! `{"suite", "message", "shares": [{"signer", "signature"}, …]}`; and the signature that shares make: `{"suite",
//! "message", "public_key", "signature", "signers": [1, 3, …]}`.

use std::path::Path;

use muster_prover::{encoding::to_hex, input};
use muster_threshold::bls::{
    Aggregate, Ciphersuite, Group, PublicKey, Signature, SignatureShare, SuiteName,
};
use serde::{Deserialize, Serialize};

use super::{
    fields::{bytes, public_key, same_suite, signature},
    STEP_LIMIT,
};
use crate::Error;

/// Shares of a signature as in their file: one, or several for one message.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Document", into = "Document")]
pub struct ShareFile {
    /// The suite.
    pub suite: SuiteName,
    message: String,
    /// At least one.
    shares: Vec<Entry>,
}

/// A share and its signer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Counted from 1; not checked yet.
    signer: u32,
    signature: String,
}

/// The file's form: a single share has no list around it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    suite: SuiteName,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signer: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shares: Option<Vec<Entry>>,
}

impl TryFrom<Document> for ShareFile {
    type Error = &'static str;

    fn try_from(found: Document) -> Result<Self, Self::Error> {
        let Document { suite, message, signer, signature, shares } = found;
        let shares = match (signer, signature, shares) {
            (Some(signer), Some(signature), None) => vec![Entry { signer, signature }],
            (None, None, Some(shares)) if !shares.is_empty() => shares,
            _ => return Err("one share has `signer` and `signature`; several are in `shares`"),
        };
        Ok(Self { suite, message, shares })
    }
}

impl From<ShareFile> for Document {
    fn from(file: ShareFile) -> Self {
        let ShareFile { suite, message, mut shares } = file;
        let single = if shares.len() == 1 { shares.pop() } else { None };
        let shares = (!shares.is_empty()).then_some(shares);
        let (signer, signature) = single.map(|own| (own.signer, own.signature)).unzip();
        Self { suite, message, signer, signature, shares }
    }
}

impl ShareFile {
    /// Reads a file of shares.
    ///
    /// # Errors
    ///
    /// Those of reading and parsing a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(input::parse(path, &input::read(path, STEP_LIMIT)?)?)
    }

    /// The content of a file of shares, of which there is at least one.
    pub fn new<S: Ciphersuite<Signed = [u8]>>(
        message: &[u8],
        shares: &[SignatureShare<S>],
    ) -> Self {
        let entry = |share: &SignatureShare<S>| Entry {
            signer: share.index,
            signature: to_hex(&share.signature.to_bytes()),
        };
        Self {
            suite: SuiteName::of::<S>(),
            message: to_hex(message),
            shares: shares.iter().map(entry).collect(),
        }
    }

    /// The message, whatever the shares are.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`] if it is not hex.
    pub fn message(&self, path: &Path) -> Result<Vec<u8>, Error> {
        bytes(path, "message", &self.message)
    }

    /// Where a share's field is in the file.
    pub(crate) fn place(&self, share: usize, field: &str) -> String {
        match self.shares.len() {
            1 => field.to_owned(),
            _ => format!("shares[{share}].{field}"),
        }
    }

    /// The shares with their signers; a share is [`Error::BadThresholdSignature`] if its signature
    /// breaks a rule.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`] for everything else.
    pub fn decode<S: Ciphersuite<Signed = [u8]>>(
        &self,
        path: &Path,
    ) -> Result<Vec<Decoded<S>>, Error> {
        same_suite::<S>(path, self.suite)?;
        let decode = |(i, entry): (usize, &Entry)| {
            let index = entry.signer;
            match signature(path, &self.place(i, "signature"), &entry.signature) {
                Ok(signature) => Ok((index, Ok(SignatureShare { index, signature }))),
                Err(error @ Error::BadThresholdSignature { .. }) => Ok((index, Err(error))),
                Err(error) => Err(error),
            }
        };
        self.shares.iter().enumerate().map(decode).collect()
    }
}

/// The number of a signer, and its share or why it is invalid.
pub(crate) type Decoded<S> = (u32, Result<SignatureShare<S>, Error>);

/// A group's signature as in its file.
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
    /// Those of reading and parsing a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Ok(input::parse(path, &input::read(path, STEP_LIMIT)?)?)
    }

    /// The content of a signature's file.
    pub fn new<S: Ciphersuite<Signed = [u8]>>(
        message: &[u8],
        group: &Group<S>,
        made: &Aggregate<S>,
    ) -> Self {
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
    /// [`Error::BadThresholdSignature`] for a signature that breaks a rule, [`muster_prover::Error::Field`] for
    /// everything else.
    pub fn decode<S: Ciphersuite<Signed = [u8]>>(&self, path: &Path) -> Result<Signed<S>, Error> {
        same_suite::<S>(path, self.suite)?;
        Ok(Signed {
            message: bytes(path, "message", &self.message)?,
            key: public_key(path, "public_key", &self.public_key)?,
            signature: signature(path, "signature", &self.signature)?,
        })
    }
}

/// A signature, and what it is claimed to be on.
#[derive(Clone, Debug)]
pub struct Signed<S: Ciphersuite<Signed = [u8]>> {
    /// What is signed.
    pub message: Vec<u8>,
    /// The key that the file names, not compared yet.
    pub key: PublicKey<S>,
    /// The signature, not verified yet.
    pub signature: Signature<S>,
}
