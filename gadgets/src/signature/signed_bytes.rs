//! Bytes that are signed as they are.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// Bytes that are signed as they are, of any number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SignedBytes(Arc<[u8]>);

impl SignedBytes {
    /// These bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Their SHA-256.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}
