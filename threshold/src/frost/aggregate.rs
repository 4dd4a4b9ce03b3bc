//! The coordinator's last step: shares to one signature (RFC 9591, section 5.3).
//!
//! It gives the same bytes as frost-core's `aggregate`, in less time: the commitments' encoding is
//! available, their sum is one multi-scalar multiplication by the curve's own library, participants
//! are compared in one pass, and the signature is verified with another such sum. Shares are
//! examined only if that fails.

use std::collections::BTreeMap;

use frost_core::{
    keys::{PublicKeyPackage, VerifyingShare},
    Element, Group as _, Scalar, SigningPackage, VerifyingKey,
};
use frost_rerandomized::RandomizedParams;

use super::{
    cheaters::{self, Evidence},
    zero, FrostError, Group, Identifier, Package, Signature, SignatureShare, Signer, Suite,
};

/// The group's signature of the package's message.
///
/// # Errors
///
/// [`FrostError::Missing`], [`FrostError::Uncommitted`], [`FrostError::Unknown`] or
/// [`FrostError::TooFew`] if the participants are not the right ones; [`FrostError::OtherPackage`]
/// naming the signers of something else; [`FrostError::BadShares`] naming exactly the signers
/// whose shares do not verify; [`FrostError::GroupKey`] if the signers' public shares do not
/// make the group's key.
pub fn aggregate<C: Suite>(
    package: &Package<C>,
    shares: &BTreeMap<Identifier<C>, SignatureShare<C>>,
    group: &Group<C>,
) -> Result<Signature<C>, FrostError> {
    check_participants(package.inner(), shares, group)?;
    let digest = package.digest(group.verifying_key())?;
    let others = shares.iter().filter(|(_, share)| *share.package() != digest);
    let others = names(others.map(|(signer, _)| signer));
    if !others.is_empty() {
        return Err(FrostError::OtherPackage(others));
    }
    let shares = shares.iter().map(|(signer, share)| (*signer, *share.inner())).collect();
    // secp256k1-tr negates public keys whose y is odd here.
    let (inner, shares, group) = C::pre_aggregate(package.inner(), &shares, group)?;
    let factors = binding_factors(package, group.verifying_key())?;
    let commitment = group_commitment(&inner, &factors);
    let z = shares.values().fold(zero::<C>(), |sum, share| sum + share.share().0);
    let signature = Signature::new(commitment, z);
    if verify(inner.message(), &signature, group.verifying_key()).is_ok() {
        return Ok(signature);
    }
    let challenge = C::challenge(&commitment, group.verifying_key(), inner.message())?;
    let evidence = Evidence {
        package: &inner,
        shares: &shares,
        group: &group,
        factors: &factors,
        challenge: challenge.to_scalar(),
        commitment,
        negated: C::negates_nonces(&commitment),
    };
    Err(cheaters::blame(&evidence))
}

/// The same under the randomised key of these parameters (the crate `frost-rerandomized`).
///
/// # Errors
///
/// Those of [`aggregate`].
pub fn aggregate_randomized<C: Suite>(
    package: &Package<C>,
    shares: &BTreeMap<Identifier<C>, SignatureShare<C>>,
    group: &Group<C>,
    randomness: &RandomizedParams<C>,
) -> Result<Signature<C>, FrostError> {
    let add = |share: &VerifyingShare<C>| {
        VerifyingShare::new(share.to_element() + *randomness.randomizer_element())
    };
    let members = group.verifying_shares().iter().map(|(id, share)| (*id, add(share))).collect();
    let key = *randomness.randomized_verifying_key();
    aggregate(package, shares, &Group::new(members, key, group.min_signers()))
}

/// Verifies a signature: z·B = R + c·A.
///
/// All points are of the prime-order group, where the equation with the cofactor is the same one.
///
/// # Errors
///
/// [`FrostError::Signature`] if the equation does not hold.
pub fn verify<C: Suite>(
    message: &[u8],
    signature: &Signature<C>,
    key: &VerifyingKey<C>,
) -> Result<(), FrostError> {
    let (message, signature, key) = C::pre_verify(message, signature, key)?;
    let challenge = C::challenge(signature.R(), &key, &message)?.to_scalar();
    let scalars = [*signature.z(), zero::<C>() - challenge];
    let sum = C::msm(&scalars, &[C::Group::generator(), key.to_element()]);
    (sum == *signature.R()).then_some(()).ok_or(FrostError::Signature)
}

/// Checks that exactly the participants that committed have sent a share, and that all are members. The maps
/// are in one order, so one pass is enough; if it fails, a slower search finds the names.
fn check_participants<C: Suite>(
    package: &SigningPackage<C>,
    shares: &BTreeMap<Identifier<C>, SignatureShare<C>>,
    group: &PublicKeyPackage<C>,
) -> Result<(), FrostError> {
    let committed = package.signing_commitments();
    let mut members = group.verifying_shares().keys();
    let known = committed.keys().all(|signer| members.any(|member| member == signer));
    if !known || !committed.keys().eq(shares.keys()) {
        let unknown = |signer: &&Identifier<C>| !group.verifying_shares().contains_key(signer);
        let unknown = names(committed.keys().chain(shares.keys()).filter(unknown));
        let missing = names(committed.keys().filter(|signer| !shares.contains_key(signer)));
        let extra = names(shares.keys().filter(|signer| !committed.contains_key(signer)));
        return Err(if !unknown.is_empty() {
            FrostError::Unknown(unknown)
        } else if !missing.is_empty() {
            FrostError::Missing(missing)
        } else {
            FrostError::Uncommitted(extra)
        });
    }
    let (found, threshold) = (shares.len(), group.min_signers().unwrap_or(1));
    (found >= threshold.into()).then_some(()).ok_or(FrostError::TooFew { found, threshold })
}

/// The names of `identifiers`, each once.
fn names<'a, C: Suite>(identifiers: impl Iterator<Item = &'a Identifier<C>>) -> Vec<Signer> {
    let mut names: Vec<_> = identifiers.map(Signer::of).collect();
    names.sort();
    names.dedup();
    names
}

/// ρ_i = H1(A ‖ H4(message) ‖ H5(commitments) ‖ i), section 4.4.
pub(super) fn binding_factors<C: Suite>(
    package: &Package<C>,
    key: &VerifyingKey<C>,
) -> Result<Vec<Scalar<C>>, FrostError> {
    let mut input = key.serialize()?;
    input.extend(package.hashes());
    let prefix = input.len();
    let factor = |identifier: &Identifier<C>| {
        input.truncate(prefix);
        input.extend(identifier.serialize());
        C::H1(&input)
    };
    Ok(package.inner().signing_commitments().keys().map(factor).collect())
}

/// R = Σ D_i + ρ_i·E_i, section 4.5. No commitment is the identity: [`Package`] encodes none.
pub(super) fn group_commitment<C: Suite>(
    package: &SigningPackage<C>,
    factors: &[Scalar<C>],
) -> Element<C> {
    let commitments = package.signing_commitments().values();
    let binding: Vec<_> = commitments.clone().map(|pair| pair.binding().value()).collect();
    let sum = C::msm(factors, &binding);
    commitments.fold(sum, |sum, pair| sum + pair.hiding().value())
}
