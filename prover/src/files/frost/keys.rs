//! The group, which everybody may know, and a member's secret share.

use std::path::Path;

use muster_threshold::frost::{
    frost_core::{
        self,
        keys::{SigningShare, VerifyingShare},
        VerifyingKey,
    },
    unique, FrostError, Group, KeyShare, Suite, SuiteName,
};
use serde::{Deserialize, Serialize};

use super::{field, member, number, read, Hex};
use crate::Error;

/// `{"suite": "…", "threshold": 2, "public_key": "0x…", "members": [{"member": 1, "public_share":
/// "0x…"}, …]}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    suite: SuiteName,
    threshold: u16,
    public_key: Hex,
    members: Vec<Member>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    member: u16,
    public_share: Hex,
}

impl GroupFile {
    /// The file of a group.
    ///
    /// # Errors
    ///
    /// [`Error::Frost`] for a group that cannot be written: a share is the identity.
    pub fn new<C: Suite>(group: &Group<C>) -> Result<Self, Error> {
        let member = |(id, share): (_, &VerifyingShare<C>)| {
            let public_share = Hex::new(share.serialize().map_err(FrostError::from)?);
            Ok(Member { member: number::<C>(id)?, public_share })
        };
        let key = group.verifying_key().serialize().map_err(FrostError::from)?;
        Ok(Self {
            suite: C::NAME,
            threshold: group.min_signers().unwrap_or(1),
            public_key: Hex::new(key),
            members: group.verifying_shares().iter().map(member).collect::<Result<_, Error>>()?,
        })
    }

    /// Reads the group of the suite `C`. Every point is checked.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the field, or what reading a file may give.
    pub fn read<C: Suite>(path: &Path) -> Result<Group<C>, Error> {
        let file: Self = read::<C, _>(path)?;
        let key = VerifyingKey::<C>::deserialize(&file.public_key.0);
        let key = field(path, "public_key", key)?;
        let share = |(i, entry): (usize, &Member)| {
            let id = member::<C>(path, format!("members[{i}].member"), entry.member)?;
            let share = VerifyingShare::<C>::deserialize(&entry.public_share.0);
            Ok((id, field(path, format!("members[{i}].public_share"), share)?))
        };
        let shares = file.members.iter().enumerate().map(share).collect::<Result<Vec<_>, Error>>();
        let shares = unique(shares?).map_err(|error| Error::field(path, "members", error))?;
        if file.threshold < 2 || usize::from(file.threshold) > shares.len() {
            let reason = format!("{} of {} members cannot sign", file.threshold, shares.len());
            return Err(Error::field(path, "threshold", reason));
        }
        Ok(Group::new(shares, key, Some(file.threshold)))
    }
}

/// `{"suite": "…", "member": 1, "threshold": 2, "public_key": "0x…", "secret_share": "0x…"}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareFile {
    suite: SuiteName,
    member: u16,
    threshold: u16,
    public_key: Hex,
    secret_share: Hex,
}

impl ShareFile {
    /// The file of a share.
    ///
    /// # Errors
    ///
    /// [`Error::Frost`] if the group's key is the identity.
    pub fn new<C: Suite>(share: &KeyShare<C>) -> Result<Self, Error> {
        let key = share.verifying_key().serialize().map_err(FrostError::from)?;
        Ok(Self {
            suite: C::NAME,
            member: number::<C>(share.identifier())?,
            threshold: *share.min_signers(),
            public_key: Hex::new(key),
            secret_share: Hex::new(share.signing_share().serialize()),
        })
    }

    /// Reads a share of the suite `C`.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the field, or what reading a file may give.
    pub fn read<C: Suite>(path: &Path) -> Result<KeyShare<C>, Error> {
        let file: Self = read::<C, _>(path)?;
        let id = member::<C>(path, "member", file.member)?;
        let key = VerifyingKey::<C>::deserialize(&file.public_key.0);
        let key = field(path, "public_key", key)?;
        let secret = SigningShare::<C>::deserialize(&file.secret_share.0);
        let secret = field(path, "secret_share", secret)?;
        let public = VerifyingShare::from(secret);
        // Zero, whose public share is the identity.
        let checked: Result<_, frost_core::Error<C>> = public.serialize();
        field(path, "secret_share", checked)?;
        if file.threshold < 2 {
            return Err(Error::field(path, "threshold", "less than 2"));
        }
        Ok(KeyShare::new(id, secret, public, key, file.threshold))
    }
}
