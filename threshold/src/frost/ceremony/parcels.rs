//! The parcels of the three steps without a dealer: of a key generation, or of a refresh.

use std::collections::BTreeMap;

use frost_core::keys::VerifiableSecretSharingCommitment;

use super::{by_participant, one, Committed, Shared, StepError};
use crate::frost::{
    files::{number, FieldError, Hex, Kind, Parcel},
    keys::dkg::{Commitment, Secret1, Secret2, Share, Shares},
    FrostError, Identifier, Suite,
};

/// The kinds of the parcels, and the group's key if it exists already.
pub(super) struct Parcels<'a> {
    secret: Kind,
    commitment: Kind,
    state: Kind,
    share: Kind,
    key: Option<&'a Hex>,
}

impl<'a> Parcels<'a> {
    /// Those of a key generation.
    pub(super) const DKG: Self = Self {
        secret: Kind::DkgSecret,
        commitment: Kind::DkgCommitment,
        state: Kind::DkgState,
        share: Kind::DkgShare,
        key: None,
    };

    /// Those of a refresh of this key.
    pub(super) fn of_refresh(key: &'a Hex) -> Self {
        Self {
            secret: Kind::RefreshSecret,
            commitment: Kind::RefreshCommitment,
            state: Kind::RefreshState,
            share: Kind::RefreshShare,
            key: Some(key),
        }
    }

    fn parcel<C: Suite>(&self, kind: Kind, member: u16, content: Vec<u8>) -> Parcel {
        let (public_key, from) = (self.key.cloned(), Some(member));
        Parcel { public_key, from, ..Parcel::new::<C>(kind, content) }
    }

    /// What a first step makes.
    pub(super) fn committed<C: Suite>(
        &self,
        secret: &Secret1<C>,
        commitment: &Commitment<C>,
    ) -> Result<Committed, FrostError> {
        let member = number::<C>(secret.identifier())?;
        let secret = self.parcel::<C>(self.secret, member, secret.serialize()?);
        let commitment = self.parcel::<C>(self.commitment, member, commitment.serialize()?);
        Ok(Committed { commitment, secret })
    }

    /// What a second step makes.
    pub(super) fn shared<C: Suite>(
        &self,
        state: &Secret2<C>,
        shares: &Shares<C>,
    ) -> Result<Shared, FrostError> {
        let member = number::<C>(state.identifier())?;
        let state = self.parcel::<C>(self.state, member, state.serialize()?);
        let share = |(to, share): (&Identifier<C>, &Share<C>)| {
            let parcel = self.parcel::<C>(self.share, member, share.serialize()?);
            Ok(Parcel { to: Some(number::<C>(to)?), ..parcel })
        };
        let shares = shares.iter().map(share).collect::<Result<_, FrostError>>()?;
        Ok(Shared { shares, state })
    }

    /// What a member kept after its first step.
    pub(super) fn read_secret<C: Suite>(&self, secret: &Parcel) -> Result<Secret1<C>, StepError> {
        let read = || {
            secret.check::<C>(self.secret, self.key)?;
            let content = secret.content::<C, _>(Secret1::deserialize, Secret1::serialize)?;
            check_maker::<C>(secret, content.identifier())?;
            Ok(content)
        };
        one("secret", read())
    }

    /// What a member kept after its second step.
    pub(super) fn read_state<C: Suite>(&self, state: &Parcel) -> Result<Secret2<C>, StepError> {
        let read = || {
            state.check::<C>(self.state, self.key)?;
            let content = state.content::<C, _>(Secret2::deserialize, Secret2::serialize)?;
            check_maker::<C>(state, content.identifier())?;
            Ok(content)
        };
        one("state", read())
    }

    /// Everybody's commitments but those of `member`, which must be the `made` ones.
    pub(super) fn read_others<C: Suite>(
        &self,
        member: &Identifier<C>,
        made: &VerifiableSecretSharingCommitment<C>,
        commitments: &[Parcel],
    ) -> Result<BTreeMap<Identifier<C>, Commitment<C>>, StepError> {
        let read = |parcel: &Parcel| {
            parcel.check::<C>(self.commitment, self.key)?;
            let from = parcel.from::<C>()?;
            let content = parcel.content::<C, _>(Commitment::deserialize, Commitment::serialize)?;
            if from == *member && content.commitment() != made {
                Err(FieldError::new("content", "not what this member has committed to"))
            } else {
                Ok((from, content))
            }
        };
        let mut commitments = by_participant("commitments", commitments, read)?;
        commitments.remove(member);
        Ok(commitments)
    }

    /// The shares that others made for `member`.
    pub(super) fn read_shares<C: Suite>(
        &self,
        member: &Identifier<C>,
        shares: &[Parcel],
    ) -> Result<Shares<C>, StepError> {
        by_participant("shares", shares, |parcel: &Parcel| {
            parcel.check::<C>(self.share, self.key)?;
            parcel.check_receiver::<C>(member)?;
            let share = parcel.content::<C, _>(Share::deserialize, Share::serialize)?;
            Ok((parcel.from::<C>()?, share))
        })
    }
}

fn check_maker<C: Suite>(parcel: &Parcel, member: &Identifier<C>) -> Result<(), FieldError> {
    let is_maker = parcel.from::<C>()? == *member;
    is_maker.then_some(()).ok_or_else(|| FieldError::new("from", "not the member in the content"))
}
