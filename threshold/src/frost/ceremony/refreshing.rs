//! New shares of a key.

use rand_core::CryptoRngCore;

use super::{identifiers, one, parcels::Parcels, Ceremony, Committed, Shared, StepError};
use crate::frost::{
    files::{number, FieldError, GroupFile, Kind, Parcel, ShareFile},
    keys::{refresh, DealtShare},
    suite::in_suite,
    FrostError,
};

/// The steps of a refresh, by a dealer or without one ([`refresh`] says what each is good for).
impl Ceremony {
    /// A dealer's step: the new group, for everybody, and what each of `members` adds to its share,
    /// for that member only. A member that is left out no longer has a share.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::deal`], and those of decoding a document.
    pub fn refresh_deal(
        self,
        group: &GroupFile,
        members: &[u16],
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<(GroupFile, Vec<Parcel>), StepError> {
        let key = group.public_key();
        in_suite!(self.0, C, {
            let group = one("group", group.decode::<C>())?;
            let members = identifiers(members)?;
            let (dealt, group) = refresh::deal(&group, &members, &mut rng)?;
            let parcel = |(to, share): (_, &DealtShare<C>)| {
                let parcel = Parcel::new::<C>(Kind::Refresh, share.serialize()?);
                let (public_key, to) = (Some(key.clone()), Some(number::<C>(to)?));
                Ok(Parcel { public_key, to, ..parcel })
            };
            let parcels = dealt.iter().map(parcel).collect::<Result<_, FrostError>>()?;
            Ok((GroupFile::encode(&group)?, parcels))
        })
    }

    /// A member's new share, in the new group.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::accept`], and those of decoding a document.
    pub fn refresh_accept(
        self,
        share: &ShareFile,
        dealt: &Parcel,
        group: &GroupFile,
    ) -> Result<ShareFile, StepError> {
        let key = share.public_key();
        in_suite!(self.0, C, {
            let share = one("share", share.decode::<C>())?;
            let read = || {
                dealt.check::<C>(Kind::Refresh, Some(key))?;
                dealt.check_receiver::<C>(share.identifier())?;
                let content =
                    dealt.content::<C, _>(DealtShare::deserialize, DealtShare::serialize)?;
                let other = || FieldError::new("content", "another member's");
                let is_own = content.identifier() == share.identifier();
                is_own.then_some(content).ok_or_else(other)
            };
            let dealt = one("dealt", read())?;
            let group = one("group", group.decode::<C>())?;
            Ok(ShareFile::encode(&refresh::accept(dealt, &share, &group)?)?)
        })
    }

    /// A member's first step without a dealer. `signers` take part.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::commit`], and those of decoding a document.
    pub fn refresh_commit(
        self,
        share: &ShareFile,
        signers: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<Committed, StepError> {
        let parcels = Parcels::of_refresh(share.public_key());
        in_suite!(self.0, C, {
            let share = one("share", share.decode::<C>())?;
            let (secret, commitment) = refresh::commit(&share, signers, &mut rng)?;
            Ok(parcels.committed(&secret, &commitment)?)
        })
    }

    /// The second step, from everybody's commitments, with or without the member's own.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::share`], and those of decoding a document.
    pub fn refresh_share(
        self,
        share: &ShareFile,
        secret: &Parcel,
        commitments: &[Parcel],
    ) -> Result<Shared, StepError> {
        let parcels = Parcels::of_refresh(share.public_key());
        in_suite!(self.0, C, {
            let secret = parcels.read_secret::<C>(secret)?;
            let (member, made) = (secret.identifier(), secret.commitment());
            let others = parcels.read_others(member, made, commitments)?;
            let (state, shares) = refresh::share(secret, &others)?;
            Ok(parcels.shared(&state, &shares)?)
        })
    }

    /// The last step, from the old share and the old group: the new group, and the member's new
    /// share.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::finish`], and those of decoding a document.
    pub fn refresh_finish(
        self,
        share: &ShareFile,
        group: &GroupFile,
        state: &Parcel,
        commitments: &[Parcel],
        shares: &[Parcel],
    ) -> Result<(GroupFile, ShareFile), StepError> {
        let parcels = Parcels::of_refresh(share.public_key());
        in_suite!(self.0, C, {
            let share = one("share", share.decode::<C>())?;
            let group = one("group", group.decode::<C>())?;
            let state = parcels.read_state::<C>(state)?;
            let (member, made) = (state.identifier(), state.commitment());
            let shares = parcels.read_shares(member, shares)?;
            let others = parcels.read_others(member, made, commitments)?;
            let (share, group) = refresh::finish(&state, &others, &shares, &share, &group)?;
            Ok((GroupFile::encode(&group)?, ShareFile::encode(&share)?))
        })
    }
}
