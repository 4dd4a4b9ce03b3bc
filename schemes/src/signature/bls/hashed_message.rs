//! Messages of schemes that hash to points.

use super::{scheme::Groups, signed_point::SignedPoint};
use crate::signature::signed_bytes::SignedBytes;

/// Length of messages whose bytes are public themselves.
pub const PUBLIC_BYTES: usize = 32;

/// What is signed where bytes are hashed to a point.
#[derive(Clone, Debug, PartialEq)]
pub enum HashedMessage<S: Groups> {
    /// Bytes, which signers hash.
    Bytes(SignedBytes),
    /// A point, to which the verifier has hashed something.
    Point(SignedPoint<S>),
}

impl<S: Groups> HashedMessage<S> {
    /// The bytes, if they are known.
    pub fn bytes(&self) -> Option<&SignedBytes> {
        match self {
            Self::Bytes(signed) => Some(signed),
            Self::Point(_) => None,
        }
    }
}

impl<S: Groups> Default for HashedMessage<S> {
    fn default() -> Self {
        Self::Bytes(SignedBytes::default())
    }
}

impl<S: Groups> From<SignedBytes> for HashedMessage<S> {
    fn from(bytes: SignedBytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl<S: Groups> From<[u8; PUBLIC_BYTES]> for HashedMessage<S> {
    fn from(bytes: [u8; PUBLIC_BYTES]) -> Self {
        SignedBytes::new(&bytes).into()
    }
}

impl<S: Groups> From<SignedPoint<S>> for HashedMessage<S> {
    fn from(point: SignedPoint<S>) -> Self {
        Self::Point(point)
    }
}
