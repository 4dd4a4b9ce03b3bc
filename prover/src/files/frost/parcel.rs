//! What participants keep and send each other while shares are made, renewed and repaired.

use std::{fmt, path::Path};

use muster_threshold::frost::{frost_core, Identifier, Suite, SuiteName};
use serde::{Deserialize, Serialize};

use super::{field, member, read, Hex};
use crate::Error;

/// The step that a parcel belongs to.
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
    /// What a member adds to its share.
    Refresh,
    /// A helper's part of a lost share, for another helper.
    RepairPart,
    /// What a helper sends to the member whose share is lost.
    RepairSum,
}

impl Kind {
    /// Whether only some may see it.
    pub(crate) fn is_secret(self) -> bool {
        match self {
            Self::DkgCommitment => false,
            Self::DkgSecret
            | Self::DkgState
            | Self::DkgShare
            | Self::Refresh
            | Self::RepairPart
            | Self::RepairSum => true,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DkgSecret => "dkg-secret",
            Self::DkgCommitment => "dkg-commitment",
            Self::DkgState => "dkg-state",
            Self::DkgShare => "dkg-share",
            Self::Refresh => "refresh",
            Self::RepairPart => "repair-part",
            Self::RepairSum => "repair-sum",
        })
    }
}

/// `{"suite": "…", "kind": "dkg-share", "from": 1, "to": 2, "content": "0x…"}`; the content is what
/// frost-core writes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parcel {
    suite: SuiteName,
    kind: Kind,
    /// Who made it; none where a dealer did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<u16>,
    /// Whom it is for; none where it is for everybody, or for who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<u16>,
    content: Hex,
}

impl Parcel {
    /// A parcel of the suite `C`.
    pub fn new<C: Suite>(
        kind: Kind,
        from: Option<u16>,
        to: Option<u16>,
        content: impl Into<Vec<u8>>,
    ) -> Self {
        Self { suite: C::NAME, kind, from, to, content: Hex::new(content) }
    }

    /// Reads a parcel of the suite `C` and this kind.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for another suite or kind, or what reading a file may give.
    pub fn read<C: Suite>(path: &Path, kind: Kind) -> Result<Self, Error> {
        let parcel: Self = read::<C, _>(path)?;
        match parcel.kind == kind {
            true => Ok(parcel),
            false => Err(Error::field(path, "kind", format!("{}, not {kind}", parcel.kind))),
        }
    }

    /// What is in it.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] if `decode` refuses it.
    pub fn content<C: Suite, T>(
        &self,
        path: &Path,
        decode: impl FnOnce(&[u8]) -> Result<T, frost_core::Error<C>>,
    ) -> Result<T, Error> {
        field(path, "content", decode(&self.content.0))
    }

    /// Who made it.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] if it does not say, or says zero.
    pub fn from<C: Suite>(&self, path: &Path) -> Result<Identifier<C>, Error> {
        let from = self.from.ok_or_else(|| Error::field(path, "from", "missing"))?;
        member::<C>(path, "from", from)
    }

    /// Whom it is for.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] if it does not say, or says zero.
    pub fn to<C: Suite>(&self, path: &Path) -> Result<Identifier<C>, Error> {
        let to = self.to.ok_or_else(|| Error::field(path, "to", "missing"))?;
        member::<C>(path, "to", to)
    }
}
