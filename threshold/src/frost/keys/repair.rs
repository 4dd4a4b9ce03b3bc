//! A share that its member has lost, made again by at least t others, none of whom learns it: each
//! splits its part among the helpers, each helper adds up what it got, and the member adds up the
//! sums (Laing and Stinson, ePrint 2017/1155, section 3).
//!
//! Parts of one repair are worthless in another: all helpers must name the same helpers and the
//! same member, and must have split once. All sums together give the share.

use std::collections::{BTreeMap, BTreeSet};

use frost_core::keys::repairable;
use rand_core::{CryptoRng, RngCore};

use super::dealing::{check, check_share};
use crate::frost::{FrostError, Group, Identifier, KeyShare, Signer, Suite};

pub use frost_core::keys::repairable::{Delta, Sigma};

/// A helper's first step: a part for each helper, including itself.
///
/// # Errors
///
/// [`FrostError::Unknown`] for someone who is not a member of the group; [`FrostError::Duplicate`]
/// for a helper that is listed twice, and for the lost member among them; [`FrostError::TooFew`]
/// helpers; [`FrostError::NotAHelper`] if the share's member is not among them; those of
/// [`check_share`].
pub fn split<C: Suite>(
    share: &KeyShare<C>,
    group: &Group<C>,
    helpers: &[Identifier<C>],
    lost: Identifier<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<BTreeMap<Identifier<C>, Delta<C>>, FrostError> {
    check_share(share, group)?;
    let everybody = || helpers.iter().chain([&lost]);
    let unknown = everybody().filter(|id| !group.verifying_shares().contains_key(id));
    let unknown: Vec<_> = unknown.map(Signer::of).collect();
    if !unknown.is_empty() {
        return Err(FrostError::Unknown(unknown));
    }
    let mut distinct = BTreeSet::new();
    if let Some(twice) = everybody().find(|id| !distinct.insert(**id)) {
        return Err(FrostError::Duplicate(Signer::of(twice)));
    }
    let (found, threshold) = (helpers.len(), *share.min_signers());
    if found < threshold.into() {
        return Err(FrostError::TooFew { found, threshold });
    }
    if !helpers.contains(share.identifier()) {
        return Err(FrostError::NotAHelper(Signer::of(share.identifier())));
    }
    Ok(repairable::repair_share_part1(helpers, share, rng, lost)?)
}

/// A helper's second step, from the parts that all helpers sent it.
pub fn add<C: Suite>(parts: &[Delta<C>]) -> Sigma<C> {
    repairable::repair_share_part2(parts)
}

/// The member's step, from the sums of all helpers.
///
/// # Errors
///
/// [`FrostError::OtherShare`] if the result is not the share that belongs to the member's public
/// one: somebody has lied, or the sums are not from one repair. [`FrostError::Unknown`] for someone
/// who is not a member; those of [`check`].
pub fn finish<C: Suite>(
    sums: &[Sigma<C>],
    lost: Identifier<C>,
    group: &Group<C>,
) -> Result<KeyShare<C>, FrostError> {
    check(group)?;
    let share = repairable::repair_share_part3(sums, lost, group)?;
    check_share(&share, group)?;
    Ok(share)
}
