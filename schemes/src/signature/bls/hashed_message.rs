//! Messages of schemes that hash to points.

use super::{scheme::Ciphersuite, signed_point::SignedPoint};
use crate::signature::signed_bytes::SignedBytes;

/// Length of messages whose bytes are public themselves.
pub const PUBLIC_BYTES: usize = 32;

/// What is signed where bytes are hashed to a point.
#[derive(Clone, Debug, PartialEq)]
pub enum HashedMessage<S: Ciphersuite> {
    /// Bytes, which signers hash.
    Bytes(SignedBytes),
    /// A point, to which the verifier has hashed something.
    Point(SignedPoint<S>),
}

impl<S: Ciphersuite> HashedMessage<S> {
    /// The bytes, if they are known.
    pub fn bytes(&self) -> Option<&SignedBytes> {
        match self {
            Self::Bytes(signed) => Some(signed),
            Self::Point(_) => None,
        }
    }
}

impl<S: Ciphersuite> Default for HashedMessage<S> {
    fn default() -> Self {
        Self::Bytes(SignedBytes::default())
    }
}

impl<S: Ciphersuite> From<SignedBytes> for HashedMessage<S> {
    fn from(bytes: SignedBytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl<S: Ciphersuite> From<[u8; PUBLIC_BYTES]> for HashedMessage<S> {
    fn from(bytes: [u8; PUBLIC_BYTES]) -> Self {
        SignedBytes::new(&bytes).into()
    }
}

impl<S: Ciphersuite> From<SignedPoint<S>> for HashedMessage<S> {
    fn from(point: SignedPoint<S>) -> Self {
        Self::Point(point)
    }
}
