//! What is signed: points in the group of a suite's signatures, and bytes that are hashed to them.

use ff::Field;
use rand_core::RngCore;

use super::{
    point::{PublicKey, Signature},
    point_message::PointMessage,
    scheme::Ciphersuite,
    secret::SecretKey,
};
use crate::signature::signed_bytes::SignedBytes;

/// A point that is signed: the hash of a message, or one that is itself a message. It is also the signature by the
/// secret 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedPoint<S: Ciphersuite>(pub(super) S::Point);

impl<S: Ciphersuite> SignedPoint<S> {
    /// The signature by a secret, not in constant time.
    pub fn signed_by(&self, secret: &SecretKey<S>) -> Signature<S> {
        let multiple = S::combine(&[self.0], &[secret.scalar()]);
        Signature(multiple.expect("neither the point nor the secret is 0"))
    }

    /// Whether the signature is one by the key.
    pub fn is_signed(&self, key: &PublicKey<S>, signature: &Signature<S>) -> bool {
        S::is_multiple(&key.0, &self.0, &signature.0)
    }

    /// The signature by the secret 1.
    pub fn by_one(&self) -> Signature<S> {
        Signature(self.0)
    }

    /// The point of a message; `None` for one of another group.
    pub fn of(message: &PointMessage) -> Option<Self> {
        let is_of_group = message.group() == S::GROUP;
        let read = || S::decode_coordinates(&message.to_bytes()).ok().map(Self);
        is_of_group.then(read).flatten()
    }

    /// The point as a message.
    pub fn message(&self) -> PointMessage {
        PointMessage::known(S::GROUP, S::point_numbers(&self.coordinates()))
    }

    /// The coordinates.
    pub fn coordinates(&self) -> S::RawPoint {
        S::point_coordinates(&self.0)
    }

    /// A random multiple of the generator. For samples only, since whoever drew it knows its logarithm.
    pub(crate) fn random(rng: &mut impl RngCore) -> Self {
        let secret = SecretKey::from_scalar(&S::Scalar::random(rng));
        secret.map_or_else(|_| Self::default(), |secret| Self(Self::default().signed_by(&secret).0))
    }
}

/// The generator.
impl<S: Ciphersuite> Default for SignedPoint<S> {
    fn default() -> Self {
        Self::of(&PointMessage::generator(S::GROUP)).expect("it is in the group")
    }
}

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
