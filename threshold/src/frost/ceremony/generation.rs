//! Keys that members make together.

use std::collections::BTreeMap;

use frost_core::keys::VerifiableSecretSharingCommitment;
use rand_core::CryptoRngCore;
use zeroize::Zeroizing;

use super::steps::{by_participant, one, Committed, In, Shared, StepError};
use crate::frost::{
    files::{number, FieldError, GroupFile, Hex, Kind, Parcel, ShareFile},
    identifier,
    keys::dkg::{self, Commitment, Secret1, Secret2, Share, Shares},
    FrostError, Identifier, Signer, Suite,
};

/// A member's steps of a key generation without a dealer.
pub trait Generation {
    /// The first step of this member.
    ///
    /// # Errors
    ///
    /// Those of [`dkg::commit`]; [`FrostError::Unknown`] for a member above `signers`.
    fn dkg_commit(
        &self,
        member: u16,
        threshold: u16,
        signers: u16,
        rng: &mut dyn CryptoRngCore,
    ) -> Result<Committed, StepError>;

    /// The second step, from everybody's commitments, with or without the member's own.
    ///
    /// # Errors
    ///
    /// Those of [`dkg::share`], and those of decoding a document.
    fn dkg_share(&self, secret: &Parcel, commitments: &[Parcel]) -> Result<Shared, StepError>;

    /// The last step, from everybody's commitments and the shares for this member.
    ///
    /// # Errors
    ///
    /// Those of [`dkg::finish`], and those of decoding a document.
    fn dkg_finish(
        &self,
        state: &Parcel,
        commitments: &[Parcel],
        shares: &[Parcel],
    ) -> Result<(GroupFile, ShareFile), StepError>;
}

