//! Messages that are hashed to points.

use crate::signature::signed_bytes::SignedBytes;

/// Bytes that signers hash to a point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HashedBytes(SignedBytes);

impl HashedBytes {
    /// How many of them are public themselves.
    pub const PUBLIC_BYTES: usize = 32;

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// The bytes as signers of other schemes have them.
    pub fn signed(&self) -> &SignedBytes {
        &self.0
    }
}

impl From<SignedBytes> for HashedBytes {
    fn from(bytes: SignedBytes) -> Self {
        Self(bytes)
    }
}

impl From<[u8; Self::PUBLIC_BYTES]> for HashedBytes {
    fn from(bytes: [u8; Self::PUBLIC_BYTES]) -> Self {
        SignedBytes::new(&bytes).into()
    }
}
