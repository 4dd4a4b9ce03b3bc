//! A player's keys, `public.json` and `secret.json`, and its shares of a sum of dealings, `shares-1.json`.

use std::path::Path;

use muster_prover::encoding::to_hex;
use muster_threshold::pvss::{KeyBundle, SecretKeys, Share};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use super::exact;
use crate::Error;

/// A player's keys with their proofs of possession.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicFile {
    encryption_key: String,
    encryption_proof: String,
    signing_key: String,
    signing_proof: String,
}

impl PublicFile {
    /// The content of `public.json`.
    pub fn new(keys: &KeyBundle) -> Self {
        Self {
            encryption_key: to_hex(&keys.encryption_key),
            encryption_proof: to_hex(&keys.encryption_proof),
            signing_key: to_hex(&keys.signing_key),
            signing_proof: to_hex(&keys.signing_proof),
        }
    }

    /// The keys; their proofs are checked by the session.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<KeyBundle, Error> {
        Ok(KeyBundle {
            encryption_key: exact(path, "encryption_key", &self.encryption_key)?,
            encryption_proof: exact(path, "encryption_proof", &self.encryption_proof)?,
            signing_key: exact(path, "signing_key", &self.signing_key)?,
            signing_proof: exact(path, "signing_proof", &self.signing_proof)?,
        })
    }
}

/// A player's secrets. They are wiped from memory when dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretFile {
    decryption_key: String,
    signing_key: String,
}

impl SecretFile {
    /// The content of `secret.json`.
    pub fn new(keys: &SecretKeys) -> Self {
        let (decryption, signing) = keys.to_bytes();
        Self { decryption_key: to_hex(&*decryption), signing_key: to_hex(&*signing) }
    }

    /// The secrets.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<SecretKeys, Error> {
        let decryption = exact(path, "decryption_key", &self.decryption_key)?;
        let signing = exact(path, "signing_key", &self.signing_key)?;
        SecretKeys::from_bytes(decryption, signing)
            .map_err(|fault| Error::field(path, "decryption_key", fault))
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        self.decryption_key.zeroize();
        self.signing_key.zeroize();
    }
}

/// Little-endian values by the numbers of the shares. They are wiped from memory when dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharesFile {
    shares: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    share: usize,
    value: String,
}

impl SharesFile {
    /// The content of a file of shares.
    pub fn new(shares: &[Share]) -> Self {
        let entry = |share: &Share| Entry {
            share: share.number(),
            value: to_hex(share.to_bytes().as_slice()),
        };
        Self { shares: shares.iter().map(entry).collect() }
    }

    /// The shares.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Field`].
    pub fn decode(&self, path: &Path) -> Result<Vec<Share>, Error> {
        let decode = |(place, entry): (usize, &Entry)| {
            let at = format!("shares[{place}].value");
            let value = Zeroizing::new(exact(path, &at, &entry.value)?);
            Share::from_bytes(entry.share, *value).map_err(|found| Error::field(path, at, found))
        };
        self.shares.iter().enumerate().map(decode).collect()
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.value.zeroize();
    }
}
