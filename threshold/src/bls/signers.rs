//! Sets of signers, the points at which they hold their shares, and shares: of the secret, and of a signature.

use std::{fmt, str::FromStr};

use muster_schemes::signature::bls::{Ciphersuite, PublicKey, SecretKey, Signature};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::Error;

/// The most signers of a committee: roots of unity of that order exist, and no index overflows.
pub const MOST_SIGNERS: usize = 1 << 24;

/// Different signers of a committee, in ascending order. Each index is within 1..=n: none of them is
/// the point of the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signers {
    indices: Vec<u32>,
    committee: usize,
}

impl Signers {
    /// Signers of a committee of `committee`, in any order.
    ///
    /// # Errors
    ///
    /// [`Error::CommitteeSize`], [`Error::NoSigners`], [`Error::ZeroIndex`], [`Error::UnknownIndex`] or
    /// [`Error::DuplicateIndex`].
    pub fn new(mut indices: Vec<u32>, committee: usize) -> Result<Self, Error> {
        if !(1..=MOST_SIGNERS).contains(&committee) {
            return Err(Error::CommitteeSize { signers: committee });
        }
        indices.sort_unstable();
        let (Some(first), Some(last)) = (indices.first(), indices.last()) else {
            return Err(Error::NoSigners);
        };
        if *first == 0 {
            return Err(Error::ZeroIndex);
        }
        if *last as usize > committee {
            return Err(Error::UnknownIndex { index: *last, signers: committee });
        }
        if let Some(pair) = indices.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateIndex { index: pair[0] });
        }
        Ok(Self { indices, committee })
    }

    /// Their indices, ascending.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// How many there are, at least one.
    pub fn count(&self) -> usize {
        self.indices.len()
    }

    /// Size of their committee.
    pub fn committee(&self) -> usize {
        self.committee
    }
}

/// The points of a committee's shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identities {
    /// Signer i at i: what most tools use.
    #[default]
    Consecutive,
    /// Signer i at ω^(i−1), with ω a root of unity whose order is the least power of two that holds
    /// all signers. Aggregation is faster.
    RootsOfUnity,
}

impl Identities {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Consecutive, Self::RootsOfUnity];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consecutive => "consecutive",
            Self::RootsOfUnity => "roots-of-unity",
        }
    }
}

impl fmt::Display for Identities {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Identities {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|identities| identities.name() == name);
        found.ok_or_else(|| Error::UnknownName {
            name: name.to_owned(),
            known: "consecutive, roots-of-unity",
        })
    }
}

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
