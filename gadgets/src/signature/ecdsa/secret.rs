//! Secret keys.

use std::fmt;

use blake2::{Blake2b512, Digest};
use k256::elliptic_curve::{self, FieldBytes, NonZeroScalar};
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::native::{point_of, Suite};
use crate::curve::weierstrass::Point;
use crate::signature::SignatureError;

const KEY_LABEL: &str = "muster.ecdsa.key.v1";

/// A secret scalar between 1 and n - 1, with its public key. It is wiped when dropped.
#[derive(Clone)]
pub struct SecretKey<C: Suite> {
    inner: elliptic_curve::SecretKey<C>,
    public_key: Point,
}

impl<C: Suite> SecretKey<C> {
    /// A fresh key.
    pub fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        Self::new(elliptic_curve::SecretKey::random(rng))
    }

    /// Reads 32 big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::SecretKey`] if the integer is zero or
    /// not below n.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let bytes: &[u8; 32] = bytes
            .try_into()
            .map_err(|_| SignatureError::WrongLength { expected: 32, found: bytes.len() })?;
        elliptic_curve::SecretKey::from_bytes(FieldBytes::<C>::from_slice(bytes))
            .map(Self::new)
            .map_err(|_| SignatureError::SecretKey)
    }

    /// The key that a seed stands for: the first 32 bytes of the Blake2b-512 of a label, the name
    /// of the scheme, a counter and the seed, with the least counter for which they are a key.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] if all 256 counters fail.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, SignatureError> {
        (0..=u8::MAX)
            .find_map(|counter| {
                let hash = Blake2b512::new_with_prefix(KEY_LABEL)
                    .chain_update(C::NAME)
                    .chain_update([counter])
                    .chain_update(seed)
                    .finalize();
                let digest = Zeroizing::new(<[u8; 64]>::from(hash));
                Self::from_bytes(&digest[..32]).ok()
            })
            .ok_or(SignatureError::SecretKey)
    }

    /// 32 big-endian bytes, wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.inner.to_bytes().into())
    }

    /// The public key.
    pub fn public_key(&self) -> Point {
        self.public_key
    }

    pub(super) fn scalar(&self) -> Zeroizing<NonZeroScalar<C>> {
        Zeroizing::new(self.inner.to_nonzero_scalar())
    }

    fn new(inner: elliptic_curve::SecretKey<C>) -> Self {
        let point = point_of::<C>(inner.public_key().as_affine());
        Self { inner, public_key: point.expect("a secret key is not zero") }
    }
}

impl<C: Suite> fmt::Debug for SecretKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}
