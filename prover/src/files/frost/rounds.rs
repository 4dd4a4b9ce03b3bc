//! The two rounds: nonces and their commitment, and a share of the signature.

use std::path::Path;

use muster_threshold::frost::{
    frost_core::round1::Nonce, Commitment, Identifier, Nonces, SignatureShare, Suite, SuiteName,
};
use serde::{Deserialize, Serialize};

use super::{field, member, number, read, Hex};
use crate::Error;

/// `{"suite": "…", "member": 1, "hiding": "0x…", "binding": "0x…"}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitmentFile {
    suite: SuiteName,
    member: u16,
    hiding: Hex,
    binding: Hex,
}

impl CommitmentFile {
    /// The file of a member's commitment.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a member without a number.
    pub fn new<C: Suite>(id: &Identifier<C>, commitment: &Commitment<C>) -> Result<Self, Error> {
        let (hiding, binding) = commitment.to_bytes();
        let (hiding, binding) = (Hex::new(hiding), Hex::new(binding));
        Ok(Self { suite: C::NAME, member: number::<C>(id)?, hiding, binding })
    }

    /// Reads a commitment of the suite `C`, and whose it is. Both points are checked.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the field, or what reading a file may give.
    pub fn read<C: Suite>(path: &Path) -> Result<(Identifier<C>, Commitment<C>), Error> {
        let file: Self = read::<C, _>(path)?;
        let id = member::<C>(path, "member", file.member)?;
        // Each point alone, so that the error names it.
        let check = |at, bytes: &[u8]| {
            let whole = Commitment::<C>::from_bytes(bytes, bytes);
            whole.map_err(|error| Error::field(path, at, error))
        };
        check("hiding", &file.hiding.0)?;
        check("binding", &file.binding.0)?;
        Ok((id, Commitment::from_bytes(&file.hiding.0, &file.binding.0)?))
    }
}

/// `{"suite": "…", "member": 1, "hiding_nonce": "0x…", "binding_nonce": "0x…"}`, and after their use
/// `{"suite": "…", "member": 1, "used": true}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoncesFile {
    suite: SuiteName,
    member: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hiding_nonce: Option<Hex>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    binding_nonce: Option<Hex>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    used: bool,
}

impl NoncesFile {
    /// The file of a member's nonces.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a member without a number.
    pub fn new<C: Suite>(id: &Identifier<C>, nonces: &Nonces<C>) -> Result<Self, Error> {
        Ok(Self {
            suite: C::NAME,
            member: number::<C>(id)?,
            hiding_nonce: Some(Hex::new(nonces.hiding().serialize())),
            binding_nonce: Some(Hex::new(nonces.binding().serialize())),
            used: false,
        })
    }

    /// What is left of the file when the nonces have been used.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a member without a number.
    pub fn used<C: Suite>(id: &Identifier<C>) -> Result<Self, Error> {
        let member = number::<C>(id)?;
        Ok(Self { suite: C::NAME, member, hiding_nonce: None, binding_nonce: None, used: true })
    }

    /// Reads the nonces of the suite `C`, and whose they are.
    ///
    /// # Errors
    ///
    /// [`Error::File`] for nonces that have been used, [`Error::Field`] naming the field, or what
    /// reading a file may give.
    pub fn read<C: Suite>(path: &Path) -> Result<(Identifier<C>, Nonces<C>), Error> {
        let file: Self = read::<C, _>(path)?;
        if file.used {
            let reason = "used already: a second signature would give the secret share away; make \
                          new ones with `muster frost commit`";
            return Err(Error::file(path, reason));
        }
        let id = member::<C>(path, "member", file.member)?;
        let nonce = |at, hex: &Option<Hex>| {
            let hex = hex.as_ref().ok_or_else(|| Error::field(path, at, "missing"))?;
            field(path, at, Nonce::<C>::deserialize(&hex.0))
        };
        let hiding = nonce("hiding_nonce", &file.hiding_nonce)?;
        let binding = nonce("binding_nonce", &file.binding_nonce)?;
        Ok((id, Nonces::from_nonces(hiding, binding)))
    }
}

/// `{"suite": "…", "member": 1, "signature_share": "0x…"}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureShareFile {
    suite: SuiteName,
    member: u16,
    signature_share: Hex,
}

impl SignatureShareFile {
    /// The file of a member's share.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a member without a number.
    pub fn new<C: Suite>(id: &Identifier<C>, share: &SignatureShare<C>) -> Result<Self, Error> {
        let signature_share = Hex::new(share.serialize());
        Ok(Self { suite: C::NAME, member: number::<C>(id)?, signature_share })
    }

    /// Reads a share of the suite `C`, and whose it is.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the field, or what reading a file may give.
    pub fn read<C: Suite>(path: &Path) -> Result<(Identifier<C>, SignatureShare<C>), Error> {
        let file: Self = read::<C, _>(path)?;
        let id = member::<C>(path, "member", file.member)?;
        let share = SignatureShare::<C>::deserialize(&file.signature_share.0);
        Ok((id, field(path, "signature_share", share)?))
    }
}
