//! The two rounds: nonces and their commitment, a share of the signature, and the signature.

use frost_core::{round1::Nonce, round2, VerifyingKey};
use serde::{Deserialize, Serialize};

use super::{check_suite, field, member, number, Document, FieldError, Hex};
use crate::frost::{
    Commitment, FrostError, Identifier, KeyShare, Nonces, PackageDigest, Signature, SignatureShare,
    Suite, SuiteName,
};

/// `{"suite": "…", "public_key": "0x…", "member": 1, "hiding": "0x…", "binding": "0x…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitmentFile {
    suite: SuiteName,
    public_key: Hex,
    member: u16,
    hiding: Hex,
    binding: Hex,
}

impl CommitmentFile {
    /// The document of a commitment that this share's member has made.
    ///
    /// # Errors
    ///
    /// [`FrostError::NoNumber`] for a member without a number.
    pub fn encode<C: Suite>(
        share: &KeyShare<C>,
        commitment: &Commitment<C>,
    ) -> Result<Self, FrostError> {
        let (hiding, binding) = commitment.to_bytes();
        Ok(Self {
            suite: C::NAME,
            public_key: Hex::new(share.verifying_key().serialize()?),
            member: number::<C>(share.identifier())?,
            hiding: Hex::new(hiding),
            binding: Hex::new(binding),
        })
    }

    /// The commitment of the suite `C` for the group of this key, and whose it is. Both points are
    /// checked.
    ///
    /// # Errors
    ///
    /// [`FieldError`] naming the field.
    pub fn decode<C: Suite>(
        &self,
        key: &Hex,
    ) -> Result<(Identifier<C>, Commitment<C>), FieldError> {
        check_suite::<C>(self.suite)?;
        check_key(&self.public_key, key)?;
        let id = member::<C>("member", self.member)?;
        // Each point alone, so that the error names it.
        let check = |at, bytes: &[u8]| {
            let whole = Commitment::<C>::from_bytes(bytes, bytes);
            whole.map_err(|error| FieldError::new(at, error))
        };
        check("hiding", self.hiding.bytes())?;
        check("binding", self.binding.bytes())?;
        let commitment = Commitment::from_bytes(self.hiding.bytes(), self.binding.bytes());
        Ok((id, commitment.map_err(|error| FieldError::new("binding", error))?))
    }
}

impl Document for CommitmentFile {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        false
    }
}

/// `{"suite": "…", "member": 1, "public_key": "0x…", "hiding_nonce": "0x…", "binding_nonce":
/// "0x…"}`, and once they have been used `{"suite": "…", "member": 1, "used": true}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoncesFile {
    suite: SuiteName,
    member: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    public_key: Option<Hex>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hiding_nonce: Option<Hex>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    binding_nonce: Option<Hex>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    used: bool,
}

impl NoncesFile {
    /// The document of the nonces of this share's member.
    ///
    /// # Errors
    ///
    /// [`FrostError::NoNumber`] for a member without a number.
    pub fn encode<C: Suite>(share: &KeyShare<C>, nonces: &Nonces<C>) -> Result<Self, FrostError> {
        Ok(Self {
            suite: C::NAME,
            member: number::<C>(share.identifier())?,
            public_key: Some(Hex::new(share.verifying_key().serialize()?)),
            hiding_nonce: Some(Hex::new(nonces.hiding().serialize())),
            binding_nonce: Some(Hex::new(nonces.binding().serialize())),
            used: false,
        })
    }

    /// What is left of the document once the nonces have been used.
    pub fn used_up(&self) -> Self {
        Self {
            suite: self.suite,
            member: self.member,
            public_key: None,
            hiding_nonce: None,
            binding_nonce: None,
            used: true,
        }
    }

    /// Whether the nonces have been used.
    pub fn is_used(&self) -> bool {
        self.used
    }