impl<C: Suite> Generation for In<C> {
    fn dkg_commit(
        &self,
        member: u16,
        threshold: u16,
        signers: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<Committed, StepError> {
        let id = identifier::<C>(member)?;
        if member > signers {
            return Err(FrostError::Unknown(vec![Signer::of(&id)]).into());
        }
        let (secret, commitment) = dkg::commit::<C>(id, threshold, signers, &mut rng)?;
        committed(&KINDS, None, (&secret, &commitment))
    }

    fn dkg_share(&self, secret: &Parcel, commitments: &[Parcel]) -> Result<Shared, StepError> {
        let secret = one("secret", read_secret::<C>(&KINDS, None, secret))?;
        let own = (*secret.identifier(), secret.commitment());
        let others = others(&KINDS, None, own, commitments)?;
        let (state, shares) = dkg::share(secret, &others)?;
        shared(&KINDS, None, &state, &shares)
    }

    fn dkg_finish(
        &self,
        state: &Parcel,
        commitments: &[Parcel],
        shares: &[Parcel],
    ) -> Result<(GroupFile, ShareFile), StepError> {
        let state = one("state", read_state::<C>(&KINDS, None, state))?;
        let shares = received(&KINDS, None, state.identifier(), shares)?;
        let own = (*state.identifier(), state.commitment());
        let others = others(&KINDS, None, own, commitments)?;
        let (share, group) = dkg::finish(&state, &others, &shares)?;
        Ok((GroupFile::encode(&group)?, ShareFile::encode(&share)?))
    }
}

/// The kinds of the protocol's parcels. A refresh has the same three steps.
pub(super) struct Kinds {
    pub(super) secret: Kind,
    pub(super) commitment: Kind,
    pub(super) state: Kind,
    pub(super) share: Kind,
}

const KINDS: Kinds = Kinds {
    secret: Kind::DkgSecret,
    commitment: Kind::DkgCommitment,
    state: Kind::DkgState,
    share: Kind::DkgShare,
};

/// A parcel, of the group with this key if the key exists already.
fn parcel<C: Suite>(kind: Kind, key: Option<&Hex>, content: &Zeroizing<Vec<u8>>) -> Parcel {
    let parcel = Parcel::new::<C>(kind, content.as_slice());
    match key {
        Some(key) => parcel.of(key),
        None => parcel,
    }
}

/// The parcels of a first step.
pub(super) fn committed<C: Suite>(
    kinds: &Kinds,
    key: Option<&Hex>,
    (secret, commitment): (&Secret1<C>, &Commitment<C>),
) -> Result<Committed, StepError> {
    let member = number::<C>(secret.identifier())?;
    let content = Zeroizing::new(secret.serialize().map_err(FrostError::from)?);
    let secret = parcel::<C>(kinds.secret, key, &content).by(member);
    let content = Zeroizing::new(commitment.serialize().map_err(FrostError::from)?);
    let commitment = parcel::<C>(kinds.commitment, key, &content).by(member);
    Ok(Committed { commitment, secret })
}

/// The parcels of a second step.
pub(super) fn shared<C: Suite>(
    kinds: &Kinds,
    key: Option<&Hex>,
    state: &Secret2<C>,
    shares: &Shares<C>,
) -> Result<Shared, StepError> {
    let member = number::<C>(state.identifier())?;
    let content = Zeroizing::new(state.serialize().map_err(FrostError::from)?);
    let state = parcel::<C>(kinds.state, key, &content).by(member);
    let share = |(to, share): (&Identifier<C>, &Share<C>)| {
        let content = Zeroizing::new(share.serialize()?);
        Ok(parcel::<C>(kinds.share, key, &content).by(member).to(number::<C>(to)?))
    };
    let shares = shares.iter().map(share).collect::<Result<_, FrostError>>()?;
    Ok(Shared { shares, state })
}

pub(super) fn read_secret<C: Suite>(
    kinds: &Kinds,
    key: Option<&Hex>,
    parcel: &Parcel,
) -> Result<Secret1<C>, FieldError> {
    parcel.check::<C>(kinds.secret, key)?;
    let secret = parcel.content::<C, _>(Secret1::deserialize, Secret1::serialize)?;
    check_maker::<C>(parcel, secret.identifier())?;
    Ok(secret)
}

pub(super) fn read_state<C: Suite>(
    kinds: &Kinds,
    key: Option<&Hex>,
    parcel: &Parcel,
) -> Result<Secret2<C>, FieldError> {
    parcel.check::<C>(kinds.state, key)?;
    let state = parcel.content::<C, _>(Secret2::deserialize, Secret2::serialize)?;
    check_maker::<C>(parcel, state.identifier())?;
    Ok(state)
}

fn check_maker<C: Suite>(parcel: &Parcel, member: &Identifier<C>) -> Result<(), FieldError> {
    if parcel.from::<C>()? == *member {
        Ok(())
    } else {
        Err(FieldError::new("from", "not the member in the content"))
    }
}

/// Everybody's commitments but the member's own, which must be the one that it made.
pub(super) fn others<C: Suite>(
    kinds: &Kinds,
    key: Option<&Hex>,
    (own, made): (Identifier<C>, &VerifiableSecretSharingCommitment<C>),
    commitments: &[Parcel],
) -> Result<BTreeMap<Identifier<C>, Commitment<C>>, StepError> {
    let read = |parcel: &Parcel| {
        parcel.check::<C>(kinds.commitment, key)?;
        let from = parcel.from::<C>()?;
        let commitment = parcel.content::<C, _>(Commitment::deserialize, Commitment::serialize)?;
        if from == own && commitment.commitment() != made {
            Err(FieldError::new("content", "not what this member has committed to"))
        } else {
            Ok((from, commitment))
        }
    };
    let mut commitments = by_participant("commitments", commitments, read)?;
    commitments.remove(&own);
    Ok(commitments)
}

/// The shares that others made for this member.
pub(super) fn received<C: Suite>(
    kinds: &Kinds,
    key: Option<&Hex>,
    member: &Identifier<C>,
    shares: &[Parcel],
) -> Result<Shares<C>, StepError> {
    by_participant("shares", shares, |parcel: &Parcel| {
        parcel.check::<C>(kinds.share, key)?;
        parcel.check_receiver::<C>(member)?;
        let share = parcel.content::<C, _>(Share::deserialize, Share::serialize)?;
        Ok((parcel.from::<C>()?, share))
    })
}
