//! Shares: of the secret, and of a signature.

use std::fmt;

use muster_schemes::signature::bls::{Ciphersuite, PublicKey, SecretKey, Signature};
use zeroize::Zeroizing;

use super::error::Error;

/// A signer's share of the secret. It is wiped from memory when dropped.
#[derive(Clone)]
pub struct SecretShare<S: Ciphersuite> {
    index: u32,
    key: SecretKey<S>,
}

/// A signer's share of a signature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignatureShare<S: Ciphersuite> {
    /// The signer, counted from 1.
    pub index: u32,
    /// Its signature, under its own public key.
    pub signature: Signature<S>,
}

impl<S: Ciphersuite> SecretShare<S> {
    /// The share of signer `index`, from 32 big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroIndex`], or [`Error::Scheme`] for zero and for integers that are not below the
    /// order.
    pub fn from_bytes(index: u32, bytes: [u8; 32]) -> Result<Self, Error> {
        let key = SecretKey::from_bytes(bytes)?;
        match index {
            0 => Err(Error::ZeroIndex),
            _ => Ok(Self { index, key }),
        }
    }

    /// The share of a signer that a dealer has counted, from 1.
    pub(super) fn new(index: u32, key: SecretKey<S>) -> Self {
        Self { index, key }
    }

    /// 32 big-endian bytes.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        self.key.to_bytes()
    }

    /// The signer, counted from 1.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The signer's own public key.
    pub fn public_key(&self) -> PublicKey<S> {
        self.key.public_key()
    }

    /// The signer's share of the signature on `message`.
    pub fn sign(&self, message: &S::Signed) -> SignatureShare<S> {
        SignatureShare { index: self.index, signature: self.key.sign(message) }
    }
}

impl<S: Ciphersuite> fmt::Debug for SecretShare<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SecretShare").field("index", &self.index).finish_non_exhaustive()
    }
}
