//! Keys of a group: a dealer's or the members' own, renewed, repaired.

use std::collections::{BTreeMap, BTreeSet};

use frost_core::{
    keys::{
        dkg as core, generate_with_dealer, refresh as core_refresh, repairable, split,
        IdentifierList, KeyPackage, SecretShare, VerifiableSecretSharingCommitment, VerifyingShare,
    },
    SigningKey,
};
use rand_core::{CryptoRng, RngCore};

use super::{FrostError, Group, Identifier, KeyShare, Signer, Suite};

/// A member's share as a dealer sends it, with the commitments that it is checked by.
pub type DealtShare<C> = SecretShare<C>;
/// What a dealer makes: every member's share, and the group.
pub type Dealt<C> = (BTreeMap<Identifier<C>, DealtShare<C>>, Group<C>);

/// A fresh key of members 1 to `signers`, any `threshold` of whom can sign, made by a dealer whom
/// all trust.
///
/// # Errors
///
/// [`FrostError::Protocol`] unless 2 ≤ threshold ≤ signers.
pub fn deal<C: Suite>(
    threshold: u16,
    signers: u16,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<Dealt<C>, FrostError> {
    Ok(generate_with_dealer(signers, threshold, IdentifierList::Default, rng)?)
}

/// The same for a key that somebody has already.
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
    Ok(split(key, signers, threshold, IdentifierList::Default, rng)?)
}

/// Takes a dealt share, if it fits the dealer's commitments.
///
/// # Errors
///
/// [`FrostError::Protocol`] if it does not.
pub fn accept<C: Suite>(share: DealtShare<C>) -> Result<KeyShare<C>, FrostError> {
    Ok(KeyPackage::try_from(share)?)
}

/// Distributed key generation: no dealer, nobody ever holds the key. Three steps: everybody
/// publishes a commitment with a proof of knowledge, sends each other member a share in secret, and
/// checks what has arrived (Komlo and Goldberg, ePrint 2020/852, figure 1).
pub mod dkg {
    use super::*;

    pub use super::core::{
        round1::{Package as Commitment, SecretPackage as Secret1},
        round2::{Package as Share, SecretPackage as Secret2},
    };

    /// A share for each other member.
    pub type Shares<C> = BTreeMap<Identifier<C>, Share<C>>;

    /// The first step of the member `identifier`: what it keeps and what it publishes.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] unless 2 ≤ threshold ≤ signers.
    pub fn commit<C: Suite>(
        identifier: Identifier<C>,
        threshold: u16,
        signers: u16,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Result<(Secret1<C>, Commitment<C>), FrostError> {
        Ok(core::part1(identifier, signers, threshold, rng)?)
    }

    /// The second step, from everybody else's commitment: what it keeps, and a secret share for each
    /// other member.
    ///
    /// # Errors
    ///
    /// [`FrostError::BadDealing`] naming whose proof of knowledge does not verify;
    /// [`FrostError::Protocol`] if a commitment is missing or of another degree.
    pub fn share<C: Suite>(
        secret: Secret1<C>,
        others: &BTreeMap<Identifier<C>, Commitment<C>>,
    ) -> Result<(Secret2<C>, Shares<C>), FrostError> {
        let known = Known::new(*secret.min_signers(), *secret.max_signers(), secret.commitment());
        known.check()?;
        if secret.coefficients().len() != usize::from(known.threshold) {
            return Err(FrostError::Protocol("the polynomial has another degree".into()));
        }
        known.check_others(others)?;
        Ok(core::part2(secret, others)?)
    }

    /// The last step, from everybody else's commitment and share: the member's share of the group's
    /// key, and the group.
    ///
    /// # Errors
    ///
    /// [`FrostError::BadDealing`] naming whose proof of knowledge does not verify, or whose share does
    /// not fit its commitment; [`FrostError::Protocol`] if a commitment is of another degree.
    pub fn finish<C: Suite>(
        secret: &Secret2<C>,
        others: &BTreeMap<Identifier<C>, Commitment<C>>,
        shares: &BTreeMap<Identifier<C>, Share<C>>,
    ) -> Result<(KeyShare<C>, Group<C>), FrostError> {
        let known = Known::new(*secret.min_signers(), *secret.max_signers(), secret.commitment());
        known.check()?;
        // frost-core trusts that these are the commitments of the second step. They may have been
        // replaced since by ones that are made from all others and cancel them.
        known.check_others(others)?;
        for (id, commitment) in others {
            let proof = commitment.proof_of_knowledge();
            core::verify_proof_of_knowledge(*id, commitment.commitment(), proof)?;
        }
        Ok(core::part3(secret, others, shares)?)
    }

    /// What a member knows of the group before its key.
    struct Known<'a, C: Suite> {
        threshold: u16,
        signers: u16,
        own: &'a VerifiableSecretSharingCommitment<C>,
    }

