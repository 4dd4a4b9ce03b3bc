//! A dealer's keys, and whether shares and groups match.

use std::{collections::BTreeMap, hint::black_box};

use frost_core::{
    keys::{
        CoefficientCommitment, SecretShare, SigningShare, VerifiableSecretSharingCommitment,
        VerifyingShare,
    },
    Element, Field as _, Group as _, Scalar, SigningKey, VerifyingKey,
};
use rand_core::{CryptoRng, OsRng, RngCore};

use crate::{
    frost::{
        identifier, lagrange, one, zero, FrostError, Group, Identifier, KeyShare, Signer, Suite, F,
    },
    polynomial,
};

/// A member's share as a dealer sends it, with the commitments to check it against.
pub type DealtShare<C> = SecretShare<C>;
/// What a dealer makes: every member's share, and the group.
pub type Dealt<C> = (BTreeMap<Identifier<C>, DealtShare<C>>, Group<C>);

/// A fresh key of members 1 to `signers`, any `threshold` of whom can sign, made by a dealer whom
/// all trust. Each share goes to its member in secret, the group to everybody.
///
/// # Errors
///
/// [`FrostError::Threshold`] unless 2 ≤ threshold ≤ signers.
pub fn deal<C: Suite>(
    threshold: u16,
    signers: u16,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<Dealt<C>, FrostError> {
    check_threshold(threshold, signers.into())?;
    deal_key(&SigningKey::new(rng), threshold, signers, rng)
}

/// The same for an existing key.
///
/// # Errors
///
/// Those of [`deal`].
pub fn deal_key<C: Suite>(
    key: &SigningKey<C>,
    threshold: u16,
    signers: u16,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<Dealt<C>, FrostError> {
    check_threshold(threshold, signers.into())?;
    let polynomial = Polynomial::<C>::random(key.clone().to_scalar(), threshold, rng);
    let commitment = polynomial.commitment();
    let (mut dealt, mut public) = (BTreeMap::new(), BTreeMap::new());
    for number in 1..=signers {
        let member = identifier(number)?;
        let share = DealtShare::new(member, polynomial.at(member), commitment.clone());
        public.insert(member, VerifyingShare::from(*share.signing_share()));
        dealt.insert(member, share);
    }
    let group = Group::new(public, VerifyingKey::from(key), Some(threshold));
    Ok(C::post_generate(dealt, group)?)
}

/// The share as the dealer knows it: a dealer need not check what it has dealt itself.
pub(crate) fn accept_unchecked<C: Suite>(share: &DealtShare<C>, group: &Group<C>) -> KeyShare<C> {
    let (secret, key) = (*share.signing_share(), *group.verifying_key());
    let threshold = group.min_signers().unwrap_or_default();
    KeyShare::new(*share.identifier(), secret, secret.into(), key, threshold)
}

/// Accepts a dealt share, if it matches the dealer's commitments and these match the group.
///
/// # Errors
///
/// [`FrostError::Degree`] for a polynomial of another degree than the group's threshold asks for,
/// [`FrostError::OtherShare`] if the share does not match the commitments or the member's public
/// share, [`FrostError::OtherGroup`] if the group has another key; those of [`check`].
pub fn accept<C: Suite>(share: DealtShare<C>, group: &Group<C>) -> Result<KeyShare<C>, FrostError> {
    check(group)?;
    check_degree(None, share.commitment(), threshold(group)?.into())?;
    let other = |_| FrostError::OtherShare(Signer::of(share.identifier()));
    let (_, key) = share.verify().map_err(other)?;
    if key != *group.verifying_key() {
        return Err(FrostError::OtherGroup);
    }
    let accepted = accept_unchecked(&share, group);
    check_share(&accepted, group)?;
    Ok(accepted)
}

/// Checks that a group can sign: its threshold is between 2 and its size, and all public shares lie
/// on one polynomial of degree threshold - 1 through the public key. Then any `threshold` members
/// whose shares pass [`check_share`] can make a signature. Takes one multi-scalar multiplication.
///
/// # Errors
///
/// [`FrostError::Threshold`] or [`FrostError::NoPolynomial`].
pub fn check<C: Suite>(group: &Group<C>) -> Result<(), FrostError> {
    let (members, threshold) = (group.verifying_shares(), threshold(group)?);
    check_threshold(threshold, members.len())?;
    let identifiers: Vec<_> = members.keys().copied().collect();
    let points = identifiers.iter().map(Identifier::to_scalar);
    let points: Vec<_> = points.zip(lagrange::at_zero::<C>(&identifiers)).collect();
    // Drawn only now: the maker of the group did not know it.
    let shift = F::<C>::random(&mut OsRng);
    let units = [zero::<C>(), one::<C>()];
    let weights = polynomial::weights(&points, threshold.into(), shift, units);
    let shares = members.values().map(VerifyingShare::to_element);
    let elements: Vec<Element<C>> = shares.chain([group.verifying_key().to_element()]).collect();
    let fits = C::msm(&weights, &elements) == C::Group::identity();
    fits.then_some(()).ok_or(FrostError::NoPolynomial)
}

/// Checks that a member's share is the one that the group has for it.
///
/// # Errors
///
/// [`FrostError::Unknown`] for someone who is not a member; [`FrostError::OtherGroup`] for another
/// key or threshold; [`FrostError::OtherShare`] if the public share differs.
pub fn check_share<C: Suite>(share: &KeyShare<C>, group: &Group<C>) -> Result<(), FrostError> {
    let signer = || Signer::of(share.identifier());
    let public = group.verifying_shares().get(share.identifier());
    let public = public.ok_or_else(|| FrostError::Unknown(vec![signer()]))?;
    if share.verifying_key() != group.verifying_key() || *share.min_signers() != threshold(group)? {
        return Err(FrostError::OtherGroup);
    }
    let is_own = *public == VerifyingShare::from(*share.signing_share());
    is_own.then_some(()).ok_or_else(|| FrostError::OtherShare(signer()))
}

/// The threshold, which groups of frost-core before 3.0 do not have.
pub(super) fn threshold<C: Suite>(group: &Group<C>) -> Result<u16, FrostError> {
    let signers = group.verifying_shares().len();
    group.min_signers().ok_or(FrostError::Threshold { threshold: 0, signers })
}

pub(super) fn check_threshold(threshold: u16, signers: usize) -> Result<(), FrostError> {
    let possible = 2 <= threshold && usize::from(threshold) <= signers;
    possible.then_some(()).ok_or(FrostError::Threshold { threshold, signers })
}

/// Checks that a commitment is to the right number of coefficients. The full length is compared:
/// modulo 2^16, as in frost-core, 65,536 too many would go unnoticed, and no t members could sign.
pub(super) fn check_degree<C: Suite>(
    whose: Option<&Identifier<C>>,
    commitment: &VerifiableSecretSharingCommitment<C>,
    expected: usize,
) -> Result<(), FrostError> {
    let found = commitment.coefficients().len();
    let other = || FrostError::Degree { whose: whose.map(Signer::of), found, expected };
    (found == expected).then_some(()).ok_or_else(other)
}

/// The coefficients of a secret polynomial, the constant one first. They are overwritten when dropped:
/// frost-core makes the same ones, but leaves copies of them in freed memory.
pub(super) struct Polynomial<C: Suite>(Vec<Scalar<C>>);

impl<C: Suite> Polynomial<C> {
    /// A random one with this value at zero.
    pub(super) fn random(
        constant: Scalar<C>,
        coefficients: u16,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Self {
        // A growing vector would leave copies behind.
        let mut polynomial = Self(Vec::with_capacity(coefficients.into()));
        polynomial.0.push(constant);
        let random = |_| F::<C>::random(rng);
        polynomial.0.extend((1..coefficients).map(random));
        polynomial
    }

    pub(super) fn new(coefficients: Vec<Scalar<C>>) -> Self {
        Self(coefficients)
    }

    pub(super) fn coefficients(&self) -> &[Scalar<C>] {
        &self.0
    }

    /// The public commitment to it.
    pub(super) fn commitment(&self) -> VerifiableSecretSharingCommitment<C> {
        let commit = |coefficient| CoefficientCommitment::new(C::Group::generator() * coefficient);
        VerifiableSecretSharingCommitment::new(self.0.iter().copied().map(commit).collect())
    }

    /// Its value at a member's point.
    pub(super) fn at(&self, member: Identifier<C>) -> SigningShare<C> {
        SigningShare::from_coefficients(&self.0, member)
    }
}

impl<C: Suite> Drop for Polynomial<C> {
    fn drop(&mut self) {
        self.0.fill(zero::<C>());
        // The optimizer could otherwise drop writes that nobody reads.
        black_box(&mut self.0);
    }
}