    /// The nonces of the suite `C` of this share's member.
    ///
    /// # Errors
    ///
    /// [`FieldError`] naming the field; `used` for nonces that have been used.
    pub fn decode<C: Suite>(&self, share: &KeyShare<C>) -> Result<Nonces<C>, FieldError> {
        check_suite::<C>(self.suite)?;
        if self.used {
            let reason = "a second signature would give the secret share away";
            return Err(FieldError::new("used", reason));
        }
        let missing = |at| FieldError::new(at, "missing");
        let nonce = |at, hex: &Option<Hex>| {
            let hex = hex.as_ref().ok_or_else(|| missing(at))?;
            field(at, Nonce::<C>::deserialize(hex.bytes()))
        };
        let hiding = nonce("hiding_nonce", &self.hiding_nonce)?;
        let binding = nonce("binding_nonce", &self.binding_nonce)?;
        if member::<C>("member", self.member)? != *share.identifier() {
            let reason =
                format!("member {}'s nonces, but the share is another member's", self.member);
            return Err(FieldError::new("member", reason));
        }
        let key = self.public_key.as_ref().ok_or_else(|| missing("public_key"))?;
        let expected = field::<C, _>("public_key", share.verifying_key().serialize())?;
        check_key(key, &Hex::new(expected))?;
        Ok(Nonces::from_nonces(hiding, binding))
    }
}

impl Document for NoncesFile {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        !self.used
    }
}

/// `{"suite": "…", "public_key": "0x…", "member": 1, "package": "0x…", "signature_share": "0x…"}`; the
/// package is its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureShareFile {
    suite: SuiteName,
    public_key: Hex,
    member: u16,
    package: Hex,
    signature_share: Hex,
}

impl SignatureShareFile {
    /// The document of the signature share of this share's member.
    ///
    /// # Errors
    ///
    /// [`FrostError::NoNumber`] for a member without a number.
    pub fn encode<C: Suite>(
        share: &KeyShare<C>,
        signed: &SignatureShare<C>,
    ) -> Result<Self, FrostError> {
        Ok(Self {
            suite: C::NAME,
            public_key: Hex::new(share.verifying_key().serialize()?),
            member: number::<C>(share.identifier())?,
            package: Hex::new(signed.package().0),
            signature_share: Hex::new(signed.inner().serialize()),
        })
    }

    /// The share of the suite `C` for the group of this key, and whose it is.
    ///
    /// # Errors
    ///
    /// [`FieldError`] naming the field.
    pub fn decode<C: Suite>(
        &self,
        key: &Hex,
    ) -> Result<(Identifier<C>, SignatureShare<C>), FieldError> {
        check_suite::<C>(self.suite)?;
        check_key(&self.public_key, key)?;
        let id = member::<C>("member", self.member)?;
        let package = self.package.bytes().try_into();
        let package = package.map_err(|_| FieldError::new("package", "not 32 bytes"))?;
        let share = round2::SignatureShare::<C>::deserialize(self.signature_share.bytes());
        let share = field("signature_share", share)?;
        Ok((id, SignatureShare::new(share, PackageDigest(package))))
    }
}

impl Document for SignatureShareFile {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        false
    }
}

/// `{"suite": "…", "public_key": "0x…", "message": "0x…", "signature": "0x…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureFile {
    suite: SuiteName,
    public_key: Hex,
    message: Hex,
    signature: Hex,
}

impl SignatureFile {
    /// The document of a signature.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if the key or the signature cannot be written.
    pub fn encode<C: Suite>(
        key: &VerifyingKey<C>,
        message: &[u8],
        signature: &Signature<C>,
    ) -> Result<Self, FrostError> {
        Ok(Self {
            suite: C::NAME,
            public_key: Hex::new(key.serialize()?),
            message: Hex::new(message),
            signature: Hex::new(signature.serialize()?),
        })
    }

    /// The signature in the suite `C` on this message for the group with this key; the caller
    /// supplies both.
    ///
    /// # Errors
    ///
    /// [`FieldError`] naming the field.
    pub fn decode<C: Suite>(&self, key: &Hex, message: &[u8]) -> Result<Signature<C>, FieldError> {
        check_suite::<C>(self.suite)?;
        check_key(&self.public_key, key)?;
        if self.message.bytes() != message {
            return Err(FieldError::new("message", "a signature on another message"));
        }
        field("signature", Signature::<C>::deserialize(self.signature.bytes()))
    }

    /// The group's public key.
    pub fn public_key(&self) -> &Hex {
        &self.public_key
    }

    /// The signature's encoding.
    pub fn signature(&self) -> &Hex {
        &self.signature
    }
}

impl Document for SignatureFile {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        false
    }
}

fn check_key(found: &Hex, expected: &Hex) -> Result<(), FieldError> {
    let other = || FieldError::new("public_key", "that of another group");
    (found == expected).then_some(()).ok_or_else(other)
}