    impl<'a, C: Suite> Known<'a, C> {
        fn new(
            threshold: u16,
            signers: u16,
            own: &'a VerifiableSecretSharingCommitment<C>,
        ) -> Self {
            Self { threshold, signers, own }
        }

        /// What is read from a file may say anything.
        fn check(&self) -> Result<(), FrostError> {
            let is_size = 2 <= self.threshold && self.threshold <= self.signers;
            match is_size && self.has_degree(self.own) {
                true => Ok(()),
                false => Err(FrostError::Protocol("no threshold of these members".into())),
            }
        }

        fn has_degree(&self, commitment: &VerifiableSecretSharingCommitment<C>) -> bool {
            commitment.coefficients().len() == usize::from(self.threshold)
        }

        /// frost-core takes the number of coefficients modulo 2^16, and in its last step any.
        fn check_others(
            &self,
            others: &BTreeMap<Identifier<C>, Commitment<C>>,
        ) -> Result<(), FrostError> {
            let wrong = others.iter().find(|(_, other)| !self.has_degree(other.commitment()));
            wrong.map_or(Ok(()), |(id, _)| {
                let reason = format!("{}: a commitment of another degree", Signer::of(id));
                Err(FrostError::Protocol(reason))
            })
        }
    }
}

/// New shares of the same key: old ones are worth nothing beside them. A dealer makes them, who does
/// not learn the key.
pub mod refresh {
    use super::*;

    /// What each member is to add to its share, and the group as it is then.
    ///
    /// # Errors
    ///
    /// [`FrostError::Unknown`] for who is no member, [`FrostError::Protocol`] if too few remain.
    pub fn deal<C: Suite>(
        group: &Group<C>,
        members: &[Identifier<C>],
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Result<Dealt<C>, FrostError> {
        let unknown = members.iter().filter(|id| !group.verifying_shares().contains_key(id));
        let unknown: Vec<_> = unknown.map(Signer::of).collect();
        if !unknown.is_empty() {
            return Err(FrostError::Unknown(unknown));
        }
        let (shares, group) = core_refresh::compute_refreshing_shares(group.clone(), members, rng)?;
        let shares = shares.into_iter().map(|share| (*share.identifier(), share)).collect();
        Ok((shares, group))
    }

    /// The member's new share, in the group as it is then.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if what was dealt does not fit the dealer's commitments, or if the new
    /// group has another key or another public share of the member.
    pub fn accept<C: Suite>(
        dealt: DealtShare<C>,
        share: &KeyShare<C>,
        group: &Group<C>,
    ) -> Result<KeyShare<C>, FrostError> {
        let new = core_refresh::refresh_share(dealt, share)?;
        // frost-core leaves the old public share beside the new secret one.
        let public = VerifyingShare::from(*new.signing_share());
        let key = *new.verifying_key();
        if group.verifying_key() != &key {
            return Err(FrostError::Protocol("the new group has another key".into()));
        }
        if group.verifying_shares().get(new.identifier()) != Some(&public) {
            let reason = "what was dealt does not make the share that the new group's file has";
            return Err(FrostError::Protocol(reason.into()));
        }
        let (id, secret) = (*new.identifier(), *new.signing_share());
        Ok(KeyShare::new(id, secret, public, key, *new.min_signers()))
    }
}

/// A share that its member has lost, made again by t others, none of whom learns it: each splits its
/// part among the helpers, each helper adds up what it got, and the member adds up the sums
/// (Laing and Stinson, ePrint 2017/1155, section 3).
pub mod repair {
    use super::*;

    pub use super::repairable::{Delta, Sigma};

    /// A helper's first step: a part for each helper, itself among them.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if there are too few helpers, or this one is not among them.
    pub fn split<C: Suite>(
        share: &KeyShare<C>,
        helpers: &[Identifier<C>],
        lost: Identifier<C>,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Result<BTreeMap<Identifier<C>, Delta<C>>, FrostError> {
        let distinct: BTreeSet<_> = helpers.iter().collect();
        if distinct.len() != helpers.len() {
            return Err(FrostError::Protocol("a helper occurs twice".into()));
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
    /// [`FrostError::Protocol`] if the result is not the share that belongs to the member's public
    /// one: somebody has lied.
    pub fn finish<C: Suite>(
        sums: &[Sigma<C>],
        lost: Identifier<C>,
        group: &Group<C>,
    ) -> Result<KeyShare<C>, FrostError> {
        let share = repairable::repair_share_part3(sums, lost, group)?;
        match group.verifying_shares().get(&lost) == Some(share.verifying_share()) {
            true => Ok(share),
            false => Err(FrostError::Protocol("the sums do not make the member's share".into())),
        }
    }
}
