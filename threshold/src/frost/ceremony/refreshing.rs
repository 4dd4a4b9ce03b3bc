//! New shares of a key.

use rand_core::CryptoRngCore;
use zeroize::Zeroizing;

use super::{
    generation::{committed, others, read_secret, read_state, received, shared, Kinds},
    steps::{identifiers, one, Committed, In, Shared, StepError},
};
use crate::frost::{
    files::{number, FieldError, GroupFile, Kind, Parcel, ShareFile},
    keys::{refresh, DealtShare},
    FrostError, Suite,
};

/// The steps of a refresh, by a dealer or without one ([`refresh`] says what each is good for).
pub trait Refreshing {
    /// A dealer's step: the new group, for everybody, and what each of `members` adds to its share,
    /// for that member only. Whoever is left out no longer has a share.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::deal`], and those of decoding a document.
    fn refresh_deal(
        &self,
        group: &GroupFile,
        members: &[u16],
        rng: &mut dyn CryptoRngCore,
    ) -> Result<(GroupFile, Vec<Parcel>), StepError>;

    /// A member's new share, in the new group.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::accept`], and those of decoding a document.
    fn refresh_accept(
        &self,
        share: &ShareFile,
        dealt: &Parcel,
        group: &GroupFile,
    ) -> Result<ShareFile, StepError>;

    /// A member's first step without a dealer. `signers` take part.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::commit`], and those of decoding a document.
    fn refresh_commit(
        &self,
        share: &ShareFile,
        signers: u16,
        rng: &mut dyn CryptoRngCore,
    ) -> Result<Committed, StepError>;

    /// The second step, from everybody's commitments, with or without the member's own.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::share`], and those of decoding a document.
    fn refresh_share(
        &self,
        share: &ShareFile,
        secret: &Parcel,
        commitments: &[Parcel],
    ) -> Result<Shared, StepError>;

    /// The last step: the new group, and the member's new share.
    ///
    /// # Errors
    ///
    /// Those of [`refresh::finish`], and those of decoding a document.
    fn refresh_finish(
        &self,
        old: (&GroupFile, &ShareFile),
        state: &Parcel,
        commitments: &[Parcel],
        shares: &[Parcel],
    ) -> Result<(GroupFile, ShareFile), StepError>;
}

const KINDS: Kinds = Kinds {
    secret: Kind::RefreshSecret,
    commitment: Kind::RefreshCommitment,
    state: Kind::RefreshState,
    share: Kind::RefreshShare,
};

impl<C: Suite> Refreshing for In<C> {
    fn refresh_deal(
        &self,
        group: &GroupFile,
        members: &[u16],
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<(GroupFile, Vec<Parcel>), StepError> {
        let key = group.public_key();
        let group = one("group", group.decode::<C>())?;
        let members = identifiers(members)?;
        let (dealt, group) = refresh::deal(&group, &members, &mut rng)?;
        let parcel = |(to, share): (_, &DealtShare<C>)| {
            let content = Zeroizing::new(share.serialize()?);
            let parcel = Parcel::new::<C>(Kind::Refresh, content.as_slice());
            Ok(parcel.of(key).to(number::<C>(to)?))
        };
        let parcels = dealt.iter().map(parcel).collect::<Result<_, FrostError>>()?;
        Ok((GroupFile::encode(&group)?, parcels))
    }

    fn refresh_accept(
        &self,
        share: &ShareFile,
        dealt: &Parcel,
        group: &GroupFile,
    ) -> Result<ShareFile, StepError> {
        let key = share.public_key();
        let share = one("share", share.decode::<C>())?;
        let read = || {
            dealt.check::<C>(Kind::Refresh, Some(key))?;
            dealt.check_receiver::<C>(share.identifier())?;
            let content = dealt.content::<C, _>(DealtShare::deserialize, DealtShare::serialize)?;
            if content.identifier() == share.identifier() {
                Ok(content)
            } else {
                Err(FieldError::new("content", "another member's"))
            }
        };
        let dealt = one("dealt", read())?;
        let group = one("group", group.decode::<C>())?;
        Ok(ShareFile::encode(&refresh::accept(dealt, &share, &group)?)?)
    }

    fn refresh_commit(
        &self,
        share: &ShareFile,
        signers: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<Committed, StepError> {
        let key = share.public_key();
        let share = one("share", share.decode::<C>())?;
        let (secret, commitment) = refresh::commit(&share, signers, &mut rng)?;
        committed(&KINDS, Some(key), (&secret, &commitment))
    }

    fn refresh_share(
        &self,
        share: &ShareFile,
        secret: &Parcel,
        commitments: &[Parcel],
    ) -> Result<Shared, StepError> {
        let key = Some(share.public_key());
        let secret = one("secret", read_secret::<C>(&KINDS, key, secret))?;
        let own = (*secret.identifier(), secret.commitment());
        let others = others(&KINDS, key, own, commitments)?;
        let (state, shares) = refresh::share(secret, &others)?;
        shared(&KINDS, key, &state, &shares)
    }

    fn refresh_finish(
        &self,
        (group, share): (&GroupFile, &ShareFile),
        state: &Parcel,
        commitments: &[Parcel],
        shares: &[Parcel],
    ) -> Result<(GroupFile, ShareFile), StepError> {
        let key = Some(share.public_key());
        let share = one("share", share.decode::<C>())?;
        let group = one("group", group.decode::<C>())?;
        let state = one("state", read_state::<C>(&KINDS, key, state))?;
        let shares = received(&KINDS, key, state.identifier(), shares)?;
        let own = (*state.identifier(), state.commitment());
        let others = others(&KINDS, key, own, commitments)?;
        let (share, group) = refresh::finish(&state, &others, &shares, (&share, &group))?;
        Ok((GroupFile::encode(&group)?, ShareFile::encode(&share)?))
    }
}
