//! New keys, from a dealer or made by the members together.

use rand_core::CryptoRngCore;

use super::{one, parcels::Parcels, Ceremony, Committed, Shared, StepError};
use crate::frost::{
    files::{GroupFile, Parcel, ShareFile},
    identifier,
    keys::{self, dkg},
    suite::in_suite,
    FrostError, Signer,
};

/// A dealer's step, and a check of a key that somebody else made.
impl Ceremony {
    /// A fresh key: the group, for everybody, and each member's share, for that member alone, in
    /// the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`FrostError::Threshold`] unless 2 ≤ threshold ≤ signers.
    pub fn deal(
        self,
        threshold: u16,
        signers: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<(GroupFile, Vec<ShareFile>), StepError> {
        in_suite!(self.0, C, {
            let (dealt, group) = keys::deal::<C>(threshold, signers, &mut rng)?;
            let share = |share| ShareFile::encode(&keys::accept_unchecked::<C>(share, &group));
            let shares = dealt.values().map(share).collect::<Result<_, FrostError>>()?;
            Ok((GroupFile::encode(&group)?, shares))
        })
    }

    /// Checks that the group can sign and that the share, if there is one, belongs to one of its
    /// members.
    ///
    /// # Errors
    ///
    /// Those of [`keys::check`] and [`keys::check_share`].
    pub fn check(self, group: &GroupFile, share: Option<&ShareFile>) -> Result<(), StepError> {
        in_suite!(self.0, C, {
            let group = one("group", group.decode::<C>())?;
            keys::check(&group)?;
            let share = share.map(|share| one("share", share.decode::<C>())).transpose()?;
            Ok(share.map_or(Ok(()), |share| keys::check_share(&share, &group))?)
        })
    }
}

/// A member's steps of a key generation without a dealer.
impl Ceremony {
    /// The first step of this member.
    ///
    /// # Errors
    ///
    /// Those of [`dkg::commit`]; [`FrostError::Unknown`] for a member above `signers`.
    pub fn dkg_commit(
        self,
        member: u16,
        threshold: u16,
        signers: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<Committed, StepError> {
        in_suite!(self.0, C, {
            let id = identifier::<C>(member)?;
            if member > signers {
                return Err(FrostError::Unknown(vec![Signer::of(&id)]).into());
            }
            let (secret, commitment) = dkg::commit(id, threshold, signers, &mut rng)?;
            Ok(Parcels::DKG.committed(&secret, &commitment)?)
        })
    }

    /// The second step, from everybody's commitments, with or without the member's own.
    ///
    /// # Errors
    ///
    /// Those of [`dkg::share`], and those of decoding a document.
    pub fn dkg_share(self, secret: &Parcel, commitments: &[Parcel]) -> Result<Shared, StepError> {
        let parcels = Parcels::DKG;
        in_suite!(self.0, C, {
            let secret = parcels.read_secret::<C>(secret)?;
            let (member, made) = (secret.identifier(), secret.commitment());
            let others = parcels.read_others(member, made, commitments)?;
            let (state, shares) = dkg::share(secret, &others)?;
            Ok(parcels.shared(&state, &shares)?)
        })
    }

    /// The last step, from everybody's commitments and the shares for this member.
    ///
    /// # Errors
    ///
    /// Those of [`dkg::finish`], and those of decoding a document.
    pub fn dkg_finish(
        self,
        state: &Parcel,
        commitments: &[Parcel],
        shares: &[Parcel],
    ) -> Result<(GroupFile, ShareFile), StepError> {
        let parcels = Parcels::DKG;
        in_suite!(self.0, C, {
            let state = parcels.read_state::<C>(state)?;
            let (member, made) = (state.identifier(), state.commitment());
            let shares = parcels.read_shares(member, shares)?;
            let others = parcels.read_others(member, made, commitments)?;
            let (share, group) = dkg::finish(&state, &others, &shares)?;
            Ok((GroupFile::encode(&group)?, ShareFile::encode(&share)?))
        })
    }
}
