//! What participants keep and send each other while shares are made, renewed and repaired.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{check_suite, field, member, Document, FieldError, Hex};
use crate::frost::{Identifier, Suite, SuiteName};

/// The step that a parcel belongs to, and its role there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Key generation: what a member keeps after its first step.
    DkgSecret,
    /// Key generation: what a member publishes.
    DkgCommitment,
    /// Key generation: what a member keeps after its second step.
    DkgState,
    /// Key generation: a secret share for another member.
    DkgShare,
    /// A dealer's refresh: what a member adds to its share.
    Refresh,
    /// A refresh without a dealer: what a member keeps after its first step.
    RefreshSecret,
    /// A refresh without a dealer: what a member publishes.
    RefreshCommitment,
    /// A refresh without a dealer: what a member keeps after its second step.
    RefreshState,
    /// A refresh without a dealer: a secret share for another member.
    RefreshShare,
    /// A helper's part of a lost share, for another helper.
    RepairPart,
    /// What a helper sends to the member whose share is lost.
    RepairSum,
}

impl Kind {
    /// The name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DkgSecret => "dkg-secret",
            Self::DkgCommitment => "dkg-commitment",
            Self::DkgState => "dkg-state",
            Self::DkgShare => "dkg-share",
            Self::Refresh => "refresh",
            Self::RefreshSecret => "refresh-secret",
            Self::RefreshCommitment => "refresh-commitment",
            Self::RefreshState => "refresh-state",
            Self::RefreshShare => "refresh-share",
            Self::RepairPart => "repair-part",
            Self::RepairSum => "repair-sum",
        }
    }

    /// Whether only its owner, or its receiver, may see such a parcel.
    pub fn is_secret(self) -> bool {
        !matches!(self, Self::DkgCommitment | Self::RefreshCommitment)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `{"suite": "…", "kind": "dkg-share", "from": 1, "to": 2, "content": "0x…"}`; the content is what
/// frost-core writes. If the key exists already, it is in `public_key`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parcel {
    pub(crate) suite: SuiteName,
    pub(crate) kind: Kind,
    /// The group's key; none while it is being made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) public_key: Option<Hex>,
    /// Who made it; none where a dealer did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<u16>,
    /// Whom it is for; none where it is for everybody, or for its maker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<u16>,
    /// Which repair it is part of, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repair: Option<Repair>,
    pub(crate) content: Hex,
}

/// Which repair a parcel belongs to. `{"lost": 2, "helpers": [1, 3], "run": "0x…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// Whose share is lost.
    pub lost: u16,
    /// All helpers, in order.
    pub helpers: Vec<u16>,
    /// For a part, random bytes of the helper that made it; for a sum, the hash of those of all
    /// parts.
    pub run: Hex,
}

impl Parcel {
    /// A parcel of the suite `C`, from nobody and for nobody.
    pub(crate) fn new<C: Suite>(kind: Kind, content: Vec<u8>) -> Self {
        let content = Hex::new(content);
        Self { suite: C::NAME, kind, public_key: None, from: None, to: None, repair: None, content }
    }

    /// Its step.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The group's public key, if there was one.
    pub fn public_key(&self) -> Option<&Hex> {
        self.public_key.as_ref()
    }

    /// The number of its maker, if it says so.
    pub fn maker(&self) -> Option<u16> {
        self.from
    }

    /// The number of its receiver, if it says so.
    pub fn receiver(&self) -> Option<u16> {
        self.to
    }

    /// Checks that it is of the suite `C`, this step, and the group with this key.
    pub(crate) fn check<C: Suite>(&self, kind: Kind, key: Option<&Hex>) -> Result<(), FieldError> {
        check_suite::<C>(self.suite)?;
        if self.kind != kind {
            return Err(FieldError::new("kind", format!("{}, not {kind}", self.kind)));
        }
        let other = || FieldError::new("public_key", "that of another group, or none");
        (self.public_key.as_ref() == key).then_some(()).ok_or_else(other)
    }

    /// The decoded content, whose bytes must be exactly those that `encode` makes.
    pub(crate) fn content<C: Suite, T>(
        &self,
        decode: impl FnOnce(&[u8]) -> Result<T, frost_core::Error<C>>,
        encode: impl FnOnce(&T) -> Result<Vec<u8>, frost_core::Error<C>>,
    ) -> Result<T, FieldError> {
        let value = field("content", decode(self.content.bytes()))?;
        // frost-core ignores trailing bytes.
        let is_canonical = field("content", encode(&value)).map(Hex::new)? == self.content;
        let reason = "trailing bytes, or not the canonical encoding";
        is_canonical.then_some(value).ok_or_else(|| FieldError::new("content", reason))
    }

    /// Who made it.
    pub(crate) fn from<C: Suite>(&self) -> Result<Identifier<C>, FieldError> {
        let from = self.from.ok_or_else(|| FieldError::new("from", "missing"))?;
        member::<C>("from", from)
    }

    /// Checks that it is for this participant.
    pub(crate) fn check_receiver<C: Suite>(&self, to: &Identifier<C>) -> Result<(), FieldError> {
        let found = self.to.ok_or_else(|| FieldError::new("to", "missing"))?;
        let is_receiver = member::<C>("to", found)? == *to;
        is_receiver.then_some(()).ok_or_else(|| FieldError::new("to", "another member"))
    }

    /// Which repair it is of.
    pub(crate) fn repair(&self) -> Result<&Repair, FieldError> {
        self.repair.as_ref().ok_or_else(|| FieldError::new("repair", "missing"))
    }
}

impl Document for Parcel {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        self.kind.is_secret()
    }
}
