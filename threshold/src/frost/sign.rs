//! A member's two rounds.

use std::collections::BTreeMap;

use frost_core::{
    compute_binding_factor_list, round1, round2, BindingFactorList, Challenge, GroupCommitment,
    Scalar, SigningPackage, VerifyingKey,
};
use frost_rerandomized::{sign_with_randomizer_seed, RandomizedParams};
use rand_core::{CryptoRng, RngCore};

use super::{
    aggregate, lagrange, Commitment, FrostError, Group, Identifier, KeyShare, Nonces, Package,
    SignatureShare, Signer, Suite,
};

/// The first round: two secret nonces, for one signature and never another, and their commitments,
/// which go to the coordinator. Nonces are hedged with the secret share (RFC 9591, section 4.1).
///
/// # Errors
///
/// [`FrostError::Protocol`] if a nonce is zero, which is not to be expected.
pub fn commit<C: Suite>(
    share: &KeyShare<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(Nonces<C>, Commitment<C>), FrostError> {
    let (nonces, commitments) = round1::commit(share.signing_share(), rng);
    Ok((nonces, Commitment::new(commitments)?))
}

/// The second round: the member's share of the signature. The nonces are taken, and wiped: with a
/// second signature they would give the secret share away.
///
/// # Errors
///
/// [`FrostError::Protocol`] if the package is of fewer signers than the threshold, or does not hold
/// the commitment to these nonces under the member's name.
pub fn sign<C: Suite>(
    package: &Package<C>,
    nonces: Nonces<C>,
    share: &KeyShare<C>,
) -> Result<SignatureShare<C>, FrostError> {
    Ok(round2::sign(package.inner(), &nonces, share)?)
}

/// A randomised key for the signature of this package, and the seed that the coordinator sends to
/// the signers in confidence (Gouvea and Komlo, ePrint 2024/436).
///
/// # Errors
///
/// [`FrostError::Protocol`] if a commitment is the identity.
pub fn randomize<C: Suite>(
    package: &Package<C>,
    group: &Group<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(RandomizedParams<C>, Vec<u8>), FrostError> {
    let commitments = package.inner().signing_commitments();
    Ok(RandomizedParams::new_from_commitments(group.verifying_key(), commitments, rng)?)
}

/// The second round under the randomised key of this seed.
///
/// # Errors
///
/// Those of [`sign`].
pub fn sign_randomized<C: Suite>(
    package: &Package<C>,
    nonces: Nonces<C>,
    share: &KeyShare<C>,
    seed: &[u8],
) -> Result<SignatureShare<C>, FrostError> {
    Ok(sign_with_randomizer_seed(package.inner(), &nonces, share, seed)?)
}

/// The second round of many members in one process: what depends on the package alone is computed
/// once, not by each of them. Shares are the same as those of [`sign`].
pub struct Round2<'a, C: Suite> {
    package: &'a SigningPackage<C>,
    key: VerifyingKey<C>,
    factors: BindingFactorList<C>,
    commitment: GroupCommitment<C>,
    lambdas: BTreeMap<Identifier<C>, Scalar<C>>,
    challenge: Challenge<C>,
}

impl<'a, C: Suite> Round2<'a, C> {
    /// The round of this package for the group with this public key.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if a commitment is the identity.
    pub fn new(package: &'a Package<C>, group: &Group<C>) -> Result<Self, FrostError> {
        // secp256k1-tr negates public keys whose y is odd here.
        let (none, inner) = (BTreeMap::new(), package.inner());
        let (_, _, even) = C::pre_aggregate(inner, &none, group)?;
        let key = even.verifying_key();
        let factors = compute_binding_factor_list(inner, key, &[])?;
        let commitment = aggregate::commitment(package, key)?;
        let signers: Vec<_> = inner.signing_commitments().keys().copied().collect();
        Ok(Self {
            package: inner,
            key: *group.verifying_key(),
            factors,
            commitment: GroupCommitment::from_element(commitment),
            lambdas: signers.iter().copied().zip(lagrange::at_zero(&signers)).collect(),
            challenge: C::challenge(&commitment, key, package.message())?,
        })
    }

    /// A member's share of the signature. The nonces are taken, and wiped.
    ///
    /// # Errors
    ///
    /// [`FrostError::Unknown`] for a member that is not among the signers,
    /// [`FrostError::Protocol`] if the share is one of another group, the signers are fewer than the
    /// threshold, or the package holds another commitment under the member's name.
    pub fn sign(
        &self,
        nonces: Nonces<C>,
        share: &KeyShare<C>,
    ) -> Result<SignatureShare<C>, FrostError> {
        let (member, signers) = (share.identifier(), self.package.signing_commitments());
        let unknown = || FrostError::Unknown(vec![Signer::of(member)]);
        let lambda = *self.lambdas.get(member).ok_or_else(unknown)?;
        let factor = self.factors.get(member).ok_or_else(unknown)?.clone();
        if signers.get(member) != Some(nonces.commitments()) {
            return Err(frost_core::Error::<C>::IncorrectCommitment.into());
        }
        if signers.len() < usize::from(*share.min_signers()) {
            return Err(frost_core::Error::<C>::IncorrectNumberOfCommitments.into());
        }
        if *share.verifying_key() != self.key {
            return Err(FrostError::Protocol("the share is one of another group".into()));
        }
        let (_, nonces, share) = C::pre_sign(self.package, &nonces, share)?;
        Ok(C::compute_signature_share(
            &self.commitment,
            &nonces,
            factor,
            lambda,
            &share,
            self.challenge,
        ))
    }
}
