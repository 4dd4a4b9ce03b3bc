//! Keys that a dealer makes.

use rand_core::CryptoRngCore;

use super::steps::{one, In, StepError};
use crate::frost::{
    files::{GroupFile, ShareFile},
    keys, FrostError, Suite,
};

/// A dealer's steps, and what members check about a key that somebody else made.
pub trait Dealing {
    /// A fresh key: the group, for everybody, and each member's share, for that member alone, in
    /// the order of their numbers.
    ///
    /// # Errors
    ///
    /// [`FrostError::Threshold`] unless 2 ≤ threshold ≤ signers.
    fn deal(
        &self,
        threshold: u16,
        signers: u16,
        rng: &mut dyn CryptoRngCore,
    ) -> Result<(GroupFile, Vec<ShareFile>), StepError>;

    /// Checks that the group can sign and that the share, if there is one, belongs to one of its
    /// members.
    ///
    /// # Errors
    ///
    /// Those of [`keys::check`] and [`keys::check_share`].
    fn check(&self, group: &GroupFile, share: Option<&ShareFile>) -> Result<(), StepError>;
}

impl<C: Suite> Dealing for In<C> {
    fn deal(
        &self,
        threshold: u16,
        signers: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<(GroupFile, Vec<ShareFile>), StepError> {
        let (dealt, group) = keys::deal::<C>(threshold, signers, &mut rng)?;
        let share = |share| ShareFile::encode(&keys::accept_unchecked::<C>(share, &group));
        let shares = dealt.values().map(share).collect::<Result<_, FrostError>>()?;
        Ok((GroupFile::encode(&group)?, shares))
    }

    fn check(&self, group: &GroupFile, share: Option<&ShareFile>) -> Result<(), StepError> {
        let group = one("group", group.decode::<C>())?;
        keys::check(&group)?;
        let share = share.map(|share| one("share", share.decode::<C>())).transpose()?;
        Ok(share.map_or(Ok(()), |share| keys::check_share(&share, &group))?)
    }
}
