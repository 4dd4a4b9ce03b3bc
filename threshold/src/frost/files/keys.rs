//! The group, which everybody may know, and a member's secret share.

use frost_core::{
    keys::{SigningShare, VerifyingShare},
    VerifyingKey,
};
use serde::{Deserialize, Serialize};

use super::{check_suite, field, member, number, Document, FieldError, Hex};
use crate::frost::{unique, FrostError, Group, KeyShare, Suite, SuiteName};

/// `{"suite": "…", "threshold": 2, "public_key": "0x…", "members": [{"member": 1, "public_share":
/// "0x…"}, …]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupFile {
    suite: SuiteName,
    threshold: u16,
    public_key: Hex,
    members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    member: u16,
    public_share: Hex,
}

impl GroupFile {
    /// The document of a group.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] for a group that cannot be written because a share is the identity;
    /// [`FrostError::NoNumber`] for members without numbers.
    pub fn encode<C: Suite>(group: &Group<C>) -> Result<Self, FrostError> {
        let member = |(id, share): (_, &VerifyingShare<C>)| {
            let public_share = Hex::new(share.serialize()?);
            Ok(Member { member: number::<C>(id)?, public_share })
        };
        let members = group.verifying_shares().iter().map(member);
        Ok(Self {
            suite: C::NAME,
            threshold: group.min_signers().unwrap_or(1),
            public_key: Hex::new(group.verifying_key().serialize()?),
            members: members.collect::<Result<_, FrostError>>()?,
        })
    }

    /// The group of the suite `C`. Every point is checked; whether the points belong together is
    /// left to [`check`](crate::frost::keys::check).
    ///
    /// # Errors
    ///
    /// [`FieldError`] naming the field.
    pub fn decode<C: Suite>(&self) -> Result<Group<C>, FieldError> {
        check_suite::<C>(self.suite)?;
        let key = VerifyingKey::<C>::deserialize(self.public_key.bytes());
        let key = field("public_key", key)?;
        let share = |(i, entry): (usize, &Member)| {
            let id = member::<C>(format!("members[{i}].member"), entry.member)?;
            let share = VerifyingShare::<C>::deserialize(entry.public_share.bytes());
            Ok((id, field(format!("members[{i}].public_share"), share)?))
        };
        let shares = self.members.iter().enumerate().map(share);
        let shares = unique(shares.collect::<Result<Vec<_>, FieldError>>()?);
        let shares = shares.map_err(|error| FieldError::new("members", error))?;
        if self.threshold < 2 || usize::from(self.threshold) > shares.len() {
            let reason = format!("{} of {} members cannot sign", self.threshold, shares.len());
            return Err(FieldError::new("threshold", reason));
        }
        Ok(Group::new(shares, key, Some(self.threshold)))
    }

    /// How many members it takes to sign.
    pub fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The group's public key.
    pub fn public_key(&self) -> &Hex {
        &self.public_key
    }

    /// The numbers of the members, in order.
    pub fn members(&self) -> Vec<u16> {
        self.members.iter().map(|entry| entry.member).collect()
    }
}

impl Document for GroupFile {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        false
    }
}

/// `{"suite": "…", "member": 1, "threshold": 2, "public_key": "0x…", "secret_share": "0x…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareFile {
    suite: SuiteName,
    member: u16,
    threshold: u16,
    public_key: Hex,
    secret_share: Hex,
}

impl ShareFile {
    /// The document of a share.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if the group's key is the identity; [`FrostError::NoNumber`] for a
    /// member without a number.
    pub fn encode<C: Suite>(share: &KeyShare<C>) -> Result<Self, FrostError> {
        Ok(Self {
            suite: C::NAME,
            member: number::<C>(share.identifier())?,
            threshold: *share.min_signers(),
            public_key: Hex::new(share.verifying_key().serialize()?),
            secret_share: Hex::new(share.signing_share().serialize()),
        })
    }

    /// The share of the suite `C`.
    ///
    /// # Errors
    ///
    /// [`FieldError`] naming the field.
    pub fn decode<C: Suite>(&self) -> Result<KeyShare<C>, FieldError> {
        check_suite::<C>(self.suite)?;
        let id = member::<C>("member", self.member)?;
        let key = VerifyingKey::<C>::deserialize(self.public_key.bytes());
        let key = field("public_key", key)?;
        let secret = SigningShare::<C>::deserialize(self.secret_share.bytes());
        let secret = field("secret_share", secret)?;
        let public = VerifyingShare::from(secret);
        // Refuses zero, whose public share is the identity.
        let checked: Result<_, frost_core::Error<C>> = public.serialize();
        field("secret_share", checked)?;
        if self.threshold < 2 {
            return Err(FieldError::new("threshold", "less than 2"));
        }
        Ok(KeyShare::new(id, secret, public, key, self.threshold))
    }

    /// The member's number.
    pub fn member(&self) -> u16 {
        self.member
    }

    /// The group's public key.
    pub fn public_key(&self) -> &Hex {
        &self.public_key
    }
}

impl Document for ShareFile {
    fn suite(&self) -> SuiteName {
        self.suite
    }

    fn is_secret(&self) -> bool {
        true
    }
}
