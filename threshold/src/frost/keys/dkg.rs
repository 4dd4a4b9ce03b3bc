//! Distributed key generation: there is no dealer, and nobody ever holds the key. Three steps:
//! everybody publishes a commitment with a proof of knowledge, sends each other member a share in
//! secret, and checks what has arrived (Komlo and Goldberg, ePrint 2020/852, figure 1).
//!
//! All must see the same commitments: members compare the group at the end. Over `secp256k1-tr` the
//! resulting key is tweaked, as BIP-341 says, with a script path that nobody can spend, so that no
//! member can have added one of its own; a dealer's key ([`deal`](super::deal)) is not.

use std::collections::BTreeMap;

use frost_core::{
    keys::{dkg as core, VerifiableSecretSharingCommitment},
    SigningKey,
};
use rand_core::{CryptoRng, RngCore};

use super::dealing::{check, check_degree, check_share, check_threshold, Polynomial};
use crate::frost::{FrostError, Group, Identifier, KeyShare, Signer, Suite};

pub use core::{
    round1::{Package as Commitment, SecretPackage as Secret1},
    round2::{Package as Share, SecretPackage as Secret2},
};

/// A share for each other member.
pub type Shares<C> = BTreeMap<Identifier<C>, Share<C>>;

/// The first step of the member `identifier`: what it keeps and what it publishes.
///
/// # Errors
///
/// [`FrostError::Threshold`] unless 2 ≤ threshold ≤ signers.
pub fn commit<C: Suite>(
    identifier: Identifier<C>,
    threshold: u16,
    signers: u16,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(Secret1<C>, Commitment<C>), FrostError> {
    check_threshold(threshold, signers.into())?;
    let constant = SigningKey::<C>::new(rng).to_scalar();
    let polynomial = Polynomial::<C>::random(constant, threshold, rng);
    let published = polynomial.commitment();
    Ok(first_step(identifier, (threshold, signers), &polynomial, published, rng)?)
}

/// What a member keeps of its polynomial, and what it publishes.
pub(super) fn first_step<C: Suite>(
    identifier: Identifier<C>,
    (threshold, signers): (u16, u16),
    polynomial: &Polynomial<C>,
    published: VerifiableSecretSharingCommitment<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(Secret1<C>, Commitment<C>), frost_core::Error<C>> {
    let coefficients = polynomial.coefficients();
    let proof = core::compute_proof_of_knowledge(identifier, coefficients, &published, rng)?;
    let commitment = Commitment::new(published.clone(), proof);
    let kept = coefficients.to_vec();
    Ok((Secret1::new(identifier, kept, published, threshold, signers), commitment))
}

/// The second step, from everybody else's commitment: what it keeps, and a secret share for each
/// other member.
///
/// # Errors
///
/// [`FrostError::BadDealing`] naming whose proof of knowledge does not verify;
/// [`FrostError::Degree`] naming whose commitment is of another degree; [`FrostError::Incomplete`] if
/// one is missing.
pub fn share<C: Suite>(
    secret: Secret1<C>,
    others: &BTreeMap<Identifier<C>, Commitment<C>>,
) -> Result<(Secret2<C>, Shares<C>), FrostError> {
    let round = Round::second(&secret, 1);
    round.check(secret.commitment(), others)?;
    check_proofs(others)?;
    round.second_step(secret, others)
}

/// The last step, from everybody else's commitment and share: the member's share of the group's
/// key, and the group.
///
/// # Errors
///
/// [`FrostError::BadDealing`] naming whose proof of knowledge does not verify, or whose share does
/// not fit its commitment; [`FrostError::Degree`] naming whose commitment is of another degree;
/// [`FrostError::Incomplete`] if a commitment or a share is missing.
pub fn finish<C: Suite>(
    secret: &Secret2<C>,
    others: &BTreeMap<Identifier<C>, Commitment<C>>,
    shares: &BTreeMap<Identifier<C>, Share<C>>,
) -> Result<(KeyShare<C>, Group<C>), FrostError> {
    let round = Round::last(secret, 1);
    // frost-core trusts that these are the commitments of the second step. They may have been
    // replaced since by ones made from all the others to cancel them.
    round.check(secret.commitment(), others)?;
    round.check_shares(others, shares)?;
    check_proofs(others)?;
    let (share, group) = core::part3(secret, others, shares)?;
    check(&group)?;
    check_share(&share, &group)?;
    Ok((share, group))
}

fn check_proofs<C: Suite>(
    others: &BTreeMap<Identifier<C>, Commitment<C>>,
) -> Result<(), FrostError> {
    for (id, commitment) in others {
        let proof = commitment.proof_of_knowledge();
        core::verify_proof_of_knowledge(*id, commitment.commitment(), proof)?;
    }
    Ok(())
}

/// What a member knows of its round. If it was read from a file, nothing in it has been checked.
pub(super) struct Round<C: Suite> {
    pub(super) member: Identifier<C>,
    pub(super) threshold: u16,
    signers: u16,
    /// Constant coefficients in a commitment: one, or none in a refresh, where they are zero.
    constants: usize,
}

impl<C: Suite> Round<C> {
    pub(super) fn second(secret: &Secret1<C>, constants: usize) -> Self {
        let (threshold, signers) = (*secret.min_signers(), *secret.max_signers());
        Self { member: *secret.identifier(), threshold, signers, constants }
    }

    pub(super) fn last(secret: &Secret2<C>, constants: usize) -> Self {
        let (threshold, signers) = (*secret.min_signers(), *secret.max_signers());
        Self { member: *secret.identifier(), threshold, signers, constants }
    }

    /// frost-core compares the number of coefficients modulo 2^16, and in its last step not at all.
    pub(super) fn check(
        &self,
        own: &VerifiableSecretSharingCommitment<C>,
        others: &BTreeMap<Identifier<C>, Commitment<C>>,
    ) -> Result<(), FrostError> {
        check_threshold(self.threshold, self.signers.into())?;
        if others.contains_key(&self.member) {
            return Err(FrostError::Duplicate(Signer::of(&self.member)));
        }
        let expected = usize::from(self.signers) - 1;
        if others.len() != expected {
            let found = others.keys().map(Signer::of).collect();
            return Err(FrostError::Incomplete { found, expected });
        }
        let expected = usize::from(self.threshold) - 1 + self.constants;
        check_degree(Some(&self.member), own, expected)?;
        let mut others = others.iter();
        others.try_for_each(|(id, other)| check_degree(Some(id), other.commitment(), expected))
    }

    /// Checks that exactly the members that have committed have sent a share.
    pub(super) fn check_shares(
        &self,
        others: &BTreeMap<Identifier<C>, Commitment<C>>,
        shares: &BTreeMap<Identifier<C>, Share<C>>,
    ) -> Result<(), FrostError> {
        let missing: Vec<_> = others.keys().filter(|id| !shares.contains_key(id)).collect();
        let extra: Vec<_> = shares.keys().filter(|id| !others.contains_key(id)).collect();
        let names = |ids: Vec<&Identifier<C>>| ids.into_iter().map(Signer::of).collect();
        if !missing.is_empty() {
            Err(FrostError::Missing(names(missing)))
        } else if !extra.is_empty() {
            Err(FrostError::Uncommitted(names(extra)))
        } else {
            Ok(())
        }
    }

    /// A share for everybody else, and what the member keeps.
    pub(super) fn second_step(
        &self,
        secret: Secret1<C>,
        others: &BTreeMap<Identifier<C>, Commitment<C>>,
    ) -> Result<(Secret2<C>, Shares<C>), FrostError> {
        let polynomial = Polynomial::<C>::new(secret.coefficients());
        let (found, expected) = (polynomial.coefficients().len(), self.threshold.into());
        if found != expected {
            let whose = Some(Signer::of(&self.member));
            return Err(FrostError::Degree { whose, found, expected });
        }
        let share = |id: &Identifier<C>| (*id, Share::new(polynomial.at(*id)));
        let shares = others.keys().map(share).collect();
        let (published, own) = (secret.commitment().clone(), polynomial.at(self.member));
        let own = own.to_scalar();
        Ok((Secret2::new(self.member, published, own, self.threshold, self.signers), shares))
    }
}
