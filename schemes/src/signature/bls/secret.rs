//! Secret keys.

use std::{fmt, marker::PhantomData};

use ff::{Field, PrimeField};
use zeroize::Zeroizing;

use super::{
    point::{PublicKey, Signature},
    scheme::{BlsError, Ciphersuite},
};

/// A secret scalar from 1 to the order of the group minus 1. It is wiped from memory when dropped.
#[derive(Clone)]
pub struct SecretKey<S: Ciphersuite> {
    /// Little-endian.
    bytes: Zeroizing<[u8; 32]>,
    suite: PhantomData<S>,
}

impl<S: Ciphersuite> SecretKey<S> {
    /// Reads 32 big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`BlsError::BadSecret`] for zero, and for integers that are not below the order.
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, BlsError> {
        let mut bytes = Zeroizing::new(bytes);
        bytes.reverse();
        let scalar = S::Scalar::from_repr(*bytes).into_option().ok_or(BlsError::BadSecret)?;
        Self::from_scalar(&scalar)
    }

    /// The key of a scalar.
    ///
    /// # Errors
    ///
    /// [`BlsError::BadSecret`] for zero.
    pub fn from_scalar(scalar: &S::Scalar) -> Result<Self, BlsError> {
        if bool::from(scalar.is_zero()) {
            return Err(BlsError::BadSecret);
        }
        Ok(Self { bytes: Zeroizing::new(scalar.to_repr()), suite: PhantomData })
    }

    /// 32 big-endian bytes.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        let mut bytes = self.bytes.clone();
        bytes.reverse();
        bytes
    }

    /// The public key.
    pub fn public_key(&self) -> PublicKey<S> {
        PublicKey(S::public_key(&self.scalar()))
    }

    pub(super) fn scalar(&self) -> S::Scalar {
        // It was made from a scalar below the order and other than zero.
        S::Scalar::from_repr(*self.bytes).unwrap_or(S::Scalar::ONE)
    }

    /// The signature of a message.
    pub fn sign(&self, message: &S::Signed) -> Signature<S> {
        Signature(S::sign(&self.scalar(), message))
    }
}

impl<S: Ciphersuite> fmt::Debug for SecretKey<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SecretKey").finish_non_exhaustive()
    }
}
