//! A member's two rounds.

use std::collections::BTreeMap;

use frost_core::{
    compute_binding_factor_list, keys::SigningShare, keys::VerifyingShare, round1, round2,
    BindingFactorList, Challenge, GroupCommitment, Scalar, SigningPackage, VerifyingKey,
};
use frost_rerandomized::RandomizedParams;
use rand_core::{CryptoRng, RngCore};

use super::{
    aggregate::{binding_factors, group_commitment},
    lagrange, Commitment, FrostError, Group, Identifier, KeyShare, Nonces, Package, PackageDigest,
    SignatureShare, Signer, Suite,
};

/// The first round: two secret nonces, for one signature and never another, and their commitments,
/// which go to the coordinator. Nonces are hedged with the secret share (RFC 9591, section 4.1).
///
/// # Errors
///
/// [`FrostError::Protocol`] if a nonce is zero, which should never happen.
pub fn commit<C: Suite>(
    share: &KeyShare<C>,
    rng: &mut (impl RngCore + CryptoRng),
) -> Result<(Nonces<C>, Commitment<C>), FrostError> {
    let (nonces, commitments) = round1::commit(share.signing_share(), rng);
    Ok((nonces, Commitment::new(commitments)?))
}

/// The second round: the member's share of the signature. The nonces are taken by value, and wiped:
/// a second signature with them would give the secret share away.
///
/// The package must be the coordinator's.
///
/// # Errors
///
/// [`FrostError::TooFew`] if the package has fewer signers than the threshold,
/// [`FrostError::Uncommitted`] if the member is not one of them, and [`FrostError::OtherNonces`] if
/// the package has another commitment under its name.
pub fn sign<C: Suite>(
    package: &Package<C>,
    nonces: Nonces<C>,
    share: &KeyShare<C>,
) -> Result<SignatureShare<C>, FrostError> {
    check_round(package.inner(), &nonces, share)?;
    let signed = round2::sign(package.inner(), &nonces, share)?;
    Ok(SignatureShare::new(signed, package.digest(share.verifying_key())?))
}

/// Checks that the member can sign the package with these nonces.
fn check_round<C: Suite>(
    package: &SigningPackage<C>,
    nonces: &Nonces<C>,
    share: &KeyShare<C>,
) -> Result<(), FrostError> {
    let signers = package.signing_commitments();
    let (found, threshold) = (signers.len(), *share.min_signers());
    if found < threshold.into() {
        return Err(FrostError::TooFew { found, threshold });
    }
    let signer = Signer::of(share.identifier());
    match signers.get(share.identifier()) {
        None => Err(FrostError::Uncommitted(vec![signer])),
        Some(commitment) if commitment != nonces.commitments() => {
            Err(FrostError::OtherNonces(signer))
        }
        _ => Ok(()),
    }
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
    let (key, commitments) = (share.verifying_key(), package.inner().signing_commitments());
    let params = RandomizedParams::regenerate_from_seed_and_commitments(key, seed, commitments)?;
    let added = SigningShare::<C>::deserialize(&params.randomizer().serialize())?.to_scalar();
    let secret = share.signing_share().to_scalar() + added;
    let public = share.verifying_share().to_element() + *params.randomizer_element();
    let randomized = KeyShare::new(
        *share.identifier(),
        SigningShare::new(secret),
        VerifyingShare::new(public),
        *params.randomized_verifying_key(),
        *share.min_signers(),
    );
    sign(package, nonces, &randomized)
}

/// The second round of many members in one process: what depends only on the package is computed
/// once, not by each of them. Shares are the same as those of [`sign`].
pub struct Round2<'a, C: Suite> {
    package: &'a SigningPackage<C>,
    key: VerifyingKey<C>,
    factors: BindingFactorList<C>,
    commitment: GroupCommitment<C>,
    lambdas: BTreeMap<Identifier<C>, Scalar<C>>,
    challenge: Challenge<C>,
    digest: PackageDigest,
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
        let commitment = group_commitment(inner, &binding_factors(package, key)?);
        let signers: Vec<_> = inner.signing_commitments().keys().copied().collect();
        Ok(Self {
            package: inner,
            key: *group.verifying_key(),
            factors,
            commitment: GroupCommitment::from_element(commitment),
            lambdas: signers.iter().copied().zip(lagrange::at_zero(&signers)).collect(),
            challenge: C::challenge(&commitment, key, package.message())?,
            digest: package.digest(group.verifying_key())?,
        })
    }

    /// A member's share of the signature. The nonces are taken by value, and wiped.
    ///
    /// # Errors
    ///
    /// Those of [`sign`]; [`FrostError::OtherGroup`] for a share of another key.
    pub fn sign(
        &self,
        nonces: Nonces<C>,
        share: &KeyShare<C>,
    ) -> Result<SignatureShare<C>, FrostError> {
        check_round(self.package, &nonces, share)?;
        let member = share.identifier();
        let uncommitted = || FrostError::Uncommitted(vec![Signer::of(member)]);
        let lambda = *self.lambdas.get(member).ok_or_else(uncommitted)?;
        let factor = self.factors.get(member).ok_or_else(uncommitted)?.clone();
        if *share.verifying_key() != self.key {
            return Err(FrostError::OtherGroup);
        }
        let (_, nonces, share) = C::pre_sign(self.package, &nonces, share)?;
        let signed = C::compute_signature_share(
            &self.commitment,
            &nonces,
            factor,
            lambda,
            &share,
            self.challenge,
        );
        Ok(SignatureShare::new(signed, self.digest))
    }
}
