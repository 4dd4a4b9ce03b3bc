//! New shares of the same key, which cannot be combined with old ones: members add the values of
//! polynomials that are zero at zero.
//!
//! A dealer can make the polynomial ([`deal`], [`accept`](super::accept)). It does not learn the
//! key, but anyone with an old share and the dealer's polynomial has the new one: old and new shares
//! are worthless together only if the dealer forgets it. Without a dealer ([`commit`],
//! [`share`], [`finish`]), each member makes a polynomial, and it is enough that one of them
//! forgets.
//!
//! The new group's key and threshold are those of the old one. Any t old shares still give the key,
//! so a member removes its old share once it has compared the new group with the others.

use std::collections::BTreeMap;

use frost_core::{
    keys::{
        sum_commitments, CoefficientCommitment, SigningShare, VerifiableSecretSharingCommitment,
        VerifyingShare,
    },
    Group as _, Scalar,
};
use rand_core::{CryptoRng, RngCore};

use super::{
    dealing::{
        check, check_degree, check_share, check_threshold, threshold, Dealt, DealtShare, Polynomial,
    },
    dkg::{first_step, Commitment, Round, Secret1, Secret2, Share, Shares},
};
use crate::frost::{zero, FrostError, Group, Identifier, KeyShare, Signer, Suite};

