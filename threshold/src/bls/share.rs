//! Shares: of the secret, and of a signature.

use std::fmt;

use ff::{Field, PrimeField};
use zeroize::Zeroizing;

use super::{Error, PublicKey, Signature, Suite};

/// A signer's share of the secret. It is wiped from memory when dropped.
#[derive(Clone)]
pub struct SecretShare<S: Suite> {
    index: u32,
    secret: Zeroizing<[u8; 32]>,
    scheme: std::marker::PhantomData<S>,
}

/// A signer's share of a signature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignatureShare<S: Suite> {
    /// The signer, counted from 1.
    pub index: u32,
    /// Its signature, under its own public key.
    pub signature: Signature<S>,
}

impl<S: Suite> SecretShare<S> {
    /// The share of signer `index`, from 32 big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroIndex`], or [`Error::BadSecret`] for zero and for what is not below the order.
    pub fn from_bytes(index: u32, bytes: [u8; 32]) -> Result<Self, Error> {
        let mut secret = Zeroizing::new(bytes);
        secret.reverse();
        let scalar = S::Scalar::from_repr(*secret).into_option().ok_or(Error::BadSecret)?;
        if index == 0 {
            return Err(Error::ZeroIndex);
        }
        if bool::from(scalar.is_zero()) {
            return Err(Error::BadSecret);
        }
        Ok(Self { index, secret, scheme: std::marker::PhantomData })
    }

    pub(super) fn new(index: u32, scalar: &S::Scalar) -> Self {
        let secret = Zeroizing::new(scalar.to_repr());
        Self { index, secret, scheme: std::marker::PhantomData }
    }

    /// 32 big-endian bytes.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        let mut bytes = self.secret.clone();
        bytes.reverse();
        bytes
    }

    /// The signer, counted from 1.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The signer's own public key.
    pub fn public_key(&self) -> PublicKey<S> {
        PublicKey(S::public_key(&self.scalar()))
    }

    /// The signer's share of the signature of `message`.
    pub fn sign(&self, message: &[u8]) -> SignatureShare<S> {
        let signature = Signature(S::sign(&self.scalar(), message));
        SignatureShare { index: self.index, signature }
    }

    fn scalar(&self) -> S::Scalar {
        // Both constructors saw a scalar below the order and other than zero.
        S::Scalar::from_repr(*self.secret).unwrap_or(S::Scalar::ONE)
    }
}

impl<S: Suite> fmt::Debug for SecretShare<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SecretShare").field("index", &self.index).finish_non_exhaustive()
    }
}
