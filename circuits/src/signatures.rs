//! Signatures of every scheme.

use muster_gadgets::signature::{self as edwards, bip340, ecdsa, SignatureError};

use crate::{
    scheme::{Family, Foreign},
    KeyKind, Scheme,
};

/// A signature whose bytes obey every rule of their encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Signature {
    /// Over Baby Jubjub: (R, s).
    Edwards(edwards::Signature),
    /// ECDSA by a member whose key is known: (r, s).
    Ecdsa(ecdsa::Signature),
    /// ECDSA by a member whose address is known: (r, s), and what the key is recovered by.
    Recoverable(ecdsa::Signature, ecdsa::RecoveryId),
    /// BIP-340: (x(R), s).
    Bip340(bip340::Signature),
}

impl Signature {
    /// Reads a signature by a member that is named as `keys` says.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that the bytes break.
    pub fn from_bytes(scheme: Scheme, keys: KeyKind, bytes: &[u8]) -> Result<Self, SignatureError> {
        match (scheme.family(None), keys) {
            (Family::Embedded(_), _) => edwards::Signature::from_bytes(bytes).map(Self::Edwards),
            (Family::Foreign(Foreign::Bip340), _) => {
                bip340::Signature::from_bytes(bytes).map(Self::Bip340)
            }
            (Family::Foreign(Foreign::Ecdsa { curve, .. }), KeyKind::Coordinates) => {
                ecdsa::Signature::from_bytes(curve, bytes).map(Self::Ecdsa)
            }
            (Family::Foreign(Foreign::Ecdsa { curve, .. }), KeyKind::Address) => {
                let (signature, id) = ecdsa::decode_recoverable(curve, bytes)?;
                Ok(Self::Recoverable(signature, id))
            }
        }
    }

    /// The bytes in the encoding of the scheme's own standard.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Edwards(signature) => signature.to_bytes().to_vec(),
            Self::Ecdsa(signature) => signature.to_bytes().to_vec(),
            Self::Recoverable(signature, id) => ecdsa::encode_recoverable(signature, *id).to_vec(),
            Self::Bip340(signature) => signature.to_bytes().to_vec(),
        }
    }

    /// The signature over Baby Jubjub, if it is one.
    pub fn edwards(&self) -> Option<&edwards::Signature> {
        match self {
            Self::Edwards(signature) => Some(signature),
            Self::Ecdsa(_) | Self::Recoverable(..) | Self::Bip340(_) => None,
        }
    }
}

impl From<edwards::Signature> for Signature {
    fn from(signature: edwards::Signature) -> Self {
        Self::Edwards(signature)
    }
}

impl From<ecdsa::Signature> for Signature {
    fn from(signature: ecdsa::Signature) -> Self {
        Self::Ecdsa(signature)
    }
}

impl From<(ecdsa::Signature, ecdsa::RecoveryId)> for Signature {
    fn from((signature, id): (ecdsa::Signature, ecdsa::RecoveryId)) -> Self {
        Self::Recoverable(signature, id)
    }
}

impl From<bip340::Signature> for Signature {
    fn from(signature: bip340::Signature) -> Self {
        Self::Bip340(signature)
    }
}

/// The signatures under a message.
#[derive(Clone, Debug)]
pub enum Signatures {
    /// One for each signer: the index of the member and its signature.
    Independent(Vec<(usize, Signature)>),
    /// One of all signers.
    Aggregate {
        /// Indices of the members.
        members: Vec<usize>,
        /// Their signature.
        signature: edwards::Signature,
    },
}

impl Signatures {
    /// Indices of the signers.
    pub fn members(&self) -> Vec<usize> {
        match self {
            Self::Independent(signatures) => signatures.iter().map(|(member, _)| *member).collect(),
            Self::Aggregate { members, .. } => members.clone(),
        }
    }
}