/// A dealer's step: what each member adds to its share, and the new group.
///
/// # Errors
///
/// [`FrostError::Unknown`] for someone who is not a member, [`FrostError::Threshold`] if too few
/// remain, [`FrostError::Duplicate`] for a member that is listed twice; those of [`check`].
pub fn deal<C: Suite>(
    group: &Group<C>,
    members: &[Identifier<C>],
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<Dealt<C>, FrostError> {
    check(group)?;
    let threshold = threshold(group)?;
    check_threshold(threshold, members.len())?;
    let polynomial = Polynomial::<C>::random(zero::<C>(), threshold, rng);
    let published = without_constant(polynomial.commitment());
    let (mut dealt, mut public) = (BTreeMap::new(), BTreeMap::new());
    for member in members {
        let share = DealtShare::new(*member, polynomial.at(*member), published.clone());
        let added = VerifyingShare::from(*share.signing_share());
        public.insert(*member, moved(group, member, &added)?);
        if dealt.insert(*member, share).is_some() {
            return Err(FrostError::Duplicate(Signer::of(member)));
        }
    }
    Ok((dealt, Group::new(public, *group.verifying_key(), Some(threshold))))
}

/// The member's new share, in the new group.
///
/// # Errors
///
/// [`FrostError::Degree`] if the dealer's polynomial has another degree than the key's;
/// [`FrostError::OtherShare`] if what was dealt does not match the dealer's commitments, or does
/// not make the share that the new group has; [`FrostError::OtherGroup`] if the new group has
/// another key or threshold; those of [`check`].
pub fn accept<C: Suite>(
    dealt: DealtShare<C>,
    share: &KeyShare<C>,
    group: &Group<C>,
) -> Result<KeyShare<C>, FrostError> {
    check(group)?;
    let other = || FrostError::OtherShare(Signer::of(share.identifier()));
    if dealt.identifier() != share.identifier() {
        return Err(other());
    }
    check_degree(None, dealt.commitment(), usize::from(*share.min_signers()) - 1)?;
    let (member, added) = (*dealt.identifier(), *dealt.signing_share());
    let whole = DealtShare::new(member, added, with_constant(dealt.commitment()));
    whole.verify().map_err(|_| other())?;
    renewed(share, added.to_scalar(), group)
}

/// A member's first step without a dealer: what it keeps and what it publishes. `signers` members
/// take part; one that does not no longer has a share.
///
/// # Errors
///
/// [`FrostError::Threshold`] if they are too few.
pub fn commit<C: Suite>(
    share: &KeyShare<C>,
    signers: u16,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(Secret1<C>, Commitment<C>), FrostError> {
    let sizes = (*share.min_signers(), signers);
    check_threshold(sizes.0, signers.into())?;
    let polynomial = Polynomial::<C>::random(zero::<C>(), sizes.0, rng);
    let published = without_constant(polynomial.commitment());
    Ok(first_step(*share.identifier(), sizes, &polynomial, published, rng)?)
}

/// The second step, from everybody else's commitment: what the member keeps, and a secret share for
/// each other one.
///
/// # Errors
///
/// [`FrostError::Degree`] naming whose commitment is of another degree; [`FrostError::Incomplete`] if
/// one is missing.
pub fn share<C: Suite>(
    secret: Secret1<C>,
    others: &BTreeMap<Identifier<C>, Commitment<C>>,
) -> Result<(Secret2<C>, Shares<C>), FrostError> {
    let round = Round::second(&secret, 0);
    round.check(secret.commitment(), others)?;
    round.second_step(secret, others)
}

/// The last step, from everybody else's commitment and share, the member's old share and the old
/// group: its new share, and the new group.
///
/// # Errors
///
/// [`FrostError::BadDealing`] naming whose share does not fit its commitment;
/// [`FrostError::Unknown`] for someone who is not a member; those of [`share`], and
/// [`FrostError::Missing`] if a share is missing; [`FrostError::OtherGroup`] or
/// [`FrostError::OtherShare`] if the old share is not one of the old group.
pub fn finish<C: Suite>(
    secret: &Secret2<C>,
    others: &BTreeMap<Identifier<C>, Commitment<C>>,
    shares: &BTreeMap<Identifier<C>, Share<C>>,
    share: &KeyShare<C>,
    group: &Group<C>,
) -> Result<(KeyShare<C>, Group<C>), FrostError> {
    check(group)?;
    check_share(share, group)?;
    if secret.identifier() != share.identifier() || secret.min_signers() != share.min_signers() {
        return Err(FrostError::OtherShare(Signer::of(share.identifier())));
    }
    let round = Round::last(secret, 0);
    round.check(secret.commitment(), others)?;
    round.check_shares(others, shares)?;
    let mut sum = with_constant(secret.commitment());
    let mut added = secret.secret_share();
    for (from, sent) in shares {
        let commitment = with_constant(others[from].commitment());
        let dealt = DealtShare::new(round.member, *sent.signing_share(), commitment.clone());
        dealt.verify().map_err(|_| FrostError::BadDealing(vec![Signer::of(from)]))?;
        added = added + sent.signing_share().to_scalar();
        sum = sum_commitments(&[&sum, &commitment])?;
    }
    let mut public = BTreeMap::new();
    for member in others.keys().chain([&round.member]) {
        let added = VerifyingShare::from_commitment(*member, &sum);
        public.insert(*member, moved(group, member, &added)?);
    }
    let group = Group::new(public, *group.verifying_key(), Some(round.threshold));
    check(&group)?;
    Ok((renewed(share, added, &group)?, group))
}

/// A member's public share, plus `added`.
fn moved<C: Suite>(
    group: &Group<C>,
    member: &Identifier<C>,
    added: &VerifyingShare<C>,
) -> Result<VerifyingShare<C>, FrostError> {
    let old = group.verifying_shares().get(member);
    let old = old.ok_or_else(|| FrostError::Unknown(vec![Signer::of(member)]))?;
    Ok(VerifyingShare::new(added.to_element() + old.to_element()))
}

/// The share plus `added`, if that is the share that the group has for the member.
fn renewed<C: Suite>(
    share: &KeyShare<C>,
    added: Scalar<C>,
    group: &Group<C>,
) -> Result<KeyShare<C>, FrostError> {
    let secret = SigningShare::new(share.signing_share().to_scalar() + added);
    let (member, key) = (*share.identifier(), *share.verifying_key());
    let share = KeyShare::new(member, secret, secret.into(), key, *share.min_signers());
    check_share(&share, group)?;
    Ok(share)
}

/// Drops the first commitment: the constant coefficient of what is added is zero, and the
/// commitment to it cannot be written.
fn without_constant<C: Suite>(
    commitment: VerifiableSecretSharingCommitment<C>,
) -> VerifiableSecretSharingCommitment<C> {
    let rest = commitment.coefficients().iter().skip(1).copied();
    VerifiableSecretSharingCommitment::new(rest.collect())
}

fn with_constant<C: Suite>(
    commitment: &VerifiableSecretSharingCommitment<C>,
) -> VerifiableSecretSharingCommitment<C> {
    let zero = [CoefficientCommitment::new(C::Group::identity())];
    let all = zero.into_iter().chain(commitment.coefficients().iter().copied());
    VerifiableSecretSharingCommitment::new(all.collect())
}
