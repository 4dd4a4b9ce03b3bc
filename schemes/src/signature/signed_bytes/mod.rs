//! Bytes that are signed as they are.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// Bytes of any length that are signed as they are.
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

    /// The first `most` bytes, or all if there are fewer.
    pub fn up_to(&self, most: usize) -> Self {
        Self::new(&self.0[..self.0.len().min(most)])
    }

    /// Their SHA-256.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}
